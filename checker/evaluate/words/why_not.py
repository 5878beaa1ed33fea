"""Why a rule did not apply: the conditions that failed, in words, and the nearest rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from checker.evaluate.answer import shown
from checker.evaluate.asked_for import chosen_words, optional_facts
from checker.evaluate.engine import Answer, Engine
from checker.evaluate.scene import SeenScene
from checker.table.state import Hand
from rulespec.resolve.question import Question, value_of_card
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.walk import asked_words
from rulespec.tree.write import condition_text


@dataclass(frozen=True, slots=True)
class Near:
    """A rule that did not apply and what kept it from applying."""

    rule: Rule
    failed: tuple[t.Expression, ...]
    met: int
    text: str


def nearest(engine: Engine, question: Question, scene: SeenScene) -> list[Near]:
    """Rules that would have allowed or decided it, those with the fewest failed parts first."""
    found: list[Near] = []
    for rule, holds in engine.by_question.get(question, ()):
        if rule.value in ("may not", "must not") or holds(scene):
            continue
        parts = rule.condition.parts if isinstance(rule.condition, t.Both) else (rule.condition,)
        failed = tuple(p for p in parts if not engine.compile(p)(scene))
        words = " and ".join(condition_text(p) for p in failed)
        text = f"clause {rule.clause} asks for: {words}"
        found.append(Near(rule, failed, len(parts) - len(failed), text))
    return sorted(found, key=lambda n: (len(n.failed), -n.met, n.rule.id))


def terms_denied(engine: Engine, question: Question, scene: SeenScene) -> list[Rule]:
    """What keeps rules from applying by saying of a hand that it is not what they are for."""
    denied: list[Rule] = []
    for near in nearest(engine, question, scene):
        for word in asked_words(near.failed):
            term, _ = engine.definition(word.name)
            if not isinstance(word, t.Setting) and engine.has(term):
                denied.extend(x for x in engine.ask(term, scene).rules if x.value is False)
    return denied


def where_missing(engine: Engine, question: Question, scene: SeenScene) -> tuple[Rule, ...]:
    """Where a missing answer would be looked for: the rules of which the fewest conditions fail.

    The clause with the most of them comes first. Rules about special events are left out, unless
    there are no others, as in a section that is kept to tables with an option."""

    game = engine.rulebook.game

    def special(rule: Rule) -> bool:
        return rule.value == "void" or any(
            isinstance(word, t.Setting)
            or word.name in game.brought_about
            or word.name in game.ended
            for word in asked_words(rule.condition)
        )

    every = nearest(engine, question, scene)
    near = [one for one in every if not special(one.rule)] or every
    near = [one for one in near if not one.rule.interim] or near
    fewest = min((len(one.failed) for one in near), default=0)
    rules = [one.rule for one in near if len(one.failed) == fewest]
    often = Counter(rule.clause for rule in rules)
    return tuple(sorted(rules, key=lambda r: ("#table" not in r.clause, -often[r.clause])))


def why_open(answer: Answer, scene: SeenScene) -> str:
    """Why there is no answer. A word that the text says two things of, or a card that it gives no
    value, is not wanting in the log."""
    if not any(str(rule.value).startswith("undecided") for rule in answer.rules):
        why = (
            contested(answer.unknown, scene)
            or _uncounted(answer, scene)
            or unsaid(answer.unknown, scene)
        )
        if why is not None:
            return why
    return answer.why_undecided()


def unsaid(rules: Iterable[Rule], scene: SeenScene) -> str | None:
    """Which choice of the house, or meter, the log does not give."""
    for rule in rules:
        for word in chosen_words(scene.engine, rule.condition):
            if scene.engine.term(word)(scene) is not None:
                continue
            if isinstance(word, t.Chosen):
                return f"the log does not say what is chosen for `{word.name}`"
            return f"the log does not give the meter `{word.name}`"
    return None


def contested(rules: Iterable[Rule], scene: SeenScene) -> str | None:
    """Why it is not known whether rules apply, where the text says two things of a word in them."""
    for rule in rules:
        why = contested_word(rule.condition, scene)
        if why is not None:
            return why
    return None


def contested_word(condition: t.Expression, scene: SeenScene) -> str | None:
    engine = scene.engine
    for word in asked_words(condition):
        question, of_dealer = engine.definition(word.name)
        if isinstance(word, t.Setting) or not engine.has(question):
            continue
        view = scene.as_dealer() if of_dealer else scene
        term = engine.ask(question, view)
        if len(term.values) > 1:
            told = "; ".join(f"clause {r.clause} says {shown(r.value)}" for r in term.rules)
            return f"the text says several things of `{word.name}`: {told}"
        if term.unknown and (why := contested(term.unknown, view)):
            return why
    return None


def _uncounted(answer: Answer, scene: SeenScene) -> str | None:
    """Which card has no value, or several, of a hand whose total the rules ask for."""
    names = {word.name for rule in answer.unknown for word in asked_words(rule.condition)}
    facts = scene.engine.rulebook.game.facts
    counted = {name for name, info in facts.items() if info.by_values}
    hands = {"hand.": scene.hand, "dealer.": Hand(1, list(scene.dealer))}
    for whose, hand in hands.items():
        asked = {name for name in names if name.startswith(whose) and name in counted}
        if hand is None or not asked:
            continue
        for position, dealt in enumerate(hand.cards, 1):
            view = scene.but(hand=hand, card=dealt, card_position=position)
            value = scene.engine.ask(value_of_card(dealt.rank), view)
            if not value.decided:
                return f"what the card {dealt.card} counts is open: {value.why_undecided()}"
    return None


def unknown_facts(engine: Engine, node: object, scene: SeenScene) -> list[str]:
    """The facts in a condition that the log does not give."""
    names: list[str] = []
    if isinstance(node, t.Fact):
        if engine.term(node)(scene) is None:
            names.append(node.name)
    elif isinstance(node, tuple):
        for part in node:
            names.extend(unknown_facts(engine, part, scene))
    elif isinstance(node, t.Node):
        for slot in node.__slots__:
            if slot != "span":
                names.extend(unknown_facts(engine, getattr(node, slot), scene))
    if not names and isinstance(node, t.Node):
        hidden = optional_facts(engine, node)
        names = sorted(name for name in hidden if scene.fact(name) is None)
    return list(dict.fromkeys(names))
