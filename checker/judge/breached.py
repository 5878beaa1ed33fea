"""Which clause a wrong settlement breaks: the one without which just that would have been due.

What a wager gets rests on more than the clauses that say it wins or loses: on a limit to what
counts, on rounding, on what a card is worth, and on terms that do not hold by a clause that takes
something out of them, or of which the log does not tell that they hold. Each of these is left out
in turn; where the amount is then what was paid, its clauses are the ones that were not kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from checker.evaluate.answer import shown
from checker.evaluate.engine import Engine
from checker.evaluate.incomplete_logs import SilentEngine
from checker.evaluate.memory.seam import Worked
from checker.evaluate.scene import SeenScene
from checker.judge.due import Due, main_due, side_due
from checker.judge.findings import Verdict
from rulespec.resolve.question import (
    CARD_VALUES,
    Question,
    is_card_value,
    is_definition,
    value_of_card,
)
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.walk import asked_words

if TYPE_CHECKING:
    from checker.judge.bench import Bench

Key = tuple[int, int, str, str]
MOST_OF_IT = 2  # parts of a definition, beyond which a single one is little of it
LIMITING = (".counted", ".deemed", "payments.rounding")


def not_kept(judge: Bench, key: Key, due: Due, scene: SeenScene, paid: int) -> list[Rule]:
    """The rules that explain an amount, being left out; none where nothing does."""
    if isinstance(judge.engine, SilentEngine) or key[0] not in judge.table.boxes:
        return []
    for name, rules in _causes(judge, key, due, scene):
        without = _without(judge.engine, name)
        if _due_again(judge, key, scene.but(engine=without), due.stake) == paid:
            return rules
    return []


def odds_not_kept(due: Due) -> list[Rule]:
    """The rules on the odds of a winner that was paid otherwise. What prints the odds comes first:
    a clause that only sends to it, or that says of the hand that it wins, was kept so far."""
    if due.odds is None:
        return []
    winning = {
        rule.clause for answer in due.answers if answer is due.result for rule in answer.rules
    }

    def place(rule: Rule) -> int:
        if rule.source is None:
            return 0 if rule.clause in winning else 1
        if rule.clause in winning:
            return 3
        return 2 if rule.condition == rule.source.condition else 1

    return sorted(due.odds.rules, key=place)


def passed_over(due: Due, named: list[Rule]) -> tuple[tuple[str, str], ...]:
    """The clauses that have a say as well, and that others prevail over."""
    told = {rule.clause for rule in named}
    passed: dict[str, str] = {}
    for answer in due.answers:
        for rule, winner in answer.beaten:
            if rule.clause not in told:
                text = f"says {shown(rule.value)}, but {winner.clause} prevails"
                passed.setdefault(rule.clause, text)
    return tuple(passed.items())


def _causes(
    judge: Bench, key: Key, due: Due, scene: SeenScene
) -> Iterator[tuple[Question, list[Rule]]]:
    """What is left out, with the rules that then have no say."""
    for answer in due.answers:
        if answer.question.endswith(LIMITING) and answer.rules:
            yield answer.question, list(answer.rules)
    box = judge.table.boxes[key[0]]
    hand = box.hands.get(key[1])
    view = scene.but(box=box, hand=hand, player=key[2], stake=due.stake, bet=key[3])
    special: list[Rule] = []
    for position, dealt in enumerate(hand.cards if hand else (), 1):
        seen = view.but(card=dealt, card_position=position)
        rules = list(judge.engine.ask(value_of_card(dealt.card[0]), seen).rules)
        special += [x for x in rules if x not in special and not _general(x)]
    if special:
        yield CARD_VALUES, special
    for question in _terms(judge.engine, tuple(answer.question for answer in due.answers)):
        answer = judge.engine.ask(question, view)
        rules = [rule for rule in answer.rules if rule.value is False]
        if rules and _all_but(judge.engine, question, view):
            yield question, rules
        elif unchecked := [x for x in answer.unchecked if _all_but_one_told(judge.engine, x, view)]:
            yield question, unchecked


def _asked_terms(engine: Engine, questions: tuple[Question, ...]) -> tuple[Question, ...]:
    """The defined terms of players and hands that rules on these questions ask for."""
    found: dict[Question, None] = {}
    waiting = list(questions)
    while waiting:
        for rule, _ in engine.by_question.get(waiting.pop(), ()):
            for word in asked_words((rule.condition, rule.value)):
                question, of_dealer = engine.definition(word.name)
                if engine.has(question) and question not in found and not of_dealer:
                    found[question] = None
                    waiting.append(question)
    return tuple(found)


_terms = Worked(_asked_terms)


def _all_but(engine: Engine, question: Question, view: SeenScene) -> bool:
    """Whether a definition holds, were it not for what was taken out of it: in its own words, if it
    says so itself."""
    for rule, _ in engine.by_question[question]:
        if rule.value is not False:
            parts = _parts(rule)
            failing = sum(not engine.compile(part)(view) for part in parts)
            if failing == 0 or (failing == 1 and len(parts) > MOST_OF_IT):
                return True
    return False


def _all_but_one_told(engine: Engine, rule: Rule, view: SeenScene) -> bool:
    """Whether a rule applies, as far as the log tells all but one thing that it asks for."""
    told = [engine.compile(part)(view) for part in _parts(rule)]
    return (
        rule.value is not False and told.count(None) == 1 and all(x in (True, None) for x in told)
    )


def _parts(rule: Rule) -> tuple[t.Expression, ...]:
    return rule.condition.parts if isinstance(rule.condition, t.Both) else (rule.condition,)


def _general(rule: Rule) -> bool:
    """What a card counts ordinarily: always, or when it is not the special case."""
    return isinstance(rule.condition, t.Always | t.Negated)


def _left_out(engine: Engine, name: Question) -> Engine:
    """The rulebook without the rules on a limit, or on what a card counts in special cases; a term
    holds that did not."""
    rules = engine.rulebook.rules
    if is_definition(name):
        first = next(x for x in rules if x.question == name)
        holds = replace(first, condition=t.Always(), value=True)
        kept = [holds, *(x for x in rules if x.question != name)]
    elif is_card_value(name):
        values = (x for x in rules if is_card_value(x.question) and _general(x))
        ordinary = [replace(x, condition=t.Always()) for x in values]
        kept = [*ordinary, *(x for x in rules if not is_card_value(x.question))]
    else:
        kept = [x for x in rules if x.question != name]
    made = Engine(replace(engine.rulebook, rules=type(rules)(kept)), engine.facts)
    engine.memory.like(made)
    return made


_without = Worked(_left_out)


def _due_again(judge: Bench, key: Key, scene: SeenScene, stake: int) -> object:
    number, hand_number, player, bet = key
    box = judge.table.boxes[number]
    hand = box.hands.get(hand_number)
    verdict = Verdict(explained=False)
    money = hand.spots.get(bet, hand.money) if hand else {}
    on_hands = (scene.engine.mechanics.main, *scene.engine.mechanics.spots)
    if hand is not None and bet in on_hands and player in money:
        return main_due(scene, box, hand, player, verdict, bet).amount
    return side_due(scene, bet, box, player, stake, verdict).amount
