"""One round of a log with what its shoe told before: of a long log without reading all of it."""

from __future__ import annotations

from typing import Final

from checker.log.decode import DecodeError, decode_line
from checker.log.model import Deal, Round, Shuffle
from checker.log.places import Places, places_of, spelt_plainly
from checker.log.read import BOM, MAX_LINE, read_log
from checker.table.mechanics import ordinary
from checker.table.shoes import ShoeTracker, ShoeView

_WORTH_IT: Final = 2**24  # bytes
_FEW: Final = 4  # rounds: as far back as an announcement holds
# What tells something of all that follows at a table, or in the log.
_ONCE: Final = tuple(f'"{word}"'.encode() for word in ("cut_card", "burn", "shuffle"))
_ONCE_SEEN: Final = ("cut_cards_seen", "burns_seen", "shuffles_seen")
_EVERY: Final = tuple(f'"{word}"'.encode() for word in ("warn", "announce"))
_ANYWHERE: Final = (b'"warn"', b'"player_card"')


def find_round(
    log: str, name: str, table: str | None = None, worth_it: int = _WORTH_IT
) -> tuple[Round, ShoeView] | None:
    """The first round of that id; LogError where the log cannot be read."""
    places = places_of(log, worth_it, (*_ONCE, *_EVERY, *_ANYWHERE))
    if places is not None:
        try:
            if places.plain and spelt_plainly(name):
                found = _find(places, name, table)
                if found is not None or not places.has(name):
                    return found
        finally:
            places.close()
    return _by_reading(log, name, table)


def _by_reading(log: str, name: str, table: str | None) -> tuple[Round, ShoeView] | None:
    shoes = ShoeTracker()
    for line in read_log(log):
        if isinstance(line, Round):
            view = shoes.view(line)
            if line.id == name and table in (None, line.table):
                return line, view
            shoes.after(line)
    return None


def _find(places: Places, name: str, table: str | None) -> tuple[Round, ShoeView] | None:
    for start, number, line in places.lines_of(name):
        round_ = _decoded(line, number)
        if round_ is not None and round_.id == name and table in (None, round_.table):
            if spelt_plainly(round_.table):
                return round_, _shoes_before(places, round_, start).view(round_)
            return None
    return None


def _decoded(line: bytes, number: int = 1) -> Round | None:
    try:
        text = line.removeprefix(BOM) if number == 1 else line
        return decode_line(text, number) if len(line) <= MAX_LINE else None
    except DecodeError:
        return None


def _shoes_before(places: Places, round_: Round, start: int) -> ShoeTracker:
    """As if all that stands before the round had been read."""
    shoes = ShoeTracker()
    for one in _its_shoe(places, round_, start):
        _add(shoes, one)
    _add_past(shoes, places, round_, start)
    for word, flag in zip(_ANYWHERE, ("warnings_seen", "player_cards_seen"), strict=True):
        for line in places.lines_with(word, start):
            if getattr(shoes, flag):
                break
            elsewhere = ShoeTracker()
            if (other := _decoded(line)) is not None:
                _add(elsewhere, other)
                setattr(shoes, flag, getattr(elsewhere, flag))
    return shoes


def _add(shoes: ShoeTracker, round_: Round) -> None:
    shoes.view(round_)
    shoes.after(round_)


def _its_shoe(places: Places, round_: Round, start: int) -> list[Round]:
    """The rounds of the table since the shoe began, one before it, and some at least."""
    found: list[Round] = []
    whole = False
    for line in places.lines_back(round_.table, start):
        one = _decoded(line)
        if one is None or (one.rulebook, one.table) != (round_.rulebook, round_.table):
            continue
        found.append(one)
        if whole and len(found) >= _FEW:
            break
        # a shoe that ends here, or one of which this is the first round
        whole = whole or one.shoe != round_.shoe or _begins_or_ends_a_shoe(one)
    return found[::-1]


def _begins_or_ends_a_shoe(round_: Round) -> bool:
    events = round_.events
    cards = [n for n, event in enumerate(events) if isinstance(event, Deal)]
    shuffles = [n for n, event in enumerate(events) if isinstance(event, Shuffle)]
    return bool(shuffles) and (not cards or shuffles[0] < cards[0] or shuffles[-1] > cards[-1])


def _add_past(shoes: ShoeTracker, places: Places, round_: Round, start: int) -> None:
    """What stays known of a table once it was seen, however long ago."""
    known = shoes.tables.get((round_.rulebook, round_.table))
    if known is None:
        return
    telling = tuple(f'"{play}"'.encode() for play in sorted(ordinary().telling))
    once: list[tuple[tuple[bytes, ...], str]] = [
        ((word,), flag) for word, flag in zip(_ONCE, _ONCE_SEEN, strict=True)
    ]
    once.append((telling, "decisions_seen"))
    every = [word for word in _EVERY if word not in places.absent]
    for line in places.lines_back(round_.table, start):
        asked = [w for words, flag in once if not getattr(known, flag) for w in words]
        asked = [word for word in (*asked, *every) if word not in places.absent]
        if not asked:
            return
        one = _decoded(line) if any(word in line for word in asked) else None
        if one is None or (one.rulebook, one.table) != (round_.rulebook, round_.table):
            continue
        alone = ShoeTracker()
        _add(alone, one)
        other = alone.tables[one.rulebook, one.table]
        for _, flag in once:
            setattr(known, flag, getattr(known, flag) or getattr(other, flag))
        known.warned |= other.warned
        known.announced |= other.announced
