"""Values of facts that conditions can tell apart, for questions that are not about cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product

from checker.evaluate.conditions import Value
from checker.evaluate.engine import Engine
from rulespec.resolve.question import Question, defining
from rulespec.tree import nodes as t
from rulespec.tree.kinds import Kind
from rulespec.tree.walk import walk

MOST = 20_000  # combinations that are tried for one question
AMOUNTS = (2_000, 100_000)


@dataclass(frozen=True, slots=True)
class FactGrid:
    """Facts and settings with values for each. `whole`: no other values could tell more."""

    domains: Mapping[str, tuple[Value, ...]]
    settings: tuple[tuple[str, str], ...]
    whole: bool

    def cases(self) -> Iterator[tuple[dict[str, Value], frozenset[tuple[str, str]]]]:
        names = list(self.domains)
        choices = [self.domains[name] for name in names]
        off_or_on = [(False, True)] * len(self.settings)
        for chosen in islice(product(*off_or_on, *choices), MOST):
            on = frozenset(s for s, holds in zip(self.settings, chosen, strict=False) if holds)
            yield dict(zip(names, chosen[len(self.settings) :], strict=True)), on


def fact_grid(engines: Iterable[Engine], question: Question) -> FactGrid:
    """What the rules of some texts on one question look at."""
    nodes = [node for engine in engines for node in _asked(engine, question)]
    game = next(iter(engines)).rulebook.game
    settings = tuple(dict.fromkeys((n.kind, n.name) for n in nodes if isinstance(n, t.Setting)))
    names = dict.fromkeys(n.name for n in nodes if isinstance(n, t.Fact))
    reckons = any(isinstance(n, t.Arithmetic) for n in nodes)
    domains: dict[str, tuple[Value, ...]] = {}
    for name in names:
        info = game.plain_fact(name)
        if info is not None:
            domains[name] = _values(info.kind, name, nodes)
    size = 2 ** len(settings)
    for values in domains.values():
        size *= len(values)
    return FactGrid(domains, settings, size <= MOST and not reckons)


def _asked(engine: Engine, question: Question) -> list[t.Node]:
    found: list[t.Node] = []
    waiting, seen = [question], {question}
    while waiting:
        for rule, _ in engine.by_question.get(waiting.pop(), ()):
            for node in (*walk(rule.condition), *walk(rule.value)):
                found.append(node)
                if isinstance(node, t.Fact | t.Name):
                    term = defining(node.name)
                    if term not in seen and term in engine.by_question:
                        seen.add(term)
                        waiting.append(term)
    return found


def _values(kind: Kind, name: str, nodes: list[t.Node]) -> tuple[Value, ...]:
    if kind.name == "bool":
        return (False, True)
    if kind.values and kind.name != "int":
        return kind.values
    if kind.name == "money":
        named = {n.cents for n in nodes if isinstance(n, t.Money)} | set(AMOUNTS)
        factors = {n.value for n in nodes if isinstance(n, t.Number) and n.value}
        near = {n + more for n in named for more in (-100, 0, 100)}
        far = {n * factor + more for n in AMOUNTS for factor in factors for more in (-1, 0, 1)}
        return tuple(sorted(n for n in near | far if n > 0))
    named = {n.value for n in nodes if isinstance(n, t.Number)}
    near = {n + more for n in named for more in (-1, 0, 1)} | {kind.low}
    numbers: tuple[Value, ...] = tuple(sorted(n for n in near if kind.low <= n <= kind.high))
    return (*numbers, *kind.values)
