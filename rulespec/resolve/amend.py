"""Amendments: from a text and what an instrument changes in it to the text as amended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from rulespec.base.clause_ids import covers
from rulespec.base.diagnostics import A_DATE, Diagnostic, Related
from rulespec.base.spans import Span
from rulespec.resolve.typecheck import did_you_mean
from rulespec.tree import nodes as t


@dataclass(frozen=True, slots=True)
class Step:
    """All amendments of one day: they make one new text together."""

    day: date
    amends: tuple[t.Amend, ...]


def steps(amends: Iterable[t.Amend], header: t.Header) -> tuple[list[Step], list[Diagnostic]]:
    """The amendments of a rulebook in the order of their days, and what is wrong with each."""
    found: list[Diagnostic] = []
    by_day: dict[date, list[t.Amend]] = {}
    for amend in amends:
        wrong = [*_of_another_book(amend, header), *_undated(amend, header), *_idle(amend)]
        found += wrong
        if not wrong:
            by_day.setdefault(_days(amend)[0].start, []).append(amend)
    return [Step(day, tuple(by_day[day])) for day in sorted(by_day)], found


def _days(amend: t.Amend) -> list[t.InForce]:
    return [line for line in amend.lines if isinstance(line, t.InForce)]


def _of_another_book(amend: t.Amend, header: t.Header) -> Iterator[Diagnostic]:
    if amend.rulebook != header.id:
        yield Diagnostic(
            "R122",
            f"this amends `{amend.rulebook}`, but stands with `{header.id}`",
            amend.id_span,
            help="one rulebook to a file",
        )


def _undated(amend: t.Amend, header: t.Header) -> Iterator[Diagnostic]:
    days = _days(amend)
    if not days:
        yield Diagnostic(
            "R121",
            "the amendment does not say from which day it is in force",
            amend.id_span,
            help="write `in force from YYYY-MM-DD`",
        )
        return
    day = days[0].start
    if len(days) > 1:
        yield Diagnostic(
            "R121",
            "the amendment is in force from two days",
            days[1].span,
            help="write an `amend` block for each day",
        )
    elif day == date.min:
        yield Diagnostic("R111", "this date does not exist", days[0].span, help=A_DATE)
    for line in header.properties:
        if isinstance(line, t.InForce) and day != date.min:
            if day < line.start:
                message = f"the amendment is in force before its rulebook begins on {line.start}"
            elif line.end is not None and day >= line.end:
                message = f"the amendment is in force when its rulebook has ended on {line.end}"
            else:
                continue
            yield Diagnostic("R121", message, days[0].span)


def _idle(amend: t.Amend) -> Iterator[Diagnostic]:
    touching = t.ReplaceClause | t.InsertClause | t.InsertSection | t.RevokeClause | t.RevokeSection
    if not any(isinstance(line, touching) for line in amend.lines):
        yield Diagnostic(
            "R117",
            f"the amendment changes no clause of `{amend.rulebook}`",
            amend.id_span,
            help="say what it replaces, inserts or revokes; readings alone belong to the rulebook",
        )


@dataclass(slots=True)
class _OpenSection:
    section: t.Section
    clauses: list[t.Clause]


@dataclass(slots=True)
class Amending:
    """A text while it is being amended."""

    blocks: list[t.Item | _OpenSection]
    day: date
    found: list[Diagnostic] = field(default_factory=list)
    new: set[int] = field(default_factory=set)  # ids of the clauses that begin on the day
    touched: dict[str, Span] = field(default_factory=dict)  # clauses that end or begin, and where
    gone: set[str] = field(default_factory=set)  # clauses that are no more

    gone_sections: set[str] = field(default_factory=set)

    # --- what stands in the text

    def clauses(self) -> list[t.Clause]:
        found: list[t.Clause] = []
        for block in self.blocks:
            if isinstance(block, _OpenSection):
                found += block.clauses
            elif isinstance(block, t.Clause):
                found.append(block)
        return found

    def sections(self) -> list[_OpenSection]:
        return [block for block in self.blocks if isinstance(block, _OpenSection)]

    # --- changes

    def revoke(self, ref: t.ClauseRef, revoked_before: dict[str, date]) -> None:
        ids = dict.fromkeys(c.id for c in self.clauses() if covers(ref.id, c.id))
        if not ids:
            self.missing(ref, revoked_before)
        self._end(ids, ref)

    def _end(self, clauses: Iterable[str], ref: t.ClauseRef) -> None:
        for clause in clauses:
            if not self.claim(clause, ref.span, "change it once"):
                return
            self.gone.add(clause)

    def revoke_section(self, ref: t.ClauseRef) -> None:
        section = next((s for s in self.sections() if s.section.id == ref.id), None)
        if section is None:
            known = [s.section.id for s in self.sections()]
            self.no(ref, f"there is no section `{ref.id}` to revoke", known)
            return
        self._end(dict.fromkeys(c.id for c in section.clauses), ref)
        self.gone_sections.add(ref.id)
        self.blocks[:] = [block for block in self.blocks if block is not section]

    def insert(self, clause: t.Clause, ref: t.ClauseRef, revoked_before: dict[str, date]) -> None:
        if not self.is_new(clause):
            return
        place = self.place_after(ref)
        if place is None:
            self.missing(ref, revoked_before)
        else:
            where, index = place
            where.insert(index, clause)

    def place_after(
        self, ref: t.ClauseRef
    ) -> tuple[list[t.Clause] | list[t.Item | _OpenSection], int] | None:
        """Behind the clause and all its parts, in the section where they stand."""
        for section in self.sections():
            inside = [n for n, c in enumerate(section.clauses) if covers(ref.id, c.id)]
            if inside:
                return section.clauses, inside[-1] + 1
        inside = [
            n
            for n, block in enumerate(self.blocks)
            if isinstance(block, t.Clause) and covers(ref.id, block.id)
        ]
        return (self.blocks, inside[-1] + 1) if inside else None

    def insert_section(self, section: t.Section, ref: t.ClauseRef) -> None:
        known = {s.section.id: n for n, s in enumerate(self.blocks) if isinstance(s, _OpenSection)}
        if section.id in known:
            self.report(
                "R120",
                f"there is a section `{section.id}` already",
                section.span,
                section.id,
                help="insert it under a number of its own",
            )
        elif ref.id not in known:
            self.no(ref, f"there is no section `{ref.id}` to insert after", list(known))
        elif all(self.is_new(clause) for clause in section.clauses):
            self.blocks.insert(known[ref.id] + 1, _OpenSection(section, list(section.clauses)))

    def is_new(self, clause: t.Clause) -> bool:
        """Whether a clause may be put in under its number."""
        first = next((c for c in self.clauses() if c.id == clause.id), None)
        if first is not None and clause.id not in self.touched:
            self.report(
                "R120",
                f"there is a clause `{clause.id}` already",
                clause.id_span,
                clause.id,
                (Related(first.id, "already there", first.id_span),),
                f"`replace clause {clause.id}`, or insert it under a number of its own",
            )
            return False
        if not self.claim(clause.id, clause.id_span, f"`replace clause {clause.id}` instead"):
            return False
        return self.begins(clause)

    def replace(self, clause: t.Clause, revoked_before: dict[str, date]) -> None:
        old = [c for c in self.clauses() if c.id == clause.id]
        if not old:
            self.missing(t.ClauseRef(clause.id, span=clause.id_span), revoked_before)
            return
        if not self.claim(clause.id, clause.id_span, "change it once"):
            return
        if _undated_clause(old[-1]) == clause:
            self.report(
                "R117",
                f"clause `{clause.id}` already says this",
                clause.id_span,
                clause.id,
                (Related(clause.id, "the same text", old[-1].id_span),),
                "take the replacement out",
            )
        elif self.begins(clause):
            self._swap(clause)

    def _swap(self, clause: t.Clause) -> None:
        """The new clause stands where the first version of the old one stood."""
        put = False
        for section in self.sections():
            if any(c.id == clause.id for c in section.clauses):
                section.clauses[:] = _swapped(section.clauses, clause, put)
                put = True
        if any(isinstance(b, t.Clause) and b.id == clause.id for b in self.blocks):
            self.blocks[:] = _swapped(self.blocks, clause, put)

    def begins(self, clause: t.Clause) -> bool:
        dated = next((s for s in clause.statements if isinstance(s, t.InForce)), None)
        if dated is not None:
            self.report(
                "R121",
                f"clause `{clause.id}` begins with its amendment on {self.day}",
                dated.span,
                clause.id,
                help="write an `amend` block for another day",
            )
            return False
        self.new.add(id(clause))
        return True

    def claim(self, clause: str, span: Span, advice: str) -> bool:
        """A clause is changed once a day: else nobody can tell which text is meant."""
        first = self.touched.get(clause)
        if first is not None:
            self.report(
                "R119",
                f"clause `{clause}` is changed twice on {self.day}",
                span,
                clause,
                (Related(clause, "also changed", first),),
                advice,
            )
            return False
        self.touched[clause] = span
        return True

    # --- complaints

    def missing(self, ref: t.ClauseRef, revoked_before: dict[str, date]) -> None:
        ended = [day for clause, day in revoked_before.items() if covers(ref.id, clause)]
        if ended:
            message = f"clause `{ref.id}` was revoked on {max(ended)}"
            self.report("R118", message, ref.span, ref.id)
            return
        if any(s.section.id == ref.id for s in self.sections()):
            advice = f"`{ref.id}` is a section: name a clause, or `revoke section {ref.id}`"
            self.report("R118", f"there is no clause `{ref.id}`", ref.span, ref.id, help=advice)
            return
        self.no(ref, f"there is no clause `{ref.id}`", [c.id for c in self.clauses()])

    def no(self, ref: t.ClauseRef, message: str, known: list[str]) -> None:
        advice = did_you_mean(ref.id, known, "name it as the rulebook does")
        self.report("R118", message, ref.span, ref.id, help=advice)

    def report(
        self,
        code: str,
        message: str,
        span: Span,
        clause: str | None = None,
        related: tuple[Related, ...] = (),
        help: str | None = None,
    ) -> None:
        self.found.append(Diagnostic(code, message, span, None, clause, related, help))

    # --- the end

    def items(self) -> list[t.Item]:
        made: list[t.Item] = []
        for block in self.blocks:
            if isinstance(block, _OpenSection):
                kept = tuple(c for c in block.clauses if c.id not in self.gone)
                made.append(replace(block.section, clauses=kept))
            elif not (isinstance(block, t.Clause) and block.id in self.gone):
                made.append(block)
        return made


def apply(
    items: Iterable[t.Item], step: Step, revoked_before: dict[str, date]
) -> tuple[list[t.Item], Amending]:
    """The items of the text from the day on, and how it was amended."""
    text = Amending(
        [_OpenSection(i, list(i.clauses)) if isinstance(i, t.Section) else i for i in items],
        step.day,
    )
    added: list[t.Item] = []
    # first what is put in, which may stand after a clause that goes on the same day
    lines = [line for amend in step.amends for line in amend.lines]
    for line in sorted(lines, key=lambda line: not _inserts(line)):
        match line:
            case t.InsertClause():
                text.insert(line.clause, line.after, revoked_before)
            case t.InsertSection():
                text.insert_section(line.section, line.after)
            case t.ReplaceClause():
                text.replace(line.clause, revoked_before)
            case t.RevokeClause():
                for ref in line.clauses:
                    text.revoke(ref, revoked_before)
            case t.RevokeSection():
                text.revoke_section(line.section)
            case t.RevokeReading():
                _revoke_reading(text, line)
            case t.Reading() | t.Accept():
                added.append(line)
            case t.TextProperty() | t.InForce():
                pass
    kept = text.items()
    standing = {c.id for c in _clauses(kept)} | {s.id for s in kept if isinstance(s, t.Section)}
    return [*_without(kept, text.gone | text.gone_sections, standing), *added], text


def _inserts(line: t.Node) -> bool:
    return isinstance(line, t.InsertClause | t.InsertSection)


def _revoke_reading(text: Amending, line: t.RevokeReading) -> None:
    readings = [b for b in text.blocks if isinstance(b, t.Reading)]
    for reading in readings:
        if reading.name == line.name:
            text.blocks.remove(reading)
            return
    advice = did_you_mean(line.name, [r.name for r in readings], "name it as the rulebook does")
    text.report("R118", f"there is no reading `{line.name}`", line.span, help=advice)


def _clauses(items: Iterable[t.Item]) -> Iterator[t.Clause]:
    for item in items:
        if isinstance(item, t.Clause):
            yield item
        elif isinstance(item, t.Section):
            yield from item.clauses


def _undated_clause(clause: t.Clause) -> t.Clause:
    kept = tuple(s for s in clause.statements if not isinstance(s, t.InForce))
    return replace(clause, statements=kept)


def _swapped(blocks: Iterable[Any], clause: t.Clause, put: bool) -> list[Any]:
    made: list[Any] = []
    for block in blocks:
        if not (isinstance(block, t.Clause) and block.id == clause.id):
            made.append(block)
        elif not put:
            made.append(clause)
            put = True
    return made


def _without(items: Iterable[t.Item], gone: set[str], standing: set[str]) -> Iterator[t.Item]:
    """Readings and acceptances lapse with the clauses that they speak of."""

    def stands(ref: t.ClauseRef) -> bool:
        was = any(covers(ref.id, clause) for clause in gone)
        return not was or any(covers(ref.id, clause) for clause in standing)

    for item in items:
        match item:
            case t.Accept() if item.clauses:
                refs = tuple(ref for ref in item.clauses if stands(ref))
                if refs:
                    yield replace(item, clauses=refs) if len(refs) < len(item.clauses) else item
            case t.Reading():
                lines = tuple(kept for line in item.lines if (kept := _kept(line, stands)))
                if lines or not item.lines:
                    yield replace(item, lines=lines) if lines != item.lines else item
            case _:
                yield item


def _kept(
    line: t.Prevails | t.Under, stands: Callable[[t.ClauseRef], bool]
) -> t.Prevails | t.Under | None:
    if isinstance(line, t.Under):
        return line if stands(line.clause) else None
    losers = tuple(ref for ref in line.losers if stands(ref))
    if not stands(line.winner) or not losers:
        return None
    return replace(line, losers=losers) if len(losers) < len(line.losers) else line
