"""What the prover found, as diagnostics with clauses, a witness and advice."""

from __future__ import annotations

from typing import Any

from checker.prove.finding_words import Phrases, listed, shown
from checker.prove.issues import Proofs, Proven, mark_of_rules
from checker.states.marks import counted, written
from rulespec.base.codes import CODES
from rulespec.base.diagnostics import Diagnostic, Related
from rulespec.base.spans import Span
from rulespec.resolve.question import Question, bet_and_what, is_act_of, is_card_value, term_asked
from rulespec.resolve.rulebook import Rule, Rulebook
from rulespec.tree.game import Game

PROOF_CODES = frozenset(code for code in CODES if "R310" <= code < "R330")

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
_ROLES = {
    "R320": "takes it out of the pack",
    "R312": "comes near",
    "R314": "could go as well",
    "R318": "lays down an order",
}


def proof_findings(rulebook: Rulebook, proofs: Proofs) -> list[Diagnostic]:
    return [_diagnostic(rulebook, proven) for proven in proofs.found]


def _diagnostic(rulebook: Rulebook, proven: Proven) -> Diagnostic:
    rules = list(proven.rules)
    owner = rules[0] if rules else _owner(rulebook, proven)
    clause, span = (owner.clause, owner.span) if owner else (None, None)
    if proven.code == "R318" and clause is not None:
        entry = rulebook.clause(clause)
        span = entry.tree.id_span if entry else span
    words = Phrases(rulebook.game)
    message = _message(proven, rules, words)
    witness: dict[str, Any] | None = None
    if proven.witness is not None:
        hand = proven.witness.describe()
        witness = {**proven.witness.as_json(), "hand": hand, "states": proven.count}
        witness["values"] = [shown(v) for v in proven.values]
        message += f": {hand}"
        if proven.new:
            witness["accepted"] = proven.was  # the hand is not among these
        if proven.hidden:
            witness["assumption"] = "interim-first"
    elif proven.not_dealt:
        message += ": found over all hands, but no round was found that shows it"
    return Diagnostic(
        proven.code,
        message,
        span,
        rulebook.id,
        clause,
        tuple(_related(rulebook, proven, rules, clause, span)),
        _help(proven, words),
        witness,
        about=_about(proven, rulebook.game),
        settled=proven.settled,
    )


def _related(
    rulebook: Rulebook, proven: Proven, rules: list[Rule], clause: str | None, span: Span | None
) -> list[Related]:
    here = {(r.clause, shown(r.value)) for r in proven.here}
    related: list[Related] = []
    behind = proven.behind.rules[1:] if proven.behind else ()
    for rule in _one_each([*rules[1:], *behind]):
        if rule.clause == clause and rule.span == span:
            continue
        role = _ROLES.get(proven.code) or Phrases(rulebook.game).as_role(rule)
        if (
            here
            and proven.code in ("R310", "R311")
            and ((rule.clause, shown(rule.value)) not in here)
        ):
            cards = proven.witness is not None or proven.not_dealt
            role += ", on other hands" if cards else ", in another case"
        related.append(Related(rule.clause, role, rule.span))
    for name in proven.readings:
        reading = next((x for x in rulebook.readings if x.name == name), None)
        where = reading.span if reading else None
        related.append(Related(clause or "", f"settled by reading {name}", where))
    return related + [Related(r.clause, "could go alone", r.span) for r in proven.others]


def _help(proven: Proven, words: Phrases) -> str:
    parts = [_HELP[proven.code]]
    if proven.code == "R311" and any(rule.value == "must" for rule in proven.rules):
        parts = ["a duty prevails over a permission; say so with `subject to` if the text does"]
    if proven.never_alone:
        clauses = listed(proven.never_alone)
        parts.insert(0, f"{clauses} never decides {words.asked(proven.question)} alone")
    if proven.count:
        more = f", and {proven.behind.count:,} behind interim settlement" if proven.behind else ""
        parts.insert(0, f"{counted(proven.count)} like it{more}")
    if proven.was:
        new = "; the hand shown is new" if proven.new else ""
        parts.insert(0, f"{proven.was.rpartition(' ')[0]} of them were accepted before{new}")
    if proven.others:
        clauses = listed(r.clause for r in proven.others)
        parts.append(f"{clauses} could go alone too, but not with these")
    if proven.readings:
        settles = "settles it" if len(proven.readings) == 1 else "settle it"
        on = "" if proven.settled else " on this hand"
        parts.append(f"as read, {listed(proven.readings)} {settles}{on}")
    return "; ".join(parts)


def amount_of_bonus(question: Question, game: Game) -> bool:
    bet, what = bet_and_what(question)
    return what == "odds" and bet in game.bets and game.bets[bet].settle_only


def _about(proven: Proven, game: Game) -> tuple[str, ...]:
    """What tells a finding from others of its kind at the same clause."""
    words = [proven.where] if proven.code == "R312" and proven.where else []
    if proven.code == "R312" and amount_of_bonus(proven.question, game) and proven.witness:
        words.append(f"${proven.witness.as_json()['stake']}")
    mark = proven.mark
    if mark is None:
        mark = mark_of_rules(f"{proven.question} {proven.where}", proven.rules)
    if proven.count:
        behind = _about(proven.behind, game) if proven.behind else ()
        return (*words, written(proven.count, mark), *behind)
    clauses = len({rule.clause for rule in (*proven.rules, *proven.others)})
    what = {"R314": "clauses", "R318": "clauses"}.get(proven.code, "by its words")
    return (f"{clauses} {what} {mark:08x}" if what == "clauses" else f"{what} {mark:08x}",)


def _message(proven: Proven, rules: list[Rule], words: Phrases) -> str:
    question = proven.question
    clause = rules[0].clause if rules else None
    here = _here(proven, rules)
    others = listed(dict.fromkeys(r.clause for r in rules[1:] if r.clause != clause))
    match proven.code:
        case "R310":
            hidden = ", hidden by interim settlement first" if proven.hidden else ""
            at_once = "" if proven.witness or proven.not_dealt else ", in the same case"
            return f"{_clash(proven, here, words)}{at_once}{hidden}"
        case "R316":
            pays = " and ".join(dict.fromkeys(shown(r.value) for r in here))
            return f"rows of `{clause}` that fit the same hand pay {pays}"
        case "R312":
            stake = ""
            if proven.witness is not None and amount_of_bonus(question, words.game):
                stake = f" with a stake of ${proven.witness.as_json()['stake']}"
            where = f" {proven.where}" if proven.where else stake
            return f"no clause says {words.asked(question)}{where}"
        case "R311" if len({rule.question for rule in here}) > 1:
            return _clash(proven, here, words)  # taking a card, and standing
        case "R311":
            free = listed(dict.fromkeys(r.clause for r in here if r.value == "may"))
            banned = list(dict.fromkeys(r.clause for r in here if r.value != "may"))
            forbid = "forbids" if len(banned) == 1 else "forbid"
            allow = "allows" if free.count("`") == 2 else "allow"
            what = words.asked(question).removeprefix("whether the player may ")
            return f"{free} {allow} the player to {what}, {listed(banned)} {forbid} it"
        case "R313" if proven.where:
            return f"`{clause}` {proven.where}"
        case "R313":
            return f"`{clause}` never applies to {words.asked(question)}: no hand meets it"
        case "R315":
            return (
                f"`{clause}` never counts for {words.asked(question)}: "
                f"where it would change something, {others} prevails"
            )
        case "R320":
            return f"`{clause}` names {proven.where}, which is not in the pack"
        case "R319":
            term = term_asked(question)
            return f"`{clause}` and `{rules[1].clause}` define `{term}` differently"
        case "R317":
            return (
                f"`{clause}` never decides {words.asked(question)} alone: wherever it would, "
                f"another clause says otherwise, here {others}"
            )
        case "R318":
            clauses = listed(r.clause for r in rules)
            laid = "lays" if len(rules) == 1 else "lay"
            return f"no hand needs the order of clauses that {clauses} {laid} down"
        case _:
            clauses = listed(r.clause for r in rules)
            at_once = ", all at once" if len(rules) > 1 else ""
            same = f"{words.asked(question)} {_be(words.asked(question))} the same on every hand"
            return f"without {clauses}{at_once}, {same}"


def _here(proven: Proven, rules: list[Rule]) -> list[Rule]:
    """The rules that apply to the hand, in the order in which they are told."""
    if not proven.here:
        return rules
    place = {(r.clause, shown(r.value)): n for n, r in reversed(list(enumerate(rules)))}
    here = list(proven.here)
    if is_act_of(proven.question, "player"):  # what else allows or forbids it is another matter
        here = [r for r in here if (r.clause, shown(r.value)) in place]
    return sorted(here, key=lambda r: place.get((r.clause, shown(r.value)), len(rules)))


def _clash(proven: Proven, here: list[Rule], words: Phrases) -> str:
    if len({rule.question for rule in here}) == 1:
        return words.says(proven.question, here)
    questions = dict.fromkeys(rule.question for rule in here)
    return ", ".join(
        words.says(q, [rule for rule in here if rule.question == q]) for q in questions
    )


def _be(asked: str) -> str:
    return "are" if "the odds" in asked else "is"


def _one_each(rules: list[Rule]) -> list[Rule]:
    return list({(r.clause, str(shown(r.value))): r for r in reversed(rules)}.values())[::-1]


_IN_ORDER = "A23456789TJQK"


def _owner(rulebook: Rulebook, proven: Proven) -> Rule | None:
    """The rule beside which the missing answer would be looked for: of cards, the nearest one."""
    kind = proven.question.rpartition(" " if "." not in proven.question else ".")[0]
    printed = [r for r in rulebook.rules if r.reading is None and r.value != "void"]
    alike = [r for r in printed if r.question == proven.question]
    alike = alike or [r for r in printed if r.question.startswith(kind)]
    if is_card_value(proven.question):
        places = {r.id: _IN_ORDER.index(r.question[-1]) for r in alike}
        missing = _IN_ORDER.index(proven.question[-1])
        alike.sort(key=lambda r: (places[r.id] == 0, abs(places[r.id] - missing)))
    return alike[0] if alike else None
