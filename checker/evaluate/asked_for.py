"""What rules ask for, if only through defined terms: found from the rules, whatever the scene."""

from __future__ import annotations

from checker.evaluate.compile import Defining
from checker.evaluate.memory.seam import Worked
from rulespec.resolve.question import Question, defining
from rulespec.tree import nodes as t
from rulespec.tree.walk import Word, asked_words, declared_words


def optional_facts(engine: Defining, node: object) -> set[str]:
    """Facts in a condition, also through defined terms, that a log need not give."""
    found: set[str] = set()
    seen: set[str] = set()
    waiting = asked_words(node)
    game = engine.rulebook.game
    while waiting:
        word = waiting.pop()
        info = game.plain_fact(word.name) if isinstance(word, t.Fact) else None
        if info is not None:
            if info.optional:
                found.add(word.name)
        elif word.name not in seen and not isinstance(word, t.Setting):
            seen.add(word.name)
            waiting.extend(_words_of(engine, defining(word.name.replace("dealer.", "hand."))))
    return found


def chosen_words(engine: Defining, node: object) -> list[t.Chosen | t.MeterAmount]:
    """Choices and meters that a condition asks for, also through defined terms."""
    found: list[t.Chosen | t.MeterAmount] = []
    seen: set[str] = set()
    waiting = [node]
    while waiting:
        part = waiting.pop()
        found.extend(declared_words(part))
        for word in asked_words(part):
            question, _ = engine.definition(word.name)
            if question not in seen and not isinstance(word, t.Setting):
                seen.add(question)
                waiting.extend(rule.condition for rule, _ in engine.by_question.get(question, ()))
    return found


def _asks_for(engine: Defining, fact: str) -> bool:
    words = (w for x in engine.rulebook.rules for w in asked_words((x.condition, x.value)))
    return any(isinstance(word, t.Fact) and word.name == fact for word in words)


def _asked_by(engine: Defining, question: Question) -> list[Word]:
    rules = engine.by_question.get(question, ())
    return [word for rule, _ in rules for word in asked_words(rule.condition)]


_words_of = Worked(_asked_by)
asks_for = Worked(_asks_for)  # whether any rule asks for a fact
