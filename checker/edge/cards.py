"""Cards that lie face down until a rule asks for them, and which of them no rule tells apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from checker.evaluate.card_terms import card_and_trait
from checker.evaluate.scene import SeenScene
from checker.table.state import Dealt
from rulespec.resolve.question import is_definition, term_asked
from rulespec.resolve.rulebook import Rule, Rulebook
from rulespec.tree import nodes as t
from rulespec.tree.cards import SUIT_NAMES, colour_of
from rulespec.tree.walk import walk

Cards = tuple[frozenset[str], ...]  # for each place, the cards that may lie there

RANK, SUIT = 0, 1  # where they stand in a card such as `7S`

# Facts that are the face of one card: the rules can only compare it with another or with a word.
_FACES = frozenset(
    {f"{place}.{what}" for place in ("first", "second", "third") for what in ("rank", "suit")}
    | {"first.colour", "second.colour", "dealer.first", "dealer.second"}
)


class Unread(Exception):
    """A rule asks for the rank or the suit of a card that may still be several."""

    def __init__(self, place: int, index: int) -> None:
        self.place = place
        self.index = index


class FaceDown(Dealt):
    """A card of which only as much is known as has been asked for."""

    __slots__ = ("among", "place")

    def __init__(self, place: int, among: frozenset[str], initial: bool) -> None:
        self.place = place
        self.among = among
        self.n = place
        self.initial = initial
        self.down = False
        self.turned = None

    def _read(self, index: int) -> str:
        found = _faces(self.among, index)
        if len(found) > 1:
            raise Unread(self.place, index)
        return next(iter(found))

    @property
    def rank(self) -> str:
        return self._read(RANK)

    @property
    def suit(self) -> str:
        return self._read(SUIT)

    def __getattr__(self, name: str) -> str:
        if name != "card":
            raise AttributeError(name)
        return self.rank + self.suit


@lru_cache(maxsize=1 << 14)
def _faces(among: frozenset[str], index: int) -> frozenset[str]:
    """The ranks or the suits of some cards."""
    return frozenset(card[index] for card in among)


def ways(places: Sequence[frozenset[str]], decks: int) -> int:
    """How often cards can be drawn one after the other so that each is one of its set."""
    if not places:
        return 1
    *before, last = places
    total = decks * len(last) * ways(before, decks)
    for n, one in enumerate(before):
        if common := one & last:  # the very card that was drawn before cannot come again
            total -= ways([*before[:n], common, *before[n + 1 :]], decks)
    return total


def turned(cards: Cards, unread: Unread, kinds: Kinds) -> Iterator[tuple[Cards, int]]:
    """The card that was asked for, turned over: one deal for each face that matters, and how many
    faces it stands for. Two faces are as good as each other when no rule tells them apart and
    every other place can hold either both or neither."""
    place, index = unread.place, unread.index
    faces = [_faces(among, index) for among in cards]
    alike: dict[object, list[str]] = {}
    for face in sorted(faces[place]):
        key = (kinds[index][face], tuple(face in held for held in faces))
        alike.setdefault(key, []).append(face)
    for same in alike.values():
        part = frozenset(card for card in cards[place] if card[index] == same[0])
        yield (*cards[:place], part, *cards[place + 1 :]), len(same)


Kinds = tuple[dict[str, object], dict[str, object]]
"""Of ranks and of suits: those with the same kind can change places in every rule."""


def kinds(rules: Sequence[Rule], scene: SeenScene, ranks: str) -> Kinds:
    """`scene` has all its cards face down: a fact that cannot be told from it reads cards."""
    words: list[frozenset[str]] = []
    facts: set[str] = set()
    traits: set[str] = set()  # what is asked of cards by position beyond being alike
    for rule in rules:
        for node in walk((rule.condition, rule.value)):
            if isinstance(node, t.Fact):
                facts.add(node.name)
                found = card_and_trait(node.name)
                traits.update([found[2]] if found is not None else [])
            elif isinstance(node, t.Same):
                traits.add(node.trait)
            elif isinstance(node, t.Trait):
                traits.add(node.name)
                words.append(frozenset(_words(node.values)))
            elif isinstance(node, t.Consecutive | t.PokerRank | t.PointsOf | t.CardsOf):
                traits.add("order")
                traits.update(["suit by name"] if isinstance(node, t.CardsOf) else [])
            elif isinstance(node, t.Compare):
                words.append(frozenset(_words((node.left, node.right))))
            elif isinstance(node, t.OneOf):
                words.append(frozenset(_words(node.values)))
    game = scene.engine.rulebook.game
    others = [name for name in facts - _FACES if game.declared_fact(name)]
    named = [name for name in others if "suit" in name or "colour" in name]
    by_rank: dict[str, object] = {}
    apart = not traits.isdisjoint({"points", "order", "face"})
    apart = apart or any(reads_cards(scene, name) for name in others)
    for rank in ranks:
        by_rank[rank] = rank if apart else tuple(rank in listed for listed in words)
    by_suit: dict[str, object] = {}
    coloured = "colour" in traits or any(name.endswith(".colour") for name in facts)
    named += ["suits"] * ("suit by name" in traits)
    for suit, name in SUIT_NAMES.items():
        colour = colour_of(suit) if coloured else ""
        by_suit[suit] = suit if named else (colour, *(name in listed for listed in words))
    return by_rank, by_suit


def _words(sides: Sequence[t.Expression]) -> Iterator[str]:
    for side in sides:
        if isinstance(side, t.Name):
            yield "T" if side.name == "10" else side.name
        elif isinstance(side, t.Number):
            yield "T" if side.value == 10 else str(side.value)


def reads_cards(scene: SeenScene, fact: str) -> bool:
    try:
        scene.but().fact(fact)
    except Unread:
        return True
    return False


def reachable(rulebook: Rulebook, beginnings: tuple[str, ...]) -> list[Rule]:
    """The rules that answer questions with these beginnings, and the definitions that they use."""
    wanted = [rule for rule in rulebook.rules if rule.question.startswith(beginnings)]
    kept = {rule.id for rule in wanted}
    definitions: dict[str, list[Rule]] = {}
    for rule in rulebook.rules:
        if is_definition(rule.question):
            definitions.setdefault(term_asked(rule.question), []).append(rule)
    seen: set[str] = set()
    while wanted:
        rule = wanted.pop()
        for name in (*_names(rule.condition), *_names(rule.value)):
            for term in (name, name.replace("dealer.", "hand.")):
                if term in definitions and term not in seen:
                    seen.add(term)
                    wanted += definitions[term]
                    kept |= {d.id for d in definitions[term]}
    return [rule for rule in rulebook.rules if rule.id in kept]


def names_in(rule: Rule) -> set[str]:
    """The facts and terms that a rule asks for."""
    return _names(rule.condition) | _names(rule.value)


def _names(node: object) -> set[str]:
    return {found.name for found in walk(node) if isinstance(found, t.Fact | t.Name)}
