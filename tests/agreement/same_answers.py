"""What the bare evaluator says of a round, without any memory of what it was asked before.

Two texts of the same meaning say the same of every lawful round: to each question that the judge
asks of it, and to each choice that a player had where one was made. Gaps and clashes count.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Any

from checker.diff.classes import NOTHING
from checker.diff.options import dealer_outcome, option_outcome
from checker.diff.settlements import asked, outcome_of, told
from checker.evaluate.engine import Engine
from checker.evaluate.scene import SeenScene
from checker.judge.judge import Judge
from checker.log import model as r
from checker.log.decode import DecodeError, decode_round
from checker.log.model import Round
from checker.scenarios.scenarios import load_scenarios, scenario_path
from checker.simulate.simulate import simulate
from checker.table.shoes import ShoeView
from checker.table.state import Hand
from rulespec.load.load import shipped
from rulespec.resolve.rulebook import Rulebook

BREACHES = ("R510", "R511", "R512", "R520", "R521", "R530")
Said = dict[tuple[Any, ...], Any]


class Listening(Judge):
    """A judge that also asks for each choice that was not made."""

    def __init__(self, engine: Engine, round_: Round) -> None:
        engine.asked = {}  # nothing is recalled
        super().__init__(engine, round_, ShoeView())
        self.said: Said = {}

    def _judge_play(self, event: r.Play, hand: Hand) -> bool | None:
        box = self.table.box(event.box)
        scene = self.scene(
            box=box,
            hand=hand,
            player=event.player,
            stake=box.original(event.player),
            part=hand.part_of(event.player),
        )
        mechanics = self.engine.mechanics
        for action in mechanics.usual_plays:
            play = replace(event, do=mechanics.word_for(action))
            outcome, _ = option_outcome(self.engine, action, scene.but(play=play))
            self.said["may", action, event.n, event.box, event.hand, event.player] = outcome
        return super()._judge_play(event, hand)


def said(engine: Engine, round_: Round) -> tuple[Said, int | None]:
    """All that a text says of a round, in a shape that does not depend on clause numbers, and the
    event at which the round is no longer what the text allows, whatever was paid."""
    judge = Listening(engine, round_)
    verdict = judge.run()
    found = judge.said
    for one in verdict.decisions:
        place = (one.box, one.hand, one.player, one.bet, one.part)
        scene: SeenScene = one.scene
        match one.subject:
            case "result":
                found["wager", *place] = asked(engine, one.bet or "main", scene)[0]
                settles = engine.ask(f"{one.bet}.settles", scene)
                found["settles", *place] = outcome_of(told(settles))
            case "bonus":
                bonus = asked(engine, "super_bonus", scene)[0]
                if bonus != NOTHING:  # of a bonus of $0 a text may also be silent
                    found["bonus", *place] = bonus
            case "dealer draws":
                found["dealer", len(scene.dealer)] = dealer_outcome(engine, scene)[0]
            case _:
                pass
    found["due",] = {k: v for k, v in verdict.expected.items() if v != 0 or k[3] != "super_bonus"}
    found["findings",] = {
        (f.code, f.event, f.box, f.hand, f.player, f.bet, f.expected, f.actual)
        for f in verdict.findings
    }
    breaches = [f.event or 0 for f in verdict.findings if f.code in BREACHES]
    return found, min(breaches, default=None)


def differ(
    old: tuple[Said, int | None], new: tuple[Said, int | None]
) -> list[tuple[Any, Any, Any]]:
    """What two texts say otherwise of a round; of one that they do not allow, only the choices
    on the way there."""
    was, becomes = old[0], new[0]
    ends = [event for event in (old[1], new[1]) if event is not None]
    if ends:
        return [
            (key, was[key], becomes[key])
            for key in was
            if key[0] == "may" and key[2] < min(ends) and was[key] != becomes.get(key, was[key])
        ]
    keys = dict.fromkeys([*was, *becomes])
    return [(k, was.get(k), becomes.get(k)) for k in keys if was.get(k) != becomes.get(k)]


def scenario_rounds(name: str, book: Rulebook) -> list[Round]:
    return [s.round for s in load_scenarios(scenario_path(shipped()[name]), book)]


def simulated_rounds(book: Rulebook, count: int, seed: int) -> Iterator[Round]:
    for made in simulate(book, count, seed):
        yield decode_round(json.loads(made.text, parse_float=Decimal))


RANKS = "A23456789TJQK"


def shaken(round_: Round, rng: Random) -> Round | None:
    """A round with some cards, stakes or options changed; None where that is no round."""
    events = list(round_.events)
    options = set(round_.options)
    for _ in range(rng.randint(1, 3)):
        n = rng.randrange(len(events))
        event = events[n]
        match event:
            case r.Deal() if len(event.card) == 2:
                rank = rng.choice(RANKS) if rng.random() < 0.8 else event.card[0]
                events[n] = replace(event, card=rank + rng.choice("SHDC"))
            case r.Wager():
                events[n] = replace(
                    event,
                    stake=max(
                        50,
                        event.stake
                        + rng.choice((-500, -100, -50, 50, 100, 500, 1400, 1450, 1500, 2000)),
                    ),
                )
            case _ if rng.random() < 0.2:
                name = rng.choice(("resplit", "tournament", "low_limit", "automatic_shuffler"))
                options ^= {name}
            case _:
                pass
    try:
        return replace(round_, events=tuple(events), options=frozenset(options))
    except (DecodeError, ValueError):
        return None
