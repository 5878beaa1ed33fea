"""Scenarios: hands beside a rulebook with what its clauses demand of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from checker.evaluate.engine import Engine
from checker.judge.findings import ReplayFinding, Verdict
from checker.judge.judge import judge
from checker.log.model import NO_BOX, Round, Settle
from checker.replay.replay import Library, not_in_force
from checker.scenarios.file import NONE, Reader, ScenarioError, ScenarioFile, read_scenarios
from checker.table.mechanics import Mechanics
from checker.table.shoes import ShoeTracker
from rulespec.base.money import in_currency, money_text
from rulespec.base.spans import NOWHERE, Span
from rulespec.base.yaml_files import load_yaml, yaml_text
from rulespec.resolve.rulebook import Rulebook

__all__ = ["Outcome", "Scenario", "ScenarioError", "load_scenarios", "run_scenario"]

Key = tuple[int, int, str, str]  # box, hand, player, bet


@dataclass(frozen=True, slots=True)
class Scenario:
    name: str
    rounds: tuple[Round, ...]  # the last one is judged
    expected: dict[str, Any]
    settled: bool
    only_paid: frozenset[str] = frozenset()  # bets that nobody stakes on
    span: Span = field(default=NOWHERE, compare=False)

    @property
    def round(self) -> Round:
        return self.rounds[-1]


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that does not come out as a scenario says."""

    text: str
    about: Literal["returns", "found", "missing", "decides", "reports"]
    wager: Key | None = None
    clause: str = ""
    finding: ReplayFinding | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    scenario: Scenario
    mistakes: tuple[Mistake, ...]
    verdict: Verdict = field(repr=False)

    @property
    def wrong(self) -> tuple[str, ...]:
        return tuple(mistake.text for mistake in self.mistakes)

    @property
    def passed(self) -> bool:
        return not self.mistakes


def scenario_path(rules: Path) -> Path:
    return rules.with_name(rules.stem + ".scenarios.yaml")


def load_scenarios(path: Path, rulebook: Rulebook) -> list[Scenario]:
    """The scenarios of a file; ScenarioError has all that is wrong with it."""
    file = read_scenarios(path, rulebook)
    reader = Reader(file, rulebook)
    made: list[Scenario] = []
    names: set[str] = set()
    for number, entry in enumerate(file.entries):
        if entry["name"] in names:
            reader.complain(number, f"two scenarios are called `{entry['name']}`", "name")
        names.add(entry["name"])
        scenario = read_scenario(reader, number)
        if scenario is not None:
            made.append(scenario)
    if reader.found:
        raise ScenarioError(path, reader.found)
    return made


def unnoticed_reasons(path: Path) -> dict[str, str]:
    """Clauses whose rules no scenario can notice, with the reason why."""
    document = load_yaml(yaml_text(path))
    return {str(k): str(v) for k, v in (document.get("unnoticed") or {}).items()}


def read_scenario(reader: Reader, number: int) -> Scenario | None:
    entry = reader.file.entries[number]
    at = reader.time(number, _ordinary_day(reader.rulebook))
    rounds = reader.rounds(number, at) if at is not None else None
    if rounds is None:
        return None
    settled = any(isinstance(e, Settle) for e in rounds[-1].events)
    span = reader.file.span("scenarios", number)
    bets = reader.rulebook.game.bets
    only_paid = frozenset(name for name, bet in bets.items() if bet.settle_only)
    return Scenario(entry["name"], rounds, entry, settled, only_paid, span)


def _ordinary_day(rulebook: Rulebook) -> datetime:
    """Noon on a day on which every clause that ever begins has begun."""
    start = rulebook.last_start or date(2020, 1, 1)
    day = start + timedelta(days=30)
    if rulebook.end is not None and day >= rulebook.end:
        day = start
    return datetime.combine(day, time(12), rulebook.clock or UTC)


class Bench:
    """A rulebook ready to be tested: each scenario by the text in force at its time."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self._library = Library([rulebook], rulebook)

    def engine(self, scenario: Scenario) -> Engine | None:
        """None where no text is in force."""
        day = self.rulebook.day_of(scenario.round.at)
        return self._library.engine_for(self.rulebook, day)

    def run(self, scenario: Scenario) -> Outcome:
        return run_scenario(self.engine(scenario) or self.rulebook, scenario)


def run_scenario(engine: Engine | Rulebook, scenario: Scenario) -> Outcome:
    """`engine`: of the text in force at the time; the rulebook where there is none."""
    game = engine.game if isinstance(engine, Rulebook) else engine.rulebook.game
    mechanics = Mechanics(game)
    shoes = ShoeTracker(lambda round_: mechanics)
    verdict = Verdict()
    for round_ in scenario.rounds:
        view = shoes.view(round_)
        if round_ is scenario.round:
            if isinstance(engine, Rulebook):
                verdict = not_in_force(round_, engine)
            else:
                verdict = judge(engine, round_, view)
        shoes.after(round_)
    with in_currency(verdict.sign):
        return Outcome(scenario, tuple(_compare(scenario, verdict)), verdict)


def as_judged(engine: Engine, entry: dict[str, Any]) -> dict[str, Any]:
    """What a scenario would have to expect to pass: all that the judge says of its round."""
    path = Path("a witness")
    reader = Reader(ScenarioFile(path, {"scenarios": [entry]}), engine.rulebook)
    scenario = read_scenario(reader, 0)
    if scenario is None:
        raise ScenarioError(path, reader.found)
    return expected_of(scenario, run_scenario(engine, scenario).verdict)


def expected_of(scenario: Scenario, verdict: Verdict) -> dict[str, Any]:
    """What a scenario has to expect to pass with this verdict."""
    expected: dict[str, Any] = {}
    returns = {
        f"{_place(box, hand)}{player} {bet}": "undecided"
        if due is None
        else money_text(due).removeprefix("$").replace(",", "")
        for (box, hand, player, bet), due in sorted(verdict.expected.items())
    }
    if returns:
        expected["returns"] = returns
    found = _looked_at(scenario, verdict)
    for name, left_open in (("breaches", False), ("undecided", True)):
        clauses = {f.clause or NONE for f in found if (f.kind == "undecided") == left_open}
        if clauses:
            expected[name] = sorted(clauses)
    return expected


def _place(box: int, hand: int) -> str:
    return "" if box == NO_BOX else f"{box}{f'.{hand}' * (hand > 1)} "


def _staked(finding: ReplayFinding, scenario: Scenario) -> bool:
    return finding.bet is not None and finding.bet not in scenario.only_paid


def _looked_at(scenario: Scenario, verdict: Verdict) -> list[ReplayFinding]:
    """The findings that a scenario has to expect. One that settles nothing says by `returns` what
    is due; that it was not paid is no finding."""
    return [
        f
        for f in verdict.findings
        if scenario.settled or not (f.code == "R503" or (f.code == "R550" and _staked(f, scenario)))
    ]


def _compare(scenario: Scenario, verdict: Verdict) -> list[Mistake]:
    expected = scenario.expected
    wrong: list[Mistake] = []
    for text, amount in expected.get("returns", {}).items():
        key = wager_named(text)
        bet = key[3]
        due = verdict.expected.get(key, 0 if bet in scenario.only_paid else None)
        got = "undecided" if due is None else due
        want = "undecided" if amount == "undecided" else int(Decimal(str(amount)) * 100)
        told = ""
        if key not in verdict.expected and bet not in scenario.only_paid:
            told = f"{text}: there is no such wager"
        elif got != want:
            told = f"{text}: the rules give {_shown(got)}, expected {_shown(want)}"
        if told:
            wrong.append(Mistake(told, "returns", key))
    findings = _looked_at(scenario, verdict)
    broken = [f for f in findings if f.kind != "undecided"]
    wrong += _difference("broken", broken, _ids(expected.get("breaches", [])))
    open_ = [f for f in findings if f.kind == "undecided"]
    wrong += _difference("left open", open_, _ids(expected.get("undecided", [])))
    deciding = {c for d in verdict.decisions for c in d.answer.clauses} | verdict.tested
    for clause in _ids(expected.get("decides", [])):
        if clause not in deciding:
            wrong.append(Mistake(f"clause {clause} decided nothing here", "decides", None, clause))
    if "reports" in expected and len(verdict.reports) != expected["reports"]:
        told = f"{len(verdict.reports)} reports, expected {expected['reports']}"
        wrong.append(Mistake(told, "reports"))
    return wrong


def wager_named(text: str) -> Key:
    """`1.2 P1 main`, or `P1 tie` where bets lie on the table."""
    *place, player, bet = text.split()
    if not place:
        return NO_BOX, 1, player, bet
    box, _, hand = place[0].partition(".")
    return int(box), int(hand or 1), player, bet


def _ids(values: list[object]) -> set[str]:
    return {str(v) for v in values}


def _unexpected(clause: str, what: str) -> str:
    if clause == NONE:
        return f"something is {what} for which no clause answers, which is not expected"
    return f"clause {clause} is {what}, which is not expected"


def _difference(what: str, found: list[ReplayFinding], want: set[str]) -> list[Mistake]:
    """Every finding is expected under one of the clauses that it cites, and every clause found."""
    cited = [{f.clause or NONE, *(clause for clause, _ in f.others)} for f in found]
    surprises = {f.clause or NONE: f for f, c in zip(found, cited, strict=True) if not c & want}
    missing = want - set().union(*cited)
    return [
        Mistake(_unexpected(clause, what), "found", None, clause, finding)
        for clause, finding in sorted(surprises.items())
    ] + [
        Mistake(f"clause {clause} should be {what} and is not", "missing", None, clause)
        for clause in sorted(missing)
    ]


def _shown(cents: object) -> str:
    return money_text(cents) if isinstance(cents, int) else str(cents)
