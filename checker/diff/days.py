"""Days on which two texts are not the same: clauses that are in force on other days, and what other
versions of clauses say.

Two texts without a day are compared as they stand in the end. This looks at the days before that,
as far as both rulebooks are in force then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from itertools import pairwise

from checker.diff.classes import ChangeClass, Meaning, Outcome, SideAnswer
from checker.diff.meaning import Comparer
from checker.diff.printed.statements import Changed
from checker.diff.printed.structure import OtherChange, Structure
from checker.diff.topics import Subjects
from rulespec.resolve.question import force_of
from rulespec.resolve.rulebook import Rulebook

Span = tuple[date, date]  # until the second day, which is not in it
FIRST, NEVER = date.min, date.max
IN_FORCE, NOT_IN_FORCE = Outcome(("in force",)), Outcome(("not in force",))


def other_days(
    whole: tuple[Rulebook, Rulebook],
    shape: Structure,
    done: Comparer,
    budget: Callable[[], float | None],
) -> Structure:
    """Add to what was found on the days compared what differs on other days."""
    common = _common(*whole)
    if common is None:
        return shape
    moved = list(_moved(whole, shape, common))
    for clause, before, after in moved:
        done.found.classes += _in_force(clause, before, after)
    known: set[object] = {(*c.key, c.circumstances) for c in done.found.classes}
    for start, end in _spells(whole, common):
        old, new = (book.on(start) for book in whole)
        if _same_rules(old, new) or done.compared(old, new):
            continue
        found = Comparer(old, new, budget(), done).run()
        _join(done.found, found, _when(start, end), known)
    told = (
        OtherChange("changed", clause, (Changed("date", _days(before), _days(after)),))
        for clause, before, after in moved
    )
    return replace(shape, dates=tuple(told))


def _common(old: Rulebook, new: Rulebook) -> Span | None:
    """The days on which both rulebooks are in force."""
    start = max(book.start or FIRST for book in (old, new))
    end = min(book.end or NEVER for book in (old, new))
    return (start, end) if start < end else None


def _spells(whole: tuple[Rulebook, Rulebook], common: Span) -> Iterator[Span]:
    """The stretches of time in which neither text changes."""
    turns = {d for book in whole for d in book.turns if common[0] < d < common[1]}
    days = [common[0], *sorted(turns), common[1]]
    yield from pairwise(days)


def _same_rules(old: Rulebook, new: Rulebook) -> bool:
    return (old.rules, old.order) == (new.rules, new.order)


def _join(found: Meaning, more: Meaning, when: str, known: set[object]) -> None:
    for one in more.classes:
        if (*one.key, one.circumstances) not in known:
            found.classes.append(replace(one, circumstances=(when, *one.circumstances)))
    asked = {u.question for u in found.undecided}
    found.undecided += [
        replace(u, reason=f"{u.reason}, {when}") for u in more.undecided if u.question not in asked
    ]
    found.proven += more.proven
    found.states += more.states
    found.complete &= more.complete


def _moved(
    whole: tuple[Rulebook, Rulebook], shape: Structure, common: Span
) -> Iterator[tuple[str, list[Span], list[Span]]]:
    """Clauses that are in force on other days; what only one text has is told as such."""
    told = {
        e.id
        for c in shape.of_kind("added", "removed", "renumbered")
        for e in (c.old, c.new)
        if e is not None
    }
    old, new = (timeline(book) for book in whole)
    for clause in dict.fromkeys([*old, *new]):
        before, after = (_clipped(spans.get(clause, []), common) for spans in (old, new))
        if before != after and clause not in told:
            yield clause, before, after


def _in_force(clause: str, before: list[Span], after: list[Span]) -> Iterator[ChangeClass]:
    question = force_of(clause)
    for was, becomes, spans in (
        (IN_FORCE, NOT_IN_FORCE, _without(before, after)),
        (NOT_IN_FORCE, IN_FORCE, _without(after, before)),
    ):
        for span in spans:
            yield ChangeClass(
                "R608",
                Subjects().of(question),
                question,
                SideAnswer(was, (clause,) if before else ()),
                SideAnswer(becomes, (clause,) if after else ()),
                0,
                circumstances=(_when(*span),),
            )


def _days(spans: list[Span]) -> str:
    """When a clause is in force, and when it is not in between."""
    told = [
        f"from {start}" if end == NEVER else f"from {start} until {end}" for start, end in spans
    ]
    holes = [f"from {end} until {start}" for (_, end), (start, _) in pairwise(spans)]
    said = f"in force {' and '.join(told)}" if told else "not in force"
    return f"{said}; not in force {' and '.join(holes)}" if holes else said


def timeline(book: Rulebook) -> dict[str, list[Span]]:
    """For each clause the days on which it is in force, whatever it says then."""
    found: dict[str, list[Span]] = {}
    until = NEVER
    for text in book.texts:
        since = text.amended_from or FIRST
        for entry in text.clauses:
            span = max(entry.start or FIRST, since), min(entry.end or NEVER, until)
            if span[0] < span[1]:
                found.setdefault(entry.id, []).append(span)
        until = since
    return {clause: _joined(spans) for clause, spans in found.items()}


def _joined(spans: list[Span]) -> list[Span]:
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def _clipped(spans: list[Span], to: Span) -> list[Span]:
    cut = [(max(start, to[0]), min(end, to[1])) for start, end in spans]
    return [(start, end) for start, end in cut if start < end]


def _without(spans: list[Span], others: list[Span]) -> list[Span]:
    """The days of some spans that are in no other."""
    for start, end in others:
        left: list[Span] = []
        for first, last in spans:
            left += [(first, min(last, start))] if first < start else []
            left += [(max(first, end), last)] if last > end else []
        spans = [(a, b) for a, b in left if a < b]
    return spans


def _when(start: date, end: date) -> str:
    if start == FIRST:
        return f"the day is before {end}"
    return (
        f"the day is {start} or later" if end == NEVER else (f"the day is from {start} until {end}")
    )
