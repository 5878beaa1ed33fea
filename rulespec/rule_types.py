"""What each rule says against the vocabulary: is it asked when it can be, and of the right type."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import tree as t
from rulespec.diagnostics import Diagnostic
from rulespec.rulebook import Rule
from rulespec.spans import Span
from rulespec.typecheck import Checker, did_you_mean
from rulespec.vocabulary import FACTS, RANKS, REQUIRE_AT
from rulespec.words import ACTIONS


def _groups(node: object) -> set[str]:
    """The groups of facts that a condition asks about."""
    if isinstance(node, t.Fact):
        return {node.name.partition(".")[0]} if node.name in FACTS else set()
    if isinstance(node, tuple):
        return set().union(*(_groups(part) for part in node)) if node else set()
    if isinstance(node, t.Node):
        parts = (getattr(node, name) for name in node.__slots__ if name != "span")
        return set().union(*(_groups(part) for part in parts))
    return set()


def check_types(rules: tuple[Rule, ...], found: list[Diagnostic]) -> None:
    terms: dict[str, set[str]] = {}
    for rule in rules:
        if rule.question.startswith("define "):
            term = rule.question.removeprefix("define ")
            terms.setdefault(term, set()).update(_groups(rule.condition))
    found.extend(_circular_terms(rules, terms))
    checker = Checker(terms)
    for term in terms:
        if "." in term:
            info = FACTS.get(term)
            if info is None or not info.definable:
                span = next(r.span for r in rules if r.question == f"define {term}")
                definable = ", ".join(n for n, i in FACTS.items() if i.definable)
                assert span is not None
                checker.report("R101", f"`{term}` cannot be defined by a rulebook", span,
                               f"a plain name or one of {definable}")  # fmt: skip
    for rule in rules:
        checker.clause = rule.clause
        moment = moment_of(rule.question)
        span = rule.span
        assert span is not None
        if moment is None:
            _bad_question(rule, checker, span)
            continue
        checker.condition(rule.condition, moment)
        match rule.value:
            case t.Odds() as odds if odds.ratio <= 0:
                checker.report("R112", f"odds of {odds.printed} make no sense", span,
                               "both numbers are from 1 up, as in `3 to 2`")  # fmt: skip
            case (_, unit) if rule.question == "payments.rounding":
                checker.money(unit, moment)
            case _ if rule.question.endswith((".counted", ".deemed")):
                checker.money(rule.value, moment)
            case _ if rule.question.startswith("require "):
                checker.condition(rule.value, moment)
            case _:
                pass
        if rule.question.startswith("card value"):
            rank = rule.question.removeprefix("card value ")
            if rank not in RANKS:
                checker.report("R104", f"`{rank}` is not a card", span, "A 2 … 9 T J Q K")
            elif rule.value == "face" and rank not in "23456789T":
                checker.report("R112", f"a card `{rank}` has no number to count", span,
                               "write what it counts: `cards J, Q, K count 10`")  # fmt: skip
            elif isinstance(rule.value, tuple) and rule.value[1] - rule.value[0] != 10:
                low, high = rule.value
                checker.report("R112", f"a card cannot count `{low} or {high}`", span,
                               "two values of one card are ten apart, as in `1 or 11`")  # fmt: skip
    found.extend(dict.fromkeys(checker.found))


def _names(node: object) -> set[str]:
    """The words and facts that a condition is made of."""
    if isinstance(node, t.Fact | t.Name):
        return {node.name.replace("dealer.", "hand.")}
    if isinstance(node, tuple):
        return set().union(*(_names(part) for part in node)) if node else set()
    if isinstance(node, t.Node):
        parts = (getattr(node, name) for name in node.__slots__ if name != "span")
        return set().union(*(_names(part) for part in parts))
    return set()


def _circular_terms(
    rules: tuple[Rule, ...], terms: dict[str, set[str]]
) -> Iterator[Diagnostic]:
    uses: dict[str, set[str]] = {}
    first: dict[str, Rule] = {}
    for rule in rules:
        if rule.question.startswith("define "):
            term = rule.question.removeprefix("define ")
            first.setdefault(term, rule)
            uses.setdefault(term, set()).update(_names(rule.condition) & set(terms))
    for start in uses:
        path = [start]
        seen = {start}
        while True:
            step = next((n for n in sorted(uses.get(path[-1], ())) if n == start or n not in seen),
                        None)  # fmt: skip
            if step is None:
                path.pop()
                if not path:
                    break
            elif step == start:
                if start == min(path):
                    circle = " by ".join(f"`{name}`" for name in [*path, start])
                    yield Diagnostic(
                        "R115", f"a term is defined by itself: {circle}", first[start].span,
                        clause=first[start].clause,
                        help="say what one of them means without the other",
                    )  # fmt: skip
                break
            else:
                seen.add(step)
                path.append(step)


def moment_of(question: str) -> str | None:
    """The moment at which a question is asked, or None when there is no such question."""
    if question.startswith("define "):
        return "definition"
    if question.startswith("card value "):
        return "card_value"
    if question == "payments.rounding":
        return "settle"
    if question.startswith("require "):
        moment = question.removeprefix("require ")
        return moment if moment in REQUIRE_AT else None
    if "." in question:
        return "settle"
    actor, _, action = question.partition(" ")
    return actor if action in ACTIONS[actor] else None


def _bad_question(rule: Rule, checker: Checker, span: Span) -> None:
    if rule.question.startswith("require "):
        moment = rule.question.removeprefix("require ")
        advice = did_you_mean(moment, REQUIRE_AT, "one of " + ", ".join(REQUIRE_AT))
        checker.report("R106", f"nothing can be required at `{moment}`", span, advice)
        return
    actor, _, action = rule.question.partition(" ")
    known = ACTIONS[actor]
    advice = did_you_mean(action, known, "one of " + ", ".join(known))
    checker.report("R106", f"`{action}` is not an action of the {actor}", span, advice)
