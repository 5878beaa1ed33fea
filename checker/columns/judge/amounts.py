"""How much of a wager counts, the amount that a rule names, and winnings as they can be paid."""

from __future__ import annotations

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge import facts as f
from checker.columns.judge.reasons import Reason
from checker.columns.machine.compile import inner
from checker.columns.rules.head import ASKED_AS, COUNTED_IDLE
from checker.columns.rules.lookup import K_FORMULA, K_VALUE, UNSAYABLE, flags_of, is_ok, note
from checker.columns.rules.said import CAP_SHIFT, UNCHECKED
from checker.columns.slots import UNKNOWN

NOT_KNOWN = -(2**62)


@inner
def formula(code, w, at):
    """The amount that a rule names, NOT_KNOWN when a fact of it is not known; and where it ends."""
    value = code[at]
    parts = code[at + 1]
    at += 2
    known = True
    for _ in range(parts):
        one = w[code[at]]
        known = known and one != UNKNOWN
        value += one * code[at + 1]
        at += 2
    return (value if known else NOT_KNOWN), at


@inner
def within_limits(code, w, limits, box, bet, stake):
    """All of the wager counts: it is within the limits, and no rule then says otherwise."""
    period = w[d.R_PERIOD]
    if not code[period + COUNTED_IDLE + code[period + ASKED_AS + bet]]:
        return False
    row = w[d.R_LIMITS] * c.LIMIT_WIDTH
    base = row + c.LIMIT_FIELDS * f.measured_by(bet)
    low = limits[base + c.LIMIT_MIN]
    most = limits[base + c.LIMIT_MAX]
    stated = limits[row + c.BOX_MAX + box] >= 0
    return low >= 0 and stake >= low and most >= 0 and stake <= most and not stated


@inner
def counted_stake(code, known, w, at, bet, stake):
    """How much of the wager is in play, by the answer `at`; below 0: it is missing, or clauses give
    several amounts."""
    if at < 0:
        return at
    if not is_ok(known, at):
        return UNSAYABLE
    counted = stake
    place = known[at + K_FORMULA]
    if place >= 0:
        terms = code[place]
        place += 1
        caps = flags_of(known, at) >> CAP_SHIFT
        base = stake  # as it is deemed to be
        told = NOT_KNOWN
        for k in range(terms):
            value, place = formula(code, w, place)
            if k == terms - caps:
                base = counted
                told = NOT_KNOWN
            if value == NOT_KNOWN:
                continue
            if k >= terms - caps:
                value = min(base, value)
            if told != NOT_KNOWN and told != value:
                return UNSAYABLE
            told = value
            counted = value
    note(known, w, at, 1 if counted != stake and bet == c.MAIN else 0)
    return counted if counted >= 0 else UNSAYABLE


@inner
def rounded(code, known, w, at, won, under):
    """Winnings of `won` / `under` as they can be paid; the fraction, and below 0 a reason. `at`:
    the answer to how they are rounded."""
    if at < 0:
        return at, under
    if not is_ok(known, at):
        return -100 - Reason.ROUNDING, under
    note(known, w, at, 0)
    direction = known[at + K_VALUE]
    place = known[at + K_FORMULA]
    if place < 0:
        chip = w[f.LIMIT_CHIP]
        if (
            flags_of(known, at) & UNCHECKED
            and chip != UNKNOWN
            and chip > 0
            and won % (chip * under) != 0
        ):
            return -100 - Reason.ROUNDING, under
        return won, under
    unit, place = formula(code, w, place + 1)
    if unit <= 0:  # NOT_KNOWN too
        return won, under
    whole = won // (unit * under)
    if direction == 2 and won % (unit * under) != 0:
        whole += 1
    return unit * whole, 1
