"""Breaking a statement into lines: on one line if it fits, or else at the breaks of its groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulespec.syntax.comments import Comment

WIDTH = 100


@dataclass(frozen=True, slots=True)
class Break:
    """A space, or the end of a line in a broken group: `always`, or if what follows up to the next
    break of this group does not fit (`fill`), or if not even its first line does (`last`)."""

    how: Literal["always", "fill", "last"] = "always"


@dataclass(frozen=True, slots=True)
class Group:
    """Stands on one line if it fits; its lines after the first are moved `by` to the right."""

    parts: tuple[Doc, ...]
    by: int = 0


@dataclass(frozen=True, slots=True)
class Column:
    """White space up to a column, at least one space."""

    at: int


Doc = str | Break | Group | Column | Comment


def flat_width(doc: Doc) -> int | None:
    """The width on one line; None when a comment inside makes that impossible."""
    match doc:
        case str():
            return len(doc)
        case Break() | Column():
            return 1
        case Comment():
            return None
        case Group():
            total = 0
            for part in doc.parts:
                width = flat_width(part)
                if width is None:
                    return None
                total += width
            return total


Waiting = list[tuple[int, bool, Doc]]  # indent, whether it stays on one line, what


def render(doc: Doc, indent: int) -> list[str]:
    """The lines of a document that begins at an indent."""
    lines = [" " * indent]
    waiting: Waiting = [(indent, False, doc)]
    ended = False  # a comment has ended the line
    while waiting:
        at, flat, part = waiting.pop()
        match part:
            case str() if ended and not part.strip():
                pass
            case str() | Column():
                if ended:
                    lines.append(" " * at)
                    ended = False
                elif isinstance(part, Column):
                    lines[-1] += " " * max(1, part.at - len(lines[-1]))
                if isinstance(part, str):
                    lines[-1] += part
            case Comment():
                if ended or (part.own_line and lines[-1].strip()):
                    lines.append(" " * at)
                lines[-1] += part.text if not lines[-1].strip() else f"  {part.text}"
                ended = True
            case Break():
                stays = flat or (
                    part.how != "always"
                    and _fits(lines[-1], " ", waiting, whole=part.how == "fill")
                )
                if stays and not ended:
                    lines[-1] += " "
                else:
                    lines.append(" " * at)
                    ended = False
            case Group():
                flat = flat or (not ended and _fits(lines[-1], part, waiting))
                waiting.extend((at + part.by, flat, p) for p in reversed(part.parts))
    return [line.rstrip(" ") for line in lines]


def _fits(line: str, doc: Doc, following: Waiting, whole: bool = False) -> bool:
    """Whether it fits on the line, with all that cannot be parted from it; `whole` asks whether
    the groups that follow, up to the next break between them, fit unbroken."""
    width = flat_width(doc)
    if width is None:
        return False
    room = WIDTH - len(line) - width
    todo: list[tuple[bool, Doc]] = []
    later = len(following)
    while room >= 0 and (todo or later):
        if not todo:
            later -= 1
            todo = [following[later][1:]]
        flat, part = todo.pop()
        match part:
            case Break() if not flat:
                return True
            case Comment():
                return part.own_line or room >= len(part.text) + 2
            case Group() if not whole:
                todo.extend((flat, p) for p in reversed(part.parts))
            case _:
                width = flat_width(part)
                if width is None:
                    return False
                room -= width
    return room >= 0
