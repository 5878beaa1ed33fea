"""What can be seen at one moment of a round in a game with named hands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from checker.evaluate.card_terms import trait_of
from checker.evaluate.engine import Engine, Value
from checker.evaluate.facts.boxes import HOMES
from checker.evaluate.facts.home import FactTable, Home, Read
from checker.evaluate.memory.seam import Worked
from checker.evaluate.scene import SeenScene
from checker.log import model as r
from checker.table.named_hands import BeforePlay, NamedTable, order_of_deal
from checker.table.shoes import ShoeView
from checker.table.state import Dealt
from rulespec.resolve.question import about_bet, value_of_card
from rulespec.tree.cards import NONE, ORDINALS

_NOTHING_BURNT = BeforePlay(None, 0, False, False, False)


@dataclass
class NamedScene(SeenScene):
    """One moment; `hands` are the cards as they lie then, by the name of the hand."""

    hands: Mapping[str, tuple[Dealt, ...]] = field(default_factory=dict)
    before: BeforePlay = _NOTHING_BURNT
    false_draw: bool = False

    def of_hand(self, hand: str, rest: str) -> Value:
        cards = self.hands.get(hand, ())
        if rest == "cards":
            return len(cards)
        if rest == "total":
            return total_of(self.engine, cards)
        ordinal, _, trait = rest.partition(".")
        place = ORDINALS.index(ordinal)
        return trait_of(self, cards[place] if place < len(cards) else None, trait)

    def cards_at(self, seat: str) -> Sequence[Dealt]:
        return self.hands.get(seat, ())

    def worth(self, rank: str) -> int | None:
        return points_of(self.engine, rank)


def points_of(engine: Engine, rank: str) -> int | None:
    """What a card counts; None where the text gives it no value, or two."""
    return _points(engine, rank)


def _points_of(engine: Engine, rank: str) -> int | None:
    blank = fresh_table(engine)
    dealt = Dealt(f"{rank}S", 0, False)
    value = engine.ask(value_of_card(rank), blank.but(card=dealt)).value
    return value if isinstance(value, int) else None


_points = Worked(_points_of)


def total_of(engine: Engine, cards: Sequence[Dealt]) -> int | None:
    """What a hand adds up to in the way that the game has; None where a card has no value."""
    way = engine.rulebook.game.total
    points = [points_of(engine, dealt.card[0]) for dealt in cards]
    known = [p for p in points if p is not None]
    if len(known) < len(points):
        return None
    if way.way == "modulo":
        return sum(known) % way.number
    if way.way == "rank":
        return known[-1] if known else 0
    return sum(known)


def fresh_table(engine: Engine, decks: int = 1, options: Iterable[str] = ()) -> NamedScene:
    """The table before anything has happened."""
    return NamedScene(
        engine, NamedTable(_no_round(decks, frozenset(options)), engine.mechanics), ShoeView()
    )


def named_hands_text(scene: NamedScene) -> str:
    """All hands as they lie: `player K♠ 6♥ (6), banker 4♣ 3♦ (7)`."""
    from checker.evaluate.words.in_words import cards_text

    return ", ".join(
        f"{name} {cards_text(held)} ({total_of(scene.engine, held)})"
        for name, held in scene.hands.items()
        if held
    )


def _no_round(decks: int, options: frozenset[str]) -> r.Round:
    from datetime import UTC, datetime

    start = datetime(2000, 1, 1, tzinfo=UTC)
    return r.Round("", "", None, start, None, decks, options, {}, (), 0)


# --- facts that are not of a hand

Function = Callable[[NamedScene], Value]


def _wagers(scene: NamedScene) -> list[r.Wager]:
    return [bet.event for bet in _table(scene).bets]


def _table(scene: NamedScene) -> NamedTable:
    assert isinstance(scene.table, NamedTable)
    return scene.table


def _together(scene: NamedScene) -> Value:
    mine = [w for w in _wagers(scene) if w.player == scene.player and w.bet == scene.bet]
    return sum(w.stake for w in mine) or scene.stake


def _seat(scene: NamedScene) -> Value:
    wager = scene.wager
    return None if wager is None or wager.box == r.NO_BOX else wager.box


def _seat_players(scene: NamedScene) -> Value:
    seat = _seat(scene)
    return None if seat is None else len({w.player for w in _wagers(scene) if w.box == seat})


def _dealt_out(scene: NamedScene) -> Value:
    order = order_of_deal(scene.engine.rulebook.game)
    counts = {hand: order.count(hand) for hand in order}
    lying = {hand: len(scene.hands.get(hand, ())) for hand in counts}
    return not any(lying.values()) or all(lying[h] >= n for h, n in counts.items())


def opened(round_: r.Round, shoe: ShoeView) -> bool | None:
    """Whether a shoe begins with the round: it was shuffled, or the log shows a new shoe."""
    before = _before_first_card(round_)
    if any(isinstance(e, r.Shuffle) for e in before):
        return True
    if not shoe.new:
        return False
    return True if any(isinstance(e, r.Burn) for e in before) else None


def _before_first_card(round_: r.Round) -> Sequence[r.Event]:
    for place, event in enumerate(round_.events):
        if isinstance(event, r.Deal):
            return round_.events[:place]
    return round_.events


def _min_changed(scene: NamedScene) -> Value:
    before, now = scene.shoe.minimum.get(scene.bet), scene.limits.min
    return None if before is None or now is None else before != now


def _losers_first(scene: NamedScene) -> Value:
    """No losing wager was settled after this one, if this one wins."""
    if _result(scene, scene.bet) != "wins":
        return True
    settled = scene.table.settled
    mine = settled.get((r.NO_BOX, 1, scene.player or "", scene.bet))
    if not mine:
        return True
    lost = {bet for bet in scene.engine.rulebook.game.bets if _result(scene, bet) == "loses"}
    return not any(
        event.n > mine[0].n for key, events in settled.items() if key[3] in lost for event in events
    )


def _result(scene: NamedScene, bet: str) -> Any:
    return scene.engine.ask(about_bet(bet, "result"), scene.but(bet=bet)).value


_OWN: dict[str, Function] = {
    "round.seated": lambda s: len({w.player for w in _wagers(s) if w.box != r.NO_BOX}),
    "round.dealt_out": _dealt_out,
    "round.false_draw": lambda s: s.false_draw,
    "round.burnt_in_play": lambda s: s.before.in_play,
    "round.burnt_too_early": lambda s: s.before.too_early,
    "limit.min_changed": _min_changed,
    "wager.together": _together,
    "wager.offered": lambda s: s.bet in s.engine.rulebook.game.bets,
    "wager.seat": _seat,
    "wager.seat_players": _seat_players,
    "settlement.losers_first": _losers_first,
    "shoe.opened": lambda s: opened(s.table.round, s.shoe),
    "shoe.turned": lambda s: s.before.turned or NONE,
    "shoe.burnt_after": lambda s: s.before.burnt_after,
    "shoe.cut_card_first": lambda s: s.before.cut_card_first,
}
_SHARED = ("round.", "limit.", "wager.", "card.", "deal.", "settlement.", "shoe.")


def _of_a_hand(name: str) -> Read | None:
    """Facts of named hands, and of their cards by position."""
    hand, _, rest = name.partition(".")
    return (lambda scene: scene.of_hand(hand, rest)) if rest else None


NAMED_HANDS = FactTable(
    {
        **{name: home for name, home in HOMES.items() if name.startswith(_SHARED)},
        **{name: Home(read) for name, read in _OWN.items()},
    },
    _of_a_hand,
    lambda scene, rank: points_of(scene.engine, rank),
)
"""How the facts of a game with named hands are read."""
