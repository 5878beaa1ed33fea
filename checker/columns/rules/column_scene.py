"""The working memory of the judge as a scene of the plain evaluator, and the engine asked on it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from checker.columns.known_game import MAIN_BET
from checker.columns.rules.looker import NotColumnar
from checker.columns.rules.made_facts import Asked as AskedOfCards
from checker.columns.rules.settings import Settings
from checker.columns.slots import AS_DEALER, FIXED, NOT_OF_A_DEALER, SLOTS, decoded
from checker.evaluate.compile import Compiler
from checker.evaluate.conditions import Term
from checker.evaluate.engine import Engine
from rulespec.resolve.question import as_of_dealer, defining
from rulespec.tree import nodes as t


@dataclass(slots=True)
class ColumnScene:
    """The working memory as a scene of the plain evaluator."""

    engine: Engine
    memory_numbers: list[int]
    looks: frozenset[str]
    terms: dict[str, int]  # definable facts that were worked out before, with their slots
    bet: str = MAIN_BET
    dealer: bool = False
    settings: Settings | None = None
    left: frozenset[str] = frozenset()  # facts that are looked at, and do not matter
    memory: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.dealer:
            return
        for name, slot in self.terms.items():
            if not name.startswith("dealer."):
                self.memory[defining(name)] = decoded(name, self.memory_numbers[slot])

    def fact(self, name: str) -> Any:
        if self.dealer:
            if name in NOT_OF_A_DEALER:
                return NOT_OF_A_DEALER[name]
            name = AS_DEALER.get(name, name)
        if name in FIXED:
            return FIXED[name]
        if self.settings is not None and name in self.settings.made:
            return self.made(name)
        if name not in self.looks:
            if name in self.left:
                return None
            raise NotColumnar(f"{name} is not in the key")
        return decoded(name, self.memory_numbers[SLOTS[name]])

    def made(self, asked: AskedOfCards) -> Any:
        """What a rule makes of cards by position."""
        found = self.settings.made_of(asked) if self.settings is not None else None
        if found is None:
            raise NotColumnar(str(asked))
        name, made = found
        if name in self.looks and not self.dealer:
            return made.decoded(self.memory_numbers[SLOTS[name]])
        if name in self.left:
            return None
        raise NotColumnar(f"{name} is not in the key")

    @property
    def table(self) -> Any:
        """Choices are read off its round, and nothing else."""
        if self.settings is None:
            raise NotColumnar("a choice")
        return self.settings.scene.table

    def named(self, kind: str, name: str) -> str:
        found = self.settings.setting(kind, name) if self.settings is not None else None
        return found or f"{kind} {name}"

    def setting(self, kind: str, name: str) -> bool:
        if self.settings is not None and self.settings.alone(t.Setting(kind, name)):  # type: ignore[arg-type]
            return bool(self.settings.scene.setting(kind, name))
        at = SLOTS.get(self.named(kind, name))
        return at is not None and bool(self.memory_numbers[at])

    def as_dealer(self) -> ColumnScene:
        twin = replace(self, dealer=True, memory={})
        slot = self.terms.get("dealer.pontoon")
        if slot is not None:
            holds = decoded("dealer.pontoon", self.memory_numbers[slot])
            asked = defining("hand.pontoon")
            twin.memory[as_of_dealer(asked)] = twin.memory[asked] = holds
        return twin


class ColumnCompiler(Compiler):
    """What a question about cards comes to stands in the working memory of the judge."""

    def term(self, node: t.Expression) -> Term:
        term = Compiler.term(self, node)
        if not isinstance(node, t.CardQuestion):
            return term
        return lambda s: s.made(node) if isinstance(s, ColumnScene) else term(s)


class ColumnEngine(Engine):
    """One that is asked by the columns; it remembers nothing."""

    def _compiler(self) -> Compiler:
        return ColumnCompiler(self)
