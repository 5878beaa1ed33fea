"""A round of a game with named hands that shows something, dealt and judged again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from checker.evaluate.engine import Engine
from checker.evaluate.hand_draws import draws_of
from checker.evaluate.named_scene import NamedScene, fresh_table
from checker.evaluate.words.in_words import card_text
from checker.judge.findings import ReplayFinding
from checker.judge.judge import judge
from checker.log import model as r
from checker.table.named_hands import order_of_deal
from checker.table.state import Dealt

STAKE = 10_000
PLAYER = "P1"


@dataclass(frozen=True, slots=True)
class NamedWitness:
    """The cards of each hand, and what was burnt before them; `play` is it as a scenario."""

    hands: tuple[tuple[str, tuple[str, ...]], ...]
    bets: tuple[str, ...]
    burnt: tuple[str, ...] = ()
    play: str = ""
    options: tuple[str, ...] = ()

    @property
    def bet(self) -> str:
        return self.bets[0] if self.bets else ""

    @property
    def cards(self) -> int:
        return sum(len(cards) for _, cards in self.hands)

    def describe(self) -> str:
        dealt = [f"{name} {' '.join(map(card_text, cards))}" for name, cards in self.hands if cards]
        opened = [f"first card of the shoe {card_text(self.burnt[0])}"] if self.burnt else []
        offered = [f"with {' and '.join(self.options)}"] if self.options else []
        return ", ".join([*opened, *dealt, *offered])

    def as_json(self) -> dict[str, Any]:
        hands = {name: list(cards) for name, cards in self.hands}
        return {"hands": hands, "options": list(self.options), "play": self.play}


def witness_of(
    engine: Engine,
    hands: tuple[tuple[str, tuple[str, ...]], ...],
    bets: tuple[str, ...],
    burnt: tuple[str, ...] = (),
    options: tuple[str, ...] = (),
) -> NamedWitness:
    told = ["shuffle", *(f"burn {card}" for card in burnt)] if burnt else []
    told += [f"bet {PLAYER} {STAKE // 100} {bet}" for bet in bets]
    told.append("no more bets")
    dealt = [f"{hand}:{card}" for hand, card in in_order(engine, dict(hands))]
    told += [f"deal {' '.join(dealt)}"] if dealt else []
    return NamedWitness(hands, bets, burnt, "\n".join(told) + "\n", options)


def in_order(engine: Engine, hands: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """The cards in the order of the deal; then hand by hand as the stages have them draw."""
    left = {name: list(cards) for name, cards in hands.items()}
    dealt = [
        (hand, left[hand].pop(0)) for hand in order_of_deal(engine.rulebook.game) if left.get(hand)
    ]
    for hand in dict.fromkeys(step for step in drawing_order(engine)):
        dealt += [(hand, card) for card in left.get(hand, ())]
    return dealt


def drawing_order(engine: Engine) -> list[str]:
    return [item.who for item in draws_of(engine).items if item.who]


def round_of(engine: Engine, witness: NamedWitness, decks: int) -> r.Round:
    """The witness as a round of a log, without its settlements."""
    events: list[r.Event] = []
    if witness.burnt:
        events += [r.Shuffle(), *(r.Burn(card) for card in witness.burnt)]
    events += [r.Wager(r.NO_BOX, PLAYER, bet, STAKE) for bet in witness.bets]
    events.append(r.NoMoreBets())
    events += [
        r.Deal(r.NO_BOX, 1, card, to=hand) for hand, card in in_order(engine, dict(witness.hands))
    ]
    numbered = tuple(replace(event, n=n) for n, event in enumerate(events))
    start = engine.rulebook.start
    at = datetime(start.year, start.month, start.day, 12, tzinfo=UTC) if start else _SOME_DAY
    options = frozenset(witness.options)
    return r.Round("W", "T", None, at, engine.rulebook.id, decks, options, {}, numbered, 1)


_SOME_DAY = datetime(2000, 1, 1, 12, tzinfo=UTC)


def dealt_wrong(engine: Engine, witness: NamedWitness, decks: int) -> list[ReplayFinding]:
    """What the evaluator has against the cards of the round as they were dealt."""
    verdict = judge(engine, round_of(engine, witness, decks))
    return [found for found in verdict.findings if found.kind == "deal"]


def scene_of(engine: Engine, witness: NamedWitness, decks: int) -> NamedScene:
    """The table with these cards on it."""
    hands = dict(witness.hands)
    lying = {name: tuple(Dealt(card, 0, False) for card in cards) for name, cards in hands.items()}
    return fresh_table(engine, decks, witness.options).but(hands=lying)
