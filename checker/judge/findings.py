"""What a replay reports about a round."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal, NamedTuple

from rulespec.base.diagnostics import Coded, Related
from rulespec.base.money import ORDINARY

FindingKind = Literal["settlement", "play", "deal", "wager", "integrity", "undecided"]


@dataclass(frozen=True, slots=True)
class ReplayFinding(Coded):
    """One breach, or one thing that could not be decided. Money is in minor units."""

    code: str
    kind: FindingKind
    message: str
    clause: str | None
    others: tuple[tuple[str, str], ...] = ()  # other clauses, each with its role
    round: str = ""
    table: str = ""
    line: int = 0
    rulebook: str = ""
    event: int | None = None
    box: int | None = None
    hand: int | None = None
    player: str | None = None
    bet: str | None = None
    expected: int | None = None
    actual: int | None = None
    readings: tuple[str, ...] = ()
    help: str | None = None
    log: str | None = None
    at: str | None = None  # the time of the round
    shoe: str | None = None
    nth: int = 0  # of findings of one round that have all the rest in common
    why: str | None = None  # it is undecided, without saying what is
    of_leave: bool = False  # what is undecided is whether something may be done
    state: str | None = None  # what a review said of it, where an audit store is at hand

    @property
    def related(self) -> tuple[Related, ...]:
        return tuple(Related(clause, role) for clause, role in self.others)

    @property
    def span(self) -> None:
        return None

    @property
    def accepted(self) -> None:
        return None

    @property
    def difference(self) -> int | None:
        if self.expected is None or self.actual is None:
            return None
        return self.actual - self.expected

    @property
    def place(self) -> tuple[object, ...]:
        """What was found and where: the round by which the contract knows it, and what in it."""
        return (
            self.code,
            self.rulebook,
            self.clause,
            self.table,
            self.shoe,
            None if self.at is None else self.at[:10],
            self.round,
            self.event,
            self.box,
            self.hand,
            self.player,
            self.bet,
        )

    def is_like(self, other: ReplayFinding) -> bool:
        return self.place == other.place

    @property
    def fingerprint(self) -> str:
        """The same in every run, file and wording: what is said about it does not count."""
        return hashlib.sha256(repr((*self.place, self.nth)).encode()).hexdigest()[:16]

    def as_json(self) -> dict[str, object]:
        shown: dict[str, object] = {
            "code": self.code,
            "slug": self.slug,
            "severity": self.severity,
            "kind": self.kind,
            "message": self.message,
            "rulebook": self.rulebook,
            "clause": self.clause,
            "related": [r.as_json() for r in self.related],
            "round": self.round,
            "table": self.table,
            "line": self.line,
            "event": self.event,
            "box": self.box,
            "hand": self.hand,
            "player": self.player,
            "bet": self.bet,
            "help": self.help,
            "fingerprint": self.fingerprint,
        }
        for name in ("log", "at", "state"):
            if getattr(self, name) is not None:
                shown[name] = getattr(self, name)
        if self.readings:
            shown["readings"] = list(self.readings)
        for name in ("expected", "actual", "difference"):
            cents = getattr(self, name)
            if cents is not None:
                shown[name] = units(cents)
        return shown


def units(cents: int) -> int | Decimal:
    """Currency units as the log writes them: whole, or with two decimals. Never a float."""
    return cents // 100 if cents % 100 == 0 else Decimal(cents).scaleb(-2)


class Decision(NamedTuple):
    """One question of a round with its answer, kept for the explanation."""

    subject: str
    answer: Any  # checker.engine.Answer
    scene: Any  # checker.scene.SeenScene
    box: int | None = None
    hand: int | None = None
    player: str | None = None
    bet: str | None = None
    part: str | None = None
    cards: tuple[Any, ...] = ()  # of the hand at that moment: the scene's go on
    dealer: tuple[Any, ...] = ()


@dataclass(slots=True)
class Verdict:
    """All that was found in one round."""

    findings: list[ReplayFinding] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    not_checked: dict[str, str] = field(default_factory=dict)  # clause: reason
    not_recorded: dict[str, str] = field(default_factory=dict)
    """Clause: reason, where the log does not record in this round what it may record in others."""
    tested: set[str] = field(default_factory=set)  # clauses that were put to the test
    wagers: int = 0
    expected: dict[tuple[int, int, str, str], int | None] = field(default_factory=dict)
    reports: list[dict[str, Any]] = field(default_factory=list)
    sign: str = ORDINARY  # of the money that the text speaks of
    explained: bool = True  # whether decisions are kept: they are large

    def decide(self, subject: str, answer: Any, scene: Any, *where: Any) -> None:
        if self.explained:
            hand, dealer = getattr(scene, "hand", None), getattr(scene, "dealer", ())
            cards = tuple(hand.cards) if hand is not None else ()
            decision = Decision(subject, answer, scene, *where)
            self.decisions.append(decision._replace(cards=cards, dealer=tuple(dealer)))
