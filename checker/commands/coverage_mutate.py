"""`rulespec coverage --mutate`: changes to the rules that no scenario notices."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from checker.commands.output import emit, note

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from pathlib import Path

    from checker.render.lines import Line, View
    from checker.scenarios.mutants import Mutant
    from checker.scenarios.mutate import Noticed
    from checker.scenarios.scenarios import Scenario
    from rulespec.base.diagnostics import Diagnostic
    from rulespec.resolve.rulebook import Rulebook


@dataclass(slots=True)
class _Counted:
    """What became of the mutants of one rulebook."""

    rulebook: Rulebook
    every: list[Noticed]
    same: dict[str, str] = field(default_factory=dict)  # mutants that say the same: why
    unnoticed: list[Mutant] = field(default_factory=list)
    reasons: dict[str, str] = field(default_factory=dict)

    def reason(self, mutant: Mutant) -> str | None:
        """A reason for a clause covers the loss of its rules, one for a change only that."""
        return self.reasons.get(mutant.clause if mutant.lost else mutant.name)

    @property
    def share(self) -> float:
        return 100 * len(self.unnoticed) / len(self.every) if self.every else 0.0

    def as_json(self) -> dict[str, Any]:
        lost = [m for m in self.unnoticed if m.lost]
        return {
            "rules": len(self.rulebook.rules),
            "unnoticed": len(lost),
            "with_reason": sum(self.reason(m) is not None for m in lost),
            "unnoticed_rules": [
                {
                    "rule": m.name,
                    "clause": m.clause,
                    "question": m.question,
                    "because": self.reason(m),
                }
                for m in lost
            ],
            "changes": len(self.every),
            "noticed": sum(one.noticed_by is not None for one in self.every),
            "equivalent": [{"change": name, "because": why} for name, why in self.same.items()],
            "unnoticed_changes": [
                {
                    "change": m.name,
                    "clause": m.clause,
                    "question": m.question,
                    "span": m.span.as_json() if m.span else None,
                    "because": self.reason(m),
                }
                for m in self.unnoticed
            ],
        }


def run(args: argparse.Namespace) -> int:
    from checker.report import Report, inputs_of
    from checker.scenarios.scenarios import (
        ScenarioError,
        load_scenarios,
        scenario_path,
        unnoticed_reasons,
    )
    from rulespec.load.named import load_named

    books, found = load_named(args.rules, whole=True)
    counts: dict[str, _Counted] = {}
    written = 0
    for book in books:
        found += [d for d in book.loaded.diagnostics if d.unusable]
        rulebook = book.loaded.rulebook
        path = scenario_path(book.loaded.path)
        if rulebook is None or not book.loaded.usable or not path.is_file():
            continue
        try:
            scenarios = load_scenarios(path, rulebook)
            reasons = unnoticed_reasons(path)
        except ScenarioError as error:
            found += error.found
            continue
        scenarios, failing = _passing(rulebook, scenarios)
        found += failing
        counted = _count(args, rulebook, scenarios, reasons)
        counts[rulebook.id] = counted
        found += [_finding(counted, m) for m in counted.unnoticed if counted.reason(m) is None]
        found += _idle(counted, path)
        if args.write:
            written += _write(args, counted, scenarios, path)
    summary = {
        "rules": sum(len(c.rulebook.rules) for c in counts.values()),
        "unnoticed": sum(m.lost for c in counts.values() for m in c.unnoticed),
        "changes": sum(len(c.every) for c in counts.values()),
        "unnoticed_changes": sum(len(c.unnoticed) for c in counts.values()),
        "by_rulebook": {name: c.as_json() for name, c in counts.items()},
    }
    if args.write:
        summary["proposed"] = written
    report = Report("coverage", inputs_of(books), found, summary=summary, matched=bool(counts))

    def text(view: View) -> Iterator[Line]:
        from checker.render.to_text import finding_lines

        yield from finding_lines(report, view)
        for counted in counts.values():
            yield from _told(counted, view)

    return emit(args, report, text)


def _passing(
    rulebook: Rulebook, scenarios: list[Scenario]
) -> tuple[list[Scenario], list[Diagnostic]]:
    """The scenarios that pass; one that fails anyway notices nothing."""
    from checker.scenarios.reasons import failure
    from checker.scenarios.scenarios import Bench

    bench = Bench(rulebook)
    outcomes = [bench.run(scenario) for scenario in scenarios]
    failing = [failure(bench, outcome) for outcome in outcomes if not outcome.passed]
    return [outcome.scenario for outcome in outcomes if outcome.passed], failing


def _count(
    args: argparse.Namespace, rulebook: Rulebook, scenarios: list[Scenario], reasons: dict[str, str]
) -> _Counted:
    from checker.scenarios.mutant_same import same
    from checker.scenarios.mutate import mutate

    jobs = os.cpu_count() or 1
    note(args, f"{rulebook.id}: {len(rulebook.rules)} rules, {len(scenarios)} scenarios …")
    counted = _Counted(rulebook, list(mutate(rulebook, scenarios, jobs)), reasons=reasons)
    left = [one.mutant for one in counted.every if one.noticed_by is None]
    note(args, f"{rulebook.id}: {len(left)} of {len(counted.every)} changes are compared …")
    for mutant, why in zip(left, same(rulebook, left, jobs), strict=True):
        if why is None:
            counted.unnoticed.append(mutant)
        else:
            counted.same[mutant.name] = why
    return counted


def _finding(counted: _Counted, mutant: Mutant) -> Diagnostic:
    from rulespec.base.diagnostics import Diagnostic

    if mutant.lost:
        message = f"no scenario notices when rule `{mutant.name}` ({mutant.question}) is lost"
        advice = "write a scenario that this rule decides"
    else:
        change = mutant.name.partition(": ")[2]
        was, _, becomes = change.partition(" -> ")
        message = f"no scenario notices when `{was}` becomes `{becomes}` ({mutant.question})"
        advice = (
            f"write a scenario right at the bound, or give a reason for `{mutant.name}`; "
            "--write proposes scenarios"
        )
    clause = None if mutant.kind == "dated" and mutant.clause == "header" else mutant.clause
    return Diagnostic("R591", message, mutant.span, counted.rulebook.id, clause, help=advice)


def _idle(counted: _Counted, path: Path) -> Iterator[Diagnostic]:
    """Reasons that are given for what scenarios notice, or for what is not there."""
    from rulespec.base.diagnostics import Diagnostic
    from rulespec.base.spans import Span

    needed = {m.clause if m.lost else m.name for m in counted.unnoticed}
    needed |= {
        one.mutant.clause if one.mutant.lost else one.mutant.name
        for one in counted.every
        if one.mutant.name in counted.same
    }
    for name in counted.reasons:
        if name not in needed:
            yield Diagnostic(
                "R592",
                f"a reason is given for `{name}`, and every change there is noticed",
                Span(str(path), 1, 1, 1, 1),
                counted.rulebook.id,
                help="take it out of `unnoticed`; its name is as the report gives it",
            )


def _write(
    args: argparse.Namespace, counted: _Counted, scenarios: list[Scenario], path: Path
) -> int:
    """Propose scenarios for what is not noticed, at the end of the file; how many."""
    from checker.commands.writing.whole_files import replace_file
    from checker.scenarios.mutant_witness import Search, as_yaml
    from checker.scenarios.mutate import Work

    left = [m for m in counted.unnoticed if counted.reason(m) is None]
    if not left:
        return 0
    note(args, f"{counted.rulebook.id}: looking for scenarios for {len(left)} changes …")
    found = Search(Work(counted.rulebook, scenarios, left), range(len(left))).run()
    if found:
        known = {scenario.name for scenario in scenarios}
        text = path.read_text(encoding="utf-8").rstrip("\n")
        replace_file(path, f"{text}\n\n{as_yaml(found, left, known)}".encode())
        note(
            args,
            f"`{path}` proposes scenarios for {len(found)} of {len(left)} changes: hold "
            "what they expect against the printed text",
        )
    return len(found)


def _told(counted: _Counted, view: View) -> Iterator[Line]:
    from checker.render.lines import line, wrapped

    lost = [m for m in counted.unnoticed if m.lost]
    given = sum(counted.reason(m) is not None for m in counted.unnoticed)
    noticed = sum(one.noticed_by is not None for one in counted.every)
    yield line(
        (f"{counted.rulebook.id}: {len(counted.every)} changes", "strong"),
        f": {noticed} noticed, {len(counted.same)} that say the same, "
        f"{len(counted.unnoticed)} unnoticed ({counted.share:.1f} %), "
        f"{given} with a reason",
    )
    yield line(f"  {len(lost)} of {len(counted.rulebook.rules)} rules can be lost unnoticed")
    for mutant in counted.unnoticed:
        if because := counted.reason(mutant):
            yield from wrapped(line(f"  {mutant.name}: {because}"), view.width, indent=4)
    if view.full:
        for name, why in counted.same.items():
            yield from wrapped(line((f"  {name}: {why}", "faint")), view.width, indent=4)
