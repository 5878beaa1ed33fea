"""Violations in what a rulebook declares: cards face down, looks at them, actions of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from checker.log import model as r
from checker.simulate.fault import Fault, Kind
from checker.simulate.roles import own_plays
from checker.simulate.round import RoundMaker
from checker.simulate.setup import broken
from checker.table.mechanics import Mechanics
from checker.table.state import Box, Hand
from rulespec.resolve.rulebook import Rule
from rulespec.tree import game as g


def _of_card(maker: RoundMaker, **facts: Any) -> list[Rule]:
    """What is required of a card that is dealt now, and not kept."""
    deal = {
        "rank": "5",
        "copies": 1,
        "initial": False,
        "to_dealer": False,
        "in_turn": True,
        "hands_in_turn": True,
        "call_made": True,
        "down": False,
        "asked_for": True,
        **facts,
    }
    to_box = None if deal["to_dealer"] else maker.table.in_play[0]
    scene = maker.scene(deal=deal, box=to_box, hand=to_box.hands.get(1) if to_box else None)
    return [
        *broken(maker.engine, "card", scene),
        *broken(maker.engine, "deal", scene),
    ]


def _face_up(fault: Fault, maker: RoundMaker, box: int, down: bool) -> bool:
    if not down:
        return down
    told = {"initial": True, "to_dealer": box == r.DEALER}
    right = _of_card(maker, down=True, **told)
    wrong = [rule for rule in _of_card(maker, **told) if rule not in right]
    return not fault.report("R530", wrong)


def _not_looked_at(fault: Fault, maker: RoundMaker) -> bool:
    return fault.report("R530", _of_card(maker))


def _goes_on(fault: Fault, maker: RoundMaker) -> bool:
    maker.table.over = True
    maker.table.forget()
    return fault.report("R530", _of_card(maker))


def _turned_early(fault: Fault, maker: RoundMaker, boxes: list[Box]) -> list[Box]:
    if any(dealt.down for dealt in maker.effective):
        scene = maker.scene(deal={"to_dealer": True, "players_done": False, "initial": False})
        if fault.report("R530", broken(maker.engine, "reveal", scene)):
            maker.emit(r.Reveal(r.DEALER, n=maker.n))
    return boxes


def _looked_at(fault: Fault, maker: RoundMaker, boxes: list[Box]) -> list[Box]:
    if any(dealt.down for dealt in maker.effective) and not maker.table.peeked:
        scene = maker.scene(deal={"to_dealer": True, "players_done": False, "initial": False})
        if fault.report("R530", broken(maker.engine, "peek", scene)):
            maker.emit(r.Peek(n=maker.n))
    return boxes


def _own_play(fault: Fault, maker: RoundMaker, box: Box, hand: Hand) -> str:
    """Something that only this rulebook knows, where it is not allowed."""
    player = box.decider
    for do in maker.own_plays:
        does = maker.engine.mechanics.plays[do]
        if player is None or does.splits:
            continue
        stake = box.original(player) if does.adds is not None or does.places is not None else None
        play = r.Play(box.number, hand.number, player, do, stake, n=maker.n)
        ruling = maker.ruling(play)
        if ruling.allowed is False and (found := ruling.breaches()):
            fault.found += found
            maker.emit(play)
            for _ in range(does.cards):
                maker.deal(box.number, hand.number, down=does.face_down)
            return "again"
    return ""


def _face_down(game: g.Game) -> bool:
    return any(step.face_down for deal in game.deals for step in deal.steps)


def _own_plays(game: g.Game) -> bool:
    return bool(own_plays(Mechanics(game)))


def _kind(name: str, moment: str, act: Callable[..., Any], *aims: str) -> Kind:
    return Kind(name, moment, act, aims or ("none",), possible=_face_down, face_down=True)


KINDS = (
    _kind("card_face_up", "face", _face_up),
    _kind("card_not_looked_at", "look", _not_looked_at, "ten_up", "ace_up"),
    _kind("played_on_after_the_end", "end", _goes_on, "insured"),
    _kind("turned_too_early", "boxes", _turned_early),
    _kind("looked_at_without_reason", "boxes", _looked_at, "low", "none"),
    Kind("own_action_not_allowed", "turn", _own_play, possible=_own_plays),
)
