"""Documents to one checked rulebook: scopes, precedence, names and types."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from rulespec import tree as t
from rulespec.clause_ids import ClauseIndex
from rulespec.codes import CODES
from rulespec.diagnostics import A_DATE, Diagnostic, Related
from rulespec.lower import both, lower, negated
from rulespec.precedence import cycles, precedence
from rulespec.rulebook import ClauseEntry, Rule, Rulebook
from rulespec.spans import Span
from rulespec.typecheck import Checker, did_you_mean
from rulespec.vocabulary import FACTS, RANKS, REQUIRE_AT
from rulespec.words import ACTIONS, TOPICS


def resolve(
    documents: list[t.Document], files: tuple[str, ...]
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
        found.append(Diagnostic("R110", f"a second rulebook `{second.id}` begins in this file",
                                second.span, help="one rulebook to a file"))  # fmt: skip
    amends = [item for item in items if isinstance(item, t.Amend)]
    items = [item for item in items if not isinstance(item, t.Amend)] if amends else items
    book = _text(items, header, files, {}, found)
    if amends:
        book = _amended(book, items, amends, found)
    return book, [_in_book(d, header.id) for d in found]


def _amended(
    book: Rulebook, items: list[t.Item], amends: list[t.Amend], found: list[Diagnostic]
) -> Rulebook:
    """The text after each amendment in turn; each knows the text that it replaces."""
    from dataclasses import replace

    from rulespec.amend import apply, steps

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
        text = _text(items, book.header, book.files, starts, again)
        known = {(d.code, d.message, d.span) for d in found}
        found += [d for d in again if (d.code, d.message, d.span) not in known]
        ended = tuple(
            replace(c, end=step.day) if c.id in change.touched else c for c in book.clauses
        )
        book = replace(
            text, amendments=step.amends, amended_from=step.day,
            before=replace(book, clauses=ended),
        )  # fmt: skip
    return book


def _text(
    items: list[t.Item],
    header: t.Header,
    files: tuple[str, ...],
    starts: dict[int, date],
    found: list[Diagnostic],
) -> Rulebook:
    """One text; `starts` has the days on which amended clauses begin."""
    entries, scopes = _clauses(items, header, starts, found)
    sections = tuple(item for item in items if isinstance(item, t.Section))
    readings = tuple(item for item in items if isinstance(item, t.Reading))
    acceptances = tuple(item for item in items if isinstance(item, t.Accept))
    rules = _rules(entries, scopes, readings, found)
    index = ClauseIndex((entry.id, entry.section) for entry in entries)
    pairs = precedence(entries, sections, readings, index)
    _check_names(entries, sections, readings, acceptances, index, found)
    _check_types(rules, entries, sections, found)
    start, end = _dates(header, found)
    texts = {p.key: p.text for p in header.properties if isinstance(p, t.TextProperty)}
    games = [p.name for p in header.properties if isinstance(p, t.Game)]
    book = Rulebook(
        header.id,
        texts.get("title", header.id),
        games[0] if games else "pontoon",
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
    )
    found.extend(cycles(book.order, entries))
    return book


def _in_book(diagnostic: Diagnostic, rulebook: str) -> Diagnostic:
    from dataclasses import replace

    return diagnostic if diagnostic.rulebook else replace(diagnostic, rulebook=rulebook)


def _dates(
    node: t.Header | t.Clause, found: list[Diagnostic]
) -> tuple[date | None, date | None]:
    lines = node.properties if isinstance(node, t.Header) else node.statements
    for line in lines:
        if isinstance(line, t.InForce):
            clause = node.id if isinstance(node, t.Clause) else None
            if date.min in (line.start, line.end):
                found.append(Diagnostic("R111", "this date does not exist", line.span,
                                        clause=clause, help=A_DATE))  # fmt: skip
                return None, None
            if line.end is not None and line.end <= line.start:
                found.append(Diagnostic(
                    "R111", "the end comes before the beginning", line.span, clause=clause,
                    help="`until` is the first day on which it is no longer in force"))  # fmt: skip
            return line.start, line.end
    return None, None


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
        entry = ClauseEntry(
            clause.id, clause.title, section.id if section else None, about, clause,
            start or book_start, end or book_end,
        )  # fmt: skip
        own = [_scope(s) for s in clause.statements]
        outer = [_scope(s) for s in section.rules] if section else []
        scopes[id(clause)] = both(*outer, *own)
        for other in earlier.setdefault(entry.id, []):
            if start is None and other.start == book_start:
                found.append(Diagnostic(
                    "R109", f"clause `{clause.id}` stands twice", clause.id_span,
                    clause=clause.id, related=(Related(other.id, "first", other.tree.id_span),),
                    help="a number printed twice gets `#2`; a later version gets its own dates",
                ))  # fmt: skip
                break
        earlier[entry.id].append(entry)
        entries.append(entry)
    return tuple(entries), scopes


def _scope(statement: t.Node) -> t.Expression:
    match statement:
        case t.AppliesWhen():
            return statement.condition
        case t.DoesNotApplyWhen():
            return negated(statement.condition)
        case _:
            return t.Always()


def _rules(
    entries: tuple[ClauseEntry, ...],
    scopes: dict[int, t.Expression],
    readings: tuple[t.Reading, ...],
    found: list[Diagnostic],
) -> tuple[Rule, ...]:
    rules: list[Rule] = []
    for entry in entries:
        rules.extend(lower(entry.id, entry.tree.statements, scopes[id(entry.tree)]))
    by_id = {entry.id: entry for entry in entries}
    for reading in readings:
        if not reading.active:
            continue
        for number, line in enumerate(reading.lines, 1):
            if isinstance(line, t.Under) and line.clause.id in by_id:
                scope = scopes[id(by_id[line.clause.id].tree)]
                rules.extend(lower(line.clause.id, (line.statement,), scope, reading.name, number))
    return tuple(rules)


def _check_names(
    entries: tuple[ClauseEntry, ...],
    sections: tuple[t.Section, ...],
    readings: tuple[t.Reading, ...],
    acceptances: tuple[t.Accept, ...],
    index: ClauseIndex,
    found: list[Diagnostic],
) -> None:
    def clause_known(ref: t.ClauseRef) -> None:
        if not index.inside(ref.id):
            advice = did_you_mean(ref.id, index.order, "name a clause of this rulebook")
            found.append(Diagnostic("R114", f"there is no clause `{ref.id}`", ref.span,
                                    help=advice))  # fmt: skip

    def topics_known(about: tuple[str, ...], span: Span, clause: str) -> None:
        for topic in about:
            if topic not in TOPICS:
                advice = did_you_mean(topic, TOPICS, "`docs/vocabulary.md` lists the topics")
                found.append(Diagnostic("R107", f"there is no topic `{topic}`", span,
                                        clause=clause, help=advice))  # fmt: skip

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
            found.append(Diagnostic("R110", f"two readings are called `{reading.name}`",
                                    reading.span))  # fmt: skip
        seen[reading.name] = reading
        for line in reading.lines:
            for ref in (line.winner, *line.losers) if isinstance(line, t.Prevails) else (
                line.clause,
            ):
                clause_known(ref)
    for acceptance in acceptances:
        if acceptance.code not in CODES:
            advice = did_you_mean(acceptance.code, CODES, "`rulespec docs` lists the codes")
            found.append(Diagnostic("R113", f"there is no code `{acceptance.code}`",
                                    acceptance.span, help=advice))  # fmt: skip
        if acceptance.until == date.min:
            found.append(Diagnostic("R111", "this date does not exist", acceptance.span,
                                    help=A_DATE))
        section_ids = {s.id for s in sections}
        for ref in acceptance.clauses:
            if ref.id not in section_ids:
                clause_known(ref)


def _groups(node: object) -> set[str]:
    """The groups of facts that a condition asks about."""
    if isinstance(node, t.Fact):
        return {node.name.partition(".")[0]} if node.name in FACTS else set()
    if isinstance(node, tuple):
        return set().union(*(_groups(part) for part in node)) if node else set()
    if isinstance(node, t.Node):
        parts = (getattr(node, name) for name in node.__slots__ if name != "span")
        return set().union(*(_groups(part) for part in parts))
    return set()


def _check_types(
    rules: tuple[Rule, ...],
    entries: tuple[ClauseEntry, ...],
    sections: tuple[t.Section, ...],
    found: list[Diagnostic],
) -> None:
    terms: dict[str, set[str]] = {}
    for rule in rules:
        if rule.question.startswith("define "):
            term = rule.question.removeprefix("define ")
            terms.setdefault(term, set()).update(_groups(rule.condition))
    found.extend(_circular_terms(rules, terms))
    checker = Checker(terms)
    for term in terms:
        if "." in term:
            info = FACTS.get(term)
            if info is None or not info.definable:
                span = next(r.span for r in rules if r.question == f"define {term}")
                definable = ", ".join(n for n, i in FACTS.items() if i.definable)
                assert span is not None
                checker.report("R101", f"`{term}` cannot be defined by a rulebook", span,
                               f"a plain name or one of {definable}")  # fmt: skip
    for rule in rules:
        checker.clause = rule.clause
        moment = moment_of(rule.question)
        span = rule.span
        assert span is not None
        if moment is None:
            _bad_question(rule, checker, span)
            continue
        checker.condition(rule.condition, moment)
        match rule.value:
            case t.Odds() as odds if odds.ratio <= 0:
                checker.report("R112", f"odds of {odds.printed} make no sense", span,
                               "both numbers are from 1 up, as in `3 to 2`")  # fmt: skip
            case (_, unit) if rule.question == "payments.rounding":
                checker.money(unit, moment)
            case _ if rule.question.endswith((".counted", ".deemed")):
                checker.money(rule.value, moment)
            case _ if rule.question.startswith("require "):
                checker.condition(rule.value, moment)
            case _:
                pass
        if rule.question.startswith("card value"):
            rank = rule.question.removeprefix("card value ")
            if rank not in RANKS:
                checker.report("R104", f"`{rank}` is not a card", span, "A 2 … 9 T J Q K")
            elif rule.value == "face" and rank not in "23456789T":
                checker.report("R112", f"a card `{rank}` has no number to count", span,
                               "write what it counts: `cards J, Q, K count 10`")  # fmt: skip
    found.extend(dict.fromkeys(checker.found))


def _names(node: object) -> set[str]:
    """The words and facts that a condition is made of."""
    if isinstance(node, t.Fact | t.Name):
        return {node.name.replace("dealer.", "hand.")}
    if isinstance(node, tuple):
        return set().union(*(_names(part) for part in node)) if node else set()
    if isinstance(node, t.Node):
        parts = (getattr(node, name) for name in node.__slots__ if name != "span")
        return set().union(*(_names(part) for part in parts))
    return set()


def _circular_terms(
    rules: tuple[Rule, ...], terms: dict[str, set[str]]
) -> Iterator[Diagnostic]:
    uses: dict[str, set[str]] = {}
    first: dict[str, Rule] = {}
    for rule in rules:
        if rule.question.startswith("define "):
            term = rule.question.removeprefix("define ")
            first.setdefault(term, rule)
            uses.setdefault(term, set()).update(_names(rule.condition) & set(terms))
    for start in uses:
        path = [start]
        seen = {start}
        while True:
            step = next((n for n in sorted(uses.get(path[-1], ())) if n == start or n not in seen),
                        None)  # fmt: skip
            if step is None:
                path.pop()
                if not path:
                    break
            elif step == start:
                if start == min(path):
                    circle = " by ".join(f"`{name}`" for name in [*path, start])
                    yield Diagnostic(
                        "R115", f"a term is defined by itself: {circle}", first[start].span,
                        clause=first[start].clause,
                        help="say what one of them means without the other",
                    )  # fmt: skip
                break
            else:
                seen.add(step)
                path.append(step)


def moment_of(question: str) -> str | None:
    """The moment at which a question is asked, or None when there is no such question."""
    if question.startswith("define "):
        return "definition"
    if question.startswith("card value "):
        return "card_value"
    if question == "payments.rounding":
        return "settle"
    if question.startswith("require "):
        moment = question.removeprefix("require ")
        return moment if moment in REQUIRE_AT else None
    if "." in question:
        return "settle"
    actor, _, action = question.partition(" ")
    return actor if action in ACTIONS[actor] else None


def _bad_question(rule: Rule, checker: Checker, span: Span) -> None:
    if rule.question.startswith("require "):
        moment = rule.question.removeprefix("require ")
        advice = did_you_mean(moment, REQUIRE_AT, "one of " + ", ".join(REQUIRE_AT))
        checker.report("R106", f"nothing can be required at `{moment}`", span, advice)
        return
    actor, _, action = rule.question.partition(" ")
    known = ACTIONS[actor]
    advice = did_you_mean(action, known, "one of " + ", ".join(known))
    checker.report("R106", f"`{action}` is not an action of the {actor}", span, advice)
