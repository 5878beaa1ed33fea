"""The findings of a run that has not come to its end: beside the store, in a file that nobody else
sees and that goes with its process, however that ends."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from checker.log.exact_json import dumps
from checker.store.columns import TEXTS, amounts_as_column, texts_as_column, words_as_column

_AT_ONCE = 500  # findings that are written together
_NAMES = (  # of a row of `findings` without run and number, and the whole as JSON
    *("fingerprint", "code", "kind", "rulebook", "clause", "casino_table", "player", "day", "at"),
    *("round", "log", "line", "bet", "message", "difference", "size", "whole"),
)
_CELLS = len(_NAMES)


class Pending:
    def __init__(self) -> None:
        self._rows: list[tuple[Any, ...]] = []
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.execute("PRAGMA journal_mode = OFF")
        names = ", ".join(f"c{number}" for number in range(_CELLS))
        self._db.execute(f"CREATE TABLE rows ({names})")

    def add(self, finding: Mapping[str, Any]) -> None:
        """A finding as JSON has it."""
        self._rows.append(_row(finding))
        if len(self._rows) == _AT_ONCE:
            self._write()

    def write_to(self, db: sqlite3.Connection, run: int) -> None:
        """All of them, in order, as findings of a run."""
        self._write()
        marks = ", ".join("?" * (_CELLS + 1))
        db.executemany(
            f"INSERT INTO findings VALUES ({marks})",
            ((run, n, *row[:-1]) for n, row in enumerate(self._all())),
        )
        db.executemany(
            "INSERT INTO documents VALUES (?, ?, ?)",
            ((run, n, row[-1]) for n, row in enumerate(self._all())),
        )
        db.executemany(
            "INSERT INTO columns VALUES (?, ?, ?, ?)",
            ((run, name, *column) for name, column in self._columns()),
        )

    def totals(self) -> tuple[int, int, int]:
        """How many there are, and the money over- and underpaid in minor units."""
        found: tuple[int, int, int] = self._db.execute(
            "SELECT count(*), coalesce(sum(max(d, 0)), 0), coalesce(sum(max(-d, 0)), 0) "
            f"FROM (SELECT c{_NAMES.index('difference')} AS d FROM rows)"
        ).fetchone()
        return found

    def close(self) -> None:
        self._db.close()

    def _all(self) -> Iterator[tuple[Any, ...]]:
        return iter(self._db.execute("SELECT * FROM rows ORDER BY rowid"))

    def _columns(self) -> Iterator[tuple[str, tuple[str, bytes]]]:
        for name in TEXTS:
            yield name, texts_as_column([text for (text,) in self._of(name)])
        yield "difference", amounts_as_column(amount for (amount,) in self._of("difference"))
        yield "words", words_as_column(self._of("message", "round", "player"))

    def _of(self, *names: str) -> Iterator[tuple[Any, ...]]:
        columns = ", ".join(f"c{_NAMES.index(name)}" for name in names)
        return iter(self._db.execute(f"SELECT {columns} FROM rows ORDER BY rowid"))

    def _write(self) -> None:
        if self._rows:
            marks = ", ".join("?" * _CELLS)
            self._db.execute("BEGIN")
            self._db.executemany(f"INSERT INTO rows VALUES ({marks})", self._rows)
            self._db.execute("COMMIT")
            self._rows = []


def _row(finding: Mapping[str, Any]) -> tuple[Any, ...]:
    difference = _cents(finding.get("difference"))
    return (
        finding["fingerprint"],
        finding["code"],
        finding["kind"],
        finding["rulebook"] or "",
        finding["clause"] or "",
        finding["table"] or "",
        finding.get("player") or "",
        (finding.get("at") or "")[:10],
        finding.get("at") or "",
        finding["round"] or "",
        finding.get("log") or "",
        finding["line"] or 0,
        finding.get("bet") or "",
        finding["message"],
        difference,
        abs(difference or 0),
        dumps(finding),
    )


def _cents(amount: int | Decimal | None) -> int | None:
    return None if amount is None else int(Decimal(amount).scaleb(2))
