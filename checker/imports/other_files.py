"""What Python reads: Excel, SQLite, and CSV that is out of order; text cells, row by row."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path

from checker.imports.files import NOT_READ, FileError, cell, chosen, identifier
from checker.imports.packed import open_unpacked
from checker.imports.profile import Read
from rulespec.resolve.typecheck import did_you_mean


def excel_rows(path: Path, read: Read) -> tuple[list[str], Iterator[list[str]]]:
    try:
        import openpyxl
    except ImportError:
        from rulespec.base.errors import WrongCall

        raise WrongCall(
            "reading Excel needs the package `openpyxl`", "pip install 'rulespec[import]'"
        ) from None
    import zipfile

    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, SyntaxError) as error:
        raise FileError(path, f"it is no Excel file: {str(error).lower()[:100]}") from None
    sheets = book.sheetnames
    if read.sheet is not None and read.sheet not in sheets:
        help = did_you_mean(read.sheet, sheets, f"there are: {', '.join(sheets)}")
        raise FileError(path, f"it has no sheet `{read.sheet}`", help)
    rows = book[read.sheet or sheets[0]].iter_rows(values_only=True)
    for _ in range(read.skip):
        next(rows, None)
    names = [cell(one).strip() for one in next(rows, ())]
    while names and not names[-1]:
        names.pop()
    if not names:
        raise FileError(path, "its first row names no columns", "`read: skip` says where it is")

    def filled() -> Iterator[list[str]]:
        for row in rows:
            cells = [cell(one) for one in row[: len(names)]]
            cells += [""] * (len(names) - len(cells))
            yield cells

    return names, filled()


def sqlite_rows(path: Path, read: Read) -> tuple[list[str], Iterator[list[str]]]:
    """By Python's own module: DuckDB has SQLite only as an extension that has to be fetched."""
    import sqlite3

    try:
        base = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        base.text_factory = lambda raw: raw.decode("utf-8", "replace")
        found = base.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
        table = chosen(path, read, [name for (name,) in found if not name.startswith("sqlite_")])
        rows = base.execute(f"SELECT * FROM {identifier(table)}")
    except sqlite3.Error as error:
        raise FileError(path, f"it is no SQLite database: {error}") from None

    def cells() -> Iterator[list[str]]:
        try:
            for row in rows:
                yield [cell(one) for one in row]
        except sqlite3.Error as error:
            raise FileError(path, f"it cannot be read: {error}") from None
        finally:
            base.close()

    return [str(one[0]) for one in rows.description], cells()


def csv_rows(
    path: Path, cells: int, delimiter: str, quote: str, skipped: int
) -> Iterator[list[str]]:
    """UTF-8 text that DuckDB gives up on, as where ends of lines are mixed. A row that has other
    cells than there are columns, or other bytes than text, has the reason in each cell."""
    csv.field_size_limit(1 << 24)
    with TextIOWrapper(
        open_unpacked(path), encoding="utf-8-sig", errors="surrogateescape", newline=""
    ) as file:
        for _ in range(skipped):
            file.readline()
        if quote:
            rows = csv.reader(file, delimiter=delimiter, quotechar=quote)
        else:
            rows = csv.reader(file, delimiter=delimiter, quoting=csv.QUOTE_NONE)
        next(rows, None)
        while True:
            try:
                row = next(rows)
            except StopIteration:
                return
            except csv.Error as error:
                yield [f"{NOT_READ}it cannot be read: {error}"] * cells
                continue
            if not row:
                continue
            if len(row) != cells:
                few = "fewer" if len(row) < cells else "more"
                yield [f"{NOT_READ}it has {few} cells than there are columns"] * cells
            elif any("\udc80" <= mark <= "\udcff" for one in row for mark in one):
                yield [f"{NOT_READ}it is not UTF-8 text; say `read: encoding`"] * cells
            else:
                yield row
