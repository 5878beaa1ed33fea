"""What a replay finds as rows and items, and the same result in several files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import SpooledTemporaryFile, TemporaryDirectory
from typing import IO, Any, Protocol

from checker.commands.writing.whole_files import Writer
from checker.evidence.canonical import canonical
from checker.judge.findings import ReplayFinding
from checker.log.exact_json import dumps
from checker.render.lines import visible
from checker.replay.provenance import narrowed

_IN_MEMORY = 32 << 20  # bytes of findings that wait for what is told before them
_ODD = "surrogatepass"  # a name may hold half of a character
CSV_COLUMNS = (
    "line",
    "round",
    "table",
    "rulebook",
    "clause",
    "code",
    "kind",
    "box",
    "hand",
    "player",
    "bet",
    "expected",
    "actual",
    "difference",
    "message",
    "log",
    "at",
    "fingerprint",
    "readings",
)


def spool() -> IO[str]:
    """Where findings wait for what is told before them and known after them."""
    return SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", errors=_ODD)


def csv_row(finding: ReplayFinding) -> str:
    shown = finding.as_json()
    shown["readings"] = "; ".join(finding.readings)
    return csv_line([shown.get(column) for column in CSV_COLUMNS])


def csv_line(cells: list[Any], only_if_needed: bool = False) -> str:
    import csv
    import io

    out = io.StringIO()
    row = [visible(cell) if isinstance(cell, str) else cell for cell in cells]
    # A cell that starts like a formula would be run by a spreadsheet.
    safe = [f"'{c}" if isinstance(c, str) and c.lstrip()[:1] in tuple("=+-@") else c for c in row]
    if only_if_needed:
        csv.writer(out, lineterminator="\n").writerow(safe)
    else:
        csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC).writerow(safe)
    return out.getvalue()


class Result(Protocol):
    """A replay that has come to its end."""

    def options(self) -> Mapping[str, Any]: ...
    def write_json(self, findings: IO[str], output: Path | None) -> None: ...
    def csv_head(self) -> str: ...
    def record(self) -> str: ...
    def make_page(self, saved: Path, output: Path) -> None: ...


class Also:
    """The result in one file more, as its ending says."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.kind = path.suffix.lower()
        self.is_page = self.kind not in (".json", ".jsonl", ".csv")
        self.spool = spool()

    def add(self, finding: ReplayFinding) -> None:
        if self.kind == ".csv":
            self.spool.write(csv_row(finding))
        elif self.kind == ".jsonl":
            self.spool.write(dumps(finding.as_json()) + "\n")
        else:
            add_to_list(self.spool, finding)

    def finish(self, result: Result) -> None:
        if self.is_page:
            with TemporaryDirectory() as folder:
                saved = Path(folder) / "replay.json"
                result.write_json(self.spool, saved)
                result.make_page(saved, self.path)
        elif self.kind == ".json":
            result.write_json(self.spool, self.path)
        else:
            out = Writer(self.path)
            if self.kind == ".csv":
                out.write(result.csv_head() + ",".join(CSV_COLUMNS) + "\n")
            elif narrowed(result.options()):
                out.write(result.record())
            self.spool.seek(0)
            while chunk := self.spool.read(1 << 20):
                out.write(chunk)
            out.close()


def add_to_list(spool: IO[str], finding: ReplayFinding) -> None:
    """One more item of the list of findings in JSON."""
    spool.write((",\n" if spool.tell() else "") + canonical(finding.as_json()).decode())
