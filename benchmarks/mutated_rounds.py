"""Rounds that were changed at random, judged by the columns and plainly: both must say the same.

    python benchmarks/mutated_rounds.py [ROUNDS] [SEED]

Half of the changed lines are changed byte by byte (most are then no rounds), half event by event
(most are then rounds that break a rule). What the columns do not pass is decided by the strict
decoder and the plain evaluator in either engine: so each line that they pass is given to both of
them, and of one piece in ten both reports are compared as a whole. Exit status 1 at the first
difference in a verdict, in what is quarantined, or in the count; the lines that show it are kept.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from rounds_to_measure import RULEBOOKS, block  # noqa: E402

from checker.columns import layout as to  # noqa: E402
from checker.columns.run import _Run, _source, replay_columns  # noqa: E402
from checker.decode import DecodeError  # noqa: E402
from checker.exact_json import dumps  # noqa: E402
from checker.log import Quarantined  # noqa: E402
from checker.replay import (  # noqa: E402
    Filter,
    Library,
    Summary,
    judge_by,
    judge_round,
    replay,
)
from checker.rounds import CARDS, PLAYS, SETTLE_BETS  # noqa: E402
from checker.workers import Workers  # noqa: E402
from rulespec.load import load, shipped  # noqa: E402

PIECE = 5000  # lines that are made and changed at a time
SHARE = 0.7  # of them are changed; the others keep the shoes going
WHOLE = 10  # of one piece in so many the whole reports are compared,
WHOLE_ROUNDS = 500  # as far as these lines
BLOCKS = 4  # logs to change, of each rulebook
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


def passed_wrongly(log: Path, library: Library, lines: set[int]) -> tuple[int, str | None]:
    """How many of these lines the columns pass, and the first that they should not have passed.

    What they do not pass the strict decoder and the plain evaluator decide in either engine, so
    only what they pass can be wrong."""
    passed = 0
    with Workers(partial(judge_by, library), 1) as workers:
        run = _Run(library, Filter(), Summary(), workers)
        rows = 0
        for found in run.one_by_one(_source([str(log)], Filter())):
            rows += len(found.gathered.batch.rounds)
            numbers = found.gathered.batch.rounds[:, to.LINE].tolist()
            mine = [row for row, ok in enumerate(found.passed) if ok and numbers[row] in lines]
            passed += len(mine)
            try:
                tasks = found.tasks(mine)
            except DecodeError as error:
                return passed, f"the strict decoder does not take a line: {error}"
            for round_, seen in tasks.values():
                for finding in judge_round(round_, library, seen).findings:
                    return passed, f"the columns pass what has {dumps(finding.as_json())}"
        run.prepared.keep()
    there = log.read_bytes().count(b"\n")
    return passed, None if rows == there else f"{there} lines, but {rows} were counted"


def one(job: tuple[str, int, int]) -> tuple[int, int, str | None]:
    """Lines changed and passed of one piece, and what is wrong with it."""
    rulebook, number, seed = job
    rng = random.Random(f"{seed} {number}")
    book = load(shipped()[rulebook]).rulebook
    assert book is not None
    library = Library([book])
    folder = Path(tempfile.gettempdir()) / f"rulespec-mutated-{os.getpid()}"
    folder.mkdir(exist_ok=True)
    block_ = block(rulebook, 0.02, seed + number // WHOLE % BLOCKS, folder, PIECE)
    lines = block_.read_bytes().splitlines()
    some = mutated(lines, rng, SHARE)
    log = folder / "mutated.jsonl"
    log.write_bytes(b"".join(line + b"\n" for line in some))
    changed = {n for n, (old, new) in enumerate(zip(lines, some, strict=True), 1) if old != new}
    passed, wrong = passed_wrongly(log, library, changed)
    if wrong is None and number % WHOLE == 0:
        log.write_bytes(b"".join(line + b"\n" for line in some[:WHOLE_ROUNDS]))
        wrong = difference(log, library)
    if wrong is not None:
        kept = Path(f"mutated-{seed}-{number}.jsonl")
        kept.write_bytes(log.read_bytes())
        wrong = f"{rulebook}, kept in {kept}:\n{wrong}"
    return len(changed), passed, wrong


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    done = passed = 0
    begun = time.monotonic()
    jobs = ((RULEBOOKS[n % len(RULEBOOKS)], n, seed) for n in count())
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        waiting: deque[Future[tuple[int, int, str | None]]] = deque()
        while done < rounds:
            while len(waiting) < 2 * (os.cpu_count() or 1):
                waiting.append(pool.submit(one, next(jobs)))
            changed, clean, wrong = waiting.popleft().result()
            if wrong is not None:
                print(f"after {done:,} changed rounds, {wrong}")
                return 1
            done, passed = done + changed, passed + clean
            rate = done / (time.monotonic() - begun)
            print(f"{done:,} changed rounds, {passed:,} passed by the columns, "
                  f"{rate:,.0f} a second", file=sys.stderr)  # fmt: skip
        for left in waiting:
            left.cancel()
    print(f"{done:,} changed rounds, of which the columns passed {passed:,}: no difference")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
