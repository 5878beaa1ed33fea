"""What a profile makes of the first rows of an export, and which clauses it can decide."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from checker.evaluate.engine import Engine
from checker.evaluate.incomplete_logs import SilentEngine, untold
from checker.evaluate.ready import new_engine
from checker.imports.rounds import Made
from checker.imports.run import Import, Quarantined
from checker.judge.judge import judge
from checker.log.decode import decode_line
from checker.table.shoes import ShoeTracker
from rulespec.checks.ledger import ledger, load_clause_list
from rulespec.resolve.question import bet_and_what, is_act_of, is_definition, is_requirement
from rulespec.resolve.rulebook import Rule, Rulebook

ROWS = 1000
_OF_A_LOG = ("log", "unlisted")


@dataclass(slots=True)
class Clauses:
    """The clauses of a rulebook that a log can decide, by what this export can do for them."""

    rulebook: str
    decided: list[str] = field(default_factory=list)  # put to the test by the sample
    decidable: list[str] = field(default_factory=list)  # nothing is missing; no round asked
    in_part: dict[str, str] = field(default_factory=dict)  # by clause, what is missing
    not_decidable: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        def told(found: dict[str, str]) -> list[dict[str, str]]:
            return [{"clause": clause, "reason": why} for clause, why in found.items()]

        return {
            "rulebook": self.rulebook,
            "decided": self.decided,
            "decidable": self.decidable,
            "in_part": told(self.in_part),
            "not_decidable": told(self.not_decidable),
        }


@dataclass(slots=True)
class Checked:
    """What `--check` tells."""

    rows: int
    rounds: list[str]
    unused: dict[str, list[str]]  # by file, columns that the profile does not name
    quarantined: list[Quarantined]
    clauses: Clauses | None


def check_import(export: Import, rulebook: Rulebook | None) -> Checked:
    """On the first rows of each table."""
    aside: list[Quarantined] = []
    made = list(export.made(aside.append, limit=ROWS))
    one_table = len(export.profile.sources) == 1 and export.tables is not None
    if export.result.rows >= ROWS and len(made) > 1 and one_table:
        made, aside = _without_cut_off(export, made, aside)
    clauses = None
    if rulebook is not None:
        clauses = clauses_of(rulebook, frozenset(export.rounds.not_recorded), made)
    lines = [one.line for one in made]
    return Checked(export.result.rows, lines, export.unused(), aside, clauses)


def _without_cut_off(
    export: Import, made: list[Made], aside: list[Quarantined]
) -> tuple[list[Made], list[Quarantined]]:
    """The last row that was read may be the middle of its round."""
    last = max(made, key=lambda one: one.last)
    kept = [one for one in made if one is not last]
    export.result.rounds = len(kept)
    return kept, [one for one in aside if one.row < ROWS]


def clauses_of(rulebook: Rulebook, said: frozenset[str], made: list[Made]) -> Clauses:
    found = Clauses(rulebook.id)
    tested, lacking = _judged(rulebook, said, made)
    engine = untold(new_engine(rulebook), said)
    by_clause: dict[str, list[Rule]] = {}
    for rule in rulebook.rules:
        if not is_definition(rule.question):
            by_clause.setdefault(rule.clause, []).append(rule)
    lists = (load_clause_list(Path(file))[0] for file in rulebook.files)
    listed = next((one for one in lists if one is not None), None)
    for row in ledger(rulebook, listed).rows:
        rules = by_clause.get(row.id, [])
        if row.standing != "encoded" or row.clause_class not in _OF_A_LOG or not rules:
            continue
        reasons = [_missing(engine, rule) for rule in rules]
        told = " and ".join(dict.fromkeys(why for one in reasons for why in one))
        if row.id in tested and not told:
            found.decided.append(row.id)
        elif told and all(reasons) and row.id not in tested:
            found.not_decidable[row.id] = f"the export does not tell {told}"
        elif told:
            found.in_part[row.id] = f"the export does not tell {told}"
        elif row.id in lacking:
            found.not_decidable[row.id] = lacking[row.id].replace("the log", "the export")
        else:
            found.decidable.append(row.id)
    return found


def _judged(
    rulebook: Rulebook, said: frozenset[str], made: list[Made]
) -> tuple[set[str], dict[str, str]]:
    """The clauses that the rounds of the sample put to the test, and those that lack something."""
    engine = new_engine(rulebook)
    shoes = ShoeTracker(lambda round_: engine.mechanics)
    tested: set[str] = set()
    lacking: dict[str, str] = {}
    for number, one in enumerate(sorted(made, key=lambda one: one.at), 1):
        round_ = decode_line(one.line.encode(), number)
        verdict = judge(engine, round_, shoes.view(round_), share=True, explained=False)
        shoes.after(round_)
        tested |= verdict.tested
        lacking.update(verdict.not_checked)
    return tested, {clause: why for clause, why in lacking.items() if clause not in tested}


def _missing(engine: Engine, rule: Rule) -> list[str]:
    """What the export does not tell of all that a rule asks for."""
    if not isinstance(engine, SilentEngine):
        return []
    asked = rule.value if is_requirement(rule.question) else ()
    found = engine.wanting((rule.condition, asked))
    _, what = bet_and_what(rule.question)
    kind = {"settles": "settles", "result": "money", "odds": "money"}.get(what)
    if is_act_of(rule.question, "player"):
        kind = "plays"
    if kind in engine.silences:
        found.append(engine.silences[kind])
    return list(dict.fromkeys(found))
