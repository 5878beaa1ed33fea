"""What changed in the structure of a text: clauses added, removed, moved, renumbered, reworded."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from rulespec import tree as t
from rulespec.rulebook import ClauseEntry, Rulebook


@dataclass(frozen=True, slots=True)
class ClauseChange:
    """One clause that is not what it was, or not where it was."""

    kind: str  # added, removed, moved, renumbered, retitled, reworded, changed
    old: ClauseEntry | None
    new: ClauseEntry | None
    effect: bool | None = None  # whether some hand or duty comes out differently through it

    @property
    def clause(self) -> str:
        entry = self.new or self.old
        assert entry is not None
        return entry.id

    @property
    def title(self) -> str:
        entry = self.new or self.old
        assert entry is not None
        return entry.title

    def as_json(self) -> dict[str, Any]:
        shown: dict[str, Any] = {"kind": self.kind, "clause": self.clause, "title": self.title}
        if self.old is not None and self.new is not None:
            if self.old.id != self.new.id:
                shown["was"] = self.old.id
            if self.old.title != self.new.title:
                shown["old_title"] = self.old.title
            if self.old.section != self.new.section:
                shown["old_section"], shown["section"] = self.old.section, self.new.section
        if self.effect is not None:
            shown["effect"] = self.effect
        return shown


@dataclass(frozen=True, slots=True)
class Structure:
    """All changes of structure; texts of different rulebooks share no numbering."""

    same_rulebook: bool
    old_clauses: int
    new_clauses: int
    changes: tuple[ClauseChange, ...] = ()
    readings: tuple[tuple[str, str], ...] = ()  # kind and name
    header: tuple[str, ...] = ()  # what the heading says otherwise
    unchanged: int = field(default=0)

    def of_kind(self, *kinds: str) -> list[ClauseChange]:
        return [c for c in self.changes if c.kind in kinds]

    def as_json(self) -> dict[str, Any]:
        return {
            "same_rulebook": self.same_rulebook, "old_clauses": self.old_clauses,
            "new_clauses": self.new_clauses, "unchanged": self.unchanged,
            "changes": [c.as_json() for c in self.changes],
            "readings": [{"kind": kind, "reading": name} for kind, name in self.readings],
            "heading": list(self.header),
        }  # fmt: skip


KINDS = ("added", "removed", "changed", "renumbered", "moved", "reworded", "retitled")


def structure(old: Rulebook, new: Rulebook) -> Structure:
    if old.id != new.id:
        return Structure(False, len(old.clauses), len(new.clauses))
    before, after = _by_id(old), _by_id(new)
    changes: list[ClauseChange] = []
    gone = [before[i] for i in before if i not in after]
    come = [after[i] for i in after if i not in before]
    renumbered = _renumbered(gone, come)
    taken = {e.id for pair in renumbered for e in pair}
    changes += [ClauseChange("renumbered", one, other) for one, other in renumbered]
    changes += [ClauseChange("removed", e, None) for e in gone if e.id not in taken]
    changes += [ClauseChange("added", None, e) for e in come if e.id not in taken]
    common = [i for i in before if i in after]
    stayed = _in_order(common, list(after))
    unchanged = 0
    for i in common:
        one, other = before[i], after[i]
        kind = _kind(one, other, i in stayed)
        if kind is None:
            unchanged += 1
        else:
            changes.append(ClauseChange(kind, one, other))
    place = {e.id: n for n, e in enumerate((*old.clauses, *new.clauses))}
    changes.sort(key=lambda c: (KINDS.index(c.kind), place[c.clause]))
    return Structure(
        True, len(old.clauses), len(new.clauses), tuple(changes), _readings(old, new),
        _header(old, new), unchanged,
    )  # fmt: skip


def _by_id(book: Rulebook) -> dict[str, ClauseEntry]:
    return {entry.id: entry for entry in book.clauses}


def _says(entry: ClauseEntry) -> Counter[object]:
    """What a clause says, in whatever order; without dates, which say when."""
    return Counter(s for s in entry.tree.statements if not isinstance(s, t.InForce))


def _rules(entry: ClauseEntry) -> Counter[object]:
    """What has an effect: not references, terms, or reasons why nothing can be checked."""
    idle = (t.Cites, t.CitesOutside, t.Uses, t.Defines, t.NotCheckable, t.Introduces, t.InForce)
    return Counter(s for s in entry.tree.statements if not isinstance(s, idle))


def _kind(old: ClauseEntry, new: ClauseEntry, in_place: bool) -> str | None:
    if _rules(old) != _rules(new):
        return "changed"
    if _says(old) != _says(new) or old.about != new.about:
        return "reworded"
    if old.title != new.title:
        return "retitled"
    if old.section != new.section or not in_place:
        return "moved"
    return None


def _renumbered(
    gone: Iterable[ClauseEntry], come: Iterable[ClauseEntry]
) -> list[tuple[ClauseEntry, ClauseEntry]]:
    """Clauses that went and came with the same content, by their rules or else by their title."""
    left = list(come)
    found: list[tuple[ClauseEntry, ClauseEntry]] = []
    for one in gone:
        same = [x for x in left if _rules(x) == _rules(one) and (_rules(one) or _alike(one, x))]
        best = next((x for x in same if x.title == one.title), same[0] if same else None)
        if best is not None:
            found.append((one, best))
            left.remove(best)
    return found


def _alike(one: ClauseEntry, other: ClauseEntry) -> bool:
    return one.title == other.title and _says(one) == _says(other)


def _in_order(ids: list[str], after: list[str]) -> set[str]:
    """The longest run of clauses that stand in the same order in both texts."""
    place = {i: n for n, i in enumerate(after)}
    ends: list[int] = []
    runs: list[list[str]] = []
    for i in ids:
        n = bisect_left(ends, place[i])
        run = [*(runs[n - 1] if n else []), i]
        if n == len(ends):
            ends.append(place[i])
            runs.append(run)
        else:
            ends[n], runs[n] = place[i], run
    return set(runs[-1]) if runs else set()


def _readings(old: Rulebook, new: Rulebook) -> tuple[tuple[str, str], ...]:
    before = {r.name: r for r in old.readings}
    after = {r.name: r for r in new.readings}
    found = [("removed", name) for name in before if name not in after]
    found += [("added", name) for name in after if name not in before]
    found += [
        ("changed", name) for name in before
        if name in after and before[name] != after[name]
    ]  # fmt: skip
    return tuple(found)


def _header(old: Rulebook, new: Rulebook) -> tuple[str, ...]:
    said = [Counter(book.header.properties) for book in (old, new)]
    return tuple(
        f"{sign} {_property(p)}"
        for sign, mine, other in (("-", said[0], said[1]), ("+", said[1], said[0]))
        for p in mine - other
    )


def _property(node: object) -> str:
    match node:
        case t.TextProperty():
            return f"{node.key} {node.text}"
        case t.Game():
            return f"game {node.name}"
        case t.Zone():
            return f"zone {node.name}"
        case t.InForce():
            return f"in force from {node.start}" + (f" until {node.end}" if node.end else "")
        case _:
            return "undated"
