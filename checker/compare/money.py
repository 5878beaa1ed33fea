"""What a comparison asks about money: results, odds, what goes back, and when."""

from __future__ import annotations

from dataclasses import dataclass, field

from checker.compare.compared_text import ComparedText, clauses_of, left_open, said
from checker.compare.topics import Row
from checker.compare.values import SILENT, Cell
from checker.evaluate.engine import Answer, shown
from checker.evaluate.ready import new_engine
from checker.judge.findings import Decision
from checker.judge.payouts import winning_odds
from checker.table.mechanics import won_by
from rulespec.base.money import money_text
from rulespec.resolve.question import ROUNDING, about_bet, defining
from rulespec.resolve.rule_value import as_rounding
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t


@dataclass(slots=True)
class MoneyAsker(ComparedText):
    _bare: MoneyAsker | None = field(init=False, default=None)

    def _decisions(self, row: Row, subject: str) -> list[Decision]:
        _, verdict = self.round(row)
        return [
            d
            for d in verdict.decisions
            if d.subject == subject
            and d.bet == row.subject
            and d.box == row.box
            and d.player == row.player
            and d.hand in (row.hand, None)
            and (row.part is None or d.part == row.part)
        ]

    def _result(self, row: Row) -> Cell:
        """What becomes of a wager: it wins at odds, loses, stands off; each part of it apart."""
        if not self.engine.has(about_bet(row.subject, "result")):
            return SILENT
        parts: dict[str, Cell] = {}
        for decision in self._decisions(row, "result"):
            parts[decision.part or "original"] = self._outcome(row, decision)
        if not parts or not self._speaks(row):
            return SILENT
        cells = list(parts.values())
        clauses = tuple(dict.fromkeys(c for cell in cells for c in cell.clauses))
        readings = tuple(dict.fromkeys(n for cell in cells for n in cell.readings))
        if any(cell.standing == "open" for cell in cells):
            note = next((cell.note for cell in cells if cell.standing == "open"), None)
            return Cell(None, clauses, note, "open", readings)
        texts = {cell.value for cell in cells}
        if len(texts) == 1:
            return Cell(cells[0].value, clauses, None, "said", readings)
        told = ", ".join(f"{part} {cell.value}" for part, cell in parts.items())
        return Cell(told, clauses, None, "said", readings)

    def _speaks(self, row: Row) -> bool:
        """One of the rules that decide looks at what the row is about."""
        rules = [x for d in self._decisions(row, "result") for x in d.answer.rules]
        return not row.mentions or any(self.mentions(x, row.mentions) for x in rules)

    def _printed(self, row: Row) -> Cell:
        """The same by the print alone, without any reading of it."""
        if self._bare is None:
            book = self.engine.rulebook
            names = [reading.name for reading in book.readings]
            self._bare = type(self)(new_engine(book.without_reading(*names)))
        return self._bare._result(row)

    def _outcome(self, row: Row, decision: Decision) -> Cell:
        answer: Answer = decision.answer
        if not answer.decided:
            return left_open(answer)
        agreeing = self._agreeing(answer, decision)
        if answer.value != "wins":
            return said(str(answer.value), agreeing, answer)
        odds, ratio = winning_odds(decision.scene)
        if ratio is None:
            return left_open(odds)
        best = [v for v in odds.values if isinstance(v, t.Odds) and v.ratio == ratio]
        rules = [*agreeing, *(x for x in odds.rules if x.value in best)]
        return said(f"wins {shown(best[0])}", rules, answer, odds)

    def _agreeing(self, answer: Answer, decision: Decision) -> list[Rule]:
        """The rules that decide, and those of the final settlement that say the same."""
        others = self.engine.by_question.get(answer.question, ())
        same = [
            rule
            for rule, holds in others
            if rule.value == answer.value and rule not in answer.rules and holds(decision.scene)
        ]
        return [*answer.rules, *same]

    def _returns(self, row: Row) -> Cell:
        """How much goes back to the player."""
        _, verdict = self.round(row)
        if not any(self.engine.has(about_bet(row.subject, what)) for what in ("result", "odds")):
            return SILENT
        key = (row.box, row.hand, row.player, row.subject)
        found = [
            f
            for f in verdict.findings
            if f.code == "R550" and f.bet == row.subject and f.player == row.player
        ]
        clauses = self._cited(row)
        if found:
            cited = tuple(c for c in (found[0].clause,) if c)
            return Cell(None, cited or clauses, found[0].why or "", "open")
        amount = verdict.expected.get(key)
        if row.subject in self.engine.mechanics.bonuses:
            return Cell(money_text(amount) if amount else "nothing", clauses)
        if amount is not None:
            return Cell(money_text(amount), clauses)
        if key not in verdict.expected:
            return SILENT
        result = self._result(row)
        if result.standing == "open":
            return result
        return Cell(None, clauses, "it cannot be paid exactly and no clause rounds it", "open")

    def _cited(self, row: Row) -> tuple[str, ...]:
        subjects = ("result", "odds", "bonus", "counted")
        answers = [d.answer for s in subjects for d in self._decisions(row, s)]
        if row.subject in self.engine.mechanics.bonuses:
            won = defining(won_by(row.subject))
            answers.append(self.engine.ask(won, self.scene(row)))
            if not any(answer.rules for answer in answers):
                return clauses_of(x for x in self.asked(won, ()) if x.value)
        return tuple(dict.fromkeys(c for answer in answers for c in answer.clauses))

    def _settles(self, row: Row) -> Cell:
        """When a wager is to be settled."""
        question = about_bet(row.subject, "settles")
        if not self.engine.has(question):
            return SILENT
        made = self._decisions(row, "result") or self._decisions(row, "bonus")
        if not made:
            return SILENT
        answer = self.engine.ask(question, made[0].scene)
        if answer.unknown:
            return left_open(answer)
        if not answer.values:
            return SILENT
        told = " and ".join(dict.fromkeys(str(v) for v in answer.values))
        return said(told, answer.rules, answer)

    def _rounding(self, row: Row) -> Cell:
        answer = self.engine.ask(ROUNDING, self.scene(row))
        if answer.unknown or len(answer.values) > 1:
            return left_open(answer)
        if not answer.values:
            return SILENT
        directions = [as_rounding(value)[0] for value in answer.values]
        return said(" and ".join(directions), answer.rules, answer)
