"""Words that the game leaves to the rulebook to define, asked for and not defined."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.base.diagnostics import Diagnostic, Related
from rulespec.base.spans import Span
from rulespec.resolve.question import defining
from rulespec.resolve.rulebook import Rulebook
from rulespec.tree import nodes as t
from rulespec.tree.walk import asked_words, conditions_of, of_hands


def undefined_words(rulebook: Rulebook) -> list[Diagnostic]:
    """One finding for each word, at the first clause that asks for it: it never holds there."""
    asked: dict[str, list[tuple[str | None, Span | None]]] = {}
    for fact, clause, span in _asked(rulebook):
        asked.setdefault(fact, []).append((clause, span))
    defined = {rule.question for rule in rulebook.rules}
    found = []
    for name, places in asked.items():
        word = _to_define(name, rulebook)
        if word is None or {defining(word), defining(of_hands(word))} & defined:
            continue
        rests = "" if word == name else f", on which `{name}` rests"
        others = dict.fromkeys(clause for clause, _ in places if clause != places[0][0])
        found.append(
            Diagnostic(
                "R232",
                f"no clause defines `{word}`{rests}: it never holds",
                places[0][1],
                rulebook.id,
                places[0][0],
                related=tuple(Related(c, "asks for it") for c in others if c is not None),
                help=f"write `define {of_hands(word)} as …` in the clause that says what it is",
            )
        )
    return found


def _to_define(name: str, rulebook: Rulebook) -> str | None:
    info = rulebook.game.facts.get(name)
    if info is None:
        return None
    return name if info.definable else info.rests_on


def _asked(rulebook: Rulebook) -> Iterator[tuple[str, str | None, Span | None]]:
    for rule in rulebook.rules:
        for node in (rule.condition, rule.value):
            for word in asked_words(node):
                if isinstance(word, t.Fact):
                    yield word.name, rule.clause, word.span or rule.span
    for declared, condition in conditions_of(rulebook.game):
        for word in asked_words(condition):
            if isinstance(word, t.Fact):
                yield word.name, None, declared.span
