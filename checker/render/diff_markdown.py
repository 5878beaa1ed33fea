"""A comparison of two texts as a comment on a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from checker.diff.classes import ChangeClass
from checker.diff.diff import Difference
from checker.diff.findings import (
    by_topic,
    clause_words,
    dealt,
    gain_words,
    hand_words,
    proof,
    said_lines,
    titled,
    verdict,
)
from checker.diff.headings import headings
from checker.diff.printed.statements import Changed
from checker.diff.printed.structure import KINDS
from rulespec.resolve.rulebook import Rulebook

_MOST = 60_000  # characters; a comment on a code host may not be longer
_LINES = 6  # things that one clause says otherwise
_OPEN = 12  # rows of a topic that are shown unfolded


def diff_markdown(found: Difference, full: bool = False) -> str:
    text = "\n".join(_lines(found, full)) + "\n"
    if len(text) <= _MOST or full:
        return text
    kept = text[:_MOST].rsplit("\n", 1)[0]
    if kept.count("<details>") > kept.count("</details>"):
        kept += "\n\n</details>"
    return f"{kept}\n\n*Cut here; `rulespec diff --full` shows all of it.*\n"


def _lines(found: Difference, full: bool) -> Iterator[str]:
    yield "## " + " → ".join(_plain(name) for name in headings(found))
    yield ""
    yield f"**{_plain(verdict(found))}**"
    yield ""
    yield _plain(proof(found))
    yield ""
    yield from _structure(found, full)
    for about, classes in by_topic(found.classes):
        yield from _topic(found, about.topic, classes, full)
    for undecided in found.meaning.undecided:
        yield f"- not decided: {_plain(undecided.about.asked)}: {_plain(undecided.reason)}"


def _structure(found: Difference, full: bool) -> Iterator[str]:
    shape = found.structure
    if not shape.same_rulebook:
        yield "Two different rulebooks: clauses are compared by what they do, not by number."
        yield ""
        return
    if shape.as_it_stood:
        yield "Every clause stands as it stood."
        yield ""
    for kind in KINDS:
        for change in shape.of_kind(kind):
            was = f"{change.old.id} → " if kind == "renumbered" and change.old else ""
            idle = " (no effect)" if change.effect is False else ""
            name = f"**{_plain(was + change.clause)}** {_plain(change.title)}"
            yield f"- {kind}: {name}{idle}"
            yield from _said(change.lines, full)
    for called, other in shape.others:
        yield f"- {called} {other.kind}: {_plain(other.name)}"
        yield from _said(other.lines, full)
    for text in shape.header:
        yield f"- heading: {_plain(text)}"
    if not shape.as_it_stood:
        yield ""


def _said(lines: Iterable[Changed], full: bool) -> Iterator[str]:
    for word, text in said_lines(lines, None if full else _LINES):
        yield f"  - {f'{word}: ' if word else ''}{_plain(text)}"


def _topic(found: Difference, topic: str, classes: list[ChangeClass], full: bool) -> Iterator[str]:
    plain = [c for c in classes if c.ordinary]
    special = [c for c in classes if not c.ordinary]
    yield f"### {topic}"
    yield ""
    yield from _table(plain[: None if full else _OPEN], full, found)
    if len(plain) > _OPEN and not full:
        rest = plain[_OPEN:]
        yield from _folded(f"{len(rest)} more", rest, found)
    if special:
        title = f"{len(special)} only in special circumstances"
        yield from _folded(title, special, found)


def _folded(title: str, classes: list[ChangeClass], found: Difference) -> Iterator[str]:
    yield f"<details><summary>{title}</summary>"
    yield ""
    yield from _table(classes, False, found)
    yield "</details>"
    yield ""


def _table(classes: list[ChangeClass], full: bool, found: Difference) -> Iterator[str]:
    if not classes:
        return
    yield "| was | becomes | hand | clauses | gains |"
    yield "| --- | --- | --- | --- | --- |"
    for one in classes:
        what = "; ".join(x for x in (hand_words(one), _when(one)) if x)
        lead = "" if one.about.of_one_bet else f"{one.about.asked}: "
        clauses = f"{_cited(found.old, one.was.clauses, full)} → " + _cited(
            found.new, one.becomes.clauses, full
        )
        cells = [lead + one.was.text, one.becomes.text, what, clauses, gain_words(one)]
        if full and one.witness is not None:
            cells[2] += " (dealt: " + " / ".join(dealt(one.witness)) + ")"
        yield "| " + " | ".join(_plain(cell) or "–" for cell in cells) + " |"
    yield ""


def _when(one: ChangeClass) -> str:
    return "when " + " and ".join(one.circumstances) if one.circumstances else ""


def _cited(book: Rulebook, clauses: tuple[str, ...], full: bool) -> str:
    if not full or not clauses:
        return clause_words(clauses)
    return ", ".join(titled(book, clause) for clause in clauses)


def _plain(text: str) -> str:
    """Text that Markdown leaves as it is."""
    escaped = re.sub(r"([\\`*_\[\]<>|~])", r"\\\1", " ".join(text.split()))
    return re.sub(r"#(?=\d)", "&#35;", escaped.replace("@", "@\u200b"))
