"""Known violations for a simulation: what is done wrong, and under which clause it must be found.

A kind is done only where the rulebook itself says that it is a breach, and the rest of the round
goes on by the rules, so that nothing else is wrong with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from rulespec.resolve.rulebook import Rule
from rulespec.tree.game import Game

if TYPE_CHECKING:
    from checker.evaluate.engine import Answer
    from checker.judge.findings import ReplayFinding
    from checker.simulate.money import Item
    from checker.simulate.round import RoundMaker
    from checker.simulate.setup import Shoe
    from checker.table.state import Box, Hand

GIVE_UP = 5  # a kind that could never be done in so many rounds is no breach in this rulebook
TRIED_AT_ONCE = 4


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


def kinds() -> dict[str, Kind]:
    from checker.simulate import faults_money, faults_play, faults_stages, faults_wager

    every = (
        *faults_money.KINDS,
        *faults_play.KINDS,
        *faults_wager.KINDS,
        *faults_stages.KINDS,
    )
    return {kind.name: kind for kind in every}


class Fault:
    """One violation to be done in one round. `found` is what a replay must report about it."""

    def __init__(self, name: str, rng: Random) -> None:
        self.kind = kinds()[name]
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

    def start(self, maker: RoundMaker) -> None:
        if self._now("start"):
            self.kind.act(self, maker)

    def wagers(self, maker: RoundMaker) -> None:
        if self._now("wagers"):
            self.kind.act(self, maker)
        check = self.notes.pop("check wagers", None)
        if check is not None:
            check()

    def burn(self, answer: Answer) -> bool:
        """True: the card that has to be burnt is not."""
        return self._now("burn") and bool(self.kind.act(self, answer))

    def order(self, maker: RoundMaker, order: list[int]) -> list[int]:
        if self._now("order"):
            changed: list[int] = self.kind.act(self, maker, order)
            return changed
        return order

    def face(self, maker: RoundMaker, box: int, down: bool) -> bool:
        """Whether a card of the initial deal comes face down."""
        if self._now("face"):
            changed: bool = self.kind.act(self, maker, box, down)
            return changed
        return down

    def unseen(self, maker: RoundMaker) -> bool:
        """True: the card that has to be looked at is not."""
        return self._now("look") and bool(self.kind.act(self, maker))

    def goes_on(self, maker: RoundMaker) -> bool:
        """True: the round goes on although a stage has ended it."""
        return self._now("end") and bool(self.kind.act(self, maker))

    def late(self, maker: RoundMaker) -> None:
        if self._now("late"):
            self.kind.act(self, maker)

    def card(self, maker: RoundMaker, box: int, hand: int, card: str) -> str:
        if self._now("card"):
            changed: str = self.kind.act(self, maker, box, hand, card)
            return changed
        return card

    def opening(self, maker: RoundMaker) -> None:
        if self._now("opening"):
            self.kind.act(self, maker)

    def boxes(self, maker: RoundMaker, boxes: list[Box]) -> list[Box]:
        if self._now("boxes"):
            changed: list[Box] = self.kind.act(self, maker, boxes)
            return changed
        return boxes

    def second_card(self, maker: RoundMaker, box: Box, hand: Hand) -> None:
        if self._now("second card"):
            self.kind.act(self, maker, box, hand)

    def turn(self, maker: RoundMaker, box: Box, hand: Hand) -> str:
        """`again`: something was done on the hand. `over`: and the hand is left."""
        if self._now("turn"):
            done: str = self.kind.act(self, maker, box, hand) or ""
            return done
        return ""

    def stake(
        self, maker: RoundMaker, box: Box, hand: Hand, player: str, do: str, stake: int
    ) -> int:
        if self._now("stake"):
            changed: int = self.kind.act(self, maker, box, hand, player, do, stake)
            return changed
        return stake

    def dealer(self, maker: RoundMaker, due: bool) -> bool:
        if self._now("dealer"):
            changed: bool = self.kind.act(self, maker, due)
            return changed
        return due

    def money(self, maker: RoundMaker, items: list[Item]) -> list[Item]:
        check = self.notes.pop("check play", None)
        if check is not None and not check():
            self.found = []
        if self._now("money"):
            changed: list[Item] = self.kind.act(self, maker, items)
            return changed
        return items


class Rota:
    """Which kind comes next: all in turn, those that were never possible left out."""

    def __init__(self, game: Game) -> None:
        self.names = [name for name, kind in kinds().items() if kind.possible(game)]
        self.count: Counter[str] = Counter()
        self.misses: Counter[str] = Counter()

    def _active(self) -> list[str]:
        return [n for n in self.names if self.count[n] or self.misses[n] < GIVE_UP]

    def next_kinds(self, shoe: Shoe | None, new: bool, face_down: bool) -> list[str]:
        active = [n for n in self._active() if n != "no_shuffle" and (new or n != "no_burn")]
        active = [n for n in active if face_down or not kinds()[n].face_down]
        if shoe is None or not shoe.spent():
            active = [n for n in active if n != "card_too_often"]
        ordered = sorted(active, key=lambda n: (self.count[n], self.names.index(n)))
        return ordered[:TRIED_AT_ONCE]

    def first(self, name: str) -> bool:
        """Whether a kind with few occasions is due."""
        active = self._active()
        least = min((self.count[n] for n in active), default=0)
        return name in active and self.count[name] <= least + 1

    def done(self, name: str) -> None:
        self.count[name] += 1

    def failed(self, name: str) -> None:
        self.misses[name] += 1
