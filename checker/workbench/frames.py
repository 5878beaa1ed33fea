"""A round as a row of pictures: the table after each event, and the event in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from checker.evaluate.answer import money_text
from checker.evaluate.engine import Engine
from checker.evaluate.in_words import card_text
from checker.log import model as r
from checker.table.state import Table
from checker.workbench.table_svg import DrawnHand, Seat, table_svg


@dataclass(frozen=True, slots=True)
class Frame:
    n: int  # of the event that brought it about; -1 before the first
    words: str
    svg: str


def frames(engine: Engine, round_: r.Round) -> list[Frame]:
    table = Table(round_)
    made = [Frame(-1, "before the first event", table_svg(_seats(table), "the table"))]
    for event in round_.events:
        table.apply(event)
        words = event_words(event)
        made.append(Frame(event.n, words, table_svg(_seats(table, event), words)))
    return made


def _seats(table: Table, event: r.Event | None = None) -> list[Seat]:
    box, hand = getattr(event, "box", None), getattr(event, "hand", None)
    fresh = isinstance(event, r.Deal)
    cards = [dealt.card for dealt in table.dealer]
    dealer = DrawnHand(cards, lit=fresh and box == r.DEALER)
    seats = [Seat("dealer", [dealer])]
    for number, found in sorted(table.boxes.items()):
        hands = []
        for at in found.order:
            one = found.hands[at]
            stakes = [
                f"{player} " + " + ".join(_part(part, stake) for part, stake in parts)
                for player, parts in one.money.items()
            ]
            here = box == number and hand in (None, at)
            hands.append(DrawnHand([d.card for d in one.cards], stakes, lit=here and fresh))
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


def _part(part: str, stake: int) -> str:
    return money_text(stake) + ("" if part == "original" else f" {part}")


def event_words(event: r.Event) -> str:
    """What happened, as one would tell it."""
    match event:
        case r.Deal():
            to = "the dealer" if event.box == r.DEALER else f"box {event.box}"
            return f"{card_text(event.card)} to {to}" + _hand(event.hand)
        case r.Wager():
            return (
                f"{event.player} wagers {money_text(event.stake)} on {event.bet}, box {event.box}"
            )
        case r.Play():
            more = f" for {money_text(event.stake)}" if event.stake else ""
            do = event.do.replace("_", " ")
            return f"{event.player} on box {event.box}{_hand(event.hand)}: {do}{more}"
        case r.Settle():
            return (
                f"{event.bet} of {event.player} on box {event.box}{_hand(event.hand)}: "
                f"{money_text(event.returned)} back"
            )
        case _:
            return _other(event)


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
