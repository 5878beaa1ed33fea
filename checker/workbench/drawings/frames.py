"""A round as a row of pictures: the table after each event, and the event in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from checker.evaluate.engine import Engine
from checker.evaluate.words.in_words import card_text
from checker.log import model as r
from checker.table.state import Dealt, Table
from checker.workbench.drawings.table import DrawnHand, Seat, table_svg
from rulespec.base.money import money_text


@dataclass(frozen=True, slots=True)
class Frame:
    n: int  # of the event that brought it about; -1 before the first
    words: str
    svg: str


def frames(engine: Engine, round_: r.Round) -> list[Frame]:
    known = engine.words.known(round_)
    if known.events and engine.rulebook.game.hands:
        return _named_frames(engine, known)
    table = Table(known, engine.mechanics)
    made = [Frame(-1, "before the first event", table_svg(_seats(table), "the table"))]
    for event in known.events:
        table.apply(event)
        words = event_words(event)
        made.append(Frame(event.n, words, table_svg(_seats(table, event), words)))
    return made


def _seats(table: Table, event: r.Event | None = None) -> list[Seat]:
    box, hand = getattr(event, "box", None), getattr(event, "hand", None)
    fresh = isinstance(event, r.Deal)
    mine = fresh and box == r.DEALER
    dealer = [DrawnHand(_cards(table.dealer), lit=mine and hand in (None, 1))]
    dealer += [
        DrawnHand(_cards(cards), lit=mine and hand == at) for at, cards in table.further.items()
    ]
    seats = [Seat("dealer", dealer)]
    for number, found in sorted(table.boxes.items()):
        hands = []
        for at in found.order:
            one = found.hands[at]
            stakes = [
                f"{player} " + " + ".join(_part(part, stake) for part, stake in parts)
                for player, parts in one.money.items()
            ]
            here = box == number and hand in (None, at)
            hands.append(DrawnHand(_cards(one.cards), stakes, lit=here and fresh))
        side = [
            f"{bet.event.player} {bet.event.bet} {money_text(bet.event.stake)}"
            for bet in found.bets
            if bet.event not in found.main
        ]
        paid = [
            f"{player} {bet}: {money_text(sum(s.returned for s in given))} back"
            for (at, _, player, bet), given in table.settled.items()
            if at == number
        ]
        seats.append(Seat(f"box {number}", hands, side, paid, lit=box == number))
    return seats


def _cards(cards: Iterable[Dealt]) -> list[str]:
    """As they lie: a card that nobody may see yet has no face."""
    return ["" if dealt.down else dealt.card for dealt in cards]


def _named_frames(engine: Engine, round_: r.Round) -> list[Frame]:
    """A game with named hands: the cards of each, and the wagers on the table."""
    cards: dict[str, list[str]] = {name: [] for name in engine.rulebook.game.hands}
    stakes: list[str] = []
    paid: list[str] = []

    def drawn(lit: str | None, words: str) -> str:
        hands = [Seat(name, [DrawnHand(cards[name], lit=lit == name)]) for name in cards]
        return table_svg([Seat("wagers", [], stakes, paid), *reversed(hands)], words)

    made = [Frame(-1, "before the first event", drawn(None, "the table"))]
    for event in round_.events:
        words = event_words(event)
        to = event.to if isinstance(event, r.Deal) else None
        if isinstance(event, r.Deal) and to in cards:
            cards[to] = [*cards[to], event.card]
        elif isinstance(event, r.Wager):
            stakes = [*stakes, f"{event.player} {event.bet} {money_text(event.stake)}"]
        elif isinstance(event, r.Settle):
            paid = [*paid, f"{event.player} {event.bet}: {money_text(event.returned)} back"]
        made.append(Frame(event.n, words, drawn(to, words)))
    return made


def _part(part: str, stake: int) -> str:
    return money_text(stake) + ("" if part == "original" else f" {part}")


def event_words(event: r.Event) -> str:
    """What happened, as one would tell it."""
    match event:
        case r.Deal():
            to = event.to or ("the dealer" if event.box == r.DEALER else f"box {event.box}")
            down = " face down" if event.down else ""
            return f"{card_text(event.card)} to {to}{_hand(event.hand)}{down}"
        case r.Wager():
            return f"{event.player} wagers {money_text(event.stake)} on {event.bet}{_on(event.box)}"
        case r.Play():
            more = f" for {money_text(event.stake)}" if event.stake else ""
            do = event.do.replace("_", " ")
            return f"{event.player} on box {event.box}{_hand(event.hand)}: {do}{more}"
        case r.Settle():
            return (
                f"{event.bet} of {event.player}{_on(event.box)}{_hand(event.hand)}: "
                f"{money_text(event.returned)} back"
            )
        case _:
            return _other(event)


def _on(box: int) -> str:
    return "" if box == r.NO_BOX else f", box {box}"


def _hand(number: int | None) -> str:
    return f" hand {number}" if number is not None and number > 1 else ""


def _other(event: Any) -> str:
    name = "".join(" " + c.lower() if c.isupper() else c for c in type(event).__name__).strip()
    told = [
        f"{field.replace('_', ' ')} {value}"
        for field in getattr(type(event), "__slots__", ())
        if field != "n" and (value := getattr(event, field)) not in (None, False, "")
    ]
    return ", ".join([name, *told])
