"""What a clause, section or reading says otherwise, statement by statement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rulespec.tree import nodes as t
from rulespec.tree.write_statements import prevails_text, row_text, statement_text

Part = t.Statement | t.PayRow | t.Prevails
RULE, SCOPE, ORDER = "rule", "scope", "order"
WITH_EFFECT = frozenset({RULE, SCOPE, ORDER})
"""What can change the meaning; the rest is how the text speaks."""
_WHAT: dict[type[t.Node], str] = {
    t.AppliesWhen: SCOPE,
    t.DoesNotApplyWhen: SCOPE,
    t.SubjectTo: ORDER,
    t.Despite: ORDER,
    t.Prevails: ORDER,
    t.Cites: "reference",
    t.CitesOutside: "reference",
    t.Uses: "term",
    t.Defines: "term",
    t.NotCheckable: "standing",
    t.Introduces: "standing",
}


@dataclass(frozen=True, slots=True)
class Changed:
    """One thing that is said otherwise: as it was, and as it becomes; one of them may be empty."""

    what: str  # rule, scope, order, reference, term, standing, topic, title, reason
    was: str
    becomes: str
    old: Part | None = field(default=None, compare=False, repr=False)
    new: Part | None = field(default=None, compare=False, repr=False)
    effect: bool | None = None  # whether something comes out differently through it
    hidden: str = ""  # where nothing does: why

    def as_json(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "was": self.was,
            "becomes": self.becomes,
            "effect": self.effect,
            "hidden_by": self.hidden or None,
        }


def changed(old: Iterable[Part], new: Iterable[Part]) -> list[Changed]:
    """What is said otherwise, in whatever order it is said; dates are told apart from this."""
    before, after = list(_units(old)), list(_units(new))
    gone, come = _without(before, after), _without(after, before)
    found: list[Changed] = []
    for one, other in _paired(gone, come, _asks, _subject):
        found += _rows(one, other) or [_changed(one, other)]
    return found


def text_of(part: Part | None) -> str:
    match part:
        case None:
            return ""
        case t.PayRow():
            return row_text(part)
        case t.Prevails():
            return prevails_text(part)
        case _:
            return statement_text(part)


def what_of(part: Part) -> str:
    return _WHAT.get(type(part), RULE)


def _changed(one: Part | None, other: Part | None) -> Changed:
    part = one or other
    assert part is not None
    return Changed(what_of(part), text_of(one), text_of(other), one, other)


def _units(parts: Iterable[Part]) -> Iterator[Part]:
    """Lists taken apart: each reference, order and term by itself."""
    for part in parts:
        match part:
            case t.Cites() | t.SubjectTo() | t.Despite():
                for reference in part.references:
                    yield replace(part, references=(reference,))
            case t.Uses() | t.Defines():
                for term in part.terms:
                    yield replace(part, terms=(term,))
            case t.Prevails():
                for loser in part.losers:
                    yield replace(part, losers=(loser,))
            case t.InForce():
                pass
            case _:
                yield part


def _without(parts: list[Part], others: list[Part]) -> list[Part]:
    left = Counter(others)
    found: list[Part] = []
    for part in parts:
        if left[part] > 0:
            left[part] -= 1
        else:
            found.append(part)
    return found


def _paired(
    gone: Sequence[Part], come: Sequence[Part], *alike: Callable[[Any], object]
) -> list[tuple[Part | None, Part | None]]:
    """Each thing that went with the one that came in its place, the most alike first."""
    left = list(come)
    mates: dict[int, Part] = {}
    for same in alike:
        for n, one in enumerate(gone):
            mate = next((x for x in left if same(x) == same(one)), None)
            if n not in mates and mate is not None:
                mates[n] = mate
                left.remove(mate)
    pairs: list[tuple[Part | None, Part | None]] = [
        (one, mates.get(n)) for n, one in enumerate(gone)
    ]
    return [*pairs, *((None, one) for one in left)]


_SAYS = ("bet", "outcome", "payout", "timing", "modal", "term", "direction", "interim")


def _subject(part: Part) -> object:
    """What a statement is about, whatever it says of it."""
    named = [getattr(part, name, None) for name in ("bet", "actor", "actions", "moment", "term")]
    return type(part), tuple(named)


def _asks(part: Part) -> object:
    """What a statement says, whenever it holds."""
    if isinstance(part, t.Cites | t.SubjectTo | t.Despite):
        (reference,) = part.references
        return type(part), reference.about, reference.read_as
    return _subject(part), tuple(getattr(part, name, None) for name in _SAYS)


def _rows(one: Part | None, other: Part | None) -> list[Changed]:
    """Of two tables the rows that differ, as long as the tables hold for the same hands."""
    if not (isinstance(one, t.PayTable) and isinstance(other, t.PayTable)):
        return []
    if one.condition != other.condition:
        return []
    gone, come = _without([*one.rows], [*other.rows]), _without([*other.rows], [*one.rows])
    pairs = _paired(gone, come, lambda row: row.payout, lambda row: row.condition)
    return [_changed(*pair) for pair in pairs]


def clause_list(clauses: Iterable[str]) -> str:
    """Some clauses in words; of many the first ones and how many more."""
    named = [f"`{c}`" for c in dict.fromkeys(clauses)]
    shown = named[:4]
    more = f" and {len(named) - 4} more" if len(named) > 4 else ""
    if len(shown) < 2 or more:
        return ", ".join(shown) + more
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
