"""Why a changed order of clauses has no effect: the clauses never meet, or do not differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from checker.diff.hands.space import Seen
from checker.diff.printed.statements import Changed, Part, clause_list
from checker.evaluate.engine import Engine
from rulespec.base.clause_ids import ClauseIndex
from rulespec.resolve.precedence import conditional, targets
from rulespec.resolve.question import is_definition, term_asked
from rulespec.tree import nodes as t

Told = tuple[bool | None, str]  # whether there is an effect, and if not why


class Orders:
    """Who prevails over whom under one text and not under the other."""

    def __init__(
        self, engines: Iterable[Engine], seen: Mapping[str, Seen], term: Callable[[str], Told]
    ) -> None:
        """`term` tells whether a changed definition has an effect."""
        self.engines = tuple(engines)
        self.books = [engine.rulebook for engine in self.engines]
        self.seen, self.term = seen, term
        self.indexes = [
            ClauseIndex((entry.id, entry.section) for entry in book.clauses) for book in self.books
        ]

    def told(self, line: Changed, owners: tuple[str, ...]) -> Told:
        laid = [
            self._pairs(n, part, owner)
            for n, (part, owner) in enumerate(zip((line.old, line.new), owners, strict=True))
        ]
        every = [{pair[:2]: pair[2] for pair in book.order} for book in self.books]
        at_times = [isinstance(p, t.Prevails) and conditional(p) for p in (line.old, line.new)]
        told: dict[str, dict[tuple[str, str], None]] = {}
        for place in (0, 1):
            for pair in laid[place]:
                # it counts where its own text goes by it, and the other does not
                by = owners[place] if at_times[place] else None
                known = pair in laid[1 - place] and not any(at_times)
                if not known and (by or pair in every[place]):
                    effect, why = self._pair(pair, place, every[1 - place].get(pair), by)
                    if effect is not False:
                        return effect, ""
                    pairs = told.setdefault(why, {})
                    if (pair[1], pair[0]) not in pairs:
                        pairs[pair] = None
        if not told:
            return False, "the same clauses prevail as before"
        return False, "; ".join(_of_pairs(why, list(pairs)) for why, pairs in told.items())

    def _pairs(self, place: int, part: Part | None, owner: str) -> list[tuple[str, str]]:
        """Who prevails over whom by one statement of a clause, a section or a reading."""
        index = self.indexes[place]
        mine = [c.id for c in self.books[place].clauses if owner in (c.id, c.section)]
        match part:
            case t.Prevails():
                over, under = (index.inside(ref.id) for ref in (part.winner, part.losers[0]))
            case t.Despite():
                over, under = mine, targets(part.references[0], index)
            case t.SubjectTo():
                over, under = targets(part.references[0], index), mine
            case _:
                return []
        return [(w, x) for w in over for x in under if w != x]

    def _pair(self, pair: tuple[str, str], place: int, other: str | None, by: str | None) -> Told:
        """Whether it counts that one clause prevails over another; `by`: a reading that lets it
        do so at times only."""
        engine = self.engines[place]
        common = [q for q in engine.by_question if set(pair) <= engine.clauses_of(q)]
        if not common:
            return False, "{} and {} answer no question in common"
        if other is not None:
            return False, f"by `{other}`, {{}} prevails over {{}} as well"
        met = False
        for question in common:
            seen = self.seen.get(question)
            if is_definition(question):
                effect, _ = self.term(term_asked(question))
                if effect is not False:
                    return effect, ""
            if seen is None:
                continue
            d = seen.space.d
            answers = seen.space.sides[place].asked(question)
            over = [r for r in answers.rules if r.clause == pair[0] and r.over_by == by]
            under = [r for r in answers.rules if r.clause == pair[1] and r.over_by is None]
            clash = d.any_of(
                [
                    d.both(answers.active[a.id], answers.active[b.id])
                    for a in over
                    for b in under
                    if a.value != b.value
                ]
            )
            clash = d.both(clash, seen.asked_of(question, place))
            if d.both(clash, seen.different) != d.none:
                return True, ""
            met |= clash != d.none
        if not met:
            return False, "no case brings {} into conflict with {}"
        return False, "where {} and {} differ, it comes out the same all the same"


def _of_pairs(why: str, pairs: list[tuple[str, str]]) -> str:
    """Why an order does not count, for all pairs of clauses of which that is so."""
    winners, losers = (list(dict.fromkeys(pair[n] for pair in pairs)) for n in (0, 1))
    return why.format(clause_list(winners), clause_list(losers))
