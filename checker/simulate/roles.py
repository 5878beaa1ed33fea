"""Which play of a game is which choice of a player, told by what it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from checker.table.mechanics import Does, Mechanics
from checker.table.other_games import played_otherwise

# What players of a simulation wish for; the game has its own words for it.
CARD, NO_CARD, MORE_MONEY, TWO_HANDS = "a card", "no card", "more money", "two hands"


@dataclass(frozen=True, slots=True)
class Roles:
    """The plays of the game itself, by the word of the log; empty where the game has none."""

    draw: str
    stand: str
    add: str  # more money for one more card
    split: str
    leave: str  # each player for one's own part
    place: str  # a bet beside the hand
    claim: str  # to be paid at once
    give_up: str  # a part of the money on the hand

    def wish(self, wished: str) -> str:
        return {
            CARD: self.draw,
            NO_CARD: self.stand,
            MORE_MONEY: self.add,
            TWO_HANDS: self.split,
        }[wished]


def roles_of(mechanics: Mechanics) -> Roles:
    plays = {word: does for word, does in mechanics.plays.items() if not does.own}

    def first(test: Callable[[Does], bool]) -> str:
        return next((word for word, does in plays.items() if test(does)), "")

    def draws(does: Does) -> bool:
        return does.cards > 0 and does.adds is None

    return Roles(
        draw=first(draws),
        stand=first(lambda does: does.stands),
        add=first(lambda does: does.adds is not None and not does.splits),
        split=first(lambda does: does.splits),
        leave=first(lambda does: does.leaves),
        place=first(lambda does: does.places is not None),
        claim=first(lambda does: does.claims and not does.leaves and not does.gives_up),
        give_up=first(lambda does: bool(does.gives_up) and not does.leaves),
    )


def own_plays(mechanics: Mechanics) -> list[str]:
    """What players may do of which twenty-one knows nothing: tried now and then, by its effects."""
    roles = roles_of(mechanics)
    usual = {roles.draw, roles.stand, roles.split, roles.place}
    other = played_otherwise(mechanics.game) is not None
    return [
        word for word, does in mechanics.plays.items() if does.own or (other and word not in usual)
    ]
