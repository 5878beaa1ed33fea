"""The layers of the code: what a module may import, read from the imports themselves.

Imports inside functions and those for types alone count like any other: a knot that only a lazy
import hides is still a knot.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# Lowest first: a module imports its own layer and what stands above it in this list.
LAYERS = [
    "rulespec.base",
    "rulespec.tree",
    "rulespec.syntax",
    "rulespec.resolve",
    "rulespec.load",
    "rulespec.checks",
    "checker.report",
    "checker.evidence.merkle",
    "checker.evidence.log_digest",
    "checker.log",
    "checker.table",
    "checker.evaluate",
    "checker.judge",
    "checker.replay",
    "checker.store",
    "checker.columns.known_game",
    "checker.columns.batch",
    "checker.columns.slots",
    "checker.columns.desk",
    "checker.columns.machine",
    "checker.columns.read",
    "checker.columns.parquet",
    "checker.columns.shoe",
    "checker.columns.rules",
    "checker.columns.judge",
    "checker.columns.text_head",
    "checker.columns.prepare",
    "checker.columns.judge_batch",
    "checker.columns.gathered",
    "checker.columns.repeated_rounds",
    "checker.columns.gather",
    "checker.columns.piece",
    "checker.columns.threads",
    "checker.columns.run",
    "checker.columns.write_parquet",
    "checker.which_engine",
    "checker.convert",
    "checker.imports",
    "checker.spark",
    "checker.states",
    "checker.prove",
    "checker.diff",
    "checker.compare",
    "checker.impact",
    "checker.edge",
    "checker.simulate",
    "checker.scenarios",
    "checker.coverage",
    "checker.graph",
    "checker.check",
    "checker.replay_call",
    "checker.replay_logs",
    "checker.evidence",
    "checker.render",
    "checker.workbench",
    "checker.commands",
    "checker.cli",
]
ABOVE_ALL = {"rulespec", "rulespec.__main__"}  # the public API, and the program
NO_LAYER = {"checker", "checker.columns", *ABOVE_ALL}


@cache
def modules() -> dict[str, Path]:
    found = {}
    for package in ("rulespec", "checker"):
        for path in (ROOT / package).rglob("*.py"):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            found[name.removesuffix(".__init__")] = path
    return found


def imported(path: Path) -> Iterator[str]:
    """The modules of the project that a file imports, wherever the import stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{one.name}" for one in node.names]
            names = [name if name in modules() else node.module for name in names]
        elif isinstance(node, ast.Import):
            names = [one.name for one in node.names]
        yield from (name for name in names if name in modules())


@cache
def edges() -> frozenset[tuple[str, str]]:
    return frozenset(
        (name, other)
        for name, path in modules().items()
        for other in imported(path)
        if name != other
    )


def layer(module: str) -> int:
    """The place of the longest name in the list that the module begins with; -1 none."""
    at = [i for i, one in enumerate(LAYERS) if f"{module}.".startswith(f"{one}.")]
    return max(at, key=lambda i: len(LAYERS[i]), default=-1)


def upward(pairs: frozenset[tuple[str, str]]) -> list[tuple[str, str]]:
    return sorted(
        (name, other)
        for name, other in pairs
        if name not in ABOVE_ALL and (other in ABOVE_ALL or layer(other) > layer(name) >= 0)
    )


def knots(pairs: frozenset[tuple[str, str]]) -> set[frozenset[str]]:
    """Groups of modules that import each other in circles."""
    wants: dict[str, set[str]] = {}
    for name, other in pairs:
        wants.setdefault(name, set()).add(other)
    reach = {name: _reached(wants, name) for name in wants}
    return {
        frozenset({name} | {other for other in found if name in reach.get(other, ())})
        for name, found in reach.items()
        if name in found
    }


def _reached(wants: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for other in wants.get(waiting.pop(), ()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


def test_every_module_has_its_layer() -> None:
    assert {name for name in modules() if layer(name) < 0} == NO_LAYER
    assert all(any(f"{m}.".startswith(f"{one}.") for m in modules()) for one in LAYERS)


def test_the_imports_were_seen() -> None:
    assert len(edges()) > 1000
    assert ("checker.judge.judge", "checker.evaluate.engine") in edges()


def test_no_import_goes_up() -> None:
    assert upward(edges()) == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert knots(edges()) == set()


@pytest.mark.parametrize(
    "code",
    [
        "from checker.commands import check",
        "def f():\n    import checker.commands.check",
        "if TYPE_CHECKING:\n    from checker.commands.check import run",
    ],
)
def test_an_import_upwards_is_seen_wherever_it_stands(code: str, tmp_path: Path) -> None:
    file = tmp_path / "low.py"
    file.write_text(code)
    made = frozenset(("rulespec.base.codes", other) for other in imported(file))
    assert upward(made) == [("rulespec.base.codes", "checker.commands.check")]
    both = frozenset({"checker.commands.check", "rulespec.base.codes"})
    assert knots(made | {("checker.commands.check", "rulespec.base.codes")}) == {both}
