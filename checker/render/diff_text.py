"""A comparison of two texts for a terminal: topic, was and becomes side by side, hand, clauses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from checker.diff.classes import ChangeClass, SideAnswer
from checker.diff.diff import Difference
from checker.diff.findings import (
    by_topic,
    clause_words,
    dealt,
    gain_sentence,
    gain_words,
    hand_words,
    ordered,
    proof,
    said_lines,
    titled,
    verdict,
)
from checker.diff.headings import dated
from checker.diff.printed.statements import Changed
from checker.diff.printed.structure import KINDS, ClauseChange
from checker.render.lines import Line, View, cells, line, wrapped
from checker.render.to_text import count
from rulespec.resolve.rulebook import Rulebook

_SHOWN = 12  # changed clauses of one kind, unless --full
_LINES = 6  # things that one clause says otherwise, unless --full
_CIRCUMSTANCES = 6  # kinds of special circumstances of one topic


def diff_text(found: Difference, view: View) -> Iterator[Line]:
    yield line(("old  ", "faint"), (_name(found.old), "strong"))
    yield line(("new  ", "faint"), (_name(found.new), "strong"))
    yield line()
    style = "good" if found.same_meaning else "warning"
    yield from wrapped(line((verdict(found), style)), view.width, indent=0)
    if not view.quiet:
        yield from wrapped(line((proof(found), "faint")), view.width, indent=0)
    yield line()
    yield from _structure(found, view)
    yield from _meaning(found, view)


def _name(book: Rulebook) -> str:
    parts = [f"{book.id}: {book.title}", dated(book), count(len(book.clauses), "clause")]
    return ", ".join(part for part in parts if part)


# --- structure


def _structure(found: Difference, view: View) -> Iterator[Line]:
    shape = found.structure
    yield line(("The text", "strong"))
    if not shape.same_rulebook:
        yield line("  two different rulebooks: clauses are compared by what they do, not by number")
        yield line()
        return
    if shape.as_it_stood:
        yield line("  every clause stands as it stood")
    for kind in KINDS:
        changes = shape.of_kind(kind)
        if changes:
            yield line(f"  {count(len(changes), 'clause')} {_KINDS[kind]}")
        shown = changes if view.full else changes[:_SHOWN]
        for change in shown:
            yield from wrapped(line("    ", *_change(change)), view.width, indent=8)
            yield from _said(change.lines, view)
        if len(changes) > len(shown):
            yield line((f"    and {len(changes) - len(shown)} more (--full shows them)", "faint"))
    for called, other in shape.others:
        yield line(f"  {called} {other.name} {other.kind}")
        yield from _said(other.lines, view)
    for text in shape.header:
        yield line(f"  heading: {text}")
    yield line()


_KINDS = {
    "added": "added",
    "removed": "removed",
    "changed": "changed",
    "renumbered": "renumbered",
    "moved": "moved",
    "reworded": "with other references or words",
    "retitled": "with another title",
}


def _change(change: ClauseChange) -> Iterator[tuple[str, str]]:
    if change.kind == "renumbered" and change.old is not None:
        yield f"{change.old.id} → {change.clause} ", "strong"
    else:
        yield f"{change.clause} ", "strong"
    yield change.title, ""
    if change.effect is False:
        yield "  (no effect)", "faint"


def _said(lines: Iterable[Changed], view: View) -> Iterator[Line]:
    for word, text in said_lines(lines, None if view.full else _LINES):
        style = "note" if word == "no effect" else "faint"
        yield from wrapped(line((f"      {word:<10}", style), text), view.width, indent=16)


# --- meaning


def _meaning(found: Difference, view: View) -> Iterator[Line]:
    classes = ordered(found.classes)
    width = max(view.width or 150, 60)
    numbers = {id(one): n for n, one in enumerate(classes, 1)}
    for about, mine in by_topic(classes):
        plain = [c for c in mine if c.ordinary]
        special = [c for c in mine if not c.ordinary]
        yield line((about.topic, "strong"), (f"  {_counted(len(plain), len(special))}", "faint"))
        if view.full:
            for one in mine:
                yield from _opened(found, one, numbers[id(one)], view, width)
        elif about.several_questions:
            yield from _by_question(plain, numbers, width)
        else:
            for one in plain:
                yield _folded(one, numbers[id(one)], width)
        if not view.full:
            yield from _special(special, view)
        yield line()
    for undecided in found.meaning.undecided:
        asked = undecided.about.asked
        clauses = f"{clause_words(undecided.old_clauses)} / {clause_words(undecided.new_clauses)}"
        yield from wrapped(
            line(("not decided: ", "note"), f"{asked}: {undecided.reason} ({clauses})"), view.width
        )
    if found.classes and not view.full and not view.quiet:
        yield line(("--full opens every difference: clauses, the round that shows it", "faint"))


def _counted(plain: int, special: int) -> str:
    if not special:
        return count(plain, "difference")
    more = f"{special:,} in special circumstances"
    return f"{count(plain, 'difference')}, {more}" if plain else more


def _folded(one: ChangeClass, number: int, width: int) -> Line:
    """One line: was, becomes, hand, who gains, clauses."""
    room = width - 8
    gains = 16 if one.about.of_a_bet else 0
    said = min(26, max(14, room * 16 // 100))
    clauses = f"{clause_words(one.was.clauses, 2)} → {clause_words(one.becomes.clauses, 2)}"
    hand = min(52, max(22, room - 2 * said - gains - 28))
    left = max(0, room - 2 * said - hand - gains)
    return line(
        (f"{number:>4}  ", "faint"),
        _cell(one.was.text, said),
        ("→ ", "faint"),
        (_cell(one.becomes.text, said), "strong"),
        _cell(_shown_by(one), hand),
        (_cell(gain_words(one), gains) if gains else "", _gain_style(one)),
        (_cut(clauses, left) if left > 9 else "", "faint"),
    )


def _by_question(classes: list[ChangeClass], numbers: dict[int, int], width: int) -> Iterator[Line]:
    """Differences that no hand shows, under what they are about."""
    asked = ""
    for one in sorted(classes, key=lambda c: (c.about.asked, numbers[id(c)])):
        if one.about.asked != asked:
            asked = one.about.asked
            yield line(f"  {asked}")
        when = _shown_by(one) or "always"
        clauses = f"{clause_words(one.was.clauses, 2)} → {clause_words(one.becomes.clauses, 2)}"
        room = width - 8
        said = max(16, room * 24 // 100)
        yield line(
            (f"{numbers[id(one)]:>4}  ", "faint"),
            _cell(one.was.text, said),
            ("→ ", "faint"),
            (_cell(one.becomes.text, said), "strong"),
            _cell(when, max(20, room - 2 * said - 26)),
            (_cut(clauses, 25), "faint"),
        )


def _shown_by(one: ChangeClass) -> str:
    """The hand that shows a difference, and when it does."""
    when = "when " + "; ".join(one.circumstances) if one.circumstances else ""
    return ", ".join(x for x in (hand_words(one), when) if x)


def _gain_style(one: ChangeClass) -> str:
    return {"player": "note", "house": "warning"}.get(str(one.favours), "faint")


def _cell(text: str, width: int) -> str:
    cut = _cut(text, width - 1)
    return cut + " " * (width - cells(cut))


def _cut(text: str, width: int) -> str:
    if cells(text) <= width:
        return text
    while text and cells(text) > width - 1:
        text = text[:-1]
    return text.rstrip(" ,") + "…"


def _special(classes: list[ChangeClass], view: View) -> Iterator[Line]:
    """One line for each kind of circumstances."""
    groups: dict[tuple[str, ...], list[ChangeClass]] = {}
    for one in classes:
        groups.setdefault(one.circumstances, []).append(one)
    for circumstances, mine in list(groups.items())[:_CIRCUMSTANCES]:
        told = [f"{one.was.text} → {one.becomes.text}" for one in mine]
        more = f"; {len(told) - 3} more" if len(told) > 3 else ""
        yield from wrapped(
            line(
                ("      when ", "faint"),
                " and ".join(circumstances),
                (f"   {'; '.join(told[:3])}{more}", "faint"),
            ),
            view.width,
            indent=11,
        )
    if len(groups) > _CIRCUMSTANCES:
        left = len(groups) - _CIRCUMSTANCES
        yield line((f"      and {count(left, 'other circumstance')} (--full shows them)", "faint"))


def _opened(
    found: Difference, one: ChangeClass, number: int, view: View, width: int
) -> Iterator[Line]:
    """Both sides next to each other, then the hand, who gains, and how it was dealt."""
    half = (width - 9) // 2
    yield line((f"{number:>4}  ", "faint"), (one.about.asked, "strong"), (f"  {one.code}", "faint"))
    for circumstance in one.circumstances:
        yield from wrapped(line(("      when ", "faint"), circumstance), view.width, indent=11)
    left = ["was      " + one.was.text, *_clause_lines(found.old, one.was)]
    right = ["becomes  " + one.becomes.text, *_clause_lines(found.new, one.becomes)]
    for n in range(max(len(left), len(right))):
        style = "strong" if n == 0 else ""
        yield line(
            "      ",
            (_cell(left[n] if n < len(left) else "", half), style),
            ("│ ", "faint"),
            (_cut(right[n] if n < len(right) else "", half), style),
        )
    hand = hand_words(one)
    if hand:
        yield from wrapped(line(("      hand     ", "faint"), hand), view.width, indent=15)
    gain = gain_sentence(one)
    if gain:
        yield line(("      gains    ", "faint"), (gain, _gain_style(one)))
    if one.witness is not None and one.states > 1:
        yield line(("      like it  ", "faint"), f"{one.states:,} kinds of hand")
    for variant in one.other_variants[:5]:
        yield from wrapped(
            line(
                (
                    f"      also by  {clause_words(variant.old)} → {clause_words(variant.new)} "
                    f"({variant.states:,})",
                    "faint",
                )
            ),
            view.width,
            indent=15,
        )
    if one.witness is not None:
        played = " / ".join(dealt(one.witness))
        yield from wrapped(line((f"      dealt    {played}", "faint")), view.width, indent=15)
    yield line()


def _clause_lines(book: Rulebook, side: SideAnswer) -> list[str]:
    named = [titled(book, clause) for clause in side.clauses[:6]] or ["no clause"]
    return [
        *(f"         {text}" for text in named),
        *(f"         by the reading {name}" for name in side.readings),
    ]
