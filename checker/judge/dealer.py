"""The dealer's cards: whether each was due, and whether one more was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checker.evaluate.answer import BANS, Answer
from checker.evaluate.asked_for import asks_for
from checker.evaluate.dealer_draw import ask_draw, card_due, dealer_chooses, must_draw, no_effect
from checker.evaluate.scene import SeenScene
from checker.evaluate.words.in_words import cards_text
from checker.log import model as r
from rulespec.resolve.question import DEALER_DRAW, whether
from rulespec.resolve.rulebook import Rule

if TYPE_CHECKING:
    from checker.judge.bench import Bench


def dealer_card(judge: Bench, event: r.Deal) -> None:
    table = judge.table
    number = table.of_dealer(event)
    if not judge.effective or (number == 1 and len(table.dealer) < table.opening.to_dealer):
        table.apply(event)
        judge.count_for_dealer(table.dealer[-1])
        return
    if judge.leaves_out("draws", DEALER_DRAW):
        table.apply(event)
        judge.count_for_dealer(table.dealer_hand(number)[-1], number)
        return
    done = judge.turns.players_done(event.n)
    scene = _dealer_scene(judge, done, number)
    answer = ask_draw(scene)
    due = card_due(answer)
    judge.verdict.tested.update(answer.clauses)
    judge.verdict.decide("dealer draws", answer, scene)
    table.apply(event)
    dealt = table.dealer_hand(number)[-1]
    total = scene.fact("dealer.total")
    if due is None and _is_open(judge, answer):
        _left_open(judge, f"draw on {_said(scene)}", answer, scene, event.n)
    elif due is False:
        rules = [x for x in answer.rules if x.value in BANS]
        idle = ", and no card could change anything" if scene.no_effect else ""
        message = f"the dealer drew a card on {_said(scene)}{idle}"
        view = judge.scene(card=dealt, card_not_due=True, deal={"players_done": done})
        burn = judge.engine.ask(whether("dealer", "burn"), view)
        if _put_right(judge, rules, burn, event):
            judge.verdict.tested.update(burn.clauses)
            return
        also = burn.rules if burn.demands else ()
        judge.find("R520", "deal", message, [*rules, *also], event.n, box=0)
        if burn.demands is None:
            judge.undecided("whether that card is burnt", burn, view, event.n, box=0)
        elif burn.demands:  # it counts for nobody
            judge.verdict.tested.update(burn.clauses)
            return
    if total is not None:
        judge.count_for_dealer(dealt, number)


def _put_right(judge: Bench, rules: list[Rule], burn: Answer, event: r.Deal) -> bool:
    """What forbids the card has it burnt, and it was: nothing is left to be said."""
    burnt = any(
        isinstance(e, r.Burn) and e.n > event.n and e.card in (None, event.card)
        for e in judge.round.events
    )
    asked = judge.engine.clauses_of(whether("dealer", "burn"))
    return burnt and bool(burn.demands and rules) and all(rule.clause in asked for rule in rules)


def _dealer_scene(judge: Bench, done: bool, number: int) -> SeenScene:
    """As the dealer draws. A card is only idle where it is sure that nothing can change."""
    scene = _of_hand(judge, done, number)
    return scene.but(no_effect=True) if no_effect(scene, void_is_closed=False) else scene


def _of_hand(judge: Bench, done: bool, number: int) -> SeenScene:
    """Whoever draws knows all cards of the hand."""
    held = judge.held_by_dealer(number)
    scene = judge.scene(
        dealer=held, dealer_hand=number, no_effect=False, deal={"players_done": done}
    )
    if not asks_for(judge.engine, "dealer.hands_decided"):
        return scene
    decided = no_effect(scene, of_hands=True) is True
    return scene.but(deal={"players_done": done, "hands_decided": decided})


def _at_the_end(judge: Bench, number: int) -> SeenScene:
    scene = _of_hand(judge, True, number)
    if must_draw(scene) is False:
        return scene  # no card is due anyway: whether one could change anything is idle
    idle = no_effect(scene)
    return scene if idle is False else scene.but(no_effect=idle)


def _said(scene: SeenScene) -> str:
    total = scene.fact("dealer.total")
    soft = "soft" if scene.fact("dealer.soft") else "hard"
    cards = cards_text(scene.dealer)
    return f"{cards}, which have no total" if total is None else f"{soft} {total} ({cards})"


def _is_open(judge: Bench, answer: Answer) -> bool:
    """The text tells neither that a card is due nor that none is, though it speaks of it."""
    return judge.engine.has(DEALER_DRAW) and not dealer_chooses(answer)


def _left_open(
    judge: Bench, what: str, answer: Answer, scene: SeenScene, event: int | None
) -> None:
    """Once in a round: after that the cards are as they lie."""
    if DEALER_DRAW in judge.told:
        return
    judge.told.add(DEALER_DRAW)
    why = None
    if scene.no_effect is None and answer.unknown:
        why = "whether a card could change anything depends on draws that the text leaves open"
    leave = f"whether the dealer may {what}"
    judge.undecided(leave, answer, scene, event, why, box=0, of_leave=True)


def dealer_end(judge: Bench) -> None:
    table = judge.table
    if table.void or table.over or not judge.effective or not table.in_play:
        return
    against = judge.engine.mechanics.against
    wagered = {against(bet.event.bet) for box in table.in_play for bet in box.bets}
    for number in sorted(wagered | {1}):
        _end_of_hand(judge, number)


def _end_of_hand(judge: Bench, number: int) -> None:
    scene = _at_the_end(judge, number)
    answer = ask_draw(scene)
    judge.verdict.tested.update(answer.clauses)
    due = card_due(answer)
    if due:
        rules = [x for x in answer.rules if x.value == "must"]
        judge.find(
            "R521",
            "deal",
            f"the dealer stopped on {_said(scene)}",
            rules,
            judge.table.last_card,
            box=0,
        )
    elif due is None and _is_open(judge, answer):
        judge.verdict.decide("dealer stands", answer, scene)
        _left_open(judge, f"stand on {_said(scene)}", answer, scene, judge.table.last_card)
