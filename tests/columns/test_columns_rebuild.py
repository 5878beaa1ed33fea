"""Rounds that are built from columns are those that the strict decoder makes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from checker.log.decode import decode_round
from tests.log.test_convert import convert, lines, write

pytest.importorskip("numba")
pytest.importorskip("pyarrow")

from checker.columns import batch as to
from checker.columns.gather import Reading
from checker.columns.parquet.prune import groups
from checker.columns.parquet.read import Part, parts_of
from checker.replay.replay import Filter

WAGER = {"e": "wager", "box": 1, "player": "P", "bet": "main", "stake": 5}
EVENTS: list[dict[str, object]] = [
    {**WAGER, "control": True, "seated": True, "player_card": "C 17"},
    {**WAGER, "player": "Q", "bet": "perfect_pairs", "seated": False},
    {"e": "burn"},
    {"e": "burn", "card": "JOKER"},
    {"e": "cut_card"},
    {"e": "cut_card", "box": 0},
    {"e": "shuffle"},
    {"e": "no_more_bets"},
    {"e": "deal", "box": 1, "card": "AS"},
    {"e": "deal", "box": 0, "hand": 2, "card": "JOKER"},
    {"e": "play", "box": 1, "player": "P", "do": "double", "stake": 3},
    {"e": "play", "box": 1, "hand": 2, "player": "P", "do": "stand"},
    {"e": "settle", "box": 1, "player": "P", "bet": "super_bonus", "returned": 0},
    {"e": "settle", "box": 1, "hand": 1, "player": "P", "bet": "main", "returned": 12},
]


ROUND: dict[str, object] = {
    "format": 1,
    "round": "r",
    "table": "T",
    "shoe": "S",
    "at": "2024-09-02T12:00:00+10:00",
    "rulebook": "nsw-star-pontoon",
    "decks": 6,
    "options": ["resplit"],
    "limits": {},
    "events": [],
}


def line(**but: object) -> bytes:
    """As `rulespec simulate` writes it."""
    return json.dumps(ROUND | but, separators=(",", ":")).encode()


def both(raw: list[bytes], folder: Path) -> tuple[int, int]:
    """How many rounds there are, and how many of them were built from columns."""
    assert convert(write(folder / "a.jsonl", raw), folder / "a.parquet") == 0
    reading, rounds, built = Reading((), Filter()), 0, 0
    for part in parts_of(groups(str(folder / "a.parquet"), False, None)):
        assert isinstance(part, Part)
        gathered = reading.gathered(0, "a", reading.scanned(part))
        for row, found in enumerate(gathered.batch.rounds):
            rounds += 1
            one = None if row in gathered.decoded else part.rebuilt(gathered.batch, row)
            if one is None:
                continue
            built += 1
            other = decode_round(part.row_at(row), int(found[to.LINE]))
            assert one == other
            assert one.at.isoformat() == other.at.isoformat()
            assert gathered.round_at(row) == other
    return rounds, built


def test_rounds_of_every_rulebook(tmp_path: Path) -> None:
    raw = lines(200)
    rounds, built = both(raw, tmp_path)
    assert rounds == len(raw)
    assert built > 0.9 * rounds


def test_every_event_that_the_columns_hold(tmp_path: Path) -> None:
    raw = [line(round=f"{k}", events=EVENTS[: k + 1]) for k in range(len(EVENTS))]
    assert both(raw, tmp_path) == (len(EVENTS), len(EVENTS))


def test_what_they_do_not_hold_is_left_to_the_decoder(tmp_path: Path) -> None:
    offer = {"e": "offer", "what": "insurance"}
    chips = {**WAGER, "chips_held": 7}
    raw = [line(), line(round="2", events=[offer]), line(round="3", events=[chips])]
    assert both(raw, tmp_path) == (3, 1)
