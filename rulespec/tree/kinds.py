"""Kinds of facts with their finite domains, and what is said of one fact."""

from __future__ import annotations

from dataclasses import dataclass

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
SUITS = ("spades", "hearts", "diamonds", "clubs")


@dataclass(frozen=True, slots=True)
class Kind:
    """The type of a fact with its finite domain."""

    name: str  # bool, int, money, rank, enum, ranks, cards
    values: tuple[str, ...] = ()  # of an int: what it may be that is no number, such as `none`
    low: int = 0
    high: int = 0

    def describe(self) -> str:
        match self.name:
            case "bool":
                return "yes or no"
            case "int":
                return " or ".join((f"a whole number from {self.low} to {self.high}", *self.values))
            case "money":
                return "an amount of money"
            case "rank":
                return "a card rank (A 2 … 9 T J Q K)"
            case "ranks":
                return "the ranks of a hand, such as 6-7-8"
            case "cards":
                return "certain cards, such as AS+JS"
            case _:
                return "one of " + ", ".join(self.values)


BOOL = Kind("bool")
MONEY = Kind("money")
RANK = Kind("rank", RANKS)
RANK_LIST = Kind("ranks")
CARDS = Kind("cards")


def whole(low: int, high: int) -> Kind:
    return Kind("int", (), low, high)


def one_of(*values: str) -> Kind:
    return Kind("enum", values)


@dataclass(frozen=True, slots=True)
class FactInfo:
    name: str
    kind: Kind
    meaning: str
    optional: bool = False  # the log may not say; the answer is then "not known"
    recorded: str | None = None  # what a log has to record for it, if some rounds may lack that
    definable: bool = False  # the rulebook defines it; without a definition it never holds
    comes_by: str | None = None  # the event of a log that brings it about
    ends_by: str | None = None  # the event without which it holds
    ordinarily: bool | str | None = None  # its value unless something irregular is recorded
    rests_on: str | None = (
        None  # a fact that the rulebook defines, and without which it never holds
    )
    by_values: bool = False  # known only once the cards of the hand are counted
