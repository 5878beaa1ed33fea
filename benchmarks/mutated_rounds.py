"""Rounds that were changed at random, judged by the columns and plainly: both must say the same.

    python benchmarks/mutated_rounds.py [ROUNDS] [SEED]

Half of the lines are changed byte by byte (most are then no rounds), half event by event (most are
then rounds that break a rule). Exit status 1 at the first difference in a verdict, in what is
quarantined, or in the summary; the lines that show it are kept.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from rounds_to_measure import RULEBOOKS, block  # noqa: E402

from checker.columns.run import replay_columns  # noqa: E402
from checker.exact_json import dumps  # noqa: E402
from checker.log import Quarantined  # noqa: E402
from checker.replay import Filter, Library, Summary, replay  # noqa: E402
from checker.rounds import CARDS, PLAYS, SETTLE_BETS  # noqa: E402
from rulespec.load import load, shipped  # noqa: E402

PIECE = 2000  # rounds that are compared at a time
_BYTES = b'0123456789"{}[],:.- eE+AKTJQSHDCtfn\\\xc3\x00'
_SELDOM = (
    {"e": "cut_card"}, {"e": "shuffle"}, {"e": "no_more_bets"}, {"e": "burn"},
    {"e": "irregularity", "what": "no_cut_card"}, {"e": "announce", "what": "last_rounds"},
    {"e": "offer", "what": "insurance"}, {"e": "void", "scope": "round"},
    {"e": "warn", "player": "P010001", "what": "under_minimum"},
)  # fmt: skip


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


def by_events(raw: bytes, rng: random.Random) -> bytes:
    """A round in which something else happened."""
    round_ = json.loads(raw)
    events: list[dict[str, Any]] = round_["events"]
    for _ in range(rng.choice((1, 1, 2))):
        if not events:
            break
        at = rng.randrange(len(events))
        match rng.randrange(9):
            case 0:
                del events[at]
            case 1:
                events.insert(at, dict(rng.choice(events)))
            case 2:
                other = rng.randrange(len(events))
                events[at], events[other] = events[other], events[at]
            case 3:
                events.insert(at, dict(rng.choice(_SELDOM)))
            case 4:
                round_["decks"] = rng.randrange(1, 9)
            case 5:
                rng.shuffle(round_["options"])
                round_["options"] = round_["options"][1:]
            case _:
                _change(events[at], events, rng)
    return json.dumps(round_, separators=(",", ":")).encode()


def _change(event: dict[str, Any], events: list[dict[str, Any]], rng: random.Random) -> None:
    players = sorted({e["player"] for e in events if "player" in e}) or ["P"]
    values = {
        "box": rng.randrange(10), "hand": rng.randrange(1, 4), "card": rng.choice(sorted(CARDS)),
        "player": rng.choice(players), "do": rng.choice(sorted(PLAYS)),
        "bet": rng.choice(sorted(SETTLE_BETS)), "player_card": None, "control": True,
        "stake": rng.choice((1, 2.5, 5, 10, 24.5, 25, 1000)),
        "returned": rng.choice((0, 2.5, 5, 10, 20, 25, 50, 37.5)),
    }  # fmt: skip
    there = [key for key in event if key in values]
    key = rng.choice(there) if there and rng.random() < 0.9 else rng.choice(sorted(values))
    event[key] = values[key]


def mutated(lines: list[bytes], rng: random.Random, share: float = 0.5) -> list[bytes]:
    """The lines in their order, some of them changed."""
    made = []
    for raw in lines:
        if rng.random() >= share:
            made.append(raw)
        elif rng.random() < 0.5:
            made.append(by_bytes(raw, rng))
        else:
            made.append(by_events(raw, rng))
    return made


def told(results: Any, summary: Summary) -> str:
    """All that a replay says, as one text."""
    said = []
    for one in results:
        if isinstance(one, Quarantined):
            said.append(f"{one.line} {one.raw!r} {one.reason} {one.cut_off}")
        else:
            said += [dumps(finding.as_json()) for finding in one.shown]
    summary.engine = ""
    return "\n".join([*said, dumps(summary.as_json())])


def difference(log: Path, library: Library, jobs: int = 1) -> str | None:
    """The first line in which the two engines differ."""
    wanted = Filter()
    summary = Summary()
    plain = told(replay([log], library, wanted, summary, jobs), summary)
    summary = Summary()
    fast = told(replay_columns([log], library, wanted, summary, jobs), summary)
    if plain == fast:
        return None
    for one, other in zip(plain.splitlines(), fast.splitlines(), strict=False):
        if one != other:
            return f"plain:   {one}\ncolumns: {other}"
    return "one says more than the other"


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    books = {name: load(shipped()[name]).rulebook for name in RULEBOOKS}
    library = Library([book for book in books.values() if book is not None])
    rng = random.Random(seed)
    done, begun = 0, time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        while done < rounds:
            rulebook = RULEBOOKS[done // PIECE % len(RULEBOOKS)]
            lines = block(rulebook, 0.05, seed, folder).read_bytes().splitlines()
            first = rng.randrange(len(lines) - min(PIECE, rounds - done) + 1)
            log = folder / "mutated.jsonl"
            some = mutated(lines[first : first + min(PIECE, rounds - done)], rng)
            log.write_bytes(b"".join(line + b"\n" for line in some))
            found = difference(log, library)
            if found is not None:
                kept = Path(f"mutated-{seed}-{done}.jsonl")
                kept.write_bytes(log.read_bytes())
                print(f"after {done:,} rounds, {rulebook}, kept in {kept}:\n{found}")
                return 1
            done += len(some)
            rate = done / (time.monotonic() - begun)
            print(f"{done:,} rounds, {rate:,.0f} a second", file=sys.stderr)
    print(f"{done:,} mutated rounds, no difference")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
