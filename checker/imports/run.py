"""A whole import: files to rounds in the order of time, and what could not be imported."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from checker.imports.documents import BadDocument, documents
from checker.imports.fields import Get, inside, raw, read
from checker.imports.files import NOT_READ, FileError, kind_of
from checker.imports.opening import Openings
from checker.imports.profile import Profile, ProfileError, Read, Source
from checker.imports.rounds import Failed, Made, Rounds
from checker.imports.row import Row
from checker.imports.tables import Rejected, Table, Tables
from checker.imports.values import BadValue
from rulespec.resolve.rulebook import Rulebook
from rulespec.resolve.typecheck import did_you_mean

BETWEEN = "\x1f"  # cells of a row, packed
_CELLS = 60  # characters of a cell that a quarantined row is told with, at most
MOST_TOLD = 10_000


@dataclass(frozen=True, slots=True)
class Quarantined:
    file: str
    row: int
    reason: str
    round: str | None
    cells: dict[str, str]
    table: str | None = None  # of a database, or the sheet

    @property
    def place(self) -> str:
        inside = "" if self.table is None else f" ({self.table})"
        return f"{self.file}{inside} row {self.row}"

    def as_json(self) -> dict[str, Any]:
        return {
            "file": self.file,
            **({} if self.table is None else {"table": self.table}),
            "row": self.row,
            "reason": self.reason,
            "round": self.round,
            "cells": self.cells,
        }


@dataclass(slots=True)
class Imported:
    """What an import came to."""

    rows: int = 0
    imported: int = 0  # rows
    rounds: int = 0
    events: int = 0
    failed_rounds: int = 0
    quarantined: int = 0  # rows
    not_recorded: list[str] = field(default_factory=list)
    reasons: dict[str, int] = field(default_factory=dict)
    moved: bool = False  # rounds were put into the order of time

    def as_json(self) -> dict[str, Any]:
        listed = sorted(self.reasons.items(), key=lambda one: (-one[1], one[0]))
        return {
            "rows": self.rows,
            "imported": self.imported,
            "rounds": self.rounds,
            "events": self.events,
            "quarantined": self.quarantined,
            "rounds_not_imported": self.failed_rounds,
            "not_recorded": self.not_recorded,
            "sorted": self.moved,
            "reasons": [{"reason": reason, "rows": rows} for reason, rows in listed[:100]],
        }


class Import:
    """The files of an export, ready to be read by a profile."""

    def __init__(
        self, profile: Profile, paths: Sequence[Path], rulebook: Rulebook | None = None
    ) -> None:
        """`rulebook`: for its game; without one, the usual game."""
        self.profile = profile
        self.paths = list(paths)
        self.rounds = Rounds(profile, Openings(rulebook))
        self.result = Imported(not_recorded=self.rounds.not_recorded)
        self._folder = TemporaryDirectory(prefix="rulespec-import-")
        self.tables: Tables | None = None
        self._opened: list[Table] = []

    def __enter__(self) -> Import:
        return self

    def __exit__(self, *_: object) -> None:
        if self.tables is not None:
            self.tables.close()
        self._folder.cleanup()

    def files_of(self, source: Source) -> list[int]:
        return [
            number
            for number, path in enumerate(self.paths)
            if source.file is None or fnmatch(path.name, source.file)
        ]

    def unused(self) -> dict[str, list[str]]:
        """By file, the columns that the profile does not name."""
        fields = (*self.profile.head.values(),)
        named = {name for one in fields for name in one.asked}
        for source in self.profile.sources:
            named.update((*source.key, *source.parts.columns))
        return {
            str(table.file): left
            for table in self._opened
            if (left := [name for name in table.columns if name not in named])
        }

    # --- rounds

    def made(
        self, quarantine: Callable[[Quarantined], None], limit: int | None = None
    ) -> Iterator[Made]:
        """Each round that could be made; the rows of the others go to `quarantine`."""
        groups = self._nested(limit) if self._is_nested() else self._flat(quarantine, limit)
        for heads, times, rows in groups:
            found = self.rounds.make(heads, times, rows)
            self.result.rows += len(rows)
            if isinstance(found, Made):
                found.last = max(row.number for row in rows)
                self.result.imported += len(rows)
                self.result.rounds += 1
                self.result.events += found.events
                yield found
            else:
                self._fail(found, heads, rows, quarantine)

    def _fail(
        self,
        found: Failed,
        heads: Sequence[Get],
        rows: Sequence[Row],
        quarantine: Callable[[Quarantined], None],
    ) -> None:
        self.result.failed_rounds += 1
        name: str | None = None
        if heads:
            try:
                name = read(self.profile.head["id"], heads[0]) or None
            except BadValue:
                name = None
            name = None if name is not None and NOT_READ in name else name
        for place, row in enumerate(rows):
            reason = found.rows.get(place, found.reason)
            cells = {
                column: str(value)[:_CELLS]
                for column, value in row.cells.items()
                if isinstance(value, str) and value
            }
            file = str(self.paths[row.file])
            read_ = self.profile.sources[row.source].read
            where = read_.table or read_.sheet
            one = Quarantined(file, row.number, reason, name, cells, where)
            self._put_aside(one, quarantine)

    def _put_aside(self, one: Quarantined, quarantine: Callable[[Quarantined], None]) -> None:
        self.result.quarantined += 1
        known = self.result.reasons
        if one.reason in known or len(known) < MOST_TOLD:
            known[one.reason] = known.get(one.reason, 0) + 1
        quarantine(one)

    # --- nested documents: each is a round

    def _is_nested(self) -> bool:
        kinds = {
            kind_of(self.paths[file], source.read) in ("json", "jsonl")
            for source in self.profile.sources
            if source.each == "round"
            for file in self.files_of(source)
        }
        if kinds == {True} and len(self.profile.sources) > 1:
            raise self.profile.wrong(("sources",), "nested documents are one source by themselves")
        return kinds == {True}

    def _nested(self, limit: int | None) -> Iterator[tuple[list[Get], list[str], list[Row]]]:
        (source,) = self.profile.sources
        at = self.profile.head["at"]
        for file in self.files_of(source):
            for number, one in enumerate(documents(self.paths[file], source.read), 1):
                if limit is not None and number > limit:
                    break
                if isinstance(one, BadDocument):
                    cells = {"document": one.text[:_CELLS]}
                    row = Row(0, file, number, (), (), problem=one.reason, cells=cells)
                    yield [_nothing], ["1970-01-01T00:00:00Z"], [row]
                else:
                    get = inside(one)
                    yield [get], [raw(at, get)], [Row(0, file, number, (), (), cells=one)]

    # --- flat rows, grouped by DuckDB

    def _flat(
        self, quarantine: Callable[[Quarantined], None], limit: int | None
    ) -> Iterator[tuple[list[Get], list[str], list[Row]]]:
        self.tables = Tables([path.resolve() for path in self.paths], Path(self._folder.name))
        try:
            opened = self._keep(self.tables, limit)
        except FileError:
            if not any(kind_of(path, Read()) == "csv" for path in self.paths):
                raise
            opened = self._keep(self.tables, limit, by_python=True)
        at = self.profile.head["at"]
        head_names = _head_columns(self.profile)
        tables = {(source, file): table for source, file, table, _ in opened}
        reader = _Reader(self.profile, head_names, at.asked)
        self._reject(tables, quarantine)
        for _, rows in groupby(self.tables.kept(), key=itemgetter(0)):
            yield reader.group(rows, tables)

    def _keep(
        self, tables: Tables, limit: int | None, by_python: bool = False
    ) -> list[tuple[int, int, Table, bool]]:
        """All rows into DuckDB, round by round."""
        opened = self._open_tables(tables, by_python)
        at = self.profile.head["at"]
        head_names = _head_columns(self.profile)
        # the tables that tell what a round is known by, and the others
        selects: dict[bool, list[str]] = {True: [], False: []}
        given: dict[bool, list[Any]] = {True: [], False: []}
        for source, file, table, with_head in opened:
            one = self.profile.sources[source]
            key = _packed(table, one.key)
            head = _packed(table, head_names) if with_head else "NULL"
            time = _packed(table, at.asked) if with_head else "NULL"
            body = _packed(table, one.parts.columns)
            selects[with_head].append(
                f"SELECT {key} AS k, {source} AS s, {file} AS f, rn, {head} AS h, {time} AS w, "
                f"{body} AS b FROM ({table.sql})"
            )
            given[with_head] += table.given
        tables.keep(_query(selects, limit), [*given[True], *given[False]])
        return opened

    def _reject(
        self,
        tables: dict[tuple[int, int], Table],
        quarantine: Callable[[Quarantined], None],
    ) -> None:
        assert self.tables is not None
        for table in tables.values():
            for one in self.tables.rejected(table):
                self.result.rows += 1
                self._put_aside(_rejected(one), quarantine)

    def _open_tables(self, tables: Tables, by_python: bool) -> list[tuple[int, int, Table, bool]]:
        """Source, file, table, and whether the table tells what a round is known by."""
        opened: list[tuple[int, int, Table]] = []
        head = [*_head_columns(self.profile), *self.profile.head["at"].asked]
        for number, source in enumerate(self.profile.sources):
            chosen = self.files_of(source)
            if not chosen:
                raise self.profile.wrong(
                    ("sources", number, "file"), f"no file is called `{source.file}`"
                )
            wanted = list(dict.fromkeys((*source.key, *source.parts.columns, *head)))
            for file in chosen:
                table = tables.open(self.paths[file], source.read, wanted, by_python)
                self._check_columns(table, (*source.key, *source.parts.columns))
                opened.append((number, file, table))
        self._opened = [table for _, _, table in opened]
        telling = {s for s, _, table in opened if all(name in table.columns for name in head)}
        if not telling:
            missing = [n for n in head if all(n not in t.columns for _, _, t in opened)]
            for name in missing or head:
                self._check_columns(opened[0][2], (name,))
        first = min(telling, default=0)
        return [(source, file, table, source == first) for source, file, table in opened]

    def _check_columns(self, table: Table, names: Sequence[str]) -> None:
        for name in names:
            if name not in table.columns:
                listed = ", ".join(table.columns[:30])
                help = did_you_mean(name, table.columns, f"there are: {listed}")
                line, column = self.profile.column_place(name)
                message = f"`{table.file.name}` has no column `{name}`"
                raise ProfileError(self.profile.path, line, column, message, help)
            if table.columns.count(name) > 1:
                raise FileError(table.file, f"it has the column `{name}` twice")


class _Reader:
    """Packed rows of the query to rows of a round."""

    def __init__(self, profile: Profile, head: Sequence[str], at: Sequence[str]) -> None:
        self.profile = profile
        self.head = list(head)
        self.at = list(at)
        self.columns = [list(source.parts.columns) for source in profile.sources]
        self.orders = [
            [columns.index(name) for name in source.parts.order]
            for source, columns in zip(profile.sources, self.columns, strict=True)
        ]

    def group(
        self, rows: Iterator[tuple[Any, ...]], tables: dict[tuple[int, int], Table]
    ) -> tuple[list[Get], list[str], list[Row]]:
        found: list[Row] = []
        heads: dict[str, None] = {}
        times: dict[str, None] = {}
        for _, source, file, number, head, time, body in rows:
            if head is not None:
                heads[head] = None
                times[time] = None
            found.append(self._row(source, file, number, body, tables))
        gets: list[Get] = [_cells(self.head, head).get for head in heads]
        at = self.profile.head["at"]
        return gets, [raw(at, _cells(self.at, time).get) for time in times], found

    def _row(
        self, source: int, file: int, number: int, body: str, tables: dict[tuple[int, int], Table]
    ) -> Row:
        table = tables[source, file]
        if table.rejected:
            number = table.row(number)
        columns = self.columns[source]
        values = body.split(BETWEEN) if columns else []
        if len(values) != len(columns):
            why = "a cell holds a control character"
            return Row(source, file, number, ["row"], [body.replace(BETWEEN, " ")], problem=why)
        problem = None
        if NOT_READ in body:
            problem = body.partition(NOT_READ)[2].partition(BETWEEN)[0]
        order = self.orders[source]
        return Row(
            source, file, number, columns, values, tuple([values[n] for n in order]), problem
        )


def _nothing(name: str) -> None:
    return None


def _cells(names: list[str], packed: str) -> dict[str, str]:
    return dict(zip(names, packed.split(BETWEEN), strict=False))


def _head_columns(profile: Profile) -> list[str]:
    fields = (one for name, one in profile.head.items() if name != "at")
    return list(dict.fromkeys(column for one in fields for column in one.asked))


def _query(selects: dict[bool, list[str]], limit: int | None) -> str:
    """All rows, round by round; with a limit the first ones, and what belongs to their rounds."""
    order = "ORDER BY k, s, f, rn"
    if limit is None:
        return f"{' UNION ALL '.join([*selects[True], *selects[False]])} {order}"
    first = f"SELECT * FROM ({' UNION ALL '.join(selects[True])}) LIMIT {int(limit)}"
    rest = [f"SELECT * FROM ({one}) WHERE k IN (SELECT k FROM first)" for one in selects[False]]
    every = " UNION ALL ".join(["SELECT * FROM first", *rest])
    return f"WITH first AS MATERIALIZED ({first}) {every} {order}"


def _packed(table: Table, names: Sequence[str]) -> str:
    """Cells of a row in one text; the columns by number."""
    cells = [f"coalesce(c{table.place(name)}, '')" for name in names]
    return f"concat_ws(chr(31), {', '.join(cells)})" if cells else "''"


def _rejected(one: Rejected) -> Quarantined:
    return Quarantined(str(one.file), one.row, one.reason, None, {"row": one.text[:_CELLS]})
