"""The house edge of the side bets and of insurance, exactly, by asking the rules.

Cards are dealt face down, so to speak: a rule that asks for the rank or the suit of a card turns
over just that, and the count goes on separately for each answer that the rules can tell apart.
So every kind of settlement is asked of the engine once, and the odds, the pairs and the decks are
those of the rulebook.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from fractions import Fraction

from checker.edge.cards import Cards, FaceDown, Unread, kinds, names_in, reachable, turned, ways
from checker.edge.choices import Chosen, chosen_rules, combinations
from checker.edge.models import SUPPOSED, ModelEngine, blinded, other_cards
from checker.evaluate.dealer_draw import ranks_in_play
from checker.evaluate.engine import Engine
from checker.evaluate.facts.boxes import HOMES
from checker.evaluate.scene import SeenScene
from checker.judge.due import side_due
from checker.judge.findings import Verdict
from checker.log import model as r
from checker.table.other_games import played_otherwise
from checker.table.shoes import ShoeView
from checker.table.state import Dealt, Table
from rulespec.resolve.question import CARD_VALUES, ROUNDING, Question, about_bet, requiring, whether
from rulespec.resolve.rulebook import Rule, Rulebook
from rulespec.tree import nodes as t
from rulespec.tree.game import Game
from rulespec.tree.walk import asked_words

DECK_COUNTS = range(1, r.DECKS_MAX + 1)
STAKE = 100  # minor units; the edge is per unit staked
PLAYER = "P1"


def settlement(bet: str) -> tuple[Question, ...]:
    """The questions that are asked to settle a bet."""
    asked = ("result", "odds", "highest", "sum", "deemed", "counted")
    return (*(about_bet(bet, what) for what in asked), ROUNDING)


def edge_bets(game: Game) -> list[str]:
    """The game's own bets that cards decide: those of the box, then those placed on the way."""
    if played_otherwise(game) is not None:
        return []
    bets = [bet for bet in game.bets.values() if not bet.own and not bet.settle_only]
    on_cards = [bet.name for bet in bets if bet.decided_by]
    return [*on_cards, *(bet.name for bet in bets if bet.placed.when == "by play")]


def _questions(game: Game) -> tuple[str, ...]:
    """All that an edge can hang on; the rest of a rulebook is left out."""
    plays = [game.bets[bet].placed.name for bet in edge_bets(game)]
    return (
        *(question for bet in edge_bets(game) for question in settlement(bet)),
        CARD_VALUES,
        requiring("round"),
        requiring("card"),
        *(whether("player", action) for action in plays if action),
    )


# What cards show, what is supposed of the round, and the decks; see `edge_models`.
_MODELLED = (
    SUPPOSED
    | {
        name
        for name in HOMES
        if name.partition(".")[0] in ("first", "second", "third", "hand", "dealer", "card", "play")
    }
    | {"round.decks", "wager.part"}
)


@dataclass(frozen=True, slots=True)
class Edge:
    """What the house keeps of each unit staked, on average, out of a fresh shoe."""

    decks: int
    house: Fraction | None  # None: the text leaves some settlement open
    why: str | None = None
    outcomes: tuple[tuple[Fraction, Fraction], ...] = ()  # won per unit staked, probability
    without_third: Fraction | None = None  # the edge if no third card is ever taken


@dataclass(frozen=True, slots=True)
class BetEdges:
    """One bet of one rulebook at every deck count that the rules permit."""

    bet: str
    ranks: str  # in each deck, in four suits
    edges: tuple[Edge, ...]
    odds: tuple[Rule, ...] = ()  # what sets the odds
    bounds: tuple[Rule, ...] = ()  # what bounds the number of decks
    dealer_shows: str = ""  # ranks of the dealer's first card, where the bet needs one
    third_matters: tuple[str, ...] = ()  # first two cards after which a third changes something
    chosen: tuple[tuple[str, str], ...] = ()  # what the house has chosen: names and values
    bounded: bool = False  # the text leaves the odds to the house; the bound that it names is paid
    third_taken: bool = False  # by supposition: it is one of the cards that decide the bet

    @property
    def name(self) -> str:
        return " ".join((self.bet, *(f"{name}={value}" for name, value in self.chosen)))

    def at(self, decks: int) -> Edge | None:
        return next((edge for edge in self.edges if edge.decks == decks), None)


def edges(engine: Engine, bets: Sequence[str] | None = None) -> list[BetEdges]:
    """The bets that the rulebook knows, each with its edge for every permitted deck count."""
    listed = edge_bets(engine.rulebook.game) if bets is None else bets
    return [found for bet in listed if (found := _bet_edges(engine, bet)) is not None]


def engine_for(rulebook: Rulebook, chosen: Chosen = ()) -> Engine:
    """An engine with no more of the rulebook than an edge can hang on, which notes where that
    hangs on what is not modelled; for a house that has `chosen` so."""
    known = ("first", "second", "dealer.first")
    asked = chosen_rules(reachable(rulebook, _questions(rulebook.game)), chosen)
    rules, unseen = blinded(
        asked,
        rulebook.game,
        _MODELLED,
        lambda node: other_cards(node, known, rulebook.game.facts),
    )
    return ModelEngine(replace(rulebook, rules=tuple(rules)), unseen)


def all_edges(rulebook: Rulebook, bets: Sequence[str] | None = None) -> list[BetEdges]:
    """As `edges`, for every choice of the house that the rules on a bet ask for."""
    found: list[BetEdges] = []
    for bet in edge_bets(rulebook.game) if bets is None else bets:
        for chosen in combinations(reachable(rulebook, settlement(bet)), rulebook.game):
            found += [replace(x, chosen=chosen) for x in edges(engine_for(rulebook, chosen), [bet])]
    return found


def versions(rulebook: Rulebook) -> list[tuple[date | None, Rulebook]]:
    """The texts that follow each other, as far as an edge can differ, and since when."""
    dated = sorted({*rulebook.turns} | ({rulebook.start} if rulebook.start else set()))
    texts: list[tuple[date | None, Rulebook]] = []
    before: list[Rule] | None = None
    for day in dated:
        text = rulebook.on(day)
        rules = reachable(text, _questions(text.game))
        if rules != before:
            texts.append((day, text))
        before = rules
    return texts or [(None, rulebook)]


def percent(share: Fraction, places: int = 4) -> str:
    """`4.0964 %`: rounded to the nearest, the exact share being another column."""
    scaled = round(share * 100 * 10**places)
    whole, rest = divmod(abs(scaled), 10**places)
    return f"{'-' if scaled < 0 else ''}{whole}.{rest:0{places}d} %"


# --- the settlements


@dataclass(frozen=True, slots=True)
class Settled:
    """Deals that the rules do not tell apart, and what a unit staked wins on them."""

    cards: Cards
    times: int  # as many such sets of deals are alike
    won: Fraction | None
    why: str | None
    odds: tuple[Rule, ...]
    without_third: Fraction | None


class _Shoe:
    """A bet on a fresh shoe: the first two cards of a box, and the dealer's."""

    def __init__(self, engine: Engine, bet: str, decks: int) -> None:
        self.engine = engine
        self.bet = bet
        self.table, self.scene = fresh(engine, bet, decks)
        self.box = self.table.boxes[1]
        self.ranks = ranks_in_play(engine, self.scene)
        self.deck = frozenset(rank + suit for rank in self.ranks for suit in r.SUITS)
        play = engine.mechanics.placed_by(bet)
        self.dealer_cards = 2 if play else 1
        self.shows = self._allowing(play) if play else ""
        first = frozenset(c for c in self.deck if c[0] in self.shows) if self.shows else self.deck
        # the dealer's cards, then those of the box
        self.start: Cards = (first, *[self.deck] * (self.dealer_cards + 1))
        self.rules = reachable(engine.rulebook, settlement(bet))
        asked = self._dealt(self.start).but(
            box=self.box, hand=self.box.hands[1], player=PLAYER, bet=bet, stake=STAKE
        )
        self.kinds = kinds(self.rules, asked, self.ranks)

    def _allowing(self, word: str) -> str:
        """The first dealer cards on which the rules let the bet be placed; of the hand nothing is
        seen."""
        play = r.Play(1, 1, PLAYER, word, STAKE)
        question = whether("player", self.engine.mechanics.action(word))
        view = self.scene.but(box=self.box, hand=self.box.hands[1], player=PLAYER, play=play)
        return "".join(
            rank
            for rank in self.ranks
            if self.engine.allowed(question, view.but(dealer=(Dealt(rank + "S", 0, False),)))[0]
            is not False
        )

    def settled(
        self, cards: Cards, times: int = 1, without_third: Fraction | None = None
    ) -> Iterator[Settled]:
        third_dealt = len(cards) > len(self.start)
        try:
            won, why, odds, asks_third = self._ask(cards)
        except Unread as unread:
            for part, alike in turned(cards, unread, self.kinds):
                yield from self.settled(part, times * alike, without_third)
            return
        if asks_third and not third_dealt:
            yield from self.settled((*cards, self.deck), times, won)
        else:
            yield Settled(cards, times, won, why, odds, without_third if third_dealt else won)

    def _ask(self, cards: Cards) -> tuple[Fraction | None, str | None, tuple[Rule, ...], bool]:
        verdict = Verdict()
        due = side_due(self._dealt(cards), self.bet, self.box, PLAYER, STAKE, verdict)
        memory = verdict.decisions[0].scene.memory
        asks_third = "third.rank" in memory or "third.suit" in memory
        won = None if due.amount is None else Fraction(due.amount - STAKE, STAKE)
        why = due.why
        if won is None and isinstance(self.engine, ModelEngine) and self.engine.missing:
            why = "; ".join(map(str, self.engine.all_missing()))
        return won, why, due.odds.rules if due.odds else (), asks_third

    def pair(self, cards: Cards) -> str:
        """`7-7`, where the rules name these ranks and mean no others."""
        own = cards[self.dealer_cards : self.dealer_cards + 2]
        ranks = ["".join({card[0] for card in among}) for among in own]
        by_rank = list(self.kinds[0].values())
        named = all(len(rank) == 1 and by_rank.count(self.kinds[0][rank]) == 1 for rank in ranks)
        return "-".join(ranks) if named else "some hands"

    def _dealt(self, cards: Cards) -> SeenScene:
        box, dealt = self.dealer_cards, list[Dealt]()
        for n, among in enumerate(cards):
            dealt.append(FaceDown(n, among, box <= n < box + 2))
        self.box.received[:] = self.box.hands[1].cards[:] = dealt[box:]
        self.table.dealer[:] = dealt[:box]
        return self.scene.but(dealer=tuple(dealt[:box]))


def offering(engine: Engine, bet: str) -> set[str]:
    """The options without which a bet is not offered, and those that a table needs with them."""
    declared = engine.rulebook.game.bets.get(bet)
    asked = asked_words(declared.offered) if declared is not None else []
    named = {word.name for word in asked if isinstance(word, t.Setting) and word.kind == "option"}
    named |= {bet} & engine.rulebook.game.options.keys()
    for rule, _ in engine.by_question.get(requiring("round"), ()):
        match rule.condition, rule.value:
            case t.Setting(kind="option", name=on), t.Setting(kind="option", name=needed):
                named |= {needed} if on in named else set()
    return named


def fresh(
    engine: Engine, bet: str, decks: int, offered: bool = True, chosen: Chosen = ()
) -> tuple[Table, SeenScene]:
    """A table before the first card, with one player, wagers within the limits and no other
    option than the bet itself and what is `chosen`."""
    main, on_the_way = engine.mechanics.main, engine.mechanics.placed_by(bet)
    wagers = [r.Wager(1, PLAYER, main, 2 * STAKE)]
    if not on_the_way:
        wagers.append(r.Wager(1, PLAYER, bet, STAKE))
    limits = r.Limits(min=STAKE, max=2 * STAKE, unit=STAKE)
    start = engine.rulebook.start or date(2000, 1, 1)
    at = datetime(start.year, start.month, start.day, 12, tzinfo=UTC)
    options = frozenset(offering(engine, bet) if offered else ())
    options |= {f"{name}={value}" for name, value in chosen}
    table = Table(
        r.Round(
            "fresh",
            "fresh",
            None,
            at,
            engine.rulebook.id,
            decks,
            options,
            {main: limits, bet: limits},
            tuple(wagers),
            1,
        )
    )
    for wager in wagers:
        table.apply(wager)
    if on_the_way:
        table.boxes[1].placed[bet] = {PLAYER: STAKE}
    shoe = ShoeView(new=True, cut_card_out=False, no_cut_card=False, known=True)
    return table, SeenScene(engine, table, shoe)


# --- the edge


def _bet_edges(engine: Engine, bet: str) -> BetEdges | None:
    if not is_known(engine.rulebook, bet):
        return None
    counts, bounds = permitted(engine, bet)
    shoe = _Shoe(engine, bet, counts[0] if counts else 1)
    if engine.mechanics.placed_by(bet) and not shoe.shows:
        return None
    settled = list(shoe.settled(shoe.start)) if counts else []
    groups = _grouped(settled, shoe.start)
    values = reachable(engine.rulebook, (*settlement(bet), CARD_VALUES))
    asks_decks = any("round.decks" in names_in(rule) for rule in values)
    made: list[Edge] = []
    for n, decks in enumerate(counts):
        if n and asks_decks:
            shoe = _Shoe(engine, bet, decks)
            settled = list(shoe.settled(shoe.start))
            groups = _grouped(settled, shoe.start)
        made.append(edge_of(groups, shoe.start, decks))
    odds = {rule.id: rule for one in settled for rule in one.odds}
    matters = {shoe.pair(one.cards) for one in settled if one.won != one.without_third}
    return BetEdges(
        bet,
        shoe.ranks,
        tuple(made),
        tuple(rule for rule in engine.rulebook.rules if rule.id in odds),
        bounds,
        shoe.shows,
        tuple(sorted(matters)),
    )


def is_known(rulebook: Rulebook, bet: str) -> bool:
    """Some clause says when the bet wins, or what it pays."""
    return any(
        rule.question == about_bet(bet, "odds")
        or (rule.question == about_bet(bet, "result") and rule.value == "wins")
        for rule in rulebook.rules
    )


def edge_of(groups: list[tuple[Settled, int]], start: Cards, decks: int) -> Edge:
    outcomes: dict[Fraction, Fraction] = {}
    house = without_third = Fraction(0)
    for one, times in groups:
        full = [*start, start[-1]][: len(one.cards)]
        seen = _seen(one.cards, start)
        share = Fraction(
            times * ways([one.cards[n] for n in seen], decks), ways([full[n] for n in seen], decks)
        )
        if not share:
            continue
        if one.won is None:
            drawn = " ".join(_faces(one.cards[n]) for n in seen)
            return Edge(decks, None, f"on {drawn}: {one.why}")
        outcomes[one.won] = outcomes.get(one.won, Fraction(0)) + share
        house -= share * one.won
        if one.without_third is not None:
            without_third -= share * one.without_third
    assert sum(outcomes.values()) == 1
    known = all(one.without_third is not None for one, _ in groups)
    listed = tuple(sorted(outcomes.items(), reverse=True))
    return Edge(decks, house, None, listed, without_third if known else None)


def _seen(cards: Cards, start: Cards) -> list[int]:
    """The places that somebody looked at; the other cards fall as they may."""
    deck = start[-1]
    return [n for n, among in enumerate(cards) if among != deck]


def _grouped(settled: Iterable[Settled], start: Cards) -> list[tuple[Settled, int]]:
    """One deal for all that win alike and can be dealt in the same number of ways: in how many is
    told by the sizes of the sets and of what they have in common, whatever the decks."""
    groups: dict[object, tuple[Settled, int]] = {}
    for one in settled:
        places = _seen(one.cards, start)
        common: list[frozenset[str]] = [start[-1]]
        for n in places:
            common += [one.cards[n] & other for other in common]
        sizes = [len(cards) for cards in common]
        key = (one.won, one.without_third, one.why, tuple(places), tuple(sizes))
        first, times = groups.get(key, (one, 0))
        groups[key] = (first, times + one.times)
    return list(groups.values())


def _faces(among: frozenset[str]) -> str:
    """`7S`; `7` where the suit does not matter, and `any card` where nothing does."""
    ranks, suits = {card[0] for card in among}, {card[1] for card in among}
    rank = ranks.pop() if len(ranks) == 1 else ""
    return rank + (suits.pop() if len(suits) == 1 else "") or "any card"


def permitted(engine: Engine, bet: str, chosen: Chosen = ()) -> tuple[list[int], tuple[Rule, ...]]:
    """The deck counts that no requirement on a round rules out while the bet is offered, and the
    rules that make the bounds. What fails whatever the decks, with no option on, is about
    something else."""
    offered = {n: broken_rules(engine, bet, n, True, chosen) for n in DECK_COUNTS}
    plain = [broken_rules(engine, bet, n, False, chosen) for n in DECK_COUNTS]
    ignored = set.intersection(*(set(broken) for broken in plain))
    bounds = {
        id_: rule
        for broken in offered.values()
        for id_, rule in broken.items()
        if id_ not in ignored
    }
    counts = [n for n, broken in offered.items() if set(broken) <= ignored]
    return counts, tuple(bounds.values())


def broken_rules(
    engine: Engine, bet: str, decks: int, offered: bool, chosen: Chosen = ()
) -> dict[str, Rule]:
    _, scene = fresh(engine, bet, decks, offered, chosen)
    broken: dict[str, Rule] = {}
    for rule in engine.ask(requiring("round"), scene).rules:
        if engine.requirement(rule)[0](scene) is False:
            broken[rule.id] = rule
    return broken
