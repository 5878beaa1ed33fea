"""Events of Parquet with any words: what machine code reads, the strict decoder reads alike."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from checker.log.decode import DecodeError, decode_round
from checker.log.parquet_layout import IN_EVENTS, schema, writer

pytest.importorskip("numba")
np = pytest.importorskip("numpy")
pa = pytest.importorskip("pyarrow")

from checker.columns import batch as to
from checker.columns.parquet import read as from_parquet
from checker.columns.parquet.prune import groups
from checker.columns.read.flatten import flatten
from checker.columns.read.heads import Heads
from checker.columns.read.scan import SCANNED
from tests.columns.test_columns_scan import BOOKS, row_differs

ROUNDS = 4000
WORDS: dict[str, list[Any]] = {
    "e": [*to.KINDS, "sleep", ""],
    "box": [-2, -1, 0, 1, 5, 9, 10, 127],
    "hand": [-1, 0, 1, 2, 99, 100],
    "player": ["", "P1", "P2", "a player with a longer name"],
    "what": [
        "",
        *to.PLAYS,
        *to.BETS,
        "main control",
        "main seated",
        "main control standing",
        "perfect_pairs seated",
        "insurance control",
        "main standing seated",
        "no_word",
    ],
    "card": ["", "AS", "TD", "1S", "A", "JOKER", "joker", "C0017"],
    "cents": [-2, -1, 0, 1, 500, 10**12, 10**12 + 1, 10**15, 10**15 + 1],
}
# what an event of a kind has at best, so that some rounds are good
USUAL: dict[str, dict[str, list[Any]]] = {
    "wager": {
        "box": [1, 9],
        "player": ["P1", "P2"],
        "what": ["main", "main control"],
        "card": ["", "C0017", "AS"],
        "cents": [500, 10**12],
    },
    "deal": {"box": [0, 5], "hand": [0, 2], "card": ["AS", "JOKER"]},
    "play": {"box": [1], "hand": [0, 1], "player": ["P1"], "what": ["hit"], "cents": [-1, 1]},
    "settle": {"box": [5], "hand": [0, 99], "player": ["P2"], "what": ["main"], "cents": [0, 500]},
    "burn": {"card": ["", "TD"]},
    "cut_card": {"box": [-1, 0]},
    "shuffle": {},
    "no_more_bets": {},
    "absent": {"box": [1], "player": ["P1"]},
}
NOTHING = {"box": -1, "hand": 0, "player": "", "what": "", "card": "", "cents": -1}


def an_event(rng: random.Random) -> dict[str, Any]:
    kind = rng.choice([*USUAL])
    event = {"e": kind, **NOTHING, **{k: rng.choice(v) for k, v in USUAL[kind].items()}}
    if rng.random() < 0.1:
        name = rng.choice(IN_EVENTS)
        event[name] = rng.choice(WORDS[name])
    return event


def is_usual(event: dict[str, Any]) -> bool:
    usual = USUAL.get(event["e"])
    return usual is not None and all(event[k] in usual.get(k, [v]) for k, v in NOTHING.items())


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = random.Random(12)
    rows = [
        {
            "round": f"R{n}",
            "table": "T1",
            "shoe": "S",
            "at": "2024-08-20T21:14:03+10:00",
            "rulebook": BOOKS[0],
            "decks": 6,
            "options": "[]",
            "limits": '{"main":{"min":5}}',
            "events": [an_event(rng) for _ in range(rng.randrange(6))],
        }
        for n in range(ROUNDS)
    ]
    path = tmp_path_factory.mktemp("events") / "a.parquet"
    with writer(path) as made:
        made.write_table(pa.Table.from_pylist(rows, schema()))
    return path


def test_what_is_read_here_the_strict_decoder_reads_alike(log: Path) -> None:
    (part,) = from_parquet.parts_of(groups(str(log), False, None))
    assert isinstance(part, from_parquet.Part)
    found = part.scan()
    limits = Heads(BOOKS).complete(found)
    batch = to.Batch(found.rounds, found.events, found.amounts, limits, found.players, found.data)
    read = found.spans[:, SCANNED] == 1
    for row in range(ROUNDS):
        try:
            round_ = decode_round(part.row_at(row), row + 1)
        except DecodeError:
            assert not read[row], part.row_at(row)
            continue
        if not read[row]:
            assert not all(map(is_usual, part.batch.column("events")[row].as_py()))
            continue
        wanted = flatten([round_], BOOKS)
        wanted.rounds = np.repeat(wanted.rounds, row + 1, axis=0)
        assert row_differs(batch, wanted, row) is None, part.row_at(row)
    assert ROUNDS // 3 < np.count_nonzero(read) < ROUNDS
