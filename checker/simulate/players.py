"""What the players of a simulation want. Whether they may is asked of the rules elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from checker.simulate.roles import CARD, MORE_MONEY, NO_CARD, TWO_HANDS
from checker.table.state import Hand

TENS = frozenset("TJQK")
NOISE = 0.05

Wanted = Callable[[str], bool]


def points(rank: str) -> int:
    """What a player takes a card to be worth, an ace as eleven."""
    if rank == "A":
        return 11
    return 10 if rank in TENS else int(rank)


def wishes(rng: Random, hand: Hand, total: int, soft: bool, up: str) -> list[str]:
    """The choices that a player would make on a hand, the dearest first."""
    if rng.random() < NOISE:
        order = [CARD, NO_CARD, MORE_MONEY, TWO_HANDS]
        rng.shuffle(order)
        return order
    shown = points(up)
    found: list[str] = []
    if len(hand.cards) == 2 and _splits(rng, hand, shown):
        found.append(TWO_HANDS)
    if _doubles(rng, hand, total, soft, shown):
        found.append(MORE_MONEY)
    if soft:
        stands = total >= 18
    elif shown >= 7:
        stands = total >= 17
    else:
        stands = total >= 13 or (total == 12 and shown in (4, 5, 6))
    found.extend((NO_CARD, CARD) if stands else (CARD, NO_CARD))
    return found


def _splits(rng: Random, hand: Hand, shown: int) -> bool:
    one, other = hand.cards[0].rank, hand.cards[1].rank
    if points(one) != points(other):
        return False
    match points(one):
        case 11 | 8:
            return rng.random() < 0.95
        case 10:
            return rng.random() < 0.1
        case 9:
            return shown not in (7, 11)
        case 2 | 3 | 7:
            return shown <= 7 or rng.random() < 0.2
        case _:
            return rng.random() < 0.15


def _doubles(rng: Random, hand: Hand, total: int, soft: bool, shown: int) -> bool:
    if not soft and 9 <= total <= 11:
        return rng.random() < (0.85 if shown < 10 else 0.4)
    return rng.random() < (0.06 if len(hand.cards) == 2 else 0.1)


def surrenders(rng: Random, total: int, soft: bool, up: str) -> bool:
    if points(up) < 10:
        return False
    return rng.random() < (0.4 if 14 <= total <= 17 and not soft else 0.03)


def forfeits(rng: Random, total: int, up: str) -> bool:
    if total >= 19:
        return rng.random() < 0.01
    return rng.random() < (0.5 if points(up) >= 9 else 0.12)


def card(ranks: str, suits: str = "SHDC") -> Wanted:
    """A wish for a card of certain ranks and suits."""
    return lambda c: c[0] in ranks and c[1] in suits


class Aim:
    """Cards that are brought forward so that rare hands are not too rare. `box` is the box."""

    NAMES = (
        "none",
        "bonus",
        "sevens",
        "long",
        "run",
        "pair",
        "aces",
        "ace_up",
        "insured",
        "ten_up",
        "low",
        "nines",
        "natural",
        "stiff",
    )

    def __init__(self, name: str, box: int, rng: Random) -> None:
        self.name = name
        self.box = box
        self.suit = "SHDC"[rng.randrange(4)]
        self.pair = "A23456789JQK"[rng.randrange(12)]

    def dealer(self, position: int) -> Wanted | None:
        if position == 0:
            if self.name == "bonus":
                return card("7")
            if self.name in ("ace_up", "insured"):
                return card("A")
            if self.name == "ten_up":
                return card("JQK")
        if position == 1 and self.name == "insured":
            return card("TJQK")
        return None

    def player(self, box: int, hand: Hand | None) -> Wanted | None:
        if box != self.box or self.name == "none":
            return None
        held = len(hand.cards) if hand is not None else 0
        match self.name:
            case "bonus":
                return card("7", self.suit) if held < 3 else None
            case "sevens":
                return card("7") if held < 3 else None
            case "run":
                return card("678"[held], self.suit) if held < 3 else None
            case "long":
                return card("A234") if held < 6 else None
            case "pair":
                return card(self.pair) if held < 2 else None
            case "aces":
                return card("A") if held == 0 or (hand and hand.from_split is None) else None
            case "low":
                return card("2345") if held < 2 else None
            case "nines":
                return card("456" if held == 0 else "56") if held < 2 else None
            case "natural":
                return card("AJQK"[held : held + 1] or "K") if held < 2 else None
            case "stiff":
                return card("JQK" if held == 0 else "56") if held < 2 else None
            case _:
                return None

    def wishes(self, box: int, hand: Hand) -> list[str] | None:
        """Some hands only come about when the player plays for them."""
        if box != self.box:
            return None
        if self.name in ("bonus", "sevens", "run") and len(hand.cards) < 3:
            return [CARD]
        if self.name == "long" and len(hand.cards) < 7:
            return [CARD, NO_CARD]
        if self.name in ("pair", "aces") and len(hand.cards) == 2:
            return [TWO_HANDS, CARD, NO_CARD]
        if self.name == "nines" and len(hand.cards) == 2:
            return [MORE_MONEY, CARD, NO_CARD]
        return None
