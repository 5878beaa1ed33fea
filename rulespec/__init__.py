"""rulespec: a language for the rules of casino table games, and a checker of rules and rounds.

    rules = rulespec.load("act-pontoon")
    verdict = rules.judge(one_round)         # a round
    result = rulespec.check("act-pontoon")   # the flaws of a text, with proofs
    result = rulespec.diff(old, new)         # what a change of the text means
    result = rulespec.replay("log.jsonl")    # a log

docs/api.md tells all of it. The folders of this package are the language: text to checked rulebook,
with no logs, no solver and no terminal. What is done with a rulebook stands in the package
`checker`. Only this file leads from the one to the other, and only when something is called:
`import rulespec` stays immediate, and the language does not depend on what is built upon it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

# The folder of this name comes first, and the function `load` below takes its place; else Python
# would put the folder over the function as soon as somebody imports from it.
import rulespec.load as _folder  # noqa: F401
from rulespec.base.errors import CannotWrite, LogError, RulesError, RulespecError, WrongCall
from rulespec.base.version import __version__ as __version__

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date
    from pathlib import Path
    from typing import Literal, TypeAlias, Unpack

    from checker.diff.by_name import DiffReport
    from checker.evidence.verify import Verified
    from checker.judge.explanation import Explained
    from checker.judge.findings import ReplayFinding, Verdict
    from checker.log.model import Round
    from checker.log.read import Quarantined
    from checker.replay.replay import Library
    from checker.replay_logs import Replay, ReplayOptions
    from checker.report import Finding, Report
    from rulespec.base.diagnostics import Diagnostic
    from rulespec.load.named import Book
    from rulespec.resolve.clause_entry import ClauseEntry

    Rules: TypeAlias = "str | os.PathLike[str] | Rulebook"
    Logs: TypeAlias = "str | os.PathLike[str] | Iterable[str | os.PathLike[str]]"
    AnyRound: TypeAlias = "Round | Mapping[str, Any] | str | bytes"


__all__ = [
    "CannotWrite",
    "Diagnostic",
    "DiffReport",
    "Explained",
    "Finding",
    "LogError",
    "Quarantined",
    "Replay",
    "ReplayFinding",
    "Report",
    "Round",
    "Rulebook",
    "RulesError",
    "RulespecError",
    "Verdict",
    "Verified",
    "WrongCall",
    "__version__",
    "check",
    "diff",
    "load",
    "read_log",
    "replay",
    "stream",
    "verify",
]

# What the functions return, for annotations and `isinstance`; imported when it is asked for.
_TYPES = {
    "Diagnostic": "rulespec.base.diagnostics",
    "DiffReport": "checker.diff.by_name",
    "Explained": "checker.judge.explanation",
    "Finding": "checker.report",
    "Quarantined": "checker.log.read",
    "Replay": "checker.replay_logs",
    "ReplayFinding": "checker.judge.findings",
    "Report": "checker.report",
    "Round": "checker.log.model",
    "Verdict": "checker.judge.findings",
    "Verified": "checker.evidence.verify",
}


if not TYPE_CHECKING:  # a type checker would take every name for one that is there

    def __getattr__(name: str) -> Any:
        if name not in _TYPES:
            raise AttributeError(f"module `rulespec` has no attribute `{name}`")
        from importlib import import_module

        return getattr(import_module(_TYPES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_TYPES})


class Rulebook:
    """An approved text, loaded and usable. `load` makes it; `check`, `diff` and `replay` take it
    in the place of a name."""

    def __init__(self, book: Book) -> None:
        text = book.on_its_day().loaded.rulebook
        if text is None:
            raise RulesError(book.loaded.diagnostics)
        self.book = book
        self._text = text
        self._library: Library | None = None

    @property
    def id(self) -> str:
        return self._text.id

    @property
    def title(self) -> str:
        return self._text.title

    @property
    def game(self) -> str:
        return self._text.game.called

    @property
    def start(self) -> date | None:
        """The first day on which it is in force; None where it does not say."""
        return self._text.start

    @property
    def end(self) -> date | None:
        """The first day on which it is not in force any more."""
        return self._text.end

    @property
    def day(self) -> date | None:
        """The day behind the `@` of the name: the text as it is in force then."""
        return self.book.day

    @property
    def clauses(self) -> tuple[ClauseEntry, ...]:
        """Every clause, in the order of the text: `id` as printed, `title`, `standing`."""
        return self._text.clauses

    @property
    def readings(self) -> tuple[str, ...]:
        """The names of the readings that it is applied with (`replay` can leave some out)."""
        return tuple(reading.name for reading in self._text.readings)

    @property
    def files(self) -> tuple[Path, ...]:
        return self.book.loaded.files

    def judge(self, round: AnyRound) -> Verdict:
        """What the text does not allow in one round, and what it leaves open.

        A round is a line of a log, what that line holds as JSON (with int and Decimal, no float),
        or a Round that was read. It is judged by itself: what earlier rounds of its shoe tell is
        not known here, as it is to `replay`. LogError: this is no valid round."""
        from checker.replay.replay import judge_round

        return judge_round(_round(round), self._judges(), None, explained=False)

    def explain(self, round: AnyRound) -> list[Explained]:
        """What was asked of the text in one round, which clauses answered, and what beat what."""
        from checker.judge.explanation import explain
        from checker.replay_logs import judge_to_explain

        engine, verdict = judge_to_explain(_round(round), self._judges())
        return explain(engine, verdict) if engine is not None else []

    def __repr__(self) -> str:
        day = f"@{self.day}" if self.day else ""
        return f"<Rulebook {self.id}{day}: {len(self.clauses)} clauses>"

    def _judges(self) -> Library:
        if self._library is None:
            from checker.replay_logs import load_library

            self._library, _ = load_library(self.book)
        return self._library


def load(name: str | os.PathLike[str]) -> Rulebook:
    """The rulebook that a name stands for: an id (`act-pontoon`), `id@YYYY-MM-DD`, a `.rules` file,
    a git revision (`REV:path`). RulesError: there is none, or it cannot be used."""
    from rulespec.load.named import load_one

    book, found = load_one(_name(name), whole=True)
    if book is None:
        raise RulesError(found)
    return Rulebook(book)


def check(
    *rules: Rules,
    today: date | None = None,
    accept: bool = True,
    proofs: bool = True,
    budget: float | None = None,
    witnesses: str | os.PathLike[str] | None = None,
    phase_order: Literal["marked", "interim-first", "none"] = "marked",
) -> Report:
    """Errors in rule files, flaws of the printed text, and over all hands that can be dealt the
    contradictions, gaps and dead rules; without `rules`, of all rulebooks that ship.

    What is wrong with a rule file is what was asked for here, so it is a finding and no exception;
    `exit_status` is then 2. `today` judges the end dates of acceptances, `accept=False` counts
    accepted findings as open, `budget` is in seconds, `witnesses` is a folder to which the hands
    that show the findings are written as scenarios."""
    from datetime import date
    from pathlib import Path

    from checker.check import check as check_named

    return check_named(
        [_named(one) for one in rules],
        today or date.today(),
        accept=accept,
        proofs=proofs,
        budget=budget,
        witnesses=None if witnesses is None else Path(witnesses),
        phases=phase_order,
    )


def diff(old: Rules, new: Rules, *, budget: float | None = None) -> DiffReport:
    """What changed between two texts, in structure and in meaning, each class of hands with one
    that shows it. RulesError: one of them cannot be used."""
    from checker.diff.by_name import diff_by_name
    from checker.report import UnusableRules

    result = diff_by_name(_named(old), _named(new), budget)
    if result.difference is None:
        raise UnusableRules(result)
    return result


def replay(logs: Logs, *, rules: Rules | None = None, **options: Unpack[ReplayOptions]) -> Report:
    """Judge the rounds of logs by the text in force at their time, by `rules` or else by the
    rulebook that each round names. The findings are all kept; `stream` does not keep them.

    Options, as `rulespec replay --help` tells: `table`, `start` and `end`, `clause`, `limit`,
    `without_reading`, `fail_on`, `force`, `engine`, `jobs`, and for a cluster `master`, `results`.
    RulesError, LogError: what cannot be used; WrongCall: what does not go together."""
    return stream(logs, rules=rules, **options).to_end()


def stream(logs: Logs, *, rules: Rules | None = None, **options: Unpack[ReplayOptions]) -> Replay:
    """As `replay`, to be iterated over: findings, and lines that are no valid round, come as they
    are found, and memory stays flat however long the logs are."""
    from checker.replay_logs import Replay

    return Replay(logs, rules=None if rules is None else _named(rules), **options)


def verify(
    result: str | os.PathLike[str],
    logs: Iterable[str | os.PathLike[str]] = (),
    *,
    key: str | os.PathLike[str] | None = None,
) -> Verified:
    """Whether a saved report (`rulespec replay --format json`) is what this tool, these rules and
    these logs give: `verdict` is `yes`, `no` or `cannot tell`, `changes` says what is not as the
    report has it. `key`: the public key (PEM) that it must be signed with. WrongCall: it is no
    report of a replay."""
    from checker.evidence import verify as evidence
    from checker.evidence.saved_report import load_report
    from checker.evidence.signature import public_key

    signed_by = None if key is None else public_key(_name(key))
    return evidence.verify(load_report(_name(result)), [_name(log) for log in logs], signed_by)


def read_log(log: str | os.PathLike[str]) -> Iterator[Round | Quarantined]:
    """The rounds of a log in their order, and with their reasons the lines that are none."""
    from checker.log.read import read_log as read

    return read(log)


def _name(name: str | os.PathLike[str]) -> str:
    from os import fspath

    return fspath(name)


def _named(rules: Rules) -> str | Book:
    return rules.book if isinstance(rules, Rulebook) else _name(rules)


def _round(round: AnyRound) -> Round:
    from checker.log.decode import DecodeError, decode_line, decode_round
    from checker.log.model import Round

    if isinstance(round, Round):
        return round
    try:
        if isinstance(round, str | bytes):
            return decode_line(round.encode() if isinstance(round, str) else round)
        return decode_round(dict(round))
    except DecodeError as error:
        raise LogError(
            f"this is no valid round: {error.reason}", "docs/replay.md has the format of a round"
        ) from None
