"""`rulespec test`: run the scenarios that stand beside the rule files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checker.commands.output import add_command, emit

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from checker.commands.output import Subparsers
    from checker.render.lines import Line, View
    from checker.scenarios.scenarios import Outcome
    from rulespec.base.diagnostics import Diagnostic


def register(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "test",
        "Run the scenarios (NAME.scenarios.yaml) that stand beside the rule files: hands with what "
        "the\nclauses demand of them.",
        ("text", "json", "junit"),
    )
    parser.add_argument(
        "rules",
        nargs="*",
        metavar="RULES",
        help="ids, .rules files or folders (without any: all that ship)",
    )
    parser.add_argument("--only", metavar="WORDS", help="only scenarios whose name has these words")


def run(args: argparse.Namespace) -> int:
    from checker.report import Input, Report, input_of, inputs_of
    from checker.scenarios.reasons import failure
    from checker.scenarios.scenarios import Bench, ScenarioError, load_scenarios, scenario_path
    from rulespec.load.named import load_named

    books, found = load_named(args.rules)
    inputs: list[Input] = inputs_of(books)
    outcomes: list[tuple[str, Outcome]] = []
    failed: dict[int, Diagnostic] = {}  # by the identity of the scenario
    for book in books:
        found += [d for d in book.loaded.diagnostics if d.unusable]
        rulebook = book.loaded.rulebook
        if rulebook is None or not book.loaded.usable:
            continue
        path = scenario_path(book.loaded.path)
        if not path.exists():
            continue
        inputs.append(input_of(path, "rules"))
        try:
            scenarios = load_scenarios(path, rulebook)
        except ScenarioError as error:
            found += error.found
            continue
        bench = Bench(rulebook)
        for scenario in scenarios:
            if args.only and args.only.lower() not in scenario.name.lower():
                continue
            outcome = bench.run(scenario)
            outcomes.append((rulebook.id, outcome))
            if not outcome.passed:
                failed[id(scenario)] = failure(bench, outcome)
    found += failed.values()
    passed = sum(outcome.passed for _, outcome in outcomes)
    summary = {
        "scenarios": len(outcomes),
        "passed": passed,
        "failed": len(outcomes) - passed,
        "by_rulebook": _by_rulebook(outcomes),
    }
    report = Report("test", inputs, found, summary=summary, matched=bool(outcomes))

    def text(view: View) -> Iterator[Line]:
        from checker.render.lines import line
        from checker.render.to_text import finding_lines

        yield from finding_lines(report, view)
        if not view.quiet:
            for name, counts in _by_rulebook(outcomes).items():
                yield line(f"{name}: {counts['passed']} of {counts['scenarios']} scenarios pass")
            if not outcomes and not any(d.unusable for d in found):
                yield line("no scenarios found")
                advice = "they stand beside a rule file as NAME.scenarios.yaml"
                if args.only:
                    advice = f"without `--only {args.only}` there may be some"
                yield line(("  help: ", "help"), advice)

    if args.format == "junit" and not any(d.unusable for d in found):
        from checker.commands.output import write_result

        write_result(_junit(outcomes, failed), args.output, "utf-8")
        return report.exit_status
    return emit(args, report, text)


def _junit(outcomes: list[tuple[str, Outcome]], failed: dict[int, Diagnostic]) -> str:
    """One test case for each scenario, so that CI sees what ran."""
    from xml.etree import ElementTree as xml

    root = xml.Element("testsuites", tests=str(len(outcomes)), failures=str(len(failed)))
    suites: dict[str, xml.Element] = {}
    for name, outcome in outcomes:
        if name not in suites:
            counts = _by_rulebook([o for o in outcomes if o[0] == name])[name]
            suites[name] = xml.SubElement(
                root,
                "testsuite",
                name=name,
                tests=str(counts["scenarios"]),
                failures=str(counts["scenarios"] - counts["passed"]),
            )
        case = xml.SubElement(suites[name], "testcase", classname=name, name=outcome.scenario.name)
        if not outcome.passed:
            failure = xml.SubElement(case, "failure", message="; ".join(outcome.wrong))
            why = failed[id(outcome.scenario)]
            told = [f"{related.clause}: {related.role}" for related in why.related]
            failure.text = "\n".join((*outcome.wrong, *told, why.help or ""))
    xml.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + xml.tostring(root, "unicode") + "\n"


def _by_rulebook(outcomes: list[tuple[str, Outcome]]) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for name, outcome in outcomes:
        entry = counts.setdefault(name, {"scenarios": 0, "passed": 0})
        entry["scenarios"] += 1
        entry["passed"] += outcome.passed
    return counts
