"""A replay on a Spark cluster: files are read side by side, and every table is judged in order.

Rounds of one table stay together and in their order, because what a shoe tells goes from round to
round; tables know nothing of each other, but for two facts about the whole log (that it records
player cards, and warnings), which are worked out first.
"""

from __future__ import annotations

import os
import pickle
import sys
import warnings
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from checker.judge.findings import Verdict
from checker.log.read import Quarantined
from checker.log.repeated_rounds import Copied, Place
from checker.replay.replay import Filter, Judged, Library, Summary
from checker.spark.records import Job, Part
from checker.spark.worker import RECORD, RESULT, finding_row, judge_tables, read_files
from checker.which_engine import worth_columns


def session(master: str) -> Any:
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    root = str(Path(__file__).parent.parent.parent)
    builder = (
        SparkSession.builder.master(master)
        .appName("rulespec replay")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "5000")
        .config("spark.executorEnv.PYTHONPATH", root)
    )
    quiet = Path(__file__).parent / "spark_log.properties"
    os.environ.setdefault(
        "PYSPARK_SUBMIT_ARGS",
        f"--driver-java-options -Dlog4j2.configurationFile=file:{quiet} pyspark-shell",
    )
    if master.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
        os.environ["PYTHONPATH"] = os.pathsep.join(paths)
        builder = builder.config("spark.driver.host", "127.0.0.1").config(
            "spark.driver.bindAddress", "127.0.0.1"
        )
    # about versions of pandas, which is not used here
    warnings.filterwarnings("ignore", category=FutureWarning, message="PySpark does not yet")
    return builder.getOrCreate()


def replay_spark(
    logs: list[str],
    library: Library,
    wanted: Filter,
    summary: Summary,
    master: str,
    results: str | None = None,
) -> Iterator[Judged | Quarantined]:
    """As `replay.replay`; only what is found comes out. `results`: a folder for Parquet."""
    files = list(logs)
    columns = worth_columns(files)
    spark = session(master)
    try:
        listed = spark.createDataFrame(list(enumerate(files)), "file int, path string")
        records = (
            listed.repartition(len(files), "file")
            .mapInArrow(partial(read_files, columns), RECORD)
            .persist(_on_disk())
        )
        rounds = records.where("reason is null")
        job = Job(
            uuid4().hex,
            list(library.rulebooks.values()),
            library.only,
            library.others,
            wanted,
            _first(rounds, "cards"),
            _first(rounds, "warns"),
            files,
            columns,
        )
        tables = rounds.select("key").distinct().count()
        parts = max(1, min(tables, 2 * spark.sparkContext.defaultParallelism))
        judged = (
            rounds.repartition(parts, "key")
            .sortWithinPartitions("key", "file", "line")
            .mapInArrow(partial(judge_tables, job), RESULT)
            .persist(_on_disk())
        )
        refused = records.where("reason is not null").selectExpr(
            "file", "line", "raw", "reason", "cut_off"
        )
        if results is not None:
            _write(judged, files, results)
        yield from _ordered(judged, refused, files, summary)
        whole = Part()
        for row in judged.where("kind = 'part'").toLocalIterator():
            whole.join(pickle.loads(row.value))
        _count(summary, whole)
    finally:
        spark.stop()


def _on_disk() -> Any:
    from pyspark import StorageLevel

    return StorageLevel.MEMORY_AND_DISK


def _first(rounds: Any, mark: str) -> Place | None:
    """The first round of the log that has the mark."""
    found = rounds.where(mark).orderBy("file", "line").select("file", "line").take(1)
    return Place(found[0].file, found[0].line) if found else None


def _ordered(
    judged: Any, refused: Any, files: list[str], summary: Summary
) -> Iterator[Judged | Quarantined]:
    from pyspark.sql import functions as F

    bad = refused.select(
        F.lit("refused").alias("kind"),
        "file",
        "line",
        F.col("raw").alias("value"),
        "reason",
        "cut_off",
    )
    found = judged.where("kind <> 'part'").select(
        "kind",
        "file",
        "line",
        "value",
        F.lit(None).cast("string").alias("reason"),
        F.lit(False).alias("cut_off"),
    )
    for row in found.unionByName(bad).orderBy("file", "line").toLocalIterator():
        if row.kind == "round":
            round_, shown, reports = pickle.loads(row.value)
            shown = summary.know_book(shown, files[row.file], round_)
            shown = [replace(one, log=files[row.file]) for one in shown]
            summary.find(shown)
            summary.reports.extend(reports)
            yield Judged(round_, Verdict(), shown, files[row.file])
        elif row.kind == "told":
            one = pickle.loads(row.value)
            tell = summary.copy if isinstance(one, Copied) else summary.misplace
            tell(one, files)
        else:
            raw = bytes(row.value or b"")
            line = Quarantined(row.line, raw, row.reason, row.cut_off, files[row.file])
            summary.quarantine(line)
            yield line


def _count(summary: Summary, part: Part) -> None:
    summary.rounds += part.rounds
    summary.wagers += part.wagers
    summary.tested |= part.tested
    summary.rulebooks.update(part.rulebooks)
    summary.not_recorded.update(part.not_recorded)
    summary.unknown.update(part.unknown)
    summary.outside += part.outside
    for key, (count, _, reason) in part.unchecked.items():
        summary.not_checked[key] = (reason, count)


def _write(judged: Any, files: list[str], folder: str) -> None:
    """The findings as Parquet, for whoever goes on with them."""
    schema = (
        "file string, code string, kind string, message string, rulebook string, clause string, "
        "round string, table string, line long, event int, box int, hand int, player string, "
        "bet string, help string, fingerprint string, expected_cents long, actual_cents long"
    )
    rows = judged.where("kind = 'round'")
    rows.mapInArrow(partial(_finding_rows, files), schema).write.mode("overwrite").parquet(folder)


def _finding_rows(files: list[str], batches: Any) -> Iterator[Any]:
    import pyarrow as pa

    for batch in batches:
        names = batch.schema.names
        columns = [batch.column(names.index(name)).to_pylist() for name in ("file", "value")]
        rows = [
            finding_row(files[file], finding)
            for file, value in zip(*columns, strict=True)
            for finding in pickle.loads(value)[1]
        ]
        if rows:
            yield pa.RecordBatch.from_pylist(rows, schema=_finding_schema(pa))


def _finding_schema(pa: Any) -> Any:
    texts = ("code", "kind", "message", "rulebook", "clause", "round", "table")
    return pa.schema(
        [
            ("file", pa.string()),
            *((name, pa.string()) for name in texts),
            ("line", pa.int64()),
            ("event", pa.int32()),
            ("box", pa.int32()),
            ("hand", pa.int32()),
            ("player", pa.string()),
            ("bet", pa.string()),
            ("help", pa.string()),
            ("fingerprint", pa.string()),
            ("expected_cents", pa.int64()),
            ("actual_cents", pa.int64()),
        ]
    )
