"""Two texts on a game whose hands are not dealt here: compared by their rules alone."""

from __future__ import annotations

from checker.diff.classes import Meaning, Undecided
from checker.diff.same_rules import Prints, form_of
from checker.diff.topics import Subjects
from checker.evaluate.engine import Engine
from checker.evaluate.ready import new_engine
from rulespec.resolve.question import Question, is_definition
from rulespec.resolve.rulebook import Rulebook


def compare_rules(old: Rulebook, new: Rulebook, why: str) -> Meaning:
    """Questions with the same rules are the same; what the others come to is not decided."""
    engines = (new_engine(old), new_engine(new))
    before, after = (Prints(engine) for engine in engines)
    found, subjects = Meaning(), Subjects(old.game, new.game)
    for question in sorted({rule.question for e in engines for rule in e.rulebook.rules}):
        if is_definition(question):
            continue
        if before.of(question) == after.of(question):
            found.proven.append(question)
            continue
        clauses = (tuple(sorted(engine.clauses_of(question))) for engine in engines)
        alike = len({_forms(engine, question) for engine in engines}) == 1
        differ = "what the rules rest on differs" if alike else "the rules differ"
        reason = f"{differ}; what that comes to is not modelled: {why}"
        found.undecided.append(Undecided(question, subjects.of(question), reason, *clauses))
        found.complete = False
    return found


def _forms(engine: Engine, question: Question) -> frozenset[tuple[str, str]]:
    rules = [rule for rule, _ in engine.by_question.get(question, ())]
    return frozenset(map(form_of, rules))
