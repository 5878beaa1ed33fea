"""A bonus: what each player was paid against what is due."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from checker.evaluate.scene import SeenScene
from checker.evaluate.words.why_not import nearest
from checker.judge.bonus_due import bonus_due, may_get_bonus, of_winner, term_of
from checker.judge.due import Due
from checker.judge.timing import Key, judge_timing
from checker.log import model as r
from rulespec.base.money import money_text
from rulespec.resolve.question import about_bet, defining
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.walk import asked_words

if TYPE_CHECKING:
    from checker.judge.bench import Bench

Owed = list[tuple[Key, Due]]


def judge_bonus(
    judge: Bench, bet: str, scene: SeenScene, settled: dict[Key, list[r.Settle]]
) -> None:
    """The bonus is due to wagers, but it is the player who is paid: the sum has to be right."""
    due: dict[str, Owed] = {}
    title = judge.engine.rulebook.game.bets[bet].title
    on_it = (defining(term_of(bet)), about_bet(bet, "result"), about_bet(bet, "odds"))
    spoken_of = any(map(judge.engine.has, on_it))
    for box, hand, player in may_get_bonus(scene, bet) if spoken_of else ():
        amount = bonus_due(scene, bet, box, hand, player, judge.verdict)
        if amount is not None:
            key = (box.number, hand.number if hand else 1, player, bet)
            due.setdefault(player, []).append((key, amount))
    paid: dict[str, list[tuple[Key, r.Settle]]] = {}
    for key in [k for k in settled if k[3] == bet]:
        for event in settled.pop(key):
            owed = due.get(event.player, [])
            # what is paid at another wager of the player than the one it is due to has its time too
            for owed_key, owed_due in [one for one in owed if one[0] == key] or owed[:1]:
                place = {"box": key[0], "hand": key[1], "player": key[2], "bet": key[3]}
                what = f"the {title} of {event.player}"
                judge_timing(judge, owed_key, event, owed_due, scene, what, place)
            paid.setdefault(event.player, []).append((key, event))
    for player in sorted({*due, *paid}):
        owed, given = due.get(player, []), paid.get(player, [])
        for part in _parts(owed, given):
            _compare(
                judge, bet, scene, player, part, [(k, e) for k, e in given if _at(k, part, owed)]
            )


def _parts(owed: Owed, given: list[tuple[Key, r.Settle]]) -> list[Owed]:
    """What is compared by itself: each wager, where the sum is wrong and the log names wagers to
    which a bonus is due; else all that the player has coming."""
    amounts = [due.amount for _, due in owed]
    right = None not in amounts and sum(e.returned for _, e in given) == sum(
        a for a in amounts if a is not None
    )
    named = {key for key, _ in given} <= {key for key, _ in owed}
    if right or None in amounts or not named or not given or len(owed) < 2:
        return [owed]
    return [[one] for one in owed]


def _at(key: Key, part: Owed, owed: Owed) -> bool:
    return len(part) == len(owed) or any(key == other for other, _ in part)


def _compare(
    judge: Bench,
    bet: str,
    scene: SeenScene,
    player: str,
    owed: Owed,
    given: list[tuple[Key, r.Settle]],
) -> None:
    title = judge.engine.rulebook.game.bets[bet].title
    got = sum(event.returned for _, event in given)
    event_n = given[-1][1].n if given else None
    rules = [x for _, due in owed for answer in due.answers for x in answer.rules]
    key = owed[0][0] if owed else given[-1][0]
    where: dict[str, Any] = {
        "box": key[0],
        "hand": key[1],
        "player": player,
        "bet": bet,
    }
    open_ = [due for _, due in owed if due.amount is None]
    if any(judge.open_for_want_of_data(due.answers[-1], scene) for due in open_):
        return
    if open_:
        judge.find(
            "R550",
            "undecided",
            f"the {title} of {player} cannot be decided: {open_[0].why}",
            rules or _bonus_rules(judge, bet, scene, key, got),
            event_n,
            why=open_[0].why,
            actual=got,
            **where,
        )
        return
    if any(due.bounded for _, due in owed):
        least = sum(due.amount if due.least is None else due.least for _, due in owed)  # type: ignore[misc]
        tops = [due.amount if due.least is None else due.most for _, due in owed]
        if least <= got and (None in tops or got <= sum(x for x in tops if x is not None)):
            judge.verdict.expected[(key[0], key[1], player, bet)] = got
            return
    expected = sum(int(due.amount) for _, due in owed if due.amount is not None)
    judge.verdict.expected[(key[0], key[1], player, bet)] = expected
    if expected and not got and all(k[2] != player for k in judge.table.settled):
        message = f"the {title} of {player} was never settled"
        judge.find("R503", "settlement", message, rules, expected=expected, **where)
    elif expected != got:
        side = "overpaid" if got > expected else "underpaid"
        judge.find(
            "R501",
            "settlement",
            f"the {title} of {player} was {money_text(got)} and should have been "
            f"{money_text(expected)}: {side} by {money_text(abs(got - expected))}",
            rules or _bonus_rules(judge, bet, scene, key, got),
            event_n,
            expected=expected,
            actual=got,
            **where,
        )


def _bonus_rules(judge: Bench, bet: str, scene: SeenScene, key: Key, paid: int) -> list[Rule]:
    """The clauses that say it is not won; else the one that came nearest to giving the bonus, above
    all one that gives this amount."""
    box = judge.table.boxes.get(key[0])
    hand = box.hands.get(key[1]) if box else None
    if hand is not None and key[2] in hand.money:
        scene = of_winner(scene, bet, *key[:3])
    result = judge.engine.ask(about_bet(bet, "result"), scene)
    if result.value == "loses":
        return list(result.rules)
    near = nearest(judge.engine, about_bet(bet, "odds"), scene)
    rules = [one.rule for one in near]
    given = [x for x in rules if paid and isinstance(x.value, t.Amount) and x.value.cents == paid]
    # else a band that only the amount of the wager keeps away, and rather where amounts are listed
    near.sort(key=lambda one: (not _by_stake(one.failed), "#table" not in one.rule.clause))
    return (given or [one.rule for one in near])[:1]


def _by_stake(failed: tuple[t.Expression, ...]) -> bool:
    return all(any(word.name == "wager.stake" for word in asked_words(part)) for part in failed)
