"""What each rule says against the vocabulary: is it asked when it can be, and of the right type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulespec.base.diagnostics import Diagnostic
from rulespec.base.spans import Span
from rulespec.resolve.declarations import check_declarations
from rulespec.resolve.question import (
    ROUNDING,
    Question,
    actor_and_act,
    asks_about_bet,
    bet_asked,
    defining,
    is_card_value,
    is_definition,
    is_requirement,
    moment_asked,
    rank_asked,
    term_asked,
)
from rulespec.resolve.rule_value import as_expression, as_rounding
from rulespec.resolve.rulebook import Rule
from rulespec.resolve.typecheck import Checker, did_you_mean
from rulespec.tree import nodes as t
from rulespec.tree.cards import card_fact, group_of
from rulespec.tree.game import Game
from rulespec.tree.kinds import RANKS
from rulespec.tree.walk import asked_facts, walk


def _groups(node: object, game: Game) -> set[str]:
    """The groups of facts that a condition asks about."""
    return {
        group_of(fact, game.hands)
        for fact in asked_facts(node)
        if fact in game.facts or card_fact(fact, game.hands) is not None
    }


def check_types(rules: tuple[Rule, ...], game: Game, found: list[Diagnostic]) -> None:
    terms: dict[str, set[str]] = {}
    for rule in rules:
        if is_definition(rule.question):
            term = term_asked(rule.question)
            terms.setdefault(term, set()).update(_groups(rule.condition, game))
    found.extend(_circular_terms(rules, terms))
    found.extend(_circular_values(rules, game))
    checker = Checker(terms, game)
    checker.numbers = {
        term_asked(rule.question): kind
        for rule in rules
        if is_definition(rule.question) and not isinstance(rule.value, bool)
        for kind in (checker.kind_of(as_expression(rule.value), "definition"),)
        if kind is not None
    }
    for term in terms:
        if "." in term:
            info = game.facts.get(term)
            if info is None or not info.definable:
                span = next(r.span for r in rules if r.question == defining(term))
                definable = ", ".join(n for n, i in game.facts.items() if i.definable)
                assert span is not None
                checker.report(
                    "R101",
                    f"`{term}` cannot be defined by a rulebook",
                    span,
                    f"a plain name or one of {definable}",
                )
    for rule in rules:
        checker.clause = rule.clause
        moment = moment_of(rule.question, game)
        span = rule.span
        assert span is not None
        if moment is None:
            _bad_question(rule, checker, span)
            continue
        bet = bet_asked(rule.question)
        if bet is not None and bet not in game.bets:
            advice = did_you_mean(bet, game.bets, f'declare it: `bet {bet} "…"`')
            checker.report("R125", f"there is no bet `{bet}`", span, advice)
            continue
        checker.condition(rule.condition, moment)
        match rule.value:
            case t.Odds() as odds if odds.ratio <= 0:
                checker.report(
                    "R112",
                    f"odds of {odds.printed} make no sense",
                    span,
                    "both numbers are from 1 up, as in `3 to 2`",
                )
            case value if rule.question == ROUNDING:
                checker.money(as_rounding(value)[1], moment)
            case value if asks_about_bet(rule.question, "counted", "deemed"):
                checker.money(as_expression(value), moment)
            case value if asks_about_bet(rule.question, "together") and value is not True:
                checker.money(as_expression(value), moment)
            case value if is_requirement(rule.question):
                checker.condition(as_expression(value), moment)
            case _:
                pass
        if is_card_value(rule.question):
            _check_points(rule, checker, span)
        if isinstance(rule.value, str) and asks_about_bet(rule.question, "settles"):
            _check_stage(rule.value, checker, span)
    own: list[Any] = list(game.own_words)
    deals = [deal for deal in game.deals if deal.own]
    declared = check_declarations(game, [*own, *deals], terms, checker.numbers)
    found.extend(dict.fromkeys((*declared, *checker.found)))


def _check_stage(timing: str, checker: Checker, span: Span) -> None:
    for words in (t.AT_STAGE, t.BEFORE_STAGE):
        stage = timing.removeprefix(words)
        if stage != timing and stage not in checker.game.stages:
            advice = did_you_mean(stage, checker.game.stages, f'declare it: `stage {stage} "…" …`')
            checker.report("R132", f"there is no stage `{stage}`", span, advice)


def _check_points(rule: Rule, checker: Checker, span: Span) -> None:
    """What a card may count: as much as a hand can hold, so that each card brings it nearer its
    end; and only an ace one of two values, ten apart."""
    rank = rank_asked(rule.question)
    if rank not in RANKS:
        checker.report("R104", f"`{rank}` is not a card", span, "A 2 … 9 T J Q K, in this order")
        return
    limit = checker.game.total.over
    lowest = 1 if limit is not None else 0
    bounds = f"a card counts from 1 to {limit}"
    match rule.value:
        case "face" if rank not in "23456789T":
            checker.report(
                "R112",
                f"a card `{rank}` has no number to count",
                span,
                "write what it counts: `cards J, Q, K count 10`",
            )
        case (int() as low, int() as high) if high - low != 10:
            checker.report(
                "R112",
                f"a card cannot count `{low} or {high}`",
                span,
                "two values of one card are ten apart, as in `1 or 11`",
            )
        case (int() as low, int() as high) if rank != "A":
            checker.report(
                "R112",
                f"a card `{rank}` cannot count `{low} or {high}`",
                span,
                "only an ace counts one of two values",
            )
        case (int() as least, _) | (int() as least) if least < lowest:
            checker.report(
                "R112",
                f"a card cannot count {least}",
                span,
                f"a hand of such cards would never end: {bounds}",
            )
        case (_, int() as most) | (int() as most) if limit is not None and most > limit:
            checker.report(
                "R112",
                f"a card cannot count {most}",
                span,
                f"no hand of more than {limit} stands: {bounds}",
            )
        case _:
            pass


def _names(node: object) -> set[str]:
    """The words and facts that a condition is made of."""
    named = (one.name for one in walk(node) if isinstance(one, t.Fact | t.Name))
    return {name.replace("dealer.", "hand.") for name in named}


def _circular_terms(rules: tuple[Rule, ...], terms: dict[str, set[str]]) -> Iterator[Diagnostic]:
    uses: dict[str, set[str]] = {}
    first: dict[str, Rule] = {}
    for rule in rules:
        if is_definition(rule.question):
            term = term_asked(rule.question)
            first.setdefault(term, rule)
            uses.setdefault(term, set()).update(_names(rule.condition) & set(terms))
    for start in uses:
        path = [start]
        seen = {start}
        while True:
            step = next(
                (n for n in sorted(uses.get(path[-1], ())) if n == start or n not in seen), None
            )
            if step is None:
                path.pop()
                if not path:
                    break
            elif step == start:
                if start == min(path):
                    circle = " by ".join(f"`{name}`" for name in [*path, start])
                    yield Diagnostic(
                        "R115",
                        f"a term is defined by itself: {circle}",
                        first[start].span,
                        clause=first[start].clause,
                        help="say what one of them means without the other",
                    )
                break
            else:
                seen.add(step)
                path.append(step)


def _circular_values(rules: tuple[Rule, ...], game: Game) -> Iterator[Diagnostic]:
    """What a card counts cannot rest on what the cards of the hand count."""
    by_values = {name for name, info in game.facts.items() if info.by_values}
    uses: dict[str, set[str]] = {}
    for rule in rules:
        if is_definition(rule.question):
            uses.setdefault(term_asked(rule.question), set()).update(_names(rule.condition))
    for rule in rules:
        if not is_card_value(rule.question):
            continue
        waiting, seen = sorted(_names(rule.condition)), set[str]()
        while waiting:
            name = waiting.pop()
            if name in by_values:
                yield Diagnostic(
                    "R115",
                    f"what a card counts rests on `{name}`, which rests on that",
                    rule.span,
                    clause=rule.clause,
                    help="an ace that is eleven while it fits is written `cards A count 1 or 11`",
                )
                break
            if name not in seen:
                seen.add(name)
                waiting.extend(sorted(uses.get(name, ())))


def moment_of(question: Question, game: Game) -> str | None:
    """The moment at which a question is asked, or None when there is no such question."""
    if is_definition(question):
        return "definition"
    if is_card_value(question):
        return "card_value"
    if question == ROUNDING:
        return "settle"
    if is_requirement(question):
        moment = moment_asked(question)
        bet, _, settling = moment.partition(" ")
        if settling and bet in game.bets:
            return settling
        return moment if moment in game.requirable else None
    if bet_asked(question) is not None:
        return "settle"
    actor, action = actor_and_act(question)
    if action not in game.actions_of(actor):
        return None
    return "hand" if actor in game.hands else actor


def _bad_question(rule: Rule, checker: Checker, span: Span) -> None:
    game = checker.game
    if is_requirement(rule.question):
        moment, known = moment_asked(rule.question), game.requirable
        advice = did_you_mean(moment, known, "one of " + ", ".join(known))
        checker.report("R106", f"nothing can be required at `{moment}`", span, advice)
        return
    actor, action = actor_and_act(rule.question)
    actions = game.actions_of(actor)
    advice = did_you_mean(action, actions, "one of " + ", ".join(actions))
    if not actions:
        theirs = next(iter(game.actions_of("player")), None)
        named = f", who is not named: `may {theirs}`" if theirs else ""
        advice = f"{', '.join((*game.hands, 'the dealer, the casino, or the player'))}{named}"
    checker.report("R106", f"`{action}` is not an action of the {actor}", span, advice)
