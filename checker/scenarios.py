"""Scenarios: hands beside a rulebook with what its clauses demand of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, time, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

from checker.decode import DecodeError, decode_round
from checker.engine import Engine, money_text
from checker.findings import ReplayFinding, Verdict
from checker.judge import judge
from checker.rounds import WAGER_BETS, Round, Settle
from checker.scenario_script import ScriptError, events_of
from checker.shoes import ShoeTracker
from rulespec.rulebook import Rulebook


class ScenarioError(Exception):
    """A scenario file that cannot be used; the message names the place."""


@dataclass(frozen=True, slots=True)
class Scenario:
    name: str
    rounds: tuple[Round, ...]  # the last one is judged
    expected: dict[str, Any]
    settled: bool

    @property
    def round(self) -> Round:
        return self.rounds[-1]


@dataclass(frozen=True, slots=True)
class Outcome:
    scenario: Scenario
    wrong: tuple[str, ...]
    verdict: Verdict = field(repr=False)

    @property
    def passed(self) -> bool:
        return not self.wrong


def scenario_path(rules: Path) -> Path:
    return rules.with_name(rules.stem + ".scenarios.yaml")


def load_scenarios(path: Path, rulebook: Rulebook) -> list[Scenario]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        document = yaml.load(path.read_text(encoding="utf-8"), Loader=loader)
    except OSError as error:
        raise ScenarioError(f"cannot read `{path}`: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ScenarioError(f"`{path}` is not YAML: {' '.join(str(error).split())}") from None
    _validate(document, path)
    if document["rulebook"] != rulebook.id:
        raise ScenarioError(f"`{path}` is about `{document['rulebook']}`, not `{rulebook.id}`")
    names: set[str] = set()
    made: list[Scenario] = []
    for entry in document["scenarios"]:
        if entry["name"] in names:
            raise ScenarioError(f"`{path}`: two scenarios are called `{entry['name']}`")
        names.add(entry["name"])
        made.append(_scenario(entry, rulebook, path))
    return made


def unnoticed_reasons(path: Path) -> dict[str, str]:
    """Clauses whose rules no scenario can notice, with the reason why."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    document = yaml.load(path.read_text(encoding="utf-8"), Loader=loader)
    return {str(k): str(v) for k, v in (document.get("unnoticed") or {}).items()}


def _validate(document: object, path: Path) -> None:
    import json
    from importlib.resources import files

    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    schema = json.loads(files("checker").joinpath("scenario_schema.json").read_text("utf-8"))
    error = best_match(Draft202012Validator(schema).iter_errors(document))
    if error is not None:
        place = error.json_path.removeprefix("$").removeprefix(".") or "the file"
        raise ScenarioError(f"`{path}`: {place}: {' '.join(error.message.split())[:200]}")


def _scenario(entry: dict[str, Any], rulebook: Rulebook, path: Path) -> Scenario:
    scripts = entry["play"] if isinstance(entry["play"], list) else [entry["play"]]
    try:
        at = datetime.fromisoformat(entry["at"]) if "at" in entry else _ordinary_day(rulebook)
    except ValueError:
        reason = f"`{entry['at']}` is not a time such as 2024-08-20T21:00:00+10:00"
        raise ScenarioError(f"`{path}`: scenario `{entry['name']}`: {reason}") from None
    rounds: list[Round] = []
    for number, script in enumerate(scripts, 1):
        document: dict[str, Any] = {
            "format": 1,
            "round": f"{entry['name']} {number}",
            "table": "T1",
            "at": (at + timedelta(minutes=number)).isoformat(),
            "rulebook": rulebook.id,
            "decks": entry.get("decks", 6),
            "options": entry.get("options", []),
            "limits": _exact(entry.get("limits", {})),
        }
        if len(scripts) > 1 or "shoe" in entry:
            document["shoe"] = entry.get("shoe", "S1")
        try:
            document["events"] = events_of(script)
            rounds.append(decode_round(document, number))
        except (ScriptError, DecodeError) as error:
            raise ScenarioError(f"`{path}`: scenario `{entry['name']}`: {error}") from None
    settled = any(isinstance(e, Settle) for e in rounds[-1].events)
    return Scenario(entry["name"], tuple(rounds), entry, settled)


def _exact(value: Any) -> Any:
    """Money of a YAML file: as written, never through a binary float."""
    if isinstance(value, float):
        return Decimal(str(value))
    if isinstance(value, dict):
        return {str(k): _exact(v) for k, v in value.items()}
    return value


def _ordinary_day(rulebook: Rulebook) -> datetime:
    """Noon on the first day on which every clause that ever begins has begun."""
    day = rulebook.last_start or datetime(2020, 1, 1).date()
    return datetime.combine(day + timedelta(days=30), time(12), timezone(timedelta(hours=10)))


def run_scenario(engine: Engine, scenario: Scenario) -> Outcome:
    shoes = ShoeTracker()
    verdict = Verdict()
    for round_ in scenario.rounds:
        view = shoes.view(round_)
        if round_ is scenario.round:
            verdict = judge(engine, round_, view)
        shoes.after(round_)
    return Outcome(scenario, tuple(_compare(scenario, verdict)), verdict)


def as_judged(engine: Engine, entry: dict[str, Any]) -> dict[str, Any]:
    """What a scenario would have to expect to pass: all that the judge says of its round."""
    scenario = _scenario(entry, engine.rulebook, Path("a witness"))
    verdict = run_scenario(engine, scenario).verdict
    expected: dict[str, Any] = {}
    returns = {
        f"{box}{f'.{hand}' * (hand > 1)} {player} {bet}":
            "undecided" if due is None else money_text(due).removeprefix("$").replace(",", "")
        for (box, hand, player, bet), due in sorted(verdict.expected.items())
    }  # fmt: skip
    if returns:
        expected["returns"] = returns
    found = _judged(scenario, verdict)
    for name, left_open in (("breaches", False), ("undecided", True)):
        clauses = {f.clause or "none" for f in found if (f.kind == "undecided") == left_open}
        if clauses:
            expected[name] = sorted(clauses)
    return expected


def _judged(scenario: Scenario, verdict: Verdict) -> list[ReplayFinding]:
    """What is found in the round; without settlements, not that there are none."""
    return [
        f for f in verdict.findings
        if scenario.settled or (f.code != "R503" and not (f.code == "R550" and f.bet in _WAGERS))
    ]  # fmt: skip


_WAGERS = WAGER_BETS | {"insurance"}


def _compare(scenario: Scenario, verdict: Verdict) -> list[str]:
    expected = scenario.expected
    wrong: list[str] = []
    for text, amount in expected.get("returns", {}).items():
        place, player, bet = text.split()
        box, _, hand = place.partition(".")
        key = (int(box), int(hand or 1), player, bet)
        due = verdict.expected.get(key, 0 if bet == "super_bonus" else None)
        got = "undecided" if due is None else due
        want = "undecided" if amount == "undecided" else int(Decimal(str(amount)) * 100)
        if key not in verdict.expected and bet != "super_bonus":
            wrong.append(f"{text}: there is no such wager")
        elif got != want:
            wrong.append(f"{text}: the rules give {_shown(got)}, expected {_shown(want)}")
    findings = _judged(scenario, verdict)
    broken = [f for f in findings if f.kind != "undecided"]
    wrong += _difference("broken", broken, _ids(expected.get("breaches", [])))
    open_ = [f for f in findings if f.kind == "undecided"]
    wrong += _difference("left open", open_, _ids(expected.get("undecided", [])))
    deciding = {c for d in verdict.decisions for c in d.answer.clauses} | verdict.tested
    for clause in _ids(expected.get("decides", [])):
        if clause not in deciding:
            wrong.append(f"clause {clause} decided nothing here")
    if "reports" in expected and len(verdict.reports) != expected["reports"]:
        wrong.append(f"{len(verdict.reports)} reports, expected {expected['reports']}")
    return wrong


def _ids(values: list[object]) -> set[str]:
    return {str(v) for v in values}


def _difference(what: str, found: list[ReplayFinding], want: set[str]) -> list[str]:
    """Every finding is expected under one of the clauses that it cites, and every clause found."""
    cited = [{f.clause or "none", *(clause for clause, _ in f.others)} for f in found]
    surprises = {f.clause or "none" for f, c in zip(found, cited, strict=True) if not c & want}
    missing = want - set().union(*cited)
    return [f"clause {c} is {what}, which is not expected" for c in sorted(surprises)] + [
        f"clause {c} should be {what} and is not" for c in sorted(missing)
    ]


def _shown(cents: object) -> str:
    return money_text(cents) if isinstance(cents, int) else str(cents)
