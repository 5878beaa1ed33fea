"""Moments that no compared hand shows: where two wordings part only there, nothing is proven."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from checker.evaluate.engine import Engine
from checker.evaluate.possible import possible
from checker.prove.words import expanded
from rulespec.resolve.question import Question, is_act_of
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.walk import asked_facts
from rulespec.tree.write import condition_text

_SHORT = t.Fact("hand.short")
_STOOD = t.Fact("hand.stood")
_ONE_CARD = t.Compare(t.Fact("hand.cards"), "<", t.Number(2))
_SPLIT = t.Fact("hand.split")
# what a moment is called, what holds then, and the fact by which a rule asks for it
_ALWAYS = (("a hand that is left short", (_SHORT,), "hand.short"),)
_CHOOSING = (
    ("a hand on which a player has stood", (_STOOD,), "hand.stood"),
    ("a split hand that waits for its second card", (_ONE_CARD, _SPLIT), "hand.cards"),
)


def unseen(engines: Iterable[Engine], questions: Iterable[Question]) -> list[str]:
    """What would have to be looked at to tell the rules of two texts apart, and was not."""
    old, new = engines
    found: dict[str, None] = {}
    for question in questions:
        moments = (*_ALWAYS, *(_CHOOSING if is_act_of(question, "player") else ()))
        for case in _apart(old, new, question):
            facts = set().union(*(asked_facts(part) for part in case))
            for name, holds, fact in moments:
                if fact in facts and possible([*case, *holds]):
                    found[name] = None
    return list(found)


def _apart(old: Engine, new: Engine, question: Question) -> Iterator[list[t.Expression]]:
    """The conditions under which a rule of one text applies and none like it of the other."""
    sides = [_rules(engine, question) for engine in (old, new)]
    lost, won = (
        [entry for key, entry in mine.items() if key not in theirs]
        for mine, theirs in (sides, sides[::-1])
    )
    if len(lost) == len(won) == 1 and lost[0][0].value == won[0][0].value:
        one, other = lost[0][1], won[0][1]
        yield [one, t.Negated(other)]
        yield [other, t.Negated(one)]
    else:
        yield from ([condition] for _, condition in (*lost, *won))


def _rules(engine: Engine, question: Question) -> dict[tuple[str, str], tuple[Rule, t.Expression]]:
    found = {}
    for rule, _ in engine.by_question.get(question, ()):
        meant = expanded(engine, rule.condition)
        found[condition_text(meant), repr(rule.value)] = rule, meant
    return found
