"""Cards that a clause names although another clause takes them out of the pack."""

from __future__ import annotations

from collections.abc import Iterator

from checker.evaluate.conditions import listed
from checker.evaluate.dealer_draw import DECK_52
from checker.evaluate.engine import Engine
from checker.evaluate.scene import SeenScene
from checker.prove.issues import Proven
from checker.states.lines_of_play import SHOE, round_of
from checker.table.state import Dealt, Table
from rulespec.resolve.question import requiring
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t

NAMES = {"A": "an ace", "T": "a ten", "J": "a jack", "Q": "a queen", "K": "a king", "8": "an 8"}


def pack(engine: Engine) -> list[Proven]:
    """One finding for each clause and rank that is named to be met, never only to be excepted."""
    banned = _taken_out(engine)
    found: dict[tuple[str, str], Proven] = {}
    for rule in engine.rulebook.rules:
        if rule.question == requiring("card") or not banned:
            continue
        for rank in _named(rule.condition, engine):
            if rank in banned and (rule.clause, rank) not in found:
                what = NAMES.get(rank, f"a {rank}")
                found[rule.clause, rank] = Proven(
                    "R320", rule.question, (rule, *banned[rank]), 0, where=what
                )
    return list(found.values())


def _taken_out(engine: Engine) -> dict[str, list[Rule]]:
    """The ranks that a requirement on cards rules out, with what says so."""
    found: dict[str, list[Rule]] = {}
    scene = SeenScene(engine, Table(round_of("bet 1 P1 10\n")), SHOE)
    for rank in DECK_52:
        view = scene.but(card=Dealt(rank + "S", 0, False), deal={"rank": rank, "copies": 1})
        rules = [
            rule
            for rule in engine.ask(requiring("card"), view).rules
            if engine.requirement(rule)[0](view) is False
        ]
        if rules:
            found[rank] = rules
    return found


def _named(node: t.Expression, engine: Engine) -> Iterator[str]:
    """The ranks that a condition asks for; those after `not` or `!=` are excepted."""
    match node:
        case t.Both() | t.Either():
            for part in node.parts:
                yield from _named(part, engine)
        case t.Compare(operator="=") if _is_rank(node.left, engine):
            yield listed(node.right) or ""
        case t.OneOf() if _is_rank(node.left, engine):
            yield from (listed(value) or "" for value in node.values)
        case _:
            return


def _is_rank(node: t.Expression, engine: Engine) -> bool:
    info = engine.rulebook.game.facts.get(node.name) if isinstance(node, t.Fact) else None
    return info is not None and "K" in info.kind.values
