"""What the casino must do, and what it did: shuffles, burnt cards, notices, voids, approvals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING

from checker.evaluate.answer import BANS, Answer
from checker.evaluate.conditions import Condition
from checker.evaluate.engine import Engine
from checker.evaluate.memory.seam import Kept
from checker.evaluate.scene import SeenScene
from checker.evaluate.words.in_words import ground_words
from checker.evaluate.words.why_not import contested, nearest
from checker.log import model as r
from rulespec.resolve.question import whether
from rulespec.resolve.rulebook import Rule
from rulespec.tree.game import DEALER, Game

if TYPE_CHECKING:
    from checker.judge.bench import Bench

OFFER = "offer_"
"""An action of the dealer that begins so is done by the event `offer` with the rest as `what`."""


def _done(engine: Engine) -> dict[str, Condition]:
    """The duties of which the game says when the log shows that they were done."""
    duties = engine.rulebook.game.actions_of("casino").items()
    return {
        name: engine.compile(action.done)
        for name, action in duties
        if action.done is not None and engine.has(whether("casino", name))
    }


_DONE = Kept(_done)
_IN_A_LOG = frozenset({"shuffle", "burn", "warn", "adjust", "report"})


def shown_by_logs(game: Game) -> frozenset[str]:
    """The acts of the casino of which a log shows whether they were done."""
    acts = game.actions_of("casino").values()
    told = {a.name for a in acts if a.done is not None or a.role or a.name in game.approvals}
    return _IN_A_LOG | told


def duties_at_start(judge: Bench, scene: SeenScene) -> None:
    """Everything that is due before the first card, and the approvals that the round records."""
    shuffled, owing = judge.shoe.shuffled, scene
    burnt = None if judge.shoe.burns is None else judge.shoe.burns > 0
    if judge.engine.mechanics.roles["the shoe ran out"] in judge.table.records:
        if shuffled:  # then nothing is owed any more for how the round began
            owing = scene.but(shoe=replace(judge.shoe, new=False, cut_card_out=False))
        shuffled = _shuffled_in_the_round(judge.round)
        burnt = burnt or _burnt_in_play(judge)
    duty(judge, "shuffle", shuffled, owing, "the cards were not shuffled")
    _not_to_be_done(judge, r.Shuffle, "shuffle", scene)
    duty(judge, "burn", burnt, scene, "the first card was not burnt")
    for name, done in _DONE.of(judge.engine).items():
        duty(judge, name, done(scene), scene, f"`{name}` is not recorded")
    for name, player in sorted(judge.table.approvals, key=str):
        if judge.engine.has(whether("casino", name)):
            act(judge, name, None, player=player)


def _shuffled_in_the_round(round_: r.Round) -> bool:
    """The shuffle that began the shoe is not the one that it is owed once it has run out."""
    begun = False
    for event in round_.events:
        if begun and isinstance(event, r.Shuffle):
            return True
        begun |= isinstance(event, r.Deal | r.Irregularity)
    return False


def _burnt_in_play(judge: Bench) -> bool | None:
    """None: nothing was, in a log that may not tell it."""
    first = judge.deals[0].n if judge.deals else 0
    burnt = any(isinstance(e, r.Burn) and e.n > first for e in judge.round.events)
    return burnt or (False if judge.shoe.burns_recorded else None)


def duty(
    judge: Bench,
    action: str,
    done: bool | None,
    scene: SeenScene,
    message: str,
    actor: str = "casino",
) -> None:
    question = whether(actor, action)
    if not judge.engine.has(question):
        return
    answer = judge.engine.ask(question, scene)
    due = judge.demands(answer, scene)
    missing = (*answer.unknown, *answer.unchecked)
    asked = judge.engine.clauses_of(question)
    judge.verdict.tested.update(asked.difference([r.clause for r in (*missing, *answer.rules)]))
    for rule in missing:
        judge.not_checked(rule, rule.condition, scene)
    if due is False:
        return
    if done is None:
        for rule in answer.rules:
            judge.not_checked(rule, rule.condition, scene)
        return
    judge.verdict.tested.update(answer.clauses)
    if due is None:
        judge.undecided(f"whether the {actor} has to `{action}`", answer, scene, None)
    elif not done:
        rules = [rule for rule in answer.rules if rule.value == "must"]
        grounds = ground_words(judge.engine, rules[:1], scene, ())
        judge.find("R540", "integrity", f"{message}: {grounds}" if grounds else message, rules)


def _not_to_be_done(judge: Bench, kind: type[r.Event], action: str, scene: SeenScene) -> None:
    """What is recorded before the first card, where the text forbids it."""
    before = takewhile(lambda e: not isinstance(e, r.Deal), judge.round.events)
    event = next((e.n for e in before if isinstance(e, kind)), None)
    if event is None or not judge.engine.has(whether("casino", action)):
        return
    answer = judge.engine.ask(whether("casino", action), scene)
    if answer.permits is False and answer.rules:
        rules = [rule for rule in answer.rules if rule.value in BANS]
        message = f"`{action}` was done, and the text forbids it here"
        judge.find("R580", "integrity", message, rules, event)


def must_void(judge: Bench) -> None:
    """A round that had to be declared void, unless everybody got their money back anyway."""
    table, main = judge.table, judge.engine.mechanics.main
    given_back = bool(table.settled) and all(
        sum(e.returned for e in table.settled.get((box.number, hand.number, player, main), ()))
        == sum(stake for _, stake in parts)
        for box in table.in_play
        for hand in box.hands.values()
        for player, parts in hand.money.items()
    )
    unsettled = bool(table.in_play) and not table.settled
    done = None if unsettled and not table.void else table.void or given_back
    action = judge.engine.mechanics.roles["voids the round"]
    duty(judge, action, done, judge.scene(), "the round was not declared void")
    _must_void_hand(judge)


def _must_void_hand(judge: Bench) -> None:
    """Which hand it had to be the log need not tell: some hand was declared void, or given back."""
    table, main = judge.table, judge.engine.mechanics.main
    action = judge.engine.mechanics.roles["voids a hand"]
    if not judge.engine.has(whether("casino", action)) or table.void:
        return
    hands = [(box, hand) for box in table.in_play for hand in box.hands.values()]
    scenes = (judge.scene(box=box, hand=hand) for box, hand in hands)
    due = next((s for s in scenes if judge.engine.ask(whether("casino", action), s).demands), None)
    if due is None:
        return
    gone = any(
        box.void
        or hand.void
        or (
            (box.number, hand.number, player, main) in table.settled
            and sum(e.returned for e in table.settled[box.number, hand.number, player, main])
            == sum(stake for _, stake in parts)
        )
        for box, hand in hands
        for player, parts in hand.money.items()
    )
    done = None if not table.settled and not gone else gone
    duty(judge, action, done, due, "no hand was declared void")


def offers(judge: Bench) -> None:
    """What the rulebook itself has the dealer offer, to each player whom it concerns."""
    made = {e.what for e in judge.round.events if isinstance(e, r.Offer)}
    for name, action in judge.engine.rulebook.game.actions_of(DEALER).items():
        what = name.removeprefix(OFFER)
        if not action.own or what == name:
            continue
        for scene in wager_scenes(judge):
            message = f"`{what}` was not offered to {scene.player}"
            duty(judge, name, what in made, scene, message, DEALER)


def warnings(judge: Bench) -> None:
    """Owners of wagers under the minimum are to be told, in logs that record such a thing."""
    if not judge.engine.has(whether("casino", "warn")):
        return
    recorded = judge.shoe.warnings_seen or bool(judge.table.warned)
    for scene in wager_scenes(judge):
        told = scene.player in judge.table.warned or scene.player in judge.shoe.warned
        place = scene.box.number if scene.box is not None else 0
        message = f"{scene.player} was not told about the wager on box {place}"
        duty(judge, "warn", told if recorded else None, scene, message)


def wager_scenes(judge: Bench) -> Iterator[SeenScene]:
    """One for each main wager."""
    for box in judge.table.in_play:
        for bet in box.bets:
            if bet.event.bet == judge.engine.mechanics.main:
                yield judge.scene(
                    box=box,
                    player=bet.event.player,
                    stake=bet.event.stake,
                    wager=bet.event,
                    late=bet.after_first_card,
                    after_call=bet.after_call,
                    hand=box.hands.get(1),
                )


def player_scenes(judge: Bench) -> Iterator[SeenScene]:
    """One for each main wager, then one for each player whom the shoe remembers."""
    yield from wager_scenes(judge)
    present = {wager.player for box in judge.table.in_play for wager in box.main}
    for player in sorted(set(judge.shoe.idle) - present):
        yield judge.scene(player=player)


def act(
    judge: Bench, action: str, event: int | None, player: str | None = None, box: int | None = None
) -> None:
    question = whether("casino", action)
    if not judge.engine.has(question):
        return
    # Some acts concern one player, and the log may not say which: any will do.
    about = [
        s
        for s in player_scenes(judge)
        if (player is None or s.player == player)
        and (box is None or (s.box is not None and s.box.number == box))
    ]
    scenes = [judge.scene(), *about]
    if any(isinstance(e, r.CutCard) for e in judge.round.events):
        out = replace(judge.shoe, cut_card_out=True)  # acts at the end of the round count too
        scenes = [scene.but(shoe=out) for scene in scenes]
    refused: list[Rule] = []
    left_open: tuple[Answer, SeenScene] | None = None
    passed = False
    for scene in scenes:
        allowed, answer = judge.engine.allowed(question, scene)
        judge.verdict.tested.update(answer.clauses)
        for rule in (*answer.unknown, *answer.unchecked):
            judge.not_checked(rule, rule.condition, scene)
        may_be = any(rule.value in ("may", "must") for rule in answer.unchecked)
        passed |= allowed is True or (may_be and (scene.player is not None or not about))
        if allowed is None and answer.unknown and not contested(answer.unknown, scene):
            # not checked; but what only a player's scene can tell is not unknown for want of one
            passed |= scene.player is not None or not about
        elif allowed is None:
            left_open = left_open or (answer, scene)
        refused.extend(answer.rules)
    if passed:
        return
    if left_open is not None:
        judge.undecided(f"whether the casino may `{action}`", *left_open, event, of_leave=True)
        return
    banned, roles = any(rule.value in BANS for rule in refused), judge.engine.mechanics.roles
    voids = (roles["voids the round"], roles["voids a hand"])
    if action in voids and not judge.table.records and not banned:
        # the log names no ground, so it cannot be said that there was none
        for rule, _ in judge.engine.by_question[question]:
            judge.verdict.not_checked.setdefault(
                rule.clause, "the log does not say on what ground something was declared void"
            )
        return
    rules = refused or [n.rule for n in nearest(judge.engine, question, scenes[0])]
    judge.find(
        "R580",
        "integrity",
        f"`{action}` was done, and no clause allows it here",
        rules[:4],
        event,
        roles="comes near",
    )
