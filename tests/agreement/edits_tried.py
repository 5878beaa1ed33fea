"""One random edit of a shipped rulebook, compared with the text as it was."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from random import Random

from checker.check import check
from checker.diff.diff import Difference, diff
from checker.evaluate.ready import new_engine
from rulespec.base.diagnostics import Diagnostic
from rulespec.load.load import load, shipped
from rulespec.resolve.in_force import text_in_force
from rulespec.resolve.rulebook import Rulebook
from tests.agreement.random_edits import Edit, random_edit
from tests.agreement.same_answers import (
    Said,
    differ,
    said,
    scenario_rounds,
    shaken,
    simulated_rounds,
)

TODAY = date(2026, 1, 1)


@dataclass(slots=True)
class Tried:
    book: str
    edit: Edit
    verdict: str  # same, different, undecided, or why it is no text
    wrong: list[str] = field(default_factory=list)
    rounds: int = 0  # that were judged under both texts
    news: int = 0  # findings of `check` that the text had not before


Checked = dict[tuple[str, str | None, str], Diagnostic]


class Trying:
    """A rulebook with the rounds on which edits of it are put to the test."""

    def __init__(self, name: str, folder: Path, simulated: int, sample: int) -> None:
        self.name, self.folder, self.sample = name, folder, sample
        self.text = shipped()[name].read_text(encoding="utf-8")
        book = load(shipped()[name]).rulebook
        assert book is not None
        self.whole, self.book = book, text_in_force(book, None)
        self.engine = new_engine(self.book)
        rng = Random(name)
        rounds = [*scenario_rounds(name, book), *simulated_rounds(book, simulated, 7)]
        more = (shaken(x, rng) for x in rounds)
        self.rounds = [*rounds, *(x for x in more if x is not None)]
        self._said: dict[int, tuple[Said, int | None]] = {}
        self._touched: dict[int, set[str]] = {}  # clauses that apply in a round
        self._before: Checked | None = None

    def one(self, rng: Random) -> Tried:
        return self.tried(random_edit(self.text, rng), rng)

    def tried(self, edit: Edit, rng: Random) -> Tried:
        path = self.folder / f"{self.name}-edited.rules"
        path.write_text(edit.apply(self.text), encoding="utf-8")
        loaded = load(path)
        if not loaded.usable or loaded.rulebook is None:
            return Tried(self.name, edit, "not a text")
        new = text_in_force(loaded.rulebook, None)
        found = diff(self.book, new, whole=(self.whole, loaded.rulebook))
        if not found.same_meaning:
            return Tried(self.name, edit, "different" if found.classes else "undecided")
        rounds = self._chosen(found, rng)
        news = [d for key, d in self._checked(path).items() if key not in self._known()]
        wrong = [
            *self.refuted(rounds, new),
            *self._unexplained(found),
            *self._unmentioned(edit, found, news),
        ]
        return Tried(self.name, edit, "same", wrong, len(rounds), len(news))

    def refuted(self, rounds: list[int], new: Rulebook) -> list[str]:
        """Rounds of which the evaluator says otherwise under the new text."""
        engine = new_engine(new)
        wrong: list[str] = []
        for n in rounds:
            round_ = self.rounds[n]
            for line in differ(self._of_old(n), said(engine, round_))[:1]:
                wrong.append(f"{round_.id} ({n}): {line}")
            if len(wrong) == 3:
                break
        return wrong

    def _of_old(self, n: int) -> tuple[Said, int | None]:
        if n not in self._said:
            self._said[n] = said(self.engine, self.rounds[n])
            assert self.engine.asked is not None
            rules = {rule for ids in self.engine.asked.values() for rule in ids}
            self._touched[n] = {rule.partition("/")[0] for rule in rules}
        return self._said[n]

    def _chosen(self, found: Difference, rng: Random) -> list[int]:
        """Some rounds by chance, and those in which a changed clause applies."""
        changed = {c.clause for c in found.structure.changes}
        chosen = rng.sample(range(len(self.rounds)), min(self.sample, len(self.rounds)))
        near = [n for n, touched in self._touched.items() if touched & changed]
        return list(dict.fromkeys([*near[: self.sample], *chosen]))

    def _unexplained(self, found: Difference) -> list[str]:
        """What was changed with an effect, or without one and nobody says why."""
        lines = [
            *(x for c in found.structure.changes for x in c.lines),
            *(x for _, c in found.structure.others for x in c.lines),
        ]
        telling = [x for x in lines if x.what in ("rule", "scope", "order")]
        wrong = [f"has an effect: {x.becomes or x.was}" for x in telling if x.effect is not False]
        wrong += [f"not told why: {x.becomes or x.was}" for x in telling if not x.hidden]
        if not lines:
            wrong.append("the change is not shown at all")
        return wrong

    # --- what `check` finds in the edited text

    def _known(self) -> Checked:
        if self._before is None:
            path = self.folder / f"{self.name}-as-it-was.rules"
            path.write_text(self.text, encoding="utf-8")
            self._before = self._checked(path)
        return self._before

    @staticmethod
    def _checked(path: Path) -> Checked:
        found = check([str(path)], TODAY).findings
        return {(d.code, d.clause, d.message): d for d in found}

    @staticmethod
    def _unmentioned(edit: Edit, found: Difference, news: list[Diagnostic]) -> list[str]:
        """New findings where the comparison has no line on the edited clause or reading."""
        shape = found.structure
        shown = {e.id for c in shape.changes if c.lines for e in (c.old, c.new) if e is not None}
        shown |= {f"{called} {c.name}" for called, c in shape.others if c.lines}
        shown |= {c.name for called, c in shape.others if called == "dates of" and c.lines}
        if edit.where in shown:
            return []
        return [f"{d.code} at {d.clause} is new, and the edit not shown: {d.message}" for d in news]
