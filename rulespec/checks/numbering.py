"""The numbers of the printed text: printed twice, left out, under the wrong heading, or none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from string import ascii_lowercase

from rulespec.base.clause_ids import printed, split_number
from rulespec.base.diagnostics import Diagnostic, Related
from rulespec.base.spans import Span
from rulespec.resolve.clause_entry import ClauseEntry
from rulespec.resolve.rulebook import Rulebook


def numbering(rulebook: Rulebook) -> list[Diagnostic]:
    return [
        *_duplicates(rulebook),
        *_gaps(rulebook),
        *_misplaced(rulebook),
        *_unnumbered(rulebook),
    ]


@cache
def base_number(clause: str) -> str:
    """The number that a table, a tail or a definition stands under: `14.2#table1` → `14.2`."""
    return re.sub(r"(:.*|#\D.*)$", "", printed(clause))


def enclosing(clause: str) -> Iterator[str]:
    """The numbers around a clause, innermost first: `14.1(d)` → `14.1`, `14`."""
    number = base_number(clause)
    if number != printed(clause):
        yield number
    while (split := split_number(number)) is not None and split[0]:
        number = split[0].removesuffix("(")
        yield number


def in_sequence(number: str, numbers: Iterable[str]) -> list[str]:
    """Those of the numbers that are counted in one sequence with this one, in their order."""
    prefix = (split_number(number) or ("",))[0]
    labels = {
        n: s[1] for n in numbers if "#" not in n and (s := split_number(n)) and s[0] == prefix
    }
    style = _style(list(labels.values()))
    return sorted(labels, key=lambda n: style[0](labels[n])) if style else []


def between(first: str, last: str, numbers: Iterable[str]) -> list[str]:
    """Those of the numbers that are counted from the first to the last; none when these two do
    not belong to one sequence."""
    counted = in_sequence(first, numbers)
    if first not in counted or last not in counted:
        return []
    return counted[counted.index(first) : counted.index(last) + 1]


@cache
def first_number(clause: str) -> str:
    """`14.1(d)` begins with `14`."""
    return re.split(r"[.(:#]", clause, maxsplit=1)[0]


# --- printed twice


def _duplicates(rulebook: Rulebook) -> Iterator[Diagnostic]:
    """One finding for each number; for all together that one section has from another. Where a
    clause stands under the wrong heading, that is told with it."""
    strays = _strays(rulebook)
    issues: dict[object, dict[str, list[ClauseEntry]]] = {}
    for number, bearers in _bearers(rulebook).items():
        sections = [e.section for e in bearers]
        entries = [e for e in bearers if e.id not in strays or sections.count(e.section) > 1]
        if len(entries) > 1:
            apart = len({e.section for e in entries}) == len(entries)
            together = tuple(e.section for e in entries) if apart else number
            issues.setdefault(together, {})[number] = entries
    yield from (_printed_again(rulebook.id, again) for again in issues.values())


def _bearers(rulebook: Rulebook) -> dict[str, list[ClauseEntry]]:
    """The clauses by the number that is printed before them; of each one version."""
    found: dict[str, dict[str, ClauseEntry]] = {}
    paragraphs = _in_paragraphs(rulebook)
    for entry in rulebook.clauses:
        if printed(entry.id) not in paragraphs:
            found.setdefault(printed(entry.id), {}).setdefault(entry.id, entry)
    return {number: list(entries.values()) for number, entries in found.items()}


def _in_paragraphs(rulebook: Rulebook) -> set[str]:
    """Articles whose paragraphs have no number of their own: these are counted from `55#1`, where
    a number that is printed twice is `22` and `22#2`."""
    return {printed(entry.id) for entry in rulebook.clauses if entry.id.endswith("#1")}


def _printed_again(rulebook: str, again: dict[str, list[ClauseEntry]]) -> Diagnostic:
    (number, (_, second, *_)), *more = again.items()
    times = _times(len(again[number]))
    what = f"the number `{number}` is printed {times}"
    if more:
        what = f"{len(again)} numbers from `{number}` to `{more[-1][0]}` are printed {times}"
    carrying = [(n, entry) for n, entries in again.items() for entry in entries]
    return Diagnostic(
        "R204",
        what,
        second.tree.id_span,
        rulebook,
        second.id,
        tuple(_carrying(n, entry) for n, entry in carrying if entry is not second),
        f"a reference to `{number}` does not say which of them is meant",
        about=(f"{len(again)} numbers",) if more else (),
    )


def _carrying(number: str, entry: ClauseEntry) -> Related:
    where = f" in section {entry.section}" if entry.section else ""
    return Related(entry.id, f"also printed {number}{where}", entry.tree.id_span)


def _times(count: int) -> str:
    return {2: "twice", 3: "three times"}.get(count, f"{count} times")


# --- under the wrong heading


def _is_misplaced(entry: ClauseEntry) -> bool:
    number = first_number(entry.id)
    return bool(entry.section and entry.section.isdigit() and number.isdigit()) and (
        number != entry.section
    )


def _counts_by_section(rulebook: Rulebook) -> bool:
    """Whether clause numbers begin with the number of their section; elsewhere clauses are
    counted through the whole text and say nothing about the section."""
    placed = [
        e
        for e in rulebook.clauses
        if e.section and e.section.isdigit() and first_number(e.id).isdigit()
    ]
    return 2 * sum(_is_misplaced(e) for e in placed) < len(placed)


def _strays(rulebook: Rulebook) -> set[str]:
    """The clauses that stand in one section with the number of another."""
    by_section = _counts_by_section(rulebook)
    return {e.id for e in rulebook.clauses if by_section and _is_misplaced(e)}


def _misplaced(rulebook: Rulebook) -> Iterator[Diagnostic]:
    """One finding for all clauses that stand in a section with the number of another."""
    misplaced = _strays(rulebook)
    strays: dict[tuple[str, str], list[ClauseEntry]] = {}
    for entry in rulebook.clauses:
        if entry.section and entry.id in misplaced:
            strays.setdefault((entry.section, first_number(entry.id)), []).append(entry)
    bearers = _bearers(rulebook)
    for (section, number), entries in strays.items():
        first, *others = entries
        what = (
            f"clause `{first.id}` is"
            if not others
            else (f"clause `{first.id}` and {len(others)} more are")
        )
        again = [
            (printed(e.id), other)
            for e in entries
            for other in bearers[printed(e.id)]
            if other.section != section
        ]
        numbers = list(dict.fromkeys(n for n, _ in again))
        twice = (
            ", so that "
            + (
                f"`{numbers[0]}` is printed twice"
                if len(numbers) == 1
                else f"{len(numbers)} numbers are printed twice"
            )
            if numbers
            else ""
        )
        yield Diagnostic(
            "R206",
            f"{what} printed in section `{section}` with a number of section `{number}`{twice}",
            first.tree.id_span,
            rulebook.id,
            first.id,
            (
                *(_carrying(n, other) for n, other in again),
                *(Related(e.id, f"printed in section {section}", e.tree.id_span) for e in others),
            ),
            f"a number that begins with `{section}` is expected here",
            about=(f"{len(entries)} clauses",) if others else (),
        )


# --- left out


@dataclass(frozen=True, slots=True)
class _Member:
    """A number in a sequence, its place there, and a clause that shows that it is printed."""

    label: str
    clause: str
    span: Span


def _gaps(rulebook: Rulebook) -> Iterator[Diagnostic]:
    by_section, strays = _counts_by_section(rulebook), _strays(rulebook)
    sequences: dict[tuple[str | None, str], dict[str, _Member]] = {}
    for entry in (*rulebook.clauses, *rulebook.revoked):  # what was revoked leaves no gap
        # Strays make their own sequence: they neither fill nor open a gap in the true one.
        stray = entry.section if entry.id in strays else None
        for number in (printed(entry.id), *enclosing(entry.id)):
            split = split_number(number)
            if split is None or (stray is not None and not split[0]):
                continue
            prefix, label = split
            member = _Member(label, entry.id, entry.tree.id_span)
            sequences.setdefault((stray, prefix), {}).setdefault(label, member)
    for section in rulebook.sections:
        if by_section and section.id.isdigit():
            span = section.clauses[0].id_span if section.clauses else section.span
            member = _Member(section.id, section.id, span)
            sequences.setdefault((None, ""), {}).setdefault(section.id, member)
    for (stray, prefix), members in sequences.items():
        yield from _gaps_in(rulebook.id, prefix, list(members.values()), stray is not None)
        # a section may well have one rule only
        if len(members) == 1 and (prefix.endswith("(") or "." in prefix):
            yield from _alone(rulebook.id, prefix, *members.values())


def _alone(rulebook: str, prefix: str, member: _Member) -> Iterator[Diagnostic]:
    """A list of one: `(a)` without `(b)`."""
    style = _style([member.label])
    if style is None or style[0](member.label) != 1:
        return
    here, after = _spell(prefix, member.label), _spell(prefix, style[1](2))
    yield Diagnostic(
        "R228",
        f"`{here}` stands alone: no `{after}` follows it",
        member.span,
        rulebook,
        member.clause,
        help="was a part taken out, or should this one have no number of its own?",
    )


def _gaps_in(
    rulebook: str, prefix: str, members: list[_Member], stray: bool
) -> Iterator[Diagnostic]:
    style = _style([m.label for m in members])
    if style is None:
        return
    read, write = style
    placed = sorted(((read(m.label), m) for m in members), key=lambda pair: pair[0])
    # A part of a larger work may begin at 15, but hardly at 2; headings may be numbered `1.0`.
    start = placed[0][0]
    free_start = stray or start == 0 or (prefix == "" and start > 3)
    expected = start if free_start else 1
    before: _Member | None = None
    for place, member in placed:
        if place > expected:
            first, last = (_spell(prefix, write(n)) for n in (expected, place - 1))
            missing = f"`{first}` is" if first == last else f"`{first}` to `{last}` are"
            here = _spell(prefix, member.label)
            where = f"before `{here}`"
            if before is not None:
                where = f"between `{_spell(prefix, before.label)}` and `{here}`"
            yield Diagnostic(
                "R205",
                f"{missing} missing {where}",
                member.span,
                rulebook,
                member.clause,
                (Related(before.clause, "before the gap", before.span),) if before else (),
                "was a clause taken out without renumbering, or not written down?",
                about=(first if first == last else f"{first} to {last}",),
            )
        before, expected = member, place + 1


def _spell(prefix: str, label: str) -> str:
    if prefix.endswith("("):
        return f"{prefix}{label})"
    return f"{prefix}.{label}" if prefix else label


# --- without a number


def _unnumbered(rulebook: Rulebook) -> Iterator[Diagnostic]:
    """Text after a clause or its parts, which no reference can name. Tables, notes and definitions
    have a name of their own."""
    divided = {
        split[0].removesuffix("(") for e in rulebook.clauses if (split := split_number(e.id))
    }
    for entry in rulebook.clauses:
        number = base_number(entry.id)
        kind = printed(entry.id).removeprefix(number)
        if kind.startswith("#") and not kind.startswith(("#table", "#note")):
            what = f"the parts of `{number}`" if number in divided else f"`{number}`"
            yield Diagnostic(
                "R225",
                f"text after {what} has no number of its own",
                entry.tree.id_span,
                rulebook.id,
                entry.id,
                help=f"a reference to `{number}` does not say whether these words are meant",
            )


_Style = tuple[Callable[[str], int], Callable[[int], str]]


def _style(labels: list[str]) -> _Style | None:
    """How a sequence counts. `(i)` after `(h)` is a letter; a list that begins with `(i)`, or
    that has an `(ii)`, counts in roman numerals."""
    if all(label.isdecimal() and len(label) < 10 for label in labels):
        return int, str
    roman = all(label in _ROMAN for label in labels)
    if roman and (labels[0] == "i" or any(len(set(x)) > 1 or x == "ii" for x in labels)):
        return _ROMAN.index, _ROMAN.__getitem__
    if all(label in _LETTERS for label in labels):
        return _LETTERS.index, _LETTERS.__getitem__
    return None


def _roman(number: int) -> str:
    tens, ones = divmod(number, 10)
    return "x" * tens + ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")[ones]


# The empty word stands at 0, so that counting begins at 1. After `z` comes `aa`, then `bb`.
_ROMAN = [_roman(n) for n in range(40)]
_LETTERS = ["", *ascii_lowercase, *(2 * letter for letter in ascii_lowercase)]
