"""What the prover found, as diagnostics with clauses, a witness and advice."""

from __future__ import annotations

from typing import Any

from checker.engine import shown as told
from checker.proven import Proofs, Proven
from rulespec import tree as t
from rulespec.codes import CODES
from rulespec.diagnostics import Diagnostic, Related
from rulespec.rulebook import Rule, Rulebook
from rulespec.write import condition_text

PROOF_CODES = frozenset(code for code in CODES if "R310" <= code < "R330")
NAMED = frozenset({"R310", "R312", "R316"})
"""What an acceptance has to name, unless a reading settles it."""

_ASKED = {
    "main.result": "the result of the main wager", "main.odds": "the odds of the main wager",
    "super_bonus.odds": "the amount of the Super Bonus",
    "define wager.super_bonus": "whether the Super Bonus is won",
    "dealer draw": "whether the dealer draws", "player draw": "taking a card",
    "player stand": "standing", "player double": "doubling", "player split": "splitting",
    "player surrender": "surrender",
    "player insure": "insurance", "player even_money": "even money",
    "player decide": "who decides for a box",
    "main.counted": "how much of the main wager counts",
    "main.deemed": "what the main wager is taken to be",
}  # fmt: skip
_RANKS = {"A": "an ace", "T": "a ten", "J": "a jack", "Q": "a queen", "K": "a king", "8": "an 8"}
_HELP = {
    "R310": "decide it in a `reading`, or write which clause prevails",
    "R311": "a ban prevails over a permission; say so with `subject to` if the text does",
    "R312": "compare with the source; a `reading` can say how such a hand is settled",
    "R313": "compare its condition with the source, and with the clauses that decide earlier",
    "R314": "nothing needs to be done when the text repeats itself on purpose",
    "R315": "compare with the source: the two clauses may have been meant the other way round",
    "R317": "compare with the source: the clause counts for nothing unless it prevails there",
    "R318": "nothing needs to be done; the clauses may have been meant to meet on more hands",
    "R319": "compare with the source; keep one definition, or say which one prevails",
    "R316": "name the exception in the wider row, or say that only the highest is paid",
    "R320": "compare with the source: nothing is ever decided by such a card",
}

_SIDE = {"insurance": "insurance", "perfect_pairs": "Perfect Pairs", "super_sevens": "Super Sevens"}
_ROLES = {
    "R320": "takes it out of the pack",
    "R312": "comes near", "R314": "could go as well", "R318": "lays down an order",
}  # fmt: skip


def shown(value: Any) -> str:
    match value:
        case (str() as direction, t.Node() as unit):
            return f"{direction} to {condition_text(unit)}"  # type: ignore[arg-type]
        case tuple():
            return " or ".join(map(str, value))
        case t.Amount() | t.Odds():
            return told(value)
        case t.Node():
            return condition_text(value)  # type: ignore[arg-type]
    return told(value)


def proof_findings(rulebook: Rulebook, proofs: Proofs) -> list[Diagnostic]:
    return [_diagnostic(rulebook, proven) for proven in proofs.found]


def _diagnostic(rulebook: Rulebook, proven: Proven) -> Diagnostic:
    rules = list(proven.rules)
    asked = _asked(proven.question)
    message, span, clause = _message(rulebook, proven, rules, asked)
    role = _ROLES.get(proven.code)
    related = [
        Related(r.clause, role or _role(r), r.span)
        for r in _one_each(rules[1:]) if r.clause != clause or r.span != span
    ]  # fmt: skip
    for name in proven.readings:
        reading = next((x for x in rulebook.readings if x.name == name), None)
        where = reading.span if reading else None
        related.append(Related(clause or "", f"settled by reading {name}", where))
    witness: dict[str, Any] | None = None
    help_ = _HELP[proven.code]
    if proven.witness is not None:
        witness = {**proven.witness.as_json(), "states": proven.count}
        witness["values"] = [shown(v) for v in proven.values]
        if proven.hidden:
            witness["assumption"] = "interim-first"
        help_ = f"shown by {proven.witness.describe()} ({_count(proven.count)} like it); {help_}"
    if proven.others:
        listed = _clauses([r.clause for r in proven.others])
        related += [Related(r.clause, "could go alone", r.span) for r in proven.others]
        help_ += f"; {listed} could go alone too, but not with these"
    if proven.readings:
        help_ += f"; as read, `{proven.readings[0]}` settles it"
    return Diagnostic(
        proven.code, message, span, rulebook.id, clause, tuple(related), help_, witness,
        about=_about(proven, rules), settled=proven.settled or proven.code not in NAMED,
    )  # fmt: skip


def _about(proven: Proven, rules: list[Rule]) -> tuple[str, ...]:
    """What tells a finding from others of its kind at the same clause."""
    if proven.code not in NAMED:
        return ()
    said = [f"{r.clause} {shown(r.value)}" for r in rules]
    if proven.witness is None:
        return tuple(dict.fromkeys(said))
    if proven.code == "R312":
        by_stake = proven.question == "super_bonus.odds"
        stake = proven.witness.as_json()["stake"]
        said = [proven.where or (f"${stake}" if by_stake else proven.witness.describe())]
    counted = () if proven.where else (_count(proven.count),)
    return (*dict.fromkeys(said), *counted)


def _asked(question: str) -> str:
    if question.startswith("card value "):
        return f"what {_RANKS.get(question[-1], 'a ' + question[-1])} counts"
    if question.startswith("define ") and question not in _ASKED:
        return f"what is `{question.removeprefix('define ')}`"
    bet, _, what = question.partition(".")
    if bet in _SIDE:
        return f"the {what} of {_SIDE[bet]}"
    return _ASKED.get(question) or question.replace(".", " ")


def _message(
    rulebook: Rulebook, proven: Proven, rules: list[Rule], asked: str
) -> tuple[str, Any, str | None]:
    first = rules[0] if rules else None
    clause = first.clause if first else None
    span = first.span if first else None
    match proven.code:
        case "R310" | "R316":
            said: dict[str, list[str]] = {}
            for rule in rules:
                clauses = said.setdefault(shown(rule.value), [])
                if rule.clause not in clauses:
                    clauses.append(rule.clause)
            parts = [f"{_clauses(c)} {_say(c)} `{v}`" for v, c in said.items()]
            hidden = ", hidden by interim settlement first" if proven.hidden else ""
            asked = f"{asked} {proven.where}".strip()
            once = "on one hand" if proven.witness is not None else "at once"
            return f"{asked}: {', '.join(parts)} {once}{hidden}", span, clause
        case "R312":
            owner = first or _owner(rulebook, proven)
            clause = owner.clause if owner else None
            stake = ""
            if proven.witness is not None and proven.question == "super_bonus.odds":
                stake = f" with a stake of ${proven.witness.as_json()['stake']}"
            where = f" {proven.where}" if proven.where else stake
            return f"no clause says {asked}{where}", owner.span if owner else None, clause
        case "R311":
            free = list(dict.fromkeys(r.clause for r in rules if r.value == "may"))
            banned = list(dict.fromkeys(r.clause for r in rules if r.value != "may"))
            allow = "allows" if len(free) == 1 else "allow"
            forbid = "forbids" if len(banned) == 1 else "forbid"
            meets = f"{_clauses(free)} {allow} what {_clauses(banned)} {forbid}: {asked}"
            return meets, span, clause
        case "R313" if proven.where:
            return f"`{clause}` {proven.where}", span, clause
        case "R313":
            return f"`{clause}` never applies to {asked}: no hand meets it", span, clause
        case "R315":
            winners = _clauses(list(dict.fromkeys(r.clause for r in rules[1:])))
            return (
                f"`{clause}` never counts: where it would change something, {winners} prevails",
                span, clause,
            )  # fmt: skip
        case "R320":
            return f"`{clause}` names {proven.where}, which is not in the pack", span, clause
        case "R319":
            other = rules[1].clause
            return f"`{clause}` and `{other}` define {_term(proven)} differently", span, clause
        case "R317":
            others = _clauses(list(dict.fromkeys(r.clause for r in rules[1:])))
            says = "says" if "," not in others else "say"
            return (
                f"`{clause}` changes {asked} only where {others} {says} otherwise", span, clause,
            )  # fmt: skip
        case "R318":
            listed = _clauses([r.clause for r in rules])
            laid = "lays" if len(rules) == 1 else "lay"
            entry = rulebook.clause(clause) if clause else None
            span = entry.tree.id_span if entry else span
            return f"no hand needs the order of clauses that {listed} {laid} down", span, clause
        case _:
            listed = _clauses([r.clause for r in rules])
            at_once = ", all at once" if len(rules) > 1 else ""
            same = f"{asked} {_be(asked)} the same on every hand"
            return f"without {listed}{at_once}, {same}", span, clause


def _term(proven: Proven) -> str:
    return f"`{proven.question.removeprefix('define ')}`"


def _be(asked: str) -> str:
    return "are" if "the odds" in asked else "is"


def _clauses(clauses: list[str]) -> str:
    return ", ".join(f"`{c}`" for c in clauses)


def _say(clauses: list[str]) -> str:
    return "says" if len(clauses) == 1 else "say"


def _role(rule: Rule) -> str:
    return f"says {shown(rule.value)}"


def _one_each(rules: list[Rule]) -> list[Rule]:
    return list({(r.clause, str(shown(r.value))): r for r in reversed(rules)}.values())[::-1]


def _count(number: int) -> str:
    return "1 state" if number == 1 else f"{number:,} states"


def _owner(rulebook: Rulebook, proven: Proven) -> Rule | None:
    """The rule beside which the missing answer would be looked for."""
    kind = proven.question.rpartition(" " if "." not in proven.question else ".")[0]
    printed = [r for r in rulebook.rules if r.reading is None and r.value != "void"]
    alike = [r for r in printed if r.question == proven.question]
    alike = alike or [r for r in printed if r.question.startswith(kind)]
    return alike[0] if alike else None
