"""From the names on the command line to loaded rulebooks, for every command that takes RULES."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from rulespec.diagnostics import Diagnostic
from rulespec.load import Loaded, find, load, shipped
from rulespec.parse import MAX_BYTES

if TYPE_CHECKING:
    from checker.report import Input

    NativePath = Path
else:
    NativePath = type(Path())  # Python 3.11 cannot derive a class from `Path` itself


@dataclass(frozen=True, slots=True)
class Book:
    """A rulebook that was named, with the day after the `@`, if there was one; `data` holds its
    bytes when they came from standard input."""

    loaded: Loaded
    day: date | None = None
    data: bytes | None = None


class StandardInput(NativePath):
    """Standard input as a rule file called `-`; what it includes stands in the current folder.

    Paths that are made from it (`parent`, `with_name`) are of this class too: they hold no data,
    and are ordinary paths."""

    data: bytes | None = None

    @classmethod
    def read(cls) -> StandardInput:
        """As much as a rule file may hold and one byte more, by which the excess is seen."""
        path = cls("-")
        path.data = sys.stdin.buffer.read(MAX_BYTES + 1) if sys.stdin is not None else b""
        return path

    def stat(self, **options: Any) -> Any:
        if self.data is None:
            return super().stat(**options)
        return SimpleNamespace(st_size=len(self.data))

    def read_bytes(self) -> bytes:
        return super().read_bytes() if self.data is None else self.data


def load_named(
    names: Sequence[str], *, whole: bool = False
) -> tuple[list[Book], list[Diagnostic]]:
    """The rulebooks that the names stand for, each once, and what is wrong with the names.

    No name at all means every rulebook that ships with rulespec. `id@day` is the text in force on
    that day; `whole` asks for all of it all the same, as a check of the file itself needs it."""
    found: list[Diagnostic] = []
    books: list[Book] = []
    wanted: dict[tuple[Path, date | None], Path] = {}
    if not names:
        wanted = {(path.resolve(), None): path for path in shipped().values()}
        if not wanted:
            found.append(Diagnostic("R008", "no rulebooks came with this rulespec",
                                    help="name a `.rules` file"))  # fmt: skip
    for name in dict.fromkeys(names):
        if name == "-":
            stdin = StandardInput.read()
            books.append(Book(load(stdin), data=stdin.data))
            continue
        places, wrong = _find(name)
        found += wrong
        for place, day in places:
            wanted.setdefault((place.resolve(), day), place)
    for (_, day), path in wanted.items():
        loaded = load(path)
        if day is not None and not _in_force(loaded, day):
            found.append(_not_in_force(loaded, day))
            continue
        if day is not None and not whole and loaded.rulebook is not None:
            loaded = replace(loaded, rulebook=loaded.rulebook.on(day))
        books.append(Book(loaded, day))
    return list(_without_parts(books)), found


def _find(name: str) -> tuple[list[tuple[Path, date | None]], list[Diagnostic]]:
    if not name.strip():  # most likely a variable of a script that was never set
        return [], [Diagnostic("R008", "an empty name stands for no rulebook")]
    try:
        return find(name)
    except OSError as error:  # a name that no file can have
        reason = (error.strerror or "it cannot be looked for").lower()
        return [], [Diagnostic("R008", f"there is no rulebook `{name[:80]}`: {reason}")]


def _in_force(loaded: Loaded, day: date) -> bool:
    book = loaded.rulebook
    return book is None or (
        (book.start is None or book.start <= day) and (book.end is None or day < book.end)
    )


def _not_in_force(loaded: Loaded, day: date) -> Diagnostic:
    """An older or newer text is never put in the place of the one that was asked for."""
    book = loaded.rulebook
    assert book is not None
    dates = " ".join(
        f"{word} {when}" for word, when in (("from", book.start), ("until", book.end)) if when
    )
    return Diagnostic("R008", f"`{book.id}` is not in force on {day}", book.header.span,
                      book.id, help=f"it is in force {dates}")  # fmt: skip


def _without_parts(books: list[Book]) -> Iterator[Book]:
    """A folder may hold files that others include; they name no rulebook, and need not."""
    included = {file.resolve() for book in books for file in book.loaded.files[1:]}
    for book in books:
        codes = {d.code for d in book.loaded.diagnostics}
        if codes != {"R009"} or book.loaded.path.resolve() not in included:
            yield book


def inputs_of(books: Sequence[Book]) -> list[Input]:
    """Every file that went in, each once, for the report."""
    from checker.report import input_of

    files = {str(f): (f, book.data) for book in books for f in book.loaded.files}
    return [input_of(f, "rules", data if name == "-" else None)
            for name, (f, data) in files.items()]  # fmt: skip
