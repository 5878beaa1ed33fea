"""Statements written out as the language writes them, each on one line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from rulespec.tree import nodes as t
from rulespec.tree.write import condition_text, payout, points


def statement_text(node: t.Statement) -> str:
    match node:
        case t.NotCheckable():
            return f'not checkable because "{node.reason}"'
        case t.Introduces():
            return "introduces its parts"
        case t.Defines():
            return f"defines {_quoted(node.terms)}"
        case t.Uses():
            return f"uses {_quoted(node.terms)}"
        case t.Cites():
            return f"cites {_references(node.references)}"
        case t.CitesOutside():
            return f'cites outside "{node.text}"'
        case t.SubjectTo():
            return f"subject to {_references(node.references)}"
        case t.Despite():
            return f"despite {_references(node.references)}"
        case t.AppliesWhen():
            return f"applies when {condition_text(node.condition)}"
        case t.DoesNotApplyWhen():
            return f"does not apply when {condition_text(node.condition)}"
        case t.InForce():
            return f"in force from {node.start}" + (f" until {node.end}" if node.end else "")
        case t.Define():
            if node.holds:
                return f"define {node.term} as {condition_text(node.condition)}"
            return _when(f"define {node.term} as false", node.condition)
        case t.DefineNumber():
            head = f"define {node.term} as number"
            if len(node.rows) == 1 and isinstance(node.rows[0].condition, t.Always):
                return _when(f"{head} {condition_text(node.rows[0].value)}", node.condition)
            numbers = "  ".join(
                f"{_named(row.condition)} -> {condition_text(row.value)}" for row in node.rows
            )
            return f"{_when(head, node.condition)} {{ {numbers} }}"
        case t.CardValue():
            ranks = ", ".join("10" if rank == "T" else rank for rank in node.ranks)
            return _when(f"cards {ranks} count {points(node.points)}", node.condition)
        case t.Result():
            return _when(_result(node), node.condition)
        case t.Pays():
            return _when(f"{node.bet} pays {payout(node.payout)}", node.condition)
        case t.PayTable():
            rows = "  ".join(row_text(row) for row in node.rows)
            return f"{_when(f'{node.bet} pays', node.condition)} {{ {rows} }}"
        case t.PaysAs():
            targets = ", ".join(name_text(ref) for ref in node.targets)
            return _when(f"{node.bet} pays as {targets}", node.condition)
        case t.PaysHighest():
            return _when(f"{node.bet} pays only the highest", node.condition)
        case t.PaysSum():
            return _when(f"{node.bet} pays the sum of its rows", node.condition)
        case t.PaysTogether():
            how = "pays equal shares of a meter"
            if node.limit is not None:
                how = f"pays in all up to {condition_text(node.limit)} by stake"
            return _when(f"{node.bet} {how}", node.condition)
        case t.Counts():
            how = "counts as" if node.exactly else "counts up to"
            return _when(f"{node.bet} {how} {condition_text(node.limit)}", node.condition)
        case t.Settles():
            return _when(f"{node.bet} settles {node.timing}", node.condition)
        case t.Rounding():
            unit = condition_text(node.unit)
            return _when(f"payments round {node.direction} to {unit}", node.condition)
        case t.Conduct():
            actor = "" if node.actor == "player" else f"{node.actor} "
            because = f' undecided because "{node.undecided}"' if node.undecided else ""
            said = f"{actor}{node.modal} {', '.join(node.actions)}{because}"
            return _when(said, node.condition)
        case t.ConductTable():
            actor = "" if node.actor == "player" else f"{node.actor} "
            cases = "  ".join(
                f"{_named(row.condition)} -> {'yes' if row.holds else 'no'}" for row in node.rows
            )
            said = f"{actor}{node.modal} {node.action}"
            return f"{_when(said, node.condition)} {{ {cases} }}"
        case t.Requires():
            required = condition_text(node.requirement)
            return _when(f"at {node.moment} require {required}", node.condition)
        case _:
            assert_never(node)


def row_text(row: t.PayRow) -> str:
    return f"{_named(row.condition)} -> {payout(row.payout)}"


def _named(condition: t.Expression | None) -> str:
    return "otherwise" if condition is None else condition_text(condition)


def prevails_text(node: t.Prevails) -> str:
    losers = ", ".join(name_text(ref) for ref in node.losers)
    return _when(f"{name_text(node.winner)} prevails over {losers}", node.condition)


def accept_text(node: t.Accept) -> str:
    at = f" at {', '.join(name_text(ref) for ref in node.clauses)}" if node.clauses else ""
    only = f" for {_quoted(x.text for x in node.only)}" if node.only else ""
    until = f" until {node.until}" if node.until else ""
    return f'accept {node.code}{at}{only} because "{node.because}"{until}'


def name_text(ref: t.ClauseRef) -> str:
    return f'"{ref.id}"' if " " in ref.id else ref.id


def _result(node: t.Result) -> str:
    early = "interim " if node.interim else ""
    outcome = {"void": "is void", "undecided": f'is undecided because "{node.reason}"'}
    return f"{early}{node.bet} {outcome.get(node.outcome, node.outcome)}"


def _when(said: str, condition: t.Expression) -> str:
    return said if isinstance(condition, t.Always) else f"{said} when {condition_text(condition)}"


def _quoted(words: Iterable[str]) -> str:
    return ", ".join(f'"{word}"' for word in words)


def _references(references: tuple[t.Reference, ...]) -> str:
    return ", ".join(_reference(r) for r in references)


def _reference(node: t.Reference) -> str:
    parts = [name_text(node.target)]
    parts += [f"to {name_text(node.up_to)}"] if node.up_to else []
    parts += [f"as {node.about}"] if node.about else []
    parts += [f"read as {name_text(node.read_as)}"] if node.read_as else []
    return " ".join(parts)
