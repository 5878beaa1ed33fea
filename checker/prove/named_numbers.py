"""Numbers that a text defines case by case, and what cards count, where hands have names."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from checker.evaluate.conditions import Value
from checker.evaluate.engine import Engine
from checker.evaluate.named_scene import fresh_table
from checker.prove.finding_words import shown
from checker.prove.named_findings import HELP
from checker.states.marks import counted, weight, written
from checker.states.named_deals import pack_of
from checker.states.named_witness import witness_of
from rulespec.base.diagnostics import Diagnostic, Related
from rulespec.resolve.lower import both
from rulespec.resolve.question import (
    defining,
    is_card_value,
    is_definition,
    term_asked,
    value_of_card,
)
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.walk import asked_words


def numbers(engine: Engine, read: Engine) -> Iterator[Diagnostic]:
    """`read`: with the readings, by which rounds are dealt."""
    for term in [q for q in engine.by_question if is_definition(q)]:
        rules = [rule for rule, _ in engine.by_question[term]]
        if isinstance(rules[0].value, bool):
            continue
        name = term_asked(term)
        for users in _users(engine, name).values():
            yield from _open_cases(engine, read, name, rules, users)
            break  # who else uses it leaves the same cases open


def _users(engine: Engine, name: str) -> dict[str, list[Rule]]:
    found: dict[str, list[Rule]] = {}
    for rule in engine.rulebook.rules:
        if any(word.name == name for word in asked_words(rule.value)):
            found.setdefault(rule.clause, []).append(rule)
    return found


def _open_cases(
    engine: Engine, read: Engine, name: str, rules: list[Rule], users: list[Rule]
) -> Iterator[Diagnostic]:
    game = engine.rulebook.game
    facts = sorted({w.name for rule in rules for w in asked_words(rule.condition)})
    facts = [fact for fact in facts if fact in game.facts]
    domains = [_domain(game.facts[fact].kind.values) for fact in facts]
    missing: list[dict[str, Value]] = []
    for values in product(*domains):
        told = dict(zip(facts, values, strict=True))
        scene = fresh_table(engine)
        scene.memory.update(told)
        scene.memory.update(_held(engine, users))
        if not any(engine.compile(_without(rule.condition, name))(scene) for rule in users):
            continue
        answer = engine.ask(defining(name), scene)
        if not answer.decided and "none" not in told.values():
            missing.append(told)
    if not missing:
        return
    first, case = rules[0], missing[0]
    told_ = ", ".join(f"`{fact}` is {value}" for fact, value in case.items())
    shown_case = " ".join(str(value) for value in case.values())
    yield Diagnostic(
        "R312",
        f"no clause says what `{name.replace('_', ' ')}` is where {told_}",
        first.span,
        engine.rulebook.id,
        first.clause,
        tuple(Related(rule.clause, "asks for it", rule.span) for rule in users),
        f"{counted(len(missing))} like it; {HELP['R312']}",
        _burnt_witness(read, case),
        about=(shown_case, written(len(missing), sum(weight(str(case)) for case in missing))),
    )


def _without(node: t.Expression, name: str) -> t.Expression:
    """A condition without what it asks of a term itself."""
    parts = node.parts if isinstance(node, t.Both) else (node,)
    kept = [part for part in parts if not any(w.name == name for w in asked_words(part))]
    return both(*kept)


def _domain(values: tuple[str, ...]) -> tuple[Value, ...]:
    return values or (True, False)


def _held(engine: Engine, users: list[Rule]) -> dict[str, Value]:
    """What else has to hold for the number to be asked for."""
    facts = engine.rulebook.game.facts
    words_ = {w.name for rule in users for w in asked_words(rule.condition)}
    return {name: True for name in words_ if name in facts and facts[name].kind.name == "bool"}


def _burnt_witness(read: Engine, case: dict[str, Value]) -> dict[str, Any] | None:
    """A round whose first burnt card is of the rank in question, where that is what is open."""
    rank = next((str(value) for value in case.values() if len(str(value)) == 1), None)
    if rank is None:
        return None
    witness = witness_of(read, (), tuple(read.rulebook.game.bets)[:1], (f"{rank}S",))
    return witness.as_json() | {"hand": witness.describe(), "states": 1, "values": []}


def values_of_cards(engine: Engine) -> Iterator[Diagnostic]:
    for rank in dict.fromkeys(card[0] for card in pack_of(engine)):
        answer = engine.ask(value_of_card(rank), fresh_table(engine))
        if answer.decided:
            continue
        code = "R310" if answer.values else "R312"
        values = [
            rule
            for question, entries in engine.by_question.items()
            for rule, _ in entries
            if is_card_value(question)
        ]
        rule = (answer.rules or tuple(values) or (None,))[0]
        says = f"counts {' and '.join(map(shown, answer.values))}" if answer.values else "counts"
        message = (
            f"a card `{rank}` {says}" if answer.values else f"no clause says what `{rank}` counts"
        )
        yield Diagnostic(
            code,
            message,
            rule.span if rule else None,
            engine.rulebook.id,
            rule.clause if rule else None,
            (),
            HELP[code],
            about=(f"card {rank}",),
        )
