"""What is new in a finding that was accepted for other states than are found now.

An acceptance gives the number of states and their mark. Marks add up: if the states that also meet
some condition have the accepted mark, then those are the old ones, and the rest is new.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from checker.prove.issues import mark_of
from checker.prove.witnessed import renew
from checker.states.diagram import Diagram
from checker.states.marks import PRIME, written

if TYPE_CHECKING:
    from checker.prove.search import Search
    from checker.prove.witnessed import Found
    from checker.states.symbolic import Symbolic

STATES = re.compile(r"([\d,]+) states? ([0-9a-f]{8})")


def tell_changes(prover: Search) -> None:
    """Findings that were accepted with other states show one that is new."""
    told = [p for one in prover.proofs.found for p in (one, one.behind) if p is not None]
    now = {written(p.count, p.mark) for p in told if p.mark is not None}
    accepted: dict[str, dict[str, int]] = {}
    for acceptance in prover.read.rulebook.acceptances:
        for word in acceptance.only:
            states = STATES.fullmatch(word.text)
            if states and word.text not in now:
                accepted.setdefault(acceptance.code, {})[word.text] = int(states[2], 16)
    known = {
        word.text for acceptance in prover.read.rulebook.acceptances for word in acceptance.only
    }
    for found, made in prover.reported:
        before = accepted.get(found.code)
        if not before or found.mark is None or written(found.count, found.mark) in known:
            continue
        for text, mark in before.items():
            new = _new_states(made, mark)
            if new is not None:
                shown = made.finding(new)
                is_new = shown is not None and shown.witness is not None
                made_anew = shown if shown is not None and is_new else found
                renew(
                    prover,
                    found,
                    replace(
                        made_anew,
                        was=text,
                        new=is_new,
                        behind=found.behind,
                        never_alone=found.never_alone,
                    ),
                )
                break


def _new_states(made: Found, mark: int) -> Diagram | None:
    """The states that are not among those with this mark, if it can be told which those are."""
    space, d = made.space, made.space.d
    whole = d.any_of([clash.states for clash in made.cluster])
    for clause in dict.fromkeys(c for clash in made.cluster for c in clash.clauses):
        rest = [clash for clash in made.cluster if clause not in clash.clauses]
        if rest and mark_of(space, made.question, rest) == mark % PRIME:
            return d.without(whole, d.any_of([clash.states for clash in rest]))
    for known in _conditions(space):
        old = [replace(clash, states=d.both(clash.states, known)) for clash in made.cluster]
        rest = [clash for clash in old if clash.states != d.none]
        if rest and mark_of(space, made.question, rest) == mark % PRIME:
            return d.without(whole, known)
    return None


def _conditions(space: Symbolic) -> Iterator[Diagram]:
    """What may have told old states from new ones: circumstances, conditions and their limits."""
    d = space.d
    for level in range(len(space.flags)):
        yield d.flag(level, frozenset({0}))
    for pair in list(space.conditions()):
        yield from pair
    yield from space.limits()
