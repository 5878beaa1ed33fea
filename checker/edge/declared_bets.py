"""The house edge of bets that a rulebook declares and that certain cards decide, exactly.

Every deal of these cards is looked at, as far as the rules can tell deals apart: a card is turned
over only as far as a rule asks. Deals on which all tests come out alike are settled once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from checker.edge.cards import Cards, FaceDown, Unread, kinds, names_fact, reachable, turned
from checker.edge.choices import Chosen, about_choices, chosen_rules, combinations
from checker.edge.models import SUPPOSED, ModelEngine, blinded, other_cards
from checker.edge.side_bets import (
    PLAYER,
    STAKE,
    BetEdges,
    Edge,
    Settled,
    broken_rules,
    edge_of,
    fresh,
    permitted,
    settlement,
)
from checker.evaluate.answer import Answer
from checker.evaluate.card_terms import card_and_trait, card_named
from checker.evaluate.conditions import Term
from checker.evaluate.dealer_draw import ranks_in_play
from checker.evaluate.scene import SeenScene
from checker.judge.due import side_due
from checker.judge.findings import Verdict
from checker.log import model as r
from checker.table.other_games import played_otherwise
from checker.table.state import Dealt
from rulespec.resolve.rulebook import Rule, Rulebook
from rulespec.tree import nodes as t
from rulespec.tree.game import DEALER, Bet

MOST_DEALS = 200_000  # beyond that the edge is not worked out
MOST_QUICKLY = 12_000  # the same where somebody waits for more than the edge

Signature = tuple[object, ...]


def declared_bets(rulebook: Rulebook) -> list[Bet]:
    """The bets of the rulebook's own that somebody stakes on, and those of another game."""
    other = played_otherwise(rulebook.game) is not None
    bets = rulebook.game.bets.values()
    return [bet for bet in bets if (bet.own or other) and not bet.settle_only]


def declared_edges(rulebook: Rulebook, bet: Bet, most: int = MOST_DEALS) -> list[BetEdges]:
    """One for each choice of the house that the rules on the bet ask for; none where no clause
    speaks of the bet."""
    rules = reachable(rulebook, settlement(bet.name))
    if not any(rule.question.startswith(f"{bet.name}.") for rule in rules):
        return []
    why = _not_by_cards(bet)
    deals: list[_Group] | None = None
    found: list[BetEdges] = []
    for chosen in combinations(rules, rulebook.game):
        engine = _engine(rulebook, bet, chosen)
        if why is None:
            shoe = _Shoe(engine, bet, rulebook)
            try:
                deals = deals if deals is not None else _all_deals(shoe, rules, most)
            except _TooMany:
                why = f": the rules tell more than {most:,} deals apart"
            else:
                found.append(shoe.edges(deals, chosen))
                continue
        counts, bounds = permitted(engine, bet.name)
        edges = tuple(Edge(decks, None, why) for decks in counts)
        found.append(BetEdges(bet.name, "", edges, (), bounds, chosen=chosen))
    return found


_kept: dict[object, tuple[list[Rule], list[_Group] | None]] = {}
_MOST_KEPT = 64  # bets


def _all_deals(shoe: _Shoe, rules: list[Rule], most: int) -> list[_Group]:
    """The deals of a bet: the same rules are asked for its edge and for proofs."""
    key = (shoe.bet.name, most, shoe.ranks, tuple(map(id, rules)))
    if key not in _kept:
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        try:
            found: list[_Group] | None = shoe.groups(most)
        except _TooMany:
            found = None
        _kept[key] = (rules, found)  # which keeps the rules, and so what they are known by
    made = _kept[key][1]
    if made is None:
        raise _TooMany
    return made


class Dealing:
    """All deals of the cards that decide a bet, for one choice of the house."""

    def __init__(self, shoe: _Shoe, groups: list[_Group], chosen: Chosen) -> None:
        self.bet, self.engine = shoe.bet, shoe.engine
        self.chosen = chosen
        self.dealer_cards = shoe.dealer_cards
        self.decks = shoe.counts[0] if shoe.counts else 1
        self.scene = shoe.scene
        self._shoe = shoe
        self._deals = {group.signature: group.cards for group in groups}

    def settlements(self) -> Iterator[tuple[tuple[str, ...], Answer, Answer | None, bool]]:
        """The cards of one deal for all that are alike, what becomes of the wager, its odds if it
        wins, and whether that hangs on what is not modelled."""
        shoe, name = self._shoe, self.bet.name
        for decks in shoe.counts if shoe.asks_decks else shoe.counts[:1]:
            self.decks = decks
            shoe.set_up(decks)
            for cards in self._deals.values():
                one = _shown(cards)
                self.scene = view = shoe.dealt(one)
                self.engine.missing.clear()
                result = self.engine.ask(f"{name}.result", view)
                odds = self.engine.ask(f"{name}.odds", view) if result.value == "wins" else None
                yield tuple(min(c) for c in one), result, odds, bool(self.engine.missing)

    def adds_up(self) -> bool:
        """Several rows may apply: all of them are paid, or only the highest."""
        asked = (f"{self.bet.name}.sum", f"{self.bet.name}.highest")
        return any(self.engine.has(q) and self.engine.ask(q, self.scene).values for q in asked)


def dealings(rulebook: Rulebook, bet: Bet) -> Iterator[Dealing]:
    """One for each choice of the house; none for a bet that no cards decide, or too many."""
    rules = reachable(rulebook, settlement(bet.name))
    if _not_by_cards(bet) or not any(rule.question.startswith(f"{bet.name}.") for rule in rules):
        return
    groups: list[_Group] | None = None
    for chosen in combinations(rules, rulebook.game):
        shoe = _Shoe(_engine(rulebook, bet, chosen), bet, rulebook)
        try:
            groups = groups if groups is not None else _all_deals(shoe, rules, MOST_QUICKLY)
        except _TooMany:
            return
        yield Dealing(shoe, groups, chosen)


def _not_by_cards(bet: Bet) -> str | None:
    if bet.carried:
        return ": it runs over several rounds"
    if not bet.decided_by:
        return ": no cards are declared that decide it"
    if any(card_named(card) is None for card in bet.decided_by):
        return ": whole hands decide it"
    return None


def _engine(rulebook: Rulebook, bet: Bet, chosen: Chosen) -> ModelEngine:
    """An engine with what the edge of a bet can hang on, for one choice of the house."""
    questions = (*settlement(bet.name), "card value ", "require round")
    rules = chosen_rules(reachable(rulebook, questions), chosen)
    modelled = SUPPOSED | {"round.decks", "wager.part"}
    for name in rulebook.game.facts:
        if _of_cards(name, bet) or name.startswith("card."):
            modelled |= {name}
    made, unseen = blinded(
        rules,
        rulebook.game,
        frozenset(modelled),
        lambda node: other_cards(node, bet.decided_by),
    )
    return ModelEngine(replace(rulebook, rules=tuple(made)), unseen)


def _of_cards(fact: str, bet: Bet) -> bool:
    """A fact about one of the cards that decide the bet: its face, or the card by its rank."""
    found = card_and_trait(fact)
    card = fact if found is None else fact.rpartition(".")[0]
    return card in bet.decided_by


def _nodes(node: object) -> Iterator[t.Node]:
    if isinstance(node, tuple):
        for part in node:
            yield from _nodes(part)
    elif isinstance(node, t.Node):
        yield node
        for slot in node.__slots__:
            if slot != "span":
                yield from _nodes(getattr(node, slot))


class _TooMany(Exception):
    """The rules tell too many deals apart."""


class _Group(NamedTuple):
    """Deals on which all tests come out alike and that can be dealt in as many ways."""

    signature: Signature
    cards: Cards
    times: int


class _Shoe:
    """A bet on a fresh shoe: the cards that decide it."""

    def __init__(self, engine: ModelEngine, bet: Bet, rulebook: Rulebook) -> None:
        """`rulebook`: before anything was chosen."""
        self.engine = engine
        self.bet = bet
        counts, self.bounds = permitted(engine, bet.name)
        barring = about_choices(rulebook.rules)
        self.counts = [
            n for n in counts if barring.isdisjoint(broken_rules(engine, bet.name, n, True))
        ]
        values = reachable(engine.rulebook, (*settlement(bet.name), "card value "))
        self.asks_decks = any(names_fact(rule, "round.decks") for rule in values)
        self.set_up(self.counts[0] if self.counts else 1)
        self.ranks = ranks_in_play(engine, self.scene)
        self.deck = frozenset(rank + suit for rank in self.ranks for suit in r.SUITS)
        places = [found for card in bet.decided_by if (found := card_named(card)) is not None]
        self.dealer_cards = max((n + 1 for seat, n in places if seat == DEALER), default=0)
        self.box_cards = max((n + 1 for seat, n in places if seat != DEALER), default=0)
        self.start: Cards = (self.deck,) * (self.dealer_cards + self.box_cards)
        rules = reachable(engine.rulebook, settlement(bet.name))
        self.kinds = kinds(rules, self.dealt(self.start), self.ranks)
        self.tests: list[Term] = [engine.compile(x) for x in dict.fromkeys(_card_tests(rules))]
        self.tests += [engine.term(rule.value) for rule in rules if _is_number(rule)]

    def set_up(self, decks: int) -> None:
        self.table, self.scene = fresh(self.engine, self.bet.name, decks)
        self.box = self.table.boxes[1]

    def dealt(self, cards: Cards) -> SeenScene:
        dealer, dealt = self.dealer_cards, list[Dealt]()
        for n, among in enumerate(cards):
            dealt.append(FaceDown(n, among, n >= dealer))
        self.box.received[:] = self.box.hands[1].cards[:] = dealt[dealer:]
        self.table.dealer[:] = dealt[:dealer]
        return self.scene.but(
            dealer=tuple(dealt[:dealer]),
            box=self.box,
            hand=self.box.hands[1],
            player=PLAYER,
            bet=self.bet.name,
            stake=STAKE,
        )

    def groups(self, most: int) -> list[_Group]:
        """All deals, as far as the tests tell them apart."""
        found: dict[object, _Group] = {}
        waiting: list[tuple[Cards, int, Signature]] = [(self.start, 1, ())]
        done = 0
        while waiting:
            cards, times, signature = waiting.pop()
            scene = self.dealt(cards)
            try:
                for test in self.tests[len(signature) :]:
                    signature = (*signature, test(scene))
            except Unread as unread:
                # what was found of these cards stays so, however many of them are turned
                for part, alike in turned(cards, unread, self.kinds):
                    waiting.append((part, times * alike, signature))
                continue
            done += 1
            if done > most:
                raise _TooMany
            seen = [n for n, among in enumerate(cards) if among != self.deck]
            common: list[frozenset[str]] = [self.deck]
            for n in seen:
                common += [cards[n] & other for other in common]
            key = (signature, tuple(seen), tuple(map(len, common)))
            before = found.get(key)
            total = times + (before.times if before is not None else 0)
            found[key] = _Group(signature, cards if before is None else before.cards, total)
        return list(found.values())

    def edges(self, groups: list[_Group], chosen: Chosen) -> BetEdges:
        made: list[Edge] = []
        odds: dict[str, Rule] = {}
        least = False
        known: dict[Signature, tuple[Fraction | None, str | None]] = {}
        for decks in self.counts:
            if self.asks_decks:
                known = {}
                self.set_up(decks)
            settled: list[tuple[Settled, int]] = []
            for group in groups:
                if group.signature not in known:
                    won, why, rules, bounded = self._ask(group.cards)
                    known[group.signature] = (won, why)
                    odds.update({rule.id: rule for rule in rules})
                    least |= bounded
                won, why = known[group.signature]
                one = Settled(group.cards, 1, won, why, (), won)
                settled.append((one, group.times))
            made.append(edge_of(settled, self.start, decks))
        listed = tuple(rule for rule in self.engine.rulebook.rules if rule.id in odds)
        return BetEdges(
            self.bet.name,
            self.ranks,
            tuple(made),
            listed,
            self.bounds,
            "",
            (),
            chosen,
            least,
            self.box_cards > 2,
        )

    def _ask(self, cards: Cards) -> tuple[Fraction | None, str | None, tuple[Rule, ...], bool]:
        """What a unit staked wins, why that is open, and whether the house may choose it."""
        scene = self.dealt(_shown(cards))
        self.engine.missing.clear()
        due = side_due(scene, self.bet.name, self.box, PLAYER, STAKE, Verdict())
        rules = due.odds.rules if due.odds else ()
        if due.amount is None or due.stays:
            missing = self.engine.all_missing()
            why = "; ".join(map(str, missing)) if missing else due.why
            return None, why or "the wager stays", rules, False
        return Fraction(due.amount - STAKE, STAKE), None, rules, due.bounded


def _shown(cards: Cards) -> Cards:
    """One deal for all: whatever else may be asked of a card is the same for each of them."""
    taken: list[frozenset[str]] = []
    for among in cards:
        taken.append(frozenset({min(among)}))
    return tuple(taken)


def _is_number(rule: Rule) -> bool:
    return rule.question.startswith("define ") and isinstance(rule.value, t.Node)


def _card_tests(rules: Iterable[Rule]) -> Iterator[t.Expression]:
    for rule in rules:
        yield from _leaves(rule.condition)


def _leaves(node: t.Expression) -> Iterator[t.Expression]:
    """The tests in a condition that look at cards."""
    match node:
        case t.Both() | t.Either():
            for part in node.parts:
                yield from _leaves(part)
        case t.Negated():
            yield from _leaves(node.part)
        case _:
            if any(isinstance(part, t.CardQuestion | t.Fact) for part in _nodes(node)):
                yield node
