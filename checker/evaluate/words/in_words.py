"""What a rule saw, in words: the facts that decided a condition, as they were at that moment.

A finding says "four bettors on box 3; at most three are allowed" because the condition of its rule
and the scene say so; nothing here knows a clause. A fact without a phrase of its own is told by its
meaning in the vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from checker.evaluate.engine import Engine, Value
from checker.evaluate.facts.totals import dealer_totals, totals
from checker.evaluate.scene import SeenScene
from checker.evaluate.words.fact_phrases import AMOUNTS, COUNTS, HELD, ORDINARY, TOLD_BY_HAND
from checker.table.mechanics import bet_named_in
from checker.table.state import Dealt, Hand
from rulespec.base.money import money_text
from rulespec.resolve.question import defining
from rulespec.resolve.rule_value import as_expression
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.game import Game
from rulespec.tree.walk import asked_words
from rulespec.tree.write import condition_text

SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_RANKS = {"A": "an ace", "J": "a jack", "Q": "a queen", "K": "a king", "8": "an 8", "T": "a 10"}
_NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_MOST = 3  # facts in one message


def card_text(card: str) -> str:
    if len(card) != 2:
        return card.lower()
    rank = "10" if card[0] == "T" else card[0]
    return rank + SIGNS.get(card[1], card[1])


def cards_text(cards: Iterable[Dealt]) -> str:
    """`9♦ 8♣`; a card that was dealt face down stands in brackets."""
    return " ".join(
        f"[{card_text(dealt.card)}]"
        if dealt.down or dealt.turned is not None
        else card_text(dealt.card)
        for dealt in cards
    )


def hand_words(scene: SeenScene, hand: Hand | None) -> str:
    """`17 (10♠ 7♦)`, `soft 17 (A♠ 6♦)`, or the cards alone where they have no total."""
    if hand is None or not hand.cards:
        return "no cards"
    return _valued(scene, totals(scene, hand), hand.cards)


def dealer_words(scene: SeenScene) -> str:
    if not scene.dealer:
        return "no cards"
    return _valued(scene, dealer_totals(scene.as_dealer(), scene.dealer), scene.dealer)


def _valued(scene: SeenScene, found: Any, cards: Sequence[Dealt]) -> str:
    if found is None:
        return cards_text(cards)
    soft = "soft " if found[2] and found[0] != scene.engine.mechanics.limit else ""
    return f"{soft}{found[0]} ({cards_text(cards)})"


def cards_seen(rules: Iterable[Rule], scene: SeenScene) -> str:
    """The cards that rules look at: ` with 18 (10♠ 8♦) against 20 (K♦ Q♣)`."""
    asked = {name.partition(".")[0] for name in _facts_asked(scene.engine, rules)}
    if scene.hand is not None and "hand" in asked:
        mine = hand_words(scene, scene.hand)
    elif scene.box is not None and asked & {"first", "second", "third"}:
        mine = cards_text(scene.box.received[: 3 if "third" in asked else 2])
    else:
        mine = ""
    dealer = dealer_words(scene) if "dealer" in asked else ""
    if not mine:
        return f" against {dealer}" if dealer else ""
    return f" with {mine}" + (f" against {dealer}" if dealer else "")


def _facts_asked(engine: Engine, rules: Iterable[Rule]) -> set[str]:
    """The facts that rules ask for, themselves or by the terms that the text defines."""
    found: set[str] = set()
    waiting, seen = list(rules), set()
    while waiting:
        for word in asked_words(waiting.pop().condition):
            found.add(word.name)
            if isinstance(word, t.Name) and word.name not in seen:
                seen.add(word.name)
                question, _ = engine.definition(word.name)
                waiting += [rule for rule, _ in engine.by_question.get(question, ())]
    return found


def done_words(game: Game, action: str) -> str:
    """An action of a player in the past tense."""
    declared = game.action("player", action)
    return (declared and declared.past) or f"made the choice `{action}`"


# --- what decided


def broken_words(engine: Engine, rule: Rule, scene: SeenScene) -> str:
    """Why a requirement is not met: what was, and what is asked for."""
    told = [
        _against(engine, node, scene) if not holds else _state(engine, node, scene, holds)
        for node, holds in _telling(engine, as_expression(rule.value), scene, False)
    ]
    return "; ".join(dict.fromkeys(filter(None, told[:_MOST])))


def ground_words(
    engine: Engine, rules: Iterable[Rule], scene: SeenScene, known: Iterable[str] = TOLD_BY_HAND
) -> str:
    """The facts by which rules apply, but for those that are told already."""
    told: dict[str, None] = {}
    for rule in rules:
        for node, holds in _telling(engine, rule.condition, scene, True):
            if not _asks_only(node, known):
                told[_state(engine, node, scene, holds)] = None
    return " and ".join([one for one in told if one][:_MOST])


def failed_words(
    engine: Engine,
    failed: Iterable[t.Expression],
    scene: SeenScene,
    known: Iterable[str] = TOLD_BY_HAND,
) -> str:
    """The facts by which a rule that came near does not apply."""
    told: dict[str, None] = {}
    for part in failed:
        for node, holds in _telling(engine, part, scene, False):
            if not _asks_only(node, known):
                told[_state(engine, node, scene, holds)] = None
    return " and ".join([one for one in told if one][:_MOST])


def _asks_only(node: t.Expression, known: Iterable[str]) -> bool:
    names = {word.name for word in asked_words(node)}
    return bool(names) and names <= set(known)


def _telling(
    engine: Engine, node: t.Expression, scene: SeenScene, holds: bool
) -> list[tuple[t.Expression, bool]]:
    """The tests that made a condition hold or fail. What is absent as it ordinarily is (an option,
    an approval, a defined term that does not hold) is only told where there is nothing else."""
    found = list(_decisive(engine, node, scene, holds))
    return [one for one in found if not _ordinary(*one)] or found


def _ordinary(node: t.Expression, holds: bool) -> bool:
    if isinstance(node, t.Fact):
        return (node.name, holds) in ORDINARY
    return isinstance(node, t.Name) or (isinstance(node, t.Setting) and not holds)


def _decisive(
    engine: Engine, node: t.Expression, scene: SeenScene, holds: bool
) -> Iterator[tuple[t.Expression, bool]]:
    match node:
        case t.Always():
            return
        case t.Negated():
            yield from _decisive(engine, node.part, scene, not holds)
        case t.Both() | t.Either():
            for part in node.parts:
                if bool(engine.compile(part)(scene)) == holds:
                    yield from _decisive(engine, part, scene, holds)
        case t.Name():
            behind = list(_defining(engine, node, scene, holds))
            yield from behind or [(node, holds)]
        case _:
            yield node, holds


def _defining(
    engine: Engine, node: t.Name, scene: SeenScene, holds: bool
) -> Iterator[tuple[t.Expression, bool]]:
    """What a term of the text's own comes to, where one rule defines it."""
    question, of_dealer = engine.definition(node.name)
    rules = [rule for rule, _ in engine.by_question.get(question, ()) if rule.value is True]
    if len(rules) == 1 and not of_dealer:
        yield from _decisive(engine, rules[0].condition, scene, holds)


def _state(engine: Engine, node: t.Expression, scene: SeenScene, holds: bool) -> str:
    """A test that held or failed, told by what was."""
    match node:
        case t.Compare() | t.OneOf() | t.Between():
            return _valued_fact(engine, node.left, scene)
        case t.Fact():
            return _bool_fact(node.name, scene, holds)
        case t.Setting():
            return _setting(node, holds)
        case t.Name():
            return f"`{node.name}` {'holds' if holds else 'does not hold'} as the text defines it"
        case _:
            return condition_text(node)


def _against(engine: Engine, node: t.Expression, scene: SeenScene) -> str:
    """A test that failed, told by what was and what is asked for."""
    state = _state(engine, node, scene, False)
    counted = isinstance(node, t.Compare | t.OneOf | t.Between) and _is_count(node.left)
    match node:
        case t.Compare(left=t.Arithmetic(operator="modulo") as over, operator="=") if _is_nothing(
            node.right
        ):
            unit, _ = _limit(engine, over.right, scene, False)
            return f"{_valued_fact(engine, over.left, scene)}; a multiple of {unit} is required"
        case t.Compare():
            limit, many = _limit(engine, node.right, scene, counted)
            how, verb = _ASKED[node.operator]
            return f"{state}; {how}{limit} {'are' if many else 'is'} {verb}"
        case t.Between():
            low, _ = _limit(engine, node.low, scene, counted)
            high, _ = _limit(engine, node.high, scene, counted)
            return f"{state}; {low} to {high} are allowed"
        case t.OneOf():
            allowed = " or ".join(_limit(engine, one, scene, counted)[0] for one in node.values)
            return f"{state}; {allowed} are allowed"
        case _:
            return state


_ASKED = {
    "<=": ("at most ", "allowed"),
    "<": ("less than ", "allowed"),
    ">=": ("at least ", "required"),
    ">": ("more than ", "required"),
    "=": ("exactly ", "required"),
    "!=": ("anything but ", "required"),
}


def _limit(engine: Engine, node: t.Expression, scene: SeenScene, counted: bool) -> tuple[str, bool]:
    """What a fact is held against, and whether it is more than one thing."""
    match node:
        case t.Number():
            return (_number(node.value) if counted else str(node.value)), counted and (
                node.value != 1
            )
        case t.Money():
            return money_text(node.cents), False
        case t.Fact():
            return _valued_fact(engine, node, scene, definite=True), False
        case t.Arithmetic():
            value = _shown(engine.term(node)(scene), money=True)
            parts = [word for word in asked_words(node) if isinstance(word, t.Fact)]
            of = " and ".join(_valued_fact(engine, one, scene, definite=True) for one in parts)
            half = node.operator == "/" and node.right == t.Number(2)
            return f"{value}, {'half' if half else 'reckoned from'} {of},", False
        case t.Name() if node.name in _RANKS:
            return _RANKS[node.name], False
        case t.Name() if engine.has(defining(node.name)):
            return f"{_shown(engine.term(node)(scene))} by `{node.name}`", False
        case _:
            return condition_text(node), False


def _is_nothing(node: t.Expression) -> bool:
    return node == t.Number(0) or (isinstance(node, t.Money) and node.cents == 0)


# --- facts


def _is_count(node: t.Expression) -> bool:
    return isinstance(node, t.Fact) and node.name in COUNTS


def _valued_fact(
    engine: Engine, node: t.Expression, scene: SeenScene, definite: bool = False
) -> str:
    value = engine.term(node)(scene)
    if not isinstance(node, t.Fact):
        return f"{condition_text(node)} is {_shown(value)}"
    name = node.name
    box = scene.box.number if scene.box is not None else "?"
    if name in COUNTS and isinstance(value, int):
        one, many = COUNTS[name]
        return f"{_number(value)} {one if value == 1 else many}".format(box=box)
    info = engine.rulebook.game.facts.get(name)
    money = info is not None and info.kind.name == "money"
    if name in AMOUNTS and value is not None:
        article, words = AMOUNTS[name]
        text = words.format(value=_shown(value, money=money), box=box)
        return f"the {text}" if definite or article == "the" else f"{article} {text}".strip()
    meaning = info.meaning if info is not None else f"`{name}`"
    return f"{meaning}: {_shown(value, money=money)}"


def _bool_fact(name: str, scene: SeenScene, holds: bool) -> str:
    game = scene.engine.rulebook.game
    phrase = HELD.get(name) or _with_bet(game, name)
    if phrase is None:
        info = game.facts.get(name)
        meaning = info.meaning if info is not None else f"`{name}`"
        return meaning if holds else f"not so: {meaning}"
    words = phrase[0 if holds else 1]
    box = scene.box.number if scene.box is not None else "?"
    limits = {
        limit: _shown(scene.fact(f"limit.{limit}"), money=True)
        for limit in ("min", "max", "unit", "smallest_chip")
        if "{" + limit + "}" in words
    }
    stake = _shown(scene.fact("wager.stake"), money=True) if "{stake}" in words else ""
    added = _shown(scene.fact("play.stake"), money=True) if "{added}" in words else ""
    return words.format(box=box, stake=stake, added=added, **limits)


def _with_bet(game: Game, fact: str) -> tuple[str, str] | None:
    """`wager.with_BET`: whether the player of a wager has one of that bet beside it."""
    bet = game.bets.get(bet_named_in(fact))
    if bet is None:
        return None
    has, on = f"{bet.title} wager on box", "{box}"
    return f"the player has a {has} {on} too", f"the player has no {has} {on}"


def _setting(node: t.Setting, holds: bool) -> str:
    word = f"`{node.name}`"
    match node.kind:
        case "option":
            return f"the table {'has' if holds else 'does not have'} the option {word}"
        case "approved":
            return f"{'an' if holds else 'no'} approval {word} is recorded"
        case "player has":
            return f"the player has {'a' if holds else 'no'} wager on {word}"
        case "anybody has":
            return f"{'somebody' if holds else 'nobody'} has a wager on {word}"
        case _:
            return f"{word} is {'' if holds else 'not '}recorded"


def _shown(value: Value, money: bool = False) -> str:
    if value is None:
        return "not known"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if money and isinstance(value, int | Fraction):
        return money_text(value)
    if isinstance(value, str) and len(value) == 1:
        return _RANKS.get(value, f"a {value}")
    return str(value)


def _number(value: int) -> str:
    return _NUMBERS[value] if 0 <= value < len(_NUMBERS) else str(value)
