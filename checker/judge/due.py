"""What each wager should get back, by the rules."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from checker.evaluate.engine import Answer, Engine
from checker.evaluate.memory.seam import Worked
from checker.evaluate.scene import SeenScene
from checker.evaluate.words.why_not import contested, unknown_facts, why_open
from checker.judge.findings import Verdict
from checker.judge.payouts import NOTHING, Win, winnings
from checker.judge.together import together
from checker.table.state import Box, Hand, wager_of
from rulespec.resolve.question import ROUNDING, Question, about_bet, defining, whether
from rulespec.resolve.rule_value import Rounding, as_rounding
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.walk import walk

NOTHING_AT_STAKE = ("stands off", "void")  # it does not matter how much of the wager counts


class Due(NamedTuple):
    """What one settlement should be. `amount` is None when it cannot be decided."""

    amount: Fraction | int | None
    stake: int
    result: Answer | None
    odds: Answer | None
    why: str | None = None
    answers: tuple[Answer, ...] = ()
    least: Fraction | int | None = None  # the text leaves the amount to the house: not below this
    most: Fraction | int | None = None  # … and not above
    stays: bool = False  # the wager is not decided in this round
    parts: tuple[tuple[Answer, int, Fraction | int], ...] = ()
    """Of several parts of the money on a hand: its result, its stake and what goes back for it."""
    in_chips: frozenset[Fraction | int] = frozenset()
    """What goes back where the clause on rounding payments is taken to be about the half of a stake
    that goes back as well: the text leaves that open."""

    @property
    def bounded(self) -> bool:
        return self.least is not None

    def is_met_by(self, returned: int) -> bool:
        if self.least is None:
            return returned == self.amount
        return self.least <= returned and (self.most is None or returned <= self.most)

    def amiss(self, returned: int) -> Answer | None:
        """The result of the part of the money that was settled otherwise, if one tells it all."""
        if self.amount is None or len(self.parts) < 2:
            return None
        for result, stake, back in self.parts:
            if returned - (self.amount - back) in (0, stake, 2 * stake):
                return result
        return None

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
    of = bet or scene.engine.mechanics.main
    key = ("part", box.number, hand.number, player, of, part, stake)

    def view() -> SeenScene:
        return against_hand(scene, of).but(
            box=box,
            hand=hand,
            player=player,
            part=part,
            stake=stake,
            bet=scene.engine.asked_as(of),
            wager=wager_of(box, player, of),
        )

    return scene.engine.memory.once(scene, key, view)


def main_due(
    scene: SeenScene, box: Box, hand: Hand, player: str, verdict: Verdict, bet: str | None = None
) -> Due:
    """What a player gets for the money on a hand; `bet`: another bet there than the main one."""
    bet = bet or scene.engine.mechanics.main
    money = hand.spots.get(bet, hand.money)
    total: Fraction | int = 0
    halves: Fraction | int = 0  # of stakes, that go back
    staked = sum(stake for _, stake in money[player])
    won = NOTHING
    answers: list[Answer] = []
    first: Answer | None = None
    priced: Answer | None = None
    parts: list[tuple[Answer, int, Fraction | int]] = []
    for part, stake in money[player]:
        before = total + won.amount
        view = part_view(scene, box, hand, player, part, stake, bet)
        result = scene.engine.ask(about_bet(view.bet, "result"), view)
        if (player, part) in hand.given:
            result = _by_effect(view, hand.given[player, part], part) or result
        answers.append(result)
        first = first or result
        keep(verdict, "result", result, view, box, hand, player, bet, part)
        if part in hand.added and player in hand.unstated:
            why = "the log does not say how much was added"
            return Due(None, staked, result, None, why, tuple(answers))
        if not result.decided:
            return Due(None, staked, result, None, why_open(result, view), tuple(answers))
        counted, capped = counted_stake(view, stake)
        for answer in capped:
            answers.append(answer)
            keep(verdict, "counted", answer, view, box, hand, player, bet, part)
        if counted is None:
            if result.value in NOTHING_AT_STAKE:
                counted = stake
            else:
                return _not_counted(view, staked, result, answers)
        match result.value:
            case "wins":
                odds, win, open_ = winnings(view, counted, stake)
                answers.append(odds)
                priced = priced or odds
                keep(verdict, "odds", odds, view, box, hand, player, bet, part)
                if win is None:
                    return Due(None, staked, result, odds, open_, tuple(answers))
                won = won.plus(win)
                total += stake
            case "stays":
                return Due(None, staked, result, None, None, tuple(answers), stays=True)
            case "loses":
                total += max(stake - counted, 0)
            case "loses half":
                half = Fraction(counted, 2) if counted % 2 else counted // 2
                total += stake - half
                halves += half
            case _:
                total += stake
        parts.append((result, stake, total + won.amount - before))
    if won.most != 0 and scene.engine.has(ROUNDING):
        part, stake = hand.base(player) or money[player][0]
        view = part_view(scene, box, hand, player, part, stake, bet).but(wager=None)
        chips, rounding = _rounded_win(view, won)
        if chips is None or rounding.values:
            answers.append(rounding)
        if chips is None:
            why = _not_rounded(view, rounding)
            return Due(None, staked, first, priced, why, tuple(answers))
        won = chips
    due = _due(total, won, staked, first, priced, answers)._replace(parts=tuple(parts))
    if halves and due.amount is not None and scene.engine.has(ROUNDING):
        view = part_view(scene, box, hand, player, part, stake, bet).but(wager=None)
        ways = _ways_in_chips(view, halves, view.engine.ask(ROUNDING, view))
        others = (back - halves for back in ways)
        due = due._replace(in_chips=frozenset(due.amount + more for more in others if more))
    return due


def _due(
    back: Fraction | int,
    won: Win,
    stake: int,
    result: Answer | None,
    odds: Answer | None,
    answers: list[Answer],
) -> Due:
    """What goes back of the stake and what is won, together."""
    amount = None if won.open is not None else back + won.amount
    due = Due(amount, stake, result, odds, won.open, tuple(answers))
    if won.exact:
        return due
    return due._replace(least=back + won.least, most=None if won.most is None else back + won.most)


def _rounded_win(view: SeenScene, win: Win) -> tuple[Win | None, Answer]:
    amount, answer = rounded(view, win.amount)
    if win.exact:
        return (None if amount is None else Win(amount, amount, amount)), answer
    least, _ = rounded(view, win.least)
    most = None if win.most is None else rounded(view, win.most)[0]
    if amount is None or least is None or (most is None and win.most is not None):
        return None, answer
    return Win(least, most, amount, win.open), answer


def _by_effect(view: SeenScene, play: str, part: str) -> Answer | None:
    """What becomes of a part of the money that an action gave up or took back. None: the rules on
    results speak of the action, so they say it."""
    engine = view.engine
    does = engine.mechanics.plays[play]
    question = about_bet(view.bet, "result")
    if _spoken_of(engine, (question, does.action)):
        return None
    outcome = "stands off"
    if part not in does.takes_back:
        outcome = "loses half" if (part, True) in does.gives_up else "loses"
    allowing = tuple(rule for rule, _ in engine.by_question.get(whether("player", does.action), ()))
    return Answer(question, (outcome,), allowing[:1])


def _is_spoken_of(engine: Engine, asked: tuple[Question, str]) -> bool:
    question, action = asked
    return any(speaks_of(engine, rule.condition, action) for rule in engine.rules_on(question))


_spoken_of = Worked(_is_spoken_of)


def speaks_of(engine: Engine, node: object, action: str) -> bool:
    """Whether a condition asks, if only through a term, what was done: how often, or by a fact that
    begins with the name of the action, as `wager.forfeited` does."""
    for one in walk(node):
        if isinstance(one, t.Times) and one.action == action:
            return True
        if isinstance(one, t.Fact | t.Name):
            terms = engine.by_question.get(defining(one.name), ())
            if one.name.rpartition(".")[2].startswith(action) or any(
                speaks_of(engine, rule.condition, action) for rule, _ in terms
            ):
                return True
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
    result = scene.engine.ask(about_bet(asked, "result"), view)
    keep(verdict, "result", result, view, box, hand, player, bet, None)
    if not result.decided:
        return Due(None, stake, result, None, why_open(result, view), (result,))
    if result.value in NOTHING_AT_STAKE:
        return Due(Fraction(stake), stake, result, None, None, (result,))
    if result.value == "stays":
        return Due(None, stake, result, None, None, (result,), stays=True)
    counted, capped = counted_stake(view, stake)
    if counted is None:
        return _not_counted(view, stake, result, [result, *capped])
    if result.value != "wins":
        lost = Fraction(counted, 2 if result.value == "loses half" else 1)
        return Due(stake - lost, stake, result, None, None, (result, *capped))
    odds, win, why = winnings(view, counted, stake)
    keep(verdict, "odds", odds, view, box, hand, player, bet, None)
    if win is None:
        return Due(None, stake, result, odds, why, (result, odds))
    win, by = together(view, odds, win, stake)
    if by is not odds:
        keep(verdict, "shares", by, view, box, hand, player, bet, None)
        capped, odds = [odds, *capped], by
    won, rounding = _rounded_win(view, win)
    if won is None:
        why = _not_rounded(view, rounding)
        return Due(None, stake, result, odds, why, (result, odds, rounding))
    return _due(Fraction(stake), won, stake, result, odds, [result, odds, *capped])


def counted_stake(view: SeenScene, stake: int) -> tuple[int | None, list[Answer]]:
    """How much of a wager is in play: over-limit wagers count only up to the limit. None: the
    clauses give several amounts. What it rests on comes with it, an open question last."""
    engine = view.engine
    deeming = engine.ask(about_bet(view.bet, "deemed"), view)
    deemed = {stake} if not deeming.rules else set(amounts_of(view, deeming)) or {stake}
    if len(deemed) > 1 or contested(deeming.unknown, view):
        return None, [deeming]
    base = deemed.pop()
    capping = engine.ask(about_bet(view.bet, "counted"), view)
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


def rounded(view: SeenScene, won: Fraction | int) -> tuple[Fraction | int | None, Answer]:
    """Winnings as they can be paid in chips, where the rulebook speaks of it. None: clauses round
    to different amounts, or it depends on what is not known."""
    answer = view.engine.ask(ROUNDING, view)
    ways = _ways_in_chips(view, won, answer)
    if not answer.values:
        ways.add(won)
    return (ways.pop() if len(ways) == 1 else None), answer


def _ways_in_chips(view: SeenScene, won: Fraction | int, answer: Answer) -> set[Fraction | int]:
    """As clauses round it that apply, or may."""
    open_ = answer.unknown or (() if answer.values else answer.unchecked)
    told = (*answer.values, *(rule.value for rule in open_))
    return {_in_chips(view, won, as_rounding(way)) for way in told}


def _in_chips(view: SeenScene, won: Fraction | int, way: Rounding) -> Fraction | int:
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


def keep(
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
