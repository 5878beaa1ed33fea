"""The table drawn: dealer on top, boxes from the dealer's left, cards, stakes, what was paid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from checker.evaluate.words.in_words import SIGNS

_CARD, _HIGH, _STEP, _SEAT, _LINE = 38, 54, 26, 168, 15
_PAD = 8


@dataclass(frozen=True, slots=True)
class DrawnHand:
    cards: Sequence[str]  # as the log writes them; `` is a card that lies face down
    under: Sequence[str] = ()  # stakes
    lit: bool = False  # the last card has just come


@dataclass(frozen=True, slots=True)
class Seat:
    title: str
    hands: Sequence[DrawnHand]
    side: Sequence[str] = field(default_factory=tuple)
    paid: Sequence[str] = field(default_factory=tuple)
    lit: bool = False


def table_svg(seats: Sequence[Seat], title: str) -> str:
    """The first seat on top, the others below it from right to left, as the dealer deals."""
    top, others = seats[0], list(seats[1:])
    columns = max(1, min(len(others), 7))
    wide = max(columns * _SEAT, _width(top) + 2 * _PAD, 2 * _SEAT) + 2 * _PAD
    parts = list(_seat(top, (wide - max(_width(top), 90)) // 2, _PAD))
    y = _PAD + _height(top) + 18
    for start in range(0, len(others), 7):
        row = others[start : start + 7]
        for place, seat in enumerate(row):
            parts += _seat(seat, wide - _PAD - (place + 1) * _SEAT + _PAD, y)
        y += max(map(_height, row)) + 14
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="felt" role="img" '
        f'viewBox="0 0 {wide} {y}" width="{wide}" height="{y}">'
        f"<title>{escape(title)}</title>"
        f'<rect class="cloth" x="1" y="1" width="{wide - 2}" height="{y - 2}" rx="14"/>'
        f"{''.join(parts)}</svg>"
    )


def _width(seat: Seat) -> int:
    return max((_CARD + _STEP * (len(h.cards) - 1) for h in seat.hands if h.cards), default=_CARD)


def _height(seat: Seat) -> int:
    hands = sum(_HIGH + 6 + _LINE * len(hand.under) for hand in seat.hands)
    return 20 + hands + _LINE * (len(seat.side) + len(seat.paid)) + 6


def _seat(seat: Seat, x: int, y: int) -> Iterator[str]:
    lit = " lit" if seat.lit else ""
    yield f'<text class="seat{lit}" x="{x}" y="{y + 13}">{escape(seat.title)}</text>'
    y += 20
    for hand in seat.hands:
        step = _STEP if len(hand.cards) < 6 else (_SEAT - _CARD - 12) // (len(hand.cards) - 1)
        for at, card in enumerate(hand.cards):
            new = hand.lit and at == len(hand.cards) - 1
            yield from _card(card, x + at * step, y, new)
        if not hand.cards:
            yield (f'<rect class="empty" x="{x}" y="{y}" width="{_CARD}" height="{_HIGH}" rx="4"/>')
        y += _HIGH + 6
        for text in hand.under:
            yield _line(text, x, y, "stake")
            y += _LINE
    for text in seat.side:
        yield _line(text, x, y, "stake")
        y += _LINE
    for text in seat.paid:
        yield _line(text, x, y, "paid")
        y += _LINE


def _line(text: str, x: int, y: int, kind: str) -> str:
    short = text if len(text) <= 23 else text[:22] + "…"
    return (
        f'<text class="{kind}" x="{x}" y="{y + 10}">{escape(short)}'
        f"<title>{escape(text)}</title></text>"
    )


def _card(card: str, x: int, y: int, new: bool) -> Iterator[str]:
    kind = "card new" if new else "card"
    if not card:
        yield (
            f'<rect class="{kind} back" x="{x}" y="{y}" width="{_CARD}" height="{_HIGH}" rx="4"/>'
        )
        return
    yield f'<rect class="{kind}" x="{x}" y="{y}" width="{_CARD}" height="{_HIGH}" rx="4"/>'
    if len(card) != 2:
        yield f'<text class="rank" x="{x + 3}" y="{y + 16}">{escape(card[:5])}</text>'
        return
    colour = "red" if card[1] in "HD" else "black"
    rank = "10" if card[0] == "T" else card[0]
    yield f'<text class="rank {colour}" x="{x + 4}" y="{y + 17}">{rank}</text>'
    yield f'<text class="suit {colour}" x="{x + 4}" y="{y + 36}">{SIGNS[card[1]]}</text>'
