"""What the edge of the main wager looks at: the cards of hand and dealer, and what is done.

Hands that no rule tells apart are taken together (`checker.states.reachable`), and where a rule
tells more apart than is kept there, it is named here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from checker.edge.models import Exact, ModelEngine, Terms, blinded, other_cards
from checker.evaluate.facts.boxes import HOMES
from checker.evaluate.facts.totals import counted_alike
from checker.evaluate.scene import SeenScene
from checker.states.told_apart import pieces, wanted
from checker.table.state import TENS, Dealt
from rulespec.resolve.question import DEALER_DRAW, requiring, value_of_card
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.game import Game
from rulespec.tree.walk import walk

MODELLED = frozenset(name for name, home in HOMES.items() if home.edge)
MOST_NAMED = 4  # ranks of the dealer's cards in one comparison that are kept apart


def seen_rules(rules: Sequence[Rule], game: Game) -> tuple[list[Rule], dict[str, str]]:
    """The rules as far as the calculation sees them, and what it does not see of each."""
    of_dealing = [rule for rule in rules if rule.question == requiring("deal")]  # see `check_play`
    others = [rule for rule in rules if rule.question != requiring("deal")]
    seen, unseen = blinded(others, game, MODELLED, _exact(rules, game))
    return [*seen, *of_dealing], unseen


def _exact(rules: Sequence[Rule], game: Game) -> Exact:
    terms = Terms.of(rules, game)
    about_cards = frozenset({"card.copies", "round.decks"})

    def exact(node: t.Expression) -> str | None:
        if (found := other_cards(node, ())) is not None:
            return found
        facts = terms.facts(node)
        if "round.decks" in facts and not facts <= about_cards:
            return "`round.decks`"
        if facts == {"round.decks"}:
            return "`round.decks`"
        for name in ("dealer.first", "dealer.second"):
            if name in facts and _names_many(node):
                return f"more than {MOST_NAMED} values of `{name}`"
        if "card.position" in facts and not _first_two_or_not(node):
            return "`card.position` other than the first two"
        return None

    return exact


def partly_followed(rules: Sequence[Rule]) -> dict[str, Callable[[SeenScene], bool]]:
    """Suits are followed in hands that may become one whose ranks a rule names."""
    patterns = wanted([rule.condition for rule in rules]).patterns

    def fits(scene: SeenScene) -> bool:
        held = "" if scene.hand is None else "".join(sorted(d.rank for d in scene.hand.cards))
        return held in pieces(patterns)

    return {"hand.suits": fits}


def _names_many(node: t.Expression) -> bool:
    names = {n.name for n in walk(node) if isinstance(n, t.Name)}
    numbers = {n.value for n in walk(node) if isinstance(n, t.Number)}
    facts = [n for n in walk(node) if isinstance(n, t.Fact)]
    return len(names) + len(numbers) > MOST_NAMED or len(facts) > 1


def _first_two_or_not(node: t.Expression) -> bool:
    match node:
        case t.Compare(left=t.Fact(name="card.position"), right=t.Number(value=number)):
            return (node.operator, number) in {("<=", 2), (">", 2), ("<", 3), (">=", 3)}
        case t.Name() | t.Fact():
            return True  # a term: its own comparison is looked at
        case _:
            return False


def counts_matter(rules: Sequence[Rule]) -> bool:
    """Some rule counts aces or tens, and not only in hands of two cards."""
    return any(_counts((r.condition, r.value), False) for r in rules)


def _counts(node: object, pair: bool) -> bool:
    """`pair`: what stands beside it speaks of two cards."""
    if isinstance(node, t.Fact):
        return node.name in ("hand.aces", "hand.ten_cards") and not pair
    if isinstance(node, t.Both):
        pair = pair or any(isinstance(p, t.Compare) and _is_pair(p) for p in node.parts)
    if isinstance(node, tuple):
        return any(_counts(part, pair) for part in node)
    if isinstance(node, t.Node):
        return any(_counts(getattr(node, slot), pair) for slot in node.__slots__ if slot != "span")
    return False


def _is_pair(node: t.Compare) -> bool:
    match node:
        case t.Compare(left=t.Fact(name="hand.cards"), right=t.Number(value=number)):
            return (node.operator, number) in {("=", 2), ("<=", 2), ("<", 3)}
        case _:
            return False


def check_play(engine: ModelEngine, scene: SeenScene, ranks: str) -> None:
    """Note what the calculation takes for granted of cards and dealing, where a rule differs.

    `scene`: a wager and no card yet."""
    _check_values(engine, ranks)
    early = scene.but(dealer=(Dealt("9D", 0, False),), deal={"players_done": False})
    for rule in engine.ask(DEALER_DRAW, early).rules:
        # a rule that is silent about the time is taken to speak of the end
        timed = Terms.of(engine.rulebook.rules, engine.rulebook.game).facts(rule.condition) & {
            "dealer.players_done",
            "dealer.cards",
        }
        if rule.value == "must" and timed:
            engine.miss(rule.clause, "has the dealer draw before the players are done")
    second = scene.but(
        dealer=(Dealt("9D", 0, False),),
        card_position=2,
        deal={"rank": "9", "copies": 1, "initial": True, "to_dealer": True},
    )
    for rule in engine.ask(requiring("deal"), second).rules:
        asked = {n.name for n in walk((rule.condition, rule.value)) if isinstance(n, t.Fact)}
        kept = engine.requirement(rule)[0](second)
        if {"deal.to_dealer", "card.position"} <= asked and kept:
            engine.miss(rule.clause, "lets the dealer have a second card in the initial deal")


def _check_values(engine: ModelEngine, ranks: str) -> None:
    """Cards that count ten are dealt as one; only an ace may count two values."""
    for rank in ranks:
        for rule, _ in engine.by_question.get(value_of_card(rank), ()):
            if rank != "A" and isinstance(rule.value, tuple):
                engine.miss(rule.clause, f"gives the card {rank} two values")
    tens = [rank for rank in ranks if rank in TENS]
    for rank in tens[1:]:
        if not counted_alike(engine, (tens[0], rank)):
            for rule, _ in engine.by_question.get(value_of_card(rank), ()):
                engine.miss(rule.clause, f"gives {rank} another value than {tens[0]}")
    merged = set(tens[1:])
    for entries in list(engine.by_question.values()):
        for rule, _ in entries:
            for node in walk((rule.condition, rule.value)):
                if isinstance(node, t.Ranks) and merged & set(node.ranks.split("-")):
                    engine.miss(rule.clause, f"names the ranks {node.ranks} apart")
