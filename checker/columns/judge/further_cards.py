"""Whether a further card of the dealer could change what any wager gets (`no_effect`)."""

from __future__ import annotations

import numpy as np

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge.hands import (
    DEALER_ACES,
    DEALER_CARDS,
    DEALER_SECOND,
    DEALER_TENS,
    DEALER_TOTAL,
    dealer_totals,
    hand_at,
)
from checker.columns.judge.made import fill_made
from checker.columns.judge.reasons import Reason
from checker.columns.judge.results import ask_result, set_key
from checker.columns.judge.scene import needs_of, set_scene, trouble
from checker.columns.machine.compile import inlined, inner
from checker.columns.machine.units import unit
from checker.columns.rules import fact_groups as g
from checker.columns.rules.head import (
    ALWAYS_SHIFT,
    ASKED_AS,
    DEEPEST,
    END_STATES,
    ENDS,
    ENDS_ASK,
    ENDS_BY,
    OWN,
)
from checker.columns.rules.lookup import (
    CLAUSE_SHIFT,
    K_ANSWER,
    K_VALUES,
    LACKS,
    ask,
    flags_of,
    mixed,
    note,
)
from checker.columns.rules.questions import Q_RESULT
from checker.columns.rules.said import DECIDED, INTERIM, OPEN, SAYS_VOID
from checker.columns.slots import ORIGINAL, slot

PLAYERS_DONE = slot("dealer.players_done")
DEALER_SOFT = slot("dealer.soft")
DEALER_FIRST = slot("dealer.first")
NO = -100  # - reason
GAVE_UP_SHIFT, WHICH_ENDS_SHIFT = 40, 41  # above the dealer's hand
CLUBS = c.SUIT_CODES["C"]  # the suit of cards that are only thought of
STEP = 0x9E3779B97F4B  # spreads the bits of the dealer's hand


@inner
def which_ends(code, w):
    """Which of the lists of ends hold, by the bets that the draw asks about."""
    which = np.int64(0)
    for k in range(ENDS_ASK):
        asked = code[w[d.R_PERIOD] + ENDS_BY + k]
        if asked and w[asked]:
            which |= 1 << k
    return which


@inner
def ends_of(code, w):
    """Where the list of ends stands to which further cards can lead from here; -1 unknown."""
    ends = w[d.R_PERIOD] + ENDS + END_STATES * which_ends(code, w)
    if w[DEALER_CARDS] == 1:
        return code[ends + w[DEALER_FIRST]]
    total = min(w[DEALER_TOTAL], 22)  # whatever is over leads to the same
    return code[ends + 13 + 23 * w[DEALER_SOFT] + total]


@inlined
def dealer_state(w):
    """The dealer's hand as far as any result or the draw looks at it."""
    return (
        w[PLAYERS_DONE]
        | w[DEALER_SOFT] << 1
        | w[DEALER_CARDS] << 2
        | w[DEALER_ACES] << 7
        | w[DEALER_TENS] << 12
        | w[DEALER_TOTAL] << 17
        | w[DEALER_FIRST] << 25
        | w[DEALER_SECOND] << 30
    )


@inner
def differs(code, known, w, limits, question, firmly, now, box, hand, rider, part, needs):
    """1: some end of the dealer's hand changes the answer `now`. `rider` 0: insurance, and the
    scene stands already. `firmly`: to an answer that the text does not leave open, and 2 where it
    leaves open whether such an end is drawn to."""
    w[d.R_LACKED] = 0
    if flags_of(known, now) & OPEN:
        return 1
    values = known[now + K_VALUES]
    ends = ends_of(code, w)
    if ends < 0:
        return NO - Reason.NO_ENDS
    cards = w[DEALER_CARDS]
    tens = w[DEALER_TENS]
    aces = w[DEALER_ACES]
    second = w[DEALER_SECOND]
    hard = w[d.D_HARD]
    flexible = w[d.D_FLEXIBLE]
    found = 0
    for k in range(code[ends]):
        end = ends + 2 + 6 * k  # cards, points, tens, aces, may be eleven, first card
        w[DEALER_CARDS] = cards + code[end]
        w[DEALER_TENS] = tens + code[end + 2]
        w[DEALER_ACES] = aces + code[end + 3]
        if cards == 1:
            w[DEALER_SECOND] = code[end + 5]
        dealer_totals(w, hard + code[end + 1], flexible | code[end + 4])
        if rider > 0:
            at = ask_result(code, known, w, limits, box, hand, rider, part)
        else:
            if needs >> g.MADE_SHIFT:
                w[d.D_CODE + cards] = code[end + 5] << 2 | CLUBS
                fill_made(code, known, w, needs, box, hand)
            at = ask(code, known, w, code[w[d.R_PERIOD] + question])
        if at < 0:
            found = trouble_no(at, question)
            break
        note(known, w, at, 0)
        w[d.R_LACKED] |= (known[at + K_ANSWER] >> CLAUSE_SHIFT) & LACKS
        if known[at + K_VALUES] != values and (not firmly or flags_of(known, at) & DECIDED):
            found = 2 if firmly and k >= code[ends + 1] else 1
            break
    if found == 0 and not firmly and not flags_of(known, now) & DECIDED:
        # whether it is the same that is left open, the rules have to say
        found = NO - Reason.OPEN_DRAW
    w[DEALER_CARDS] = cards
    w[DEALER_TENS] = tens
    w[DEALER_ACES] = aces
    w[DEALER_SECOND] = second
    dealer_totals(w, hard, flexible)
    return found


@inner
def trouble_no(at, question):
    found = trouble(at, question)
    return found if found < 0 else NO - found


@inlined
def moved_place(w, key, state):
    """Where it is noted whether a wager with this key is open."""
    spread = mixed(w[key] ^ state * STEP, w[key + 1])
    return d.MOVED + np.int64(spread & np.uint64((1 << d.MOVED_BITS) - 1)) * d.MOVED_WIDTH


@inlined
def is_noted(w, place, key, state):
    return w[place + 2] == state and w[place] == w[key] and w[place + 1] == w[key + 1]


@unit("nnnniiiiiiii")
def find_open(
    code, known, w, limits, void_is_closed, state, box, hand, rider, part, gave_up, noted
):
    """1: a further card can change what the main wager gets, or it would be void. 2: as `differs`
    has it."""
    key = rider + d.RIDER_KEYS + part * d.KEY_WIDTH
    keeps = w[key + 2] == w[d.R_STAMP]
    if keeps:
        at = ask_result(code, known, w, limits, box, hand, rider, part)
    else:
        at = ask(code, known, w, code[w[d.R_PERIOD] + Q_RESULT])
    if at < 0:
        return trouble_no(at, Q_RESULT)
    note(known, w, at, 0)
    w[d.R_LACKED] = 0
    flags = flags_of(known, at)
    found = np.int64(0)
    if not void_is_closed and flags & SAYS_VOID and not gave_up:
        found = np.int64(1)
    elif not flags & INTERIM:
        found = np.int64(
            differs(code, known, w, limits, Q_RESULT, void_is_closed, at, box, hand, rider, part, 0)
        )
    lacked = w[d.R_LACKED] | (known[at + K_ANSWER] >> CLAUSE_SHIFT) & LACKS
    if keeps and found >= 0 and not lacked:  # what the log lacks has to be noted again
        w[noted] = w[key]
        w[noted + 1] = w[key + 1]
        w[noted + 2] = state
        w[noted + 3] = found
    return found


@inlined
def is_open(code, known, w, limits, void_is_closed, state, box, hand, rider, part):
    """`find_open`, which is the same for the same key of the result and hand of the dealer."""
    key = rider + d.RIDER_KEYS + part * d.KEY_WIDTH
    if w[key + 2] != w[d.R_STAMP]:
        status = set_key(code, known, w, limits, box, hand, rider, part)
        if status < 0:
            return trouble_no(status, Q_RESULT)
    gave_up = (w[hand_at(box, hand) + d.H_FORFEITED] >> w[rider + d.RIDER_PLAYER]) & 1
    state |= gave_up << GAVE_UP_SHIFT
    noted = moved_place(w, key, state)
    beside = d.MOVED + ((noted - d.MOVED) ^ d.MOVED_WIDTH)  # in the same line of the cache
    if w[key + 2] == w[d.R_STAMP]:
        if is_noted(w, noted, key, state):
            return w[noted + 3]
        if is_noted(w, beside, key, state):
            return w[beside + 3]
    if w[noted + 2] != 0 and w[beside + 2] == 0:
        noted = beside
    return find_open(
        code, known, w, limits, void_is_closed, state, box, hand, rider, part, gave_up, noted
    )


@unit("nnnni")
def no_effect(code, known, w, limits, void_is_closed):
    """As in `checker.evaluate.dealer_draw`: 1 no further card can change what any open wager gets.
    Below 0 where that cannot be told, or where the text leaves it open."""
    if code[w[d.R_PERIOD] + Q_RESULT] < 0:
        return trouble_no(code[w[d.R_PERIOD] + Q_RESULT], Q_RESULT)
    found = on_hands(code, known, w, limits, void_is_closed)
    if found == 1 and w[d.R_INSURED]:
        found = insurance_closed(code, known, w, limits, void_is_closed)
    if found == 1 and code[w[d.R_PERIOD] + OWN]:
        found = beside_hands(code, known, w, limits, void_is_closed)
    return found


@unit("nnnni")
def beside_hands(code, known, w, limits, void_is_closed):
    """The same of bets that lie beside the hands."""
    left_open = False
    held = w[DEALER_CARDS]
    for k in range(w[d.R_BETS]):
        t = d.T + k * d.BET_ROW
        bet = w[t + d.T_BET]
        if bet == c.MAIN:
            continue
        deepest = code[w[d.R_PERIOD] + DEEPEST + bet]
        always = deepest >> ALWAYS_SHIFT == 1
        deepest &= (1 << ALWAYS_SHIFT) - 1 if deepest >= 0 else -1
        if deepest < 0 or (deepest < held and not always):
            continue
        if deepest > held:
            return NO - Reason.OPEN_DRAW
        question = Q_RESULT + code[w[d.R_PERIOD] + ASKED_AS + bet]
        needs = needs_of(code, w, question)
        box = w[t + d.T_BOX]
        status = set_scene(
            code,
            known,
            w,
            limits,
            needs,
            box,
            1,
            w[t + d.T_PLAYER],
            bet,
            ORIGINAL,
            w[t + d.T_STAKE],
            w[t + d.T_MARKS],
        )
        if status < 0:
            return trouble_no(status, question)
        now = ask(code, known, w, code[w[d.R_PERIOD] + question])
        if now < 0:
            return trouble_no(now, question)
        note(known, w, now, 0)
        found = differs(code, known, w, limits, question, void_is_closed, now, box, 1, 0, 0, needs)
        if found == 1:
            return 0
        if found < 0:
            return found
        left_open |= found == 2
    return NO - Reason.OPEN_DRAW if left_open else 1


@unit("nnnni")
def on_hands(code, known, w, limits, void_is_closed):
    """The same of main wagers alone."""
    state = dealer_state(w) << 2 | void_is_closed << 1 | 1
    state |= which_ends(code, w) << WHICH_ENDS_SHIFT
    left_open = False
    for k in range(w[d.R_AROUND]):
        box = w[d.AROUND + k]
        b = d.B + box * d.BOX_WIDTH
        for hand in range(1, w[b + d.B_HANDS] + 1):
            h = hand_at(box, hand)
            for j in range(w[h + d.H_RIDERS]):
                rider = h + d.H_RIDER + j * d.RIDER_WIDTH
                for part in range(1 + (w[rider + d.RIDER_DOUBLE] >= 0)):
                    found = is_open(
                        code, known, w, limits, void_is_closed, state, box, hand, rider, part
                    )
                    if found == 1:
                        return 0
                    if found < 0:
                        return found
                    left_open |= found == 2
    return NO - Reason.OPEN_DRAW if left_open else 1


@unit("nnnni")
def insurance_closed(code, known, w, limits, void_is_closed):
    question = Q_RESULT + c.INSURANCE
    needs = needs_of(code, w, question)
    left_open = False
    for k in range(w[d.R_INSURED]):
        at = d.S + k * d.INSURED_ROW
        status = set_scene(
            code,
            known,
            w,
            limits,
            needs,
            w[at + d.S_BOX],
            0,
            w[at + d.S_PLAYER],
            c.INSURANCE,
            ORIGINAL,
            0,
            0,
        )
        if status < 0:
            return trouble_no(status, question)
        now = ask(code, known, w, code[w[d.R_PERIOD] + question])
        if now < 0:
            return trouble_no(now, question)
        note(known, w, now, 0)
        found = differs(code, known, w, limits, question, void_is_closed, now, 0, 0, 0, 0, 0)
        if found == 1:
            return 0
        if found < 0:
            return found
        left_open |= found == 2
    return NO - Reason.OPEN_DRAW if left_open else 1
