"""Files of an export as tables that DuckDB reads: every cell is text, every column has a number.

Names of columns, tables and files never become part of a query. DuckDB may open the files that were
named and its own temporary folder, nothing else, and loads no extension.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from checker.imports.documents import flat_rows
from checker.imports.files import FileError, begins, chosen, identifier, kind_of
from checker.imports.other_files import csv_rows, excel_rows, sqlite_rows
from checker.imports.packed import check_packed, open_unpacked
from checker.imports.profile import Read

_DELIMITERS = ",;\t|"
MOST_COLUMNS = 2000


@dataclass(slots=True)
class Rejected:
    """A row that is no row of its table."""

    file: Path
    row: int
    reason: str
    text: str


@dataclass(slots=True)
class Table:
    """One table of one file. `sql` gives `c0`, `c1`, … and `rn`; `given` are its parameters."""

    file: Path
    columns: list[str]
    sql: str
    given: list[Any] = field(default_factory=list)
    rejects: str | None = None  # the table that DuckDB makes of rows that are none
    rejected: list[int] = field(default_factory=list)  # rows that were left out, in order

    def place(self, name: str) -> int | None:
        return self.columns.index(name) if name in self.columns else None

    def row(self, number: int) -> int:
        """The row of the file, from its number among those that could be read."""
        shift = 0
        while True:
            found = bisect_right(self.rejected, number + shift)
            if found == shift:
                return number + shift
            shift = found


class Tables:
    """DuckDB with the files of one import, and a folder for what it cannot read by itself."""

    def __init__(self, files: Sequence[Path], folder: Path) -> None:
        self.folder = folder
        self.connection = _connect([*files], folder)
        self._made = 0

    def close(self) -> None:
        self.connection.close()

    def open(
        self,
        path: Path,
        read: Read,
        wanted: Sequence[str] | None = None,
        by_python: bool = False,
    ) -> Table:
        """`wanted`: the columns of a nested document that are asked for. `by_python`: CSV too, with
        more patience than DuckDB has."""
        if not path.is_file():
            raise FileError(path, "there is no such file", "name files, not folders")
        if not path.stat().st_size:  # or it claims so, and would be waited for
            raise FileError(path, "it is empty", "is it the export?")
        match kind_of(path, read):
            case "csv":
                check_packed(path)
                return self._patient_csv(path, read) if by_python else self._csv(path, read)
            case "parquet":
                return self._parquet(path)
            case "excel":
                return self._copied(path, *excel_rows(path, read))
            case "sqlite":
                return self._copied(path, *sqlite_rows(path, read))
            case "duckdb":
                return self._duckdb(path, read)
            case _:
                return self._copied(path, *flat_rows(path, read, wanted))

    def keep(self, sql: str, given: Sequence[Any]) -> None:
        """Rows in an order, which DuckDB puts on the disk where memory is short."""
        self._run(f"CREATE OR REPLACE TEMP TABLE kept AS {sql}", given)

    def kept(self) -> Iterator[tuple[Any, ...]]:
        found = self._run("SELECT * FROM kept")
        while rows := found.fetchmany(8192):
            yield from rows

    def _run(self, sql: str, given: Sequence[Any] = ()) -> Any:
        import duckdb

        try:
            return self.connection.execute(sql, list(given))
        except duckdb.Error as error:
            reason = str(error).partition("\n")[0].partition("Error: ")[2] or str(error)
            raise FileError(
                self._named(given), f"it cannot be read: {reason[:200].lower()}"
            ) from None

    @staticmethod
    def _named(given: Sequence[Any]) -> Path:
        return Path(next((str(one) for one in given if isinstance(one, str)), "export"))

    # --- CSV

    def _csv(self, path: Path, read: Read) -> Table:
        plain = self._in_utf8(path, read)
        names, delimiter, header = _header(plain, read, path)
        columns = ", ".join(f"'c{n}': 'VARCHAR'" for n in range(len(names)))
        sql = (
            f"SELECT *, row_number() OVER () AS rn FROM read_csv(?, auto_detect=false, "
            f"columns={{{columns}}}, header=true, skip=?, delim=?, quote=?, escape=?, "
            "store_rejects=true, rejects_table=?, rejects_scan=?, rejects_limit=0)"
        )
        self._made += 1
        tables = (f"rejects_{self._made}", f"scans_{self._made}")
        given = [str(plain), header, delimiter, read.quote, read.quote, *tables]
        if not read.quote:
            sql = sql.replace("quote=?, escape=?", "quote='', escape=''")
            given = [str(plain), header, delimiter, *tables]
        return Table(path, names, sql, given, tables[0])

    def _patient_csv(self, path: Path, read: Read) -> Table:
        plain = self._in_utf8(path, read)
        names, delimiter, skipped = _header(plain, read, path)
        rows = csv_rows(plain, len(names), delimiter, read.quote, skipped)
        return self._copied(path, names, rows)

    def rejected(self, table: Table) -> list[Rejected]:
        """The rows that the last reading of a table left out; it has to have come to its end."""
        if table.rejects is None:
            return []
        found = self._run(
            f"SELECT line, first(error_type), first(csv_line) FROM {table.rejects} "
            "GROUP BY line ORDER BY line"
        ).fetchall()
        skipped = int(table.given[1])
        rows = [
            Rejected(table.file, line - 1 - skipped, _why_rejected(kind), text or "")
            for line, kind, text in found
        ]
        table.rejected = [one.row for one in rows]
        return rows

    def _in_utf8(self, path: Path, read: Read) -> Path:
        begin = begins(path, 4)
        encoding = read.encoding
        if encoding is None and begin[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            encoding = "utf-16"
        if encoding is None or codecs_name(path, encoding) in ("utf-8", "utf-8-sig", "ascii"):
            return path
        copy = self._new_file()
        with _text(path, encoding) as source, copy.open("w", encoding="utf-8", newline="") as out:
            try:
                while part := source.read(1 << 20):
                    out.write(part)
            except UnicodeError as error:
                raise FileError(path, f"it is not {encoding}: {error}") from None
        return copy

    # --- others

    def _parquet(self, path: Path) -> Table:
        described = self._run("DESCRIBE SELECT * FROM read_parquet(?)", [str(path)]).fetchall()
        return self._typed(path, described, "read_parquet(?)", [str(path)])

    def _duckdb(self, path: Path, read: Read) -> Table:
        self._made += 1
        name = f"base_{self._made}"
        # the path is one that the caller named; quotes in it are doubled
        self._run(f"ATTACH '{str(path).replace(chr(39), chr(39) * 2)}' AS {name} (READ_ONLY)")
        found = self._run(
            "SELECT table_name, schema_name FROM duckdb_tables() WHERE database_name = ? "
            "UNION ALL SELECT view_name, schema_name FROM duckdb_views() "
            "WHERE database_name = ? AND NOT internal",
            [name, name],
        ).fetchall()
        table = chosen(path, read, [one[0] for one in found])
        schema = next(schema for one, schema in found if one == table)
        place = f"{name}.{identifier(schema)}.{identifier(table)}"
        described = self._run(f"DESCRIBE SELECT * FROM {place}").fetchall()
        return self._typed(path, described, place, [])

    def _typed(
        self, path: Path, described: list[tuple[Any, ...]], place: str, given: list[Any]
    ) -> Table:
        """Columns with types, as text: a binary float by its shortest decimal text."""
        names = [str(one[0]) for one in described]
        casts = []
        for number, one in enumerate(described):
            nested = re.search(r"\[|STRUCT|MAP|UNION|JSON", str(one[1]))
            text = f"to_json(c{number})" if nested else f"c{number}"
            casts.append(f"CAST({text} AS VARCHAR) AS c{number}")
        aliases = ", ".join(f"c{n}" for n in range(len(names)))
        sql = f"SELECT {', '.join(casts)}, row_number() OVER () AS rn FROM {place} AS t({aliases})"
        return Table(path, names, sql, given)

    def _copied(self, path: Path, names: list[str], rows: Iterable[Sequence[str]]) -> Table:
        copy = self._new_file()
        with copy.open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
            writer.writerow([f"c{n}" for n in range(len(names))])
            writer.writerows(rows)
        table = self._csv(copy, Read(kind="csv", delimiter=","))
        return Table(path, names, table.sql, table.given, table.rejects)

    def _new_file(self) -> Path:
        self._made += 1
        return self.folder / f"copy-{self._made}.csv"


def _connect(files: list[Path], folder: Path) -> Any:
    try:
        import duckdb
    except ImportError:
        from rulespec.base.errors import WrongCall

        raise WrongCall(
            "importing needs the package `duckdb`", "pip install 'rulespec[import]'"
        ) from None
    connection = duckdb.connect(":memory:")
    for setting in (
        "SET autoinstall_known_extensions = false",
        "SET autoload_known_extensions = false",
        "SET TimeZone = 'UTC'",
        "SET preserve_insertion_order = true",
    ):
        connection.execute(setting)
    folders = [str(folder)]
    connection.execute("SET temp_directory = ?", [str(folder / "spilled")])
    connection.execute("SET allowed_directories = ?", [folders])
    # beside a database DuckDB looks for what was not yet written into it
    paths = [f"{one}{end}" for one in files for end in ("", ".wal")]
    connection.execute("SET allowed_paths = ?", [paths])
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


def _why_rejected(kind: str) -> str:
    return {
        "MISSING COLUMNS": "it has fewer cells than there are columns",
        "TOO MANY COLUMNS": "it has more cells than there are columns",
        "INVALID ENCODING": "it is not UTF-8 text; say `read: encoding`",
        "UNQUOTED VALUE": "a quotation mark in it is not closed",
        "LINE SIZE OVER MAXIMUM": "it is too long",
    }.get(kind, f"it cannot be read ({kind.lower()})")


def codecs_name(path: Path, encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        raise FileError(
            path, f"there is no encoding `{encoding}`", "such as windows-1252"
        ) from None


@contextmanager
def _text(path: Path, encoding: str | None) -> Iterator[io.TextIOBase]:
    with io.TextIOWrapper(
        open_unpacked(path), encoding=encoding or "utf-8-sig", newline=""
    ) as file:
        yield file


def _header(plain: Path, read: Read, path: Path) -> tuple[list[str], str, int]:
    """The names of the columns, what separates them, and the lines before them."""
    raw = _first_lines(plain, read.skip + 200)
    skipped = read.skip
    while skipped < len(raw) - 1 and not raw[skipped].strip():
        skipped += 1
    try:
        first = raw[skipped].decode("utf-8-sig")
    except UnicodeError:
        help = "say `read: {encoding: windows-1252}`"
        raise FileError(path, "its line of names is not UTF-8 text", help) from None
    more = raw[skipped + 1].decode(errors="replace") if skipped + 1 < len(raw) else ""
    if not first.strip():
        raise FileError(path, "it is empty")
    delimiter = read.delimiter or max(
        _DELIMITERS,
        key=lambda mark: (min(first.count(mark), more.count(mark) or 1), first.count(mark)),
    )
    try:
        if read.quote:
            names = next(csv.reader([first], delimiter=delimiter, quotechar=read.quote))
        else:
            names = first.rstrip("\r\n").split(delimiter)
    except csv.Error as error:
        raise FileError(path, f"its line of names cannot be read: {error}") from None
    if len(names) > MOST_COLUMNS:
        raise FileError(path, f"it has {len(names):,} columns, and {MOST_COLUMNS:,} are the most")
    return [name.strip() for name in names], delimiter, skipped


def _first_lines(path: Path, number: int) -> list[bytes]:
    with open_unpacked(path) as file:
        return re.split(rb"\r\n|\n|\r", file.read(1 << 22), maxsplit=number)[:number]
