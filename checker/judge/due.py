"""What each wager should get back, by the rules."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from checker.evaluate.engine import Answer, Engine
from checker.evaluate.scene import SeenScene
from checker.evaluate.why_not import contested, unknown_facts, why_open
from checker.judge.findings import Verdict
from checker.table.state import Box, Hand, wager_of
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t

NOTHING_AT_STAKE = ("stands off", "void")  # it does not matter how much of the wager counts


class Due(NamedTuple):
    """What one settlement should be. `amount` is None when it cannot be decided."""

    amount: Fraction | int | None
    stake: int
    result: Answer | None
    odds: Answer | None
    why: str | None = None
    answers: tuple[Answer, ...] = ()

    @property
    def left_open(self) -> Answer | None:
        """Where there is no amount: what was asked last."""
        return self.answers[-1] if self.answers else None

    @property
    def readings(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for a in self.answers for name in a.readings))


def against_hand(scene: SeenScene, bet: str) -> SeenScene:
    """The moment with the hand of the dealer that a bet is settled against."""
    number = scene.engine.mechanics.against(bet)
    if number == scene.dealer_hand:
        return scene
    return scene.but(dealer=tuple(scene.table.dealer_hand(number)), dealer_hand=number)


def part_view(
    scene: SeenScene,
    box: Box,
    hand: Hand,
    player: str,
    part: str,
    stake: int,
    bet: str | None = None,
) -> SeenScene:
    """The moment as one part of a player's money on a hand sees it. Made once: nothing may
    happen to the box while the scene is used."""
    bet = bet or scene.engine.mechanics.main
    key = ("part", box.number, hand.number, player, bet, part, stake)
    view: SeenScene | None = scene.memory.get(key)
    if view is None:
        view = scene.memory[key] = against_hand(scene, bet).but(
            box=box,
            hand=hand,
            player=player,
            part=part,
            stake=stake,
            bet=scene.engine.asked_as(bet),
            wager=wager_of(box, player, bet),
        )
    return view


def main_due(
    scene: SeenScene, box: Box, hand: Hand, player: str, verdict: Verdict, bet: str | None = None
) -> Due:
    """What a player gets for the money on a hand; `bet`: another bet there than the main one."""
    bet = bet or scene.engine.mechanics.main
    money = hand.spots.get(bet, hand.money)
    total: Fraction | int = 0
    staked = 0
    won: Fraction | int = 0
    answers: list[Answer] = []
    first: Answer | None = None
    priced: Answer | None = None
    for part, stake in money[player]:
        view = part_view(scene, box, hand, player, part, stake, bet)
        result = scene.engine.ask(f"{view.bet}.result", view)
        if (player, part) in hand.given:
            result = _by_effect(view, hand.given[player, part], part) or result
        answers.append(result)
        first = first or result
        _keep(verdict, "result", result, view, box, hand, player, bet, part)
        staked += stake
        if part in hand.added and player in hand.unstated:
            why = "the log does not say how much was added"
            return Due(None, staked, result, None, why, tuple(answers))
        if not result.decided:
            return Due(None, staked, result, None, why_open(result, view), tuple(answers))
        counted, capped = counted_stake(view, stake)
        for answer in capped:
            answers.append(answer)
            _keep(verdict, "counted", answer, view, box, hand, player, bet, part)
        if counted is None:
            if result.value in NOTHING_AT_STAKE:
                counted = stake
            else:
                return _not_counted(view, staked, result, answers)
        match result.value:
            case "wins":
                odds, ratio = winning_odds(view)
                answers.append(odds)
                priced = priced or odds
                _keep(verdict, "odds", odds, view, box, hand, player, bet, part)
                if ratio is None:
                    why = why_open(odds, view)
                    return Due(None, staked, result, odds, why, tuple(answers))
                won += counted if ratio == 1 else ratio * counted
                total += stake
            case "loses":
                total += max(stake - counted, 0)
            case "loses half":
                total += stake - (Fraction(counted, 2) if counted % 2 else counted // 2)
            case _:
                total += stake
    if won and scene.engine.has("payments.rounding"):
        part, stake = hand.base(player) or money[player][0]
        view = part_view(scene, box, hand, player, part, stake, bet).but(wager=None)
        chips, rounding = rounded(view, won)
        if chips is None or rounding.values:
            answers.append(rounding)
        if chips is None:
            why = _not_rounded(view, rounding)
            return Due(None, staked, first, priced, why, tuple(answers))
        won = chips
    return Due(total + won, staked, first, priced, None, tuple(answers))


def _by_effect(view: SeenScene, play: str, part: str) -> Answer | None:
    """What becomes of a part of the money that an action gave up or took back. None: the rules on
    results speak of the action, so they say it."""
    engine = view.engine
    does = engine.mechanics.plays[play]
    question = f"{view.bet}.result"
    known: dict[object, bool] = engine.caches.setdefault("said of actions", {})
    if (question, play) not in known:
        rules = [rule for rule, _ in engine.by_question.get(question, ())]
        known[question, play] = any(
            speaks_of(engine, rule.condition, does.action) for rule in rules
        )
    if known[question, play]:
        return None
    outcome = "stands off"
    if part not in does.takes_back:
        outcome = "loses half" if (part, True) in does.gives_up else "loses"
    allowing = tuple(rule for rule, _ in engine.by_question.get(f"player {does.action}", ()))
    return Answer(question, (outcome,), allowing[:1])


def speaks_of(engine: Engine, node: object, action: str) -> bool:
    """Whether a condition asks, if only through a term, what was done: how often, or by a fact that
    begins with the name of the action, as `wager.forfeited` does."""
    if isinstance(node, t.Times):
        return node.action == action
    if isinstance(node, t.Fact | t.Name):
        if node.name.rpartition(".")[2].startswith(action):
            return True
        terms = engine.by_question.get(f"define {node.name}", ())
        return any(speaks_of(engine, rule.condition, action) for rule, _ in terms)
    if isinstance(node, tuple):
        return any(speaks_of(engine, part, action) for part in node)
    if isinstance(node, t.Node):
        parts = (getattr(node, slot) for slot in node.__slots__ if slot != "span")
        return any(speaks_of(engine, part, action) for part in parts)
    return False


def side_due(
    scene: SeenScene, bet: str, box: Box, player: str, stake: int, verdict: Verdict
) -> Due:
    """A bet that lies on the box or was placed by a play."""
    hand = box.hands.get(1)
    asked = scene.engine.asked_as(bet)
    view = against_hand(scene, bet).but(
        box=box,
        hand=hand,
        player=player,
        bet=asked,
        stake=stake,
        part="original",
        wager=wager_of(box, player, bet),
    )
    result = scene.engine.ask(f"{asked}.result", view)
    _keep(verdict, "result", result, view, box, hand, player, bet, None)
    if not result.decided:
        return Due(None, stake, result, None, why_open(result, view), (result,))
    if result.value in NOTHING_AT_STAKE:
        return Due(Fraction(stake), stake, result, None, None, (result,))
    counted, capped = counted_stake(view, stake)
    if counted is None:
        return _not_counted(view, stake, result, [result, *capped])
    if result.value != "wins":
        lost = Fraction(counted, 2 if result.value == "loses half" else 1)
        return Due(stake - lost, stake, result, None, None, (result,))
    odds, ratio = winning_odds(view)
    _keep(verdict, "odds", odds, view, box, hand, player, bet, None)
    if ratio is None:
        return Due(None, stake, result, odds, why_open(odds, view), (result, odds))
    won, rounding = rounded(view, ratio * counted)
    if won is None:
        why = _not_rounded(view, rounding)
        return Due(None, stake, result, odds, why, (result, odds, rounding))
    return Due(Fraction(stake + won), stake, result, odds, None, (result, odds))


def with_winners(scene: SeenScene) -> SeenScene:
    """The moment when it is known who wins the Super Bonus, as far as the text tells."""
    if not scene.engine.has("define wager.super_bonus"):
        return scene
    wins = {
        (box.number, hand.number, player): scene.engine.holds(
            "wager.super_bonus", part_view(scene, box, hand, player, part, stake)
        )
        for box in scene.table.in_play
        for hand in box.hands.values()
        for player, (part, stake) in hand.bases()
    }
    winners = frozenset(place for place, won in wins.items() if won)
    open_ = frozenset(place for place, won in wins.items() if won is None)
    if not winners and not open_:
        return scene
    scene = scene.but(super_bonus=winners, super_bonus_open=open_)
    prices = [scene.engine.ask("super_bonus.odds", of_winner(scene, *place)) for place in winners]
    priced: bool | None = any(price.values for price in prices)
    if not priced and (open_ or any(price.unknown for price in prices)):
        priced = None
    return scene.but(super_bonus_amount=priced)


def may_get_bonus(scene: SeenScene) -> Iterator[tuple[Box, Hand | None, str]]:
    """Whom a clause could give something: each main wager, and in a round in which somebody wins
    the bonus also the players who have side bets alone, and so no hand."""
    table = scene.table
    for box in table.in_play:
        for hand in box.hands.values():
            yield from ((box, hand, player) for player, _ in hand.bases())
    if scene.super_bonus or scene.super_bonus_open:
        with_main = {wager.player for box in table.in_play for wager in box.main}
        for box in table.in_play:
            beside = dict.fromkeys(bet.event.player for bet in box.bets)
            yield from ((box, None, one) for one in beside if one not in with_main)


def of_winner(scene: SeenScene, box_number: int, hand_number: int, player: str) -> SeenScene:
    box = scene.table.boxes[box_number]
    hand = box.hands[hand_number]
    part, stake = hand.base(player) or ("original", 0)
    return scene.but(
        box=box,
        hand=hand,
        player=player,
        part=part,
        stake=stake,
        bet="super_bonus",
        wager=wager_of(box, player, "main"),
    )


def beside_winner(scene: SeenScene, box: Box, player: str) -> SeenScene:
    """As `of_winner`, for a player who has side bets alone."""
    wager = next(bet.event for bet in box.bets if bet.event.player == player)
    return scene.but(
        box=box, player=player, part="original", stake=wager.stake, bet="super_bonus", wager=wager
    )


def bonus_due(
    scene: SeenScene, box: Box, hand: Hand | None, player: str, verdict: Verdict
) -> Due | None:
    """The Super Bonus of one wager, or None when nothing is due: like a choice, it needs a clause
    that gives it. That a wager wins it and no clause names an amount is a gap."""
    if hand is None:
        view = beside_winner(scene, box, player)
    else:
        view = of_winner(scene, box.number, hand.number, player)
    part, stake = view.part, view.stake
    result = scene.engine.ask("super_bonus.result", view)
    answer = scene.engine.ask("super_bonus.odds", view)
    if result.values or result.unknown:
        if not result.decided:
            return Due(None, stake, result, answer, why_open(result, view), (result,))
        if result.value != "wins":
            return None
    if not answer.values and not answer.unknown:
        wins = scene.engine.holds("wager.super_bonus", view)
        if wins or result.values:
            why = "no band of the Super Bonus names a wager of this size"
            return Due(None, stake, None, answer, why, (answer,))
        if wins is None:
            why = "the text leaves open whether the wager wins it"
            return Due(None, stake, None, answer, why, (answer,))
        return None
    _keep(verdict, "bonus", answer, view, box, hand, player, "super_bonus", part)
    amounts = [v.cents for v in answer.values if isinstance(v, t.Amount)]
    if len(set(amounts)) != 1 or len(amounts) != len(answer.values) or answer.unknown:
        return Due(None, stake, None, answer, why_open(answer, view), (answer,))
    return Due(Fraction(amounts[0]), stake, None, answer, None, (answer,))


def counted_stake(view: SeenScene, stake: int) -> tuple[int | None, list[Answer]]:
    """How much of a wager is in play: over-limit wagers count only up to the limit. None: the
    clauses give several amounts. What it rests on comes with it, an open question last."""
    engine = view.engine
    deeming = engine.ask(f"{view.bet}.deemed", view)
    deemed = {stake} if not deeming.rules else set(amounts_of(view, deeming)) or {stake}
    if len(deemed) > 1 or contested(deeming.unknown, view):
        return None, [deeming]
    base = deemed.pop()
    capping = engine.ask(f"{view.bet}.counted", view)
    counted = {min(base, limit) for limit in amounts_of(view, capping)} or {base}
    if len(counted) > 1 or contested(capping.unknown, view):
        return None, [capping]
    amount = counted.pop()
    return amount, [a for a in (deeming, capping) if amount != stake and a.rules]


def amounts_of(view: SeenScene, answer: Answer) -> Iterator[int]:
    """What the rules come to, as far as the log gives the limits that they name."""
    for rule in answer.rules:
        amount = view.engine.value_term(rule)(view)
        if amount is not None:
            assert not isinstance(amount, str)
            yield int(amount)


def _not_counted(view: SeenScene, stake: int, result: Answer, answers: list[Answer]) -> Due:
    why = f"how much of it counts is open: {why_open(answers[-1], view)}"
    return Due(None, stake, result, None, why, tuple(answers))


def winning_odds(view: SeenScene) -> tuple[Answer, Fraction | None]:
    answer = view.engine.ask(f"{view.bet}.odds", view)
    ratios = [v.ratio for v in answer.values if isinstance(v, t.Odds)]
    if answer.unknown or not ratios or len(ratios) != len(answer.values):
        return answer, None
    if len(set(ratios)) == 1:
        return answer, ratios[0]
    highest = view.engine.ask(f"{view.bet}.highest", view)
    if highest.values:
        return answer, max(ratios)
    return answer, None


def rounded(view: SeenScene, won: Fraction | int) -> tuple[Fraction | int | None, Answer]:
    """Winnings as they can be paid in chips, where the rulebook speaks of it. None: clauses round
    to different amounts, or it depends on what is not known."""
    answer = view.engine.ask("payments.rounding", view)
    open_ = answer.unknown or (() if answer.values else answer.unchecked)
    ways = {_in_chips(view, won, way) for way in (*answer.values, *(x.value for x in open_))}
    if not answer.values:
        ways.add(won)
    return (ways.pop() if len(ways) == 1 else None), answer


def _in_chips(
    view: SeenScene, won: Fraction | int, way: tuple[str, t.Expression]
) -> Fraction | int:
    direction, unit_term = way
    unit = view.engine.term(unit_term)(view)
    if unit is None or isinstance(unit, str) or unit <= 0:
        return won
    whole = won // unit
    if whole * unit != won and direction == "up":
        whole += 1
    return unit * whole


def _not_rounded(view: SeenScene, answer: Answer) -> str:
    if answer.values or answer.unknown:
        return f"how it is rounded is open: {why_open(answer, view)}"
    return f"it depends on {unchecked_reason(view, answer.unchecked[0])[21:]}"


def unchecked_reason(view: SeenScene, rule: Rule) -> str:
    names = ", ".join(unknown_facts(view.engine, rule.condition, view))
    return f"the log does not give {names or 'what it asks for'}"


def _keep(
    verdict: Verdict,
    subject: str,
    answer: Answer,
    view: SeenScene,
    box: Box,
    hand: Hand | None,
    player: str,
    bet: str,
    part: str | None,
) -> None:
    verdict.tested.update(answer.clauses)
    for rule in answer.unchecked:
        verdict.not_checked.setdefault(rule.clause, unchecked_reason(view, rule))
    number = hand.number if hand else None
    verdict.decide(subject, answer, view, box.number, number, player, bet, part)
