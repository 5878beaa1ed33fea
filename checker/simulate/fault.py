"""Known violations for a simulation: what is done wrong, and under which clause it must be found.

A kind is done only where the rulebook itself says that it is a breach, and the rest of the round
goes on by the rules, so that nothing else is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from rulespec.resolve.rulebook import Rule
from rulespec.tree.game import Game

if TYPE_CHECKING:
    from checker.evaluate.engine import Answer
    from checker.judge.findings import ReplayFinding
    from checker.table.state import Box, Hand

Maker = Any  # the round in the making, which holds its fault
Item = TypeVar("Item")  # a settlement to come


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of violation: the moment of the round when it is done, and how."""

    name: str
    moment: str
    act: Callable[..., Any]
    aims: tuple[str, ...] = ("none",)
    undecided: bool = False  # some wagers of the round cannot be decided after it
    possible: Callable[[Game], bool] = lambda game: True  # in which games it can be done
    face_down: bool = False  # only where a card of the initial deal lies face down


class Fault:
    """One violation to be done in one round. `found` is what a replay must report about it."""

    def __init__(self, kind: Kind, rng: Random) -> None:
        self.kind = kind
        self.rng = rng
        self.aim = self.kind.aims[rng.randrange(len(self.kind.aims))]
        self.undecided = self.kind.undecided
        self.found: list[tuple[str, str]] = []
        self.notes: dict[str, Any] = {}

    def report(self, code: str, rules: Iterable[Rule]) -> bool:
        """Note what is to be found; False when no rule is broken."""
        self.found += [(code, rule.clause) for rule in rules]
        return bool(self.found)

    def explains(self, findings: Iterable[ReplayFinding]) -> bool:
        """Whether these are just what a replay must report about it."""
        told = [f for f in findings if not (self.undecided and f.kind == "undecided")]
        codes, clauses = ({part[n] for part in self.found} for n in (0, 1))
        return bool(told) and all(f.code in codes and f.clause in clauses for f in told)

    def as_json(self) -> dict[str, Any]:
        shown: dict[str, Any] = {
            "kind": self.kind.name,
            "clause": self.found[0][1],
            "clauses": list(dict.fromkeys(clause for _, clause in self.found)),
            "codes": list(dict.fromkeys(code for code, _ in self.found)),
        }
        if self.undecided:
            shown["undecided"] = True
        return shown

    def _now(self, moment: str) -> bool:
        return self.kind.moment == moment and not self.found

    # --- the moments of a round

    def start(self, maker: Maker) -> None:
        if self._now("start"):
            self.kind.act(self, maker)

    def wagers(self, maker: Maker) -> None:
        if self._now("wagers"):
            self.kind.act(self, maker)
        check = self.notes.pop("check wagers", None)
        if check is not None:
            check()

    def burn(self, answer: Answer) -> bool:
        """True: the card that has to be burnt is not."""
        return self._now("burn") and bool(self.kind.act(self, answer))

    def order(self, maker: Maker, order: list[int]) -> list[int]:
        if self._now("order"):
            changed: list[int] = self.kind.act(self, maker, order)
            return changed
        return order

    def face(self, maker: Maker, box: int, down: bool) -> bool:
        """Whether a card of the initial deal comes face down."""
        if self._now("face"):
            changed: bool = self.kind.act(self, maker, box, down)
            return changed
        return down

    def unseen(self, maker: Maker) -> bool:
        """True: the card that has to be looked at is not."""
        return self._now("look") and bool(self.kind.act(self, maker))

    def goes_on(self, maker: Maker) -> bool:
        """True: the round goes on although a stage has ended it."""
        return self._now("end") and bool(self.kind.act(self, maker))

    def late(self, maker: Maker) -> None:
        if self._now("late"):
            self.kind.act(self, maker)

    def card(self, maker: Maker, box: int, hand: int, card: str) -> str:
        if self._now("card"):
            changed: str = self.kind.act(self, maker, box, hand, card)
            return changed
        return card

    def opening(self, maker: Maker) -> None:
        if self._now("opening"):
            self.kind.act(self, maker)

    def boxes(self, maker: Maker, boxes: list[Box]) -> list[Box]:
        if self._now("boxes"):
            changed: list[Box] = self.kind.act(self, maker, boxes)
            return changed
        return boxes

    def second_card(self, maker: Maker, box: Box, hand: Hand) -> None:
        if self._now("second card"):
            self.kind.act(self, maker, box, hand)

    def turn(self, maker: Maker, box: Box, hand: Hand) -> str:
        """`again`: something was done on the hand. `over`: and the hand is left."""
        if self._now("turn"):
            done: str = self.kind.act(self, maker, box, hand) or ""
            return done
        return ""

    def stake(self, maker: Maker, box: Box, hand: Hand, player: str, do: str, stake: int) -> int:
        if self._now("stake"):
            changed: int = self.kind.act(self, maker, box, hand, player, do, stake)
            return changed
        return stake

    def dealer(self, maker: Maker, due: bool) -> bool:
        if self._now("dealer"):
            changed: bool = self.kind.act(self, maker, due)
            return changed
        return due

    def money(self, maker: Maker, items: list[Item]) -> list[Item]:
        check = self.notes.pop("check play", None)
        if check is not None and not check():
            self.found = []
        if self._now("money"):
            changed: list[Item] = self.kind.act(self, maker, items)
            return changed
        return items
