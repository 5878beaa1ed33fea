"""Documents to one checked rulebook: scopes, precedence, names and types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from functools import cache
from types import MappingProxyType

from rulespec.base.clause_ids import ClauseIndex
from rulespec.base.codes import CODES
from rulespec.base.diagnostics import A_DATE, Diagnostic, Related
from rulespec.base.spans import Span
from rulespec.resolve.clause_entry import ClauseEntry
from rulespec.resolve.games import game_of
from rulespec.resolve.lower import both, lower, negated
from rulespec.resolve.ordinary import Circumstances
from rulespec.resolve.pays_as import Use, pays_as
from rulespec.resolve.precedence import conditional, cycles, precedence
from rulespec.resolve.question import defining
from rulespec.resolve.rule_types import check_types
from rulespec.resolve.rulebook import WAGER, Rule, Rulebook
from rulespec.resolve.typecheck import did_you_mean
from rulespec.tree import nodes as t
from rulespec.tree.game import Game


def resolve(
    documents: list[t.Document], files: tuple[str, ...], game: Game
) -> tuple[Rulebook | None, list[Diagnostic]]:
    items = [item for document in documents for item in document.items]
    headers = [item for item in items if isinstance(item, t.Header)]
    found: list[Diagnostic] = []
    if not headers:
        here = Span(files[0], 1, 1, 1, 1)
        message = f"`{files[0]}` names no rulebook"
        return None, [Diagnostic("R009", message, here, help="start with `rulebook NAME { … }`")]
    header = headers[0]
    for second in headers[1:]:
        found.append(
            Diagnostic(
                "R110",
                f"a second rulebook `{second.id}` begins in this file",
                second.span,
                help="one rulebook to a file",
            )
        )
    amends = [item for item in items if isinstance(item, t.Amend)]
    items = [item for item in items if not isinstance(item, t.Amend)] if amends else items
    own = game_of(game, items, found)
    book = _text(items, header, files, own, {}, found)
    if amends:
        book = _amended(book, items, amends, found)
    return book, [_in_book(d, header.id) for d in found]


def _amended(
    book: Rulebook, items: list[t.Item], amends: list[t.Amend], found: list[Diagnostic]
) -> Rulebook:
    """The text after each amendment in turn; each knows the text that it replaces."""
    from rulespec.resolve.amend import apply, steps

    in_order, wrong = steps(amends, book.header)
    found += wrong
    starts: dict[int, date] = {}
    revoked: dict[str, date] = {}
    for step in in_order if not wrong else ():
        items, change = apply(items, step, revoked)
        found += change.found
        if change.found:
            break
        starts |= dict.fromkeys(change.new, step.day)
        revoked |= dict.fromkeys(change.gone, step.day)
        again: list[Diagnostic] = []
        text = _text(items, book.header, book.files, book.game, starts, again)
        known = {(d.code, d.message, d.span) for d in found}
        found += [d for d in again if (d.code, d.message, d.span) not in known]
        ended = tuple(
            replace(c, end=step.day) if c.id in change.touched else c for c in book.clauses
        )
        book = replace(
            text,
            amendments=step.amends,
            amended_from=step.day,
            before=replace(book, clauses=ended),
        )
    return book


def _text(
    items: list[t.Item],
    header: t.Header,
    files: tuple[str, ...],
    game: Game,
    starts: dict[int, date],
    found: list[Diagnostic],
) -> Rulebook:
    """One text; `starts` has the days on which amended clauses begin."""
    entries, scopes = _clauses(items, header, starts, found)
    sections = tuple(item for item in items if isinstance(item, t.Section))
    readings = tuple(item for item in items if isinstance(item, t.Reading))
    acceptances = tuple(item for item in items if isinstance(item, t.Accept))
    index = ClauseIndex((entry.id, entry.section) for entry in entries)
    pairs = precedence(entries, sections, readings, index)
    rules = rules_of(entries, scopes, readings, pairs, index, game, found)
    _check_names(entries, sections, readings, acceptances, index, game, found)
    check_types(rules, game, found)
    start, end = _dates(header, found)
    texts = {p.key: p.text for p in header.properties if isinstance(p, t.TextProperty)}
    book = Rulebook(
        header.id,
        texts.get("title", header.id),
        game,
        header,
        files,
        start,
        end,
        entries,
        sections,
        rules,
        readings,
        acceptances,
        pairs,
        zone=_zone(header, found),
    )
    found.extend(cycles([*book.order, *_at_times(book)], entries))
    return book


def _in_book(diagnostic: Diagnostic, rulebook: str) -> Diagnostic:
    return diagnostic if diagnostic.rulebook else replace(diagnostic, rulebook=rulebook)


def _dates(node: t.Header | t.Clause, found: list[Diagnostic]) -> tuple[date | None, date | None]:
    lines = node.properties if isinstance(node, t.Header) else node.statements
    for line in lines:
        if isinstance(line, t.InForce):
            clause = node.id if isinstance(node, t.Clause) else None
            if date.min in (line.start, line.end):
                found.append(
                    Diagnostic(
                        "R111", "this date does not exist", line.span, clause=clause, help=A_DATE
                    )
                )
                return None, None
            if line.end is not None and line.end <= line.start:
                found.append(
                    Diagnostic(
                        "R111",
                        "the end comes before the beginning",
                        line.span,
                        clause=clause,
                        help="`until` is the first day on which it is no longer in force",
                    )
                )
            return line.start, line.end
    return None, None


def _zone(header: t.Header, found: list[Diagnostic]) -> str | None:
    zones = [line for line in header.properties if isinstance(line, t.Zone)]
    for second in zones[1:]:
        found.append(
            Diagnostic(
                "R110",
                "a second time zone is given",
                second.span,
                help="the tables of a rulebook have one clock",
            )
        )
    for line in zones[:1]:
        known = _zones()
        if line.name in known:
            return line.name
        advice = did_you_mean(line.name, known, "a name such as `Australia/Sydney` or `UTC`")
        if not known:
            advice = "no time zones are known on this machine: install the package `tzdata`"
        found.append(
            Diagnostic("R124", f"there is no time zone `{line.name}`", line.span, help=advice)
        )
    return None


@cache
def _zones() -> frozenset[str]:
    from zoneinfo import available_timezones

    return frozenset(available_timezones())


def _clauses(
    items: list[t.Item], header: t.Header, starts: dict[int, date], found: list[Diagnostic]
) -> tuple[tuple[ClauseEntry, ...], dict[int, t.Expression]]:
    entries: list[ClauseEntry] = []
    scopes: dict[int, t.Expression] = {}
    earlier: dict[str, list[ClauseEntry]] = {}
    places: list[tuple[t.Clause, t.Section | None]] = []
    for item in items:
        if isinstance(item, t.Clause):
            places.append((item, None))
        elif isinstance(item, t.Section):
            places.extend((clause, item) for clause in item.clauses)
    book_start, book_end = None, None
    for line in header.properties:
        if isinstance(line, t.InForce):
            book_start, book_end = line.start, line.end
    for clause, section in places:
        start, end = _dates(clause, found)
        start = starts.get(id(clause), start)
        about = clause.about or (section.about if section else ())
        about = tuple(dict.fromkeys(topic.partition(".")[0] for topic in about))
        entry = ClauseEntry(
            clause.id,
            clause.title,
            section.id if section else None,
            about,
            clause,
            start or book_start,
            end or book_end,
        )
        scopes[id(clause)] = scope_of(clause, section)
        for other in earlier.setdefault(entry.id, []):
            if start is None and other.start == book_start:
                found.append(
                    Diagnostic(
                        "R109",
                        f"clause `{clause.id}` stands twice",
                        clause.id_span,
                        clause=clause.id,
                        related=(Related(other.id, "first", other.tree.id_span),),
                        help="a number printed twice gets `#2`; a later version gets its own dates",
                    )
                )
                break
        earlier[entry.id].append(entry)
        entries.append(entry)
    return tuple(entries), scopes


def scope_of(clause: t.Clause, section: t.Section | None) -> t.Expression:
    """When a clause applies, by its own words and those of its section."""
    outer = [_scope(s) for s in section.rules] if section else []
    return both(*outer, *(_scope(s) for s in clause.statements))


def _scope(statement: t.Node) -> t.Expression:
    match statement:
        case t.AppliesWhen():
            return statement.condition
        case t.DoesNotApplyWhen():
            return negated(statement.condition)
        case _:
            return t.Always()


def rules_of(
    entries: tuple[ClauseEntry, ...],
    scopes: dict[int, t.Expression],
    readings: tuple[t.Reading, ...],
    precedence: Iterable[tuple[str, str, str]],
    index: ClauseIndex,
    game: Game,
    found: list[Diagnostic],
    known: Mapping[int, list[Rule]] = MappingProxyType({}),
) -> tuple[Rule, ...]:
    """All rules of a text. `scopes` says when a clause applies, by the identity of its tree, and
    `known` what it then says, where that is known."""
    rules, uses = _rules(entries, scopes, readings, known)
    names = {reading.name for reading in readings}
    printed = [pair for pair in precedence if pair[2] not in names]
    rules += pays_as(uses, rules, index, printed, found)
    return _with_circumstances(_with_orders(rules, readings, index), game)


def _rules(
    entries: tuple[ClauseEntry, ...],
    scopes: dict[int, t.Expression],
    readings: tuple[t.Reading, ...],
    known: Mapping[int, list[Rule]],
) -> tuple[list[Rule], list[Use]]:
    """What the statements say, and what they take over from other clauses."""
    rules: list[Rule] = []
    uses: list[Use] = []
    for entry in entries:
        scope = scopes[id(entry.tree)]
        made = known.get(id(entry.tree))
        rules.extend(lower(entry.tree, entry.tree.statements, scope) if made is None else made)
        for number, statement in enumerate(entry.tree.statements, 1):
            if isinstance(statement, t.PaysAs):
                uses.append(Use(entry.tree, statement, scope, str(number)))
    by_id = {entry.id: entry for entry in entries}
    for reading in readings:
        if not reading.active:
            continue
        for number, line in enumerate(reading.lines, 1):
            if isinstance(line, t.Under) and line.clause.id in by_id:
                clause = by_id[line.clause.id].tree
                scope = scopes[id(clause)]
                rules.extend(lower(clause, (line.statement,), scope, reading.name, number))
                if isinstance(line.statement, t.PaysAs):
                    uses.append(Use(clause, line.statement, scope, str(number), reading.name))
    return rules, uses


def _with_orders(
    rules: list[Rule], readings: tuple[t.Reading, ...], index: ClauseIndex
) -> list[Rule]:
    """A reading that lets a clause prevail `when` something holds: the rules of that clause once
    more, under that condition, each with the clauses that it then prevails over."""
    made: list[Rule] = []
    for reading in (reading for reading in readings if reading.active):
        for number, line in enumerate(reading.lines, 1):
            if not isinstance(line, t.Prevails) or not conditional(line):
                continue
            losers = [c for ref in line.losers for c in index.inside(ref.id)]
            asked = {rule.question for rule in rules if rule.clause in losers}
            winners = set(index.inside(line.winner.id)).difference(losers)
            made.extend(
                replace(
                    rule,
                    id=f"{rule.id}/{reading.name}/{number}",
                    condition=both(rule.condition, line.condition),
                    reading=rule.reading or reading.name,
                    over=tuple(losers),
                    over_by=reading.name,
                )
                for rule in rules
                if rule.clause in winners and rule.question in asked
            )
    return rules + made


def _at_times(book: Rulebook) -> list[tuple[str, str, str]]:
    """The orders that hold under a condition. Where another order is the other way round, the
    condition decides between the two, and there is no circle."""
    under = {(r.clause, loser, r.over_by or "") for r in book.rules for loser in r.over}
    pairs = {(winner, loser) for winner, loser, _ in (*book.order, *under)}
    return sorted(p for p in under if (p[1], p[0]) not in pairs)


def _with_circumstances(rules: list[Rule], game: Game) -> tuple[Rule, ...]:
    """Results know whether they are of the ordinary course of a round."""
    circumstances = Circumstances(rules, game)
    terms = (name for name, info in game.facts.items() if info.definable)
    voided = {r.question for r in rules if r.value == "void"}
    voided |= {defining(name) for name in terms if name.startswith(WAGER)}
    return tuple(
        replace(r, irregular=True) if r.question in voided and circumstances.irregular(r) else r
        for r in rules
    )


def _check_names(
    entries: tuple[ClauseEntry, ...],
    sections: tuple[t.Section, ...],
    readings: tuple[t.Reading, ...],
    acceptances: tuple[t.Accept, ...],
    index: ClauseIndex,
    game: Game,
    found: list[Diagnostic],
) -> None:
    def clause_known(ref: t.ClauseRef) -> None:
        if not index.inside(ref.id):
            advice = did_you_mean(ref.id, index.order, "name a clause of this rulebook")
            found.append(
                Diagnostic("R114", f"there is no clause `{ref.id}`", ref.span, help=advice)
            )

    narrow = {topic for entry in entries for topic in entry.tree.about if "." in topic}

    def topics_known(about: tuple[str, ...], span: Span, clause: str) -> None:
        for topic in about:
            if topic.partition(".")[0] not in game.topics:
                advice = did_you_mean(topic, game.topics, "`docs/vocabulary.md` lists the topics")
                found.append(
                    Diagnostic(
                        "R107", f"there is no topic `{topic}`", span, clause=clause, help=advice
                    )
                )
            elif "." in topic and topic not in narrow:
                advice = did_you_mean(topic, narrow, f"write `about {topic}` where that is ruled")
                found.append(
                    Diagnostic(
                        "R107", f"no clause is about `{topic}`", span, clause=clause, help=advice
                    )
                )

    for section in sections:
        topics_known(section.about, section.span, section.id)
    for entry in entries:
        topics_known(entry.tree.about, entry.tree.id_span, entry.id)
        for statement in entry.tree.statements:
            if isinstance(statement, t.Cites | t.Despite | t.SubjectTo):
                for reference in statement.references:
                    if reference.about:
                        topics_known((reference.about,), reference.span, entry.id)
                    if reference.read_as:
                        clause_known(reference.read_as)
    seen: dict[str, t.Reading] = {}
    for reading in readings:
        if reading.name in seen:
            found.append(
                Diagnostic("R110", f"two readings are called `{reading.name}`", reading.span)
            )
        seen[reading.name] = reading
        for line in reading.lines:
            for ref in (
                (line.winner, *line.losers) if isinstance(line, t.Prevails) else (line.clause,)
            ):
                clause_known(ref)
    for acceptance in acceptances:
        if acceptance.code not in CODES:
            advice = did_you_mean(acceptance.code, CODES, "`rulespec docs` lists the codes")
            found.append(
                Diagnostic(
                    "R113", f"there is no code `{acceptance.code}`", acceptance.span, help=advice
                )
            )
        if acceptance.until == date.min:
            found.append(
                Diagnostic("R111", "this date does not exist", acceptance.span, help=A_DATE)
            )
        section_ids = {s.id for s in sections}
        for ref in acceptance.clauses:
            if ref.id not in section_ids:
                clause_known(ref)
