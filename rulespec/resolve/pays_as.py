"""Payouts taken over from another clause: a table is written once, and `pays as` uses it.

Under the clause that uses it, each row holds as if it stood there, with the condition of the use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import permutations

from rulespec.base.clause_ids import ClauseIndex
from rulespec.base.diagnostics import Diagnostic, Related
from rulespec.resolve.lower import both
from rulespec.resolve.question import Question, about_bet
from rulespec.resolve.rulebook import Rule, clauses_under
from rulespec.resolve.typecheck import did_you_mean
from rulespec.tree import nodes as t


@dataclass(frozen=True, slots=True)
class Use:
    """One `pays as`, with the clause that says so and when that clause applies."""

    version: t.Clause
    statement: t.PaysAs
    scope: t.Expression
    place: str  # among the statements of the clause or reading
    reading: str | None = None

    @property
    def clause(self) -> str:
        return self.version.id


def pays_as(
    uses: list[Use],
    rules: Iterable[Rule],
    index: ClauseIndex,
    order: Iterable[tuple[str, str, str]],
    found: list[Diagnostic],
) -> list[Rule]:
    """The rules that clauses take over from others; `order` is the precedence of the text."""
    return _TakingOver(uses, list(rules), index, list(order), found).run() if uses else []


class _TakingOver:
    def __init__(
        self,
        uses: list[Use],
        rules: list[Rule],
        index: ClauseIndex,
        order: list[tuple[str, str, str]],
        found: list[Diagnostic],
    ) -> None:
        self.uses, self.rules, self.index, self.found = uses, rules, index, found
        self.order = clauses_under((winner, loser) for winner, loser, _ in order)
        self._done: dict[int, list[Rule]] = {}
        self._circular: set[str] = set()

    def run(self) -> list[Rule]:
        return [rule for use in self.uses for rule in self._taken(use, [])]

    def _taken(self, use: Use, above: list[Use]) -> list[Rule]:
        """What one `pays as` comes to; `above` are the uses that wait for it."""
        if id(use) not in self._done:
            self._done[id(use)] = [
                rule
                for target in use.statement.targets
                for rule in self._from(use, target, [*above, use])
            ]
        return self._done[id(use)]

    def _from(self, use: Use, target: t.ClauseRef, above: list[Use]) -> Iterator[Rule]:
        inside = self.index.inside(target.id)
        bet = use.statement.bet
        question = about_bet(bet, "odds")
        if not inside:
            advice = did_you_mean(target.id, self.index.order, "name a clause of this rulebook")
            self._report("R114", f"there is no clause `{target.id}`", use, target, advice)
            return
        sources = [r for r in self.rules if r.question == question and r.clause in inside]
        for other in self.uses:
            if other.clause in inside and other.statement.bet == bet:
                if other in above:
                    self._circle(use, target, above[above.index(other) :])
                    return
                sources += self._taken(other, above)
        if not sources and self._circular.isdisjoint(inside):
            advice = self._where_else(question, use)
            message = f"`{use.clause}` pays as `{target.id}`, but that has no payout of `{bet}`"
            self._report("R123", message, use, target, advice)
        for winner, loser in permutations(dict.fromkeys(r.clause for r in sources), 2):
            if loser in self.order.get(winner, ()):
                ordered = f"`{winner}` prevails over `{loser}`"
                message = f"`{use.clause}` pays as `{target.id}`, of which {ordered}"
                advice = "name the clauses that are meant, each with its own condition"
                self._report("R123", message, use, target, advice)
                return
        for source in sources:
            mark = f"/{use.reading}" if use.reading else ""
            yield replace(
                source,
                id=f"{use.clause}{mark}/{use.place} as {source.id}",
                clause=use.clause,
                condition=both(use.scope, use.statement.condition, source.condition),
                reading=use.reading or source.reading,
                span=use.statement.span,
                version=use.version,
                source=source,
            )

    def _where_else(self, question: Question, use: Use) -> str:
        clauses = dict.fromkeys(
            r.clause for r in self.rules if r.question == question and r.clause != use.clause
        )
        if not clauses:
            return f"no clause says what `{use.statement.bet}` pays"
        named = [f"`{c}`" for c in list(clauses)[:4]]
        more = ", …" if len(clauses) > 4 else ""
        return f"what it pays stands in {', '.join(named)}{more}"

    def _circle(self, use: Use, target: t.ClauseRef, circle: list[Use]) -> None:
        self._circular.update(one.clause for one in circle)
        named = " as ".join(f"`{one.clause}`" for one in (*circle, circle[0]))
        message = f"what is paid runs in a circle: {named}"
        if len(circle) == 1:
            itself = "itself" if target.id == use.clause else f"`{target.id}`, which it is part of"
            message = f"`{use.clause}` pays as {itself}"
        self._report(
            "R123",
            message,
            use,
            target,
            "name the clause in which the table stands",
            tuple(Related(x.clause, "in the circle", x.statement.span) for x in circle[:-1]),
        )

    def _report(
        self,
        code: str,
        message: str,
        use: Use,
        target: t.ClauseRef,
        advice: str,
        related: tuple[Related, ...] = (),
    ) -> None:
        self.found.append(
            Diagnostic(code, message, target.span, clause=use.clause, related=related, help=advice)
        )
