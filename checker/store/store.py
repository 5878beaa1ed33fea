"""An audit store: add a run, ask for its findings, say what became of them."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Literal, NamedTuple, get_args

from checker.log.exact_json import dumps
from checker.store.schema import APPLICATION, FACETS, INDEXES, TABLES, VERSION
from checker.store.selection import ORDERS, Order, Selection
from rulespec.base.errors import WrongCall

State = Literal["open", "confirmed", "explained", "dismissed"]
STATES: tuple[State, ...] = get_args(State)
_MAPPED = 1 << 28  # bytes of the file that are read without being copied
_AT_ONCE = 500  # findings that are written together


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
        fresh = not os.path.exists(self.path)
        if fresh and not create:
            raise StoreError(
                f"there is no audit store `{self.path}`", "`rulespec replay … --store` makes one"
            )
        if not fresh and not os.path.isfile(self.path):
            raise StoreError(f"`{self.path}` is no regular file")
        try:
            self.db = sqlite3.connect(self.path, timeout=10, isolation_level=None)
            self.db.execute(f"PRAGMA mmap_size = {_MAPPED}")
            self.db.execute(f"PRAGMA cache_size = -{_MAPPED >> 12}")
            self._prepare()
        except sqlite3.Error as error:
            raise StoreError(f"cannot use `{self.path}` as an audit store: {error}") from None

    def _prepare(self) -> None:
        mark = self.db.execute("PRAGMA application_id").fetchone()[0]
        if mark == 0 and not self.db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            self.db.execute("PRAGMA journal_mode = WAL")
            self.db.executescript(f"BEGIN; {TABLES}{INDEXES} COMMIT;")
            self.db.execute(f"PRAGMA application_id = {APPLICATION}")
            self.db.execute(f"PRAGMA user_version = {VERSION}")
            return
        version = self.db.execute("PRAGMA user_version").fetchone()[0]
        if mark != APPLICATION:
            raise StoreError(f"`{self.path}` is no audit store")
        if version != VERSION:
            raise StoreError(
                f"`{self.path}` is an audit store of version {version}, and this is {VERSION}",
                "use the rulespec that made it, or a new file",
            )

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
        """A run to be filled as its findings come. Others see it once it is finished; one that
        breaks off leaves nothing behind."""
        made = datetime.now(UTC).isoformat(timespec="seconds")
        number = self.db.execute("INSERT INTO runs (made_at) VALUES (?)", (made,)).lastrowid
        assert number is not None
        run = NewRun(self, number)
        try:
            yield run
        finally:
            if not run.finished:
                with self.together():
                    self.db.execute("DELETE FROM findings WHERE run = ?", (number,))
                    self.db.execute("DELETE FROM documents WHERE run = ?", (number,))
                    self.db.execute("DELETE FROM runs WHERE id = ?", (number,))

    def runs(self) -> list[Run]:
        """The newest first."""
        names = "id, made_at, status, rounds, findings, overpaid, underpaid, envelope"
        rows = self.db.execute(
            f"SELECT {names} FROM runs WHERE envelope IS NOT NULL ORDER BY id DESC"
        )
        found = []
        for row in rows:
            fields = dict(zip(names.split(", "), row, strict=True))
            fields["envelope"] = json.loads(fields["envelope"], parse_float=Decimal)
            found.append(Run(**fields))
        return found

    def run(self, number: int | None = None) -> Run:
        """One run by its number, or the newest."""
        for run in self.runs():
            if number in (None, run.id):
                return run
        raise StoreError(
            f"`{self.path}` has no run" + ("" if number is None else f" {number}"),
            "`rulespec trend` lists the runs",
        )

    # --- findings

    def findings(
        self, chosen: Selection, *, order: Order = "place", start: int = 0, limit: int | None = None
    ) -> list[Stored]:
        where, bound = chosen.where()
        rows = self.db.execute(
            f"SELECT n FROM {chosen.source} AS findings WHERE {where} "
            f"ORDER BY {ORDERS[order]} LIMIT ? OFFSET ?",
            (*bound, -1 if limit is None else limit, start),
        ).fetchall()
        found = (self.finding(chosen.run, n) for (n,) in rows)
        return [one for one in found if one is not None]

    def finding(self, run: int, n: int) -> Stored | None:
        found = self.db.execute(
            "SELECT n, coalesce(state, 'open'), whole FROM findings JOIN documents USING (run, n) "
            "LEFT JOIN states USING (fingerprint) WHERE run = ? AND n = ?",
            (run, n),
        ).fetchone()
        return found and Stored(found[0], found[1], json.loads(found[2], parse_float=Decimal))

    def picked(self, chosen: Selection) -> Selection:
        """The same findings, taken out once where more is asked than facets; many questions about
        one selection are then cheap. A later call takes its place."""
        if not (chosen.words or chosen.states or chosen.least is not None):
            return chosen
        where, bound = replace(chosen, values={}).where()
        columns = ", ".join(("run", "n", "at", "size", "difference", "fingerprint", *FACETS))
        self.db.execute("PRAGMA temp_store = MEMORY")
        self.db.execute("DROP TABLE IF EXISTS temp.picked")
        self.db.execute(
            f"CREATE TEMP TABLE picked AS SELECT {columns} FROM findings WHERE {where}", bound
        )
        return replace(chosen, source="picked")

    def totals(self, chosen: Selection) -> Totals:
        if not chosen.narrowed:
            run = self.run(chosen.run)
            return Totals(run.findings, run.overpaid, run.underpaid)
        return self.sums(chosen)

    def sums(self, chosen: Selection) -> Totals:
        where, bound = chosen.where()
        row = self.db.execute(
            "SELECT count(*), coalesce(sum(max(difference, 0)), 0), "
            f"coalesce(sum(max(-difference, 0)), 0) FROM {chosen.source} WHERE {where}",
            bound,
        ).fetchone()
        return Totals(*row)

    def facet(self, chosen: Selection, name: str, limit: int = 50) -> list[tuple[str, int]]:
        """The values of a facet with their counts under all other filters, the most first."""
        if name == "state":
            return self._by_state(chosen)
        if name not in FACETS:
            raise ValueError(f"there is no facet `{name}`")
        where, bound = chosen.without(name).where()
        rows = self.db.execute(
            f"SELECT {name}, count(*) FROM {chosen.source} WHERE {where} GROUP BY 1 "
            "ORDER BY 2 DESC, 1 LIMIT ?",
            (*bound, limit),
        )
        return [(str(value), count) for value, count in rows]

    def _by_state(self, chosen: Selection) -> list[tuple[str, int]]:
        counts = [
            (state, self.totals(replace(chosen, states=(state,), source="findings")).findings)
            for state in STATES
        ]
        return sorted(((s, n) for s, n in counts if n), key=lambda row: (-row[1], row[0]))

    def by(self, chosen: Selection, name: str) -> list[tuple[str, int, int]]:
        """For a chart: each value of a facet, how many findings, and the money, either way."""
        if name not in FACETS:
            raise ValueError(f"there is no facet `{name}`")
        where, bound = chosen.where()
        rows = self.db.execute(
            f"SELECT {name}, count(*), coalesce(sum(abs(difference)), 0) FROM {chosen.source} "
            f"WHERE {where} GROUP BY 1 ORDER BY 1",
            bound,
        )
        return [(str(value), count, money) for value, count, money in rows]

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
        at = datetime.now(UTC).isoformat(timespec="seconds")
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
        return made

    def _known(self, fingerprint: str) -> bool:
        runs = self.db.execute("SELECT id FROM runs").fetchall()
        return any(
            self.db.execute(
                "SELECT 1 FROM findings WHERE run = ? AND fingerprint = ? LIMIT 1",
                (run, fingerprint),
            ).fetchone()
            for (run,) in runs
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

    def __init__(self, store: Store, number: int) -> None:
        self.store, self.number = store, number
        self.finished = False
        self._count = 0
        self._rows: list[tuple[Any, ...]] = []

    def add(self, finding: Mapping[str, Any]) -> None:
        """A finding as JSON has it."""
        self._rows.append((self.number, self._count, *_row(finding)))
        self._count += 1
        if len(self._rows) == _AT_ONCE:
            self._write()

    def finish(self, envelope: Mapping[str, Any], status: int) -> None:
        """The rest of the result document: what was asked for, by which texts, the summary."""
        self._write()
        kept = dumps({k: v for k, v in envelope.items() if k != "findings"})
        with self.store.together() as db:
            db.execute(
                "UPDATE runs SET status = ?, rounds = ?, findings = ?, overpaid = ?, "
                "underpaid = ?, envelope = ? WHERE id = ?",
                (
                    status,
                    envelope["summary"].get("rounds", 0),
                    *self.store.sums(Selection(self.number)),
                    kept,
                    self.number,
                ),
            )
        self.finished = True

    def _write(self) -> None:
        if self._rows:
            marks = ", ".join("?" * (len(self._rows[0]) - 1))
            with self.store.together() as db:
                db.executemany(
                    f"INSERT INTO findings VALUES ({marks})", [row[:-1] for row in self._rows]
                )
                db.executemany(
                    "INSERT INTO documents VALUES (?, ?, ?)",
                    [(row[0], row[1], row[-1]) for row in self._rows],
                )
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
