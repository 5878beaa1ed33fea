"""A whole log under two texts: counted as it is read, so that memory stays flat."""

from __future__ import annotations

import hashlib
import os
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import islice
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from typing import Any, TypeAlias

from checker.diff.classes import ChangeClass
from checker.diff.diff import Difference
from checker.evaluate.engine import Engine
from checker.impact.data import Cause, Example, RoundImpact
from checker.impact.round import impact_of
from checker.judge.findings import ReplayFinding, units
from checker.log.model import Round
from checker.log.read import Quarantined, read_log
from checker.log.repeated_rounds import Copied, Place, SeenRounds
from checker.replay.order import Misplaced, TimeOrder, in_time_order
from checker.replay.replay import clash
from checker.replay.summary import PLACES_TOLD
from checker.replay.workers import end_with_parent
from checker.report import CLEAN, FINDINGS, UNDECIDED, UNUSABLE
from checker.table.shoes import ShoeTracker, ShoeView
from rulespec.resolve.question import asks_about_bet

# what is not settled, or told beside
Left: TypeAlias = Quarantined | Copied | Misplaced | ReplayFinding
EXAMPLES = 3  # of each cause
CHUNK = 64


@dataclass(slots=True)
class Sum:
    """Wagers that settle differently, and the money each way in cents."""

    wagers: int = 0
    players_gain: int = 0
    house_gains: int = 0

    def add(self, difference: int) -> None:
        self.wagers += 1
        self.players_gain += max(difference, 0)
        self.house_gains += max(-difference, 0)

    def as_json(self) -> dict[str, Any]:
        return {
            "wagers": self.wagers,
            "players_gain": units(self.players_gain),
            "house_gains": units(self.house_gains),
        }


@dataclass(slots=True)
class Totals:
    """What the change of text comes to over a log."""

    rounds: int = 0
    wagers: int = 0
    rounds_different: int = 0
    old_returned: int = 0
    new_returned: int = 0
    different: Sum = field(default_factory=Sum)
    by_cause: dict[Cause, Sum] = field(default_factory=dict)
    by_table: dict[str, Sum] = field(default_factory=dict)
    examples: dict[Cause, list[Example]] = field(default_factory=dict)
    forbidden: Counter[tuple[bool, str, str]] = field(default_factory=Counter)
    forbidden_rounds: int = 0
    not_settled: int = 0
    undecided: Counter[tuple[str, str]] = field(default_factory=Counter)
    dealer_differs: int = 0
    occurred: set[int] = field(default_factory=set)  # classes of the diff, by their number
    rulebooks: Counter[str] = field(default_factory=Counter)
    quarantined: int = 0
    copies: int = 0  # rounds that stood in the logs before, and are settled once
    clashes: int = 0  # rounds that stood there before with other content; both are settled
    clashing: list[ReplayFinding] = field(default_factory=list)  # the first of them
    misplaced: int = 0  # rounds that are earlier than the one before them at their table
    out_of_order: list[dict[str, Any]] = field(default_factory=list)  # the first of them
    cut_off: bool = False
    bad_lines: list[Quarantined] = field(default_factory=list)
    _players: set[bytes] = field(default_factory=set)  # short hashes: names may be many and long

    @property
    def players_different(self) -> int:
        return len(self._players)

    @property
    def status(self) -> int:
        if not self.rounds:
            return UNUSABLE
        if self.different.wagers or self.clashes:
            return FINDINGS
        left = self.undecided or self.not_settled or self.quarantined or self.forbidden
        left = left or self.misplaced
        return UNDECIDED if left else CLEAN

    def add(self, found: RoundImpact) -> None:
        self.rounds += 1
        self.wagers += found.wagers
        self.old_returned += found.old_returned
        self.new_returned += found.new_returned
        self.rulebooks[found.rulebook or "none"] += 1
        self.rounds_different += bool(found.changes)
        self.not_settled += found.not_settled
        self.forbidden_rounds += bool(found.forbidden)
        self.dealer_differs += found.dealer_differs
        self.occurred |= found.occurred
        for play in found.forbidden:
            self.forbidden[play.by_new, play.action, play.clause] += 1
        for reason in found.undecided:
            self.undecided[reason] += 1
        for change in found.changes:
            self._players.add(hashlib.blake2b(change.player.encode(), digest_size=8).digest())
            self.different.add(change.difference)
            self.by_cause.setdefault(change.cause, Sum()).add(change.difference)
            self.by_table.setdefault(found.table, Sum()).add(change.difference)
            kept = self.examples.setdefault(change.cause, [])
            if change.example is not None and len(kept) < EXAMPLES:
                kept.append(change.example)

    def tell(self, beside: Left, logs: Sequence[str]) -> None:
        """What is not a round that was settled."""
        match beside:
            case Quarantined():
                self._leave_out(beside)
            case Copied():
                self.copies += 1
            case Misplaced():
                self.misplaced += 1
                if len(self.out_of_order) < PLACES_TOLD:
                    self.out_of_order.append(beside.as_json(logs))
            case _:
                self.clashes += 1
                if len(self.clashing) < PLACES_TOLD:
                    self.clashing.append(beside)

    def _leave_out(self, line: Quarantined) -> None:
        self.quarantined += 1
        self.cut_off |= line.cut_off
        if len(self.bad_lines) < 20:
            self.bad_lines.append(line)

    @property
    def causes(self) -> list[tuple[Cause, Sum]]:
        """The greatest money first."""
        return sorted(
            self.by_cause.items(), key=lambda x: (-x[1].players_gain - x[1].house_gains, x[0])
        )

    def as_json(self) -> dict[str, Any]:
        gain, loss = self.different.players_gain, self.different.house_gains
        return {
            "rounds": self.rounds,
            "wagers": self.wagers,
            "rounds_different": self.rounds_different,
            "wagers_different": self.different.wagers,
            "players_different": self.players_different,
            "players_gain": units(gain),
            "house_gains": units(loss),
            "net_to_players": units(gain - loss),
            "returned_by_old": units(self.old_returned),
            "returned_by_new": units(self.new_returned),
            "by_clause": [
                {
                    "bet": c.bet,
                    "was": c.was,
                    "becomes": c.becomes,
                    "old_clauses": list(c.old_clauses),
                    "new_clauses": list(c.new_clauses),
                    **s.as_json(),
                    "examples": [_example(e) for e in self.examples.get(c, ())],
                }
                for c, s in self.causes
            ],
            "by_table": {t: s.as_json() for t, s in sorted(self.by_table.items())},
            "forbidden_plays": [
                {"by": "new" if new else "old", "do": do, "clause": clause, "plays": n}
                for (new, do, clause), n in sorted(self.forbidden.items(), reverse=True)
            ],
            "forbidden_rounds": self.forbidden_rounds,
            "wagers_not_settled": self.not_settled,
            "dealer_differs_rounds": self.dealer_differs,
            "undecided": sum(self.undecided.values()),
            "undecided_reasons": [
                {"under": which, "reason": why, "wagers": n}
                for (which, why), n in sorted(self.undecided.items())
            ],
            "rulebooks": dict(sorted(self.rulebooks.items())),
            "quarantined": self.quarantined,
            "quarantined_lines": [{"line": b.line, "reason": b.reason} for b in self.bad_lines],
            "cut_off": self.cut_off,
            "copies": self.copies,
            "clashes": self.clashes,
            "misplaced": self.misplaced,
            "out_of_order": self.out_of_order,
        }


def _example(one: Example) -> dict[str, Any]:
    return {
        "round": one.round,
        "table": one.table,
        "line": one.line,
        "player": one.player,
        "box": one.box,
        "hand": one.hand,
        "cards": one.cards,
        "dealer": one.dealer,
        "stake": units(one.stake),
        "old": units(one.old),
        "new": units(one.new),
    }


Task = tuple[Round, ShoeView]


@dataclass(frozen=True, slots=True)
class NeverSeen:
    """Classes of the diff that the log does not show, of how many there are."""

    classes: tuple[ChangeClass, ...]
    known: int
    decided: bool = True  # the diff has all there are


@dataclass(frozen=True, slots=True)
class Texts:
    """The two texts, made ready, and their diff where it is asked for."""

    old: Engine
    new: Engine
    diff: Difference | None = None

    def never_seen(self, totals: Totals) -> NeverSeen | None:
        """The classes of the diff on settlements into which no wager fell; ordinary play first.
        One and the same change in other circumstances is no other class here."""
        if self.diff is None or not totals.rounds:
            return None
        known: dict[object, list[int]] = {}
        for n, one in enumerate(self.diff.classes):
            if asks_about_bet(one.question, "result"):
                pair = (one.question, one.was.outcome, one.becomes.outcome)
                known.setdefault(pair, []).append(n)
        left = [
            min((self.diff.classes[n] for n in alike), key=lambda one: len(one.flags))
            for alike in known.values()
            if totals.occurred.isdisjoint(alike)
        ]
        shown = tuple(sorted(left, key=lambda one: len(one.flags)))
        return NeverSeen(shown, len(known), self.diff.decided)


def impact(
    logs: Iterable[str | Path], texts: Texts, totals: Totals, jobs: int = 1
) -> Iterator[None]:
    """Settle the rounds of the logs under both texts; the totals grow with every step."""
    names = in_time_order([str(log) for log in logs])
    tasks = _tasks(names)
    if jobs > 1 and "fork" in get_all_start_methods():
        results = _on_all_cores(tasks, texts, jobs)
    else:
        results = _one_after_another(tasks, texts)
    for result in results:
        if isinstance(result, RoundImpact):
            totals.add(result)
        else:
            totals.tell(result, names)
        yield


def _tasks(logs: Sequence[str]) -> Iterator[Task | Left]:
    seen, order = SeenRounds(), TimeOrder()
    shoes = ShoeTracker()
    for number, log in enumerate(logs):
        for line in read_log(log):
            if isinstance(line, Quarantined):
                yield line
                continue
            place = Place(number, line.line)
            repeat = seen.add(line, place)
            if repeat is not None and repeat.copy:
                yield Copied(line.id, line.table, place, repeat.first)
                continue
            if repeat is not None:
                found = clash(line, repeat.first, logs, line.rulebook or "none")
                yield replace(found, log=log, at=line.at.isoformat())
            misplaced = order.add(line, place)
            if misplaced is not None:
                shoes.forget(line)
                yield misplaced
            view = shoes.view(line)
            yield line, view
            shoes.after(line)


def _one_after_another(tasks: Iterable[Task | Left], texts: Texts) -> Iterator[RoundImpact | Left]:
    for task in tasks:
        if isinstance(task, Left):
            yield task
        else:
            yield impact_of(texts.old, texts.new, *task, texts.diff)


_texts: Texts | None = None  # of a worker: a fork has them, they cannot be sent


def _on_all_cores(
    tasks: Iterator[Task | Left], texts: Texts, jobs: int
) -> Iterator[RoundImpact | Left]:
    """Chunks of rounds side by side, in the order of the log, a few chunks ahead only."""
    global _texts
    _texts = texts
    waiting: deque[Future[list[RoundImpact | Left]]] = deque()
    with ProcessPoolExecutor(
        jobs, mp_context=get_context("fork"), initializer=end_with_parent, initargs=(os.getpid(),)
    ) as pool:
        while True:
            chunk = list(islice(tasks, CHUNK))
            if any(isinstance(task, tuple) and not isinstance(task, Left) for task in chunk):
                waiting.append(pool.submit(_chunk, chunk))
            elif chunk:  # nothing to settle
                waiting.append(Future())
                waiting[-1].set_result([task for task in chunk if isinstance(task, Left)])
            if not waiting:
                return
            if not chunk or len(waiting) > 3 * jobs:
                yield from waiting.popleft().result()


def _chunk(tasks: list[Task | Left]) -> list[RoundImpact | Left]:
    assert _texts is not None
    return list(_one_after_another(tasks, _texts))
