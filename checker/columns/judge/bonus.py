"""The Super Bonus: which wagers win it, what is due to each player, and whether it was paid."""

from __future__ import annotations

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge import scene as s
from checker.columns.judge.due_times import in_time
from checker.columns.judge.hands import hand_at, is_plain
from checker.columns.judge.reasons import ANSWERED, Reason
from checker.columns.judge.table import (
    KEY_BET,
    KEY_PLAYER,
    KEY_PLAYER_SHIFT,
    SUPER_BONUS,
    SUPER_BONUS_AMOUNT,
    wager_key,
)
from checker.columns.machine.compile import inner
from checker.columns.machine.units import unit
from checker.columns.rules.head import BONUS_IDLE, WINNER_RANKS
from checker.columns.rules.lookup import K_VALUE, ask, flags_of, is_ok, note
from checker.columns.rules.questions import Q_BONUS, Q_BONUS_TERM, Q_SETTLES_BONUS
from checker.columns.rules.said import PRICED
from checker.columns.slots import UNKNOWN

SUPER_BONUS_BET = c.SUPER_BONUS


@unit("nnnn")
def find_winners(code, known, w, limits):
    """Marks the wagers that win; the facts of the round follow from it."""
    needs = s.needs_of(code, w, Q_BONUS_TERM)
    program = code[w[d.R_PERIOD] + Q_BONUS_TERM]
    winners = 0
    ranks = code[w[d.R_PERIOD] + WINNER_RANKS]
    for k in range(w[d.R_AROUND]):
        box = w[d.AROUND + k]
        if not (w[d.R_NOT_DONE] >> box) & 1:
            continue
        for hand in range(1, w[d.B + box * d.BOX_WIDTH + d.B_HANDS] + 1):
            h = hand_at(box, hand)
            if ranks >= 0 and w[h + d.H_RANKS] != ranks:
                continue
            for j in range(w[h + d.H_RIDERS]):
                rider = h + d.H_RIDER + j * d.RIDER_WIDTH
                if w[rider + d.RIDER_DONE]:
                    continue
                player = w[rider + d.RIDER_PLAYER]
                status = s.set_scene(
                    code,
                    known,
                    w,
                    limits,
                    needs,
                    box,
                    hand,
                    player,
                    c.MAIN,
                    w[rider + d.RIDER_PART],
                    w[rider + d.RIDER_STAKE],
                    s.main_marks(w, box, player),
                )
                if status < 0:
                    return s.trouble(status, Q_BONUS_TERM)
                at = ask(code, known, w, program)
                if at < 0:
                    return s.trouble(at, Q_BONUS_TERM)
                note(known, w, at, 0)
                if known[at + K_VALUE] == UNKNOWN:
                    return Reason.BONUS
                if known[at + K_VALUE] == 1:
                    winners += 1
                    w[h + d.H_WINNERS] |= 1 << player
    if winners == 0:
        return 0
    if not w[d.R_ONE_BY_ONE]:
        return s.ONE_BY_ONE  # that somebody wins may matter to all wagers
    for k in range(w[d.R_AROUND]):
        box = w[d.AROUND + k]
        for hand in range(1, w[d.B + box * d.BOX_WIDTH + d.B_HANDS] + 1):
            for player in range(w[d.R_PLAYERS]):
                if (w[hand_at(box, hand) + d.H_WINNERS] >> player) & 1:
                    w[d.P + player * d.PLAYER_ROW + d.P_BONUS] = 1
    for k in range(w[d.R_BETS]):
        player = w[d.T + k * d.BET_ROW + d.T_PLAYER]
        if w[d.P + player * d.PLAYER_ROW + d.P_BOXES] == 0:
            return Reason.BONUS  # a clause may give something to who has side bets alone
    w[d.R_WINNERS] = winners
    w[d.R_STAMP] += 1
    w[SUPER_BONUS] = 1
    return price(code, known, w, limits)


@inner
def price(code, known, w, limits):
    """Whether some winner has an amount in the text."""
    needs = s.needs_of(code, w, Q_BONUS)
    program = code[w[d.R_PERIOD] + Q_BONUS]
    for k in range(w[d.R_AROUND]):
        box = w[d.AROUND + k]
        for hand in range(1, w[d.B + box * d.BOX_WIDTH + d.B_HANDS] + 1):
            h = hand_at(box, hand)
            for j in range(w[h + d.H_RIDERS]):
                rider = h + d.H_RIDER + j * d.RIDER_WIDTH
                player = w[rider + d.RIDER_PLAYER]
                if not (w[h + d.H_WINNERS] >> player) & 1:
                    continue
                status = s.set_scene(
                    code,
                    known,
                    w,
                    limits,
                    needs,
                    box,
                    hand,
                    player,
                    SUPER_BONUS_BET,
                    w[rider + d.RIDER_PART],
                    w[rider + d.RIDER_STAKE],
                    s.main_marks(w, box, player),
                )
                if status < 0:
                    return s.trouble(status, Q_BONUS)
                at = ask(code, known, w, program)
                if at < 0:
                    return s.trouble(at, Q_BONUS)
                note(known, w, at, 0)
                if flags_of(known, at) & PRICED:
                    w[SUPER_BONUS_AMOUNT] = 1
                    return 0
    return 0


@unit("nnnnni")
def bonuses(code, known, w, limits, amounts, first):
    """0: all is right about the bonus, but perhaps what the players got."""
    if w[d.R_WINNERS] == 0 and w[d.R_BONUS] > 0:
        w[d.R_DOUBTED] |= 1
    idle = w[d.R_WINNERS] == 0 and code[w[d.R_PERIOD] + BONUS_IDLE]
    for player in range(w[d.R_PLAYERS]):
        w[d.P + player * d.PLAYER_ROW + d.P_DUE] = 0
    needs = s.needs_of(code, w, Q_BONUS)
    program = code[w[d.R_PERIOD] + Q_BONUS]
    timed = 0
    for k in range(w[d.R_AROUND]):
        box = w[d.AROUND + k]
        if not (w[d.R_NOT_DONE] >> box) & 1:
            continue
        for hand in range(1, w[d.B + box * d.BOX_WIDTH + d.B_HANDS] + 1):
            h = hand_at(box, hand)
            if idle and is_plain(w, h):
                continue
            for j in range(w[h + d.H_RIDERS]):
                rider = h + d.H_RIDER + j * d.RIDER_WIDTH
                if w[rider + d.RIDER_DONE]:
                    continue
                player = w[rider + d.RIDER_PLAYER]
                stake = w[rider + d.RIDER_STAKE]
                status = s.set_scene(
                    code,
                    known,
                    w,
                    limits,
                    needs,
                    box,
                    hand,
                    player,
                    SUPER_BONUS_BET,
                    w[rider + d.RIDER_PART],
                    stake,
                    s.main_marks(w, box, player),
                )
                if status < 0:
                    return s.trouble(status, Q_BONUS)
                at = ask(code, known, w, program)
                if at < 0:
                    return s.trouble(at, Q_BONUS)
                if not is_ok(known, at):
                    return ANSWERED + Q_BONUS
                amount = known[at + K_VALUE]
                note(known, w, at, 1 if amount >= 0 else 0)
                if amount >= 0:
                    w[d.P + player * d.PLAYER_ROW + d.P_DUE] += amount
                    status = paid_in_time(code, known, w, limits, box, hand, player, stake)
                    if status != 0:
                        return status
                    timed += times_paid(w, box, hand, player)
    if timed != w[d.R_BONUS] and code[w[d.R_PERIOD] + Q_SETTLES_BONUS] != -1:
        return Reason.BONUS  # paid at another wager than the one it is due to
    for k in range(w[d.R_SETTLED]):
        key = w[d.Z + d.Z_WIDTH * k]
        if key & KEY_BET == SUPER_BONUS_BET:
            player = (key >> KEY_PLAYER_SHIFT) & KEY_PLAYER
            w[d.P + player * d.PLAYER_ROW + d.P_DUE] -= amounts[first + w[d.Z + d.Z_WIDTH * k + 1]]
    for player in range(w[d.R_PLAYERS]):
        if w[d.P + player * d.PLAYER_ROW + d.P_DUE] != 0:
            w[d.R_DOUBTED] |= 1
    return 0


@inner
def is_of(key, box, hand, player):
    """Whether a settlement is that of the bonus of a wager."""
    return key == wager_key(box, hand, player, SUPER_BONUS_BET)


@inner
def times_paid(w, box, hand, player):
    times = 0
    for k in range(w[d.R_SETTLED]):
        times += is_of(w[d.Z + d.Z_WIDTH * k], box, hand, player)
    return times


@inner
def paid_in_time(code, known, w, limits, box, hand, player, stake):
    for k in range(w[d.R_SETTLED]):
        if is_of(w[d.Z + d.Z_WIDTH * k], box, hand, player):
            status = in_time(
                code,
                known,
                w,
                limits,
                Q_SETTLES_BONUS,
                box,
                hand,
                player,
                SUPER_BONUS_BET,
                stake,
                w[d.Z + d.Z_WIDTH * k + 1],
            )
            if status != 0:
                return status
    return 0
