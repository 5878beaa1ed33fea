"""What a rulebook declares for itself, in the search over all states.

What the house chooses is a flag with several values, the first for a log that does not say. Cards
by position, meters, amounts and defined numbers are not modelled: a test of them is never known,
so nothing is said where an answer rests on it, and `cover` names the clauses.
"""

from __future__ import annotations

from checker.evaluate.engine import Engine
from checker.states.grid import FOUND, Flag
from rulespec.resolve.question import Question, defining
from rulespec.tree import nodes as t
from rulespec.tree.cards import card_fact
from rulespec.tree.walk import walk

CHOICE = "choice"
NOT_AT_ALL = (
    "cards by position",
    "defined numbers",
    "amounts and cards that the house chooses",
    "meters",
    "how often something was done",
)
_OF_CARDS = (t.Same, t.Consecutive, t.PokerRank, t.PointsOf, t.CardsOf, t.CountOf)


def arity_of(flag: Flag) -> int:
    if flag[0] == CHOICE:
        return 1 + len(values_of(flag))
    return len(FOUND) if flag == ("fact", "found") else 2


def values_of(flag: Flag) -> list[str]:
    return flag[1].partition("=")[2].split("|")


def option_of(flag: Flag, value: int) -> str:
    """As a log writes it."""
    return f"{flag[1].partition('=')[0]}={values_of(flag)[value - 1]}"


def choice_asked(engine: Engine, node: t.Expression) -> Flag | None:
    """The choice that a test is about, with its values."""
    if isinstance(node, t.Compare | t.OneOf) and isinstance(node.left, t.Chosen):
        choice = engine.rulebook.game.choices.get(node.left.name)
        if choice is not None and choice.kind == "values" and not node.left.amount:
            return CHOICE, f"{choice.name}={'|'.join(choice.values)}"
    return None


def values_of_choice(
    engine: Engine, node: t.Expression, flag: Flag
) -> tuple[frozenset[int], frozenset[int]]:
    assert isinstance(node, t.Compare | t.OneOf)
    asked = node.values if isinstance(node, t.OneOf) else (node.right,)
    named = {str(x.value) if isinstance(x, t.Number) else getattr(x, "name", "") for x in asked}
    values = values_of(flag)
    among = frozenset(n for n, value in enumerate(values, 1) if value in named)
    others = frozenset(range(1, len(values) + 1)) - among
    if engine.rulebook.game.choices[flag[1].partition("=")[0]].need_not:
        others |= {0}
    turned = isinstance(node, t.Compare) and node.operator == "!="
    return (others, among) if turned else (among, others)


def not_modelled(engine: Engine, node: object) -> bool:
    """A test of what the search knows nothing about."""
    return bool(what_is_not_modelled(engine, node))


def what_is_not_modelled(engine: Engine, node: object) -> set[str]:
    found = set()
    game = engine.rulebook.game
    for part in walk(node):
        if isinstance(part, _OF_CARDS) or (
            isinstance(part, t.Fact)
            and part.name not in game.facts
            and card_fact(part.name, game.hands)
        ):
            found.add("cards by position")
        elif isinstance(part, t.MeterAmount):
            found.add("meters")
        elif isinstance(part, t.Times):
            found.add("how often something was done")
        elif isinstance(part, t.Chosen) and (
            part.amount or _choice_kind(engine, part.name) != "values"
        ):
            found.add("amounts and cards that the house chooses")
        elif isinstance(part, t.Name) and _is_number(engine, part.name):
            found.add("defined numbers")
    return found


def offers_of(engine: Engine, question: Question) -> list[tuple[str, ...]]:
    """What a table may offer for a choice that its rules ask for: each option of the rulebook's own
    by itself, and each value of a choice, with the first of all that a house has to choose."""
    game = engine.rulebook.game
    chosen = tuple(
        f"{choice.name}={choice.values[0]}"
        for choice in game.choices.values()
        if choice.kind == "values" and not choice.need_not
    )
    rules = [rule for rule, _ in engine.by_question.get(question, ())]
    parts = list(walk([rule.condition for rule in rules]))
    terms = [part.name for part in parts if isinstance(part, t.Name | t.Fact)]
    inside = [rule for term in terms for rule, _ in engine.by_question.get(defining(term), ())]
    parts += walk([rule.condition for rule in inside])
    options = {x.name for x in parts if isinstance(x, t.Setting) and x.kind == "option"}
    choices = {x.name for x in parts if isinstance(x, t.Chosen)}
    found = [(option, *chosen) for option in sorted(options) if game.options[option].own]
    for name in sorted(choices & game.choices.keys()):
        others = tuple(word for word in chosen if word.partition("=")[0] != name)
        if game.choices[name].kind == "values":
            found += [(f"{name}={value}", *others) for value in game.choices[name].values]
    return found


def asked_at_all(engine: Engine, node: object, terms: frozenset[str] = frozenset()) -> set[str]:
    """What is not modelled of a condition, also through defined terms."""
    found = what_is_not_modelled(engine, node)
    for part in walk(node):
        if isinstance(part, t.Name | t.Fact) and part.name not in terms:
            for rule, _ in engine.by_question.get(defining(part.name), ()):
                found |= asked_at_all(engine, rule.condition, terms | {part.name})
    return found


def _choice_kind(engine: Engine, name: str) -> str:
    choice = engine.rulebook.game.choices.get(name)
    return "values" if choice is None else choice.kind


def _is_number(engine: Engine, term: str) -> bool:
    rules = engine.by_question.get(defining(term), ())
    return any(not isinstance(rule.value, bool) for rule, _ in rules)
