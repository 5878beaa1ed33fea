"""Whether the dealer is to draw, and whether a further card could still change anything."""

from __future__ import annotations

from checker.conditions import Term
from checker.engine import Answer, Engine
from checker.hands import asked_words, dealer_totals
from checker.kept import OF_ROUND
from checker.scene import SeenScene
from checker.table import Dealt, wager_of
from rulespec import tree as t

DECK_52 = "A23456789TJQK"
FINALS = "finals"  # in the caches of an engine: Ends by what the rules on drawing see


def ask_draw(scene: SeenScene) -> Answer:
    return scene.engine.ask("dealer draw", scene)


def must_draw(scene: SeenScene) -> bool | None:
    """True: a card is due. False: none may be drawn. None: the text does not tell."""
    return card_due(ask_draw(scene))


def card_due(answer: Answer) -> bool | None:
    values = set(answer.values)
    if not values and answer.unknown:
        return None  # a card without a value: there is no total to judge by
    if values == {"must"}:
        return True
    if values and values <= {"must not", "may not"}:
        return False
    return None if values else False


def ranks_in_play(engine: Engine, scene: SeenScene) -> str:
    """The ranks that the rulebook lets into the cards."""
    cache: dict[object, str] = engine.caches.setdefault("ranks in play", {})
    key = _seen(scene, "require card", _OF_THE_CARD)
    if key not in cache:
        kept = ""
        for rank in DECK_52:
            view = scene.but(card=Dealt(rank + "S", 0, False), deal={"rank": rank, "copies": 1})
            allowed = all(
                engine.compile(rule.value)(view) is not False
                for rule in engine.ask("require card", view).rules
            )
            if allowed and engine.has(f"card value {rank}"):
                kept += rank
        cache[key] = kept or DECK_52
    return cache[key]


def final_hands(scene: SeenScene, dealer: tuple[Dealt, ...]) -> list[tuple[Dealt, ...]]:
    """One dealer hand for each end that further cards can lead to, this one excluded."""
    return [_with(dealer, added) for added in _additions(scene, dealer, _cache(scene))]


def _with(dealer: tuple[Dealt, ...], ranks: str) -> tuple[Dealt, ...]:
    return (*dealer, *[Dealt(rank + "C", 0, False) for rank in ranks])


def _additions(scene: SeenScene, dealer: tuple[Dealt, ...], cache: Ends) -> list[str]:
    """The ranks to be added: they are the same for every hand of one shape."""
    tens = frozenset("TJQK")
    # Only what the rules can tell apart: the total, its softness, and whether two cards make it.
    key = (
        tuple(sorted("T" if d.rank in tens else d.rank for d in dealer))
        if len(dealer) < 2
        else _shape(scene, dealer)
    )
    if key in cache:
        return cache[key]
    scene.engine.recall.learnt += 1
    ends: dict[object, str] = {}
    for rank in ranks_in_play(scene.engine, scene):
        cards = (*dealer, Dealt(rank + "C", 0, False))
        view = scene.but(dealer=cards, no_effect=False, hand=None, deal={"players_done": True})
        further = _additions(scene, cards, cache) if must_draw(view) else [""]
        for more in further:
            ends.setdefault(_shape(scene, _with(cards, more)), rank + more)
    cache[key] = list(ends.values())
    return cache[key]


_OF_THE_HAND = frozenset(
    f"dealer.{name}"
    for name in ("cards", "total", "hard_total", "soft", "aces", "ten_cards", "pontoon",
                 "first", "second", "no_effect", "players_done")
)  # fmt: skip


_OF_THE_CARD = frozenset(("card.rank", "card.copies"))
Ends = dict[object, list[str]]
"""To which ends further cards lead a hand of the dealer, by its shape."""


def _cache(scene: SeenScene) -> Ends:
    """What was worked out before, for scenes on which the rules on drawing see the same."""
    seen = _seen(scene, "dealer draw", _OF_THE_HAND), ranks_in_play(scene.engine, scene)
    found: Ends = scene.engine.caches.setdefault(FINALS, {}).setdefault(seen, {})
    return found


def _seen(scene: SeenScene, question: str, but: frozenset[str]) -> tuple[object, ...]:
    """What the scene tells the rules of a question, also through terms, except these facts."""
    key = ("depends on", question)
    found: tuple[list[Term], list[Term]] | None = scene.engine.caches.get(key)
    if found is None:
        found = scene.engine.caches[key] = _depends_on(scene.engine, question, but)
    of_round, others = found
    known = scene.shelf_of("round.decks")
    if key not in known:
        known[key] = [term(scene) for term in of_round]
    return *known[key], *[term(scene) for term in others]


def _depends_on(
    engine: Engine, question: str, but: frozenset[str]
) -> tuple[list[Term], list[Term]]:
    """The terms that are the same at all moments of a round, and the others."""
    asked: dict[tuple[type, str], t.Expression] = {}
    _collect(engine, question, asked)
    terms: tuple[list[Term], list[Term]] = [], []
    for (_, name), node in asked.items():
        if name not in but and not name.startswith("hand."):  # here that of the dealer
            terms[engine.reads.shelf(node) != OF_ROUND].append(engine.term(node))
    return terms


def _collect(engine: Engine, question: str, asked: dict[tuple[type, str], t.Expression]) -> None:
    for rule, _ in engine.by_question.get(question, ()):
        required = rule.value if question.startswith("require ") else ()
        for node in asked_words((rule.condition, required)):
            term = f"define {node.name.replace('dealer.', 'hand.')}"
            if isinstance(node, t.Name) and not engine.has(term):
                continue  # a word of a list, as `joker`
            if (type(node), node.name) not in asked:
                asked[type(node), node.name] = node
                _collect(engine, term, asked)


def _shape(scene: SeenScene, dealer: tuple[Dealt, ...]) -> object:
    total, _, soft, _ = dealer_totals(scene, dealer) or (None, None, None, None)
    natural = len(dealer) == 2 and any(d.rank == "A" for d in dealer)
    return (
        total, soft, min(len(dealer), 2),
        tuple(d.rank in "TJQK" for d in dealer) if natural else None,
        "A" if natural else None,
    )  # fmt: skip


def no_effect(scene: SeenScene, void_is_closed: bool = True) -> bool:
    """No further card can change what any wager that is still open gets.

    A wager that turns out to be void may have seemed open when the dealer drew, unless the player
    had given it up: `void_is_closed` is for judging that the dealer stopped, its opposite for
    judging that the dealer drew. So is a change that the text leaves open."""
    table = scene.table
    ends: list[str] | None = None
    for box in table.in_play:
        for hand in box.hands.values():
            for player in hand.base_stakes:
                for part, stake in table.parts(box, hand, player):
                    view = scene.but(box=box, hand=hand, player=player, no_effect=False,
                                     bet="main", part=part, stake=stake,
                                     wager=wager_of(box, player, "main"))  # fmt: skip
                    answer = scene.engine.ask("main.result", view)
                    gave_up = player in hand.forfeited or player in hand.withdrawn
                    if not void_is_closed and "void" in answer.values and not gave_up:
                        return False
                    if any(rule.interim for rule in answer.rules):
                        continue
                    if ends is None:
                        ends = _additions(scene, scene.dealer, _cache(scene))
                    if _differs(view, answer, ends, void_is_closed):
                        return False
        for player in box.insurance:
            if ends is None:
                ends = _additions(scene, scene.dealer, _cache(scene))
            view = scene.but(box=box, player=player, bet="insurance", no_effect=False)
            answer = scene.engine.ask("insurance.result", view)
            if _differs(view, answer, ends, void_is_closed):
                return False
    return True


def _differs(view: SeenScene, now: Answer, ends: list[str], firmly: bool) -> bool:
    """Some end gives another answer; `firmly`: another answer that the text does not leave open.
    `ends`: the ranks to be added. The first ones mostly tell."""
    if now.unknown:
        return True  # not known how it stands, so it is not known that nothing changes
    for end in ends:
        then = view.engine.ask(now.question, view.with_dealer(_with(view.dealer, end)))
        if then is now or then.values == now.values:
            continue
        if set(then.values) != set(now.values) and (then.decided or not firmly):
            return True
    return False
