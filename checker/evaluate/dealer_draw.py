"""Whether the dealer is to draw, and whether a further card could still change anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from checker.evaluate.answer import BANS
from checker.evaluate.conditions import Term
from checker.evaluate.engine import Answer, Engine
from checker.evaluate.facts.totals import counted_alike, dealer_totals
from checker.evaluate.memory.seam import Kept, Worked
from checker.evaluate.scene import SeenScene
from checker.table.state import Dealt, wager_of
from rulespec.resolve.question import (
    DEALER_DRAW,
    Question,
    about_bet,
    defining,
    is_card_value,
    is_requirement,
    requiring,
    value_of_card,
)
from rulespec.tree import nodes as t
from rulespec.tree.walk import asked_cards, asked_words

DECK_52 = "A23456789TJQK"
TENS = frozenset("TJQK")
MOST_CARDS = 22  # a hand that no clause ends is followed no further
Hand = tuple[Dealt, ...]


def ask_draw(scene: SeenScene) -> Answer:
    return scene.engine.ask(DEALER_DRAW, scene)


def must_draw(scene: SeenScene) -> bool | None:
    """True: a card is due. False: none may be drawn. None: either is right, or the text does not
    tell: no clause says, clauses clash, or something that they ask for is not known."""
    return card_due(ask_draw(scene))


def card_due(answer: Answer) -> bool | None:
    values = set(answer.values)
    if answer.unknown or not values:
        return None
    if values == {"must"}:
        return True
    return False if values <= BANS else None


def dealer_chooses(answer: Answer) -> bool:
    """The text lets the dealer draw and does not ask for it: an answer too."""
    return answer.values == ("may",) and not answer.unknown


def ranks_in_play(engine: Engine, scene: SeenScene) -> str:
    """The ranks that the rulebook lets into the cards."""
    cache = _RANKS_IN_PLAY.of(engine)
    key = _seen(scene, requiring("card"), _OF_THE_CARD)
    if key not in cache:
        kept = ""
        for rank in DECK_52:
            view = scene.but(card=Dealt(rank + "S", 0, False), deal={"rank": rank, "copies": 1})
            allowed = all(
                engine.requirement(rule)[0](view) is not False
                for rule in engine.ask(requiring("card"), view).rules
            )
            if allowed and engine.has(value_of_card(rank)):
                kept += rank
        cache[key] = kept or DECK_52
    return cache[key]


def ends_of(scene: SeenScene, dealer: Hand) -> tuple[list[Hand], list[Hand]]:
    """The ends to which the text lets further cards lead, and those to which they lead only where
    it leaves a draw on the way open."""
    sure, open_ = _ends(scene, dealer)
    return [_with(dealer, more) for more in sure], [_with(dealer, more) for more in open_]


def _with(dealer: tuple[Dealt, ...], ranks: str) -> tuple[Dealt, ...]:
    return (*dealer, *[Dealt(rank + "C", 0, False) for rank in ranks])


def _ends(scene: SeenScene, dealer: tuple[Dealt, ...]) -> Additions:
    return _additions(scene, dealer, _cache(scene), _told_apart.of(scene.engine))


def _additions(
    scene: SeenScene, dealer: tuple[Dealt, ...], cache: Ends, told_apart: _Told
) -> Additions:
    """The ranks to be added: they are the same for every hand of one shape."""
    key = _shape(scene, dealer, told_apart)
    if key in cache:
        return cache[key]
    if not scene.engine.mechanics.dealer_draws and not scene.engine.has(DEALER_DRAW):
        return [], []  # a game in which the dealer has the cards of the deal
    sure: dict[object, str] = {}
    open_: dict[object, str] = {}
    limit = scene.engine.mechanics.limit
    for rank in ranks_in_play(scene.engine, scene):
        cards = (*dealer, Dealt(rank + "C", 0, False))
        view = scene.but(dealer=cards, no_effect=False, hand=None, deal={"players_done": True})
        total = view.fact("dealer.total")
        answer = ask_draw(view)
        due = card_due(answer)
        told = due is not None or dealer_chooses(answer)
        if not isinstance(total, int) or total > limit or len(cards) > MOST_CARDS:
            # nobody draws to that
            due, told = False, True
        here = sure if told else open_
        if due is not True:
            here.setdefault(_shape(scene, cards, told_apart), rank)
        if due is not False:
            further, perhaps = _additions(scene, cards, cache, told_apart)
            for more in further:
                here.setdefault(_shape(scene, _with(cards, more), told_apart), rank + more)
            for more in perhaps:
                open_.setdefault(_shape(scene, _with(cards, more), told_apart), rank + more)
    cache[key] = list(sure.values()), [more for end, more in open_.items() if end not in sure]
    return cache[key]


_OF_THE_HAND = frozenset(
    f"dealer.{name}"
    for name in (
        "cards",
        "total",
        "hard_total",
        "soft",
        "aces",
        "ten_cards",
        "first",
        "second",
        "no_effect",
        "players_done",
    )
)


_OF_THE_CARD = frozenset(("card.rank", "card.copies"))
Additions = tuple[list[str], list[str]]  # those that are sure, and those that the text leaves open
Ends = dict[object, Additions]
"""To which ends further cards lead a hand of the dealer, by its shape."""


def _no_ends(engine: Engine) -> dict[object, Ends]:
    return {}


def _no_ranks(engine: Engine) -> dict[object, str]:
    return {}


FINALS = Kept(_no_ends)  # by what the rules on drawing see
_RANKS_IN_PLAY = Kept(_no_ranks)


def _cache(scene: SeenScene) -> Ends:
    """What was worked out before, for scenes on which the rules on drawing see the same."""
    seen = _seen(scene, DEALER_DRAW, _OF_THE_HAND), ranks_in_play(scene.engine, scene)
    return FINALS.of(scene.engine).setdefault(seen, {})


def _seen(scene: SeenScene, question: Question, but: frozenset[str]) -> tuple[object, ...]:
    """What the scene tells the rules of a question, also through terms, except these facts."""
    key = (question, but)
    of_round, others = _depends_on(scene.engine, key)
    known = scene.engine.memory.beside(scene, "round.decks")
    if key not in known:
        known[key] = [term(scene) for term in of_round]
    return *known[key], *[term(scene) for term in others]


def _terms_seen(
    engine: Engine, asked_but: tuple[Question, frozenset[str]]
) -> tuple[list[Term], list[Term]]:
    """The terms that are the same at all moments of a round, and the others."""
    question, but = asked_but
    asked: dict[tuple[type, str], t.Expression] = {}
    for one in (question, *(q for q in engine.by_question if is_card_value(q))):
        _collect(engine, one, asked)
    facts = engine.rulebook.game.facts

    def defined(name: str) -> bool:
        """It rests on what defines it, which is asked for too."""
        return name.startswith("dealer.") and name in facts and facts[name].definable

    terms: tuple[list[Term], list[Term]] = [], []
    for (_, name), node in asked.items():
        # a hand is here that of the dealer, and all of its cards are gone through
        if name not in but and not name.startswith(("hand.", "card.")) and not defined(name):
            terms[not engine.memory.holds_all_round(node)].append(engine.term(node))
    return terms


_depends_on = Worked(_terms_seen)


def _collect(
    engine: Engine, question: Question, asked: dict[tuple[type, str], t.Expression]
) -> None:
    for rule, _ in engine.by_question.get(question, ()):
        required = rule.value if is_requirement(question) else ()
        for node in asked_words((rule.condition, required)):
            term = defining(node.name.replace("dealer.", "hand."))
            if isinstance(node, t.Name) and not engine.has(term):
                continue  # a word of a list, as `joker`
            if (type(node), node.name) not in asked:
                asked[type(node), node.name] = node
                _collect(engine, term, asked)


class _Told(NamedTuple):
    """What tells hands of the dealer apart, besides their totals."""

    most: int  # hands of so many cards are like those of more
    tens: frozenset[str]  # ranks that are alike; none where each rank matters


def _shape(scene: SeenScene, dealer: tuple[Dealt, ...], told_apart: _Told) -> object:
    """What the rules can tell apart of a hand of the dealer."""
    most, tens = told_apart
    ranks = tuple("T" if d.rank in tens else d.rank for d in dealer[:2])
    if len(dealer) < 2:
        return ranks
    total, _, soft, _ = dealer_totals(scene, dealer) or (None, None, None, None)
    by_rank = (len(dealer) == 2 and "A" in ranks) or not tens
    return total, soft, min(len(dealer), most), ranks if by_rank else None


def _cards_told_apart(engine: Engine) -> _Told:
    most = 2
    for rule in engine.rulebook.rules:
        most = max([most, *_counts_of_cards((rule.condition, rule.value))])
    asked: dict[tuple[type, str], t.Expression] = {}
    _collect(engine, DEALER_DRAW, asked)
    by_place = any(name.startswith(("dealer.first", "dealer.second")) for _, name in asked)
    plain = engine.rulebook.game.total.way == "best" and not by_place
    return _Told(most, TENS if plain and counted_alike(engine, TENS) else frozenset())


_told_apart = Kept(_cards_told_apart)


def _counts_of_cards(node: object) -> Iterator[int]:
    """The numbers of cards of the dealer from which on some comparison is the same."""
    if isinstance(node, t.Compare | t.OneOf | t.Between):
        if any(word.name == "dealer.cards" for word in asked_words(node)):
            beyond = not (isinstance(node, t.Compare) and node.operator in (">=", "<"))
            for part in _inside(node):
                if isinstance(part, t.Number):
                    yield part.value + beyond
    else:
        for part in _parts(node):
            yield from _counts_of_cards(part)


def _parts(node: object) -> Iterable[object]:
    if isinstance(node, tuple):
        return node
    slots = node.__slots__ if isinstance(node, t.Node) else ()
    return [getattr(node, slot) for slot in slots if slot != "span"]


def _inside(node: object) -> Iterator[object]:
    yield node
    for part in _parts(node):
        yield from _inside(part)


def no_effect(scene: SeenScene, void_is_closed: bool = True, of_hands: bool = False) -> bool | None:
    """No further card can change what any wager that is still open gets. None: one could only if
    the dealer drew, or stopped, where the text does not say.

    A wager that turns out to be void may have seemed open when the dealer drew, unless the player
    had given it up: `void_is_closed` is for judging that the dealer stopped, its opposite for
    judging that the dealer drew. So is a change that the text leaves open. `of_hands`: of wagers
    that lie on a hand alone."""
    ends: Additions | None = None
    open_ = False
    for view, on_hand, gave_up in chain(_on_hands(scene), () if of_hands else _beside_hands(scene)):
        answer = scene.engine.ask(about_bet(view.bet, "result"), view)
        if on_hand:
            if not void_is_closed and "void" in answer.values and not gave_up:
                return False
            if any(rule.interim for rule in answer.rules):
                continue
            if view.hand is not None and view.hand.face_down:
                return False  # nobody knows how it stands
        ends = ends or _ends(scene, scene.dealer)
        changes = _changes(view, answer, ends, void_is_closed)
        if changes:
            return False
        open_ |= changes is None
    return None if open_ else True


Open = tuple[SeenScene, bool, bool]
"""A wager as it is asked about, whether it lies on a hand, whether its player has given it up."""


def _on_hands(scene: SeenScene) -> Iterator[Open]:
    """Every part of the money on hands against this hand of the dealer."""
    mechanics = scene.engine.mechanics
    for box in scene.table.in_play:
        for hand in box.hands.values():
            for bet, money in ((mechanics.main, hand.money), *hand.spots.items()):
                if mechanics.against(bet) != scene.dealer_hand:
                    continue
                for player, parts in money.items():
                    wager = wager_of(box, player, bet)
                    gave_up = player in hand.withdrawn or any(
                        who == player for who, _ in hand.given
                    )
                    for part, stake in parts:
                        view = scene.but(
                            box=box,
                            hand=hand,
                            player=player,
                            no_effect=False,
                            bet=scene.engine.asked_as(bet),
                            part=part,
                            stake=stake,
                            wager=wager,
                        )
                        yield view, True, gave_up


def _beside_hands(scene: SeenScene) -> Iterator[Open]:
    """The other wagers that are settled by the cards of this hand of the dealer."""
    engine, mechanics = scene.engine, scene.engine.mechanics
    on_hands = (mechanics.main, *mechanics.spots)
    for box in scene.table.in_play:
        for bet, by_player in box.placed.items():
            if mechanics.against(bet) == scene.dealer_hand:
                for player in by_player:
                    asked = engine.asked_as(bet)
                    yield (
                        scene.but(box=box, player=player, bet=asked, no_effect=False),
                        False,
                        False,
                    )
        for placed in box.bets:
            event = placed.event
            if event.bet not in on_hands and by_further_cards(engine, event.bet):
                view = scene.but(
                    box=box,
                    hand=box.hands.get(1),
                    player=event.player,
                    bet=event.bet,
                    stake=event.stake,
                    wager=event,
                    no_effect=False,
                )
                yield view, False, False


def by_further_cards(engine: Engine, bet: str) -> bool:
    """Whether the result of a bet may depend on cards that the dealer has still to draw."""
    return _settled_by_further_cards(engine, bet)


def _asks_for_further_cards(engine: Engine, bet: str) -> bool:
    asked: dict[tuple[type, str], t.Expression] = {}
    question = about_bet(bet, "result")
    _collect(engine, question, asked)
    questions = (question, *(defining(name) for _, name in asked))
    rules = [rule for one in questions for rule in engine.rules_on(one)]
    cards = {card for rule in rules for card in asked_cards(rule.condition)}
    names = {name for _, name in asked} | cards
    return any(name.startswith("dealer.") and name.split(".")[1] != "first" for name in names)


_settled_by_further_cards = Worked(_asks_for_further_cards)


def _changes(view: SeenScene, now: Answer, ends: Additions, firmly: bool) -> bool | None:
    """Some end gives another answer; `firmly`: another answer that the text does not leave open,
    and None where it leaves open whether such an end is drawn to. `ends`: the ranks to be added.
    The first ones mostly tell."""
    if now.unknown:
        # not known how it stands, so it is not known that nothing changes; nor that something does,
        # where it is only the log that does not tell
        return None if view.engine.tells_less else True
    for sure, added in ((True, ends[0]), (False, ends[1])):
        for end in added:
            then = view.engine.ask(now.question, view.with_dealer(_with(view.dealer, end)))
            if then is now:
                continue
            if set(then.values) != set(now.values):
                if then.decided or not firmly:
                    return True if sure or not firmly else None
            elif not firmly and not now.decided and _said(then) != _said(now):
                return True  # left open both times, and it is not the same that is left open
    return False


def _said(answer: Answer) -> set[object]:
    """All that the clauses say, also those over which another prevails."""
    return {*answer.values, *(loser.value for loser, _ in answer.beaten)}
