"""The defined words of the printed text: used without a meaning, never used, defined twice.

Which terms a clause uses is told by its `uses` and by the list of the printed clauses, which asks
for them clause by clause, so that none can be forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches

from rulespec.base.clause_ids import printed
from rulespec.base.diagnostics import Diagnostic, Related
from rulespec.base.spans import Span
from rulespec.checks.ledger import ClauseList
from rulespec.checks.numbering import enclosing
from rulespec.resolve.clause_entry import ClauseEntry
from rulespec.resolve.rulebook import Rulebook
from rulespec.tree import nodes as t


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a term stands, spelt as it is there."""

    term: str
    entry: ClauseEntry
    span: Span


def terms(rulebook: Rulebook, clause_list: ClauseList | None = None) -> list[Diagnostic]:
    defined: dict[str, list[_Place]] = {}
    mentions: list[_Place] = []
    listed = _listed(rulebook, clause_list) if clause_list else {}
    for entry in rulebook.clauses:
        said = _said(entry, t.Uses)
        known = {singular_form(place.term) for place in said}
        mentions += said
        mentions += [
            _Place(term, entry, entry.tree.id_span)
            for term in listed.get(entry.id, ())
            if singular_form(term) not in known
        ]
        for place in _said(entry, t.Defines):
            defined.setdefault(exact_word(place.term), []).append(place)
    used = _resolve(mentions, defined)
    found = [*_undefined(defined, used), *_unused(defined, used), *_defined_twice(defined)]
    if clause_list:
        found += [*_differing(rulebook, listed), *_not_asked(rulebook, clause_list)]
    return [replace(d, rulebook=rulebook.id) for d in found]


def _said(entry: ClauseEntry, kind: type[t.Uses] | type[t.Defines]) -> list[_Place]:
    return [
        _Place(term, entry, statement.span)
        for statement in entry.tree.statements
        if isinstance(statement, kind)
        for term in statement.terms
    ]


def _listed(rulebook: Rulebook, clause_list: ClauseList) -> dict[str, tuple[str, ...]]:
    """The terms that the list names, by clause; what an amendment replaced has other words now."""
    *_, first = rulebook.texts
    now = {c.id: c.tree for c in rulebook.clauses}
    changed = {c.id for c in first.clauses if now.get(c.id) != c.tree} if rulebook.before else set()
    return {
        c.id: c.terms for c in clause_list.clauses if c.terms is not None and c.id not in changed
    }


def _differing(rulebook: Rulebook, listed: dict[str, tuple[str, ...]]) -> Iterator[Diagnostic]:
    """A clause that says what it uses, and whose entry in the list says otherwise."""
    said: dict[str, list[_Place]] = {}
    for entry in rulebook.clauses:
        if entry.id in listed and (places := _said(entry, t.Uses)):
            said.setdefault(entry.id, []).extend(places)
    for clause, places in said.items():
        here = {singular_form(p.term): p.term for p in places}
        there = {singular_form(term): term for term in listed[clause]}
        only_here = [term for key, term in here.items() if key not in there]
        only_there = [term for key, term in there.items() if key not in here]
        if only_here or only_there:
            parts = [f"{_quoted(only_here)} only here"] if only_here else []
            parts += [f"{_quoted(only_there)} only there"] if only_there else []
            yield Diagnostic(
                "R226",
                f"`{clause}` and the list of clauses name other terms: {', '.join(parts)}",
                places[0].span,
                clause=clause,
                help="compare with the source, and put the one right that is wrong",
            )


def _not_asked(rulebook: Rulebook, clause_list: ClauseList) -> Iterator[Diagnostic]:
    missing = [c.id for c in clause_list.clauses if c.terms is None]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        yield Diagnostic(
            "R227",
            f"the list of clauses does not say which terms `{missing[0]}`{more} use"
            + ("" if more else "s"),
            rulebook.header.span,
            help=f"give each clause of `{clause_list.path.name}` its `terms`; `[]` if it has none",
        )


def _quoted(words: list[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def exact_word(term: str) -> str:
    return " ".join(term.casefold().split())


def singular_form(term: str) -> str:
    words = re.sub(r"\(e?s\)", "", exact_word(term)).split(" ")
    words[-1] = re.sub(r"(?<=x)es$|(?<=[^su])s$", "", words[-1])
    return " ".join(words)


def _resolve(mentions: list[_Place], defined: dict[str, list[_Place]]) -> dict[str, list[_Place]]:
    """The uses of each term. The same spelling comes first: beside a bet called `Perfect Pairs`
    a text may define a `perfect pair`."""
    singular: dict[str, str] = {}
    for key in defined:
        singular.setdefault(singular_form(key), key)
    used: dict[str, list[_Place]] = {}
    for place in mentions:
        key = exact_word(place.term)
        if key not in defined:
            key = singular.setdefault(singular_form(key), key)
        used.setdefault(key, []).append(place)
    return used


_SAME_SENSE: tuple[frozenset[str], ...] = (
    frozenset({"initial", "original", "first"}),
    frozenset({"wager", "bet", "stake"}),
    frozenset({"betting", "wagering", "wager", "playing"}),
    frozenset({"count", "total", "value"}),
)
"""Words that texts on table games use for each other."""


def _undefined(
    defined: dict[str, list[_Place]], used: dict[str, list[_Place]]
) -> Iterator[Diagnostic]:
    """One finding for each term, or for all names of what may be one thing."""
    known = [place.term for places in defined.values() for place in places]
    for keys in _names_of_one_thing([key for key in used if key not in defined]):
        first = used[keys[0]][0]
        others = [place for key in keys for place in used[key]][1:]
        names = [used[key][0].term for key in keys]
        what = f"`{first.term}` is used as a term, but no clause defines it"
        if len(names) > 1:
            listed = f"{_quoted(names[:-1])} and `{names[-1]}`"
            what = f"{listed} are used as terms, but no clause defines them"
        yield Diagnostic(
            "R207",
            what,
            first.span,
            clause=first.entry.id,
            related=tuple(Related(p.entry.id, f"also uses {p.term}", p.span) for p in others),
            help=_advice(names, known),
            about=tuple(names),
        )


def _names_of_one_thing(terms: list[str]) -> list[list[str]]:
    """The terms in groups: words of the same sense, and longer and shorter forms of a name."""
    groups: list[list[str]] = []
    for term in terms:
        near = [group for group in groups if any(_may_be_one(term, other) for other in group)]
        groups = [group for group in groups if group not in near]
        groups.append([*(other for group in near for other in group), term])
    order = {term: n for n, term in enumerate(terms)}
    return sorted(
        (sorted(group, key=order.__getitem__) for group in groups), key=lambda g: order[g[0]]
    )


def _may_be_one(one: str, other: str) -> bool:
    words, words_of_other = (singular_form(term).split(" ") for term in (one, other))
    if len(words) == len(words_of_other) > 1:
        return all(
            a == b or any({a, b} <= alike for alike in _SAME_SENSE)
            for a, b in zip(words, words_of_other, strict=True)
        )
    short, long = sorted((words, words_of_other), key=len)
    # `Casino Inspectorate` for a `Government Casino Inspectorate`
    return len(short) > 1 and short[-1] == long[-1] and set(short) < set(long)


def _advice(names: list[str], known: list[str]) -> str:
    """Only a near spelling, or other words for the same, are a likely slip: not another thing."""
    words = [exact_word(name).split(" ") for name in names]
    for term in known:
        said = exact_word(term).split(" ")
        if any(len(said) == len(w) and all(map(_like, w, said)) for w in words):
            return f"did you mean `{exact_word(term)}`?"
    for term in known:
        said = exact_word(term).split(" ")
        if any(len(said) == len(w) and _may_be_one(" ".join(w), " ".join(said)) for w in words):
            return f"perhaps `{term}` is meant, which is defined"
    if len(names) > 1:
        return "the text does not say whether they mean one thing"
    return "the text leaves its meaning open"


def _like(word: str, other: str) -> bool:
    """A slip of the pen, or `gaming` for `game`; not `optional` for `original`."""
    near = get_close_matches(word, [other], cutoff=0.6 if word[:2] == other[:2] else 0.85)
    return bool(near)


def _unused(
    defined: dict[str, list[_Place]], used: dict[str, list[_Place]]
) -> Iterator[Diagnostic]:
    for key, places in defined.items():
        definers = {p.entry.id for p in places}
        if any(p.entry.id not in definers for p in used.get(key, ())):
            continue
        if any(_decides(p.entry) for p in places):
            continue
        first = places[0]
        yield Diagnostic(
            "R208",
            f"`{first.term}` is defined, but no other clause uses it",
            first.span,
            clause=first.entry.id,
            about=(first.term,),
        )


def _decides(entry: ClauseEntry) -> bool:
    """A clause that explains a word in passing and then rules on it has used it itself."""
    only_words = (
        t.Defines
        | t.Define
        | t.Uses
        | t.Cites
        | t.CitesOutside
        | t.NotCheckable
        | t.InForce
        | t.Introduces
    )
    return any(not isinstance(s, only_words) for s in entry.tree.statements)


def _defined_twice(defined: dict[str, list[_Place]]) -> Iterator[Diagnostic]:
    for places in defined.values():
        first, *others = _whole_definitions(places)
        if not others:
            continue
        sections = list(dict.fromkeys(p.entry.section or "" for p in (first, *others)))
        apart = len(sections) > 1 and "" not in sections
        where = f", in sections {' and '.join(f'`{s}`' for s in sections)}" if apart else ""
        yield Diagnostic(
            "R218",
            f"`{first.term}` is defined by clauses {_names([first, *others])}{where}",
            others[0].span,
            clause=others[0].entry.id,
            related=tuple(
                Related(p.entry.id, f"also defines {p.term}", p.span) for p in (first, *others[1:])
            ),
            help="if each meaning is for its own section only, accept this with that reason"
            if apart
            else "which of them holds?",
            about=(first.term,),
        )


def _whole_definitions(places: list[_Place]) -> list[_Place]:
    """Parts of a defining clause, and later versions of it, add to the same definition."""
    numbers = {printed(p.entry.id) for p in places}
    whole: dict[str, _Place] = {}
    for place in places:
        if not numbers & set(enclosing(place.entry.id)):
            whole.setdefault(place.entry.id, place)
    return list(whole.values())


def _names(places: list[_Place]) -> str:
    return " and ".join(f"`{p.entry.id}`" for p in places)
