"""Facts of many hands at once, each read off one hand for all that it cannot tell apart.

Most facts look at little: the total at the cards, `wager.doubled` at what was done with the wager.
A fact that is not listed here is read off every row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from checker.evaluate.engine import Engine, Value
from checker.evaluate.facts.boxes import HOMES
from checker.evaluate.facts.of_play import settled_early
from checker.evaluate.memory.seam import Kept
from checker.evaluate.scene import SeenScene
from checker.states.grid import NOT_MODELLED, STAKE_FACTS, Row, events_of, modelled_in
from checker.states.lines_of_play import Line, added_parts
from checker.table.state import Hand
from rulespec.resolve.question import Question, about_bet, defining
from rulespec.tree import nodes as t
from rulespec.tree.walk import walk


def _looking_at(part: str) -> frozenset[str]:
    return frozenset(name for name, home in HOMES.items() if home.rows == part)


OF_THE_CARDS = _looking_at("cards")
"""Facts that are the same for rows with the same cards, see `cards_of`."""

OF_THE_WAGER = _looking_at("wager")
"""Facts that are the same for rows of which the same was done with the wager, see `wager_of`."""

OF_THE_FIRST_HAND = _looking_at("first_hand")
"""Facts that are the same for rows beside the same first hand of the box, see `first_hand_of`."""

OF_LATER_HANDS = _looking_at("later_hands")
"""Look at more than the wager only where that wager opens a later hand of the box."""

_OF_ONE_HAND = frozenset(name for name, home in HOMES.items() if home.rows) | STAKE_FACTS
"""Facts that look at no other hand of the box than the one they are asked of, and the first."""


def _nothing_told(engine: Engine) -> dict[str, dict[int | None, Value]]:
    return {}


_TOLD_OF_ROWS = Kept(_nothing_told)  # by fact, and by what it looks at
_NUMBERED = {"cards": OF_THE_CARDS, "wager": OF_THE_WAGER, "first_hand": OF_THE_FIRST_HAND}


def cards_of(line: Line) -> tuple[object, ...]:
    """The cards of a hand, and all by which the value of a card may differ."""
    return (
        line.cards,
        line.doubled_with,
        line.number,
        line.pair,
        line.surrendered,
        line.forfeited,
    )


def first_hand_of(line: Line) -> tuple[object, ...]:
    """The number of a hand and, for a later one, the cards of the first hand of its box."""
    if line.number == 1:
        return (1,)
    return (line.number, line.sibling, line.pair, line.after_double)


def wager_of(line: Line, part: str) -> tuple[object, ...]:
    """What was done with a wager, whatever the cards."""
    return (
        part,
        line.doubled_with is None,
        line.number,
        line.pair is None,
        line.surrendered,
        line.forfeited,
        line.even_money,
        line.shared,
        line.follows,
        line.again,
    )


def looked_at(rows: Sequence[Row], facts: Sequence[str], as_dealer: bool) -> str:
    """The number of a row that tells apart all that these facts can; none if nothing less than
    the row itself does."""
    if as_dealer or not rows or rows[0].cards is None:
        return ""
    for number, known in _NUMBERED.items():
        if known.issuperset(facts):
            return number
    return ""


def column(engine: Engine, rows: Sequence[Row], fact: str, as_dealer: bool = False) -> list[Value]:
    """What a fact is on each of these rows."""
    if as_dealer:
        return [row.scene.as_dealer().fact(fact) for row in rows]
    if not rows:
        return []
    look = looked_at(rows, [fact], as_dealer)
    if look:
        numbers = [getattr(row, look) for row in rows]
    elif fact in OF_LATER_HANDS and rows[0].cards is not None:
        numbers = _later_hands(engine, rows)
    else:
        return [row.scene.fact(fact) for row in rows]
    known = _TOLD_OF_ROWS.of(engine).setdefault(fact, {})
    for number, row in dict(zip(numbers, rows, strict=True)).items():
        if number is not None and number not in known:
            known[number] = row.scene.fact(fact)
    if None not in numbers:
        return [known[number] for number in numbers]
    return [
        row.scene.fact(fact) if number is None else known[number]
        for number, row in zip(numbers, rows, strict=True)
    ]


def _later_hands(engine: Engine, rows: Sequence[Row]) -> list[int | None]:
    """The same number for wagers that do not stand for the original for one reason: they do not
    open a later hand, or the first hand of the box is not paid early."""
    asked: set[str] = set()
    for rule, _ in engine.by_question.get(about_bet(engine.mechanics.main, "result"), ()):
        asked |= asked_of(engine, rule.condition, set())
    # what the first hand gets then depends on that hand and on the wager, not on this hand
    game = engine.rulebook.game
    plain = {fact for fact in asked if game.declared_fact(fact)}
    alone = plain <= _OF_ONE_HAND | game.brought_about.keys()
    double, _ = added_parts()
    early: dict[tuple[int | None, int | None], bool] = {}
    numbers: list[int | None] = []
    for row in rows:
        assert row.line is not None
        if row.line.number > 1 and row.part != double:
            key = (row.first_hand, row.wager)
            if alone and key not in early:
                box = row.scene.box
                early[key] = box is None or _may_be_paid_early(row.scene, box.hands[1])
            if not alone or early[key]:
                numbers.append(None)
                continue
        numbers.append(row.wager)
    return numbers


def _may_be_paid_early(scene: SeenScene, hand: Hand) -> bool:
    return settled_early(scene, hand) in ("wins", None)


def note_values(
    engine: Engine,
    seen: dict[tuple[str, str], set[Value]],
    questions: Iterable[Question],
    players: Sequence[Row],
    dealers: Sequence[Row],
    stakes: Sequence[int],
) -> None:
    """For each fact that rules of a question ask for, two of its values on these rows, or one."""
    game = engine.rulebook.game
    events = events_of(game)
    for question in questions:
        rules = engine.by_question.get(question, ())
        asked = [asked_of(engine, rule.condition, set()) for rule, _ in rules]
        for fact in set().union(*asked):
            info = game.declared_fact(fact)
            if info is None or fact in events:
                continue
            if (fact in NOT_MODELLED or info.optional) and fact not in modelled_in():
                continue  # known not to be varied
            some = seen.setdefault((question, fact), set())
            for value in _values(fact, players, dealers, stakes) if len(some) < 2 else ():
                some.add(value)
                if len(some) > 1:
                    break


def _values(
    fact: str, players: Sequence[Row], dealers: Sequence[Row], stakes: Sequence[int]
) -> Iterator[Value]:
    if fact in STAKE_FACTS:
        yield from stakes
        return
    rows = dealers if fact.startswith("dealer.") else players
    look = looked_at(rows, [fact], False)
    if look:
        rows = list({getattr(row, look): row for row in rows}.values())
    for row in rows:
        yield row.scene.fact(fact)


def asked_of(engine: Engine, node: object, seen: set[str]) -> set[str]:
    """The facts that a condition asks for, also through defined terms."""
    facts: set[str] = set()
    for part in walk(node):
        if isinstance(part, t.Fact | t.Name) and part.name not in seen:
            seen.add(part.name)
            facts.add(part.name)
            names = (defining(part.name), defining(part.name.replace("dealer.", "hand.")))
            for question in names:
                for rule, _ in engine.by_question.get(question, ()):
                    facts |= asked_of(engine, rule.condition, seen)
    return facts
