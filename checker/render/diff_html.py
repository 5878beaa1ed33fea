"""A comparison of two texts as one web page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from checker.diff.classes import ChangeClass, SideAnswer
from checker.diff.diff import Difference
from checker.diff.findings import (
    by_topic,
    clause_words,
    dealt,
    drawn,
    gain_sentence,
    gain_words,
    proof,
    said_lines,
    verdict,
)
from checker.diff.headings import dated, headings
from checker.diff.printed.statements import Changed
from checker.diff.printed.structure import KINDS
from checker.evaluate.words.in_words import SIGNS
from checker.render.style import style_sheet
from rulespec.resolve.rulebook import Rulebook


def diff_html(found: Difference) -> str:
    title = " → ".join(headings(found))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style_sheet()}</style>\n</head>\n"
        '<body class="diff">\n' + "\n".join(_body(found)) + "\n</body>\n</html>\n"
    )


def _body(found: Difference) -> Iterator[str]:
    yield f"<h1>{escape(' → '.join(headings(found)))}</h1>"
    for word, book in (("was", found.old), ("becomes", found.new)):
        start = f"{dated(book)}, " if dated(book) else ""
        yield (
            f'<p class="faint">{word}: {escape(book.title)} ({escape(book.id)}), {start}'
            f"{len(book.clauses):,} clauses</p>"
        )
    same = " same" if found.same_meaning else ""
    yield f'<p class="verdict{same}">{escape(verdict(found))}</p>'
    yield f'<p class="faint">{escape(proof(found))}</p>'
    yield from _structure(found)
    for about, classes in by_topic(found.classes):
        yield from _topic(found, about.topic, classes)
    if found.meaning.undecided:
        yield "<h2>Not decided</h2><ul>"
        for undecided in found.meaning.undecided:
            yield f"<li>{escape(undecided.about.asked)}: {escape(undecided.reason)}</li>"
        yield "</ul>"


def _structure(found: Difference) -> Iterator[str]:
    shape = found.structure
    yield "<h2>The text</h2>"
    if not shape.same_rulebook:
        yield "<p>Two different rulebooks: clauses are compared by what they do, not by number.</p>"
        return
    if shape.as_it_stood:
        yield "<p>Every clause stands as it stood.</p>"
        return
    yield "<ul>"
    for kind in KINDS:
        for change in shape.of_kind(kind):
            was = f"{change.old.id} → " if kind == "renumbered" and change.old else ""
            idle = ' <span class="faint">(no effect)</span>' if (change.effect is False) else ""
            yield (
                f"<li>{kind}: <strong>{escape(was + change.clause)}</strong> "
                f"{escape(change.title)}{idle}{_said(change.lines)}</li>"
            )
    for called, other in shape.others:
        yield f"<li>{called} {other.kind}: {escape(other.name)}{_said(other.lines)}</li>"
    yield from (f"<li>heading: {escape(text)}</li>" for text in shape.header)
    yield "</ul>"


def _said(lines: Iterable[Changed]) -> str:
    """What is said otherwise, as a list of words and what stands beside them."""
    told = "".join(
        f'<dt class="faint">{escape(word)}</dt><dd>{escape(text)}</dd>'
        for word, text in said_lines(lines)
    )
    return f'<dl class="said">{told}</dl>' if told else ""


def _topic(found: Difference, topic: str, classes: list[ChangeClass]) -> Iterator[str]:
    plain = [c for c in classes if c.ordinary]
    special = [c for c in classes if not c.ordinary]
    told = f"{len(plain)} difference{'s' * (len(plain) != 1)}" if plain else ""
    yield f"<section><h2>{escape(topic)}<small>{told}</small></h2>"
    if plain:
        yield from _list(found, plain)
    if special:
        yield (
            f'<details class="more"><summary>{len(special)} only in special circumstances</summary>'
        )
        yield from _list(found, special)
        yield "</details>"
    yield "</section>"


def _list(found: Difference, classes: list[ChangeClass]) -> Iterator[str]:
    yield (
        '<div class="head"><span>was</span><span>becomes</span><span>for example</span>'
        "<span>gains</span><span>clauses</span></div>"
    )
    for one in classes:
        yield from _class(found, one)


def _class(found: Difference, one: ChangeClass) -> Iterator[str]:
    lead = "" if one.about.of_a_bet else (f'<span class="who">{escape(one.about.asked)}</span><br>')
    when = "; ".join(one.circumstances)
    hand = _hand(one) or f'<span class="who">{escape("when " + when if when else "")}</span>'
    clauses = f"{clause_words(one.was.clauses, 2)} → {clause_words(one.becomes.clauses, 2)}"
    yield '<details class="class"><summary class="class">'
    yield f"<span>{lead}{escape(one.was.text)}</span>"
    yield f'<span class="becomes">{escape(one.becomes.text)}</span><span>{hand}</span>'
    yield f'<span class="gain {one.favours or ""}">{escape(gain_words(one))}</span>'
    yield f'<span class="clauses">{escape(clauses)}</span></summary><div class="open">'
    if when:
        yield f"<p>When {escape(' and '.join(one.circumstances))}.</p>"
    yield '<div class="sides">'
    yield _side("was", found.old, one.was)
    yield _side("becomes", found.new, one.becomes)
    yield "</div>"
    told = [gain_sentence(one)]
    told += [f"{one.states:,} kinds of hand like it"] if one.witness and one.states > 1 else []
    text = "; ".join(x for x in told if x)
    if text:
        yield f"<p>{escape(text[0].upper() + text[1:])}.</p>"
    if one.other_variants:
        yield "<p>Also decided by:</p><ul>"
        for v in one.other_variants[:8]:
            yield (
                f"<li>{escape(clause_words(v.old, 6))} → {escape(clause_words(v.new, 6))} "
                f'<span class="faint">({v.states:,})</span></li>'
            )
        yield "</ul>"
    if one.witness is not None:
        yield f"<pre>{escape(chr(10).join(dealt(one.witness)))}</pre>"
    yield f'<p class="faint"><code>{one.code}</code></p></div></details>'


def _side(word: str, book: Rulebook, side: SideAnswer) -> str:
    entries = [(c, book.clause(c)) for c in side.clauses]
    items = (
        "".join(
            f"<li><b>{escape(c)}</b> {escape(entry.title if entry else '')}</li>"
            for c, entry in entries
        )
        or "<li>no clause</li>"
    )
    items += "".join(f"<li>by the reading <em>{escape(r)}</em></li>" for r in side.readings)
    return (
        f'<div class="side"><h3>{word} · {escape(book.id)}</h3>'
        f"<strong>{escape(side.text)}</strong><ul>{items}</ul></div>"
    )


def _hand(one: ChangeClass) -> str:
    hand = drawn(one)
    if hand is None:
        return ""
    mine = "".join(map(_card, hand.cards))
    notes = f' <span class="who">{escape(", ".join(hand.notes))}</span>' if hand.notes else ""
    if not hand.dealer:
        return f"{mine}{notes}"
    dealer = "".join(map(_card, hand.dealer))
    between = " · dealer" if hand.cards else "dealer"
    return f'{mine}{notes}<span class="who">{between}</span> {dealer}'


def _card(card: str) -> str:
    rank = "10" if card[0] == "T" else card[0]
    colour = " red" if card[1] in "HD" else ""
    return f'<span class="card{colour}">{escape(rank)}{SIGNS.get(card[1], card[1])}</span>'
