"""The cards and wagers of one round, as the pass over the shoes counts them: machine code."""

from __future__ import annotations

from typing import Final

from checker.columns import batch as c
from checker.columns.machine.compile import compiled
from checker.table.mechanics import ordinary

# bits of the kinds of events that tell more about a shoe than which cards are out
_TELLING: Final = sum(
    1 << kind for kind in (c.BURN, c.CUT_CARD, c.SHUFFLE, c.IRREGULARITY, c.WARN, c.ANNOUNCE)
)


_DECIDES: Final = sum(1 << c.PLAY_CODES[play] for play in ordinary().telling)


@compiled
def decides(play):
    """Whether it is a decision that moves no money."""
    return (_DECIDES >> play) & 1 if play >= 0 else 0


@compiled
def only_cards(events, first, end, copies, cards, scratch, alone):
    """Count the cards of a round in one look, if its events tell of cards and wagers only, as most
    do: how many went out, who has a main wager, whether a player card is named (1) and a decision
    that moves no money (2). -1: it has other events; then nothing is changed but what `count_cards`
    sets again."""
    out = bet = named = 0
    e = first
    while e < end:
        event = e * c.EVENT_WIDTH
        kind = events[event + c.KIND]
        if kind == c.DEAL:
            card = events[event + c.CARD]
            out += card < c.JOKER_CARD
            if card >= 0 and card < c.JOKER_CARD:
                copies[cards + card] += 1
                if alone:
                    scratch[card] += 1
                    events[event + c.COPIES] = scratch[card]
                else:
                    events[event + c.COPIES] = copies[cards + card]
        elif kind == c.WAGER:
            named |= (events[event + c.MARKS] >> c.PLAYER_CARD_SHIFT) & 3 == 2
            if events[event + c.WHAT] == c.MAIN:
                bet |= 1 << events[event + c.PLAYER]
        elif kind == c.PLAY:
            named |= decides(events[event + c.WHAT]) << 1
        elif (_TELLING >> kind) & 1:
            break
        e += 1
    if alone:
        for k in range(c.JOKER_CARD):
            scratch[k] = 0
    if e == end:
        return out, bet, named
    for other in range(first, e):
        card = events[other * c.EVENT_WIDTH + c.CARD]
        if card >= 0 and card < c.JOKER_CARD:
            copies[cards + card] -= 1
    return -1, 0, 0


@compiled
def count_cards(events, first, end, copies, cards, scratch, alone):
    """For each card how often it is out of the shoe with this one, as the judge counts."""
    for e in range(first, end):
        card = events[e * c.EVENT_WIDTH + c.CARD]
        if card >= 0 and card < c.JOKER_CARD:
            scratch[card] += 1
            before = 0 if alone else copies[cards + card]
            events[e * c.EVENT_WIDTH + c.COPIES] = before + scratch[card]
    for e in range(first, end):
        card = events[e * c.EVENT_WIDTH + c.CARD]
        if card >= 0 and card < c.JOKER_CARD:
            scratch[card] = 0


@compiled
def wagers_main(events, first, end, player):
    for e in range(first, end):
        event = e * c.EVENT_WIDTH
        if (
            events[event + c.PLAYER] == player
            and events[event + c.KIND] == c.WAGER
            and events[event + c.WHAT] == c.MAIN
        ):
            return True
    return False
