"""Proofs about a game with named hands, by dealing every deal that the rules tell apart.

As with boxes, the text is judged as printed, without the readings; these only decide which deals
come about, and whether what is found is settled by one. Each finding carries a round that was dealt
and judged again by the evaluator.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from checker.evaluate.answer import BANS, Answer
from checker.evaluate.conditions import Value
from checker.evaluate.engine import Engine
from checker.evaluate.named_scene import NamedScene, fresh_table
from checker.evaluate.ready import new_engine
from checker.prove.cover import Cover
from checker.prove.finding_words import listed, shown
from checker.prove.findings import proof_findings
from checker.prove.issues import Proofs
from checker.prove.record import Record
from checker.prove.words import words
from checker.states.marks import PRIME, counted, weight, written
from checker.states.named_deals import Asked, Deal, Deals, decks_of, pack_of, shown_cards
from checker.states.named_witness import NamedWitness, dealt_wrong, scene_of, witness_of
from checker.table.named_hands import not_followed
from rulespec.base.diagnostics import Diagnostic, Related
from rulespec.checks.references import not_told_apart
from rulespec.resolve.lower import both
from rulespec.resolve.rulebook import Rule, Rulebook
from rulespec.tree import nodes as t
from rulespec.tree.walk import asked_words

_HELP = {
    "R310": "decide it in a `reading`, or write which clause prevails",
    "R312": "compare with the source; a `reading` can say what holds then",
    "R313": "compare its condition with the source",
}


@dataclass(slots=True)
class _Issue:
    """Deals on which the text says two things, or nothing."""

    question: str
    rules: tuple[Rule, ...]
    count: int = 0
    mark: int = 0
    witness: NamedWitness | None = None
    readings: tuple[str, ...] = ()
    settled: bool = True
    where: str = ""


@dataclass(slots=True)
class _Search:
    printed: Engine
    read: Engine
    deals: Deals
    issues: dict[tuple[Any, ...], _Issue] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)  # rules that applied to some deal
    states: int = 0
    asked: dict[str, Asked] = field(default_factory=dict)


def prove_named(text: Rulebook, deadline: float | None) -> Record:
    printed = new_engine(text.without_reading(*(reading.name for reading in text.readings)))
    read = new_engine(text)
    search = _Search(printed, read, Deals(read, decks_of(read), _conditions(read)))
    undecided = [f"{what}, which is not followed" for what in not_followed(text.game)]
    for deal in search.deals.all():
        if deadline is not None and search.states % 1000 == 0 and time.monotonic() > deadline:
            undecided.append("the deals of all hands, in the time given")
            break
        _look_at(search, deal)
    found = [] if undecided else list(_dead(search))  # what is not followed may bring rules to life
    found = [*_found(search), *found, *_numbers(search), *_card_values(search)]
    by_words = Proofs(found=words(printed, read, frozenset()))
    return Record(
        (*found, *(d for d in proof_findings(text, by_words) if _is_new(d, found))),
        tuple(undecided),
        (),
        search.states,
        _cover(text, read).as_json(),
    )


def _is_new(found: Diagnostic, others: Iterable[Diagnostic]) -> bool:
    return not any((d.code, d.clause) == (found.code, found.clause) for d in others)


def _conditions(engine: Engine) -> list[object]:
    hands = tuple(f"{hand} " for hand in engine.rulebook.game.hands)
    bets = tuple(f"{bet}." for bet in engine.rulebook.game.bets)
    return [
        rule.condition
        for rule in engine.rulebook.rules
        if rule.question.startswith((*hands, *bets, "define "))
    ]


# --- deal by deal


def _look_at(search: _Search, deal: Deal) -> None:
    search.states += 1
    if deal.turn is not None:
        _ask(search, deal, deal.turn.answer.question, "")
        return
    for bet in search.read.rulebook.game.bets:
        if not search.printed.has(f"{bet}.result"):
            continue
        answer = _ask(search, deal, f"{bet}.result", bet)
        if answer.values == ("wins",):
            _ask(search, deal, f"{bet}.odds", bet)


def _ask(search: _Search, deal: Deal, question: str, bet: str) -> Answer:
    if question not in search.asked:
        search.asked[question] = Asked(search.printed, question)
    scene = deal.scene.but(engine=search.printed, bet=bet)
    answer = search.asked[question].of(scene)
    search.used.update(rule.id for rule in answer.rules)
    search.used.update(rule.id for rule, _ in answer.beaten)
    clash = _clash(answer, search.printed, scene)
    gap = not answer.values and not answer.unknown
    if clash or gap:
        _note(search, deal, question, bet, answer, clash)
    return answer


def _clash(answer: Answer, engine: Engine, scene: NamedScene) -> tuple[Rule, ...]:
    """The rules that cannot all be kept."""
    values = {v for v in answer.values if v != "may" or len(answer.values) == 1}
    if values <= BANS or values <= {"must", "may"}:
        return ()
    if answer.question.endswith(".odds") and len(values) > 1:
        bet = answer.question.rpartition(".")[0]
        if engine.ask(f"{bet}.highest", scene).values or engine.ask(f"{bet}.sum", scene).values:
            return ()
    return answer.rules if len(values) > 1 else ()


def _note(
    search: _Search, deal: Deal, question: str, bet: str, answer: Answer, clash: tuple[Rule, ...]
) -> None:
    where = "" if clash else _where(deal, question)
    key = (question, where, *((rule.clause, str(rule.value)) for rule in clash))
    issue = search.issues.get(key)
    if issue is None:
        issue = search.issues[key] = _Issue(question, clash, where=where)
    cards = shown_cards(search.deals, deal.hands)
    text = " ".join(f"{name}:{','.join(held)}" for name, held in cards.items())
    issue.count += 1
    issue.mark = (issue.mark + weight(text)) % PRIME
    now = search.read.ask(question, deal.scene.but(bet=bet))
    settled = now.decided or (bool(now.values) and (set(now.values) <= BANS))
    issue.settled = issue.settled and settled
    issue.readings = tuple(dict.fromkeys((*issue.readings, *now.readings)))
    if issue.witness is None or deal.cards < issue.witness.cards:
        bets = (bet,) if bet else _some_bet(search)
        issue.witness = witness_of(search.read, tuple(cards.items()), bets)


def _some_bet(search: _Search) -> tuple[str, ...]:
    return tuple(search.read.rulebook.game.bets)[:1]


def _where(deal: Deal, question: str) -> str:
    """What a hand has, where no clause says whether it draws."""
    if deal.turn is None:
        return ""
    return f"on {deal.scene.fact(f'{deal.turn.hand}.total')}"


# --- findings


def _found(search: _Search) -> Iterator[Diagnostic]:
    for issue in search.issues.values():
        code = "R310" if issue.rules else "R312"
        rules = _one_each(issue.rules) or _nearest(search, issue)
        witness = issue.witness
        assert witness is not None
        message = _says(issue, rules) if issue.rules else _silent(issue)
        json = witness.as_json() | {"hand": witness.describe(), "states": issue.count}
        json["values"] = [shown(rule.value) for rule in rules] if issue.rules else []
        if not _shown_again(search, issue):
            continue
        related = [
            Related(rule.clause, _role(rule) if issue.rules else "comes near", rule.span)
            for rule in rules[1:]
        ]
        for name in issue.readings:
            reading = next(x for x in search.read.rulebook.readings if x.name == name)
            related.append(Related(rules[0].clause, f"settled by reading {name}", reading.span))
        advice = [f"{counted(issue.count)} like it", _HELP[code]]
        if issue.readings:
            advice.append(f"as read, {listed(issue.readings)} settles it")
        yield Diagnostic(
            code,
            f"{message}: {witness.describe()}",
            rules[0].span,
            search.read.rulebook.id,
            rules[0].clause,
            tuple(related),
            "; ".join(advice),
            json,
            about=(*([issue.where] if issue.where else []), written(issue.count, issue.mark)),
            settled=issue.settled,
        )


def _shown_again(search: _Search, issue: _Issue) -> bool:
    """Dealt anew, the round is lawful and the text says the same of it."""
    assert issue.witness is not None
    decks = search.deals.decks
    wrong = dealt_wrong(search.read, issue.witness, decks)
    if any(found.code not in ("R521", "R550") for found in wrong):
        return False
    bet = issue.question.rpartition(".")[0] if "." in issue.question else ""
    scene = scene_of(search.printed, dict(issue.witness.hands), decks).but(bet=bet)
    answer = search.printed.ask(issue.question, scene)
    return {rule.id for rule in answer.rules} >= {rule.id for rule in issue.rules}


def _one_each(rules: Iterable[Rule]) -> list[Rule]:
    return list({(r.clause, str(r.value)): r for r in rules}.values())


def _nearest(search: _Search, issue: _Issue) -> list[Rule]:
    """The clauses beside which the missing answer would be looked for, the one with most to say
    first."""
    rules = [rule for rule, _ in search.printed.by_question.get(issue.question, ())]
    by_clause: dict[str, list[Rule]] = {}
    for rule in rules:
        by_clause.setdefault(rule.clause, []).append(rule)
    order = sorted(by_clause.values(), key=lambda own: -len(own))
    return [own[0] for own in order]


def _says(issue: _Issue, rules: list[Rule]) -> str:
    by_value: dict[str, list[str]] = {}
    for rule in rules:
        by_value.setdefault(_said(rule), []).append(rule.clause)
    parts = [
        f"{listed(dict.fromkeys(clauses))} {'say' if len(set(clauses)) > 1 else 'says'} that {said}"
        for said, clauses in by_value.items()
    ]
    return ", ".join(parts)


def _said(rule: Rule) -> str:
    subject, _, action = rule.question.partition(" ")
    if action:
        return f"{subject} {rule.value} {action}"
    bet, _, what = rule.question.partition(".")
    return f"{bet} pays {shown(rule.value)}" if what == "odds" else f"{bet} {shown(rule.value)}"


def _role(rule: Rule) -> str:
    return f"says {shown(rule.value)}"


def _silent(issue: _Issue) -> str:
    subject, _, action = issue.question.partition(" ")
    if action:
        return f"no clause says whether {subject} has to {action} {issue.where}".rstrip()
    bet, _, what = issue.question.partition(".")
    return f"no clause says {'what ' + bet + ' pays' if what == 'odds' else 'how ' + bet + ' ends'}"


def _dead(search: _Search) -> Iterator[Diagnostic]:
    """Rules on drawing, results and odds that no deal meets."""
    hands = search.read.rulebook.game.hands
    for question in search.asked:
        for rule, _ in search.printed.by_question.get(question, ()):
            if rule.id in search.used or not _of_cards(search.printed, rule, hands):
                continue
            yield Diagnostic(
                "R313",
                f"`{rule.clause}` never applies to `{question}`: no deal meets it",
                rule.span,
                search.read.rulebook.id,
                rule.clause,
                (),
                _HELP["R313"],
                about=(f"by its words {weight(rule.id):08x}"[:21],),
            )


def _of_cards(engine: Engine, rule: Rule, hands: Iterable[str]) -> bool:
    """Whether a rule asks for nothing but the cards of the hands."""
    for word in asked_words(rule.condition):
        if f"define {word.name}" in engine.by_question:
            terms = [entry for entry, _ in engine.by_question[f"define {word.name}"]]
            if not all(_of_cards(engine, term, hands) for term in terms):
                return False
        elif word.name.partition(".")[0] not in hands:
            return False
    return True


# --- numbers that the text defines case by case, and what cards count


def _numbers(search: _Search) -> Iterator[Diagnostic]:
    engine = search.printed
    for term in [q for q in engine.by_question if q.startswith("define ")]:
        rules = [rule for rule, _ in engine.by_question[term]]
        if isinstance(rules[0].value, bool):
            continue
        name = term.removeprefix("define ")
        for users in _users(engine, name).values():
            yield from _open_cases(search, name, rules, users)
            break  # who else uses it leaves the same cases open


def _users(engine: Engine, name: str) -> dict[str, list[Rule]]:
    found: dict[str, list[Rule]] = {}
    for rule in engine.rulebook.rules:
        if any(word.name == name for word in asked_words(rule.value)):
            found.setdefault(rule.clause, []).append(rule)
    return found


def _open_cases(
    search: _Search, name: str, rules: list[Rule], users: list[Rule]
) -> Iterator[Diagnostic]:
    engine, game = search.printed, search.printed.rulebook.game
    facts = sorted({w.name for rule in rules for w in asked_words(rule.condition)})
    facts = [fact for fact in facts if fact in game.facts]
    domains = [_domain(game.facts[fact].kind.values) for fact in facts]
    missing: list[dict[str, Value]] = []
    for values in product(*domains):
        told = dict(zip(facts, values, strict=True))
        scene = fresh_table(engine)
        scene.memory.update(told)
        scene.memory.update(_held(engine, users))
        if not any(engine.compile(_without(rule.condition, name))(scene) for rule in users):
            continue
        answer = engine.ask(f"define {name}", scene)
        if not answer.decided and "none" not in told.values():
            missing.append(told)
    if not missing:
        return
    first, case = rules[0], missing[0]
    told_ = ", ".join(f"`{fact}` is {value}" for fact, value in case.items())
    shown_case = " ".join(str(value) for value in case.values())
    yield Diagnostic(
        "R312",
        f"no clause says what `{name.replace('_', ' ')}` is where {told_}",
        first.span,
        engine.rulebook.id,
        first.clause,
        tuple(Related(rule.clause, "asks for it", rule.span) for rule in users),
        f"{counted(len(missing))} like it; {_HELP['R312']}",
        _burnt_witness(search, case),
        about=(shown_case, written(len(missing), sum(weight(str(case)) for case in missing))),
    )


def _without(node: t.Expression, name: str) -> t.Expression:
    """A condition without what it asks of a term itself."""
    parts = node.parts if isinstance(node, t.Both) else (node,)
    kept = [part for part in parts if not any(w.name == name for w in asked_words(part))]
    return both(*kept)


def _domain(values: tuple[str, ...]) -> tuple[Value, ...]:
    return values or (True, False)


def _held(engine: Engine, users: list[Rule]) -> dict[str, Value]:
    """What else has to hold for the number to be asked for."""
    facts = engine.rulebook.game.facts
    words_ = {w.name for rule in users for w in asked_words(rule.condition)}
    return {name: True for name in words_ if name in facts and facts[name].kind.name == "bool"}


def _burnt_witness(search: _Search, case: dict[str, Value]) -> dict[str, Any] | None:
    """A round whose first burnt card is of the rank in question, where that is what is open."""
    rank = next((str(value) for value in case.values() if len(str(value)) == 1), None)
    if rank is None:
        return None
    witness = witness_of(search.read, (), _some_bet(search), (f"{rank}S",))
    return witness.as_json() | {"hand": witness.describe(), "states": 1, "values": []}


def _card_values(search: _Search) -> Iterator[Diagnostic]:
    engine = search.printed
    for rank in dict.fromkeys(card[0] for card in pack_of(engine)):
        answer = engine.ask(f"card value {rank}", fresh_table(engine))
        if answer.decided:
            continue
        code = "R310" if answer.values else "R312"
        values = [
            rule
            for question, entries in engine.by_question.items()
            for rule, _ in entries
            if question.startswith("card value ")
        ]
        rule = (answer.rules or tuple(values) or (None,))[0]
        says = f"counts {' and '.join(map(shown, answer.values))}" if answer.values else "counts"
        message = (
            f"a card `{rank}` {says}" if answer.values else f"no clause says what `{rank}` counts"
        )
        yield Diagnostic(
            code,
            message,
            rule.span if rule else None,
            engine.rulebook.id,
            rule.clause if rule else None,
            (),
            _HELP[code],
            about=(f"card {rank}",),
        )


# --- what is not looked at


def _cover(text: Rulebook, engine: Engine) -> Cover:
    found = Cover()
    hands = text.game.hands
    searched = tuple(f"{hand} " for hand in hands)
    bets = tuple(f"{bet}." for bet in text.game.bets)
    for rule in text.rules:
        if rule.question.startswith(searched) or rule.question.endswith((".result", ".odds")):
            for fact in _facts(engine, rule):
                if fact.partition(".")[0] not in hands:
                    clauses = found.not_varied.setdefault(fact, [])
                    if rule.clause not in clauses:
                        clauses.append(rule.clause)
        else:
            clauses = found.by_kind.setdefault(_kind(rule, bets), [])
            if rule.clause not in clauses:
                clauses.append(rule.clause)
    ruled = {rule.clause for rule in text.rules}
    found.without_rules = [
        c.id for c in text.clauses if c.standing == "not checkable" and c.id not in ruled
    ]
    blind, found.references = not_told_apart(text)
    found.not_told_apart = [(c.owner, c.as_printed) for c in blind]
    return found


def _facts(engine: Engine, rule: Rule) -> set[str]:
    found = {w.name for w in asked_words(rule.condition) if isinstance(w, t.Fact)}
    return {name for name in found if f"define {name}" not in engine.by_question}


def _kind(rule: Rule, bets: tuple[str, ...]) -> Any:
    from checker.prove.cover import AMOUNTS, CARDS, DUTIES, REQUIRED, ROUNDING, TERMS, TIMES

    if rule.question.startswith("define "):
        return TERMS
    if rule.question.startswith("card value "):
        return CARDS
    if rule.question.startswith("require "):
        return REQUIRED
    if rule.question.endswith(".settles"):
        return TIMES
    if rule.question == "payments.rounding":
        return ROUNDING
    return AMOUNTS if rule.question.startswith(bets) else DUTIES
