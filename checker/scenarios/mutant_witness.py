"""Scenarios that would notice what none notices yet, found near those that there are.

What such a scenario expects is what the text says now. Somebody has to hold that against the
printed source before it proves anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from checker.scenarios.file import NONE, Reader, ScenarioFile
from checker.scenarios.mutant_rounds import (
    Entry,
    amounts_of,
    bare,
    days_of,
    kinds_for,
    neighbours,
    on_the_day,
)
from checker.scenarios.mutant_same import BUDGET
from checker.scenarios.mutants import Mutant
from checker.scenarios.mutate import Work, is_about
from checker.scenarios.scenarios import Scenario, expected_of, read_scenario
from checker.table.mechanics import Mechanics

BASES = 4  # scenarios that are varied for one mutant
FROM_DIFF = 4  # hands of a comparison that are tried
NOT_READ = "proposed; not held against the printed text yet"


class Search:
    def __init__(self, work: Work, numbers: Iterable[int]) -> None:
        self.work = work
        self.open = set(numbers)
        self.mechanics = Mechanics(work.bench.rulebook.game)
        self.found: dict[int, Entry] = {}
        self.amounts = amounts_of(work.mutants[n] for n in self.open)
        self._every = frozenset(range(len(work.mutants)))
        self._seen: set[tuple[bool, bool, str]] = set()
        self.strict = True  # near scenarios of the clause, and nothing else breaks in them

    def run(self) -> dict[int, Entry]:
        """A scenario for each of the mutants for which one was found, by its number."""
        for number in sorted(self.open):
            if self.work.mutants[number].kind == "dated":
                self._on_a_day(number)
        for self.strict in (True, False):
            for number in sorted(self.open):
                if number in self.open:
                    for base in islice(self._bases(number), BASES):
                        self._near(base, self.work.mutants[number])
                        if number not in self.open:
                            break
            for number in sorted(self.open):
                self._by_comparison(number)
        return self.found

    # --- where to look

    def _bases(self, number: int) -> Iterator[Scenario]:
        """Scenarios to vary: those that a mutant touches and those that ask its question, first
        those that are about its clause."""
        mutant = self.work.mutants[number]
        asking = self.work.asking.get(mutant.question, [])
        every = {id(s): s for s in (*self.work.touched[number], *asking)}.values()
        yield from (s for s in every if is_about(s, mutant))
        yield from (s for s in every if not self.strict and not is_about(s, mutant))

    def _near(self, base: Scenario, mutant: Mutant) -> None:
        draws = self.work.draws(self.work.mutants.index(mutant))
        alike = {n for n in self.open if self.work.draws(n) == draws}
        kinds = kinds_for(mutant)
        start = bare(base.expected, self.mechanics, mutant.question)
        for entry in neighbours(start, self.mechanics, self.amounts, kinds):
            key = (self.strict, draws, repr(sorted(entry.items(), key=lambda item: item[0])))
            if key in self._seen or not self.open:
                continue
            self._seen.add(key)
            scenario = self._read(entry)
            if scenario is None:
                continue
            try:
                others = self._every - (alike & self.open)
                touched, _ = self.work.touched_by(scenario, others)
            except (AssertionError, RecursionError):
                continue  # a round that nobody can play
            for number in sorted(touched):
                other = self.work.mutants[number]
                if not self.strict or is_about(base, other):
                    self._try(number, entry, base)

    def _on_a_day(self, number: int) -> None:
        mutant = self.work.mutants[number]
        for day in days_of(mutant):
            for base in self.work.scenarios:
                if mutant.clause in ("header", *map(str, base.expected.get("clauses", ()))):
                    self._try(number, on_the_day(bare(base.expected, self.mechanics), day))
                    if number not in self.open:
                        return

    def _by_comparison(self, number: int) -> None:
        """The hands by which a comparison of the two texts shows what differs."""
        from checker.diff.diff import diff
        from rulespec.resolve.in_force import text_in_force

        mutant = self.work.mutants[number]
        if mutant.kind == "dated":
            return
        old = text_in_force(self.work.bench.rulebook, None)
        found = diff(old, text_in_force(mutant.book, None), BUDGET)
        for one in found.classes[:FROM_DIFF]:
            if one.witness is not None and number in self.open:
                entry: Entry = {"play": one.witness.play}
                options = one.witness.as_json()["options"]
                if options:
                    entry["options"] = options
                self._try(number, entry)

    # --- what is found

    def _read(self, entry: Entry) -> Scenario | None:
        named = {"name": "near", **entry}
        file = ScenarioFile(Path("near"), {"scenarios": [named]})
        return read_scenario(Reader(file, self.work.bench.rulebook), 0)

    def _try(self, number: int, entry: Entry, base: Scenario | None = None) -> None:
        """Keep a round that a mutant judges otherwise."""
        blank = self._read(entry)
        if blank is None:
            return
        work, mutant = self.work, self.work.mutants[number]
        verdict = work.bench.run(blank).verdict
        expected = expected_of(blank, verdict)
        if self.strict:
            known = base.expected.get("breaches", ()) if base is not None else ()
            fine = {mutant.clause, *map(str, known), *([NONE] if mutant.kind == "dated" else [])}
            if not set(expected.get("breaches", ())) <= fine:
                return
        full = {**entry, **_written(expected)}
        scenario = self._read(full)
        if scenario is None or not work.bench.run(scenario).passed:
            return
        if work.fails(mutant, scenario):
            self.found[number] = full
            self.open.discard(number)


def _written(expected: dict[str, Any]) -> dict[str, Any]:
    """Amounts as numbers where they are whole."""
    returns = {
        key: int(amount) if str(amount).isdecimal() else amount
        for key, amount in expected.get("returns", {}).items()
    }
    return {**expected, **({"returns": returns} if returns else {})}


# --- as a file


def as_yaml(found: dict[int, Entry], mutants: list[Mutant], known: set[str]) -> str:
    """Scenarios as a scenario file has them, marked as not yet read by anybody."""
    lines = ["# --- proposed by `rulespec coverage --mutate --write`", ""]
    grouped: dict[str, tuple[Entry, list[Mutant]]] = {}
    for number, entry in sorted(found.items()):
        grouped.setdefault(repr(entry), (entry, []))[1].append(mutants[number])
    names = set(known)
    for entry, shown in grouped.values():
        name = _name(shown)
        while name in names:
            name += "'"
        names.add(name)
        lines += _scenario_lines(name, entry, shown)
    return "\n".join(lines) + "\n"


def _name(shown: list[Mutant]) -> str:
    first = shown[0]
    _, _, change = first.name.partition(": ")
    was, _, becomes = change.partition(" -> ")
    return f"{first.clause}, {was or first.question} and not {becomes or 'otherwise'}"


def _scenario_lines(name: str, entry: Entry, shown: list[Mutant]) -> list[str]:
    def quoted(text: str) -> str:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    clauses = [m.clause for m in shown if m.clause != "header"]
    lines = [f"- name: {quoted(name)}"]
    if clauses:
        lines.append(f"  clauses: [{', '.join(quoted(c) for c in dict.fromkeys(clauses))}]")
    for key in ("decks", "at", "shoe"):
        if key in entry:
            value = entry[key]
            lines.append(f"  {key}: {quoted(value) if isinstance(value, str) else value}")
    if entry.get("options"):
        lines.append(f"  options: [{', '.join(entry['options'])}]")
    for key in ("limits", "meters"):
        if entry.get(key):
            lines.append(f"  {key}: {_flow(entry[key])}")
    scripts = entry["play"] if isinstance(entry["play"], list) else [entry["play"]]
    lines.append("  play: |" if len(scripts) == 1 else "  play:")
    for script in scripts:
        lines += [] if len(scripts) == 1 else ["  - |"]
        lines += [f"    {line.strip()}" for line in script.splitlines() if line.strip()]
    if entry.get("returns"):
        lines.append(f"  returns: {_flow(entry['returns'])}")
    for key in ("breaches", "undecided"):
        if entry.get(key):
            lines.append(f"  {key}: [{', '.join(quoted(str(c)) for c in entry[key])}]")
    lines.append(f"  note: {quoted(NOT_READ)}")
    return lines


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(k)}: {_flow(v)}" for k, v in value.items()) + "}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _key(key: object) -> str:
    return f'"{key}"' if str(key).isdecimal() else str(key)
