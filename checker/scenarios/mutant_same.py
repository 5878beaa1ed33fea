"""Mutants that say the same as the text: no scenario can notice them, and none is missing."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_all_start_methods, get_context
from typing import Any

from checker.diff.meaning import Comparer
from checker.diff.named_hands import NamedComparer
from checker.replay.workers import end_with_parent
from checker.scenarios.mutants import Mutant
from rulespec.base.diagnostics import Diagnostic
from rulespec.resolve.in_force import text_in_force
from rulespec.resolve.question import is_requirement
from rulespec.resolve.rule_types import check_types
from rulespec.resolve.rulebook import Rule, Rulebook, beats
from rulespec.tree import nodes as t

BUDGET = 300.0  # seconds for one comparison: seldom more than five, unless the machine is busy


def why_same(book: Rulebook, mutant: Mutant) -> str | None:
    """Why a mutant cannot be told from the text; None where it can be, or nobody knows."""
    if mutant.kind == "dated":
        return None
    if not mutant.lost:
        found: list[Diagnostic] = []
        check_types(mutant.book.rules, mutant.book.game, found)
        if found:
            return f"cannot be written: {found[0].message}"
    if (clauses := said_elsewhere(book, mutant)) is not None:
        names = " and ".join(f"`{clause}`" for clause in clauses)
        verb = "says" if len(clauses) == 1 else "say"
        return f"{names} {verb} the same wherever it says anything"
    try:
        texts = (text_in_force(book, None), text_in_force(mutant.book, None))
        if book.game.hands:
            compared = NamedComparer(*texts, BUDGET).run()
        else:
            compared = Comparer(*texts, BUDGET).run(until_one_differs=True)
    except MemoryError:
        return None
    if compared.complete and not compared.classes and not compared.undecided:
        lost = "nothing is lost with it" if mutant.lost else "it says the same"
        over = f" over {compared.states:,} states" if compared.states else ""
        return f"{lost}, proven by comparing the two texts{over}"
    return None


def said_elsewhere(book: Rulebook, mutant: Mutant) -> tuple[str, ...] | None:
    """The clauses that say what every changed rule says, wherever it says it, before and after."""
    if is_requirement(mutant.question):
        return None  # each requirement is held by itself
    changed = {id(rule) for pair in mutant.changes for rule in pair}
    found: dict[str, None] = {}
    for place, text in enumerate((book, mutant.book)):
        for rule in (pair[place] for pair in mutant.changes):
            if rule is None:
                continue
            rules = [other for other in text.rules if other.question == rule.question]
            order = beats(rules, text.order)
            other = next(
                (
                    one
                    for one in rules
                    if id(one) not in changed
                    and _is_wider(one, rule)
                    and _stands_as_high(one, rule, order)
                ),
                None,
            )
            if other is None:
                return None
            found[other.clause] = None
    return tuple(found) or None


def _is_wider(other: Rule, rule: Rule) -> bool:
    said = (other.value, other.interim, other.irregular)
    return said == (rule.value, rule.interim, rule.irregular) and all(
        any(part == one for one in _parts(rule)) for part in _parts(other)
    )


def _parts(rule: Rule) -> tuple[t.Expression, ...]:
    match rule.condition:
        case t.Always():
            return ()
        case t.Both(parts=parts):
            return parts
        case one:
            return (one,)


def _stands_as_high(other: Rule, rule: Rule, order: dict[str, frozenset[str]]) -> bool:
    """It prevails over all that the rule does, and nothing more prevails over it."""
    over = order.get(rule.id, frozenset()) - {other.id}
    under = {one for one, beaten in order.items() if other.id in beaten} - {rule.id}
    return over <= order.get(other.id, frozenset()) and all(rule.id in order[x] for x in under)


def same(book: Rulebook, left: list[Mutant], jobs: int = 1) -> Iterator[str | None]:
    """`why_same` of each, on several cores."""
    if jobs > 1 and len(left) > 1 and "fork" in get_all_start_methods():
        _shared.update(book=book, left=left)
        pool = ProcessPoolExecutor(
            jobs, get_context("fork"), initializer=_begin, initargs=(os.getpid(),)
        )
        try:
            yield from pool.map(_one, range(len(left)))
        finally:
            pool.shutdown(cancel_futures=True)
            _shared.clear()
    else:
        yield from (why_same(book, mutant) for mutant in left)


_shared: dict[str, Any] = {}


def _begin(parent: int) -> None:
    gc.freeze()  # what the parent has is no rubbish, and looking it over would copy all of it
    end_with_parent(parent)


def _one(number: int) -> str | None:
    why = why_same(_shared["book"], _shared["left"][number])
    gc.collect()  # a command seldom looks for rubbish, and each comparison leaves much
    return why
