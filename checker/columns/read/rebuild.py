"""Columns -> a round, for the plain evaluator: faster than decoding it again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from typing import Final, TypeAlias

from checker.columns import batch as c
from checker.columns.read.heads import head_of
from checker.log import model as r
from checker.log.decode import DecodeError

_CARDS: Final = (*c.CARD_NAMES, r.JOKER)
_MAYBE: Final = (None, False, True)
CardOf: TypeAlias = Callable[[int], str]  # what the event of that number names a card

_head_of = lru_cache(maxsize=256)(head_of)


def rebuilt(
    batch: c.Batch, row: int, texts: list[str | None], head: bytes, card_of: CardOf
) -> r.Round | None:
    """A round that the columns hold; None where they do not say all of it. `texts`: its id, table,
    shoe and time; `card_of`: the card of the player in a wager."""
    named, table, shoe, at = texts
    found = batch.rounds[row].tolist()
    if found[c.STATUS] != c.PLAIN or named is None or table is None or at is None:
        return None
    events = _events(batch, found, card_of)
    try:
        first = _head_of(head)
    except DecodeError:
        return None
    if events is None:
        return None
    return r.Round(
        named,
        table,
        shoe,
        datetime.fromisoformat(at),
        first.rulebook,
        first.decks,
        first.options,
        first.limits,
        tuple(events),
        found[c.LINE],
        first.options_stated,
    )


def _events(batch: c.Batch, round_: list[int], card_of: CardOf) -> list[r.Event] | None:
    first, stop = round_[c.FIRST_EVENT], round_[c.FIRST_EVENT] + round_[c.EVENTS]
    one, end = round_[c.FIRST_PLAYER], round_[c.FIRST_PLAYER] + round_[c.PLAYERS]
    names = [
        batch.text[start : start + size].tobytes().decode()
        for _, start, size in batch.players[one:end].tolist()
    ]
    amounts = batch.amounts[first:stop].tolist()
    found: list[r.Event] = []
    for n, (kind, box, hand, player, what, card, marks, _) in enumerate(
        batch.events[first:stop].tolist()
    ):
        if kind == c.DEAL:
            found.append(r.Deal(box, hand, _CARDS[card], marks & c.DOWN != 0, n=n))
        elif kind == c.SETTLE:
            found.append(r.Settle(box, hand or None, names[player], c.BETS[what], amounts[n], n=n))
        elif kind == c.PLAY:
            stake = None if amounts[n] == c.NO_AMOUNT else amounts[n]
            found.append(r.Play(box, hand, names[player], c.PLAYS[what], stake, n=n))
        elif kind == c.WAGER:
            if marks & c.CHIPS_HELD:
                return None
            held = marks >> c.PLAYER_CARD_SHIFT & 3
            found.append(
                r.Wager(
                    box,
                    names[player],
                    c.BETS[what],
                    amounts[n],
                    marks & c.CONTROL != 0,
                    _MAYBE[marks >> c.SEATED_SHIFT & 3],
                    card_of(n) if held == 2 else "" if held else None,
                    _MAYBE[marks >> c.RECOGNISED_SHIFT & 3],
                    _MAYBE[marks >> c.JOINED_SHIFT & 3],
                    _MAYBE[marks >> c.IN_ORDER_SHIFT & 3],
                    marks & c.UNDISCLOSED != 0,
                    n=n,
                )
            )
        elif kind == c.BURN:
            found.append(r.Burn(None if card < 0 else _CARDS[card], n=n))
        elif kind == c.CUT_CARD:
            found.append(r.CutCard(None if box < 0 else box, n=n))
        elif kind == c.SHUFFLE:
            found.append(r.Shuffle(n=n))
        elif kind == c.NO_MORE_BETS:
            found.append(r.NoMoreBets(n=n))
        else:  # words that are not all in the columns
            return None
    return found
