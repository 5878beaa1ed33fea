"""Rounds that were changed at random, judged by the columns and plainly: both must say the same.

    python benchmarks/mutated_rounds.py [ROUNDS] [SEED]

A log is changed line by line (`mutations`) and read twice: by the columns, and strictly, as the
plain engine does. Each line must be the same round, or no round for the same reason, in both; the
columns must hold what the strict decoder read. What the columns do not pass the plain evaluator
decides in either engine: so each changed round that they pass is judged by it, with what the plain
engine knows of the shoe, and it must find nothing and count as many wagers. Where they pass all of
a round but the money of some boxes, it must find the same in the whole round as in that money. The
same goes for the rounds that follow a change to a shoe. Now and then the whole reports of both
engines are compared.

Exit status 1 at the first difference or crash, with the lines that show it kept in a file; 130 on
Ctrl-C.
"""

from __future__ import annotations

import gc
import os
import random
import sys
import tempfile
import time
import traceback
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

import numpy as np  # noqa: E402
from mutations import changed, smaller  # noqa: E402
from rounds_to_measure import RULEBOOKS, block  # noqa: E402

from checker.columns import batch as to  # noqa: E402
from checker.columns import judge_batch as columns  # noqa: E402
from checker.columns.gather import Reading  # noqa: E402
from checker.columns.gathered import Gathered  # noqa: E402
from checker.columns.prepare import Prepared  # noqa: E402
from checker.columns.read.flatten import Builder  # noqa: E402
from checker.columns.read.json_bytes import PADDING  # noqa: E402
from checker.columns.read.scan import SCANNED  # noqa: E402
from checker.columns.read.source import Lines  # noqa: E402
from checker.columns.run import Found, replay_columns  # noqa: E402
from checker.columns.shoe.state import track_in_steps  # noqa: E402
from checker.judge.findings import Verdict  # noqa: E402
from checker.log.decode import DecodeError, decode_line  # noqa: E402
from checker.log.exact_json import dumps  # noqa: E402
from checker.log.model import Round  # noqa: E402
from checker.log.read import Quarantined  # noqa: E402
from checker.replay.replay import Filter, Library, Summary, judge_round, replay  # noqa: E402
from checker.replay.workers import end_with_parent  # noqa: E402
from checker.table.shoes import ShoeTracker  # noqa: E402
from rulespec.load.load import load, shipped  # noqa: E402

LOG = 5000  # lines of a simulated log
LOGS = 4  # of each rulebook
TURNS = 20  # times that a log is changed before the next one is taken
SHARE = 0.85  # of the lines are changed; the others keep the shoes going
A_JOB = int(0.88 * LOG * SHARE * TURNS)  # about as many rounds; some changes change nothing
PIECE = 1250  # lines that the columns look at together
FOLLOWING = 1  # rounds of a table that are judged plainly after a change to its shoe
WHOLE_ROUNDS = 500  # lines of which the whole reports are compared, in the first turn
THOROUGH = 3  # in one turn of so many all columns are compared with what was read strictly
MOST_ANSWERS = 200_000  # that the columns of a process learn before they begin anew
MOST_JUDGED = 200_000  # rounds that the same plain engine judges


class Differs(Exception):
    """The engines do not say the same."""


class Bench:
    """What a process keeps from one log to the next: the rulebooks, ready for both engines.

    Neither may remember without end. What the columns learn here is not kept for later runs: it
    is mostly about rounds that nobody plays."""

    def __init__(self) -> None:
        found = [load(path).rulebook for path in shipped().values()]
        self.books = [book for book in found if book is not None]
        self.renew_plain()
        self.renew_columns()

    def renew_plain(self) -> None:
        self.library = Library(self.books)
        self.judged = 0

    def renew_columns(self) -> None:
        self.prepared = columns.prepare(Library(self.books))

    def forget(self) -> None:
        """Begin anew where there is too much to remember."""
        if self.judged > MOST_JUDGED:
            self.renew_plain()
        if len(self.prepared.said) > MOST_ANSWERS:
            self.renew_columns()


@dataclass(slots=True)
class Change:
    """A log of which some lines were changed."""

    lines: list[bytes]
    places: set[int]  # of the changed lines, from 0
    shoes: set[int]  # of those that may concern later rounds


def change(lines: list[bytes], rng: random.Random, share: float = SHARE) -> Change:
    made = Change([], set(), set())
    for place, raw in enumerate(lines):
        if rng.random() < share:
            new, shoe = changed(raw, rng)
            if new != raw:
                made.places.add(place)
                if shoe:
                    made.shoes.add(place)
            raw = new
        made.lines.append(raw)
    return made


# --- line by line


@dataclass(slots=True)
class Comparison:
    """Both readings of one changed log. `simulated` are the rounds of the lines as they were."""

    bench: Bench
    log: Change
    simulated: list[Round]
    thorough: bool = True  # compare all that the columns hold of a round
    passed: int = 0  # changed rounds that the columns pass
    doubted: int = 0  # and those that they pass but for some of the money
    tracker: ShoeTracker = field(default_factory=ShoeTracker)
    following: Counter[str] = field(default_factory=Counter)  # rounds to look at, by table

    def run(self) -> None:
        for first, piece, read, found in by_columns(self.bench.prepared, self.log.lines):
            batch = found.gathered.batch
            if len(batch.rounds) != len(piece):
                raise Differs(f"{len(piece)} lines, {len(batch.rounds)} in the columns")
            rounds = self._strictly(first, piece, read, found.gathered)
            if self.thorough:
                self._same_rounds(first, rounds, batch)
            self._plainly(first, rounds, found)

    def _strictly(
        self, first: int, piece: list[bytes], read: list[bool], gathered: Gathered
    ) -> list[Round | None]:
        """The rounds as the plain engine reads them; what is none must be none in the columns.

        Lines that were not scanned the columns leave to the strict decoder themselves: what it
        said is not asked again."""
        bad = dict(gathered.bad)
        rounds: list[Round | None] = []
        for row, raw in enumerate(piece):
            number = first + row + 1
            there = bad.get(row)
            if there is not None and (there.raw != raw or there.line != number):
                raise Differs(f"line {number} is quarantined as {there}")
            round_: Round | None = None
            if there is None and number - 1 not in self.log.places:
                round_ = self.simulated[number - 1]
            elif there is None and read[row]:
                try:
                    round_ = decode_line(raw, number)
                except DecodeError as error:
                    raise Differs(f"line {number} is scanned, but {error.reason}") from None
            elif there is None:
                round_ = gathered.decoded.get(row)
                if round_ is None and raw.strip():
                    raise Differs(f"line {number} is lost")
            rounds.append(round_)
        return rounds

    def _same_rounds(self, first: int, rounds: list[Round | None], batch: to.Batch) -> None:
        """The columns hold what the strict decoder read."""
        builder = Builder(self.bench.prepared.books)
        rows = []
        for row, round_ in enumerate(rounds):
            if round_ is not None and first + row in self.log.places:
                builder.add(round_)
                rows.append(row)
        wanted = builder.batch()
        same = np.array_equal(batch.rounds[rows][:, _OF_A_ROUND], wanted.rounds[:, _OF_A_ROUND])
        for ours, theirs in zip(_parts(batch, rows), _parts(wanted, slice(None)), strict=True):
            same = same and np.array_equal(ours, theirs)
        if not same:
            raise Differs(f"other rounds than those of lines {first + 1} to {first + len(rounds)}")

    def _plainly(self, first: int, rounds: list[Round | None], found: Found) -> None:
        """What the columns pass, as the plain engine judges it."""
        passed, wagers = found.passed.tolist(), found.wagers.tolist()
        for row, round_ in enumerate(rounds):
            if round_ is None:
                if passed[row]:
                    raise Differs(f"line {first + row + 1} is no round, and passed")
                continue
            view = self.tracker.view(round_)
            mine = first + row in self.log.places
            boxes = found.doubts.get(row)
            if (passed[row] or boxes) and (mine or self.following[round_.table] > 0):
                self.bench.judged += 1
                self.passed += mine and passed[row]
                self.doubted += mine and not passed[row]
                verdict = judge_round(round_, self.bench.library, view)
                if boxes is not None:
                    money = judge_round(round_, self.bench.library, view, money_of=boxes)
                    _same_money(verdict, money)
                for finding in verdict.findings if boxes is None else ():
                    raise Differs(f"the columns pass what has {dumps(finding.as_json())}")
                if verdict.wagers != wagers[row]:
                    raise Differs(f"line {round_.line}: {wagers[row]} wagers in the columns")
            self.tracker.after(round_)
            self.following[round_.table] -= 1
            if first + row in self.log.shoes:
                self.following[round_.table] = FOLLOWING


def _same_money(whole: Verdict, money: Verdict) -> None:
    """All that is found in a round is found where only some of its money is judged."""
    if whole.findings != money.findings or whole.reports != money.reports:
        said = [dumps([f.as_json() for f in one.findings]) for one in (whole, money)]
        raise Differs(f"whole round: {said[0]}\nonly money: {said[1]}")
    if not money.tested <= whole.tested:
        raise Differs(f"only the money tests {sorted(money.tested - whole.tested)}")


_OF_A_ROUND = [
    to.STATUS,
    to.EVENTS,
    to.PLAYERS,
    to.BOOK,
    to.TABLE,
    to.SHOE,
    to.DAY,
    to.DECKS,
    to.OPTION_BITS,
    to.LINE,
]


def by_columns(
    prepared: Prepared, lines: list[bytes]
) -> Iterator[tuple[int, list[bytes], list[bool], Found]]:
    """The pieces of a log: where it begins, its lines, which of them were scanned, and what the
    columns say to them."""
    reading = Reading(prepared.books, Filter(), bets=prepared.bets)
    state = columns.ShoeState.empty()
    for first in range(0, len(lines), PIECE):
        piece = lines[first : first + PIECE]
        scanned = reading.scanned(_piece(piece))
        read = (scanned.found.spans[:, SCANNED] == 1).tolist()
        gathered = reading.gathered(0, "", scanned)
        states = track_in_steps(gathered.batch, state)
        yield first, piece, read, Found.judged(gathered, states, prepared, columns.Tally())


def _piece(lines: list[bytes]) -> Lines:
    joined = b"".join([*(raw + b"\n" for raw in lines), bytes(PADDING)])
    return Lines(np.frombuffer(joined, np.uint8), len(joined) - PADDING)


def _parts(batch: to.Batch, rows: Any) -> Iterator[Any]:
    """The limits, events, amounts and players of some rounds, one after the other."""
    rounds = batch.rounds[rows]
    yield batch.limits[rounds[:, to.LIMITS]]
    at = _ranges(rounds[:, to.FIRST_EVENT], rounds[:, to.EVENTS])
    yield batch.events[at, : to.COPIES]
    yield batch.amounts[at]
    players = batch.players[_ranges(rounds[:, to.FIRST_PLAYER], rounds[:, to.PLAYERS])]
    yield players[:, to.NAME]
    yield batch.text[_ranges(players[:, to.NAME_START], players[:, to.NAME_LENGTH])]


def _ranges(starts: Any, sizes: Any) -> Any:
    ends = np.cumsum(sizes)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + sizes, sizes)


# --- the whole reports


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


# --- ten million of them


@dataclass(frozen=True, slots=True)
class Done:
    """What became of one simulated log."""

    rulebook: str
    changed: int = 0
    passed: int = 0
    doubted: int = 0
    seconds: float = 0.0  # of the processor
    wrong: str | None = None


_bench: Bench | None = None  # of a process


def one(rulebook: str, number: int, seed: int, folder: Path, turns: int = TURNS) -> Done:
    """Change one simulated log again and again."""
    global _bench
    lines = block(rulebook, 0.02, seed + number % LOGS, folder, LOG).read_bytes().splitlines()
    begun = time.process_time()
    if _bench is None:
        _bench = Bench()
    _bench.forget()
    rng = random.Random(f"{seed} {rulebook} {number}")
    lines = _small(lines, _bench.prepared, rng)
    simulated = [decode_line(raw, line) for line, raw in enumerate(lines, 1)]
    gc.disable()  # it would look through all that the engines remember again and again
    gc.freeze()
    many = passed = doubted = 0
    wrong = None
    for turn in range(turns):
        log = change(lines, rng)
        comparison = Comparison(_bench, log, simulated, turn % THOROUGH == 0)
        try:
            comparison.run()
            if turn == 0:
                _whole(log.lines[:WHOLE_ROUNDS], _bench.library, folder)
        except Exception as error:
            kept = Path(f"mutated-{rulebook}-{seed}-{number}-{turn}.jsonl")
            kept.write_bytes(b"".join(raw + b"\n" for raw in log.lines))
            said = str(error) if isinstance(error, Differs) else traceback.format_exc()
            wrong = f"{rulebook}, kept in {kept}:\n{said}"
            break
        many, passed = many + len(log.places), passed + comparison.passed
        doubted += comparison.doubted
        gc.collect()
    gc.unfreeze()
    return Done(rulebook, many, passed, doubted, time.process_time() - begun, wrong)


def _small(lines: list[bytes], prepared: Prepared, rng: random.Random) -> list[bytes]:
    """Rounds of few boxes break a rule as well as those of many, and cost less. Where a round is
    not clean without the others it stays as it was."""
    made = list(lines)
    for _ in range(3):
        tried = [
            smaller(raw, rng) if one is raw else one for one, raw in zip(made, lines, strict=True)
        ]
        clean = [ok for *_, found in by_columns(prepared, tried) for ok in found.passed.tolist()]
        made = [one if ok else raw for one, ok, raw in zip(tried, clean, lines, strict=True)]
    return made


def _whole(lines: list[bytes], library: Library, folder: Path) -> None:
    log = folder / f"mutated-{os.getpid()}.jsonl"
    log.write_bytes(b"".join(raw + b"\n" for raw in lines))
    wrong = difference(log, library)
    if wrong is not None:
        raise Differs(wrong)


def run(rounds: int, seed: int, folder: Path, cores: int) -> int:
    total: Counter[str] = Counter()
    seconds: dict[str, float] = dict.fromkeys(RULEBOOKS, 0.0)
    passed = doubted = 0
    begun = time.monotonic()
    jobs = (
        partial(one, rulebook, number, seed, folder) for number in count() for rulebook in RULEBOOKS
    )
    with ProcessPoolExecutor(
        cores, get_context("fork"), initializer=end_with_parent, initargs=(os.getpid(),)
    ) as pool:
        waiting: deque[Future[Done]] = deque()
        try:
            while total.total() < rounds:
                most = (rounds - total.total()) // A_JOB + 1
                while len(waiting) < min(2 * cores, most):
                    waiting.append(pool.submit(next(jobs)))
                done = waiting.popleft().result()
                total[done.rulebook] += done.changed
                seconds[done.rulebook] += done.seconds
                passed += done.passed
                doubted += done.doubted
                if done.wrong is not None:
                    print(f"after {total.total():,} changed rounds, {done.wrong}")
                    return 1
                rate = total.total() / (time.monotonic() - begun)
                print(
                    f"{total.total():,} changed rounds, {passed:,} passed by the columns, "
                    f"{rate:,.0f} a second",
                    file=sys.stderr,
                )
        except KeyboardInterrupt:
            print("ended early:", end=" ")
            return 130
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in active_children():  # what they still do is not needed
                worker.terminate()
            print(
                f"{total.total():,} changed rounds, of which the columns passed {passed:,} and "
                f"{doubted:,} but for some of the money"
            )
            for rulebook, many in total.items():
                print(
                    f"  {rulebook}: {many:,}, {1000 * seconds[rulebook] / max(many, 1):.3f} ms each"
                )
    print("no difference")
    return 0


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with tempfile.TemporaryDirectory(prefix="rulespec-mutated-") as folder:
        return run(rounds, seed, Path(folder), os.cpu_count() or 1)


if __name__ == "__main__":
    raise SystemExit(main())
