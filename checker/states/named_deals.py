"""All deals of a game with named hands, as far as the rules tell cards apart, each with the number
of ways in which it can come out of a shoe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import Any

from checker.evaluate.answer import Answer
from checker.evaluate.engine import Engine
from checker.evaluate.hand_draws import Draws, Turn, draws_of
from checker.evaluate.memory.seam import Worked
from checker.evaluate.named_scene import NamedScene, fresh_table, points_of
from checker.log.model import RANKS, SUITS
from checker.table.named_hands import order_of_deal
from checker.table.state import Dealt
from rulespec.resolve.question import Question, about_bet, defining, requiring
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.cards import ORDINALS, SUIT_NAMES
from rulespec.tree.walk import asked_words, walk

DECK_COUNTS = range(1, 13)
MOST_DEALS = 2_000_000  # more are not gone through, and what rests on them is undecided
TOO_MANY = f"the rules tell more than {MOST_DEALS:,} deals apart"
Hands = tuple[tuple[int, ...], ...]  # of each named hand the kinds of its cards, in order


@dataclass(frozen=True, slots=True)
class CardKind:
    """Cards that no rule tells apart; `card` stands for all of them."""

    card: str
    cards: tuple[str, ...]  # of one deck


@dataclass(frozen=True, slots=True)
class Deal:
    """One way in which the cards can fall. `turn` is the hand that may draw next, None at the end;
    `ways` is a number of orders of the cards that lie there."""

    hands: Hands
    ways: int
    turn: Turn | None
    scene: NamedScene = field(compare=False, repr=False)

    @property
    def cards(self) -> int:
        return sum(map(len, self.hands))


class Deals:
    """The deals of one rulebook."""

    def __init__(
        self,
        engine: Engine,
        decks: int,
        asked: Iterable[object],
        kinds: list[CardKind] | None = None,
        first: bool = False,
        whole: bool = False,
        house: Iterable[str] = (),
    ) -> None:
        """`asked`: the conditions that tell deals apart; `kinds`: finer than those need; `first`:
        only the cards of the first deal matter; `whole`: all of them, and each rank for itself;
        `house`: what it offers and has chosen."""
        self.engine = engine
        self.decks = decks
        self.first = first
        game = engine.rulebook.game
        self.names = game.hands
        self.order = order_of_deal(game)
        stages = () if first and not whole else game.stages.values()
        conditions = [*asked, *(stage.condition for stage in stages)]
        self.kinds = kinds or kinds_of_cards(engine, conditions)
        self.counts = [len(kind.cards) * decks for kind in self.kinds]
        self.in_order = _told_by_place(conditions, max(map(self.order.count, self.names)))
        cards_apart = all(len(kind.cards) == 1 for kind in self.kinds)
        self.suits_alike = cards_apart and self.in_order and not _names_suits(conditions)
        self.ranks_alike = (
            self.suits_alike and first and not whole and all(map(_only_held_together, conditions))
        )
        dealt = self.names if whole or not first else _hands_in(conditions, self.names)
        self.sizes = [self.order.count(name) * (name in dealt) for name in self.names]
        self.dealt = [Dealt(kind.card, 0, False) for kind in self.kinds]
        self.house = tuple(house)
        self.blank = fresh_table(engine, decks, self.house)

    @property
    def too_many(self) -> bool:
        """Whether there are more deals than can be gone through, by a rough count."""
        kinds, cards = len(self.kinds), sum(self.sizes)
        if self.suits_alike:
            found = kinds**cards // 24 // (24 if self.ranks_alike else 1)
        elif self.in_order:
            found = kinds**cards
        else:
            found = prod(comb(kinds + size - 1, size) for size in self.sizes)
        return bool(found * (1 if self.first else kinds) > MOST_DEALS)

    def all(self) -> Iterator[Deal]:
        """Every deal at which a hand may draw, and every one at the end of the drawing."""
        for hands, ways in self.initial():
            if self.first:
                yield Deal(hands, ways, None, self.scene(hands))
            else:
                yield from self._from(hands, ways, draws_of(self.engine))

    def finished(self, deal: Deal) -> Hands:
        """The hands with all cards that are due, whichever these are."""
        if not self.first:
            return deal.hands
        hands = deal.hands
        for name, held in zip(self.names, deal.hands, strict=True):
            for _ in range(self.order.count(name) - len(held)):
                hands = next(self.with_card(hands, name))[0]
        deals = self._from(hands, 1, draws_of(self.engine))
        return next((one.hands for one in deals if one.turn is None), hands)

    def ended(self) -> Iterator[Deal]:
        return (deal for deal in self.all() if deal.turn is None)

    def scene(self, hands: Hands) -> NamedScene:
        """The table with these cards on it."""
        lying = {
            name: tuple([self.dealt[kind] for kind in cards])
            for name, cards in zip(self.names, hands, strict=True)
        }
        return self.blank.but(hands=lying)

    def initial(self) -> Iterator[tuple[Hands, int]]:
        """The cards of the first deal, hand by hand. Where no rule asks which card of a hand came
        first, its cards are taken in one order, and counted in all."""
        if self.suits_alike:
            to = [name for name, n in zip(self.names, self.sizes, strict=True) for _ in range(n)]
            yield from self._one_by_one(tuple(() for _ in self.names), 1, to)
            return
        range_ = range(len(self.kinds))
        ways: list[list[tuple[int, ...]]] = [
            list(product(range_, repeat=size) if self.in_order else _sets(range_, size))
            for size in self.sizes
        ]
        for hands in product(*ways):
            orders = 1 if self.in_order else prod(_orders(cards) for cards in hands)
            number = self._ways([kind for cards in hands for kind in cards])
            if number:
                yield hands, orders * number

    def _one_by_one(
        self, hands: Hands, ways: int, to: Sequence[str]
    ) -> Iterator[tuple[Hands, int]]:
        if not to:
            yield hands, ways
            return
        for drawn, number in self.with_card(hands, to[0]):
            yield from self._one_by_one(drawn, ways * number, to[1:])

    def _ways(self, kinds: list[int]) -> int:
        number = 1
        used: dict[int, int] = {}
        for kind in kinds:
            number *= self.counts[kind] - used.get(kind, 0)
            used[kind] = used.get(kind, 0) + 1
        return number

    def _from(self, hands: Hands, ways: int, draws: Draws) -> Iterator[Deal]:
        scene = self.scene(hands)
        draws, turn = draws.next(scene)
        yield Deal(hands, ways, turn, scene)
        if turn is None:
            return
        if turn.due is not True:
            yield from self._from(hands, ways, draws.passed())
        if turn.due is not False:
            for drawn, left in self.with_card(hands, turn.hand):
                yield from self._from(drawn, ways * left, draws.took())

    def with_card(self, hands: Hands, name: str) -> Iterator[tuple[Hands, int]]:
        """The hands after one of them has got a card, and in how many ways it can."""
        place = self.names.index(name)
        used = [kind for cards in hands for kind in cards]
        for kind, times in self._different(used):
            left = self.counts[kind] - used.count(kind)
            if left > 0:
                longer = (*hands[place], kind)
                yield (*hands[:place], longer, *hands[place + 1 :]), left * times

    def _different(self, used: list[int]) -> Iterator[tuple[int, int]]:
        """The kinds that a further card may be of, each with the number of kinds like it. Where
        suits are only held against each other, one that has not come yet stands for all such; so
        do ranks. Those that have come are the first ones then."""
        if not self.suits_alike:
            yield from ((kind, 1) for kind in range(len(self.kinds)))
            return
        cards = [self.kinds[kind].card for kind in used]
        suits = len({card[1] for card in cards})
        ranks = len({card[0] for card in cards}) if self.ranks_alike else None
        order = list(dict.fromkeys(kind.card[0] for kind in self.kinds))
        for kind, one in enumerate(self.kinds):
            rank, suit = order.index(one.card[0]), SUITS.index(one.card[1])
            if suit > suits or (ranks is not None and rank > ranks):
                continue
            times = len(SUITS) - suits if suit == suits else 1
            yield kind, times * (len(order) - rank if rank == ranks else 1)


def _sets(range_: Iterable[int], size: int) -> Iterator[tuple[int, ...]]:
    return combinations_with_replacement(range_, size)


def _orders(cards: tuple[int, ...]) -> int:
    return factorial(len(cards)) // prod(factorial(cards.count(kind)) for kind in set(cards))


def orders_of_cards(cards_in_shoe: int, cards: int) -> int:
    """In how many orders so many cards can come out of a shoe."""
    return prod(range(cards_in_shoe - cards + 1, cards_in_shoe + 1))


# --- which cards the rules tell apart


def groups_of(
    engine: Engine,
    bets: Iterable[str],
    decks: int,
    *,
    draws: bool = False,
    whole: bool = False,
    house: Iterable[str] = (),
) -> list[tuple[tuple[str, ...], Deals]]:
    """Bets by the deals that their own rules tell apart, so that one that looks at two cards of a
    hand does not make all others look at them. `draws`: the first group is that of the drawing;
    `whole`: every hand is dealt in each."""
    drawing = [q for q in engine.by_question if q.partition(" ")[0] in engine.rulebook.game.hands]
    found: dict[Any, tuple[list[str], Deals]] = {}

    def group(asked: list[object], first: bool) -> list[str]:
        deals = Deals(engine, decks, asked, first=first, whole=whole, house=house)
        kinds = tuple(kind.cards for kind in deals.kinds)
        alike = deals.suits_alike, deals.ranks_alike
        key = (kinds, deals.in_order, first, alike, tuple(deals.sizes))
        return found.setdefault(key, ([], deals))[0]

    if draws:
        group(conditions_of(engine, drawing), False)
    for bet in bets:
        asked = [about_bet(bet, "result"), about_bet(bet, "odds")]
        first = hangs_on_first_deal(engine, bet)
        group(conditions_of(engine, asked if first else [*asked, *drawing]), first).append(bet)
    return [(tuple(bets_), deals) for bets_, deals in found.values()]


def _hangs_on_first_deal(engine: Engine, bet: str) -> bool:
    asked = [about_bet(bet, "result"), about_bet(bet, "odds")]
    facts = {fact for question in asked for fact in facts_asked(engine, question)}
    order = order_of_deal(engine.rulebook.game)
    return all(_in_first_deal(fact, order) for fact in facts)


hangs_on_first_deal = Worked(_hangs_on_first_deal)
"""Whether the cards of the first deal decide a bet, whatever is drawn then."""


def _in_first_deal(fact: str, order: Sequence[str]) -> bool:
    hand, place, *_ = fact.split(".")
    return place in ORDINALS[: order.count(hand)]


def conditions_of(engine: Engine, questions: Iterable[Question]) -> list[object]:
    """What the rules on some questions ask, and the rules on the terms that they use."""
    found: list[object] = []
    waiting = list(questions)
    seen = set(waiting)
    while waiting:
        for rule, _ in engine.by_question.get(waiting.pop(), ()):
            parts = [rule.condition, *([rule.value] if isinstance(rule.value, t.Node) else [])]
            found += parts
            terms = {defining(word.name) for part in parts for word in asked_words(part)} - seen
            seen |= terms
            waiting += sorted(terms)
    return found


def kinds_of_cards(engine: Engine, asked: Iterable[object]) -> list[CardKind]:
    traits = _traits(asked)
    by: dict[object, list[str]] = {}
    for card in pack_of(engine):
        rank = card[0]
        key: object = points_of(engine, rank)
        if traits & {"suit", "colour", "card", "cards"}:
            key = card
        elif traits & {"rank", "face"}:
            key = rank
        by.setdefault(key, []).append(card)
    return [CardKind(cards[0], tuple(cards)) for cards in by.values()]


def finer(one: list[CardKind], other: list[CardKind]) -> list[CardKind]:
    """Kinds that either of two texts tells apart."""
    shared: dict[str, list[str]] = {}
    for kind in one:
        for card in kind.cards:
            theirs = next((k.card for k in other if card in k.cards), "")
            shared.setdefault(f"{kind.card} {theirs}", []).append(card)
    return [CardKind(cards[0], tuple(cards)) for cards in shared.values()]


def pack_of(engine: Engine) -> list[str]:
    """The cards of one deck that the rules let into the game."""
    blank = fresh_table(engine)
    allowed = []
    for rank in RANKS:
        view = blank.but(deal={"rank": rank, "copies": 1})
        if not engine.broken(requiring("card"), view):
            allowed.append(rank)
    return [rank + suit for rank in allowed for suit in SUITS]


def _traits(asked: Iterable[object]) -> set[str]:
    found: set[str] = set()
    for node in asked:
        for part in walk(node):
            match part:
                case t.Fact():
                    name, _, trait = part.name.rpartition(".")
                    if name.rpartition(".")[2] in ORDINALS:
                        found.add(trait)
                case t.Same():
                    found.add(part.trait)
                case t.Consecutive() | t.PokerRank() | t.CardsOf():
                    found.add("cards")
                case t.CountOf():
                    found.update(trait.name for trait in part.traits)
    return found


def _told_by_place(asked: Iterable[object], first: int) -> bool:
    """Whether some rule asks for one of the first cards of a hand by its place."""
    early = set(ORDINALS[:first])
    for node in asked:
        for part in walk(node):
            match part:
                case t.Fact():
                    if set(part.name.split(".")) & early:
                        return True
                case _ if isinstance(part, t.CardQuestion):
                    return True
    return False


def _names_suits(asked: Iterable[object]) -> bool:
    """Whether a condition asks for more of a suit than whether it is that of another card."""
    for node in asked:
        for part in walk(node):
            match part:
                case t.Name(name=name) if name in SUIT_NAMES.values():
                    return True
                case t.Fact(name=name) if name.endswith(".colour"):
                    return True
                case t.Same(trait="colour") | t.CardsOf() | t.CountOf() | t.Chosen():
                    return True
    return False


def _only_held_together(node: object) -> bool:
    """Whether a condition holds cards against each other, and asks nothing else of them."""
    match node:
        case t.Compare(left=t.Fact() as one, right=t.Fact() as other, operator="=" | "!="):
            traits = {one.name.rpartition(".")[2], other.name.rpartition(".")[2]}
            return len(traits) == 1 and traits <= {"rank", "suit"}
        case t.Same(trait="rank" | "suit" | "card"):
            return True
        case t.Both(parts=parts) | t.Either(parts=parts):
            return all(map(_only_held_together, parts))
        case t.Negated(part=part):
            return _only_held_together(part)
        case t.Always() | t.Name() | t.Setting() | t.Odds():
            return True
        case _:
            return not any(isinstance(part, t.Fact | t.CardQuestion) for part in walk(node))


def _hands_in(asked: Iterable[object], names: Sequence[str]) -> set[str]:
    """The hands of which a condition asks for a card or a fact."""
    found: set[str] = set()
    for node in asked:
        for part in walk(node):
            if isinstance(part, t.Fact | t.Name):
                found.add(part.name.partition(".")[0])
            elif isinstance(part, t.CardQuestion):
                found.update(card.partition(".")[0] for card in part.cards)
    return found & set(names) or set(names[:1])


def permitted_decks(engine: Engine) -> tuple[list[int], tuple[Rule, ...]]:
    """The numbers of decks against which no rule speaks, and what bounds them."""
    permitted: list[int] = []
    bounds: dict[str, Rule] = {}
    for count in DECK_COUNTS:
        blank = fresh_table(engine, count)
        broken = [
            rule
            for rule in engine.broken(requiring("round"), blank)
            if "round.decks" in {w.name for w in asked_words(rule.value)}
        ]
        if not broken:
            permitted.append(count)
        bounds.update((rule.id, rule) for rule in broken)
    return permitted, tuple(bounds.values())


def decks_of(engine: Engine) -> int:
    """A number of decks that the rules permit."""
    return max(permitted_decks(engine)[0], default=6)


# --- questions that are asked once for all deals that they see alike


class Asked:
    """Answers to a question, kept by all that its rules look at."""

    def __init__(self, engine: Engine, question: Question) -> None:
        self.engine = engine
        self.question = question
        self._known: dict[tuple[Any, ...], Answer] = {}
        self.facts = sorted(facts_asked(engine, question))

    def of(self, scene: NamedScene, **more: Any) -> Answer:
        key = tuple([scene.fact(name) for name in self.facts])
        found = self._known.get(key)
        if found is None:
            view = scene.but(**more) if more else scene
            found = self._known[key] = self.engine.ask(self.question, view)
        return found


def facts_asked(engine: Engine, question: Question) -> set[str]:
    """The facts of named hands that the rules on a question ask for, also by defined terms."""
    hands = engine.rulebook.game.hands
    found: set[str] = set()
    waiting, seen = [question], set[str]()
    while waiting:
        for rule, _ in engine.by_question.get(waiting.pop(), ()):
            for part in (*walk(rule.condition), *_inside(rule.value)):
                if isinstance(part, t.CardQuestion):
                    found.update(fact for name in part.cards for fact in _whole_card(name))
                elif isinstance(part, t.Fact | t.Name):
                    term = defining(part.name)
                    if term in engine.by_question:
                        if term not in seen:
                            seen.add(term)
                            waiting.append(term)
                    elif part.name.partition(".")[0] in hands:
                        found.add(part.name)
    return found


def _whole_card(name: str) -> Iterator[str]:
    """All that tells a card by position from another, or each card of a whole hand."""
    by_position = name.rpartition(".")[2] in ORDINALS
    for card in (name,) if by_position else (f"{name}.{ordinal}" for ordinal in ORDINALS):
        yield from (f"{card}.rank", f"{card}.suit")


def _inside(value: object) -> Iterator[Any]:
    return walk(value) if isinstance(value, t.Node) else iter(())


def shown_cards(deals: Deals, hands: Hands) -> Mapping[str, tuple[str, ...]]:
    """Real cards for a deal, no more of one than there are in the shoe."""
    used: dict[int, int] = {}
    shown: dict[str, tuple[str, ...]] = {}
    for name, cards in zip(deals.names, hands, strict=True):
        picked = []
        for kind in cards:
            nth = used.get(kind, 0)
            used[kind] = nth + 1
            own = deals.kinds[kind].cards
            picked.append(own[nth % len(own)])
        shown[name] = tuple(picked)
    return shown
