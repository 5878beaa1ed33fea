"""Why a rule did not apply: the conditions that failed, in words, and the nearest rule."""

from __future__ import annotations

from dataclasses import dataclass

from checker.engine import Engine
from checker.scene import SeenScene
from rulespec import tree as t
from rulespec.rulebook import Rule
from rulespec.write import condition_text


@dataclass(frozen=True, slots=True)
class Near:
    """A rule that did not apply and what kept it from applying."""

    rule: Rule
    failed: tuple[t.Expression, ...]
    met: int
    text: str


def nearest(engine: Engine, question: str, scene: SeenScene) -> list[Near]:
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
        hidden = engine.optional_facts(node)
        names = sorted(name for name in hidden if scene.fact(name) is None)
    return list(dict.fromkeys(names))
