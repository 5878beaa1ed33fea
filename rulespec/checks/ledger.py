"""The clause ledger: every clause of the printed text, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from rulespec.base.clause_ids import covers, printed
from rulespec.base.diagnostics import Diagnostic, Related
from rulespec.base.spans import Span
from rulespec.base.yaml_files import YamlError, yaml_text
from rulespec.resolve.clause_entry import ClauseEntry
from rulespec.resolve.rulebook import Rulebook
from rulespec.resolve.typecheck import did_you_mean
from rulespec.tree import nodes as t

ClauseClass = Literal["log", "shoe", "report", "external", "unlisted"]
Standing = Literal["encoded", "not checkable", "silent", "missing"]

# What can decide a clause: one recorded round, the rounds of a shoe, a report; or nothing here.
DECIDED_HERE = ("log", "shoe", "report")
CLASSES = (*DECIDED_HERE, "external")
STANDINGS: tuple[Standing, ...] = ("encoded", "not checkable", "silent", "missing")


@dataclass(frozen=True, slots=True)
class ListedClause:
    """A clause of the printed text, as the list beside the rulebook names it."""

    id: str
    title: str
    kind: str
    checkable: ClauseClass
    section: str | None
    numbered: bool = True
    note: str | None = None
    terms: tuple[str, ...] | None = None  # those that its printed words use; None is not asked


@dataclass(frozen=True, slots=True)
class ClauseList:
    path: Path
    rulebook: str
    sections: tuple[tuple[str, str], ...]
    clauses: tuple[ListedClause, ...]


@dataclass(frozen=True, slots=True)
class LedgerRow:
    id: str
    title: str
    clause_class: ClauseClass
    standing: Standing
    reason: str | None = None

    def as_json(self) -> dict[str, object]:
        return {
            "clause": self.id,
            "title": self.title,
            "class": self.clause_class,
            "standing": self.standing,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Ledger:
    rulebook: str
    rows: tuple[LedgerRow, ...]
    diagnostics: tuple[Diagnostic, ...]

    def counts(self) -> dict[str, dict[str, int]]:
        """By class, how many clauses have each standing."""
        table: dict[str, dict[str, int]] = {}
        for row in self.rows:
            line = table.setdefault(row.clause_class, dict.fromkeys(STANDINGS, 0))
            line[row.standing] += 1
        return table


# --- the list beside the rulebook


def clause_list_path(rules_path: Path) -> Path:
    return rules_path.with_name(f"{rules_path.stem}.clauses.yaml")


def load_clause_list(rules_path: Path) -> tuple[ClauseList | None, list[Diagnostic]]:
    """The clause list of a rule file, None when there is none, and what is wrong with it."""
    path = clause_list_path(rules_path)
    if not path.exists():
        return None, []
    try:
        return _read(path), []
    except _Unusable as wrong:
        place = Span(str(path), wrong.line, wrong.column, wrong.line, wrong.column + 1)
        advice = "it needs `rulebook`, `sections` and `clauses`, each clause an `id` and a class"
        return None, [Diagnostic("R010", f"`{path}`: {wrong}", place, help=advice)]


class _Unusable(Exception):
    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.line, self.column = line, column


def _read(path: Path) -> ClauseList:
    import yaml

    try:
        data = _plain_yaml(yaml_text(path))
    except YamlError as error:
        raise _Unusable(str(error)) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise _Unusable("not a YAML file", *place) from error
    if not isinstance(data, dict) or not isinstance(data.get("clauses"), list):
        raise _Unusable("no list of `clauses`")
    clauses: dict[str, ListedClause] = {}
    for item in data["clauses"]:
        clause = _clause(item)
        if clause.id in clauses:
            raise _Unusable(f"clause `{clause.id}` is listed twice")
        clauses[clause.id] = clause
    sections = data.get("sections") or []
    if not isinstance(sections, list) or not all(isinstance(s, dict) for s in sections):
        raise _Unusable("`sections` is not a list of sections")
    return ClauseList(
        path,
        str(data.get("rulebook", "")),
        tuple((str(s.get("id", "")), str(s.get("title", ""))) for s in sections),
        tuple(clauses.values()),
    )


def _plain_yaml(text: str) -> Any:
    """Lists, mappings and text of one YAML document, made from its events: a third of the time
    that `yaml.load` takes. Every scalar stays text: clause 1.10 must not become the number 1.1."""
    import yaml
    from yaml import events as e

    events = iter(yaml.parse(text, getattr(yaml, "CBaseLoader", yaml.BaseLoader)))

    def value(event: Any) -> Any:
        match event:
            case e.ScalarEvent():
                return event.value
            case e.MappingStartEvent():
                mapping: dict[str, Any] = {}
                for key in events:
                    if isinstance(key, e.MappingEndEvent):
                        return mapping
                    if not isinstance(key, e.ScalarEvent):
                        raise _Unusable("a key is no plain text", *_place(key))
                    mapping[key.value] = value(next(events))
            case e.SequenceStartEvent():
                return [value(item) for item in _until_end(events)]
        raise _Unusable("not a plain YAML file", *_place(event))

    first = [next(events, None) for _ in range(3)]
    if not isinstance(first[1], e.DocumentStartEvent):
        return None
    document = value(first[2])
    rest = [event for event in events if isinstance(event, e.DocumentStartEvent)]
    if rest:
        raise _Unusable("a second YAML document begins", *_place(rest[0]))
    return document


def _until_end(events: Iterator[Any]) -> Iterator[Any]:
    from yaml.events import SequenceEndEvent

    for event in events:
        if isinstance(event, SequenceEndEvent):
            return
        yield event


def _place(event: Any) -> tuple[int, int]:
    return event.start_mark.line + 1, event.start_mark.column + 1


def _clause(item: object) -> ListedClause:
    if not isinstance(item, dict) or not item.get("id"):
        raise _Unusable("a clause has no `id`")
    if item.get("checkable") not in CLASSES:
        advice = did_you_mean(str(item.get("checkable")), CLASSES, "one of " + ", ".join(CLASSES))
        raise _Unusable(f"the class of clause `{item['id']}` is not known: {advice}")
    terms = item.get("terms")
    if terms is not None and not (
        isinstance(terms, list) and all(isinstance(term, str) and term for term in terms)
    ):
        raise _Unusable(f"the `terms` of clause `{item['id']}` are not a list of words")
    return ListedClause(
        str(item["id"]),
        str(item.get("title", "")),
        str(item.get("kind", "")),
        item["checkable"],
        str(item["section"]) if item.get("section") else None,
        str(item.get("numbered")).lower() not in ("false", "no"),
        str(item["note"]) if item.get("note") else None,
        None if terms is None else tuple(terms),
    )


# --- list and rulebook side by side


def ledger(rulebook: Rulebook, clause_list: ClauseList | None) -> Ledger:
    """A row for each clause of the list; without a list, one for each clause of the rulebook."""
    versions: dict[str, list[ClauseEntry]] = {}
    for entry in rulebook.clauses:
        versions.setdefault(entry.id, []).append(entry)
    if clause_list and rulebook.before is not None:
        clause_list = _amended(clause_list, rulebook)
    listed = (
        clause_list.clauses
        if clause_list
        else tuple(
            ListedClause(e[0].id, e[0].title, "", "unlisted", e[0].section)
            for e in versions.values()
        )
    )
    rows: list[LedgerRow] = []
    found: list[Diagnostic] = []
    last_seen: ClauseEntry | None = None
    for clause in listed:
        entries = versions.get(clause.id, [])
        row = _row(clause, entries)
        rows.append(row)
        if row.standing == "missing":
            found.append(_missing(rulebook, clause, last_seen))
        elif row.standing == "not checkable" and clause.checkable in DECIDED_HERE:
            found.append(_not_encoded(rulebook.id, clause, entries))
        last_seen = entries[0] if entries else last_seen
    if clause_list:
        found.extend(_unlisted(rulebook, clause_list))
    found.extend(_silent(rulebook))
    return Ledger(rulebook.id, tuple(rows), tuple(found))


def _amended(clause_list: ClauseList, rulebook: Rulebook) -> ClauseList:
    """The list of the printed text with what amendments took out and put in.

    Nobody has listed a clause that was put in: one that is encoded is decided from the log."""
    *_, first = rulebook.texts
    printed_first = {c.id for c in first.clauses}
    revoked = {c.id for c in rulebook.revoked}
    put_in = {c.id: c for c in rulebook.clauses if c.id not in printed_first}
    return replace(
        clause_list,
        clauses=(
            *(c for c in clause_list.clauses if c.id not in revoked),
            *(
                ListedClause(
                    c.id,
                    c.title,
                    "",
                    "external" if c.standing == "not checkable" else "log",
                    c.section,
                )
                for c in put_in.values()
            ),
        ),
    )


def _row(clause: ListedClause, entries: list[ClauseEntry]) -> LedgerRow:
    standings = {e.standing for e in entries}
    standing: Standing = next((s for s in STANDINGS if s in standings), "missing")
    reason = _reason(entries) if standing == "not checkable" else None
    title = entries[0].title if entries else clause.title
    return LedgerRow(clause.id, title, clause.checkable, standing, reason)


def _reason(entries: list[ClauseEntry]) -> str | None:
    lines = (s for e in entries for s in e.tree.statements)
    return next((s.reason for s in lines if isinstance(s, t.NotCheckable)), None)


def _missing(rulebook: Rulebook, clause: ListedClause, before: ClauseEntry | None) -> Diagnostic:
    after = f", after `{before.id}`" if before else ""
    return Diagnostic(
        "R212",
        f"clause `{clause.id}` of the printed text is not accounted for",
        before.tree.id_span if before else rulebook.header.span,
        rulebook.id,
        clause.id,
        (Related(before.id, "printed before it", before.tree.id_span),) if before else (),
        f"write a block for it{after}, or say `not checkable because …` there",
        about=(clause.id,),
    )


def _not_encoded(rulebook: str, clause: ListedClause, entries: list[ClauseEntry]) -> Diagnostic:
    lines = (s for e in entries for s in e.tree.statements)
    span = next(s.span for s in lines if isinstance(s, t.NotCheckable))
    source = {"log": "a round log", "shoe": "the rounds of a shoe", "report": "a report"}
    return Diagnostic(
        "R216",
        f"clause `{clause.id}` is called not checkable, but can be decided from "
        f"{source[clause.checkable]}",
        span,
        rulebook,
        clause.id,
        help="encode it, or change its class in the clause list",
    )


def _unlisted(rulebook: Rulebook, clause_list: ClauseList) -> Iterator[Diagnostic]:
    known = {c.id for c in clause_list.clauses}
    for entry in rulebook.clauses:
        if entry.id not in known:
            yield Diagnostic(
                "R213",
                f"clause `{entry.id}` is not on the list of the printed text",
                entry.tree.id_span,
                rulebook.id,
                entry.id,
                help=did_you_mean(entry.id, known, f"add it to `{clause_list.path.name}`"),
            )


def _silent(rulebook: Rulebook) -> Iterator[Diagnostic]:
    for entry in rulebook.clauses:
        introduces = [s for s in entry.tree.statements if isinstance(s, t.Introduces)]
        if entry.standing == "silent":
            yield Diagnostic(
                "R214",
                f"the block of clause `{entry.id}` says nothing",
                entry.tree.id_span,
                rulebook.id,
                entry.id,
                help="encode it, or say `not checkable because …`",
            )
        elif introduces and not _has_parts(rulebook, entry):
            yield Diagnostic(
                "R214",
                f"clause `{entry.id}` introduces parts, but has none",
                introduces[0].span,
                rulebook.id,
                entry.id,
                help="encode what it says itself",
            )


def _has_parts(rulebook: Rulebook, entry: ClauseEntry) -> bool:
    """`6.7.1` is a part of `6.7#2` when it stands in the same section."""
    number = printed(entry.id)
    return any(
        e.section == entry.section
        and e.id != entry.id
        and covers(number, e.id)
        and printed(e.id) != number
        for e in rulebook.clauses
    )
