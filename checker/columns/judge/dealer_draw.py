"""The dealer's draw: whether a card is due, and whether a further one could change anything."""

from __future__ import annotations

import numpy as np

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge.facts import PART
from checker.columns.judge.further_cards import NO, PLAYERS_DONE, dealer_state, no_effect, on_hands
from checker.columns.judge.plays import OFFERS, offered, place_of
from checker.columns.judge.reasons import Reason
from checker.columns.judge.scene import (
    ONLY_SURRENDERED,
    needs_of,
    set_only_surrendered,
    set_scene,
    trouble,
)
from checker.columns.machine.compile import inlined, inner
from checker.columns.machine.units import unit
from checker.columns.rules import fact_groups as g
from checker.columns.rules.head import ASKS_DECIDED, DRAW_ALONE, DRAW_OPTIONS
from checker.columns.rules.looker import Looked
from checker.columns.rules.lookup import K_VALUE, ask, note
from checker.columns.rules.questions import Q_DRAW
from checker.columns.rules.said import EITHER
from checker.columns.slots import ORIGINAL, UNKNOWN, slot

NO_EFFECT = slot("dealer.no_effect")
HANDS_DECIDED = slot("dealer.hands_decided")
_OF_A_DRAW = frozenset(
    f"dealer.{name}"
    for name in (
        "cards",
        "total",
        "hard_total",
        "soft",
        "aces",
        "ten_cards",
        "first",
        "second",
        "no_effect",
        "players_done",
        "only_surrendered",
    )
)


def draws_alone(found: Looked) -> bool:
    """Whether a card is due follows from the dealer's hand and what the table offers."""
    return set(found.facts) <= _OF_A_DRAW | set(OFFERS) and not found.sums and not found.terms


@unit("nnnnii")
def draw(code, known, w, limits, done, ended):
    """0: the dealer was right to draw, or with `ended` right to stop."""
    w[PLAYERS_DONE] = done
    w[NO_EFFECT] = 0
    status = np.int64(0)
    if code[w[d.R_PERIOD] + ASKS_DECIDED]:
        status = on_hands(code, known, w, limits, 1)
        if status < 0:
            return status if status > NO else NO - status
        w[HANDS_DECIDED] = status
    status = judge_draw(code, known, w, limits, done, ended)
    w[HANDS_DECIDED] = 0
    return status


@inner
def judge_draw(code, known, w, limits, done, ended):
    status = 0
    if ended:
        due = ask_draw(code, known, w, limits, True)
        if due == 0 or due == EITHER:
            w[NO_EFFECT] = UNKNOWN
            w[PLAYERS_DONE] = 1
            return 0
        if due != 1 and due != UNKNOWN:
            return due
    status = no_effect(code, known, w, limits, ended)
    if status < 0:
        w[NO_EFFECT] = UNKNOWN
        return status if status > NO else NO - status
    w[NO_EFFECT] = status
    due = ask_draw(code, known, w, limits, False)
    w[NO_EFFECT] = UNKNOWN
    w[PLAYERS_DONE] = 1
    if due == UNKNOWN:
        return Reason.OPEN_DRAW
    if due < 0 or due > EITHER:
        return due
    if due == EITHER:
        return 0
    if ended:
        return Reason.STOPPED if due == 1 else 0
    return 0 if due == 1 else Reason.NOT_DUE


@inlined
def is_asked_again(known, at):
    return known[at + K_VALUE] == 1 or known[at + K_VALUE] == UNKNOWN


@inner
def ask_draw(code, known, w, limits, again):
    """1 a card is due, 0 none is, EITHER is right, UNKNOWN; else why it cannot be told. `again`:
    where one may be due it is asked again."""
    program = code[w[d.R_PERIOD] + Q_DRAW]
    needs = needs_of(code, w, Q_DRAW)
    w[ONLY_SURRENDERED] = 0
    if needs & g.ONLY_SURRENDERED and w[d.R_SURRENDERS]:
        kept = w[NO_EFFECT]
        status = set_only_surrendered(code, known, w, limits)
        if status < 0:
            return trouble(status, Q_DRAW)
        w[NO_EFFECT] = kept
    place = np.int64(0)
    if code[w[d.R_PERIOD] + DRAW_ALONE]:
        state = dealer_state(w) << 2 | w[NO_EFFECT] << 1 | w[ONLY_SURRENDERED]
        options = code[w[d.R_PERIOD] + DRAW_OPTIONS]
        place = place_of(w, state, offered(w, options, program))
        at = w[place + 2]
        if at >= 0:
            note(known, w, at, 0 if again and is_asked_again(known, at) else 1)
            return known[at + K_VALUE]
    if needs & ~g.ONLY_SURRENDERED:
        status = set_scene(code, known, w, limits, needs, 0, 0, -1, c.MAIN, ORIGINAL, 0, 0)
        if status < 0:
            return trouble(status, Q_DRAW)
    w[PART] = ORIGINAL
    at = ask(code, known, w, program)
    if at < 0:
        return trouble(at, Q_DRAW)
    if place:
        w[place + 2] = at
    note(known, w, at, 0 if again and is_asked_again(known, at) else 1)
    return known[at + K_VALUE]
