"""The house edge of bets that a rulebook declares and that certain cards decide, exactly.

Every deal of these cards is looked at, as far as the rules can tell deals apart: a card is turned
over only as far as a rule asks. Deals on which all tests come out alike are settled once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from checker.edge.cards import Cards, names_in, reachable
from checker.edge.choices import Chosen, about_choices, combinations
from checker.edge.declared_deals import Group, Shoe, one_deal
from checker.edge.models import SUPPOSED, ModelEngine, blinded, other_cards
from checker.edge.needed_tests import NotTold, Signature
from checker.edge.side_bets import (
    PLAYER,
    STAKE,
    BetEdges,
    Edge,
    Settled,
    broken_rules,
    edge_of,
    permitted,
    settlement,
)
from checker.evaluate.answer import Answer
from checker.evaluate.card_terms import card_and_trait, card_named
from checker.evaluate.engine import Engine
from checker.evaluate.scene import SeenScene
from checker.judge.due import side_due
from checker.judge.findings import Verdict
from checker.table.other_games import played_otherwise
from rulespec.resolve.question import (
    CARD_VALUES,
    about_bet,
    defining,
    is_about_bet,
    is_card_value,
    is_requirement,
    requiring,
)
from rulespec.resolve.rulebook import Rule, Rulebook
from rulespec.tree.cards import ORDINALS
from rulespec.tree.game import DEALER, Bet

MOST_DEALS = 200_000  # beyond that the edge is not worked out
MOST_QUICKLY = 12_000  # the same where somebody waits for more than the edge

_FIRST_TWO = {f"{DEALER}.{place}" for place in ORDINALS[:2]}


def declared_bets(rulebook: Rulebook) -> list[Bet]:
    """The bets of the rulebook's own that somebody stakes on, and those of another game."""
    other = played_otherwise(rulebook.game) is not None
    bets = rulebook.game.bets.values()
    return [bet for bet in bets if (bet.own or other) and not bet.settle_only]


def declared_edges(rulebook: Rulebook, bet: Bet, most: int = MOST_DEALS) -> list[BetEdges]:
    """One for each choice of the house that the rules on the bet ask for; none where no clause
    speaks of the bet."""
    rules = reachable(rulebook, settlement(bet.name))
    if not any(is_about_bet(bet.name, rule.question) for rule in rules):
        return []
    made = _deals_of(rulebook, bet, rules, most)
    found: list[BetEdges] = []
    for chosen in made.choices:
        if made.why is None:
            found.append(_edges(_Priced(rulebook, bet, made.engine, chosen), made.groups))
            continue
        counts, bounds = permitted(made.engine, bet.name, chosen)
        edges = tuple(Edge(decks, None, made.why) for decks in counts)
        found.append(BetEdges(bet.name, "", edges, (), bounds, chosen=chosen))
    return found


class _Deals(NamedTuple):
    """All deals of a bet, or why they are not told apart."""

    engine: ModelEngine
    choices: list[Chosen]
    groups: list[Group]
    why: str | None
    rules: list[Rule]  # which keeps them, and so what they are known by


_kept: dict[object, _Deals] = {}
_MOST_KEPT = 64  # bets


def _deals_of(rulebook: Rulebook, bet: Bet, rules: list[Rule], most: int) -> _Deals:
    """The same rules are asked for the edge of a bet and for proofs."""
    why = _not_by_cards(bet)
    values = [r for r in rulebook.rules if is_card_value(r.question) or is_requirement(r.question)]
    key = (bet, most, tuple(map(id, rules)), tuple(map(id, values)))
    if key not in _kept:
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        choices = combinations(rules, rulebook.game)
        engine = _engine(rulebook, bet, [name for name, _ in choices[0]])
        groups: list[Group] = []
        if why is None:
            counts, _ = permitted(engine, bet.name, choices[0])
            try:
                groups = Shoe(engine, bet, counts[0] if counts else 1, choices[0]).groups(most)
            except NotTold as not_told:
                why = str(not_told)
        _kept[key] = _Deals(engine, choices, groups, why, [*rules, *values])
    return _kept[key]


class _Priced:
    """A bet on a fresh shoe, for one choice of the house, with the decks that it may have."""

    def __init__(self, rulebook: Rulebook, bet: Bet, engine: ModelEngine, chosen: Chosen) -> None:
        """`rulebook`: with all its rules."""
        counts, self.bounds = permitted(engine, bet.name, chosen)
        barring = about_choices(rulebook.rules)
        self.counts = [
            n for n in counts if barring.isdisjoint(broken_rules(engine, bet.name, n, True, chosen))
        ]
        values = reachable(engine.rulebook, (*settlement(bet.name), CARD_VALUES))
        self.asks_decks = any("round.decks" in names_in(rule) for rule in values)
        self.engine = engine
        self.shoe = Shoe(engine, bet, self.counts[0] if self.counts else 1, chosen)


class Dealing:
    """All deals of the cards that decide a bet, for one choice of the house."""

    def __init__(self, priced: _Priced, groups: list[Group]) -> None:
        self._priced, self._shoe = priced, priced.shoe
        self.bet, self.engine = self._shoe.bet, self._shoe.engine
        self.chosen = self._shoe.chosen
        self.dealer_cards = self._shoe.dealer_cards
        self.decks = priced.counts[0] if priced.counts else 1
        self.scene = self._shoe.scene
        self._deals: dict[Signature, list[Cards]] = {}
        for group in groups:
            self._deals.setdefault(group.signature, []).append(group.cards)

    def settlements(self) -> Iterator[tuple[tuple[str, ...], Answer, Answer | None, bool]]:
        """The cards of one deal for all that are alike, what becomes of the wager, its odds if it
        wins, and whether that is open."""
        priced = self._priced
        left = list(self._deals.values())
        for decks in priced.counts:
            later: list[list[Cards]] = []
            self.decks = decks
            self._shoe.set_up(decks)
            for alike in left:
                one = next((made for cards in alike if (made := one_deal(cards, decks))), None)
                if one is not None:
                    yield self._settled(one)
                if one is None or priced.asks_decks:
                    later.append(alike)  # with more decks it may be another deal, or there is one
            left = later

    def _settled(self, one: Cards) -> tuple[tuple[str, ...], Answer, Answer | None, bool]:
        name = self.bet.name
        self.scene = view = self._shoe.dealt(one)
        result = self.engine.ask(about_bet(name, "result"), view)
        odds = self.engine.ask(about_bet(name, "odds"), view) if result.value == "wins" else None
        open_ = bool(result.unknown or (odds is not None and odds.unknown))
        return tuple(min(card) for card in one), result, odds, open_

    def seen_by(self, engine: Engine, cards: tuple[str, ...]) -> SeenScene:
        """The same deal, as another engine sees it."""
        shoe = Shoe(engine, self.bet, self.decks, self.chosen)
        return shoe.dealt(tuple(frozenset({card}) for card in cards))

    def adds_up(self) -> bool:
        """Several rows may apply: all of them are paid, or only the highest."""
        asked = (about_bet(self.bet.name, "sum"), about_bet(self.bet.name, "highest"))
        return any(self.engine.has(q) and self.engine.ask(q, self.scene).values for q in asked)


def dealings(rulebook: Rulebook, bet: Bet) -> Iterator[Dealing]:
    """One for each choice of the house; none for a bet that no cards decide, or too many."""
    rules = reachable(rulebook, settlement(bet.name))
    if not any(is_about_bet(bet.name, rule.question) for rule in rules):
        return
    made = _deals_of(rulebook, bet, rules, MOST_QUICKLY)
    if made.why is None:
        for chosen in made.choices:
            yield Dealing(_Priced(rulebook, bet, made.engine, chosen), made.groups)


def _not_by_cards(bet: Bet) -> str | None:
    if bet.carried:
        return ": it runs over several rounds"
    if not bet.decided_by:
        return ": no cards are declared that decide it"
    if any(card_named(card) is None for card in bet.decided_by):
        return ": whole hands decide it"
    return None


def _engine(rulebook: Rulebook, bet: Bet, chosen: Collection[str]) -> ModelEngine:
    """An engine with what the edge of a bet can hang on, for all that the house may choose."""
    questions = (*settlement(bet.name), CARD_VALUES, requiring("round"))
    rules = reachable(rulebook, questions)
    modelled = SUPPOSED | {"round.decks", "wager.part"} | _of_dealer(rules, bet)
    for name in rulebook.game.facts:
        if _of_cards(name, bet) or name.startswith("card."):
            modelled |= {name}
    made, unseen = blinded(
        rules,
        rulebook.game,
        frozenset(modelled),
        lambda node: other_cards(node, bet.decided_by),
        chosen,
    )
    return ModelEngine(replace(rulebook, rules=tuple(made)), unseen)


def _of_dealer(rules: list[Rule], bet: Bet) -> set[str]:
    """The facts of a hand that are only asked of the dealer's, where that is the dealer's first two
    cards."""
    if {card for card in bet.decided_by if card.startswith(f"{DEALER}.")} != _FIRST_TWO:
        return set()
    named = set().union(*map(names_in, rules))
    as_dealer = {defining(n.replace("dealer.", "hand.")) for n in named if "dealer." in n}
    as_dealer -= {defining(n) for n in named}
    inside = set().union(*(names_in(rule) for rule in rules if rule.question in as_dealer))
    elsewhere = set().union(*(names_in(rule) for rule in rules if rule.question not in as_dealer))
    return {name for name in inside - elsewhere if name.startswith("hand.")}


def _of_cards(fact: str, bet: Bet) -> bool:
    """A fact about one of the cards that decide the bet: its face, or the card by its rank."""
    found = card_and_trait(fact)
    card = fact if found is None else fact.rpartition(".")[0]
    return card in bet.decided_by


def _edges(priced: _Priced, groups: list[Group]) -> BetEdges:
    shoe = priced.shoe
    engine = priced.engine
    made: list[Edge] = []
    odds: dict[str, Rule] = {}
    least = False
    known: dict[Signature, tuple[Fraction | None, str | None]] = {}
    for decks in priced.counts:
        if priced.asks_decks:
            known = {}
            shoe.set_up(decks)
        settled: list[tuple[Settled, int]] = []
        for group in groups:
            if group.signature not in known:
                won, why, rules, bounded = _won(shoe, engine, group.cards)
                known[group.signature] = (won, why)
                odds.update({rule.id: rule for rule in rules})
                least |= bounded
            won, why = known[group.signature]
            one = Settled(group.cards, 1, won, why, (), won)
            settled.append((one, group.times))
        made.append(edge_of(settled, shoe.start, decks))
    listed = tuple(rule for rule in engine.rulebook.rules if rule.id in odds)
    return BetEdges(
        shoe.bet.name,
        shoe.ranks,
        tuple(made),
        listed,
        priced.bounds,
        "",
        (),
        shoe.chosen,
        least,
        shoe.box_cards > 2,
    )


def _won(
    shoe: Shoe, engine: ModelEngine, cards: Cards
) -> tuple[Fraction | None, str | None, tuple[Rule, ...], bool]:
    """What a unit staked wins, why that is open, and whether the house may choose it."""
    scene = shoe.dealt(tuple(frozenset({min(among)}) for among in cards))
    engine.missing.clear()
    due = side_due(scene, shoe.bet.name, shoe.box, PLAYER, STAKE, Verdict())
    rules = due.odds.rules if due.odds else ()
    if due.amount is None or due.stays:
        missing = engine.all_missing()
        why = "; ".join(map(str, missing)) if missing else due.why
        return None, why or "the wager stays", rules, False
    return Fraction(due.amount - STAKE, STAKE), None, rules, due.bounded
