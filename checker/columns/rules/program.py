"""Questions of a rulebook compiled to data: which facts they look at, and what they tell apart.

For each fact the values that no condition tells apart form a class. The classes of all facts that
a question looks at make a key, and the answer is the same for every scene with that key: the plain
evaluator is asked once for each key that turns up (see `answers`), and the rest is looking up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Final

from checker.columns.known_game import PLAYER_WON_BONUS
from checker.columns.rules.made_facts import Asked, most_of
from checker.columns.rules.settings import Settings
from checker.columns.slots import (
    AS_DEALER,
    FILLED,
    FIXED,
    NOT_OF_A_DEALER,
    SLOTS,
    WORDS,
    ranks_code,
)
from checker.evaluate.asked_for import optional_facts
from checker.evaluate.card_terms import card_and_trait
from checker.evaluate.conditions import has_listed_values, listed
from checker.evaluate.engine import Engine
from rulespec.resolve.question import Question, defining
from rulespec.resolve.rule_value import as_expression
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t

KEY_BITS: Final = (62, 46)  # of the two words of a key
TABLE_MOST: Final = 600  # values that get a table; a wider span of constants is searched
_TESTS: dict[str, Callable[[Fraction], bool]] = {
    "=": lambda x: x == 0,
    "!=": lambda x: x != 0,
    "<": lambda x: x < 0,
    "<=": lambda x: x <= 0,
    ">": lambda x: x > 0,
    ">=": lambda x: x >= 0,
}
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}

Linear = tuple[tuple[tuple[str, Fraction], ...], Fraction]  # facts with factors, and a constant


class NotColumnar(Exception):
    """A condition that the columns cannot say: what asks it is left to the plain evaluator."""


@dataclass(slots=True)
class Looked:
    """What a question looks at: constants per fact, sums that are compared with nothing."""

    facts: dict[str, set[tuple[str, int]]] = field(default_factory=dict)  # fact: tests
    sums: dict[tuple[tuple[str, int], ...], set[tuple[str, int]]] = field(default_factory=dict)
    terms: dict[str, None] = field(default_factory=dict)  # definable facts that are given
    left: set[str] = field(default_factory=set)  # facts that do not matter with these settings


class Looker:
    """Walks conditions and notes what they look at. `dealer`: asked about the dealer's hand."""

    def __init__(
        self,
        engine: Engine,
        given: frozenset[str],
        dealer: bool = False,
        settings: Settings | None = None,
    ) -> None:
        self.engine = engine
        self.settings = settings
        self.game = engine.rulebook.game
        self.given = given  # definable facts that are worked out beforehand
        self.dealer = dealer
        self.found = Looked()
        self._inside: set[str] = set()

    def rules(self, question: Question, values: bool = False) -> None:
        for rule, _ in self.engine.by_question.get(question, ()):
            self.rule(rule, values)

    def rule(self, rule: Rule, value: bool = False) -> None:
        if self.settings is not None and self.settings.says(rule.condition) is False:
            self.found.left |= self.settings.facts_in((rule.condition, rule.value))
            return
        self.condition(rule.condition)
        optional = optional_facts(self.engine, rule.condition)
        if value:
            required = as_expression(rule.value)
            self.condition(required)
            optional |= optional_facts(self.engine, required)
        for name in optional:
            self.fact(name)

    def fact(self, name: str, *tests: tuple[str, int]) -> None:
        if self.dealer:
            if name in NOT_OF_A_DEALER:
                return
            name = AS_DEALER.get(name, name)
            if name.startswith("hand."):
                raise NotColumnar(name)
        if name in FIXED:
            return
        if self._is_of_a_card(name):
            self._made(name)
            return
        if name not in FILLED:
            raise NotColumnar(name)
        self.found.facts.setdefault(name, set()).update(tests)

    def condition(self, node: t.Expression) -> None:
        settings = self.settings
        if settings is not None and (settings.says(node) is not None or settings.alone(node)):
            self.found.left |= settings.facts_in(node)
            return
        match node:
            case t.Always():
                pass
            case t.Either() | t.Both():
                for part in node.parts:
                    self.condition(part)
            case t.Negated():
                self.condition(node.part)
            case t.Compare():
                self._compare(node.left, node.operator, node.right)
            case t.OneOf():
                for value in node.values:
                    self._compare(node.left, "=", value)
            case t.Between():
                self._compare(node.left, ">=", node.low)
                self._compare(node.left, "<=", node.high)
            case t.Fact():
                if self.game.plain_fact(node.name):
                    self.fact(node.name, ("=", 0))
                else:
                    self.term(node.name)
            case t.Name():
                self.term(node.name)
            case t.Setting():
                self.setting(node)
            case t.Same() | t.Consecutive():
                self._made(node)
            case _:
                raise NotColumnar(str(node))

    def setting(self, node: t.Setting) -> None:
        name: str | None = f"{node.kind} {node.name}"
        if self.settings is not None:
            name = self.settings.setting(node.kind, node.name)
        if name is None or (self.settings is None and node.kind.endswith(" has")):
            raise NotColumnar(node.name)
        if name in SLOTS:
            self.found.facts.setdefault(name, set()).add(("=", 0))
        elif node.kind == "option":
            raise NotColumnar(name)  # approvals and records: rounds with them are passed on

    def term(self, name: str) -> None:
        group, _, rest = name.partition(".")
        if name in self.given:
            if self.dealer:
                raise NotColumnar(name)
            self.found.terms[name] = None
            self.found.facts.setdefault(name, set()).add(("=", 0))
            return
        if group == "dealer" and rest:
            raise NotColumnar(name)
        if name in self._inside:
            raise NotColumnar(name)  # defined by itself: the evaluator will say what it makes of it
        self._inside.add(name)
        self.rules(defining(name))
        self._inside.discard(name)

    # --- cards by position: their facts stand in the key as they are

    def _is_of_a_card(self, name: str) -> bool:
        return name not in FILLED and card_and_trait(name) is not None

    def _made(self, asked: Asked) -> None:
        made = self.settings.made_of(asked) if self.settings is not None else None
        if made is None or self.dealer:
            raise NotColumnar(str(asked))
        tests = (("=", value) for value in range(most_of(made[1]) + 1))
        self.found.facts.setdefault(made[0], set()).update(tests)

    def _is_made(self, node: t.Expression) -> bool:
        """Whether it rests on cards by position, and may be more than true or false."""
        match node:
            case t.Fact():
                return self._is_of_a_card(node.name)
            case t.Name():
                return any(not isinstance(rule.value, bool) for rule in self._defined(node.name))
            case t.Arithmetic():
                return self._is_made(node.left) or self._is_made(node.right)
            case _:
                return isinstance(node, t.CardQuestion)

    def _defined(self, name: str) -> list[Rule]:
        return [rule for rule, _ in self.engine.by_question.get(defining(name), ())]

    def _whole(self, node: t.Expression) -> None:
        """Look at all that it may be."""
        match node:
            case t.Fact() if self._is_of_a_card(node.name):
                self._made(node.name)
            case t.Fact() if has_listed_values(self.game.plain_fact(node.name)):
                self.fact(node.name, *(("=", code) for code in WORDS.values()))
            case t.Name():
                for rule in self._defined(node.name):
                    self.rule(rule)
                    if not isinstance(rule.value, bool):
                        self._whole(as_expression(rule.value))
            case t.Arithmetic():
                self._whole(node.left)
                self._whole(node.right)
            case t.Number() | t.Money() | t.Ranks() | t.Chosen():
                pass
            case _ if isinstance(node, t.CardQuestion):
                self._made(node)
            case _:
                raise NotColumnar(str(node))

    def _compare(self, left: t.Expression, operator: str, right: t.Expression) -> None:
        if self.settings is not None and (self._is_made(left) or self._is_made(right)):
            self._whole(left)
            self._whole(right)
            return
        for one, other, op in (
            (left, right, operator),
            (right, left, _FLIPPED.get(operator, operator)),
        ):
            word = listed(other)
            info = self.game.facts.get(one.name) if isinstance(one, t.Fact) else None
            if isinstance(one, t.Fact) and word is not None and has_listed_values(info):
                if word in WORDS:
                    self.fact(one.name, (op, WORDS[word]))
                elif one.name not in FIXED:
                    raise NotColumnar(word)
                return
            if isinstance(one, t.Fact) and isinstance(other, t.Ranks):
                self.fact(one.name, (op, ranks_code(other.ranks)))
                return
        (parts, constant) = _minus(self.linear(left), self.linear(right))
        for name, _ in parts:
            self.fact(name)
        if any(FIXED.get(name, 0) is None for name, _ in parts):
            return  # never known
        fixed = [(name, factor) for name, factor in parts if name in FIXED]
        constant += sum((factor * int(FIXED[name]) for name, factor in fixed), Fraction(0))
        parts = tuple(p for p in parts if p[0] not in FIXED)
        if not parts:
            return
        scale = lcm(*(f.denominator for _, f in parts), constant.denominator)
        whole = [(name, int(f * scale)) for name, f in parts]
        rest = int(constant * scale)
        if len(whole) == 1 and abs(whole[0][1]) == 1:
            name, factor = whole[0]
            op = operator if factor == 1 else _FLIPPED.get(operator, operator)
            self.fact(name, (op, -rest * factor))
            return
        whole.sort()
        if whole[0][1] < 0:
            whole = [(name, -f) for name, f in whole]
            rest, operator = -rest, _FLIPPED.get(operator, operator)
        key = tuple(whole)
        if self.dealer and any(n.startswith("hand.") for n, _ in key):
            raise NotColumnar(str(key))
        self.found.sums.setdefault(key, set()).add((operator, -rest))

    def linear(self, node: t.Expression) -> Linear:
        match node:
            case t.Fact() if self.game.plain_fact(node.name):
                return ((node.name, Fraction(1)),), Fraction(0)
            case t.Number():
                return (), Fraction(node.value)
            case t.Money():
                return (), Fraction(node.cents)
            case t.Arithmetic():
                left, right = self.linear(node.left), self.linear(node.right)
                match node.operator:
                    case "+":
                        return _minus(left, _times(right, Fraction(-1)))
                    case "-":
                        return _minus(left, right)
                    case "*" if not left[0]:
                        return _times(right, left[1])
                    case "*" if not right[0]:
                        return _times(left, right[1])
                    case "/" if not right[0] and right[1]:
                        return _times(left, 1 / right[1])
                raise NotColumnar(str(node))
            case _:
                raise NotColumnar(str(node))


def _minus(one: Linear, other: Linear) -> Linear:
    factors = dict(one[0])
    for name, factor in other[0]:
        factors[name] = factors.get(name, Fraction(0)) - factor
    return tuple(factors.items()), one[1] - other[1]


def _times(form: Linear, factor: Fraction) -> Linear:
    return tuple((name, f * factor) for name, f in form[0]), form[1] * factor


# --- classes

SEARCH, SUM, DIFFERENCE = range(3)
# a small entry is one number: the slot, from HIGH_SHIFT the highest value that counts, from
# TABLE_SHIFT the table: where that of 0 stands; the one before is for UNKNOWN
SMALL_ENTRY: Final = 3  # while it is not laid out
AT_ONCE: Final = 4  # they are filled up to a multiple of this
HIGH_SHIFT, TABLE_SHIFT = 16, 32
SLOT_MASK: Final = (1 << HIGH_SHIFT) - 1
ENTRY: Final = 4  # kind, slot or parts, constants, table; of a difference its two slots, the
# constant, and the table: not known, below, equal, above
END: Final = -1
# a program in `code`: its number, where its entries stand, whether there are others than those of
# the first word that stay, how many terms it is given, where the entries of PLAIN facts stand (0
# none) and both words of what they come to on a plain hand; where the entries stand that come next
# and last (0 none); then the terms and the entries
P_NUMBER, P_ENTRIES, P_MORE, P_BEFORE, P_MARKS, P_PLAIN = range(6)
P_NEXT, P_LAST = 7, 8
P_TERMS: Final = 9  # of each: where its program stands, its slot, what says that it still holds
PLAIN: Final = {  # facts of a hand on which nothing but drawing and standing was done
    "hand.number": 1,
    **dict.fromkeys(
        (
            "hand.split",
            "hand.split_aces",
            "hand.split_tens",
            "hand.split_suited_sevens",
            "hand.declined_resplit",
            "hand.doubled",
            "hand.double_card_dealt",
            "hand.late_ace_held",
            "hand.surrendered",
            "hand.all_surrendered",
            "card.held_when_doubled",
            "box.doubled_before",
            "wager.stands_for_original",
            "wager.original_bust",
            "wager.original_forfeited",
            "wager.doubled",
            "wager.surrendered",
            "wager.forfeited",
            "wager.even_money",
            PLAYER_WON_BONUS,
        ),
        0,
    ),
}
_PLAIN_SLOTS: Final = {SLOTS[name]: value for name, value in PLAIN.items()}
_NEXT, _LAST, _MARKS = 4, 8, 12  # places of entries


@dataclass(slots=True)
class Program:
    """Entries for machine code, in two words of key. `looks` are the facts that are in the key."""

    entries: tuple[list[list[int]], ...]  # small and other entries of the first word, of the
    # second; again for those that come next, and last; small ones of PLAIN facts, by word. Last in
    # each is its table
    tables: list[int]
    plain: list[int]  # the words of the PLAIN facts on a plain hand
    looks: frozenset[str]
    terms: tuple[str, ...]
    left: frozenset[str] = frozenset()  # facts that do not matter with the settings of the table

    def laid_out(self, at: int, number: int, before: list[int]) -> list[int]:
        """For `code`, where it is to stand `at`; `before` tells of the terms."""
        more = int(any(self.entries[2:_MARKS]))
        made = [number, at + P_TERMS + len(before), more, len(self.terms), 0, *self.plain, 0, 0]
        made += before
        width = sum(1 + sum(map(_width, entries)) for entries in self.entries)
        tables = at + len(made) + width
        starts = {_NEXT: P_NEXT, _LAST: P_LAST, _MARKS: P_MARKS}
        for place, entries in enumerate(self.entries):
            if place in starts and any(self.entries[place : place + 4]):
                made[starts[place]] = at + len(made)
            for entry in entries:
                *first, table = entry
                if len(entry) == SMALL_ENTRY:
                    slot, high = first
                    made.append(slot | high << HIGH_SHIFT | (tables + table + 1) << TABLE_SHIFT)
                else:
                    made += [*first, tables + table]
            made.append(END)
        return made + self.tables


def _width(entry: list[int]) -> int:
    return 1 if len(entry) == SMALL_ENTRY else len(entry)


def compile_program(
    found: Looked, last: frozenset[str] = frozenset(), then: frozenset[str] = frozenset()
) -> Program:
    """The entries of a program; places in `tables` are relative to its start. What looks at facts
    that `last` names comes last, what looks at others that `then` names before it."""
    tables = [0, 0]  # for entries that only fill up
    made: list[tuple[Made, int]] = []  # with the place of its entry
    for name, tests in sorted(found.facts.items()):
        one = _classes(SLOTS[name], tests)
        plain = name in PLAIN and name not in last and len(one[1]) == SMALL_ENTRY
        made.append((one, _MARKS if plain else _place({name}, last, then)))
    for parts, tests in sorted(found.sums.items()):
        made.append((_sum_classes(parts, tests), _place({n for n, _ in parts}, last, then)))
    words: tuple[list[list[int]], ...] = tuple([] for _ in range(_MARKS + 2))
    used = [0, 0]
    on_plain = [0, 0]
    for (bits, entry, table), place in sorted(made, key=lambda m: -m[0][0]):
        word = 0 if used[0] + bits <= KEY_BITS[0] else 1
        if used[word] + bits > KEY_BITS[word]:
            raise NotColumnar("too many facts")
        entry[-1] = len(tables)
        classes = table(used[word])
        tables.extend(classes)
        used[word] += bits
        if place == _MARKS:
            words[_MARKS + word].append(entry)
            on_plain[word] |= classes[1 + min(_PLAIN_SLOTS[entry[0]], entry[1])]
        else:
            words[place + 2 * word + (len(entry) != SMALL_ENTRY)].append(entry)
    for place in (*range(0, _MARKS, 2), _MARKS, _MARKS + 1):
        words[place].extend([[SLOTS["nothing"], 0, 0]] * (-len(words[place]) % AT_ONCE))
    return Program(
        words, tables, on_plain, frozenset(found.facts), tuple(found.terms), frozenset(found.left)
    )


def _place(names: set[str], last: frozenset[str], then: frozenset[str]) -> int:
    if names & last:
        return _LAST
    return _NEXT if names & then else 0


Made = tuple[int, list[int], Callable[[int], list[int]]]


def _signature(value: int, tests: Iterable[tuple[str, int]]) -> tuple[bool, ...]:
    return tuple(_TESTS[op](Fraction(value - c)) for op, c in sorted(tests))


def _grouped(values: list[int], tests: set[tuple[str, int]]) -> tuple[int, list[int]]:
    """The number of bits, and for `not known` and each value the class."""
    classes: dict[tuple[bool, ...], int] = {}
    found = [0]
    for value in values:
        found.append(1 + classes.setdefault(_signature(value, tests), len(classes)))
    return max(1, len(classes).bit_length()), found


def _classes(slot: int, tests: set[tuple[str, int]]) -> Made:
    constants = sorted({c for _, c in tests})
    high = (constants[-1] if constants else 0) + 1
    if high <= TABLE_MOST and (not constants or constants[0] >= 0):  # no fact is below 0
        bits, found = _grouped(list(range(high + 1)), tests)
        return bits, [slot, high, 0], lambda s: [x << s for x in found]
    points = [constants[0] - 1]
    for one, other in pairwise([*constants, constants[-1] + 2]):
        points += [one, min(one + 1, other)]
    bits, found = _grouped(points, tests)
    if len(constants) == 1:
        return _difference(bits, slot, SLOTS["nothing"], constants[0], found)
    # the classes, then the constants to search
    return (
        bits,
        [SEARCH, slot, len(constants), 0],
        lambda s: [*constants, *(x << s for x in found)],
    )


def _sum_classes(parts: tuple[tuple[str, int], ...], tests: set[tuple[str, int]]) -> Made:
    constants = sorted({c for _, c in tests})
    points = [constants[0] - 1]
    for one, other in pairwise([*constants, constants[-1] + 2]):
        points += [one, min(one + 1, other)]
    bits, found = _grouped(points, tests)
    if len(constants) == 1 and [factor for _, factor in parts] == [1, -1]:
        one, other = (SLOTS[name] for name, _ in parts)
        return _difference(bits, one, other, constants[0], found)
    flat = [x for name, factor in parts for x in (SLOTS[name], factor)]
    return (
        bits,
        [SUM, len(parts), len(constants), 0],
        lambda s: [*flat, *constants, *(x << s for x in found)],
    )


def _difference(bits: int, one: int, other: int, constant: int, found: list[int]) -> Made:
    """The commonest, which can be told without a loop."""
    entry = [DIFFERENCE, one | other << HIGH_SHIFT, constant, 0]
    return bits, entry, lambda s: [x << s for x in found]
