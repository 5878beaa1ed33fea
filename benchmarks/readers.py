"""What merely reading a log costs."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from multiprocessing import Process
from pathlib import Path

from measure import Figure, decode, ratio
from rounds_to_measure import BLOCK, block


def figures(options: argparse.Namespace, path: Path, rulebook: str, seed: int) -> Iterator[Figure]:
    """What is measured: readers of the log `path`, and of a short one of the same kind."""

    def lines() -> None:
        with path.open("rb") as file:
            for _ in file:
                pass

    yield _figure("orjson.loads of each line", lambda: decode(path), path, options)
    yield _figure(
        "the same, half of the log in each of 2 processes", lambda: _halves(path), path, options
    )
    yield _figure("for line in file", lines, path, options)
    if find_spec("msgspec"):
        yield _figure("msgspec, strict types", _strict(path), path, options)
    small = block(rulebook, 0.001, seed, path.parent)
    yield _figure(f"decode, strict, on {BLOCK:,} rounds", _decoder(small), small, options, BLOCK)


def _halves(path: Path) -> None:
    """How much faster two cores of this machine can be at all."""
    half = path.stat().st_size // 2
    both = [Process(target=_decode_part, args=(path, *part)) for part in ((0, half), (half, -1))]
    for one in both:
        one.start()
    for one in both:
        one.join()


def _decode_part(path: Path, start: int, end: int) -> None:
    import orjson

    with path.open("rb") as file:
        file.seek(start)
        if start:
            start += len(file.readline())
        for line in file:
            orjson.loads(line)
            start += len(line)
            if 0 <= end < start:
                return


def _figure(
    what: str, run: Callable[[], object], path: Path, options: argparse.Namespace, rounds: int = 0
) -> Figure:
    found, seconds = ratio(run, path, options.repeats)
    return Figure(what, found, 0, seconds / (rounds or options.rounds) * 1e6)


def _decoder(path: Path) -> Callable[[], None]:
    from checker.log.decode import decode_line

    def run() -> None:
        with path.open("rb") as file:
            for line in file:
                decode_line(line)

    return run


def _strict(path: Path) -> Callable[[], None]:
    from decimal import Decimal
    from typing import Literal

    import msgspec

    kinds = Literal[
        "wager",
        "deal",
        "play",
        "settle",
        "burn",
        "cut_card",
        "shuffle",
        "no_more_bets",
        "offer",
        "warn",
    ]
    texts = [(name, str | None, None) for name in ("player", "card", "bet", "do")]
    numbers = [(name, int | None, None) for name in ("box", "hand")]
    money = [(name, Decimal | None, None) for name in ("stake", "returned")]
    event = msgspec.defstruct("Event", [("e", kinds), *texts, *numbers, *money])
    head = [(name, str) for name in ("round", "table", "at")]
    named = [(name, str | None, None) for name in ("shoe", "rulebook")]
    Round = msgspec.defstruct(
        "Round",
        [*head, ("decks", int), ("events", list[event]), *named],  # type: ignore[valid-type]
    )
    decoder = msgspec.json.Decoder(Round)

    def run() -> None:
        with path.open("rb") as file:
            for line in file:
                decoder.decode(line)

    return run
