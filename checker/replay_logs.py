"""A replay from names to results: the rules, the logs, the engine, what is shown and what it means.

`rulespec replay` and the Python API both go through here, so neither can do what the other cannot.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from itertools import chain
from typing import Any, TypeAlias, TypedDict

from checker.evaluate.engine import Engine
from checker.judge.findings import ReplayFinding, Verdict
from checker.judge.judge import judge
from checker.log.known_words import NOT_JUDGED
from checker.log.model import Round
from checker.log.open import digest_of
from checker.log.read import Quarantined
from checker.replay.order import in_time_order
from checker.replay.provenance import filtered, rulebooks_used
from checker.replay.reach import Reach, name_unseen_duties, reach
from checker.replay.replay import (
    Filter,
    Judged,
    Library,
    Summary,
    judge_round,
    replay,
    strangers,
)
from checker.replay.workers import useful_jobs
from checker.replay_call import (
    KINDS,
    all_plain,
    amount_of,
    check_clause,
    check_codes,
    check_kinds,
    check_rulebooks,
    check_times,
    engine_for,
    kinds_of,
    logs_in,
    refuse_other_game,
)
from checker.report import (
    CLEAN,
    FINDINGS,
    UNDECIDED,
    UNUSABLE,
    Input,
    Report,
    UnusableRules,
    inputs_of,
    log_inputs,
)
from checker.store.audit import Audit
from checker.table.shoes import ShoeView
from rulespec.base.cache import code_hash
from rulespec.base.errors import WrongCall
from rulespec.load.named import Book, load_named

BREACHES = KINDS[:-1]  # all but `undecided`
BAD_LINES_TOLD = 20
_WORTH_IT = 200_000  # bytes of log, compressed or not


class ReplayOptions(TypedDict, total=False):
    """What a replay may be asked for beside its logs and rules."""

    force: bool  # judge by the rules also what names another game
    table: str | None
    start: datetime | None  # without a zone: the time on the wall of the casino
    end: datetime | None
    clause: str | None  # only findings about it
    player: Sequence[str]  # only findings of these players, kinds, codes, rulebooks
    kind: Sequence[str]
    code: Sequence[str]
    rulebook: Sequence[str]
    amount: Decimal | int | str | None  # only findings of at least so much money too much or little
    limit: int | None  # of findings that are shown; all are counted
    without_reading: Sequence[str]
    fail_on: Sequence[str]  # the kinds of finding that make status 1
    engine: str
    jobs: int | None
    master: str | None  # spark: the cluster
    results: str | None  # spark: a folder for the findings as Parquet
    store: str | None  # an audit store that keeps the run
    only: str | None  # findings of this state of review


Tick: TypeAlias = Callable[[Summary], None]


class Replay:
    """Rounds judged as they are read. Iterating gives each finding, and each line that is no valid
    round, as it comes, so that memory stays flat; `summary`, `status` and `report` hold once the
    iteration has come to its end."""

    def __init__(
        self,
        logs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
        *,
        rules: str | Book | None = None,
        force: bool = False,
        table: str | None = None,
        start: datetime | None = None,
        end: datetime | None = None,
        clause: str | None = None,
        player: Sequence[str] = (),
        kind: Sequence[str] = (),
        code: Sequence[str] = (),
        rulebook: Sequence[str] = (),
        amount: Decimal | int | str | None = None,
        limit: int | None = None,
        without_reading: Sequence[str] = (),
        fail_on: Sequence[str] = BREACHES,
        engine: str = "auto",
        jobs: int | None = None,
        master: str | None = None,
        results: str | None = None,
        store: str | os.PathLike[str] | None = None,
        only: str | None = None,
    ) -> None:
        """All that can be seen to be wrong before a round is judged is told here: RulesError or
        WrongCall. A log that cannot be read is told when its turn comes: LogError."""
        several = [logs] if isinstance(logs, str | os.PathLike) else logs
        self.logs = [os.fspath(log) for log in several]
        if not self.logs:
            raise WrongCall("no log is named")
        self.fail_on = kinds_of(fail_on)
        check_times(start, end)
        if jobs is not None and jobs < 1:
            raise WrongCall("`--jobs` takes a number from 1 up")
        if limit is not None and limit < 0:
            raise WrongCall("`--limit` takes a number from 0 up")
        self.logs = logs_in(self.logs)
        self.engine = engine_for(engine, self.logs, master, results)
        self.library, self.read = load_library(rules, without_reading, force=force)
        if engine == "auto" and self.engine == "columns" and all_plain(self.logs, self.library):
            self.engine = "plain"
        least, cents = amount_of(amount)
        check_kinds(kind)
        check_codes(code)
        check_rulebooks(rulebook, self.library)
        self.filter = Filter(
            table,
            start,
            end,
            clause,
            tuple(player),
            tuple(kind),
            tuple(code),
            tuple(rulebook),
            cents,
        )
        self.limit, self.jobs, self.master, self.results = limit, jobs, master, results
        first, last = (None if at is None else at.isoformat() for at in (start, end))
        self.options: dict[str, Any] = {
            "rules": rules.name if isinstance(rules, Book) else rules,
            "table": table,
            "from": first,
            "to": last,
            "clause": clause,
            "player": list(player),
            "kind": list(kind),
            "code": list(code),
            "rulebook": list(rulebook),
            "amount": least,
            "limit": limit,
            "without_reading": list(without_reading),
            "force": force,
            "fail_on": list(fail_on),
            "only": only,
        }
        # Logs are hashed while they are read; a caller that only counts findings sets this to None.
        self.summary = Summary(engine=self.engine, digests=[])
        self.config: dict[str, str] | None = None  # the saved job that asked for it
        self.failed = False
        self._begun = False
        self.bad_lines: list[Quarantined] = []  # the first of them
        self.audit = Audit(store, only)
        check_clause(clause, self.library)
        refuse_other_game(self.logs, self.library)

    def __iter__(self) -> Iterator[ReplayFinding | Quarantined]:
        return self.shown(self.judged())

    def judged(self, tick: Callable[[], None] = lambda: None) -> Iterator[Judged | Quarantined]:
        """Every round with what was found in it, and at the end the rulebooks not at hand. The
        columnar engine keeps rounds without findings to itself, and calls `tick` now and then."""
        if self._begun:
            raise WrongCall("a replay runs once", "begin another one")
        self._begun = True
        told = strangers(self.library, self.filter, self.summary)
        return chain(self._judged(tick), told, self._name_unseen_duties())

    def _name_unseen_duties(self) -> Iterator[Judged]:
        name_unseen_duties(self.library.books(), self.summary)
        yield from ()

    def _judged(self, tick: Callable[[], None]) -> Iterator[Judged | Quarantined]:
        logs = in_time_order(self.logs)
        common = logs, self.library, self.filter, self.summary
        # each engine is imported when it is asked for: numba and pyspark take seconds
        if self.engine == "columns":
            from checker.columns.run import replay_columns

            return replay_columns(*common, self._jobs(), tick)
        if self.engine == "spark":
            from checker.spark.driver import replay_spark

            return replay_spark(*common, self.master or "local[*]", self.results)
        return replay(*common, self._jobs())

    def _jobs(self) -> int:
        """All cores for a log that is worth it; for a short one starting them costs more."""
        total = sum(os.path.getsize(log) for log in self.logs if os.path.isfile(log))
        return useful_jobs(self.jobs, total > _WORTH_IT)

    def shown(
        self, results: Iterable[Judged | Quarantined]
    ) -> Iterator[ReplayFinding | Quarantined]:
        """What is shown of the results: no more findings than the limit, but all are counted."""
        shown = 0
        for result in self.audit.keeping(results, self.report):
            if isinstance(result, Quarantined):
                if len(self.bad_lines) < BAD_LINES_TOLD:
                    self.bad_lines.append(result)
                yield result
                continue
            for found in result.shown:
                finding = self.audit.seen(found)
                if finding is None:
                    continue
                self.failed |= finding.kind in self.fail_on
                if self.limit is None or shown < self.limit:
                    shown += 1
                    yield finding

    @property
    def status(self) -> int:
        """As the contract has it: 0 clean, 1 findings, 2 no round was judged, 3 undecided."""
        summary = self.summary
        if summary.rounds == 0:
            return UNUSABLE
        if self.failed:
            return FINDINGS
        money = any(part in NOT_JUDGED for part, _ in +summary.unknown)
        left = summary.undecided or summary.quarantined or summary.misplaced or money
        return UNDECIDED if left else CLEAN

    def reach(self) -> list[Reach]:
        """How much of each rulebook the rounds that were judged could test."""
        return reach(self.library.books(), self.summary)

    def filtered(self, limit: bool = True) -> str | None:
        """What narrows the result, and what that leaves out; without `limit` nothing of a limit."""
        return filtered(self.options, self.summary, self.audit.hidden, limit)

    def to_end(self, tick: Tick | None = None) -> Report:
        """Judge all that is left, with every finding in memory; `tick` is called now and then with
        what was counted by then."""
        shown = self if tick is None else self.ticking(tick)
        return self.report([found for found in shown if isinstance(found, ReplayFinding)])

    def ticking(self, tick: Tick) -> Iterator[ReplayFinding | Quarantined]:
        """As iterating does."""

        def results() -> Iterator[Judged | Quarantined]:
            for result in self.judged(lambda: tick(self.summary)):
                tick(self.summary)
                yield result

        return self.shown(results())

    def report(self, findings: Sequence[ReplayFinding] = ()) -> Report:
        """The result document."""
        summary = self.summary.as_json()
        summary["quarantined_lines"] = [
            {"log": bad.log, "line": bad.line, "reason": bad.reason} for bad in self.bad_lines
        ]
        if self.audit.only is not None:
            summary["of_other_states"] = self.audit.hidden
        summary["clauses_tested"] = [one.as_json() for one in self.reach()]
        inputs = [*self.read.inputs, *self._log_inputs()]
        books = rulebooks_used(self.library.books(), self.read.inputs, self.summary)
        return Report(
            "replay",
            inputs,
            findings,
            (),
            summary,
            options=self.options,
            rulebooks=books,
            status=self.status,
            filtered=self.filtered(),
            code=code_hash().hex(),
            config=self.config,
        )

    def _log_inputs(self) -> Iterator[Input]:
        """The logs as they were named, each with what was seen of it while it was read."""
        told: dict[str, dict[str, Any]] = {}
        for digest in self.summary.digests or ():
            told.setdefault(digest.path, digest.as_json())
        if self.engine == "spark" and self.summary.digests is not None:
            told = {log: digest_of(log).as_json() for log in self.logs}  # others have read them
        for log in self.logs:
            if log not in told:
                yield from log_inputs([log])
                continue
            more = {k: v for k, v in told[log].items() if k not in ("path", "sha256", "kind")}
            yield Input(log, "log", told[log]["sha256"], more)


def load_library(
    rules: str | Book | None,
    without_reading: Sequence[str] = (),
    command: str = "replay",
    force: bool = False,
) -> tuple[Library, Report]:
    """The rulebooks to judge by, and a report of what was read; UnusableRules if something is
    wrong with it."""
    books, found = load_named([rules] if rules is not None else [])
    for book in books:
        found += [d for d in book.loaded.diagnostics if d.unusable]
    if found or not books:
        raise UnusableRules(Report(command, inputs_of(books), found, matched=bool(books)))
    loaded = [b.loaded.rulebook for b in books if b.loaded.rulebook is not None]
    names = {reading.name for book in loaded for reading in book.readings}
    for name in without_reading:
        if name not in names:
            raise WrongCall(f"no rulebook has a reading `{name}`")
    loaded = [book.without_reading(*without_reading) for book in loaded]
    only = loaded[0] if rules and len(loaded) == 1 else None
    others = {}
    if only is not None and not force:
        from rulespec.load.find import games

        others = {name: game for name, game in games().items() if game != only.game.called}
        others.pop(only.id, None)
    return Library(loaded, only, others), Report(command, inputs_of(books), [])


def judge_to_explain(
    round_: Round, library: Library, view: ShoeView | None = None
) -> tuple[Engine | None, Verdict]:
    """A verdict whose decisions can be explained, and the engine that made them; none where no
    text is in force by which the round could be judged."""
    book = library.book_for(round_)
    engine = library.engine_for(book, book.day_of(round_.at)) if book else None
    if engine is None:
        return None, judge_round(round_, library, view)
    verdict = judge(engine, round_, view)
    return engine, verdict
