"""What need not be asked: questions on which no rule can apply, whatever else is the case.

Each is tried with a few facts given and all others unknown. If every condition is false even so,
it is false for every round in which the few facts are as given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from checker.columns.known_game import BONUS_PRICED, BONUS_WON, PLAYER_WON_BONUS, WINS_BONUS
from checker.columns.rules.column_scene import ColumnScene
from checker.columns.rules.looker import NotColumnar
from checker.columns.rules.settings import Settings
from checker.columns.slots import FACT_COUNT, SLOTS, UNKNOWN
from checker.evaluate.asked_for import optional_facts
from checker.evaluate.engine import Engine
from rulespec.resolve.question import Question
from rulespec.tree import nodes as t
from rulespec.tree.walk import asked_words

NOBODY_WINS = dict.fromkeys(
    (
        BONUS_WON,
        BONUS_PRICED,
        WINS_BONUS,
        PLAYER_WON_BONUS,
    ),
    0,
)
PLAIN_HAND = dict.fromkeys(
    (
        "hand.split",
        "hand.split_aces",
        "hand.split_tens",
        "hand.split_suited_sevens",
        "hand.doubled",
        "hand.double_card_dealt",
        "hand.late_ace_held",
        "hand.surrendered",
        "hand.all_surrendered",
        "wager.doubled",
        "wager.surrendered",
        "wager.forfeited",
    ),
    0,
)
NOT_SPLIT = dict.fromkeys(
    ("hand.split", "hand.split_aces", "hand.split_tens", "hand.split_suited_sevens"), 0
)
WITHIN_LIMITS = dict.fromkeys(
    ("wager.over_maximum", "wager.under_minimum", "limit.box_max_stated"), 0
)


class _Unsure(ColumnScene):
    """Nothing is known but what is given."""

    def setting(self, kind: str, name: str) -> bool | None:  # type: ignore[override]
        return super().setting(kind, name) if self.named(kind, name) not in SLOTS else None

    def as_dealer(self) -> ColumnScene:
        unknown = [UNKNOWN] * FACT_COUNT
        return _Unsure(self.engine, unknown, self.looks, {}, dealer=True, settings=self.settings)


def scene_of(
    engine: Engine, given: Mapping[str, int], settings: Settings | None = None
) -> ColumnScene:
    facts = [UNKNOWN] * FACT_COUNT
    for name, value in given.items():
        facts[SLOTS[name]] = value
    game = engine.rulebook.game
    known = (name for name in given if name in game.facts)
    terms = {name: SLOTS[name] for name in known if game.plain_fact(name) is None}
    return _Unsure(engine, facts, frozenset(SLOTS), terms, settings=settings)


def idle(
    engine: Engine,
    questions: Iterable[Question],
    given: Mapping[str, int],
    value: object = None,
    settings: Settings | None = None,
) -> bool:
    """No rule of these questions applies, or with `value` none that says it."""
    scene = scene_of(engine, given, settings)
    for question in questions:
        for rule, condition in engine.by_question.get(question, ()):
            if value is not None and rule.value != value:
                continue
            if _may_lack(engine, rule.condition):
                return False  # that the log lacks something has to be noted
            try:
                if condition(scene) is not False:
                    return False
            except NotColumnar:
                return False
    engine.lacking.clear()
    return True


def _may_lack(engine: Engine, condition: t.Expression) -> bool:
    """Asks, by way of a term, for what a log need not give."""
    game = engine.rulebook.game
    return any(
        optional_facts(engine, node)
        for node in asked_words(condition)
        if isinstance(node, t.Name)
        or (isinstance(node, t.Fact) and game.plain_fact(node.name) is None)
    )
