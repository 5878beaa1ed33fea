"""A comparison of two texts as one web page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from checker.diff.classes import ChangeClass, SideAnswer
from checker.diff.diff import Difference
from checker.diff.findings import (
    clause_words,
    dealt,
    drawn,
    gain_sentence,
    gain_words,
    ordered,
    proof,
    said_lines,
    verdict,
)
from checker.diff.headings import dated, headings
from checker.diff.said import Changed
from checker.diff.structure import KINDS
from checker.diff.topics import BET_TOPICS, TOPICS, asked_of
from checker.evaluate.in_words import SIGNS
from rulespec.resolve.rulebook import Rulebook

_STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --faint: #5c6670; --line: #d5dae0;
  --paper: #ffffff; --wash: #f4f6f8; --red: #b3261e; --player: #0b5f83; --house: #8a5300;
  --good: #1b6e3c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7eaee; --faint: #9aa5b1; --line: #3a424b;
  --paper: #15191e; --wash: #1e242b; --red: #ff8a80; --player: #7cc7ec; --house: #f0b866;
  --good: #7fd6a0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 2rem 1.25rem 4rem; color: var(--ink);
  background: var(--paper); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2.25rem 0 .5rem; }
h2 small { color: var(--faint); font-weight: normal; margin-left: .5rem; }
p { margin: .4rem 0; } .faint { color: var(--faint); }
.verdict { font-weight: 600; padding: .75rem 1rem; background: var(--wash);
  border-left: .3rem solid var(--house); }
.verdict.same { border-color: var(--good); }
.head, summary.class { display: grid; gap: .25rem 1rem; align-items: baseline;
  grid-template-columns: 11rem 11rem minmax(12rem, 1fr) 7.5rem 12rem; }
.head { color: var(--faint); font-size: .85rem; padding: .15rem .5rem .15rem 1.6rem; }
details.class { border-top: 1px solid var(--line); }
details.class:last-of-type { border-bottom: 1px solid var(--line); }
summary.class { cursor: pointer; padding: .4rem .5rem .4rem 1.6rem; list-style: none;
  position: relative; }
summary.class::-webkit-details-marker { display: none; }
summary.class::before { content: "▸"; position: absolute; left: .4rem; color: var(--faint); }
details[open] > summary.class::before { content: "▾"; }
summary:hover, summary:focus-visible { background: var(--wash); }
.becomes { font-weight: 600; } .clauses { color: var(--faint); font-size: .85rem; }
.gain.player { color: var(--player); } .gain.house { color: var(--house); }
.card { display: inline-block; min-width: 1.9em; padding: 0 .2em; margin: 0 .12em .1em 0;
  border: 1px solid var(--line); border-radius: .25em; background: var(--paper);
  text-align: center; font-variant-numeric: tabular-nums; }
.card.red { color: var(--red); } .who { color: var(--faint); font-size: .85rem; }
.open { padding: .25rem 1.6rem 1rem; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; margin: .5rem 0; }
.side { background: var(--wash); padding: .6rem .9rem; border-radius: .3rem; }
.side h3 { margin: 0; font-size: .85rem; color: var(--faint); font-weight: normal; }
.side strong { display: block; margin-bottom: .25rem; }
ul { margin: .25rem 0; padding-left: 1.2rem; } code { font-size: .85rem; }
pre { background: var(--wash); padding: .6rem .9rem; border-radius: .3rem; overflow-x: auto;
  font-size: .85rem; margin: .5rem 0; }
dl.said { display: grid; grid-template-columns: 6rem 1fr; gap: .1rem .75rem;
  margin: .25rem 0 .75rem; font-size: .9rem; } dl.said dd { margin: 0; }
details.more > summary { cursor: pointer; padding: .4rem .5rem; color: var(--faint); }
@media (max-width: 60rem) { .head { display: none; }
  summary.class { grid-template-columns: 1fr 1fr; } .sides { grid-template-columns: 1fr; } }
@media print { details.class > .open { display: none; } body { max-width: none; } }
"""


def diff_html(found: Difference) -> str:
    title = " → ".join(headings(found))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(_body(found))
        + "\n</body>\n</html>\n"
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
    classes = ordered(found.classes)
    for topic in TOPICS:
        mine = [c for c in classes if c.topic == topic]
        if mine:
            yield from _topic(found, topic, mine)
    if found.meaning.undecided:
        yield "<h2>Not decided</h2><ul>"
        for undecided in found.meaning.undecided:
            asked = asked_of(undecided.question)
            yield f"<li>{escape(asked)}: {escape(undecided.reason)}</li>"
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
    lead = (
        ""
        if one.topic in BET_TOPICS
        else (f'<span class="who">{escape(asked_of(one.question))}</span><br>')
    )
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
    dealer = "".join(map(_card, hand.dealer))
    between = " · dealer" if hand.cards else "dealer"
    return f'{mine}{notes}<span class="who">{between}</span> {dealer}'


def _card(card: str) -> str:
    rank = "10" if card[0] == "T" else card[0]
    colour = " red" if card[1] in "HD" else ""
    return f'<span class="card{colour}">{escape(rank)}{SIGNS.get(card[1], card[1])}</span>'
