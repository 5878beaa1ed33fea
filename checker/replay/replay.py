"""A log of rounds, each judged by the text in force at its time."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from checker.evaluate.engine import Engine
from checker.evaluate.ready import new_engine
from checker.judge.findings import ReplayFinding, Verdict
from checker.judge.judge import judge
from checker.log.known_words import KnownWords
from checker.log.model import Round
from checker.log.read import Quarantined, read_log
from checker.log.repeated_rounds import Copied, Place, SeenRounds
from checker.replay.order import Misplaced, TimeOrder
from checker.replay.saved_trees import Memory
from checker.replay.summary import STRANGER, Summary
from checker.replay.text_place import Text
from checker.replay.workers import Verdicts, Workers
from checker.table.mechanics import Mechanics, ordinary
from checker.table.shoes import ShoeTracker, ShoeView
from rulespec.base.cache import without_collecting
from rulespec.resolve.rulebook import Rulebook

__all__ = [
    "STRANGER",
    "Filter",
    "Judged",
    "Library",
    "Summary",
    "Task",
    "add_clash",
    "book_name",
    "clash",
    "counted",
    "day_there",
    "judge_by",
    "judge_round",
    "not_in_force",
    "replay",
    "strangers",
]

TextKey: TypeAlias = tuple[str, int]  # a rulebook, and how often it had changed by then


class Library:
    """The rulebooks at hand, ready to judge a round by id and day."""

    def __init__(
        self,
        rulebooks: Iterable[Rulebook],
        only: Rulebook | None = None,
        others: Mapping[str, str] | None = None,
    ) -> None:
        """`others`: rulebooks of other games, each with its game, whose rounds `only` must not
        judge."""
        self.rulebooks = {book.id: book for book in rulebooks}
        self.only = only
        self.others = dict(others or {})
        self._turns: dict[str, list[date]] = {}
        self._texts: dict[TextKey, Text] = {}
        self._engines: dict[TextKey, Engine] = {}
        self._ready: dict[tuple[str, date], Engine | None] = {}
        self._memories: dict[int, Memory] = {}  # by the identity of an engine
        self._words: dict[str, KnownWords] = {}
        self._mechanics: dict[str, Mechanics] = {}

    def books(self) -> list[Rulebook]:
        return [self.only] if self.only is not None else list(self.rulebooks.values())

    def book_for(self, round_: Round) -> Rulebook | None:
        if round_.rulebook in self.others:
            return None
        if self.only is not None:
            return self.only
        return self.rulebooks.get(round_.rulebook or "")

    def unknown(self, round_: Round) -> set[tuple[str, str]]:
        """What of a round is not checked, since the game of its rulebook does not know it."""
        book = self.book_for(round_)
        if book is None:
            return set()
        words = self._words.get(book.id)
        if words is None:
            words = self._words[book.id] = KnownWords(book.game)
        return words.unknown(round_)

    def mechanics_of(self, round_: Round) -> Mechanics:
        """What the game of a round lets happen; the ordinary game where nobody knows which."""
        book = self.book_for(round_)
        if book is None:
            return ordinary()
        found = self._mechanics.get(book.id)
        if found is None:
            found = self._mechanics[book.id] = Mechanics(book.game)
        return found

    def text_for(self, book: Rulebook, day: date) -> tuple[TextKey, Text] | None:
        """None when no text of the rulebook was in force on that day."""
        if (book.start is not None and day < book.start) or (
            book.end is not None and day >= book.end
        ):
            return None
        turns = self._turns.get(book.id)
        if turns is None:
            turns = self._turns[book.id] = book.turns
        key = (book.id, bisect_right(turns, day))
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = Text(book.on(day))
        return key, text

    def engine_for(self, book: Rulebook, day: date) -> Engine | None:
        """None when no text of the rulebook was in force on that day."""
        found = self.text_for(book, day)
        if found is None:
            return None
        key, text = found
        if key not in self._engines:
            with without_collecting():
                self._engines[key] = new_engine(text.rules)
        return self._engines[key]

    def ready_engine(self, book: Rulebook, day: date) -> Engine | None:
        """As `engine_for`; it knows what earlier runs asked of the text."""
        if (book.id, day) not in self._ready:
            engine = self.engine_for(book, day)
            if engine is not None and id(engine) not in self._memories:
                found = self.text_for(book, day)
                place = found[1].place("learnt") if found is not None else None
                self._memories[id(engine)] = Memory(engine, place)
            self._ready[book.id, day] = engine
        return self._ready[book.id, day]

    def keep(self) -> None:
        """Let the next run know what this one asked."""
        for memory in self._memories.values():
            memory.keep()


@dataclass(frozen=True, slots=True)
class Filter:
    """Which rounds and findings are shown. Every round is still replayed, so that shoes stay
    whole."""

    table: str | None = None
    start: datetime | None = None
    end: datetime | None = None
    clause: str | None = None
    player: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    rulebook: tuple[str, ...] = ()
    amount: int | None = None  # the least difference in money, in minor units

    def wants(self, round_: Round) -> bool:
        if self.table is not None and round_.table != self.table:
            return False
        if self.start is not None and _at(round_, self.start) < self.start:
            return False
        return self.end is None or _at(round_, self.end) < self.end

    def shows(self, finding: ReplayFinding) -> bool:
        for name in ("player", "kind", "code", "rulebook"):
            asked = getattr(self, name)
            if asked and getattr(finding, name) not in asked:
                return False
        if self.amount is not None and abs(finding.difference or 0) < self.amount:
            return False
        return self.clause is None or self._is_about(self.clause, finding)

    @staticmethod
    def _is_about(asked: str, finding: ReplayFinding) -> bool:
        from rulespec.base.clause_ids import covers

        named = (finding.clause, *(clause for clause, _ in finding.others))
        return any(clause is not None and covers(asked, clause) for clause in named)


def _at(round_: Round, other: datetime) -> datetime:
    """The time of a round, by the casino's own clock where the other time has no zone."""
    return round_.at if other.tzinfo else round_.at.replace(tzinfo=None)


@dataclass(frozen=True, slots=True)
class Judged:
    """A round with what was found in it."""

    round: Round
    verdict: Verdict
    shown: list[ReplayFinding]
    log: str = ""


def replay(
    logs: Iterable[str | Path], library: Library, wanted: Filter, summary: Summary, jobs: int = 1
) -> Iterator[Judged | Quarantined]:
    """Judge the rounds of the logs in order; the summary grows as it goes."""
    names = [str(log) for log in logs]
    tasks = _tasks(names, library, wanted, summary)
    result = partial(_result, logs=names, library=library, wanted=wanted, summary=summary)
    judge_one = partial(judge_by, library)
    with Workers(judge_one, jobs, library.keep) as workers:
        found = (
            ((task, _judged(task, judge_one)) for task in tasks)
            if jobs == 1
            else _shared(tasks, workers, jobs)
        )
        for task, verdict in found:
            told = result(task, verdict)
            if told is not None:
                yield told


def _judged(task: Task | Left, judge_one: Callable[..., Verdict]) -> Verdict | None:
    return judge_one(task.round, task.view) if type(task) is Task else None


def _shared(
    tasks: Iterator[Task | Left], workers: Workers, jobs: int
) -> Iterator[tuple[Task | Left, Verdict | None]]:
    """The rounds judged by several processes, in order."""
    waiting: deque[tuple[list[Task | Left], Verdicts]] = deque()
    while True:
        chunk = list(_next_chunk(tasks))
        if chunk:
            rounds = [(task.round, task.view) for task in chunk if isinstance(task, Task)]
            waiting.append((chunk, workers.judge(rounds)))
        if not waiting:
            return
        if not chunk or len(waiting) > 3 * jobs:
            done, verdicts = waiting.popleft()
            judged = iter(verdicts.all())
            for task in done:
                yield task, next(judged) if isinstance(task, Task) else None


class Task(NamedTuple):
    round: Round
    view: ShoeView
    log: str
    clash: Place | None  # where the round stands otherwise


Left: TypeAlias = Quarantined | Copied | Misplaced  # what is only counted
_CHUNK = 64


def _next_chunk(tasks: Iterator[Task | Left]) -> Iterator[Task | Left]:
    """Up to so many rounds, and what stands before them that is only counted."""
    rounds = others = 0
    for task in tasks:
        yield task
        if isinstance(task, Task):
            rounds += 1
        else:
            others += 1
        if _CHUNK in (rounds, others):
            return


def _result(
    task: Task | Left,
    verdict: Verdict | None,
    logs: Sequence[str],
    library: Library,
    wanted: Filter,
    summary: Summary,
) -> Judged | Quarantined | None:
    """None: it is only counted."""
    if isinstance(task, Task):
        assert verdict is not None
        summary.unknown.update(library.unknown(task.round))
        if task.clash is not None:
            add_clash(verdict, task.round, task.clash, logs, library)
        return counted(task.round, verdict, task.log, library, wanted, summary)
    if isinstance(task, Quarantined):
        summary.quarantine(task)
        return task
    if isinstance(task, Copied):
        summary.copy(task, logs)
    else:
        summary.misplace(task, logs)
    return None


def counted(
    round_: Round,
    verdict: Verdict,
    log: str,
    library: Library,
    wanted: Filter,
    summary: Summary,
    only_money: bool = False,
) -> Judged:
    """A verdict as it is shown, after the summary has counted it."""
    shown: list[ReplayFinding] = []
    if verdict.findings:
        verdict.findings = summary.know_book(verdict.findings, log, round_)
        shown = [replace(f, log=log) for f in verdict.findings if wanted.shows(f)]
        summary.outside += len(verdict.findings) - len(shown)
    add = summary.add_money if only_money else summary.add
    add(book_name(round_, library), verdict, shown)
    return Judged(round_, verdict, shown, log)


def book_name(round_: Round, library: Library) -> str:
    book = library.book_for(round_)
    return book.id if book else round_.rulebook or "none"


def add_clash(
    verdict: Verdict, round_: Round, first: Place, logs: Sequence[str], library: Library
) -> None:
    verdict.findings.insert(0, clash(round_, first, logs, book_name(round_, library)))


def clash(round_: Round, first: Place, logs: Sequence[str], book: str) -> ReplayFinding:
    """The round stands elsewhere too, and says something else there: both are judged."""
    other = f"line {first.line}" + (f" of `{logs[first.file]}`" if len(logs) > 1 else "")
    return ReplayFinding(
        "R570",
        "integrity",
        f"this round stands at {other} too, with different content",
        None,
        (),
        round_.id,
        round_.table,
        round_.line,
        book,
        help="find out which of the two is the record; both are judged",
        at=round_.at.isoformat(),
        shoe=round_.shoe,
    )


def _tasks(
    logs: Sequence[str], library: Library, wanted: Filter, summary: Summary
) -> Iterator[Task | Left]:
    """The rounds of the logs, each with what its shoe tells: this part is done in order."""
    seen, order = SeenRounds(), TimeOrder()
    shoes = ShoeTracker(library.mechanics_of)
    for number, log in enumerate(logs):
        watch = summary.watch(log)
        for line in read_log(log, watch=watch):
            if isinstance(line, Quarantined):
                line.log = log
                yield line
                continue
            if watch is not None:
                watch.saw(line.at)
            place = Place(number, line.line)
            repeat = seen.add(line, place)
            if repeat is not None and repeat.copy:
                if wanted.wants(line):
                    yield Copied(line.id, line.table, place, repeat.first)
                continue
            misplaced = order.add(line, place)
            if misplaced is not None:
                shoes.forget(line)
                if wanted.wants(line):
                    yield misplaced
            view = shoes.view(line)
            if wanted.wants(line):
                yield Task(line, view, log, repeat.first if repeat is not None else None)
            shoes.after(line)


def judge_by(
    library: Library, round_: Round, view: ShoeView, money_of: frozenset[int] | None = None
) -> Verdict:
    return judge_round(round_, library, view, explained=False, money_of=money_of)


def judge_round(
    round_: Round,
    library: Library,
    view: Any,
    *,
    explained: bool = True,
    money_of: frozenset[int] | None = None,
) -> Verdict:
    """`money_of`: as `judge` has it."""
    book = library.book_for(round_)
    if book is None:
        name = round_.rulebook
        game = library.others.get(name or "")
        why = f"of {game}" if game is not None else "which is not at hand"
        message = (
            f"the round names rulebook `{name}`, {why}" if name else ("the round names no rulebook")
        )
        return _no_text(round_, name or "none", STRANGER, message)
    engine = library.ready_engine(book, book.day_of(round_.at))
    if engine is None:
        return not_in_force(round_, book)
    return judge(engine, round_, view, share=True, explained=explained, money_of=money_of)


def not_in_force(round_: Round, book: Rulebook) -> Verdict:
    message = f"no text of {book.id} was in force on {day_there(round_, book)}"
    return _no_text(round_, book.id, "R560", message)


def day_there(round_: Round, book: Rulebook) -> str:
    """The day of a round, and where, if it is another one than the log writes."""
    day = book.day_of(round_.at)
    return str(day) if day == round_.at.date() else f"{day}, the day in {book.zone}"


def strangers(library: Library, wanted: Filter, summary: Summary) -> Iterator[Judged]:
    """What is told at the end: the rulebooks that rounds name and by which none can be judged."""
    from rulespec.resolve.typecheck import did_you_mean

    for name, one in summary.strangers.items():
        rounds = "1 round names" if one.rounds == 1 else f"{one.rounds:,} rounds name"
        game = library.others.get(name or "")
        only = library.only
        if name is None:
            message, advice = f"{rounds} no rulebook", "`--rules RULES` says by which to judge"
        elif game is not None and only is not None:
            message = f"{rounds} rulebook `{name}` of {game}, which `{only.id}` is not"
            advice = f"`--rules {name}`, or `--force` to judge them by `{only.id}` all the same"
        else:
            message = f"{rounds} rulebook `{name}`, which is not at hand"
            known = did_you_mean(name, library.rulebooks, "rulebooks are found by their ids")
            advice = f"{known}; `--rules RULES` judges every round by one rulebook"
        finding = replace(one.finding, message=message, help=advice, log=one.log)
        shown = [finding] if wanted.shows(finding) else []
        summary.outside += 1 - len(shown)
        summary.find(shown)
        yield Judged(one.round, Verdict(), shown, one.log)


def _no_text(round_: Round, book: str, code: str, message: str) -> Verdict:
    verdict = Verdict()
    where = (round_.id, round_.table, round_.line, book)
    at, shoe = round_.at.isoformat(), round_.shoe
    verdict.findings.append(
        ReplayFinding(code, "integrity", message, None, (), *where, at=at, shoe=shoe)
    )
    return verdict
