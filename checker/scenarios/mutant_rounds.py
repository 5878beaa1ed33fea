"""Rounds near those of the scenarios: where a number is off by one, one of them often shows it.

A neighbour is a scenario with one thing in it changed: a card, an amount, the decks, a limit, a
player more or less, a line twice or not at all, the day.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from checker.scenarios.mutants import Mutant
from checker.table.mechanics import Mechanics
from rulespec.resolve.question import Question, requiring, whether
from rulespec.tree import nodes as t
from rulespec.tree.walk import walk

Entry = dict[str, Any]
_CARD = re.compile(r"(?<![\w=])([A2-9TJQK])([SHDC])(?!\w)")
_BET = re.compile(r"^(\s*bet )(\d) (\S+) (\S+)(.*)$")
_STAKE = re.compile(r"\$(\d+(?:\.\d+)?)")
_CENT = Decimal("0.01")
_ABOUT_SETTLING = (
    "settle",
    requiring("settlement"),
    whether("casino", "report"),
    whether("casino", "adjust"),
)
_OF_THE_ROUND = ("play", "decks", "options", "limits", "meters", "at", "shoe")
MOST_PLAYERS = 8


def bare(entry: Entry, mechanics: Mechanics, question: Question | None = None) -> Entry:
    """A scenario without what it expects, and without settlements unless they are asked about."""
    kept = {k: v for k, v in entry.items() if k in _OF_THE_ROUND}
    about = (*_ABOUT_SETTLING, whether("casino", mechanics.roles["voids the round"]))
    if not any(word in (question or "") for word in about):
        kept["play"] = _each_script(kept["play"], _without_settlements)
    return kept


def _each_script(play: Any, change: Any) -> Any:
    return [change(one) for one in play] if isinstance(play, list) else change(play)


def _without_settlements(script: str) -> str:
    lines = [line for line in script.splitlines() if not line.strip().startswith("settle ")]
    return "\n".join(lines) + "\n"


_BY_FACT = (
    (("hand.", "dealer.", "first.", "second.", "third.", "card.", "count "), "cards"),
    (("wager.", "play.", "limit.", "main_total", "$"), "money"),
    (("round.decks", "card.copies"), "decks"),
    (("box.", "player.", "round.boxes", "round.highest"), "people"),
    (("settlement.", "shoe.", "player.", "hands_after", "box.hands"), "lines"),
)


def kinds_for(mutant: Mutant) -> frozenset[str]:
    """What is worth changing to show a mutant, by the facts in what it changes."""
    change = mutant.name.partition(": ")[2]
    kinds = {kind for words, kind in _BY_FACT if any(word in change for word in words)}
    return frozenset(kinds or {kind for _, kind in _BY_FACT})


def neighbours(
    entry: Entry, mechanics: Mechanics, amounts: frozenset[Decimal], kinds: frozenset[str]
) -> Iterator[Entry]:
    """Scenarios next to a bare one. `amounts` are sums of money that the rules name."""
    yield entry
    for decks in range(1, 13) if "decks" in kinds else ():
        yield {**entry, "decks": decks}
    stakes = _stakes(_last(entry))
    if "money" in kinds:
        yield from _limits(entry, mechanics.main, stakes)
    for script in _scripts(_last(entry), mechanics, stakes, amounts, kinds):
        yield _with_last(entry, script)
    if isinstance(entry["play"], list) and "lines" in kinds:
        for number in range(len(entry["play"]) - 1):
            once, rest = entry["play"][: number + 1], entry["play"][number + 1 :]
            yield {**entry, "play": [*once, once[-1], *rest]}
            yield {**entry, "play": [*once[:-1], *rest]}


def _last(entry: Entry) -> str:
    play = entry["play"]
    found: str = play[-1] if isinstance(play, list) else play
    return found


def _with_last(entry: Entry, script: str) -> Entry:
    play = entry["play"]
    return {**entry, "play": [*play[:-1], script] if isinstance(play, list) else script}


# --- the script


def _scripts(
    script: str,
    mechanics: Mechanics,
    stakes: list[Decimal],
    amounts: frozenset[Decimal],
    kinds: frozenset[str],
) -> Iterator[str]:
    if "cards" in kinds:
        yield from _other_cards(script)
    lines = script.splitlines()
    for number, line in enumerate(lines):
        for changed in _lines(line, lines, mechanics, stakes, amounts, kinds):
            yield "\n".join([*lines[:number], *changed, *lines[number + 1 :]]) + "\n"


def _other_cards(script: str) -> Iterator[str]:
    for found in _CARD.finditer(script):
        for rank in "A23456789TJQK":
            if rank != found[1]:
                yield script[: found.start(1)] + rank + script[found.end(1) :]
    for rank in dict.fromkeys(found[1] for found in _CARD.finditer(script)):
        for other in "A23456789TJQK":
            if other != rank:  # a pair stays one
                yield _CARD.sub(
                    lambda m, r=rank, o=other: (o if m[1] == r else m[1]) + m[2],  # type: ignore[misc]
                    script,
                )


def _lines(
    line: str,
    lines: list[str],
    mechanics: Mechanics,
    stakes: list[Decimal],
    amounts: frozenset[Decimal],
    kinds: frozenset[str],
) -> Iterator[list[str]]:
    """What may stand in the place of one line."""
    if "lines" in kinds:
        yield []
        yield [line, line]
    bet = _BET.match(line)
    if bet is not None and "money" in kinds:
        head, box, player, stake, rest = bet.groups()
        for amount in _near(Decimal(stake), stakes, amounts):
            yield [f"{head}{box} {player} {amount}{rest}"]
    if bet is not None and "people" in kinds:
        yield from _other_people(bet, line, lines)
    for found in _STAKE.finditer(line) if "money" in kinds else ():
        for amount in _near(Decimal(found[1]), stakes, amounts):
            yield [line[: found.start()] + f"${amount}" + line[found.end() :]]
    if "cards" not in kinds:
        return
    if line.strip().startswith("dealer "):
        words = line.split()
        for count in range(1, len(words) - 1):
            yield [" ".join(words[: 1 + count])]
        for rank in "A23456789TJQK":
            yield [f"{line} {rank}D"]
    words, draw = line.split(), mechanics.drawing
    if words[2:3] in ([draw], [mechanics.standing]) and words[0][0].isdigit():
        for rank in "A23456789TJK":
            yield [f"{words[0]} {words[1]} {draw} {rank}C", line]


def _other_people(bet: re.Match[str], line: str, lines: list[str]) -> Iterator[list[str]]:
    """The wager on another box, more players on the box, or the player on more boxes."""
    head, box, player, stake, rest = bet.groups()
    yield []
    yield [line, line]
    for other in range(1, 10):
        yield [f"{head}{other} {player} {stake}{rest}"]
    for more in range(1, MOST_PLAYERS):
        crowd = [f"{head}{box} P{20 + n} {stake}{rest}" for n in range(more)]
        yield [line, *(one.replace(" controls", "") for one in crowd)]
    for last in range(2, 10):
        if not any((m := _BET.match(other)) and m[2] == str(last) for other in lines):
            more_boxes = range(int(box) + 1, last + 1)
            yield [line, *(f"{head}{n} {player} {stake}" for n in more_boxes)]


def _stakes(script: str) -> list[Decimal]:
    """The wagers of a round, and their sum on each box."""
    by_box: dict[str, Decimal] = {}
    found: list[Decimal] = []
    for line in script.splitlines():
        bet = _BET.match(line)
        if bet is not None:
            found.append(Decimal(bet[4]))
            by_box[bet[2]] = by_box.get(bet[2], Decimal(0)) + found[-1]
    return list(dict.fromkeys([*found, *by_box.values()]))


def _near(stake: Decimal, stakes: list[Decimal], amounts: frozenset[Decimal]) -> list[Decimal]:
    some = [stake, stake * 2, stake / 2, *stakes, *sorted(amounts)]
    near = [one + by for one in some for by in (0, -_CENT, _CENT, -1, 1)]
    told = [_plain(one) for one in near if one > 0 and one == one.quantize(_CENT)]
    return [one for one in dict.fromkeys(told) if one != stake]


def _plain(amount: Decimal) -> Decimal:
    whole = amount.to_integral_value()
    return whole if whole == amount else amount.quantize(_CENT)


def _limits(entry: Entry, main: str, stakes: list[Decimal]) -> Iterator[Entry]:
    """The displayed limits right at the wagers."""
    given = entry.get("limits", {})
    for bet in given or (main,):
        for key in ("min", "max", "unit", "smallest_chip"):
            for stake in stakes:
                for by in (0, -_CENT, _CENT):
                    if stake + by > 0:
                        changed = {**given.get(bet, {}), key: _number(stake + by)}
                        yield {**entry, "limits": {**given, bet: changed}}
        for box in sorted(set(re.findall(r"^\s*bet (\d)", _last(entry), re.MULTILINE))):
            for stake in stakes:
                for by in (0, -_CENT, _CENT):
                    raised = {box: _number(stake + by)}
                    changed = {**given.get(bet, {}), "box_max": raised}
                    yield {**entry, "limits": {**given, bet: changed}}


def _number(amount: Decimal) -> int | Decimal:
    plain = _plain(amount)
    return int(plain) if plain == int(plain) else plain


# --- what a mutant names


def amounts_of(mutants: Iterable[Mutant]) -> frozenset[Decimal]:
    """The sums of money in the rules that a mutant changes."""
    changes = (pair for mutant in mutants for pair in mutant.changes)
    rules = (rule for pair in changes for rule in pair if rule is not None)
    asked = (node for rule in rules for node in walk((rule.condition, rule.value)))
    return frozenset(Decimal(one.cents) / 100 for one in asked if isinstance(one, t.Money))


def on_the_day(entry: Entry, day: date) -> Entry:
    at = datetime.combine(day, time(12))
    return {**entry, "at": f"{at.isoformat()}+10:00"}


def days_of(mutant: Mutant) -> list[date]:
    """The days on which a text with another date can differ."""
    named = [date.fromisoformat(text) for text in re.findall(r"\d{4}-\d\d-\d\d", mutant.name)]
    return [day + timedelta(days=by) for day in named for by in (-1, 0)]
