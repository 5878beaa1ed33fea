"""What changed in the structure of a text: clauses added, removed, moved, renumbered, reworded."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from checker.diff.printed.statements import WITH_EFFECT, Changed, Part, changed
from rulespec.resolve.clause_entry import ClauseEntry
from rulespec.resolve.rulebook import Rulebook
from rulespec.tree import nodes as t
from rulespec.tree.write_statements import accept_text


@dataclass(frozen=True, slots=True)
class ClauseChange:
    """One clause that is not what it was, or not where it was."""

    kind: str  # added, removed, moved, renumbered, retitled, reworded, changed
    old: ClauseEntry | None
    new: ClauseEntry | None
    effect: bool | None = None  # whether some hand or duty comes out differently through it
    lines: tuple[Changed, ...] = ()

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
        if self.lines:
            shown["lines"] = [line.as_json() for line in self.lines]
        return shown


@dataclass(frozen=True, slots=True)
class OtherChange:
    """A section, a reading or an acceptance that is not what it was."""

    kind: str  # added, removed, changed
    name: str
    lines: tuple[Changed, ...] = ()

    def as_json(self, called: str) -> dict[str, Any]:
        return {
            "kind": self.kind,
            called: self.name,
            "lines": [line.as_json() for line in self.lines],
        }


@dataclass(frozen=True, slots=True)
class Structure:
    """All changes of structure; texts of different rulebooks share no numbering."""

    same_rulebook: bool
    old_clauses: int
    new_clauses: int
    changes: tuple[ClauseChange, ...] = ()
    dates: tuple[OtherChange, ...] = ()  # of clauses that both texts have
    sections: tuple[OtherChange, ...] = ()
    readings: tuple[OtherChange, ...] = ()
    acceptances: tuple[OtherChange, ...] = ()
    header: tuple[str, ...] = ()  # what the heading says otherwise
    unchanged: int = field(default=0)

    def of_kind(self, *kinds: str) -> list[ClauseChange]:
        return [c for c in self.changes if c.kind in kinds]

    @property
    def others(self) -> list[tuple[str, OtherChange]]:
        """What changed besides clauses, with what it is called."""
        groups = (
            ("dates of", self.dates),
            ("section", self.sections),
            ("reading", self.readings),
            ("acceptance", self.acceptances),
        )
        return [(called, one) for called, group in groups for one in group]

    @property
    def without_effect(self) -> list[tuple[str, Changed]]:
        """What was changed and has no effect, with the clause, section or reading that says it."""
        owners = [(c.clause, c.lines) for c in self.changes]
        owners += [(f"{called} {c.name}", c.lines) for called, c in self.others]
        return [(owner, x) for owner, lines in owners for x in lines if x.effect is False]

    @property
    def as_it_stood(self) -> bool:
        return not (self.changes or self.others or self.header)

    def as_json(self) -> dict[str, Any]:
        return {
            "same_rulebook": self.same_rulebook,
            "old_clauses": self.old_clauses,
            "new_clauses": self.new_clauses,
            "unchanged": self.unchanged,
            "changes": [c.as_json() for c in self.changes],
            "dates": [c.as_json("clause") for c in self.dates],
            "sections": [c.as_json("section") for c in self.sections],
            "readings": [c.as_json("reading") for c in self.readings],
            "acceptances": [c.as_json("acceptance") for c in self.acceptances],
            "heading": list(self.header),
        }


KINDS = ("added", "removed", "changed", "renumbered", "moved", "reworded", "retitled")


def structure(old: Rulebook, new: Rulebook) -> Structure:
    if old.id != new.id:
        return Structure(False, len(old.clauses), len(new.clauses))
    before, after = _by_id(old), _by_id(new)
    around = [{s.id: s.rules for s in book.sections} for book in (old, new)]

    def lines_of(one: ClauseEntry | None, other: ClauseEntry | None) -> tuple[Changed, ...]:
        found = _lines(one, other)
        if one is not None and other is not None and one.section != other.section:
            # what the heading above it says holds for it too
            found += changed(
                *(
                    sections.get(e.section or "", ())
                    for sections, e in zip(around, (one, other), strict=True)
                )
            )
        return tuple(found)

    changes: list[ClauseChange] = []
    gone = [before[i] for i in before if i not in after]
    come = [after[i] for i in after if i not in before]
    renumbered = _renumbered(gone, come)
    taken = {e.id for pair in renumbered for e in pair}
    changes += [
        ClauseChange("renumbered", one, other, lines=lines_of(one, other))
        for one, other in renumbered
    ]
    changes += [
        ClauseChange("removed", e, None, lines=lines_of(e, None)) for e in gone if e.id not in taken
    ]
    changes += [
        ClauseChange("added", None, e, lines=lines_of(None, e)) for e in come if e.id not in taken
    ]
    common = [i for i in before if i in after]
    stayed = _in_order(common, list(after))
    unchanged = 0
    for i in common:
        one, other = before[i], after[i]
        lines = lines_of(one, other)
        kind = _kind(one, other, lines, i in stayed)
        if kind is None:
            unchanged += 1
        else:
            changes.append(ClauseChange(kind, one, other, lines=lines))
    place = {e.id: n for n, e in enumerate((*old.clauses, *new.clauses))}
    changes.sort(key=lambda c: (KINDS.index(c.kind), place[c.clause]))
    return Structure(
        True,
        len(old.clauses),
        len(new.clauses),
        tuple(changes),
        (),
        _sections(old, new),
        _readings(old, new),
        _acceptances(old, new),
        _header(old, new),
        unchanged,
    )


def _by_id(book: Rulebook) -> dict[str, ClauseEntry]:
    return {entry.id: entry for entry in book.clauses}


def _said(entry: ClauseEntry | None) -> Iterable[Part]:
    return entry.tree.statements if entry is not None else ()


def _lines(old: ClauseEntry | None, new: ClauseEntry | None) -> list[Changed]:
    found = changed(_said(old), _said(new))
    if old is not None and new is not None:
        found += _words("topic", *(", ".join(entry.about) for entry in (old, new)))
        found += _words("title", old.title, new.title)
    return found


def _words(what: str, was: str, becomes: str) -> list[Changed]:
    return [Changed(what, was, becomes)] if was != becomes else []


def _kind(
    old: ClauseEntry, new: ClauseEntry, lines: Iterable[Changed], in_place: bool
) -> str | None:
    what = {line.what for line in lines}
    if what & WITH_EFFECT:
        return "changed"
    if what - {"title"}:
        return "reworded"
    if what:
        return "retitled"
    if old.section != new.section or not in_place:
        return "moved"
    return None


def _rules(entry: ClauseEntry) -> Counter[object]:
    """What has an effect: not references, terms, or reasons why nothing can be checked."""
    idle = (t.Cites, t.CitesOutside, t.Uses, t.Defines, t.NotCheckable, t.Introduces, t.InForce)
    return Counter(s for s in entry.tree.statements if not isinstance(s, idle))


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
    return one.title == other.title and not changed(_said(one), _said(other))


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


# --- what is no clause


def _sections(old: Rulebook, new: Rulebook) -> tuple[OtherChange, ...]:
    before, after = ({s.id: s for s in book.sections} for book in (old, new))
    found: list[OtherChange] = []
    for name in dict.fromkeys([*before, *after]):
        one, other = before.get(name), after.get(name)
        lines = changed(one.rules if one else (), other.rules if other else ())
        if one is not None and other is not None:
            lines += _words("topic", *(", ".join(s.about) for s in (one, other)))
            lines += _words("title", one.title, other.title)
        if lines or one is None or other is None:
            found.append(OtherChange(_came(one, other), name, tuple(lines)))
    return tuple(found)


def _readings(old: Rulebook, new: Rulebook) -> tuple[OtherChange, ...]:
    before, after = ({r.name: r for r in book.readings} for book in (old, new))
    found: list[OtherChange] = []
    for name in dict.fromkeys([*before, *after]):
        one, other = before.get(name), after.get(name)
        if one == other:
            continue
        lines = changed(_applied(one), _applied(other))
        if one is not None and other is not None:
            lines += _words(
                "standing", *("applied" if r.active else "not applied" for r in (one, other))
            )
            lines += _words("reason", one.because, other.because)
        found.append(OtherChange(_came(one, other), name, tuple(lines)))
    return tuple(found)


def _applied(reading: t.Reading | None) -> list[Part]:
    """What a reading makes of clauses; one that is not applied changes nothing."""
    if reading is None or not reading.active:
        return []
    return [x.statement if isinstance(x, t.Under) else x for x in reading.lines]


def _acceptances(old: Rulebook, new: Rulebook) -> tuple[OtherChange, ...]:
    gone, come = (
        list((Counter(mine) - Counter(others)).elements())
        for mine, others in ((old.acceptances, new.acceptances), (new.acceptances, old.acceptances))
    )
    found: list[OtherChange] = []
    for one in gone:
        other = next((x for x in come if (x.code, x.clauses) == (one.code, one.clauses)), None)
        if other is not None:
            come.remove(other)
        found.append(_acceptance(one, other))
    return (*found, *(_acceptance(None, one) for one in come))


def _acceptance(one: t.Accept | None, other: t.Accept | None) -> OtherChange:
    named = one or other
    assert named is not None
    at = f" at {', '.join(ref.id for ref in named.clauses)}" if named.clauses else ""
    was, becomes = (accept_text(x) if x else "" for x in (one, other))
    return OtherChange(_came(one, other), named.code + at, tuple(_words("reason", was, becomes)))


def _came(one: object | None, other: object | None) -> str:
    return "added" if one is None else "removed" if other is None else "changed"


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
