"""Changes to a recorded round, as its line stands in a log: most leave a round that looks lawful.

A line is taken apart as text, as the simulator writes it, and never read as JSON: what comes out
may be a lawful round, one that breaks a rule, or no round at all.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from checker.log.model import CARDS, SUITS
from rulespec.load.games import ordinary_game

GAME = ordinary_game()

BY_BYTES = 0.3  # of the changes know nothing of what a line is
SPACED = 0.05  # of the lines are written with spaces behind , and :
_BYTES = b'0123456789"{}[],:.- eE+AKTJQSHDCtfn\\\xc3\x00'
_PLAYER = re.compile(rb'"player":"([^"]*)"')
_MONEY = re.compile(rb'"(?:stake|returned)":([0-9.]+)')
_CARD = re.compile(rb'"card":"([^"]*)"')
_BOX = re.compile(rb'"box":([0-9]+)')
_HAND = re.compile(rb',"hand":([0-9]+)')
_LIMIT = re.compile(rb'"(?:min|max|unit|smallest_chip)":([0-9.]+)')
_NOTICE = re.compile(rb'"multiples_notice":(true|false)')
_OPTIONS = re.compile(rb'"options":\[(.*?)\]')
_AT = re.compile(rb'"at":"([0-9]+)-([0-9]+)-([0-9]+)T([0-9]+)')
_DECKS = re.compile(rb'"decks":([0-9]+)')
_NAMED = re.compile(rb'"(?:shoe|table|rulebook)":"([^"]*)"')
_ID = re.compile(rb'"round":"[^"]*"')
_CARDS = sorted(card.encode() for card in CARDS)
_PLAYS = sorted(play.encode() for play in GAME.plays)
_BETS = sorted(bet.encode() for bet in GAME.bets)
_WORDS = [word.encode() for word in GAME.options]
_NAMES = (b"T01", b"T02", b"T01-1", b"act-pontoon", b"act-blackjack", b"nz-pontoon", b"x")
_OF_THE_SHOE = (b'"e":"shuffle"', b'"e":"burn"', b'"e":"cut_card"')
_SELDOM = (
    b'"e":"no_more_bets"',
    b'"e":"offer","what":"insurance"',
    b'"e":"offer","what":"surrender"',
    b'"e":"void","scope":"round"',
    b'"e":"void","scope":"box","box":1',
    b'"e":"note"',
    b'"e":"void","scope":"hand","box":1,"hand":1',
    b'"e":"malfunction"',
    b'"e":"malfunction","disadvantage":true',
    *(b'"e":"irregularity","what":"%s"' % record.encode() for record in GAME.records),
    *(b'"e":"approve","what":"%s"' % word for word in _WORDS[:4]),
)
_ABOUT_PLAYERS = (
    b'"e":"warn",%s,"what":"under_minimum"',
    b'"e":"adjust",%s,"amount":5',
    b'"e":"absent","box":1,%s',
    b'"e":"refuse","box":1,%s',
    b'"e":"withdraw","box":1,%s',
)
_MARKS = (
    b',"control":true',
    b',"control":false',
    b',"seated":true',
    b',"seated":false',
    b',"player_card":null',
    b',"player_card":"C1"',
    b',"recognised":true',
    b',"recognised":false',
    b',"joined_after_change":true',
    b',"joined_after_change":false',
    b',"in_order":false',
    b',"undisclosed":true',
    b',"chips_held":500',
    b',"seat":3',
    b',"control":1',
)


@dataclass(slots=True)
class Line:
    """A line in its parts; the braces of the events are left out."""

    head: bytes
    events: list[bytes]
    shoe: bool = False  # later rounds of the shoe may be concerned

    @classmethod
    def of(cls, raw: bytes) -> Line:
        head, _, rest = raw.partition(b'"events":[{')
        return cls(head, rest[:-3].split(b"},{"))

    def written(self) -> bytes:
        events = b"[{" + b"},{".join(self.events) + b"}]" if self.events else b"[]"
        return self.head + b'"events":' + events + b"}"

    def of_kind(self, kind: bytes) -> list[int]:
        start = b'"e":"' + kind + b'"'
        return [n for n, event in enumerate(self.events) if event.startswith(start)]

    def players(self) -> list[bytes]:
        return sorted(set(_PLAYER.findall(b"".join(self.events)))) or [b"P"]


Way: TypeAlias = Callable[[Line, random.Random], None]


def changed(raw: bytes, rng: random.Random) -> tuple[bytes, bool]:
    """A line in which something is changed, and whether the shoe may be concerned."""
    if rng.random() < BY_BYTES:
        return by_bytes(raw, rng), False
    line = Line.of(raw)
    for _ in range(rng.choice((1, 1, 1, 2))):
        if line.events:
            rng.choice(WAYS)(line, rng)
    made = line.written()
    if rng.random() < SPACED:
        made = made.replace(b'":', b'": ').replace(b',"', b', "').replace(b"},{", b"}, {")
    return made, line.shoe


def smaller(raw: bytes, rng: random.Random) -> bytes:
    """The same round with one or two of its boxes, most often with one player on each."""
    line = Line.of(raw)
    first: dict[bytes, bytes] = {}  # by box: the player of the first wager, who mostly decides
    for n in line.of_kind(b"wager"):
        box, player = _BOX.search(line.events[n]), _PLAYER.search(line.events[n])
        if box and player:
            first.setdefault(box[1], player[1])
    many = min(len(first), rng.choice((1, 1, 1, 1, 1, 1, 1, 2, 2, 9)))
    kept = {b"0", *rng.sample(sorted(first), many)}
    alone = rng.random() < 0.7
    events = line.events
    line.events = []
    for event in events:
        box, player = _BOX.search(event), _PLAYER.search(event)
        if box and box[1] not in kept:
            continue
        if alone and box and player and player[1] != first.get(box[1]):
            continue
        line.events.append(event)
    return line.written()


def by_bytes(raw: bytes, rng: random.Random) -> bytes:
    """A line with bytes changed, put in, taken out or moved."""
    line = bytearray(raw)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at = rng.randrange(len(line))
        match rng.randrange(6):
            case 0:
                line[at] ^= 1 << rng.randrange(8)
            case 1:
                line[at] = rng.choice(_BYTES)
            case 2:
                del line[at]
            case 3:
                line.insert(at, rng.choice(_BYTES))
            case 4:
                del line[at : at + rng.randrange(1, 30)]
            case _:
                piece = line[at : at + rng.randrange(1, 40)]
                there = rng.randrange(len(line))
                line[there:there] = piece
        if not line:
            return raw
    return bytes(line).replace(b"\n", b" ")


# --- events


def _omit(line: Line, rng: random.Random) -> None:
    del line.events[rng.randrange(len(line.events))]


def _repeat(line: Line, rng: random.Random) -> None:
    line.events.insert(rng.randrange(len(line.events) + 1), rng.choice(line.events))


def _exchange(line: Line, rng: random.Random) -> None:
    _swap(line.events, rng.randrange(len(line.events)), rng.randrange(len(line.events)))


def _move(line: Line, rng: random.Random) -> None:
    at = rng.randrange(len(line.events))
    _swap(line.events, at, max(at - 1, 0))


def _swap(events: list[bytes], one: int, other: int) -> None:
    events[one], events[other] = events[other], events[one]


def _seldom(line: Line, rng: random.Random) -> None:
    event = rng.choice(_SELDOM)
    kind = rng.random()
    if kind < 0.03:  # what is announced holds for the rest of the log
        event = b'"e":"announce","what":"%s"' % rng.choice((b"last_rounds", *_WORDS))
    elif kind < 0.3:
        event = rng.choice(_ABOUT_PLAYERS) % (b'"player":"%s"' % rng.choice(line.players()))
        event = event.replace(b'"box":1', _box_of(line, rng))
    line.events.insert(rng.randrange(len(line.events) + 1), event)
    line.shoe = rng.random() < 0.3


def _box_of(line: Line, rng: random.Random) -> bytes:
    found = _BOX.search(rng.choice(line.events))
    return found[0] if found else b'"box":1'


def _mark(line: Line, rng: random.Random) -> None:
    """A wager, or seldom another event, says something more."""
    there = line.of_kind(b"wager") if rng.random() < 0.9 else range(len(line.events))
    if there:
        line.events[rng.choice(there)] += rng.choice(_MARKS)


# --- money


def _settled(line: Line, rng: random.Random) -> None:
    """A settlement is off: by a cent, by a unit, as if another rule had been applied."""
    if there := line.of_kind(b"settle"):
        _off(line, rng.choice(there), rng)


def _staked(line: Line, rng: random.Random) -> None:
    there = line.of_kind(b"wager") + line.of_kind(b"play")
    if there:
        _off(line, rng.choice(there), rng)


def _off(line: Line, at: int, rng: random.Random) -> None:
    found = _MONEY.search(line.events[at])
    if not found:
        line.events[at] += b',"stake":%d' % rng.choice((5, 10, 25, 100))
        return
    cents = round(float(found[1]) * 100)
    step = rng.choice((1, 50, 100, 250, 500, 1000, 2500, cents, cents // 2, cents // 4))
    to = max(0, cents + rng.choice((step, -step)))
    _put(line, at, found, _money(to, rng))


def _money(cents: int, rng: random.Random) -> bytes:
    form = rng.randrange(30)
    if form == 0:
        return rng.choice((b"%d.0", b"%d.00", b"%d.000", b"%de0", b"0%d", b"-%d", b"%d.")) % (
            cents // 100
        )
    if cents % 100 == 0 and form < 25:
        return b"%d" % (cents // 100)
    return b"%d.%02d" % divmod(cents, 100)


def _put(line: Line, at: int, found: re.Match[bytes], new: bytes) -> None:
    line.events[at] = _instead(line.events[at], found, 1, new)


def _instead(text: bytes, found: re.Match[bytes], part: int, new: bytes) -> bytes:
    return text[: found.start(part)] + new + text[found.end(part) :]


def _settled_crosswise(line: Line, rng: random.Random) -> None:
    """Two settlements take each other's money."""
    there = line.of_kind(b"settle")
    if len(there) < 2:
        return
    one, other = rng.sample(there, 2)
    first, second = _MONEY.search(line.events[one]), _MONEY.search(line.events[other])
    if first and second:
        _put(line, one, first, second[1])
        _put(line, other, second, first[1])


def _other_bet(line: Line, rng: random.Random) -> None:
    at = rng.randrange(len(line.events))
    new = b'"bet":"%s"' % rng.choice(_BETS)
    line.events[at] = re.sub(rb'"bet":"[^"]*"', new, line.events[at])


# --- cards


def _other_card(line: Line, rng: random.Random) -> None:
    """A card of another suit, of another rank, or any."""
    there = line.of_kind(b"deal")
    if not there:
        return
    at = rng.choice(there)
    found = _CARD.search(line.events[at])
    if not found:
        return
    old = found[1]
    new = rng.choice(
        (
            old[:1] + rng.choice(SUITS).encode(),
            rng.choice(_CARDS)[:1] + old[1:],
            rng.choice(b"TJQK").to_bytes() + old[1:],
            rng.choice(_CARDS),
        )
    )
    _put(line, at, found, new)


def _cards_crosswise(line: Line, rng: random.Random) -> None:
    there = line.of_kind(b"deal")
    if len(there) < 2:
        return
    one, other = rng.sample(there, 2)
    if rng.random() < 0.5:  # neighbours
        other = there[max(there.index(one) - 1, 0)]
    first, second = _CARD.search(line.events[one]), _CARD.search(line.events[other])
    if first and second:
        _put(line, one, first, second[1])
        _put(line, other, second, first[1])


def _card_less_or_more(line: Line, rng: random.Random) -> None:
    """A player, or the dealer, took one card less or more."""
    there = line.of_kind(b"deal")
    if not there:
        return
    at = rng.choice(there[-4:])
    asked = at > 0 and b'"do":"hit"' in line.events[at - 1]
    if rng.random() < 0.5:
        del line.events[at - asked : at + 1]
    else:
        card = b'"card":"%s"' % rng.choice(_CARDS)
        more = [*line.events[at - asked : at], _CARD.sub(card, line.events[at])]
        line.events[at + 1 : at + 1] = more


# --- who and where


def _play(line: Line, rng: random.Random) -> None:
    """A play more, less or other than there was."""
    there = line.of_kind(b"play")
    how = rng.randrange(3)
    do = b'"do":"%s"' % rng.choice(_PLAYS)
    if there and how == 0:
        del line.events[rng.choice(there)]
    elif there and how == 1:
        at = rng.choice(there)
        line.events[at] = re.sub(rb'"do":"[^"]*"', do, line.events[at])
    else:
        deals = line.of_kind(b"deal") or [0]
        wager = line.events[rng.choice(line.of_kind(b"wager") or [0])]
        who, box = _PLAYER.search(wager), _BOX.search(wager)
        if who and box:
            stake = _MONEY.search(wager) if b"double" in do or b"split" in do else None
            more = b",%s" % stake[0] if stake else b""
            event = b'"e":"play",%s,"hand":1,%s,%s%s' % (box[0], who[0], do, more)
            line.events.insert(rng.choice(deals) + 1, event)


def _other_player(line: Line, rng: random.Random) -> None:
    """Another player in one event, or two who changed places all over the round."""
    players = line.players()
    one, other = rng.choice(players), rng.choice((*players, b"P999999", b"p"))
    if rng.random() < 0.8:
        at = rng.randrange(len(line.events))
        found = _PLAYER.search(line.events[at])
        if found:
            _put(line, at, found, other)
        return
    names = {one: other, other: one}
    line.events = [
        _PLAYER.sub(lambda m: b'"player":"%s"' % names.get(m[1], m[1]), event)
        for event in line.events
    ]
    line.shoe = True


def _other_box(line: Line, rng: random.Random) -> None:
    """Another box in one event, or two boxes that changed places all over the round."""
    at = rng.randrange(len(line.events))
    found = _BOX.search(line.events[at])
    if not found:
        return
    one, other = found[1], b"%d" % rng.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10))
    if rng.random() < 0.6:
        _put(line, at, found, other)
        return
    boxes = {one: other, other: one}
    line.events = [
        _BOX.sub(lambda m: b'"box":' + boxes.get(m[1], m[1]), event) for event in line.events
    ]


def _other_hand(line: Line, rng: random.Random) -> None:
    """Another hand in one event, none, or the hands of a split changed throughout."""
    there = [n for n, event in enumerate(line.events) if b'"hand"' in event]
    if not there:
        return
    at = rng.choice(there)
    found = _HAND.search(line.events[at])
    if not found:
        return
    match rng.randrange(4):
        case 0:
            line.events[at] = _HAND.sub(b"", line.events[at])
        case 1 | 2:
            _put(line, at, found, b"%d" % rng.choice((1, 1, 2, 2, 3, 4, 0)))
        case _:
            hands = {b"1": b"2", b"2": b"1"}
            kind = rng.choice((b"deal", b"settle", b"play"))
            for n in line.of_kind(kind):
                line.events[n] = _HAND.sub(
                    lambda m: b',"hand":' + hands.get(m[1], m[1]), line.events[n]
                )


# --- the table and the shoe


def _shoe(line: Line, rng: random.Random) -> None:
    """A shuffle, burn or cut card too many, too few or elsewhere; cards of another shoe."""
    line.shoe = True
    there = [n for n, event in enumerate(line.events) if event.startswith(_OF_THE_SHOE)]
    if there and rng.random() < 0.5:
        event = line.events.pop(rng.choice(there))
        if rng.random() < 0.5:
            return
    else:
        event = rng.choice((*_OF_THE_SHOE, b'"e":"burn","card":"%s"' % rng.choice(_CARDS)))
    end = len(line.events)
    line.events.insert(rng.choice((0, 1, end, rng.randrange(end + 1))), event)


def _head(line: Line, rng: random.Random) -> None:
    """Other decks, options, limits, time, id, or another shoe, table or rulebook."""
    line.shoe = True
    head = line.head
    match rng.randrange(9):
        case 0:
            head = _DECKS.sub(b'"decks":%d' % rng.randrange(1, 9), head)
        case 1:
            found = _OPTIONS.search(head)
            words = [w for w in found[1].split(b",") if w] if found else []
            word = b'"%s"' % rng.choice(_WORDS)
            words = words[1:] if words and rng.random() < 0.5 else [*words, word]
            rng.shuffle(words)
            head = _OPTIONS.sub(b'"options":[%s]' % b",".join(words), head)
        case 2:
            if stated := list(_LIMIT.finditer(head)):
                one = rng.choice(stated)
                cents = int(float(one[1]) * 100 * rng.choice((0.25, 0.5, 1.5, 2, 3, 10)))
                head = _instead(head, one, 1, _money(cents, rng))
        case 3:
            flip = {b"true": b"false", b"false": b"true"}
            head = _NOTICE.sub(lambda m: b'"multiples_notice":' + flip[m[1]], head)
        case 4:
            part = rng.randrange(1, 5)
            value = b"%02d" % (rng.randrange(2004, 2026) if part == 1 else rng.randrange(0, 30))
            if found := _AT.search(head):
                head = _instead(head, found, part, value)
        case 5:
            if named := list(_NAMED.finditer(head)):
                head = _instead(head, rng.choice(named), 1, rng.choice(_NAMES))
        case 6:
            head = _ID.sub(b'"round":"T01-%06d"' % rng.randrange(300), head)
        case 7:
            word = rng.choice((b"decisions", b"hits", b"weather"))
            head = _DECKS.sub(lambda m: b'%s,"not_recorded":["%s"]' % (m[0], word), head)
        case _:
            field = rng.choice((b"shoe", b"options", b"limits", b"rulebook", b"format"))
            head = re.sub(rb'"%s":(?:"[^"]*"|\[[^]]*\]|\{.*?\}\}|1),' % field, b"", head, count=1)
    line.head = head


WAYS: tuple[Way, ...] = (
    _omit,
    _repeat,
    _exchange,
    _move,
    _move,
    _seldom,
    _mark,
    _settled,
    _settled,
    _settled,
    _settled_crosswise,
    _staked,
    _other_bet,
    _other_card,
    _other_card,
    _cards_crosswise,
    _card_less_or_more,
    _play,
    _play,
    _other_player,
    _other_box,
    _other_hand,
    _shoe,
    _head,
)
