"""Mutants that say the same as the text: no scenario can notice them, and none is missing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_all_start_methods, get_context
from typing import Any

from checker.diff_meaning import Comparer
from checker.mutants import Mutant
from checker.prove_all import text_in_force
from checker.workers import end_with_parent
from rulespec.diagnostics import Diagnostic
from rulespec.rule_types import check_types
from rulespec.rulebook import Rulebook

BUDGET = 300.0  # seconds for one comparison: seldom more than five, unless the machine is busy


def why_same(book: Rulebook, mutant: Mutant) -> str | None:
    """Why a mutant cannot be told from the text; None where it can be, or nobody knows."""
    if mutant.kind == "dated":
        return None
    if not mutant.lost:
        found: list[Diagnostic] = []
        check_types(mutant.book.rules, found)
        if found:
            return f"cannot be written: {found[0].message}"
    try:
        texts = (text_in_force(book, None), text_in_force(mutant.book, None))
        compared = Comparer(*texts, BUDGET).run()
    except MemoryError:
        return None
    if compared.complete and not compared.classes and not compared.undecided:
        lost = "nothing is lost with it" if mutant.lost else "it says the same"
        return f"{lost}, proven by comparing the two texts over {compared.states:,} states"
    return None


def same(book: Rulebook, left: list[Mutant], jobs: int = 1) -> Iterator[str | None]:
    """`why_same` of each, on several cores."""
    if jobs > 1 and len(left) > 1 and "fork" in get_all_start_methods():
        _shared.update(book=book, left=left)
        pool = ProcessPoolExecutor(
            jobs, get_context("fork"), initializer=end_with_parent, initargs=(os.getpid(),)
        )
        try:
            yield from pool.map(_one, range(len(left)))
        finally:
            pool.shutdown(cancel_futures=True)
            _shared.clear()
    else:
        yield from (why_same(book, mutant) for mutant in left)


_shared: dict[str, Any] = {}


def _one(number: int) -> str | None:
    return why_same(_shared["book"], _shared["left"][number])
