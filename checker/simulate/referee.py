"""The referee of a simulation: a round goes into the log only after it has been judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from checker.evaluate.engine import Engine
from checker.judge.findings import ReplayFinding
from checker.judge.judge import judge
from checker.log.decode import decode_line
from checker.replay.replay import Summary
from checker.simulate.setup import Unusable
from checker.table.shoes import ShoeTracker


class Explains(Protocol):
    """A violation that was done on purpose."""

    def explains(self, findings: Iterable[ReplayFinding], /) -> bool: ...


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a round that was dealt did not go into the log, said of one such round."""

    clauses: tuple[str, ...]
    why: str

    def __str__(self) -> str:
        return f"{self.why} [{', '.join(self.clauses)}]" if self.clauses else self.why


@dataclass(slots=True)
class Referee:
    """Judges rounds one after the other, as a replay of the log that they make would."""

    book: str
    shoes: ShoeTracker
    summary: Summary = field(default_factory=Summary)
    refused: Counter[str] = field(default_factory=Counter)  # by code and clause
    _said: dict[str, Refusal] = field(default_factory=dict)

    def passes(self, engine: Engine, text: str, line: int, fault: Explains | None) -> bool:
        """Whether a round may be written: without a fault nothing is found in it and nothing left
        open; with one, that fault is found and nothing else."""
        round_ = decode_line(text.encode(), line)
        place = (round_.rulebook, round_.table)
        before = copy(self.shoes.tables.get(place))  # looking at a round changes no more than this
        view = self.shoes.view(round_)
        verdict = judge(engine, round_, view, share=True, explained=False)
        found = verdict.findings
        lawful = not found if fault is None else fault.explains(found)
        if not lawful:
            if before is None:
                del self.shoes.tables[place]
            else:
                self.shoes.tables[place] = before
            if fault is None:
                self._refuse(found[0])
            return False
        self.shoes.after(round_)
        self.summary.add(self.book, verdict, [])
        return True

    def _refuse(self, finding: ReplayFinding) -> None:
        clauses = (finding.clause,) if finding.clause else ()
        self._count(f"{finding.code} {finding.clause}", Refusal(clauses, finding.message))

    def stopped(self, why: Unusable) -> None:
        """A round could not be played to its end."""
        self._count(str(why), Refusal(why.clauses, str(why)))

    def _count(self, key: str, refusal: Refusal) -> None:
        self.refused[key] += 1
        said = self._said.setdefault(key, refusal)
        if not set(refusal.clauses) <= set(said.clauses):
            together = tuple(dict.fromkeys((*said.clauses, *refusal.clauses)))
            self._said[key] = replace(said, clauses=together)

    def reasons(self, since: Counter[str] | None = None) -> list[tuple[Refusal, int]]:
        """What kept rounds out of the log, the most frequent first, with the number of rounds."""
        counted = self.refused - (since or Counter())
        return [(self._said[key], n) for key, n in counted.most_common()]

    def as_json(self) -> dict[str, Any]:
        return {
            "not_written": self.refused.total(),
            "not_written_because": [
                {"clauses": list(refusal.clauses), "example": refusal.why, "rounds": n}
                for refusal, n in self.reasons()
            ],
            "not_checked": [*self.summary.untested(), *self.summary.untold()],
        }
