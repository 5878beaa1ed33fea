"""What each wager should get back, by the rules."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from checker.engine import Answer
from checker.explain_conditions import unknown_facts
from checker.findings import Verdict
from checker.scene import SeenScene
from checker.table import Box, Hand, wager_of
from rulespec import tree as t
from rulespec.rulebook import Rule


class Due(NamedTuple):
    """What one settlement should be. `amount` is None when it cannot be decided."""

    amount: Fraction | int | None
    stake: int
    result: Answer | None
    odds: Answer | None
    why: str | None = None
    answers: tuple[Answer, ...] = ()

    @property
    def readings(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for a in self.answers for name in a.readings))


def part_view(
    scene: SeenScene, box: Box, hand: Hand, player: str, part: str, stake: int
) -> SeenScene:
    """The moment as one part of a player's money on a hand sees it. Made once: nothing may
    happen to the box while the scene is used."""
    key = ("part", box.number, hand.number, player, part, stake)
    view: SeenScene | None = scene.memory.get(key)
    if view is None:
        view = scene.memory[key] = scene.but(
            box=box, hand=hand, player=player, part=part, stake=stake, bet="main",
            wager=wager_of(box, player, "main"),
        )  # fmt: skip
    return view


def main_due(scene: SeenScene, box: Box, hand: Hand, player: str, verdict: Verdict) -> Due:
    total: Fraction | int = 0
    staked = 0
    won: Fraction | int = 0
    answers: list[Answer] = []
    first: Answer | None = None
    priced: Answer | None = None
    for part, stake in scene.table.parts(box, hand, player):
        view = part_view(scene, box, hand, player, part, stake)
        result = scene.engine.ask("main.result", view)
        answers.append(result)
        first = first or result
        _keep(verdict, "result", result, view, box, hand, player, "main", part)
        staked += stake
        if part == "double" and player in hand.unstated:
            why = "the log does not say how much was added"
            return Due(None, staked, result, None, why, tuple(answers))
        if not result.decided:
            return Due(None, staked, result, None, result.why_undecided(), tuple(answers))
        counted, capped = counted_stake(view, stake)
        for answer in capped:
            answers.append(answer)
            _keep(verdict, "counted", answer, view, box, hand, player, "main", part)
        match result.value:
            case "wins":
                odds, ratio = winning_odds(view)
                answers.append(odds)
                priced = priced or odds
                _keep(verdict, "odds", odds, view, box, hand, player, "main", part)
                if ratio is None:
                    why = odds.why_undecided()
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
        part, stake = hand.base_stakes[player]
        view = scene.but(box=box, hand=hand, player=player, bet="main", part=part, stake=stake)
        won, rounding = rounded(view, won)
        if rounding is not None:
            answers.append(rounding)
            if not rounding.values:
                why = f"it depends on {unchecked_reason(view, rounding.unchecked[0])[21:]}"
                return Due(None, staked, first, priced, why, tuple(answers))
    return Due(total + won, staked, first, priced, None, tuple(answers))


def side_due(
    scene: SeenScene, bet: str, box: Box, player: str, stake: int, verdict: Verdict
) -> Due:
    """Insurance, Perfect Pairs, Super Sevens."""
    hand = box.hands.get(1)
    view = scene.but(box=box, hand=hand, player=player, bet=bet, stake=stake, part="original",
                     wager=wager_of(box, player, bet))  # fmt: skip
    result = scene.engine.ask(f"{bet}.result", view)
    _keep(verdict, "result", result, view, box, hand, player, bet, None)
    if not result.decided:
        return Due(None, stake, result, None, result.why_undecided(), (result,))
    counted, _ = counted_stake(view, stake)
    match result.value:
        case "wins":
            odds, ratio = winning_odds(view)
            _keep(verdict, "odds", odds, view, box, hand, player, bet, None)
            if ratio is None:
                return Due(None, stake, result, odds, odds.why_undecided(), (result, odds))
            won, _ = rounded(view, ratio * counted)
            return Due(Fraction(stake + won), stake, result, odds, None, (result, odds))
        case "loses":
            return Due(Fraction(stake - counted), stake, result, None, None, (result,))
        case _:
            return Due(Fraction(stake), stake, result, None, None, (result,))


def bonus_due(scene: SeenScene, box: Box, hand: Hand, player: str, verdict: Verdict) -> Due | None:
    """The Super Bonus of one wager, or None when nothing is due."""
    part, stake = hand.base_stakes[player]
    view = scene.but(
        box=box, hand=hand, player=player, part=part, stake=stake, bet="super_bonus",
        wager=wager_of(box, player, "main"),
    )  # fmt: skip
    undecided = scene.engine.ask("super_bonus.result", view)
    answer = scene.engine.ask("super_bonus.odds", view)
    if undecided.values:
        return Due(None, stake, undecided, answer, undecided.why_undecided(), (undecided,))
    if not answer.values and not answer.unknown:
        if scene.engine.holds("wager.super_bonus", view):
            why = "no band of the Super Bonus names a wager of this size"
            return Due(None, stake, None, answer, why, (answer,))
        return None
    _keep(verdict, "bonus", answer, view, box, hand, player, "super_bonus", part)
    amounts = [v.cents for v in answer.values if isinstance(v, t.Amount)]
    if len(set(amounts)) != 1 or answer.unknown:
        return Due(None, stake, None, answer, answer.why_undecided(), (answer,))
    return Due(Fraction(amounts[0]), stake, None, answer, None, (answer,))


def counted_stake(view: SeenScene, stake: int) -> tuple[int, list[Answer]]:
    """How much of a wager is in play: over-limit wagers count only up to the limit."""
    counted = stake
    deeming = view.engine.ask(f"{view.bet}.deemed", view)
    capping = view.engine.ask(f"{view.bet}.counted", view)
    for rule in deeming.rules:
        deemed = view.engine.value_term(rule)(view)
        if deemed is not None:
            assert not isinstance(deemed, str)
            counted = int(deemed)
    for rule in capping.rules:
        limit = view.engine.value_term(rule)(view)
        if limit is not None:
            assert not isinstance(limit, str)
            counted = min(counted, int(limit))
    used = counted != stake
    return counted, [a for a in (deeming, capping) if used and a.rules]


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


def rounded(view: SeenScene, won: Fraction | int) -> tuple[Fraction | int, Answer | None]:
    """Winnings as they can be paid in chips, where the rulebook speaks of it."""
    answer = view.engine.ask("payments.rounding", view)
    chip = view.limits.smallest_chip
    if not answer.values and answer.unchecked and chip and won % chip:
        return won, answer  # how to round depends on what the log does not give
    if len(answer.values) != 1:
        return won, None
    direction, unit_term = answer.values[0]
    unit = view.engine.term(unit_term)(view)
    if unit is None or isinstance(unit, str) or unit <= 0:
        return won, None
    whole = won // unit
    if whole * unit != won and direction == "up":
        whole += 1
    return unit * whole, answer


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
