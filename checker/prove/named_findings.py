"""Findings about a game with named hands, each with a round that was dealt again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from checker.evaluate.engine import Engine
from checker.prove.finding_words import listed, shown
from checker.states.marks import counted, written
from checker.states.named_witness import NamedWitness, dealt_wrong, scene_of
from rulespec.base.diagnostics import Diagnostic, Related
from rulespec.resolve.question import Question, actor_and_act, bet_and_what, bet_asked
from rulespec.resolve.rulebook import Rule

HELP = {
    "R310": "decide it in a `reading`, or write which clause prevails",
    "R312": "compare with the source; a `reading` can say what holds then",
    "R313": "compare its condition with the source",
}


@dataclass(slots=True)
class Issue:
    """Deals on which the text says two things, or nothing."""

    question: Question
    rules: tuple[Rule, ...]
    count: int = 0
    mark: int = 0
    witness: NamedWitness | None = None
    readings: tuple[str, ...] = ()
    settled: bool = True
    where: str = ""


def issue_findings(
    issues: Iterable[Issue], printed: Engine, read: Engine, decks: int
) -> Iterator[Diagnostic]:
    """`read`: with the readings, by which rounds are dealt."""
    for issue in issues:
        code = "R310" if issue.rules else "R312"
        rules = _one_each(issue.rules) or _nearest(printed, issue)
        witness = issue.witness
        assert witness is not None
        message = _says(issue, rules) if issue.rules else _silent(issue)
        json = witness.as_json() | {"hand": witness.describe(), "states": issue.count}
        json["values"] = [shown(rule.value) for rule in rules] if issue.rules else []
        if not _shown_again(issue, printed, read, decks):
            continue
        related = [
            Related(rule.clause, _role(rule) if issue.rules else "comes near", rule.span)
            for rule in rules[1:]
        ]
        for name in issue.readings:
            reading = next(x for x in read.rulebook.readings if x.name == name)
            related.append(Related(rules[0].clause, f"settled by reading {name}", reading.span))
        advice = [f"{counted(issue.count)} like it", HELP[code]]
        if issue.readings:
            advice.append(f"as read, {listed(issue.readings)} settles it")
        yield Diagnostic(
            code,
            f"{message}: {witness.describe()}",
            rules[0].span,
            read.rulebook.id,
            rules[0].clause,
            tuple(related),
            "; ".join(advice),
            json,
            about=(*([issue.where] if issue.where else []), written(issue.count, issue.mark)),
            settled=issue.settled,
        )


def _shown_again(issue: Issue, printed: Engine, read: Engine, decks: int) -> bool:
    """Dealt anew, the round is lawful and the text says the same of it."""
    assert issue.witness is not None
    wrong = dealt_wrong(read, issue.witness, decks)
    if any(found.code not in ("R521", "R550") for found in wrong):
        return False
    bet = bet_asked(issue.question) or ""
    scene = scene_of(printed, issue.witness, decks).but(bet=bet)
    answer = printed.ask(issue.question, scene)
    return {rule.id for rule in answer.rules} >= {rule.id for rule in issue.rules}


def _one_each(rules: Iterable[Rule]) -> list[Rule]:
    return list({(r.clause, str(r.value)): r for r in rules}.values())


def _nearest(printed: Engine, issue: Issue) -> list[Rule]:
    """The clauses beside which the missing answer would be looked for, the one with most to say
    first."""
    rules = [rule for rule, _ in printed.by_question.get(issue.question, ())]
    by_clause: dict[str, list[Rule]] = {}
    for rule in rules:
        by_clause.setdefault(rule.clause, []).append(rule)
    order = sorted(by_clause.values(), key=lambda own: -len(own))
    return [own[0] for own in order]


def _says(issue: Issue, rules: list[Rule]) -> str:
    by_value: dict[str, list[str]] = {}
    for rule in rules:
        by_value.setdefault(_said(rule), []).append(rule.clause)
    parts = [
        f"{listed(dict.fromkeys(clauses))} {'say' if len(set(clauses)) > 1 else 'says'} that {said}"
        for said, clauses in by_value.items()
    ]
    return ", ".join(parts)


def _said(rule: Rule) -> str:
    subject, action = actor_and_act(rule.question)
    if action:
        return f"{subject} {rule.value} {action}"
    bet, what = bet_and_what(rule.question)
    return f"{bet} pays {shown(rule.value)}" if what == "odds" else f"{bet} {shown(rule.value)}"


def _role(rule: Rule) -> str:
    return f"says {shown(rule.value)}"


def _silent(issue: Issue) -> str:
    subject, action = actor_and_act(issue.question)
    if action:
        return f"no clause says whether {subject} has to {action} {issue.where}".rstrip()
    bet, what = bet_and_what(issue.question)
    return f"no clause says {'what ' + bet + ' pays' if what == 'odds' else 'how ' + bet + ' ends'}"
