"""How a hand came about: the cards and choices of one box, written as the script of a round."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import cache
from operator import attrgetter
from typing import Any

from checker.evaluate.engine import Engine
from checker.evaluate.memory.seam import Kept
from checker.evaluate.scene import SeenScene
from checker.log import model as r
from checker.log.decode import decode_round
from checker.log.script import events_of
from checker.table.mechanics import ORIGINAL, ordinary
from checker.table.shoes import ShoeView
from checker.table.state import Bet, Box, Dealt, Hand, Table, wager_of
from rulespec.tree.game import Game

SHOE = ShoeView(known=True)
STAKE = 1000
OTHER_BOX = ("KC", "9S")  # a hand that keeps the dealer drawing when the first box is done


@dataclass(frozen=True, slots=True)
class Line:
    """One hand of box 1 at one moment, with all that was done to it."""

    cards: tuple[str, ...]
    doubled_with: int | None = None
    number: int = 1
    pair: tuple[str, str] | None = None  # the two cards that were split
    sibling: tuple[str, ...] = ()  # the other hand of the split
    after_double: bool = False  # which was doubled, before this second hand
    surrendered: bool = False
    forfeited: bool = False
    even_money: bool = False
    shared: bool = False  # the wager asked about is that of a second player on the box
    follows: bool = False  # who did what the deciding player did
    again: int = 0  # how often the first hand was split again, before this moment
    firsts: frozenset[str] | None = None  # first dealer cards with which this can happen
    needs: tuple[str, ...] = ()  # what the table must offer or have chosen for it
    asked: tuple[str, ...] = ()  # of that, without which its plays are not allowed

    def but(self, **changes: Any) -> Line:
        told: list[Any] = list(_TOLD(self))
        for name, value in changes.items():
            told[_FIELDS.index(name)] = value
        return Line(*told)

    @property
    def player(self) -> str:
        return "P2" if self.shared else "P1"

    @property
    def size(self) -> int:
        return len(self.cards) + len(self.sibling) + 3 * self.shared

    def parts(self) -> tuple[str, ...]:
        double, split = added_parts()
        base = split if self.number > 1 else ORIGINAL
        doubled = self.doubled_with is not None and (self.follows or not self.shared)
        return (base, double) if doubled else (base,)


@cache
def added_parts() -> tuple[str, str]:
    """The parts of the money on a hand that a double and a split add."""
    game = ordinary()
    return game.part_of(game.doubling), game.part_of(game.splitting)


_FIELDS = tuple(field.name for field in fields(Line))
_TOLD = attrgetter(*_FIELDS)


@dataclass(frozen=True, slots=True)
class Around:
    """What surrounds a hand: the dealer's cards, the money, the circumstances."""

    dealer: tuple[str, ...] = ("9D",)
    stake: int = STAKE
    options: tuple[str, ...] = ()
    before: tuple[str, ...] = ()  # lines of the script ahead of the wagers
    middle: tuple[str, ...] = ()  # before the dealer's further cards
    after: tuple[str, ...] = ()  # and at its end
    side: str | None = None  # another bet of the player, beside the main wager
    other_box: bool = False
    cardless: bool = False  # the player has no player card


def script(line: Line, around: Around) -> str:
    """The round in the short way of writing of a scenario."""
    stake = money(around.stake)
    game = ordinary()
    placing = game.placed_by(around.side or "")
    without = {line.player: " nocard"} if around.cardless else {}
    first_bet = f"bet 1 P1 {stake}{without.get('P1', '')}"
    lines = [*around.before, first_bet]
    if line.shared:
        lines.append(f"bet 1 P2 {stake}{without.get('P2', '')}")
    if around.side and not placing:
        lines.append(f"bet 1 P1 5 {around.side}{without.get('P1', '')}")
    if around.other_box:
        lines.append("bet 2 P3 10")
    first, second = line.pair or line.cards[:2]
    boxes = [(1, first, second), *([(2, *OTHER_BOX)] if around.other_box else [])]
    lines.append(
        "deal "
        + " ".join(
            [f"{b}:{c}" for b, c, _ in boxes]
            + [f"0:{around.dealer[0]}"]
            + [f"{b}:{c}" for b, _, c in boxes]
        )
    )
    if placing:
        lines.append(f"1 P1 {placing} ${money(around.stake // 2)}")
    if line.surrendered:
        lines.append(f"1 P1 {game.leaving}")
        lines += [f"1 P2 {game.leaving}"] * line.follows
    if line.even_money:
        lines.append(f"1 P1 {game.claiming}")
    if line.pair is None:
        lines += _hand(line, "1", line.cards[2:], 2, stake)
    else:
        one, other = (line.cards, line.sibling) if line.number == 1 else (line.sibling, line.cards)
        received = [*again(line), *one[1:2]]
        lines += [f"1 P1 {game.splitting} ${stake} {card}" for card in received]
        lines += [f"1 P1 {game.splitting} ${stake}"] * (not received)
        for place, number, cards in (("1", 1, one), ("1.2", 2, other)):
            if number == 2 and cards[1:]:
                lines.append(f"deal 1.2:{cards[1]}")
            if number == line.number:
                lines += _hand(line, place, cards[2:], 2, stake)
            elif line.after_double:
                lines.append(f"{place} P1 {game.doubling} ${stake} {cards[2]}")
            else:
                lines += [f"{place} P1 {game.drawing} {c}" for c in cards[2:]]
    lines += around.middle
    if around.dealer[1:]:
        lines.append("dealer " + " ".join(around.dealer[1:]))
    return "\n".join([*lines, *around.after]) + "\n"


def again(line: Line) -> list[str]:
    """The cards that made the first hand of a split a pair again."""
    assert line.pair is not None
    return [line.pair[0][0] + "DC"[n % 2] for n in range(line.again)]


def _hand(line: Line, place: str, rest: tuple[str, ...], held: int, stake: str) -> list[str]:
    lines: list[str] = []
    game = ordinary()
    double = f"{game.doubling} ${stake}"
    for card in rest:
        if line.doubled_with == held:
            if line.shared and line.follows:
                lines += [f"{place} P1 {double}", f"{place} P2 {double} {card}"]
            else:
                lines.append(f"{place} P1 {double} {card}")
        else:
            lines.append(f"{place} P1 {game.drawing} {card}")
        held += 1
    if line.doubled_with == held:  # the card is still to come
        lines.append(f"{place} P1 {double}")
    if line.forfeited:
        lines.append(f"{place} {line.player} {game.giving_up}")
    return lines


def money(cents: int) -> str:
    whole, rest = divmod(cents, 100)
    return f"{whole}.{rest:02d}" if rest else str(whole)


def round_of(
    text: str, options: tuple[str, ...] = (), rulebook: str = "x", game: Game | None = None
) -> r.Round:
    return decode_round(
        {
            "format": 1,
            "round": "witness",
            "table": "T1",
            "decks": 6,
            "limits": {},
            "at": datetime(2025, 1, 1, tzinfo=UTC).isoformat(),
            "rulebook": rulebook,
            "options": list(options),
            "events": events_of(text, game),
        }
    )


def table_of(round_: r.Round) -> Table:
    table = Table(round_)
    for event in round_.events:
        table.apply(event)
    return table


@cache
def _main_wager(player: str) -> r.Wager:
    return r.Wager(1, player, ordinary().main, STAKE, player_card=f"PC-{player}")


def quick_table(line: Line, round_: r.Round) -> Table:
    """The table that the script of a line leads to, made without the way there."""
    players = ("P1", "P2") if line.shared else ("P1",)
    hand = Hand(1, money={player: [("original", STAKE)] for player in players})
    box = Box(1, hands={1: hand}, order=[1])
    for player in players:
        box.place(Bet(_main_wager(player), False, False), True)
    table = Table(round_, boxes={1: box})
    cards = [Dealt(c, n, n < 2) for n, c in enumerate(line.cards)]
    if line.pair is None:
        hand.cards = cards
        box.received = list(cards)
        if len(cards) > 2:
            box.unsplit = (cards[0].rank, cards[1].rank)
    else:
        one, other = line.pair
        hand = _split_box(box, line, cards)
        box.split_suited_sevens = one[0] == other[0] == "7" and one[1] == other[1]
    hand.doubled_with = line.doubled_with
    game = ordinary()
    double, _ = added_parts()
    if line.doubled_with is not None:
        hand.double("P1", STAKE, double)
        if line.shared and line.follows:
            hand.double("P2", STAKE, double)
    if line.surrendered:
        for player in ("P1", "P2") if line.follows else ("P1",):
            hand.do(game.action(game.leaving), player, leaves=True)
    if line.even_money:
        hand.do(game.action(game.claiming), "P1")
    if line.forfeited:
        hand.do(game.action(game.giving_up), line.player)
        hand.given[line.player, ORIGINAL] = game.giving_up
    table.first_card = 0
    table.last_card = len(line.cards) - 1
    if len(line.cards) > 2 or line.pair is not None:
        table.subsequent = 0
    return table


def _split_box(box: Box, line: Line, cards: list[Dealt]) -> Hand:
    """Both hands of a split; the one that the line is about is returned."""
    assert line.pair is not None
    double, split = added_parts()
    sibling = [Dealt(c, n, n < 1) for n, c in enumerate(line.sibling)]
    first, second = (cards, sibling) if line.number == 1 else (sibling, cards)
    box.hands[1].cards = first
    if line.after_double:
        box.hands[1].doubled_with = 2
        box.hands[1].double("P1", STAKE, double)
    box.hands[2] = Hand(2, second, money={"P1": [(split, STAKE)]})
    box.order.append(2)
    for card in again(line):
        number = len(box.hands) + 1
        box.hands[number] = Hand(
            number, [Dealt(card, 2, True)], from_split=card[0], money={"P1": [(split, STAKE)]}
        )
        box.order.append(number)
    box.received = [*first[:1], *second[:1], *first[1:], *second[1:]]
    for place, hand in enumerate((box.hands[1], box.hands[2])):
        hand.from_split = line.pair[place][0]
        for n, dealt in enumerate(hand.cards):
            dealt.initial = n == 0
    return box.hands[line.number]


def scene_of(
    engine: Engine, table: Table, line: Line, part: str, stake: int, bet: str | None = None
) -> SeenScene:
    """The moment at which a bet is settled, if not another then the main wager of the line, or its
    player chooses."""
    game = engine.mechanics
    bet = bet or game.main
    on_hand = bet == game.main or bet in game.bonuses
    box = table.boxes[1]
    player = line.player
    hand = box.hands[line.number] if on_hand else box.hands[1]
    return SeenScene(
        engine,
        table,
        SHOE,
        tuple(table.dealer),
        box=box,
        hand=hand,
        player=player,
        bet=bet,
        part=part,
        stake=stake,
        wager=wager_of(box, player, game.main if on_hand or game.placed_by(bet) else bet),
    )


def _no_totals(engine: Engine) -> dict[tuple[Any, ...], Any]:
    return {}


_TOTALS = Kept(_no_totals)


def with_totals(scene: SeenScene, line: Line) -> SeenScene:
    """What the cards of a hand come to is worked out once for all moments of a line."""
    known = _TOTALS.of(scene.engine)
    key = (
        line.cards,
        line.doubled_with,
        line.number,
        line.pair,
        line.surrendered,
        line.forfeited,
        line.needs,
    )
    if key not in known:
        scene.fact("hand.total")
        known[key] = scene.memory["totals"]
    scene.memory["totals"] = known[key]
    return scene
