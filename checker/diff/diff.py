"""Two texts compared: what changed in structure, and what that means at the table."""

from __future__ import annotations

import gc
from dataclasses import dataclass

from checker.diff.classes import ChangeClass, Meaning, Outcome
from checker.diff.meaning import Comparer
from checker.diff.printed.structure import Structure, structure
from checker.diff.settlements import asked
from checker.diff.without_effect import EffectOfChanges
from checker.evaluate.scene import SeenScene
from checker.states.declared_words import CHOICE
from checker.table.other_games import played_otherwise
from rulespec.resolve.question import Question, about_bet
from rulespec.resolve.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Difference:
    """All that tells two texts apart."""

    old: Rulebook
    new: Rulebook
    structure: Structure
    meaning: Meaning
    named: tuple[str, str] | None = None  # as they were asked for

    @property
    def classes(self) -> list[ChangeClass]:
        return self.meaning.classes

    @property
    def same_meaning(self) -> bool:
        """Proven: no state, requirement or duty comes out differently."""
        return not self.classes and self.decided

    @property
    def decided(self) -> bool:
        return not self.meaning.undecided and self.meaning.complete

    def class_of(self, bet: str, old: SeenScene, new: SeenScene) -> ChangeClass | None:
        """The class of a wager at settlement, seen once with each text's engine; None when the
        two texts give it the same, or when no class has it (which must not happen on a hand that
        both texts allow)."""
        was, _ = asked(old.engine, bet, old)
        becomes, _ = asked(new.engine, bet, new)
        return self.class_with(about_bet(bet, "result"), was, becomes, old)

    def class_with(
        self, question: Question, was: Outcome, becomes: Outcome, scene: SeenScene | None = None
    ) -> ChangeClass | None:
        """The class with these two outcomes; of several, the one whose circumstances hold."""
        if was == becomes:
            return None
        found = [
            c
            for c in self.classes
            if c.question == question and (c.was.outcome, c.becomes.outcome) == (was, becomes)
        ]
        if scene is not None and len(found) > 1:
            holding = [c for c in found if _holds(c, scene)]
            found = sorted(holding or found, key=lambda c: len(c.flags), reverse=True)
            ordinary = [c for c in found if c.ordinary]
            found = found if holding and holding != ordinary else ordinary or found
        return found[0] if found else None


def _holds(one: ChangeClass, scene: SeenScene) -> bool:
    for kind, name in one.flags:
        if kind in ("option", "approved", "recorded"):
            if not scene.setting(kind, name):
                return False
        elif kind == CHOICE:
            choice, _, value = name.partition("=")
            if scene.table.round.choices.get(choice) != value:
                return False
        elif kind == "fact":
            facts = {
                "withdrawn": "wager.withdrawn",
                "absent": "player.absent",
                "refused": "player.refused_card",
            }
            if name == "found":
                if scene.fact("round.irregularity_found") == "not_recorded":
                    return False
            elif not scene.fact(facts.get(name, name)):
                return False
    return True


def diff(
    old: Rulebook,
    new: Rulebook,
    budget: float | None = None,
    whole: tuple[Rulebook, Rulebook] | None = None,
    named: tuple[str, str] | None = None,
) -> Difference:
    """Compare two texts as they are read, interim settlement first. Both are the text of one day
    (`Rulebook.on`, `prove.text_in_force`); the budget is in seconds. With the `whole` of both, of
    one rulebook, the other days are compared too."""
    from checker.diff.days import other_days

    collecting = gc.isenabled()
    gc.disable()  # what is made is kept to the end: looking for rubbish finds little
    try:
        if old.game.hands or new.game.hands:
            from checker.diff.named_hands import NamedComparer

            meaning = NamedComparer(old, new, budget).run()
            return Difference(old, new, structure(old, new), meaning, named)
        if why := played_otherwise(old.game) or played_otherwise(new.game):
            from checker.diff.other_games import compare_rules

            return Difference(old, new, structure(old, new), compare_rules(old, new, why), named)
        comparer = Comparer(old, new, budget)
        found = comparer.run()
        shape = EffectOfChanges(comparer).structure(structure(old, new))
        if whole is not None and shape.same_rulebook:
            shape = other_days(whole, shape, comparer, comparer.time_left)
    finally:
        if collecting:
            gc.enable()
    return Difference(old, new, shape, found, named)
