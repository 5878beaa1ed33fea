"""`rulespec coverage --mutate`: the rules whose loss no scenario notices."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from checker.commands.common import emit, note

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from checker.render.lines import Line, View


def run(args: argparse.Namespace) -> int:
    from checker.commands.named import inputs_of, load_named
    from checker.engine import Engine
    from checker.mutate import mutate
    from checker.report import Report
    from checker.scenarios import (
        ScenarioError,
        load_scenarios,
        run_scenario,
        scenario_path,
        unnoticed_reasons,
    )
    from rulespec.diagnostics import Diagnostic

    books, found = load_named(args.rules, whole=True)
    counts: dict[str, dict[str, Any]] = {}
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
        passing = []
        engines: dict[object, Engine] = {}
        for scenario in scenarios:
            day = rulebook.day_of(scenario.round.at)
            if day not in engines:
                engines[day] = Engine(rulebook.on(day))
            outcome = run_scenario(engines[day], scenario)
            if outcome.passed:
                passing.append(scenario)
            else:
                wrong = "; ".join(outcome.wrong)
                found.append(Diagnostic("R590", f"scenario `{scenario.name}`: {wrong}",
                                        rulebook=rulebook.id))  # fmt: skip
        scenarios = passing
        note(args, f"{rulebook.id}: {len(rulebook.rules)} rules, {len(scenarios)} scenarios …")
        mutants = mutate(rulebook, scenarios, os.cpu_count() or 1)
        lost = [m.rule for m in mutants if m.noticed_by is None]
        explained = [r for r in lost if r.clause in reasons]
        counts[rulebook.id] = {
            "rules": len(rulebook.rules),
            "unnoticed": len(lost),
            "with_reason": len(explained),
            "unnoticed_rules": [
                {"rule": r.id, "clause": r.clause, "question": r.question,
                 "because": reasons.get(r.clause)} for r in lost
            ],
        }  # fmt: skip
        for rule in lost:
            if rule.clause not in reasons:
                message = f"no scenario notices when rule `{rule.id}` ({rule.question}) is lost"
                advice = "write a scenario that this rule decides"
                found.append(Diagnostic("R591", message, rule.span, rulebook.id, rule.clause,
                                        help=advice))  # fmt: skip
    rules = sum(c["rules"] for c in counts.values())
    lost_in_all = sum(c["unnoticed"] for c in counts.values())
    summary = {"rules": rules, "unnoticed": lost_in_all, "by_rulebook": counts}
    report = Report("coverage", inputs_of(books), found, summary=summary, matched=bool(counts))

    def text(view: View) -> Iterator[Line]:
        from checker.render.lines import line
        from checker.render.to_text import finding_lines

        yield from finding_lines(report, view)
        for name, c in counts.items():
            share = 100 * c["unnoticed"] / c["rules"] if c["rules"] else 0
            yield line(f"{name}: {c['unnoticed']} of {c['rules']} rules unnoticed "
                       f"({share:.1f} %), {c['with_reason']} with a reason")  # fmt: skip
            for one in c["unnoticed_rules"]:
                if one["because"]:
                    yield line(f"  {one['rule']}: {one['because']}")

    return emit(args, report, text)
