"""A round as it lies on the table at its end: hands, stakes and side bets, as data to be drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from checker.evaluate.engine import Engine
from checker.evaluate.named_scene import total_of
from checker.evaluate.scene import SeenScene
from checker.evaluate.words.in_words import cards_text, done_words
from checker.judge.explanation import hand_text
from checker.judge.findings import units
from checker.log.model import Round
from checker.table.mechanics import ORIGINAL
from checker.table.named_hands import NamedTable
from checker.table.shoes import ShoeView
from checker.table.state import Box, Dealt, Hand, Table
from rulespec.base.money import money_text


@dataclass(frozen=True, slots=True)
class Stake:
    player: str
    bet: str
    amount: int  # minor units
    part: str = ORIGINAL

    def as_json(self) -> dict[str, Any]:
        return {
            "player": self.player,
            "bet": self.bet,
            "part": self.part,
            "stake": units(self.amount),
        }


@dataclass(frozen=True, slots=True)
class DrawnHand:
    """A hand of a box, or of the dealer (box 0)."""

    box: int
    hand: int
    cards: tuple[str, ...]
    text: str  # the cards and their total
    marks: tuple[str, ...] = ()  # what became of it
    stakes: tuple[Stake, ...] = ()
    side_bets: tuple[Stake, ...] = ()  # of the box, told with its first hand
    name: str = ""  # of a hand that has one

    def as_json(self) -> dict[str, Any]:
        return {
            "box": self.box,
            "hand": self.hand,
            **({"name": self.name} if self.name else {}),
            "cards": list(self.cards),
            "text": self.text,
            "marks": list(self.marks),
            "stakes": [one.as_json() for one in self.stakes],
            "side_bets": [one.as_json() for one in self.side_bets],
        }


def drawing(engine: Engine, round_: Round, shoe: ShoeView) -> list[DrawnHand]:
    """The dealer first, then box by box; or the named hands, each with the bets of its name."""
    if engine.rulebook.game.hands:
        return _named(engine, round_)
    table = Table(round_, engine.mechanics)
    for event in round_.events:
        table.apply(event)
    scene = SeenScene(engine, table, shoe, tuple(table.dealer))
    found = []
    for number, held in ((1, table.dealer), *sorted(table.further.items())):
        marks = ("never turned",) if any(dealt.down for dealt in held) else ()
        found.append(DrawnHand(0, number, _names(held), hand_text(scene, held), marks))
    main = engine.mechanics.main
    for box in table.in_play:
        for number in box.order:
            hand = box.hands[number]
            seen = scene.but(box=box, hand=hand, player=box.controller)
            found.append(
                DrawnHand(
                    box.number,
                    number,
                    _names(hand.cards),
                    hand_text(seen, hand.cards, hand),
                    tuple(_marks(engine, hand)),
                    tuple(_stakes(hand, main)),
                    tuple(_side_bets(box, main)) if number == box.order[0] else (),
                )
            )
    return found


def _named(engine: Engine, round_: Round) -> list[DrawnHand]:
    table = NamedTable(round_, engine.mechanics)
    for event in engine.words.known(round_).events:
        table.apply(event)
    names = engine.rulebook.game.hands
    placed = [Stake(b.event.player, b.event.bet, b.event.stake) for b in table.bets]
    found = []
    for number, name in enumerate(names, 1):
        held = table.hands.get(name, [])
        total = total_of(engine, held)
        text = f"{cards_text(held)}  {'no total' if total is None else total}"
        on_it = tuple(stake for stake in placed if stake.bet == name)
        others = tuple(s for s in placed if s.bet not in names) if number == 1 else ()
        shown = text if held else "no cards"
        found.append(DrawnHand(0, number, _names(held), shown, (), on_it, others, name))
    return found


def _marks(engine: Engine, hand: Hand) -> list[str]:
    told = {
        does.action
        for does in engine.mechanics.plays.values()
        if does.claims or (does.adds and not does.splits)
    }
    done = [what for what, _ in hand.plays if what in told]
    if hand.from_split is not None:
        done.append(engine.mechanics.acts.split)
    return [*dict.fromkeys(done_words(engine.rulebook.game, what) for what in done)]


def _names(cards: list[Dealt]) -> tuple[str, ...]:
    return tuple(dealt.card for dealt in cards)


def _stakes(hand: Hand, main: str) -> list[Stake]:
    on = {main: hand.money, **hand.spots}
    return [
        Stake(player, bet, amount, part)
        for bet, money in on.items()
        for player, parts in money.items()
        for part, amount in parts
    ]


def _side_bets(box: Box, main: str) -> list[Stake]:
    on_hands = {bet for hand in box.hands.values() for bet in hand.spots}
    placed = [
        Stake(bet.event.player, bet.event.bet, bet.event.stake)
        for bet in box.bets
        if bet.event.bet != main and bet.event.bet not in on_hands
    ]
    by_play = [
        Stake(player, bet, amount)
        for bet, by_player in box.placed.items()
        for player, amount in by_player.items()
    ]
    return placed + by_play


def stakes_told(stakes: Sequence[Stake], main: str) -> Iterator[str]:
    """Of each player and bet: `P1 $10 + $10 double`."""
    parts: dict[tuple[str, str], list[str]] = {}
    for one in stakes:
        part = "" if one.part == ORIGINAL else f" {one.part}"
        parts.setdefault((one.player, one.bet), []).append(money_text(one.amount) + part)
    for (player, bet), amounts in parts.items():
        yield f"{player} {' + '.join(amounts)}" + ("" if bet == main else f" on {bet}")
