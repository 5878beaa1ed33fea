"""Rulebooks side by side: what each of them says, topic by topic, read from the rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from checker.compare.probes import Asker
from checker.compare.topics import Row, Topic, topics
from checker.compare.values import Cell
from checker.evaluate.ready import new_engine
from checker.table.other_games import played_otherwise
from rulespec.resolve.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Line:
    """One question with the answer of each rulebook."""

    label: str
    cells: tuple[Cell, ...]

    @property
    def differs(self) -> bool | None:
        """None: the rules cannot tell, since the clauses stand where no round can show them."""
        if len(self.cells) < 2:
            return False
        silent = {cell.standing == "silent" for cell in self.cells if cell.standing != "undecided"}
        known = [cell for cell in self.cells if cell.standing in ("said", "open", "silent")]
        if len({(cell.standing, cell.value) for cell in known}) > 1 or len(silent) > 1:
            return True
        return False if len(known) == len(self.cells) else None

    def as_json(self, names: Sequence[str]) -> dict[str, Any]:
        return {
            "label": self.label,
            "differs": self.differs,
            "cells": {n: c.as_json() for n, c in zip(names, self.cells, strict=True)},
        }


@dataclass(frozen=True, slots=True)
class Compared:
    """A topic with its lines."""

    topic: Topic
    lines: tuple[Line, ...]

    @property
    def differs(self) -> bool | None:
        marks = {line.differs for line in self.lines}
        return True if True in marks else None if None in marks else False

    def clauses(self, column: int) -> tuple[str, ...]:
        """Every clause of one rulebook that answers here."""
        return tuple(dict.fromkeys(c for line in self.lines for c in line.cells[column].clauses))

    def as_json(self, names: Sequence[str]) -> dict[str, Any]:
        return {
            "topic": self.topic.id,
            "label": self.topic.label,
            "group": self.topic.group,
            "differs": self.differs,
            "rows": [line.as_json(names) for line in self.lines],
        }


@dataclass(frozen=True, slots=True)
class Matrix:
    names: tuple[str, ...]
    titles: tuple[str, ...]
    compared: tuple[Compared, ...]
    marks: tuple[bool | None, ...]  # of all topics that were asked, shown or not
    undecided: int = 0  # cells that this tool could not tell

    @property
    def whole(self) -> bool:
        """Every topic that was asked is shown."""
        return len(self.compared) == len(self.marks)

    def only_differences(self) -> Matrix:
        kept = tuple(
            Compared(c.topic, tuple(x for x in c.lines if x.differs))
            for c in self.compared
            if c.differs
        )
        return replace(self, compared=kept)

    def counted(self) -> str:
        """How many topics were asked, and what came of them."""
        asked = f"{len(self.marks)} topic{'' if len(self.marks) == 1 else 's'}"
        if len(self.names) < 2:
            return f"{asked} of {self.names[0]}."
        same, untold = self.marks.count(False), self.marks.count(None)
        told = f"{same} say the same, {untold} cannot be told by the rules"
        if self.whole:
            return (
                f"{asked} in {len(self.names)} rulebooks: {self.marks.count(True)} differ, {told}."
            )
        return (
            f"{self.marks.count(True)} of {asked} differ in {len(self.names)} rulebooks, and "
            f"only what differs is shown; {told}."
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "rulebooks": [
                {"rulebook": n, "title": t} for n, t in zip(self.names, self.titles, strict=True)
            ],
            "topics": [c.as_json(self.names) for c in self.compared],
            "asked": len(self.marks),
            "shown": len(self.compared),
            "differ": self.marks.count(True),
            "same": self.marks.count(False),
            "cannot_tell": self.marks.count(None),
            "undecided": self.undecided,
        }


def wanted_topics(word: str | None) -> list[Topic]:
    """The topics whose name, label or group holds a word; all of them without one."""
    if word is None:
        return list(topics())
    plain = word.casefold().replace("_", " ").replace("-", " ")
    return [
        topic
        for topic in topics()
        if plain
        in f"{topic.id.replace('_', ' ')} | {topic.label} | {topic.group}".casefold().replace(
            "-", " "
        )
    ]


def compare(books: Iterable[tuple[str, Rulebook]], chosen: Sequence[Topic]) -> Matrix:
    """Ask every rulebook every question of the topics."""
    named = list(books)
    askers = [OfAnotherGame(b) if _other(b) else Asker(new_engine(b)) for _, b in named]
    compared = tuple(Compared(topic, tuple(_lines(topic, askers))) for topic in chosen)
    cells = (cell for one in compared for line in one.lines for cell in line.cells)
    return Matrix(
        tuple(name for name, _ in named),
        tuple(title_of(book) for _, book in named),
        compared,
        tuple(one.differs for one in compared),
        sum(cell.standing == "undecided" for cell in cells),
    )


def _other(book: Rulebook) -> bool:
    return bool(book.game.hands) or played_otherwise(book.game) is not None


class OfAnotherGame:
    """A rulebook of a game that is played otherwise than the rounds that questions are put on."""

    def __init__(self, book: Rulebook) -> None:
        other = played_otherwise(book.game)
        self.why = f"the question is about boxes, and the game is `{book.game.called}`"
        if other is not None:
            self.why = f"the question is put on a round of another game, which differs in {other}"

    def cell(self, row: Row) -> Cell:
        return Cell(None, note=self.why, standing="undecided")


def _lines(topic: Topic, askers: Sequence[Asker | OfAnotherGame]) -> Iterable[Line]:
    made: dict[str, Line] = {}
    for row in topic.rows:
        line = Line(row.label, tuple(asker.cell(row) for asker in askers))
        if not _says_the_same(row, line, made) and not _empty(line, topic):
            made[row.label] = line
    return made.values()


def _says_the_same(row: Row, line: Line, made: dict[str, Line]) -> bool:
    other = made.get(row.unless_as)
    if other is None:
        return False
    return all(
        (one.standing, one.value) == (two.standing, two.value)
        for one, two in zip(line.cells, other.cells, strict=True)
    )


def _empty(line: Line, topic: Topic) -> bool:
    """Nobody speaks of it: not worth a line, unless it is the only one."""
    return len(topic.rows) > 1 and all(cell.standing == "silent" for cell in line.cells)


def title_of(book: Rulebook) -> str:
    from rulespec.tree import nodes as t

    said = {p.key: p.text for p in book.header.properties if isinstance(p, t.TextProperty)}
    return ", ".join(said[key] for key in ("casino", "title") if key in said) or book.id
