"""Names, types and domains of conditions, against the closed vocabulary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import assert_never

from rulespec.base.diagnostics import Diagnostic
from rulespec.base.spans import Span
from rulespec.tree import nodes as t
from rulespec.tree.vocabulary import BOOL, FACTS, MOMENTS, MONEY, RANK_LIST, Kind, whole
from rulespec.tree.words import APPROVALS, OPTIONS, RECORDS


def did_you_mean(word: str, known: Iterable[str], else_say: str) -> str:
    near = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"did you mean `{near[0]}`?" if near else else_say


class Checker:
    """Checks conditions of one rulebook; `terms` are the words that its clauses define."""

    def __init__(self, terms: Mapping[str, set[str]]) -> None:
        self.terms = terms  # term -> groups of facts that it needs
        self.found: list[Diagnostic] = []
        self.clause: str | None = None

    def report(self, code: str, message: str, span: Span, advice: str | None = None) -> None:
        self.found.append(Diagnostic(code, message, span, clause=self.clause, help=advice))

    def condition(self, node: t.Expression, moment: str) -> None:
        kind = self.kind_of(node, moment)
        if kind is not None and kind.name != "bool":
            self.report(
                "R103",
                f"this is {kind.describe()}, not a condition",
                node.span,
                "compare it with something",
            )

    def money(self, node: t.Expression, moment: str) -> None:
        kind = self.kind_of(node, moment)
        if kind is not None and kind.name != "money":
            self.report("R103", f"this is {kind.describe()}, not an amount of money", node.span)

    def kind_of(self, node: t.Expression, moment: str) -> Kind | None:
        """The type of an expression, or None when something in it was reported already."""
        match node:
            case t.Always():
                return BOOL
            case t.Either() | t.Both():
                for part in node.parts:
                    self.condition(part, moment)
                return BOOL
            case t.Negated():
                self.condition(node.part, moment)
                return BOOL
            case t.Fact():
                return self._fact(node, moment)
            case t.Name():
                return self._term(node, moment)
            case t.Setting():
                self._setting(node)
                return BOOL
            case t.Number():
                return whole(node.value, node.value)
            case t.Money():
                return MONEY
            case t.Ranks():
                return RANK_LIST
            case t.Compare():
                self._compare(node.left, node.operator, node.right, moment)
                return BOOL
            case t.OneOf():
                for value in node.values:
                    self._compare(node.left, "=", value, moment)
                return BOOL
            case t.Between():
                self._compare(node.left, ">=", node.low, moment)
                self._compare(node.left, "<=", node.high, moment)
                return BOOL
            case t.Arithmetic():
                return self._arithmetic(node, moment)
            case _:
                assert_never(node)

    def _fact(self, node: t.Fact, moment: str) -> Kind | None:
        info = FACTS.get(node.name)
        if info is None:
            if node.name in self.terms:
                return BOOL
            known = [*FACTS, *self.terms]
            advice = did_you_mean(node.name, known, "`docs/vocabulary.md` lists the facts")
            self.report("R101", f"there is no fact `{node.name}`", node.span, advice)
            return None
        group = node.name.partition(".")[0]
        if group not in MOMENTS[moment]:
            known_groups = ", ".join(MOMENTS[moment])
            self.report(
                "R108",
                f"`{node.name}` is not known at this moment",
                node.span,
                f"a statement about `{moment}` may ask about {known_groups}",
            )
            return None
        return info.kind

    def _term(self, node: t.Name, moment: str) -> Kind | None:
        groups = self.terms.get(node.name)
        if groups is None:
            advice = did_you_mean(node.name, self.terms, "define it with `define … as …`")
            self.report("R102", f"`{node.name}` is not a defined term", node.span, advice)
            return None
        missing = sorted(groups - set(MOMENTS[moment]))
        if missing:
            self.report(
                "R108",
                f"`{node.name}` is not known at this moment",
                node.span,
                f"its definition asks about {', '.join(missing)}",
            )
            return None
        return BOOL

    def _setting(self, node: t.Setting) -> None:
        known = {"option": OPTIONS, "approved": APPROVALS, "recorded": RECORDS}[node.kind]
        if node.name not in known:
            advice = did_you_mean(node.name, known, "`docs/vocabulary.md` lists them")
            self.report("R105", f"nothing is called `{node.kind} {node.name}`", node.span, advice)

    def _arithmetic(self, node: t.Arithmetic, moment: str) -> Kind | None:
        left, right = self.kind_of(node.left, moment), self.kind_of(node.right, moment)
        if left is None or right is None:
            return None
        names = {left.name, right.name}
        if not names <= {"int", "money"}:
            self.report("R103", "only numbers and money can be reckoned with", node.span)
            return None
        if node.operator == "/" and isinstance(node.right, t.Number) and node.right.value == 0:
            self.report(
                "R112", "nothing can be divided by 0", node.span, "divide by a number from 1 up"
            )
            return None
        if names == {"int"}:
            return whole(-(10**6), 10**6)
        if node.operator == "*" and names == {"money"}:
            self.report("R103", "money times money makes no sense", node.span)
            return None
        if node.operator in "+-" and len(names) > 1:
            self.report(
                "R103",
                "money and a plain number cannot be added",
                node.span,
                "write amounts with `$`",
            )
            return None
        if node.operator == "/" and right.name == "money":
            self.report("R103", "only a plain number can divide", node.span)
            return None
        return MONEY

    def _compare(self, left: t.Expression, operator: str, right: t.Expression, moment: str) -> None:
        if isinstance(left, t.Name) and isinstance(right, t.Fact):
            left, right = right, left
        kind = self.kind_of(left, moment)
        if kind is None:
            return
        if kind.name == "bool":
            self.report(
                "R103",
                "a yes-or-no fact is not compared",
                left.span,
                "write it alone, or with `not` before it",
            )
            return
        if kind.name in ("rank", "enum"):
            self._listed_value(kind, operator, right, moment)
            return
        other = self.kind_of(right, moment)
        if other is None:
            return
        if other.name != kind.name:
            self.report(
                "R103",
                f"{kind.describe()} cannot be compared with {other.describe()}",
                right.span,
                "write amounts with `$`" if {kind.name, other.name} == {"int", "money"} else None,
            )
            return
        if kind.name == "ranks" and operator not in ("=", "!="):
            self.report("R103", f"ranks cannot be compared with `{operator}`", right.span)
        if kind.name == "int" and isinstance(right, t.Number) and isinstance(left, t.Fact):
            self._domain(left.name, kind, operator, right)

    def _domain(self, fact: str, kind: Kind, operator: str, number: t.Number) -> None:
        value, low, high = number.value, kind.low, kind.high
        never = {
            "=": not low <= value <= high,
            "!=": not low <= value <= high,
            "<": value <= low or value > high + 1,
            "<=": value < low or value > high,
            ">": value >= high or value < low - 1,
            ">=": value > high or value < low,
        }[operator]
        if never:
            self.report(
                "R104",
                f"`{fact}` is {kind.describe()}: `{operator} {value}` tells nothing",
                number.span,
            )

    def _listed_value(self, kind: Kind, operator: str, right: t.Expression, moment: str) -> None:
        if operator not in ("=", "!="):
            self.report(
                "R103", f"{kind.describe()} cannot be compared with `{operator}`", right.span
            )
            return
        match right:
            case t.Name():
                value = "T" if right.name == "10" else right.name
            case t.Number():
                value = "T" if right.value == 10 else str(right.value)
            case t.Fact():
                other = self._fact(right, moment)
                if other is not None and not set(other.values) & set(kind.values):
                    self.report("R103", f"`{right.name}` has none of these values", right.span)
                return
            case _:
                self.report("R103", f"expected {kind.describe()}", right.span)
                return
        if value not in kind.values:
            advice = did_you_mean(value, kind.values, f"it is {kind.describe()}")
            self.report("R104", f"`{value}` is not a value of this fact", right.span, advice)
