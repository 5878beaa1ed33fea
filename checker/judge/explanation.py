"""The explanation of one round: what was asked, which clauses answered, what beat what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from checker.evaluate.dealer_draw import card_due, dealer_chooses
from checker.evaluate.engine import Answer, Engine, shown
from checker.evaluate.facts.totals import totals
from checker.evaluate.scene import SeenScene
from checker.evaluate.words.in_words import cards_text
from checker.evaluate.words.why_not import nearest, why_open
from checker.judge.due import amounts_of
from checker.judge.findings import Decision, Verdict, units
from checker.log.model import NO_BOX, Round, Settle
from checker.table.state import Dealt, Hand
from rulespec.base.money import in_currency, money_text
from rulespec.resolve.question import DEALER_DRAW, Question, asks_about_bet, best_odds, is_act_of
from rulespec.resolve.rulebook import Rule


@dataclass(frozen=True, slots=True)
class Reason:
    """A clause that had a say: what it says and how it fared."""

    clause: str
    title: str
    says: str
    reading: str | None = None
    beaten_by: str | None = None
    pays_as: str | None = None  # the clause whose payout it takes over

    def as_json(self) -> dict[str, Any]:
        return {
            "clause": self.clause,
            "title": self.title,
            "says": self.says,
            "reading": self.reading,
            "beaten_by": self.beaten_by,
            "pays_as": self.pays_as,
        }


@dataclass(frozen=True, slots=True)
class Explained:
    """One question with its answer, ready to be shown."""

    question: Question
    subject: str
    answer: str
    reasons: tuple[Reason, ...]
    why_not: tuple[str, ...] = ()
    seen: Seen | None = None  # the cards at that moment
    of_hand: bool = False  # of a hand with a name, which is not a player

    def as_json(self) -> dict[str, Any]:
        return {
            "question": self.question,
            "subject": self.subject,
            "answer": self.answer,
            "reasons": [r.as_json() for r in self.reasons],
            "why_not": list(self.why_not),
            "seen": None if self.seen is None else self.seen.as_json(),
        }


@dataclass(frozen=True, slots=True)
class Seen:
    """What lay on the table when something was decided."""

    cards: tuple[str, ...]
    text: str  # the cards and their total
    dealer: tuple[str, ...]
    dealer_text: str

    def told(self) -> str:
        cards, dealer = _total_first(self.text), _total_first(self.dealer_text)
        if not self.cards:
            return dealer
        return f"{cards} against {dealer}" if self.dealer else cards

    def as_json(self) -> dict[str, Any]:
        return {
            "cards": list(self.cards),
            "text": self.text,
            "dealer": list(self.dealer),
            "dealer_text": self.dealer_text,
        }


def _total_first(text: str) -> str:
    cards, _, total = text.partition("   ")
    return f"{total} ({cards})" if total else cards


def hand_text(scene: SeenScene, cards: list[Dealt], hand: Hand | None = None) -> str:
    """`6♠ 5♦ 9♣   20`, with soft totals marked."""
    drawn = cards_text(cards) or "no cards"
    found = totals(scene, hand or Hand(1, list(cards)))
    if found is None or not cards:
        return drawn
    total = f"soft {found[0]}" if found[2] else str(found[0])
    return f"{drawn}   {total}"


def explain(engine: Engine, verdict: Verdict) -> list[Explained]:
    titles = {c.id: c.title for c in engine.rulebook.clauses}
    with in_currency(verdict.sign):
        return [_explained(engine, decision, titles) for decision in verdict.decisions]


def _explained(engine: Engine, decision: Decision, titles: dict[str, str]) -> Explained:
    answer: Answer = decision.answer
    scene: SeenScene = decision.scene
    reasons = [_reason(rule, titles) for rule in answer.rules]
    names = {reading.name for reading in engine.rulebook.readings}
    for (rule, winner), why in zip(answer.beaten, answer.order, strict=True):
        said_by = why if why in names else None
        reasons.append(_reason(rule, titles, winner.clause, said_by))
    return Explained(
        answer.question,
        _subject(decision),
        _answer(engine, answer, scene),
        tuple(reasons),
        tuple(_why_not(engine, answer, scene)),
        _seen(decision),
        bool(engine.rulebook.game.hands),
    )


def _seen(decision: Decision) -> Seen | None:
    scene, cards, dealer = decision.scene, list(decision.cards), list(decision.dealer)
    if not isinstance(scene, SeenScene) or not (cards or dealer):
        return None
    hand = scene.hand
    as_it_was = hand if hand is not None and hand.cards == cards else None
    return Seen(
        tuple(dealt.card for dealt in cards),
        hand_text(scene, cards, as_it_was),
        tuple(dealt.card for dealt in dealer),
        hand_text(scene.but(is_dealer=True), dealer),
    )


def _reason(
    rule: Rule, titles: dict[str, str], beaten_by: str | None = None, said_by: str | None = None
) -> Reason:
    return Reason(
        rule.clause,
        titles.get(rule.clause, ""),
        shown(rule.value),
        rule.reading or said_by,
        beaten_by,
        rule.origin.clause if rule.source is not None else None,
    )


def _subject(decision: Decision) -> str:
    if decision.box is None:
        hands = decision.scene.engine.rulebook.game.hands
        return decision.subject.partition(" ")[0] if hands else "the dealer"
    whose = f"{decision.bet} of {decision.player}" if decision.bet else str(decision.player)
    if decision.box == NO_BOX:
        return whose
    parts = [whose, f"on box {decision.box}"]
    if decision.hand and decision.hand > 1:
        parts.append(f"hand {decision.hand}")
    if decision.part and decision.part != "original":
        parts.append(f"({decision.part} part)")
    return " ".join(parts)


def _answer(engine: Engine, answer: Answer, scene: SeenScene) -> str:
    if is_act_of(answer.question, "player") and not engine.rulebook.game.hands:
        allowed, _ = engine.allowed(answer.question, scene)
        return {True: "yes", False: "no", None: "cannot be decided"}[allowed]
    if answer.question == DEALER_DRAW or is_act_of(answer.question, *engine.rulebook.game.hands):
        due = card_due(answer)
        if due is not None:
            return "a card is due" if due else "no card is due"
        if dealer_chooses(answer):
            return "the dealer may draw"
        return f"cannot be decided: {why_open(answer, scene)}"
    if asks_about_bet(answer.question, "counted", "deemed"):
        amounts = set(amounts_of(scene, answer))
        if len(amounts) == 1:
            return money_text(amounts.pop())
    if asks_about_bet(answer.question, "odds") and len(answer.values) > 1:
        highest = engine.ask(best_odds(answer.question), scene)
        if highest.values:
            best = max(answer.values, key=lambda v: getattr(v, "ratio", 0))
            return f"{shown(best)} (the highest of several)"
    if not answer.decided:
        return f"cannot be decided: {why_open(answer, scene)}"
    return shown(answer.value)


def _why_not(engine: Engine, answer: Answer, scene: SeenScene) -> list[str]:
    """The nearest rule that would have said something else, and what kept it from applying."""
    near = [n for n in nearest(engine, answer.question, scene) if n.rule.value not in answer.values]
    return [f"not {shown(n.rule.value)}: {n.text}" for n in near[:1]]


def _place(key: tuple[int, int, str, str]) -> str:
    if key[0] == NO_BOX:
        return ""
    return f" on box {key[0]}" + (f" hand {key[1]}" if key[1] > 1 else "")


def settlements(round_: Round, verdict: Verdict) -> list[dict[str, Any]]:
    """Expected against actual for each wager."""
    with in_currency(verdict.sign):
        return _settlements(round_, verdict)


def _settlements(round_: Round, verdict: Verdict) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    given: dict[tuple[int, int, str, str], int] = {}
    for event in round_.events:
        if isinstance(event, Settle):
            on_table = (NO_BOX, 1, event.player, event.bet)
            key = (event.box, event.hand or 1, event.player, event.bet)
            of_box = (event.box, 1, event.player, event.bet)
            key = of_box if key not in verdict.expected and of_box in verdict.expected else key
            key = on_table if on_table in verdict.expected else key
            given[key] = given.get(key, 0) + event.returned
    for key in sorted({*verdict.expected, *given}):
        expected, actual = verdict.expected.get(key), given.get(key)
        rows.append(
            {
                "box": None if key[0] == NO_BOX else key[0],
                "hand": None if key[0] == NO_BOX else key[1],
                "player": key[2],
                "bet": key[3],
                "expected": None if expected is None else units(expected),
                "actual": None if actual is None else units(actual),
                "text": (
                    f"{key[3]} of {key[2]}{_place(key)}"
                    f": due {'undecided' if expected is None else money_text(expected)}, "
                    + ("not settled" if actual is None else f"given {money_text(actual)}")
                ),
                "right": None if expected is None else expected == actual,
            }
        )
    return rows
