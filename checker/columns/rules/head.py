"""The head of a text in `code`: what stands where in front of its programs.

First comes where the program of each question stands, then what follows here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from checker.columns.batch import MOST_BETS
from checker.columns.rules.questions import QUESTION_COUNT, STAKED
from checker.columns.slots import MOST_MADE

RANKS: Final = 13


@dataclass(slots=True)
class Layout:
    """Gives out places one behind the other."""

    end: int

    def room(self, width: int = 1) -> int:
        self.end += width
        return self.end - width


_head = Layout(QUESTION_COUNT)

POINTS: Final = _head.room(RANKS)  # + rank: points, + FLEXIBLE when an ace may be eleven; -1 ask
FLEXIBLE: Final = 1 << 10
# + question, Q_ENDING or Q_SEAT: bits of the groups that it looks at
NEEDS: Final = _head.room(QUESTION_COUNT + 2)
END_STATES: Final = RANKS + 2 * 23
# the draw may ask whether anybody has some bets: there is one table of ends for each answer
ENDS_ASK: Final = 2
END_VARIANTS: Final = 1 << ENDS_ASK
# + state of the dealer's hand: where its ends stand, -1
ENDS: Final = _head.room(END_VARIANTS * END_STATES)

# --- what need not be asked, because no rule can apply (see `idle`)
BONUS_IDLE: Final = _head.room()  # the bonus of a plain hand when nobody wins it
SETTLEMENT_IDLE: Final = _head.room()  # how a wager is settled on a box that was not split
COUNTED_IDLE: Final = _head.room(len(STAKED))  # + bet: how much of it within the limits counts
WINNER_RANKS: Final = _head.room()  # the only ranks that win the bonus, -1 any

# --- what is asked together, or by parts of its key
WARNS_EARLY: Final = _head.room()  # warnings are asked with the wagers
MOVES: Final = _head.room()  # the result of a main wager may be asked by parts of its key
DEALER_POINTS: Final = _head.room(RANKS)  # + rank, as POINTS
OFFERED: Final = _head.room()  # bits of the bets that the text knows
FRESH: Final = _head.room(3)  # + term: what in the working memory says that it still holds
ENDING: Final = _head.room()  # the program of all that is asked when a plain wager ends, -1 none
SEAT: Final = _head.room()  # the program by which seats are looked up, -1 none
ENDING_IN_PARTS: Final = _head.room()  # its key is made of that of the seat and that of the hand:
IF_PLAIN, IF_MARKED = 1, 2  # if the hand is plain, or also if it was doubled or forfeited
RESULT_IN_PARTS: Final = _head.room()
BOX_WITH_SEAT: Final = _head.room()  # what is required of a box is asked with its seats
DEAL_LOOKS: Final = _head.room()  # bits of what is looked at when a card is dealt (see `deals`)
DOUBLED_APART: Final = _head.room()  # the whole stake of a doubled wager matters at its end
PLAIN_POINTS: Final = _head.room(RANKS)  # + rank, as POINTS, on a hand that nobody doubled
PLAY_LOOKS: Final = _head.room(3)  # + play: what drawing, standing and doubling look at
DRAW_ALONE: Final = _head.room()  # the draw looks at the dealer's hand alone (see `draw`)
PLAY_OPTIONS: Final = _head.room(3)  # + play: of what the table offers, what they look at
DRAW_OPTIONS: Final = _head.room()
MONEY_APART: Final = _head.room()  # wrong amounts may be judged by themselves

# --- rulebooks with words of their own
TO_DEALER: Final = _head.room()  # how many cards of the initial deal
OWN: Final = _head.room()  # the rulebook has such words: cards may lie face down
GAME_BETS: Final = _head.room()  # bits of the bets that the game knows
ASKED_AS: Final = _head.room(MOST_BETS)  # + bet: its place in STAKED
# + bet: the place of the last card of the dealer that its result looks at, -1: further cards do not
# matter to it; above: whether it looks at all of them
DEEPEST: Final = _head.room(MOST_BETS)
ALWAYS_SHIFT: Final = 8
ASKS_DECIDED: Final = _head.room()  # the draw asks whether all hands are decided
ENDS_BY: Final = _head.room(ENDS_ASK)  # + number: the fact that says so, 0 none
ROUNDS: Final = _head.room()  # the text says how winnings are rounded
DEAL_MADE: Final = _head.room()  # the number of what is made of cards and asked of a deal
OFFERED_WITH: Final = _head.room(MOST_BETS)  # + bet: bits of the bets offered together with it
MADE_AT: Final = _head.room(MOST_MADE)  # + number: where it stands how a fact is made of cards

HEAD: Final = _head.end
