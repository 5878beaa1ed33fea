"""What a replay was asked for, looked over before a round is judged: a wrong call ends here."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from itertools import islice
from typing import NoReturn, get_args

from checker import which_engine
from checker.judge.findings import FindingKind
from checker.log.find import log_files
from checker.log.model import Round
from checker.log.read import LogError, read_log
from checker.replay.replay import Library
from rulespec.base.clause_ids import covers
from rulespec.base.errors import WrongCall

KINDS: tuple[FindingKind, ...] = get_args(FindingKind)
_LOOKED_AT = 20  # rounds


def kinds_of(asked: Sequence[str]) -> frozenset[str]:
    kinds = [kind.strip() for kind in asked if kind.strip()]
    check_kinds(kinds)
    if not kinds:
        raise WrongCall("`--fail-on` names no kind", "one of " + ", ".join(KINDS))
    return frozenset(kinds)


def check_kinds(asked: Sequence[str]) -> None:
    for kind in asked:
        if kind not in KINDS:
            raise WrongCall(f"there is no kind `{kind}`", "one of " + ", ".join(KINDS))


def check_codes(asked: Sequence[str]) -> None:
    from rulespec.base.codes import CODES
    from rulespec.resolve.typecheck import did_you_mean

    codes = [code for code in CODES if code.startswith("R5")]
    for code in asked:
        if code not in codes:
            advice = did_you_mean(code, codes, "docs/diagnostics lists them")
            raise WrongCall(f"a replay has no code `{code}`", advice)


def check_rulebooks(asked: Sequence[str], library: Library) -> None:
    from rulespec.resolve.typecheck import did_you_mean

    known = [book.id for book in library.books()]
    for name in asked:
        if name not in known:
            advice = did_you_mean(name, known, f"one of {', '.join(known)}")
            raise WrongCall(f"there is no rulebook `{name}` to judge by", advice)


def amount_of(asked: Decimal | int | str | None) -> tuple[Decimal | None, int | None]:
    """As it is told, and in minor units."""
    if asked is None:
        return None, None
    try:
        least = Decimal(asked)
        cents = least.scaleb(2)
        if least.is_finite() and 0 <= least < 10**12 and cents == int(cents):
            return least, int(cents)
    except (ArithmeticError, ValueError):
        pass
    raise WrongCall(
        f"`{str(asked)[:40]}` is no amount of money", "an amount in currency units, such as 12.50"
    )


def check_times(start: datetime | None, end: datetime | None) -> None:
    if start is None or end is None or (start.tzinfo is None) != (end.tzinfo is None):
        return
    if start >= end:
        raise WrongCall(
            "`--from` is not before `--to`", "rounds from the one time up to the other are replayed"
        )


def engine_for(engine: str, logs: list[str], master: str | None, results: str | None) -> str:
    """The engine made definite."""
    from importlib.util import find_spec
    from shutil import which

    known = which_engine.ENGINES
    if engine not in known:
        raise WrongCall(f"there is no engine `{engine}`", "one of " + ", ".join(known))
    if engine == "columns" and not which_engine.columns_at_hand():
        raise WrongCall(
            "the columns engine needs the package `numba`",
            "pip install 'rulespec[fast]', or --engine plain",
        )
    if engine == "spark":
        for module in ("pyspark", "pyarrow", "pandas"):
            if not find_spec(module):
                raise WrongCall(
                    f"the spark engine needs the package `{module}`",
                    "pip install 'rulespec[spark]'",
                )
        if not (os.environ.get("JAVA_HOME") or which("java")):
            raise WrongCall(
                "the spark engine needs Java 17 or newer", "install it, or set JAVA_HOME"
            )
    elif results is not None:
        raise WrongCall("`--results` is for --engine spark", "--format csv --output FILE")
    elif master is not None:
        raise WrongCall("`--master` is for --engine spark", "--engine spark --master URL")
    return which_engine.chosen(engine, logs)


def logs_in(names: list[str]) -> list[str]:
    try:
        return log_files(names)
    except LogError as error:
        raise WrongCall(error.message, error.help) from None


def check_clause(clause: str | None, library: Library) -> None:
    if clause is None:
        return
    clauses = [c.id for book in library.books() for text in book.texts for c in text.clauses]
    if not any(covers(clause, c) for c in clauses):
        from rulespec.resolve.typecheck import did_you_mean

        advice = did_you_mean(clause, clauses, "`rulespec coverage --clauses` lists them")
        raise WrongCall(f"no rulebook at hand has a clause `{clause}`", advice)


def all_plain(logs: list[str], library: Library) -> bool:
    """Whether the logs begin with rounds of games with named hands, which columns only hand on."""
    for log in logs:
        try:
            for found in islice(read_log(log) if log != "-" else (), _LOOKED_AT):
                book = library.book_for(found) if isinstance(found, Round) else None
                if book is not None and not book.game.hands:
                    return False
        except LogError:
            continue  # it is told when it is read
    return True


def refuse_other_game(logs: list[str], library: Library) -> None:
    """Where the log begins with rounds of another game, --rules is most likely a slip."""
    for log in logs if library.others else ():
        if log == "-":
            continue
        try:
            for found in islice(read_log(log), _LOOKED_AT):
                name = found.rulebook if isinstance(found, Round) else None
                if name in library.others:
                    _refuse(library, log, found.line, name)
        except LogError:
            continue  # it is told when it is read


def _refuse(library: Library, log: str, line: int, name: str) -> NoReturn:
    assert library.only is not None
    raise WrongCall(
        f"line {line} of `{log}` names rulebook `{name}` of {library.others[name]}, and "
        f"`{library.only.id}` is of {library.only.game.called}",
        f"--rules {name}, or --force to judge it all the same",
    )
