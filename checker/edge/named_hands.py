"""The house edge of the bets of a game with named hands, by counting every deal of a fresh shoe."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fractions import Fraction

from checker.edge.player_edges import player_edges_of
from checker.edge.side_bets import STAKE, BetEdges, Edge
from checker.evaluate.engine import Engine
from checker.evaluate.named_scene import NamedScene
from checker.evaluate.ready import new_engine
from checker.evaluate.words.why_not import why_open
from checker.judge.payouts import winning_odds
from checker.states.houses import House, axes_of, houses_of, offered
from checker.states.named_deals import (
    TOO_MANY,
    Asked,
    Deal,
    Deals,
    conditions_of,
    groups_of,
    orders_of_cards,
    pack_of,
    permitted_decks,
)
from checker.table.named_hands import not_followed
from rulespec.base.diagnostics import Diagnostic
from rulespec.resolve.in_force import text_in_force
from rulespec.resolve.question import about_bet, is_act_of
from rulespec.resolve.rulebook import Rule, Rulebook

_LOST = {"loses": Fraction(1), "loses half": Fraction(1, 2)}


def named_edges(
    engine: Engine, bets: Sequence[str] | None = None, decks: int | None = None
) -> list[BetEdges]:
    """Each bet at every number of decks that the rules permit, and at `decks` if that is asked."""
    permitted, bounds = permitted_decks(engine)
    counts = sorted({*permitted, *([decks] if decks is not None else [])})
    wanted = [bet for bet in engine.rulebook.game.bets if engine.has(about_bet(bet, "result"))]
    wanted = [bet for bet in wanted if bets is None or bet in bets]
    found: dict[tuple[str, House], list[Edge]] = {}
    houses = {bet: _houses(engine, bet) for bet in wanted}
    for house in dict.fromkeys(house for some in houses.values() for house in some):
        alike = [bet for bet in wanted if house in houses[bet]]
        for count in counts:
            for bet, edge in _edges(engine, alike, count, house).items():
                found.setdefault((bet, house), []).append(edge)
    ranks = "".join(dict.fromkeys(card[0] for card in pack_of(engine)))
    return [
        BetEdges(
            bet,
            ranks,
            tuple(found[bet, house]),
            _odds(engine, bet),
            bounds,
            chosen=tuple((name, value) for name, _, value in (x.partition("=") for x in house)),
        )
        for bet in wanted
        for house in houses[bet]
    ]


def _houses(engine: Engine, bet: str) -> list[House]:
    """All that may be chosen of what a bet hangs on."""
    game = engine.rulebook.game
    drawing = [q for q in engine.by_question if is_act_of(q, *game.hands)]
    asked = [about_bet(bet, "result"), about_bet(bet, "odds"), *drawing]
    axes = axes_of(game, conditions_of(engine, asked))
    return [offered(house) for house in houses_of([axis for axis in axes if "=" in axis[-1]])]


def _odds(engine: Engine, bet: str) -> tuple[Rule, ...]:
    return tuple(rule for rule, _ in engine.by_question.get(about_bet(bet, "odds"), ()))


def _edges(engine: Engine, bets: Sequence[str], decks: int, house: House = ()) -> dict[str, Edge]:
    if left := not_followed(engine.rulebook.game):
        return {bet: Edge(decks, None, f"because {left[0]} is not followed") for bet in bets}
    found: dict[str, Edge] = {}
    for alike, deals in groups_of(engine, bets, decks, house=house):
        if deals.too_many:
            found |= {bet: Edge(decks, None, f"because {TOO_MANY}") for bet in alike}
        else:
            found |= _counted(engine, alike, deals)
    return {bet: found[bet] for bet in bets}


def _counted(engine: Engine, bets: Sequence[str], deals: Deals) -> dict[str, Edge]:
    """Bets that need the same cards told apart."""
    size, decks = sum(deals.counts), deals.decks
    counted: dict[tuple[str, Fraction], Fraction] = {}
    why: dict[str, str] = {}
    settled = {bet: _Settled(engine, bet) for bet in bets}
    by_size: dict[int, dict[tuple[str, Fraction], int]] = {}
    for deal in deals.all():
        if deal.turn is not None:
            if deal.turn.due is None:
                reason = why_open(deal.turn.answer, deal.scene)
                return {bet: Edge(decks, None, f"because {reason}") for bet in bets}
            continue
        ways = by_size.setdefault(deal.cards, {})
        for bet in bets:
            won, reason_ = settled[bet].won(deal)
            if won is None:
                why.setdefault(bet, f"because {reason_}")
            else:
                ways[bet, won] = ways.get((bet, won), 0) + deal.ways
    for cards, ways in by_size.items():
        of_all = orders_of_cards(size, cards)
        for key, number in ways.items():
            counted[key] = counted.get(key, Fraction(0)) + Fraction(number, of_all)
    return {bet: _edge(bet, decks, counted, why.get(bet)) for bet in bets}


def _edge(
    bet: str, decks: int, counted: dict[tuple[str, Fraction], Fraction], why: str | None
) -> Edge:
    if why is not None:
        return Edge(decks, None, why)
    outcomes = sorted((won, chance) for (of, won), chance in counted.items() if of == bet)
    assert sum(chance for _, chance in outcomes) == 1
    house = -sum((won * chance for won, chance in outcomes), Fraction(0))
    return Edge(decks, house, None, tuple(outcomes))


class _Settled:
    """What a unit on a bet wins, asked once for all deals that the rules see alike."""

    def __init__(self, engine: Engine, bet: str) -> None:
        self.bet = bet
        self.engine = engine
        self.facts = sorted(
            {
                *Asked(engine, about_bet(bet, "result")).facts,
                *Asked(engine, about_bet(bet, "odds")).facts,
            }
        )
        self._known: dict[tuple[object, ...], tuple[Fraction | None, str]] = {}

    def won(self, deal: Deal) -> tuple[Fraction | None, str]:
        key = tuple([deal.scene.fact(name) for name in self.facts])
        found = self._known.get(key)
        if found is None:
            view = deal.scene.but(bet=self.bet, stake=STAKE, player="P1")
            found = self._known[key] = self._won(view)
        return found

    def _won(self, view: NamedScene) -> tuple[Fraction | None, str]:
        result = self.engine.ask(about_bet(self.bet, "result"), view)
        if not result.decided:
            return None, why_open(result, view)
        if result.value == "wins":
            odds, ratio = winning_odds(view)
            return ratio, "" if ratio is not None else why_open(odds, view)
        return -_LOST.get(str(result.value), Fraction(0)), ""


def check_named_edges(rulebook: Rulebook, day: date | None) -> list[Diagnostic]:
    """The bets that pay the player more than they take."""
    text = text_in_force(rulebook, day)
    return player_edges_of(rulebook.id, named_edges(new_engine(text)))
