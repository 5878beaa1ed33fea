"""Facts that a rulebook makes of cards by position: what a card is, how many are such, their rank.

Machine code works each of them out from the codes of the cards, by tables that are filled with
what the plain evaluator says of every card. The value itself stands in the keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from checker.columns.batch import CARD_CODES, CARD_NAMES
from checker.columns.slots import MADE, MOST_MADE, UNKNOWN, WORDS
from checker.evaluate.card_terms import card_and_trait, card_named, term_of, trait_of
from checker.evaluate.scene import SeenScene
from checker.table.state import Box, Dealt
from rulespec.tree import nodes as t
from rulespec.tree.cards import NONE

Asked: TypeAlias = t.Node | str  # a question about cards, or a fact about one card
TRAIT, SAME, COUNT, POINTS, IN_A_ROW, POKER, CARDS = range(7)
# in `code`: the kind, how many cards, each as seat and place, another card or -1, then the table
SEATS: Final = {"": 0, "hand": 1, "dealer": 2}
SEAT_SHIFT: Final = 3
MOST_PLACES: Final = {"": 3, "hand": 4, "dealer": 4}
POKER_RANKS: Final = (
    NONE,
    "high_card",
    "pair",
    "flush",
    "straight",
    "three_of_a_kind",
    "straight_flush",
    "suited_three_of_a_kind",
)
_NOT_DEALT: Final = len(CARD_NAMES)  # the row of a table
_HIGHEST: Final = 63
_WORD_OF: Final = {code: word for word, code in WORDS.items()}


class NotMade(Exception):
    """It cannot be said by tables."""


@dataclass(slots=True)
class MadeFact:
    kind: int
    cards: list[int]
    other: int
    table: list[int]
    words: bool = False  # its values are words
    chosen: str = ""  # the cards that it is held against

    @property
    def numbers(self) -> list[int]:
        return [self.kind, len(self.cards), *self.cards, self.other, *self.table]

    @property
    def of_dealer(self) -> int:
        """The place of the last card of the dealer that it looks at, -1 none."""
        cards = [one for one in (*self.cards, self.other) if one >> SEAT_SHIFT == SEATS["dealer"]]
        return max((one & (1 << SEAT_SHIFT) - 1 for one in cards), default=-1)

    def decoded(self, value: int) -> Any:
        """A number of the working memory as the plain evaluator has it."""
        if value == UNKNOWN:
            return None
        match self.kind:
            case _ if self.kind in (SAME, IN_A_ROW):
                return bool(value)
            case _ if self.kind == POKER:
                return POKER_RANKS[value]
            case _ if self.kind == CARDS:
                return (NONE, self.chosen, "others")[value]
            case _ if self.kind == TRAIT:
                if self.words:
                    return _WORD_OF[value]
                return NONE if value == _HIGHEST else value
            case _:
                return value


def place_of(card: str) -> int:
    found = card_named(card)
    if found is None or found[0] not in SEATS or found[1] >= MOST_PLACES[found[0]]:
        raise NotMade(card)
    seat, place = found
    return SEATS[seat] << SEAT_SHIFT | place


def make(scene: SeenScene, asked: Asked) -> MadeFact:
    """`scene`: of a table with these settings and no cards."""
    if isinstance(asked, str):
        return _trait(scene, asked)
    match asked:
        case t.Same():
            return MadeFact(SAME, _places(asked.cards), -1, _traits(scene, asked.trait))
        case t.PointsOf():
            return MadeFact(POINTS, _places(asked.cards), -1, _traits(scene, "points"))
        case t.CountOf():
            return _count(scene, asked)
        case t.PokerRank() if len(asked.cards) == 3:
            return MadeFact(POKER, _places(asked.cards), -1, [])
        case t.Consecutive():
            return MadeFact(IN_A_ROW, _places(asked.cards), -1, [])
        case t.CardsOf():
            return _listed(scene, asked)
        case _:
            raise NotMade(str(asked))


def _places(cards: Sequence[str]) -> list[int]:
    return [place_of(card) for card in cards]


def _dealt() -> Iterator[Dealt]:
    return (Dealt(name, 0, True) for name in CARD_NAMES)


def _code(value: Any) -> int:
    match value:
        case None:
            return UNKNOWN
        case bool() | int():
            return int(value)
        case str() if value in WORDS:
            return WORDS[value]
        case _:
            raise NotMade(str(value))


def _traits(scene: SeenScene, trait: str) -> list[int]:
    if trait == "card":
        return list(range(len(CARD_NAMES)))
    return [_code(trait_of(scene, dealt, trait)) for dealt in _dealt()]


def _trait(scene: SeenScene, fact: str) -> MadeFact:
    found = card_and_trait(fact)
    if found is None:
        raise NotMade(fact)
    card, _, trait = fact.rpartition(".")
    if trait == "card":
        raise NotMade(fact)
    words = trait in ("rank", "suit", "colour")
    none = WORDS[NONE] if words else 0 if trait == "face" else _HIGHEST
    return MadeFact(TRAIT, [place_of(card)], -1, [*_traits(scene, trait), none], words)


def _count(scene: SeenScene, asked: t.CountOf) -> MadeFact:
    """Card by card; what they are held against may be what another card is."""
    against = [
        value.name
        for trait in asked.traits
        for value in trait.values
        if isinstance(value, t.Fact | t.Name) and card_and_trait(value.name)
    ]
    one = t.CountOf(("first",), asked.traits)
    places = _places(asked.cards)
    if not against:
        term = term_of(scene.engine, one)
        box = Box(1)
        table = []
        for dealt in _dealt():
            box.received = [dealt]
            table.append(_code(term(scene.but(box=box))))
        return MadeFact(COUNT, places, -1, table)
    others = {fact.rpartition(".")[0] for fact in against}
    if len(others) > 1:
        raise NotMade(str(asked))
    other = others.pop()
    if other != "dealer.first":
        raise NotMade(other)
    term = term_of(scene.engine, one)
    table = []
    box = Box(1)
    for dealer in [*((d,) for d in _dealt()), ()]:
        for dealt in _dealt():
            box.received = [dealt]
            table.append(_code(term(scene.but(box=box, dealer=dealer))))
    return MadeFact(COUNT, places, place_of(other), table)


def _listed(scene: SeenScene, asked: t.CardsOf) -> MadeFact:
    game = scene.engine.rulebook.game
    chosen = {
        "+".join(sorted(scene.table.round.choices.get(name, NONE).split("+")))
        for name, choice in game.choices.items()
        if choice.kind == "cards"
    } - {NONE}
    if len(chosen) > 1:
        raise NotMade(str(asked))
    text = next(iter(chosen), "")
    codes = sorted(CARD_CODES[card] for card in text.split("+")) if text else []
    return MadeFact(CARDS, _places(asked.cards), -1, [len(codes), *codes], chosen=text)


def most_of(made: MadeFact) -> int:
    """The highest value that it can have."""
    match made.kind:
        case _ if made.kind in (SAME, IN_A_ROW):
            return 1
        case _ if made.kind == COUNT:
            return len(made.cards)
        case _ if made.kind == POKER:
            return len(POKER_RANKS) - 1
        case _ if made.kind == CARDS:
            return 2
        case _ if made.kind == POINTS:
            return len(made.cards) * max(made.table)
        case _:
            return max(made.table)


__all__ = ["MADE", "MOST_MADE", "MadeFact", "NotMade", "make", "most_of"]
