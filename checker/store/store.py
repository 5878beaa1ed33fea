"""An audit store: add a run, ask for its findings, say what became of them."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Literal, NamedTuple, get_args

from checker.log.exact_json import dumps
from checker.store.columns import Columns
from checker.store.pending import Pending
from checker.store.schema import APPLICATION, VERSION, Part, expected, made_of, statements
from checker.store.selection import Order, Selection
from rulespec.base.errors import WrongCall

State = Literal["open", "confirmed", "explained", "dismissed"]
STATES: tuple[State, ...] = get_args(State)
_MAPPED = 1 << 28  # bytes of the file that are read without being copied
_PATIENCE = 120  # seconds that a run waits for another one to be written


class StoreError(WrongCall):
    """The file cannot be used as an audit store."""


@dataclass(frozen=True, slots=True)
class Run:
    id: int
    made_at: str
    status: int | None
    rounds: int
    findings: int
    overpaid: int
    underpaid: int
    envelope: dict[str, Any]

    @property
    def logs(self) -> list[str]:
        return [one["path"] for one in self.envelope.get("inputs", ()) if one["kind"] == "log"]


class Stored(NamedTuple):
    """A finding of a run, with its place in it and the state that a review gave it."""

    n: int
    state: str
    finding: dict[str, Any]


class Totals(NamedTuple):
    findings: int
    overpaid: int
    underpaid: int


@dataclass(frozen=True, slots=True)
class Review:
    fingerprint: str
    state: str
    reason: str
    person: str
    at: str


class Store:
    """One file. Not to be shared between threads: open it once in each."""

    def __init__(self, path: str | os.PathLike[str], *, create: bool = False) -> None:
        self.path = os.fspath(path)
        self._by_column: dict[int, Columns] = {}
        fresh = not os.path.exists(self.path)
        if fresh and not create:
            raise StoreError(
                f"there is no audit store `{self.path}`", "`rulespec replay … --store` makes one"
            )
        if not fresh and not os.path.isfile(self.path):
            raise StoreError(f"`{self.path}` is no regular file")
        try:
            self.db = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)
            self.db.execute("PRAGMA trusted_schema = OFF")
            self.db.execute(f"PRAGMA mmap_size = {_MAPPED}")
            self.db.execute(f"PRAGMA cache_size = -{_MAPPED >> 12}")
            self._prepare()
        except sqlite3.Error as error:
            raise StoreError(f"cannot use `{self.path}` as an audit store: {error}") from None

    def _prepare(self) -> None:
        if not self._marks()[0] and not self._made_of():
            self._make()
        mark, version = self._marks()
        if mark != APPLICATION:
            raise StoreError(f"`{self.path}` is no audit store")
        if version != VERSION:
            raise StoreError(
                f"`{self.path}` is an audit store of version {version}, and this is {VERSION}",
                "use the rulespec that made it, or a new file",
            )
        if differs := self._made_of() ^ expected():
            names = ", ".join(sorted({f"{kind} `{name}`" for kind, name, _, _ in differs})[:5])
            raise StoreError(
                f"`{self.path}` says that it is an audit store, and is not made like one: {names}",
                "nothing was read from it or written to it; use a store that rulespec made",
            )

    def _make(self) -> None:
        """Another process may do the same at this moment: the first one makes it."""
        self.db.execute("PRAGMA journal_mode = WAL")
        with self.together():
            if not self._made_of():
                for statement in statements():
                    self.db.execute(statement)
                self.db.execute(f"PRAGMA application_id = {APPLICATION}")
                self.db.execute(f"PRAGMA user_version = {VERSION}")

    def _marks(self) -> tuple[int, int]:
        names = ("application_id", "user_version")
        mark, version = (self.db.execute(f"PRAGMA {name}").fetchone()[0] for name in names)
        return mark, version

    def _made_of(self) -> frozenset[Part]:
        return made_of(self.db)

    def close(self) -> None:
        self.db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def together(self) -> Iterator[sqlite3.Connection]:
        """All or nothing."""
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield self.db
        except BaseException:
            self.db.execute("ROLLBACK")
            raise
        self.db.execute("COMMIT")

    # --- runs

    @contextmanager
    def new_run(self) -> Iterator[NewRun]:
        """A run to be filled as its findings come. It stands in the store once it is finished, all
        of it at once; one that breaks off leaves nothing behind."""
        run = NewRun(self)
        try:
            yield run
        finally:
            run.close()

    def runs(self) -> list[Run]:
        """The newest first."""
        return self._runs("1")

    def _runs(self, where: str, *bound: int, limit: int = -1) -> list[Run]:
        names = "id, made_at, status, rounds, findings, overpaid, underpaid, envelope"
        rows = self.db.execute(
            f"SELECT {names} FROM runs WHERE {where} ORDER BY id DESC LIMIT ?", (*bound, limit)
        )
        found = []
        for row in rows:
            fields = dict(zip(names.split(", "), row, strict=True))
            fields["envelope"] = json.loads(fields["envelope"], parse_float=Decimal)
            found.append(Run(**fields))
        return found

    def run(self, number: int | None = None) -> Run:
        """One run by its number, or the newest."""
        for run in self._runs("1", limit=1) if number is None else self._runs("id = ?", number):
            return run
        raise StoreError(
            f"`{self.path}` has no run" + ("" if number is None else f" {number}"),
            "`rulespec trend` lists the runs",
        )

    # --- findings

    def findings(
        self, chosen: Selection, *, order: Order = "place", start: int = 0, limit: int | None = None
    ) -> list[Stored]:
        rows = self._columns(chosen.run).ordered(chosen, order)
        end = None if limit is None else start + limit
        found = (self.finding(chosen.run, n) for n in rows[start:end])
        return [one for one in found if one is not None]

    def finding(self, run: int, n: int) -> Stored | None:
        found = self.db.execute(
            "SELECT n, coalesce(state, 'open'), whole FROM findings JOIN documents USING (run, n) "
            "LEFT JOIN states USING (fingerprint) WHERE run = ? AND n = ?",
            (run, n),
        ).fetchone()
        return found and Stored(found[0], found[1], json.loads(found[2], parse_float=Decimal))

    def totals(self, chosen: Selection) -> Totals:
        columns = self._columns(chosen.run)
        rows, amounts = columns.rows(chosen), columns.amounts
        if len(rows) == columns.count:
            run = self.run(chosen.run)
            return Totals(run.findings, run.overpaid, run.underpaid)
        money = [amounts[n] for n in rows]
        over = sum(amount for amount in money if amount > 0)
        return Totals(len(rows), over, over - sum(money))

    def facet(self, chosen: Selection, name: str, limit: int = 50) -> list[tuple[str, int]]:
        """The values of a facet with their counts under all other filters, the most first."""
        counts = self._columns(chosen.run).counts(chosen.without(name), name)
        return sorted(counts, key=lambda row: (-row[1], row[0]))[:limit]

    def by(self, chosen: Selection, name: str) -> list[tuple[str, int]]:
        """For a chart: each value of a facet, and how many findings."""
        return self._columns(chosen.run).counts(chosen, name)

    def _columns(self, run: int) -> Columns:
        """A run is never changed; what was said of it may be, so no state outlives a review."""
        if run not in self._by_column:
            self._by_column[run] = Columns(self.db, run, self.run(run).findings)
        return self._by_column[run]

    # --- reviews

    def states(self) -> dict[str, str]:
        """What was said last of each finding that was ever reviewed, by fingerprint."""
        return dict(self.db.execute("SELECT fingerprint, state FROM states"))

    def set_state(
        self, fingerprints: Iterable[str], state: str, reason: str, person: str
    ) -> list[Review]:
        if state not in STATES:
            raise WrongCall(f"there is no state `{state}`", "one of " + ", ".join(STATES))
        if not person.strip():
            raise WrongCall("a review names the person who made it")
        if state != "open" and not reason.strip():
            raise WrongCall("a review gives a reason")
        at = _now()
        made = [
            Review(one, state, reason.strip(), person.strip(), at)
            for one in dict.fromkeys(fingerprints)
        ]
        with self.together():
            for one in made:
                if not self._known(one.fingerprint):
                    raise WrongCall(
                        f"no finding of this store has the fingerprint `{one.fingerprint}`"
                    )
            self.db.executemany(
                "INSERT INTO reviews (fingerprint, state, reason, person, at) "
                "VALUES (?, ?, ?, ?, ?)",
                [(one.fingerprint, one.state, one.reason, one.person, one.at) for one in made],
            )
        self._by_column.clear()
        return made

    def _known(self, fingerprint: str) -> bool:
        return (
            self.db.execute(
                "SELECT 1 FROM findings WHERE fingerprint = ? LIMIT 1", (fingerprint,)
            ).fetchone()
            is not None
        )

    def history(self, fingerprint: str | None = None, limit: int = 200) -> list[Review]:
        """All that was said, the newest first: of one finding, or of all."""
        chosen, bound = (
            ("", []) if fingerprint is None else ("WHERE fingerprint = ?", [fingerprint])
        )
        rows = self.db.execute(
            f"SELECT fingerprint, state, reason, person, at FROM reviews {chosen} "
            "ORDER BY id DESC LIMIT ?",
            (*bound, limit),
        )
        return [Review(*row) for row in rows]


class NewRun:
    """A run in the making."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pending = Pending()
        self.add = self._pending.add
        self.close = self._pending.close
        self.number: int | None = None  # once it stands in the store

    def finish(self, envelope: Mapping[str, Any], status: int) -> None:
        """The rest of the result document: what was asked for, by which texts, the summary."""
        kept = dumps({k: v for k, v in envelope.items() if k != "findings"})
        with self._store.together() as db:
            number = db.execute(
                "INSERT INTO runs (made_at, status, rounds, envelope) VALUES (?, ?, ?, ?)",
                (_now(), status, envelope["summary"].get("rounds", 0), kept),
            ).lastrowid
            assert number is not None
            self._pending.write_to(db, number)
            db.execute(
                "UPDATE runs SET findings = ?, overpaid = ?, underpaid = ? WHERE id = ?",
                (*self._pending.totals(), number),
            )
        self.number = number


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
