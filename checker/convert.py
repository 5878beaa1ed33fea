"""Round logs from JSON Lines to Parquet and back. Nothing is lost: what is read again decodes to
the same rounds, and lines in the form that `rulespec simulate` writes come back byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, TypeAlias

from checker.log.exact_json import dumps
from checker.log.model import Round
from checker.log.open import open_log
from checker.log.parquet_layout import GROUP, is_ours, texts_only, writer
from checker.log.parquet_lines import lines_of
from checker.log.parquet_rows import open_parquet, rows_of
from checker.log.read import BOM, Quarantined, judge_line, read_rows, split_lines
from checker.which_engine import columns_at_hand

Complain: TypeAlias = Callable[[Quarantined], None]


def to_parquet(path: str, out: Any, complain: Complain) -> int:
    """Write a log of JSON Lines as Parquet; how many rounds it has."""
    rounds = 0
    with writer(out) as target:
        for table in _tables(path, complain):
            rounds += table.num_rows
            target.write_table(table, row_group_size=GROUP)
    return rounds


def _tables(path: str, complain: Complain) -> Iterator[Any]:
    """Tables of about one row group each."""
    import pyarrow as pa

    if columns_at_hand():
        from checker.columns.write_parquet import tables

        waiting: list[Any] = []
        held = 0
        for table in tables(path, complain):
            waiting.append(table)
            held += table.num_rows
            while held >= GROUP:
                joined = pa.concat_tables(waiting)
                yield joined.slice(0, GROUP).unify_dictionaries()
                waiting, held = [joined.slice(GROUP)], held - GROUP
        if held:
            yield pa.concat_tables(waiting).unify_dictionaries()
        return
    lines = good_lines(path, complain)
    while chunk := list(islice(lines, GROUP)):
        yield texts_only(chunk)


def good_lines(path: str, complain: Complain) -> Iterator[tuple[Round, bytes]]:
    """The rounds of a log of JSON Lines, each with its line; the rest goes to `complain`."""
    for line in split_lines(open_log(path)):
        raw = line.raw.removeprefix(BOM) if line.number == 1 else line.raw
        for found in judge_line(line):
            if isinstance(found, Quarantined):
                complain(found)
            else:
                yield found, raw.strip()


def to_lines(path: str, write: Callable[[bytes], object], complain: Complain) -> int:
    """Write a log, Parquet or not, as JSON Lines; how many rounds it has."""
    log = open_log(path)
    lines: Iterator[bytes]
    if not log.parquet:
        log.close()
        lines = (raw for _, raw in good_lines(path, complain))
    else:
        file = open_parquet(path, log.damaged)
        if is_ours(file):
            lines = (line.encode() for line in lines_of(file))
        else:
            lines = (raw for _, raw in _foreign(file, complain))
    rounds = 0
    for line in lines:
        write(line + b"\n")
        rounds += 1
    return rounds


def _foreign(file: Any, complain: Complain) -> Iterator[tuple[Round, bytes]]:
    """The rows of a Parquet file that others wrote."""
    for row, found in read_rows(rows_of(file)):
        if isinstance(found, Quarantined):
            complain(found)
        else:
            yield found, dumps(row, separators=(",", ":")).encode()


def row_lines(path: str, complain: Complain) -> Iterator[tuple[Round, bytes]]:
    """The rounds of a Parquet file, each as it would stand in a log of JSON Lines."""
    log = open_log(path)
    return _foreign(open_parquet(path, log.damaged), complain)
