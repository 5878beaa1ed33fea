"""Why a scenario fails: which clauses answered, on what facts, and which come near."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from checker.evaluate.engine import Engine, shown
from checker.evaluate.words.why_not import Near, nearest
from checker.judge.findings import Decision
from checker.scenarios.file import NONE
from checker.scenarios.scenarios import Bench, Mistake, Outcome, expected_of
from rulespec.base.diagnostics import Diagnostic, Related
from rulespec.resolve.rule_value import is_expression
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.kinds import FactInfo
from rulespec.tree.walk import asked_words
from rulespec.tree.write import condition_text, money

MOST_FACTS = 6
MOST_OTHERS = 3  # answers that come near, one clause for each
_MONEY_QUESTIONS = ("result", "odds", "bonus", "counted")


def failure(bench: Bench, outcome: Outcome) -> Diagnostic:
    """A failed scenario as a finding: expected against got, why, and with what it would pass."""
    told: dict[tuple[str, str], Related] = {}
    engine = bench.engine(outcome.scenario)
    for mistake in outcome.mistakes:
        if engine is None:
            told["", ""] = Related(NONE, outcome.verdict.findings[0].message)
            break
        for related in _reasons(engine, outcome, mistake):
            told.setdefault((related.clause, related.role), related)
    return Diagnostic(
        "R590",
        f"scenario `{outcome.scenario.name}`: {'; '.join(outcome.wrong)}",
        outcome.scenario.span,
        bench.rulebook.id,
        related=tuple(told.values()),
        help=_would_pass(outcome),
    )


def _would_pass(outcome: Outcome) -> str:
    passing = expected_of(outcome.scenario, outcome.verdict)
    said = {
        key: value
        for key, value in passing.items()
        if key != "returns" or "returns" in outcome.scenario.expected
    }
    if "returns" in said:
        named = outcome.scenario.expected["returns"]
        said["returns"] = {k: v for k, v in said["returns"].items() if k in named}
    shown_ = ", ".join(f"{key}: {_yaml(value)}" for key, value in said.items())
    passes = (
        f"as the rules stand, it would pass with {shown_}"
        if shown_
        else ("as the rules stand, nothing is broken and nothing open")
    )
    return f"{passes}; look the clause up in the source, then correct the rules or the scenario"


def _yaml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {v}" for k, v in value.items()) + "}"
    return "[" + ", ".join(f'"{v}"' for v in value) + "]"


def _reasons(engine: Engine, outcome: Outcome, mistake: Mistake) -> Iterator[Related]:
    match mistake.about:
        case "returns":
            yield from _money_reasons(engine, outcome, mistake)
        case "found":
            finding = mistake.finding
            if finding is not None:
                more = f" ({finding.help})" if finding.help else ""
                where = None if finding.clause is None else _span(engine, finding.clause)
                yield Related(finding.clause or "no clause", finding.message + more, where)
        case "missing" | "decides":
            yield from _silent(engine, outcome, mistake.clause)
        case "reports":
            for report in outcome.verdict.reports:
                yield Related(report["clause"], f"asks for a report about {report['player']}")


def _money_reasons(engine: Engine, outcome: Outcome, mistake: Mistake) -> Iterator[Related]:
    decisions = [
        d
        for d in outcome.verdict.decisions
        if d.subject in _MONEY_QUESTIONS and (d.box, d.hand or 1, d.player, d.bet) == mistake.wager
    ]
    for decision in decisions:
        answer, part = decision.answer, f" for the {decision.part} part" if decision.part else ""
        for rule in answer.rules:
            yield Related(
                rule.clause, f"says {_value(rule)}{part}{_facts(engine, rule, decision)}", rule.span
            )
        for loser, winner in answer.beaten:
            yield Related(
                loser.clause,
                f"says {_value(loser)}{part}, and {winner.clause} prevails",
                loser.span,
            )
        if not answer.decided:
            clause = answer.clauses[0] if answer.clauses else "no clause"
            yield Related(clause, f"{decision.subject}{part}: {answer.why_undecided()}")
        others: dict[object, Near] = {}
        for near in nearest(engine, answer.question, decision.scene):
            if near.rule.value not in answer.values:
                others.setdefault(near.rule.value, near)
        for near in list(others.values())[:MOST_OTHERS]:
            words = " and ".join(condition_text(part) for part in near.failed)
            yield Related(
                near.rule.clause, f"would say {_value(near.rule)} if {words}", near.rule.span
            )


def _silent(engine: Engine, outcome: Outcome, clause: str) -> Iterator[Related]:
    """Why a clause is not broken, does not leave anything open, or did not decide."""
    verdict = outcome.verdict
    if clause in verdict.not_checked and clause not in verdict.tested:
        yield Related(clause, f"not checked: {verdict.not_checked[clause]}", _span(engine, clause))
        return
    rules = [rule for rule in engine.rulebook.rules if rule.clause == clause]
    asked = "was asked and is kept" if clause in verdict.tested else "was not asked here"
    yield Related(clause, asked if rules else "has no rule on that day", _span(engine, clause))
    for rule in rules[:3]:
        when = f" when {condition_text(rule.condition)}"
        when = "" if isinstance(rule.condition, t.Always) else when
        yield Related(clause, f"`{rule.question}`: {_value(rule)}{when}", rule.span)


def _span(engine: Engine, clause: str) -> Any:
    entry = engine.rulebook.clause(clause)
    return entry.tree.id_span if entry is not None else None


def _value(rule: Rule) -> str:
    if is_expression(rule.value):  # what is required or counted
        return condition_text(rule.value)
    if isinstance(rule.value, tuple):
        return " ".join(condition_text(v) if is_expression(v) else str(v) for v in rule.value)
    return shown(rule.value)


def _facts(engine: Engine, rule: Rule, decision: Decision) -> str:
    """What the facts in a rule's condition are on the hand."""
    told: dict[str, str] = {}
    for word in asked_words(rule.condition):
        if isinstance(word, t.Fact) and word.name not in told:
            value = engine.term(word)(decision.scene)
            told[word.name] = _fact(engine.rulebook.game.facts.get(word.name), value)
    listed = [f"{name} = {value}" for name, value in list(told.items())[:MOST_FACTS]]
    return f", where {', '.join(listed)}" if listed else ""


def _fact(info: FactInfo | None, value: object) -> str:
    if value is None:
        return "not known"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and info is not None and info.kind.name == "money":
        return money(value)
    return str(value)
