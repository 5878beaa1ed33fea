"""One random edit of a shipped rulebook, compared with the text as it was."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from random_edits import Edit, random_edit
from same_answers import Said, differ, said, scenario_rounds, shaken, simulated_rounds

from checker.diff import diff
from checker.engine import Engine
from checker.prove_all import text_in_force
from rulespec.load import load, shipped


@dataclass(slots=True)
class Tried:
    book: str
    edit: Edit
    verdict: str  # same, different, undecided, or why it is no text
    wrong: list[str] = field(default_factory=list)


class Trying:
    """A rulebook with the rounds on which edits of it are put to the test."""

    def __init__(self, name: str, folder: Path, simulated: int, shake: int = 1) -> None:
        self.name, self.folder = name, folder
        self.text = shipped()[name].read_text(encoding="utf-8")
        book = load(shipped()[name]).rulebook
        assert book is not None
        self.book = text_in_force(book, None)
        self.engine = Engine(self.book)
        rng = Random(name)
        rounds = [*scenario_rounds(name, book), *simulated_rounds(book, simulated, 7)]
        more = (shaken(x, rng) for x in rounds for _ in range(shake))
        self.rounds = [*rounds, *(x for x in more if x is not None)]
        self._said: dict[int, tuple[Said, bool]] = {}

    def one(self, rng: Random) -> Tried:
        edit = random_edit(self.text, rng)
        return self.tried(edit)

    def tried(self, edit: Edit) -> Tried:
        path = self.folder / f"{self.name}-edited.rules"
        path.write_text(edit.apply(self.text), encoding="utf-8")
        loaded = load(path)
        if not loaded.usable or loaded.rulebook is None:
            return Tried(self.name, edit, "not a text")
        new = text_in_force(loaded.rulebook, None)
        found = diff(self.book, new)
        if not found.same_meaning:
            return Tried(self.name, edit, "different" if found.classes else "undecided")
        engine = Engine(new)
        wrong: list[str] = []
        for n, round_ in enumerate(self.rounds):
            if n not in self._said:
                self._said[n] = said(self.engine, round_)
            for line in differ(self._said[n], said(engine, round_))[:1]:
                wrong.append(f"{round_.id}: {line}")
            if len(wrong) == 3:
                break
        return Tried(self.name, edit, "same", wrong)
