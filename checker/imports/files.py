"""What a file of an export is, and what is said of one that cannot be used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from checker.imports.profile import Read
from rulespec.base.regular_files import open_regular
from rulespec.resolve.typecheck import did_you_mean

KINDS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".parquet": "parquet",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
    ".db": "sqlite",
    ".duckdb": "duckdb",
}


NOT_READ = "\x1e"  # stands in a cell before the reason why its row could not be read


class FileError(Exception):
    """A file that cannot be used, and advice."""

    def __init__(self, path: Path, message: str, help: str = "") -> None:
        super().__init__(f"`{path}`: {message}")
        self.path, self.help = path, help


def kind_of(path: Path, read: Read) -> str:
    if read.kind is not None:
        return read.kind
    name = path.name.lower().removesuffix(".gz")
    kind = KINDS.get(Path(name).suffix)
    if kind is None:
        known = ", ".join(KINDS)
        raise FileError(
            path, "its name does not say what it is", f"`read: kind`, or one of {known}"
        )
    if kind == "sqlite" and path.suffix == ".db" and begins(path, 16)[8:12] == b"DUCK":
        return "duckdb"
    return kind


def begins(path: Path, number: int) -> bytes:
    try:
        with open_regular(path) as file:
            return file.read(number)
    except OSError as error:
        raise FileError(path, (error.strerror or "it cannot be read").lower()) from None


def identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def chosen(path: Path, read: Read, tables: list[str]) -> str:
    listed = ", ".join(sorted(tables)) or "none"
    if read.table is None:
        if len(tables) == 1:
            return tables[0]
        raise FileError(
            path,
            f"it has {len(tables)} tables",
            f"`read: table` (with --init: --table) names one; there are: {listed}",
        )
    if read.table not in tables:
        help = did_you_mean(read.table, tables, f"there are: {listed}")
        raise FileError(path, f"it has no table `{read.table}`", help)
    return read.table


def cell(value: Any) -> str:
    """A typed cell as text; a binary float by its shortest decimal text."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return repr(value)
        case bytes():
            return value.decode("utf-8", "replace")
        case _:
            return str(value)
