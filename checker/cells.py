"""What a state is made of: hands, dealer's hands, stakes and flags, and how facts are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

from checker.engine import Value
from checker.lines_of_play import Line
from checker.scene import SeenScene
from rulespec import tree as t

FOUND = (
    "not_recorded", "before_deal", "initial_deal", "subsequent_deal", "after_second_card",
    "after_round", "next_round",
)  # fmt: skip
FLAG_FACTS: dict[str, str] = {
    # facts that an event brings about, and the name of that flag
    "round.void": "round.void", "hand.void": "hand.void", "wager.withdrawn": "withdrawn",
    "hand.withdrawn": "withdrawn", "player.absent": "absent",
    "player.refused_card": "refused", "round.irregularity_found": "found",
}  # fmt: skip
ABSENT_FACTS: dict[str, str] = {"player.card": "no player card"}
"""Facts that ordinarily hold, and the name of the flag under which they do not."""

STAKE_FACTS = frozenset({"wager.stake", "wager.original"})
NOT_MODELLED = frozenset(
    {
        "round.super_bonus", "round.super_bonus_amount", "wager.player_won_super_bonus",
        "wager.first_of_player", "player.next_in_line", "box.doubled_before", "hand.short",
        "dealer.no_effect", "dealer.players_done", "dealer.only_surrendered",
        "dealer.missed_first", "box.players", "round.boxes", "box.main_total", "wager.with_main",
        "wager.undisclosed", "hand.declined_resplit", "box.number", "box.side_bets",
        "limit.box_max_stated", "player.highest_stake", "player.equal_stakes",
        "player.first_on_box", "player.wagers_on_box", "player.boxes", "wager.after_first_card",
        "wager.after_call", "wager.with_perfect_pairs", "round.decks", "round.highest_box",
        "round.has_wagers", "hand.all_surrendered", "play.offer_missed", "play.hand_settled",
        "play.before_second_dealer_card", "play.before_subsequent_deal", "play.before_next_card",
        "play.hands_after", "play.stake", "card.not_due", "box.hands", "hand.number",
        "hand.declined_split", "third.rank", "third.suit", "first.suit", "second.suit",
    }
)  # fmt: skip
"""Facts that are held at their ordinary value. A rule that asks for one is never called dead."""

Flag = tuple[str, str]  # kind and name: ("recorded", "fraud"), ("fact", "round.void")


@dataclass(frozen=True, slots=True)
class Row:
    """A hand of a player or of the dealer, for all that the rules cannot tell from it."""

    line: Line | None
    part: str
    dealer: tuple[str, ...]
    scene: SeenScene
    size: int


@dataclass(frozen=True, slots=True)
class Cell:
    player: Row
    dealer: Row
    stake: int


class Cells(Sequence[Cell]):
    """All cells that can be, in the order of preference for a witness: fewest cards first."""

    def __init__(self, players: list[Row], dealers: list[Row], stakes: list[int]) -> None:
        self.players, self.dealers, self.stakes = players, dealers, stakes
        by_size: dict[int, list[int]] = {}
        number = 0
        for player in players:
            firsts = player.line.firsts if player.line is not None else None
            for dealer in dealers:
                if firsts is None or dealer.dealer[0][0] in firsts:
                    here = by_size.setdefault(player.size + dealer.size, [])
                    here.extend(range(number, number + len(stakes)))
                number += len(stakes)
        self._numbers = [n for size in sorted(by_size) for n in by_size[size]]

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> Cell: ...

    @overload
    def __getitem__(self, place: slice) -> list[Cell]: ...

    def __getitem__(self, place: int | slice) -> Cell | list[Cell]:
        if isinstance(place, slice):
            return [self._cell(number) for number in self._numbers[place]]
        return self._cell(self._numbers[place])

    def _cell(self, number: int) -> Cell:
        rest, stake = divmod(number, len(self.stakes))
        player, dealer = divmod(rest, len(self.dealers))
        return Cell(self.players[player], self.dealers[dealer], self.stakes[stake])

    def masks(self, side: str) -> list[tuple[Row | int, int]]:
        """The rows of one side, each with the set of cells that it is in."""
        stakes = len(self.stakes)
        rows: Sequence[Row | int]
        step, among = 1, stakes
        match side:
            case "player":
                rows, step, among = self.players, len(self.dealers) * stakes, len(self.players)
            case "dealer":
                rows, step, among = self.dealers, stakes, len(self.dealers)
            case _:
                rows = self.stakes
        sets = [bytearray(len(self) // 8 + 1) for _ in rows]
        for place, number in enumerate(self._numbers):
            sets[number // step % among][place >> 3] |= 1 << (place & 7)
        return [(rows[n], int.from_bytes(s, "little")) for n, s in enumerate(sets)]


@dataclass(frozen=True, slots=True)
class Atom:
    node: t.Expression
    as_dealer: bool
    facts: tuple[str, ...]
    sides: frozenset[str]


class Values:
    """A scene of which only some facts are known."""

    def __init__(self, known: dict[str, Value]) -> None:
        self.known = known
        self.memory: dict[str, Any] = {}

    def fact(self, name: str) -> Value:
        return self.known[name]

    def setting(self, kind: str, name: str) -> bool | None:
        raise AssertionError

    def as_dealer(self) -> Values:
        raise AssertionError


def facts_of(node: object) -> set[str]:
    if isinstance(node, t.Fact):
        return {node.name}
    if isinstance(node, tuple):
        return set().union(*(facts_of(part) for part in node))
    if isinstance(node, t.Node):
        return set().union(*(facts_of(getattr(node, s)) for s in node.__slots__ if s != "span"))
    return set()


def side_of(fact: str, as_dealer: bool) -> str:
    if fact in STAKE_FACTS:
        return "stake"
    if fact.startswith("dealer.") or (as_dealer and fact.startswith("hand.")):
        return "dealer"
    return "player"


def seen_as(scene: SeenScene, as_dealer: bool) -> SeenScene:
    return scene.as_dealer() if as_dealer else scene


def clipped(value: Value, side: str) -> Value:
    """All player hands beyond 21 are alike."""
    return 22 if side == "player" and type(value) is int and value > 21 else value
