"""The requirements of a deal, asked for each card: most cards are dealt like others before them."""

from __future__ import annotations

from typing import Final

import numpy as np

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge import facts as f
from checker.columns.judge import quiet, table
from checker.columns.judge import scene as s
from checker.columns.judge.hands import CARD_INITIAL, DEALER_FIRST, OVER, PEEKED, hand_at
from checker.columns.judge.made import made
from checker.columns.judge.reasons import ANSWERED
from checker.columns.machine.compile import inlined, inner
from checker.columns.machine.units import unit
from checker.columns.rules.head import DEAL_LOOKS, DEAL_MADE, MADE_AT
from checker.columns.rules.looker import Looked
from checker.columns.rules.lookup import NOT_THERE, ask, is_ok, is_quiet, mixed, note
from checker.columns.rules.made_facts import most_of
from checker.columns.rules.questions import Q_DEAL
from checker.columns.rules.settings import Settings
from checker.columns.slots import ORIGINAL, UNKNOWN, slot

CARD_RANK = slot("card.rank")
CARD_COPIES = slot("card.copies")
IN_TURN = slot("deal.in_turn")
DEAL_INITIAL = slot("deal.initial")
TO_DEALER_FACT = slot("deal.to_dealer")
HANDS_IN_TURN = slot("deal.hands_in_turn")
FACE_DOWN = slot("deal.face_down")

# Facts that are not the same for all cards of a round, with the bits of `dealt_like` for them.
OF_A_DEAL: Final = {
    "card.copies": 7,
    "deal.in_turn": 1 << 3,
    "deal.hands_in_turn": 1 << 4,
    "deal.initial": 1 << 5,
    "deal.to_dealer": 1 << 6,
    "box.has_main": 1 << 6,
    "card.position": 31 << 7,
    "hand.cards": 31 << 7,
    "card.rank": 15 << 12,
    "hand.split": 15 << 16,
    "hand.split_aces": 15 << 16,
    "hand.split_tens": 15 << 16,
    "hand.doubled": 1 << 20,
    "card.held_when_doubled": 1 << 21,
    "hand.number": 7 << 22,
    "box.players": 15 << 25,
    "dealer.missed_first": 1 << 29,
    "deal.face_down": 1 << 30,
    "dealer.peeked": 1 << 31,
    "round.over": 1 << 32,
    "deal.boxes_dealt": 1 << 33,
    "dealer.first": 15 << 34,
    "hand.double_card_dealt": 1 << 38,
}
MADE_SHIFT: Final = 39  # then what rules make of cards, of which one can be told
MADE_MOST: Final = 7
DEALER_FIRST_SHIFT: Final = 34
MISSED_FIRST: Final = OF_A_DEAL["dealer.missed_first"]
_COPIES: Final = ((("card.copies", 1), ("round.decks", -1)), {-1, 0, 1})
_SAME = (
    "option ",
    "shoe.",
    "approved ",
    "round.",
    "anybody has ",
    "deal.call_made",
    "card.initial",
)


def made_of(found: Looked) -> list[str]:
    """What a question looks at of what rules make of cards by position."""
    return [name for name in found.facts if name.startswith("made ")]


def changes_with_deals(found: Looked) -> frozenset[str]:
    """The facts that are not the same for all cards of a round."""
    return frozenset(OF_A_DEAL) | {*made_of(found)}


def deal_looks(found: Looked, settings: Settings | None) -> int:
    """Bits of what a question looks at; 0: at more than a deal is told by."""
    made = made_of(found)
    if len(made) > 1:
        return 0
    if settings is not None and any(most_of(one) >= MADE_MOST for one in settings.made_in(made)):
        return 0
    for name, tests in found.facts.items():
        if name not in OF_A_DEAL and not name.startswith((*_SAME, "made ")):
            return 0
        if name == "card.copies" and tests:
            return 0
    for parts, tests in found.sums.items():
        names = {name for name, _ in parts}
        if names & set(OF_A_DEAL) and (
            parts != _COPIES[0] or not {constant for _, constant in tests} <= _COPIES[1]
        ):
            return 0
    bits = [bits for name, bits in OF_A_DEAL.items() if name in found.facts]
    bits += [MADE_MOST << MADE_SHIFT] * len(made)
    return int(np.bitwise_or.reduce([7 | 15 << 3, *bits]))


@inlined
def dealt_like(box, held, card, over, in_turn, hands_in_turn, initial, number):
    """What tells this card from others of the round. `over`: copies of it beyond the decks."""
    return (
        (0 if over < -1 else min(over, 2) + 2)
        | in_turn << 3
        | hands_in_turn << 4
        | initial << 5
        | np.int64(box == 0) << 6
        | (held + 1) << 7
        | (card >> 2) << 12
        | number << 22
    )


@inlined
def dealt_to(split, doubled, held):
    """The same of a hand that is split or doubled."""
    return split << 16 | np.int64(doubled > 0) << 20 | np.int64(doubled > held) << 21


@inlined
def dealt_when(w, down):
    """The same of where cards may lie face down."""
    return np.int64(down) << 30 | w[PEEKED] << 31 | w[OVER] << 32 | w[table.BOXES_DEALT] << 33


@inlined
def dealt_beside(code, w, looks, box, hand):
    """The same of cards that lie there already."""
    like = np.int64(0)
    if looks >> DEALER_FIRST_SHIFT:
        like = (w[DEALER_FIRST] & 15) << DEALER_FIRST_SHIFT
        if hand > 0:
            h = hand_at(box, hand)
            like |= np.int64(0 < w[h + d.H_DOUBLED] < w[h + d.H_CARDS]) << (MADE_SHIFT - 1)
        if looks >> MADE_SHIFT:
            number = code[w[d.R_PERIOD] + DEAL_MADE]
            value = made(code, w, code[w[d.R_PERIOD] + MADE_AT + number], box, hand)
            like |= (value & MADE_MOST) << MADE_SHIFT  # what is not known is the highest
    return like


@inlined
def missed_first(w, looks):
    """The same of a round in which the dealer began too late."""
    return np.int64(s.missed_first(w)) << 29 if looks & MISSED_FIRST else np.int64(0)


@inlined
def place_of(w, like):
    """Where the answer for such a card is noted."""
    place = mixed(w[d.R_DEAL_FIRST], like) & np.uint64((1 << d.DEALT_BITS) - 1)
    return d.DEALT + np.int64(place) * d.DEALT_WIDTH


@inlined
def as_before(w, looks, like):
    """A card was dealt like this one before, and there was nothing to it."""
    word = quiet.word_for(w[d.R_DEAL_KIND], like)
    place = quiet.place_of(d.QUIET_DEALS, d.QUIET_DEAL_BITS, word)
    return looks != 0 and quiet.is_noted(w, place, word)


@inner
def noted_at(w, place, like):
    """Where the answer stands, -1 when that is not known."""
    if (
        w[place] == w[d.R_DEAL_FIRST]
        and w[place + 1] == w[d.R_DEAL_SECOND]
        and w[place + 2] == like
    ):
        return w[place + 3]
    return -1


@inner
def note_deal(w, place, like, at):
    w[place] = w[d.R_DEAL_FIRST]
    w[place + 1] = w[d.R_DEAL_SECOND]
    w[place + 2] = like
    w[place + 3] = at


@inner
def no_deal(w):
    """No card is being dealt: what the facts of a deal are then."""
    w[table.CALL_MADE] = UNKNOWN
    w[CARD_RANK] = UNKNOWN
    w[CARD_COPIES] = UNKNOWN
    w[IN_TURN] = 1
    w[DEAL_INITIAL] = 0
    w[TO_DEALER_FACT] = 0
    w[HANDS_IN_TURN] = 1
    w[FACE_DOWN] = 0


@unit("nnnniiiiiiiii")
def judge_deal(
    code, known, w, limits, like, box, hand, card, copies, initial, in_turn, hands_in_turn, down
):
    """0: the card was dealt as it should be."""
    program = code[w[d.R_PERIOD] + Q_DEAL]
    if program == NOT_THERE:
        return 0
    looks = code[w[d.R_PERIOD] + DEAL_LOOKS]
    place = place_of(w, like)
    at = noted_at(w, place, like) if looks else -1
    if at >= 0:
        if is_quiet(known, at):
            word = quiet.word_for(w[d.R_DEAL_KIND], like)
            place = quiet.place_of(d.QUIET_DEALS, d.QUIET_DEAL_BITS, word)
            quiet.note_quiet(w, place, word)
        note(known, w, at, 1)
        return 0 if is_ok(known, at) else ANSWERED + Q_DEAL
    player = w[d.B + box * d.BOX_WIDTH + d.B_CONTROLLER] if box > 0 else -1
    status = s.set_scene(
        code,
        known,
        w,
        limits,
        s.needs_of(code, w, Q_DEAL),
        box,
        hand,
        player,
        c.MAIN,
        ORIGINAL,
        0,
        0,
    )
    if status < 0:
        return s.trouble(status, Q_DEAL)
    held = w[d.R_DEALER_DEALS]
    if box > 0:
        h = hand_at(box, hand)
        held = w[h + d.H_CARDS]
        w[f.HELD_WHEN_DOUBLED] = w[h + d.H_DOUBLED] > held
    w[f.POSITION] = held + 1
    w[CARD_INITIAL] = 0
    w[d.R_HAND_OF] = -1  # the position of the card is not that of the hand
    w[table.CALL_MADE] = w[d.R_CALL]
    w[CARD_RANK] = card >> 2
    w[CARD_COPIES] = copies
    w[DEAL_INITIAL] = initial
    w[TO_DEALER_FACT] = box == 0
    w[IN_TURN] = in_turn
    w[HANDS_IN_TURN] = hands_in_turn
    w[FACE_DOWN] = down
    at = ask(code, known, w, program)
    no_deal(w)
    if at < 0:
        return s.trouble(at, Q_DEAL)
    if looks:
        note_deal(w, place, like, at)
    note(known, w, at, 1)
    return 0 if is_ok(known, at) else ANSWERED + Q_DEAL
