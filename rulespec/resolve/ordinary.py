"""Rules of the ordinary course of a round, and rules for what is out of the ordinary.

A rule is of the ordinary course when it can apply although nothing irregular is recorded. A wager
that is void has no result: rules of the ordinary course are not asked about it. A rule that is made
for the same irregularity is, and may contradict the clause that voids.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulespec.resolve.question import is_definition, term_asked
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.game import Game


class Circumstances:
    """What conditions come to when nothing irregular is recorded, and nothing else is known."""

    def __init__(self, rules: Iterable[Rule], game: Game) -> None:
        self._facts = game.facts
        self._definitions: dict[str, list[Rule]] = {}
        for rule in rules:
            if is_definition(rule.question):
                term = term_asked(rule.question)
                self._definitions.setdefault(term, []).append(rule)
        self._terms: dict[str, bool | None] = {}

    def irregular(self, rule: Rule) -> bool:
        """The rule cannot apply unless something irregular is recorded."""
        return self._holds(rule.condition) is False

    def _holds(self, node: t.Expression) -> bool | None:
        match node:
            case t.Always():
                return True
            case t.Negated():
                inner = self._holds(node.part)
                return None if inner is None else not inner
            case t.Both():
                return _all([self._holds(part) for part in node.parts])
            case t.Either():
                outcome = _all([_not(self._holds(part)) for part in node.parts])
                return _not(outcome)
            case t.Setting():
                return False if node.kind == "recorded" else None
            case t.Fact():
                value = self._ordinarily(node)
                return value if isinstance(value, bool) else None
            case t.Name():
                return self._term(node.name)
            case t.Compare() if node.operator in ("=", "!="):
                same = self._among(node.left, (node.right,))
                return same if node.operator == "=" else _not(same)
            case t.OneOf():
                return self._among(node.left, node.values)
        return None

    def _ordinarily(self, node: t.Expression) -> bool | str | None:
        info = self._facts.get(node.name) if isinstance(node, t.Fact) else None
        return info.ordinarily if info else None

    def _among(self, left: t.Expression, values: tuple[t.Expression, ...]) -> bool | None:
        ordinary = self._ordinarily(left)
        if not isinstance(ordinary, str) or not all(isinstance(v, t.Name) for v in values):
            return None
        return ordinary in {v.name for v in values if isinstance(v, t.Name)}

    def _term(self, term: str) -> bool | None:
        if term not in self._terms:
            self._terms[term] = None  # while it is looked at: a term may be defined by itself
            said = [(rule.value, self._holds(rule.condition)) for rule in self._defined(term)]
            if all(holds is False for value, holds in said if value is True):
                self._terms[term] = False
        return self._terms[term]

    def _defined(self, term: str) -> list[Rule]:
        return self._definitions.get(term, [])


def _all(outcomes: list[bool | None]) -> bool | None:
    if False in outcomes:
        return False
    return None if None in outcomes else True


def _not(outcome: bool | None) -> bool | None:
    return None if outcome is None else not outcome
