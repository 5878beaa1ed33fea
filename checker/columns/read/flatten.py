"""Decoded rounds -> a batch, for what the scanner does not read: slow lines, gz, Parquet, tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from checker.columns import batch as c
from checker.columns.known_game import MAIN_BET
from checker.columns.machine.names import round_hash, table_hash, text_hash
from checker.log import model as r

if TYPE_CHECKING:
    from checker.columns.read.law_day import Zones


class Builder:
    """Collects rounds one by one; `batch` makes the arrays."""

    def __init__(self, books: Iterable[str], zones: Zones | None = None) -> None:
        self.books = {book: index for index, book in enumerate(books)}
        self.zones = zones
        self.rounds: list[list[int]] = []
        self.events: list[list[int]] = []
        self.amounts: list[int] = []
        self.limits: list[tuple[int, ...]] = []
        self.minima: list[dict[str, int]] = []
        self.settings: list[frozenset[str]] = []
        self.limit_rows: dict[tuple[Any, ...], int] = {}
        self.announced: dict[int, list[str]] = {}
        self.players: list[list[int]] = []
        self.text = bytearray()

    def add(self, round_: r.Round) -> None:
        row = [0] * c.ROUND_WIDTH
        row[c.FIRST_EVENT] = len(self.events)
        row[c.EVENTS] = len(round_.events)
        row[c.FIRST_PLAYER] = len(self.players)
        named = round_.rulebook
        row[c.BOOK] = self.books.get(named or "", -1)
        row[c.TABLE] = table_hash(
            0 if named is None else text_hash(named.encode()), text_hash(round_.table.encode())
        )
        row[c.SHOE] = 0 if round_.shoe is None else text_hash(round_.shoe.encode())
        written = round_.at.date().toordinal()
        row[c.KEY] = round_hash(row[c.TABLE], row[c.SHOE], written, round_.id.encode())
        row[c.DAY] = self.zones.day(row[c.BOOK], round_.at) if self.zones else written
        row[c.DECKS] = round_.decks
        row[c.OPTION_BITS] = sum(
            1 << c.OPTION_CODES[word] for word in round_.options if word in c.OPTION_CODES
        )
        if not round_.options_stated:
            row[c.OPTION_BITS] |= c.NO_OPTIONS
        row[c.LIMITS], asks = self._limits(round_)
        asks |= bool(round_.not_recorded)
        row[c.LINE] = round_.line
        names: dict[str, int] = {}
        for event in round_.events:
            flat, amount, odd = _event(event)
            player = getattr(event, "player", None)
            if player is not None:
                if player not in names:
                    names[player] = len(names)
                    raw = player.encode()
                    self.players.append([text_hash(raw), len(self.text), len(raw)])
                    self.text += raw
                flat[c.PLAYER] = names[player]
            self.events.append(flat)
            self.amounts.append(amount)
            asks |= odd
            if type(event) is r.Announce and event.what not in c.OPTION_CODES:
                self.announced.setdefault(len(self.rounds), []).append(event.what)
        row[c.PLAYERS] = len(names)
        row[c.STATUS] = c.ASK if asks else c.PLAIN
        self.rounds.append(row)

    def _limits(self, round_: r.Round) -> tuple[int, bool]:
        found = [-1] * c.LIMIT_WIDTH
        asks = False
        for bet, limits in round_.limits.items():
            if bet not in c.BET_CODES:  # where a text knows it, the columns do not judge by it
                continue
            start = c.LIMIT_FIELDS * c.BET_CODES[bet]
            stated: tuple[Any, ...] = (
                limits.min,
                limits.max,
                limits.unit,
                limits.smallest_chip,
                limits.multiples_notice,
            )
            for place, value in enumerate(stated):
                found[start + place] = -1 if value is None else int(value)
            for box, most in (limits.box_max or {}).items():
                asks |= bet != MAIN_BET
                if bet == MAIN_BET:
                    found[c.BOX_MAX + box] = most
        minima = {bet: one.min for bet, one in round_.limits.items() if one.min is not None}
        key = (*found, *minima.items(), round_.options)
        if key not in self.limit_rows:
            self.limit_rows[key] = len(self.limits)
            self.limits.append(tuple(found))
            self.minima.append(minima)
            self.settings.append(round_.options)
        return self.limit_rows[key], asks

    def batch(self) -> c.Batch:
        import numpy as np

        return c.Batch(
            np.array(self.rounds, np.int64).reshape(-1, c.ROUND_WIDTH),
            np.array(self.events, np.int32).reshape(-1, c.EVENT_WIDTH),
            np.array(self.amounts, np.int64),
            np.array(self.limits, np.int64).reshape(-1, c.LIMIT_WIDTH),
            np.array(self.players, np.int64).reshape(-1, c.PLAYER_WIDTH),
            np.frombuffer(bytes(self.text), np.uint8),
            minima=self.minima,
            settings=self.settings,
            announced=self.announced,
        )


def flatten(rounds: Iterable[r.Round], books: Iterable[str]) -> c.Batch:
    builder = Builder(books)
    for round_ in rounds:
        builder.add(round_)
    return builder.batch()


def _event(event: r.Event) -> tuple[list[int], int, bool]:
    """The columns of an event, its amount, and whether they cannot say all of it."""
    flat = [-1] * c.EVENT_WIDTH
    flat[c.MARKS] = 0
    amount: int | None = None
    odd = False
    box = getattr(event, "box", None)
    hand = getattr(event, "hand", None)
    flat[c.BOX] = -1 if box is None else box
    flat[c.HAND] = 0 if hand is None else hand
    match event:
        case r.Wager(bet=bet) if bet not in c.BET_CODES:
            kind, odd = c.WAGER, True
            flat[c.MARKS] = _marks(event)
        case r.Settle(bet=bet) if bet not in c.BET_CODES:
            kind, odd = c.NOTE, True
        case r.Play(do=do) if do not in c.PLAY_CODES:
            kind, odd = c.NOTE, True
        case r.Wager():
            kind, amount = c.WAGER, event.stake
            flat[c.HAND] = 1
            flat[c.WHAT] = c.BET_CODES[event.bet]
            flat[c.MARKS] = _marks(event)
            if event.player_card:
                flat[c.HOLDER] = text_hash(event.player_card.encode()) & c.HOLDERS
            odd = event.chips_held is not None or event.wins is not None
        case r.Deal():
            kind = c.DEAL
            flat[c.CARD] = c.CARD_CODES[event.card]
            flat[c.MARKS] = c.DOWN * bool(event.down)
            odd = event.to is not None
        case r.Play():
            kind, amount, odd = c.PLAY, event.stake, event.bet is not None
            flat[c.WHAT] = c.PLAY_CODES[event.do]
        case r.Settle():
            kind, amount = c.SETTLE, event.returned
            flat[c.WHAT] = c.BET_CODES[event.bet]
        case r.Burn():
            kind = c.BURN
            flat[c.CARD] = -1 if event.card is None else c.CARD_CODES[event.card]
        case r.Adjust():
            kind, amount = c.ADJUST, event.amount
            flat[c.WHAT] = c.BET_CODES.get(event.bet or "", -1)
            odd = event.bet is not None and event.bet not in c.BET_CODES
        case r.Irregularity():
            kind = c.IRREGULARITY
            flat[c.WHAT] = c.RECORD_CODES.get(event.what, -1)
            odd = bool(event.said)
        case r.Announce():
            kind = c.ANNOUNCE
            flat[c.WHAT] = c.OPTION_CODES.get(event.what, -1)
        case r.Reveal() | r.Peek():
            kind = c.REVEAL if isinstance(event, r.Reveal) else c.PEEK
            odd = event.to is not None or hand is not None
        case r.Unknown() | r.Designate():
            kind, odd = c.NOTE, True
        case _:
            kind = _OTHER[type(event)]
    flat[c.KIND] = kind
    odd |= box is not None and not 0 <= box <= r.BOX_MAX
    return flat, c.NO_AMOUNT if amount is None else amount, odd


_OTHER = {
    r.CutCard: c.CUT_CARD,
    r.Shuffle: c.SHUFFLE,
    r.NoMoreBets: c.NO_MORE_BETS,
    r.Offer: c.OFFER,
    r.Absent: c.ABSENT,
    r.Approve: c.APPROVE,
    r.Void: c.VOID,
    r.Malfunction: c.MALFUNCTION,
    r.Refuse: c.REFUSE,
    r.Warn: c.WARN,
    r.Withdraw: c.WITHDRAW,
    r.Note: c.NOTE,
}


def _marks(event: r.Wager) -> int:
    def two_bits(value: bool | None) -> int:
        return 0 if value is None else 2 if value else 1

    card = event.player_card
    return (
        c.CONTROL * event.control
        | two_bits(event.seated) << c.SEATED_SHIFT
        | two_bits(None if card is None else bool(card)) << c.PLAYER_CARD_SHIFT
        | two_bits(event.recognised) << c.RECOGNISED_SHIFT
        | two_bits(event.joined_after_change) << c.JOINED_SHIFT
        | two_bits(event.in_order) << c.IN_ORDER_SHIFT
        | c.UNDISCLOSED * event.undisclosed
        | c.CHIPS_HELD * (event.chips_held is not None)
    )
