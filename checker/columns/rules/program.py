"""Questions of a rulebook compiled to data: which facts they look at, and what they tell apart.

For each fact the values that no condition tells apart form a class. The classes of all facts that
a question looks at make a key, and the answer is the same for every scene with that key: the plain
evaluator is asked once for each key that turns up (see `answers`), and the rest is looking up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final

from checker.columns.known_game import PLAYER_WON_BONUS
from checker.columns.rules.looker import Looked, NotColumnar
from checker.columns.slots import SLOTS

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
            "wager.another_forfeited",
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
