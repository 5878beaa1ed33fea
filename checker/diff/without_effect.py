"""Why a rule that was changed has no effect: who says the same, who prevails, what never happens.

The answer is read off the states on which both texts were compared: those that a rule lost or won
by the change, and who decides them all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from checker.diff.comparison import Comparison
from checker.diff.hands.space import Seen
from checker.diff.orders import Orders, Told
from checker.diff.printed.statements import ORDER, RULE, SCOPE, Changed, Part, clause_list
from checker.diff.printed.structure import ClauseChange, OtherChange, Structure
from checker.diff.same_rules import form, value_form
from checker.states.diagram import Diagram, OutOfTime
from rulespec.base.spans import Span
from rulespec.resolve.question import (
    Question,
    about_bet,
    asks_about_bet,
    bet_and_what,
    is_definition,
    is_requirement,
    term_asked,
)
from rulespec.resolve.rule_value import as_expression
from rulespec.resolve.rulebook import Rule, Rulebook
from rulespec.tree import nodes as t
from rulespec.tree.walk import walk


class EffectOfChanges:
    """What has an effect and what hides the rest, for two texts that were compared."""

    def __init__(self, comparison: Comparison) -> None:
        self.books = tuple(engine.rulebook for engine in comparison.engines)
        self.seen = comparison.seen
        self.orders = Orders(comparison.engines, self.seen, self.term)
        found = comparison.found
        self.offered = {
            bet_and_what(c.question)[0]
            for c in found.classes
            if c.code == "R603" and asks_about_bet(c.question, "result")
        }
        self.undecided = {u.question for u in found.undecided}

    def structure(self, shape: Structure) -> Structure:
        return replace(
            shape,
            changes=tuple(self._clause(c) for c in shape.changes),
            sections=tuple(self._section(c) for c in shape.sections),
            readings=tuple(
                replace(c, lines=tuple(self._line(x, (c.name, c.name)) for x in c.lines))
                for c in shape.readings
            ),
        )

    def _clause(self, change: ClauseChange) -> ClauseChange:
        owners = tuple(e.id if e is not None else "" for e in (change.old, change.new))
        lines = tuple(self._line(line, owners) for line in change.lines)
        told = [line.effect for line in lines if line.what in (RULE, SCOPE, ORDER)]
        effect = None if not told or None in told else any(told)
        if any(told) and change.kind in ("added", "removed", "changed"):
            effect = True
        return replace(change, lines=lines, effect=effect)

    def _section(self, change: OtherChange) -> OtherChange:
        owners = (change.name, change.name)
        return replace(change, lines=tuple(self._line(line, owners) for line in change.lines))

    def _line(self, line: Changed, owners: tuple[str, ...]) -> Changed:
        try:
            match line.what:
                case "rule" | "scope":
                    effect, hidden = self._rules(line, owners)
                case "order":
                    effect, hidden = self.orders.told(line, owners)
                case _:
                    return line
        except OutOfTime:
            effect, hidden = None, ""
        return replace(line, effect=effect, hidden=hidden)

    # --- rules

    def _rules(self, line: Changed, owners: tuple[str, ...]) -> Told:
        both = [
            _rules_of(book, part, owner, line.what)
            for book, part, owner in zip(self.books, (line.old, line.new), owners, strict=True)
        ]
        questions = dict.fromkeys(rule.question for rules in both for rule in rules)
        if not questions:
            return False, "no rule stands under it"
        told = [
            self._question(q, *([r for r in rules if r.question == q] for rules in both))
            for q in questions
        ]
        return _together(told)

    def _question(self, question: Question, old: list[Rule], new: list[Rule]) -> Told:
        if is_definition(question):
            return self.term(term_asked(question))
        if bet_and_what(question)[0] in self.offered:
            return True, ""
        if self.undecided & {question, about_bet(bet_and_what(question)[0], "result")}:
            return None, ""
        seen = self.seen.get(question)
        if seen is None:
            return False, self._said_elsewhere(old, new)
        return self._told(seen, question, old, new)

    def _said_elsewhere(self, old: list[Rule], new: list[Rule]) -> str:
        """Both texts have the same rules for the question; some stand in another clause."""
        if {_form(r) for r in old} == {_form(r) for r in new}:
            return "the same in other words"
        others = [
            rule.clause
            for place, mine in ((1, old), (0, new))
            for rule in self.books[place].rules
            if any(rule.question == x.question and _form(rule) == _form(x) for x in mine)
            and not any(rule is x for x in (*old, *new))
        ]
        return (
            f"{clause_list(others)} {_verb(others, 'says', 'say')} the same"
            if others
            else ("both texts have the same rules for it")
        )

    def _told(self, seen: Seen, question: Question, old: list[Rule], new: list[Rule]) -> Told:
        d = seen.space.d
        covered = [self._covered(seen, question, n, mine) for n, mine in enumerate((old, new))]
        values = [{_worth(r) for r in mine} for mine in (old, new)]
        lost, won = covered
        if values[0] == values[1] and not is_requirement(question):
            lost, won = d.without(covered[0], covered[1]), d.without(covered[1], covered[0])
        if d.both(d.either(lost, won), seen.different) != d.none:
            return True, ""
        if covered[0] == covered[1] == d.none:
            return False, self._never(seen, question)
        if lost == won == d.none:
            return False, "no hand tells the two wordings apart"
        told = [
            *self._why(seen, question, 0, (old, new), lost),
            *self._why(seen, question, 1, (new, old), won),
        ]
        return False, "; ".join(dict.fromkeys(told))

    def _covered(self, seen: Seen, question: Question, place: int, rules: list[Rule]) -> Diagram:
        """The states to which rules apply; of a requirement, those that it does not allow."""
        d = seen.space.d
        side = seen.space.sides[place]
        answers = side.asked(question)
        found = d.none
        for rule in rules:
            here = answers.applies.get(rule.id, d.none)
            if is_requirement(question):
                here = d.both(here, side.condition(as_expression(rule.value))[1])
            found = d.either(found, here)
        return d.both(found, seen.asked_of(question, place))

    def _never(self, seen: Seen, question: Question) -> str:
        return (
            "no winning hand meets its condition"
            if asks_about_bet(question, "odds")
            else ("nothing that both texts allow meets its condition")
        )

    def _why(
        self,
        seen: Seen,
        question: Question,
        place: int,
        changed: tuple[list[Rule], list[Rule]],
        states: Diagram,
    ) -> Iterator[str]:
        """What decides states that rules of one text lost or won; `changed` has these and those
        that the other text has instead."""
        d = seen.space.d
        rules = changed[0]
        if states == d.none:
            return
        mine = seen.space.sides[place].asked(question)
        left = before = lost = d.none
        early: dict[str, Diagram] = {}
        over: dict[str, Diagram] = {}
        for rule in rules:
            here = d.both(mine.applies.get(rule.id, d.none), states)
            active = d.both(here, mine.active.get(rule.id, d.none))
            beaten = d.without(active, mine.kept.get(rule.id, d.none))
            before = d.either(before, d.without(here, active))
            lost = d.either(lost, beaten)
            left = d.either(left, d.without(active, beaten))
            for o in mine.rules:
                if o.interim and not rule.interim:
                    early[o.clause] = d.either(early.get(o.clause, d.none), mine.applies[o.id])
                if rule.id in mine.beats.get(o.id, ()):
                    over[o.clause] = d.either(over.get(o.clause, d.none), mine.active[o.id])
        if before != d.none:
            clauses = self._covering(seen, before, early)
            yield f"{clause_list(clauses)} {_verb(clauses, 'settles', 'settle')} such a hand before"
        if lost != d.none:
            clauses = self._covering(seen, lost, over)
            every = " on every hand that it covers" if lost == states else ""
            yield f"{clause_list(clauses)} {_verb(clauses, 'prevails', 'prevail')} over it{every}"
        if left != d.none:
            yield self._decided(seen, question, changed, left, 1 - place)

    @staticmethod
    def _covering(seen: Seen, states: Diagram, by: dict[str, Diagram]) -> list[str]:
        """The few clauses that cover some states together, those with the most first."""
        d = seen.space.d
        found: list[str] = []
        while states != d.none:
            shares = {c: seen.space.count(d.both(s, states)) for c, s in by.items()}
            best = max(shares, key=lambda c: shares[c], default=None)
            if best is None or not shares[best]:
                break
            found.append(best)
            states = d.without(states, by[best])
        return found

    def _decided(
        self,
        seen: Seen,
        question: Question,
        changed: tuple[list[Rule], list[Rule]],
        states: Diagram,
        place: int,
    ) -> str:
        """Who decides in the other text where a rule would count."""
        d = seen.space.d
        side = seen.space.sides[place]
        answers = side.asked(question)
        instead = {r.id for r in changed[1]}
        counting = [
            o
            for o in answers.rules
            if o.id not in instead and d.both(answers.kept[o.id], states) != d.none
        ]
        values = {_worth(r) for r in changed[0]}
        same = [o for o in counting if _worth(o) in values]
        if is_requirement(question):
            forbid = {o.id: self._covered(seen, question, place, [o]) for o in counting}
            same = [o for o in counting if d.both(forbid[o.id], states) != d.none]
        by: dict[str, Diagram] = {}
        for o in same:
            by[o.clause] = d.either(by.get(o.clause, d.none), answers.kept[o.id])
        if same and d.without(states, d.any_of(list(by.values()))) == d.none:
            clauses = [c for c, s in by.items() if d.without(states, s) == d.none] or (
                self._covering(seen, states, by)
            )
            words = ("requires", "require") if is_requirement(question) else ("says", "say")
            as_much = (
                "as much"
                if is_requirement(question)
                else ("the same as before" if place else "the same already")
            )
            return f"{clause_list(clauses)} {_verb(clauses, *words)} {as_much}"
        if asks_about_bet(question, "highest"):
            return "no hand is paid two odds there"
        clauses = self._covering(
            seen,
            states,
            {
                clause: d.any_of([answers.kept[o.id] for o in counting if o.clause == clause])
                for clause in dict.fromkeys(o.clause for o in counting)
            },
        )
        if not clauses:
            return "it comes out the same all the same"
        return f"{clause_list(clauses)} {_verb(clauses, 'says', 'say')} there all the same"

    # --- terms

    def term(self, term: str) -> Told:
        """A definition counts where some question that asks for it comes out differently."""
        asking: dict[str, None] = {}
        apart = False
        for question, seen in self.seen.items():
            where = self._apart(seen, term)
            if where is None:
                continue
            apart |= where != seen.space.d.none
            if seen.space.d.both(where, seen.different) != seen.space.d.none:
                return True, ""
            if question in self.undecided:
                return None, ""
        for book in self.books:
            asking |= dict.fromkeys(
                rule.clause
                for rule in book.rules
                if any(_asks_for(node, term) for node in walk([rule.condition, rule.value]))
            )
        if not asking:
            return False, "no rule asks for it"
        if not apart:
            return False, "no hand tells the two definitions apart"
        ask = _verb(asking, "asks", "ask")
        return False, f"{clause_list(asking)} {ask} for it, to the same end"

    def _apart(self, seen: Seen, term: str) -> Diagram | None:
        """Where a term holds under one text and not under the other; None when nobody asks."""
        d = seen.space.d
        names = {term, term.replace("hand.", "dealer.", 1)}
        asked = {key for side in seen.space.sides for key in side.terms if key[0] in names}
        if not asked:
            return None
        found = d.none
        for name, as_dealer in sorted(asked):
            (yes, no), (yes2, no2) = (s.holds(name, as_dealer) for s in seen.space.sides)
            alike = d.either(d.both(yes, yes2), d.both(no, no2))
            known = d.either(d.either(yes, no), d.either(yes2, no2))
            found = d.either(found, d.without(known, alike))
        return d.both(found, seen.domain)


def _together(told: Iterable[Told]) -> Told:
    effects, why = zip(*told, strict=True)
    if any(effects):
        return True, ""
    if None in effects:
        return None, ""
    return False, "; ".join(dict.fromkeys(x for x in why if x))


def _rules_of(book: Rulebook, part: Part | None, owner: str, what: str) -> list[Rule]:
    """The rules that a statement makes; of a condition on a clause or section, all rules there."""
    if what == SCOPE:
        inside = {c.id for c in book.clauses if owner in (c.id, c.section)}
        return [r for r in book.rules if any(x.clause in inside for x in r.rests_on)]
    if part is None:
        return []
    return [
        r
        for r in book.rules
        if any(x.span is not None and _inside(x.span, part.span) for x in r.rests_on)
    ]


def _inside(inner: Span, outer: Span) -> bool:
    start = (outer.start_line, outer.start_column), (inner.start_line, inner.start_column)
    end = (inner.end_line, inner.end_column), (outer.end_line, outer.end_column)
    return inner.file == outer.file and start[0] <= start[1] and end[0] <= end[1]


def _worth(rule: Rule) -> str:
    """What a rule says, as far as it counts: both words for a ban forbid."""
    return value_form("must not" if rule.value == "may not" else rule.value)


def _form(rule: Rule) -> tuple[str, str, bool]:
    return value_form(rule.value), form(rule.condition), rule.interim


def _asks_for(node: t.Node, term: str) -> bool:
    return isinstance(node, t.Fact | t.Name) and node.name in (
        term,
        term.replace("hand.", "dealer.", 1),
    )


def _verb(clauses: Iterable[str], one: str, several: str) -> str:
    return one if len(dict.fromkeys(clauses)) == 1 else several
