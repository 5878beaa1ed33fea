"""From names to loaded rulebooks, for the Python API and every command that takes RULES."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from rulespec.base.diagnostics import Diagnostic
from rulespec.load.find import Named, beside, find_texts, shipped, split_day, together
from rulespec.load.load import Loaded, load


@dataclass(frozen=True, slots=True)
class Book:
    """A rulebook that was named, with the day after the `@`, if there was one; `texts` holds the
    bytes of what is in no file on the disk (standard input, a git revision)."""

    loaded: Loaded
    day: date | None = None
    texts: Mapping[str, bytes] = field(default_factory=dict)
    name: str = ""  # as it was asked for

    @property
    def data(self) -> bytes | None:
        return self.texts.get(str(self.loaded.path))

    def on_its_day(self) -> Book:
        """Without the clauses that are not in force on the day."""
        rulebook = self.loaded.rulebook
        if self.day is None or rulebook is None:
            return self
        return replace(self, loaded=replace(self.loaded, rulebook=rulebook.on(self.day)))


def load_named(
    names: Sequence[str | Book], *, whole: bool = False
) -> tuple[list[Book], list[Diagnostic]]:
    """The rulebooks that the names stand for, each once, and what is wrong with the names. One
    that is loaded already, as a whole, stands for itself.

    No name at all means every rulebook that ships with rulespec. `id@day` is the text in force on
    that day; `whole` asks for all of it all the same, as a check of the file itself needs it."""
    found: list[Diagnostic] = []
    books: list[Book] = []
    wanted: dict[tuple[Path, date | None], tuple[str, Named]] = {}
    if not names:
        wanted = {
            (path.resolve(), None): (name, Named(path, None, beside(path)))
            for name, path in shipped().items()
        }
        if not wanted:
            found.append(
                Diagnostic(
                    "R008", "no rulebooks came with this rulespec", help="name a `.rules` file"
                )
            )
    books += [name if whole else name.on_its_day() for name in names if isinstance(name, Book)]
    for name in dict.fromkeys(name for name in names if isinstance(name, str)):
        if name == "-":
            from rulespec.load.sources import StandardInput

            stdin = StandardInput.read()
            books.append(Book(load(stdin), None, {"-": stdin.data or b""}, name))
            continue
        places, wrong = _find(name)
        found += wrong
        for place in places:
            wanted.setdefault((place.path.resolve(), place.day), (name, place))
    for name, named in wanted.values():
        loaded, day = _load(named), named.day
        if day is not None and not _in_force(loaded, day):
            found.append(_not_in_force(loaded, day))
            continue
        if day is not None and loaded.rulebook is not None:
            loaded = replace(loaded, rulebook=loaded.rulebook.text_of(day))
        book = Book(loaded, day, _texts(loaded), name)
        books.append(book if whole else book.on_its_day())
    return list(_without_parts(books)), found


def load_one(name: str | Book, *, whole: bool = False) -> tuple[Book | None, list[Diagnostic]]:
    """The one rulebook that a name stands for, for commands that take OLD and NEW.

    None when there is none that can be used; then the diagnostics say why (status 2)."""
    books, found = load_named([name], whole=whole)
    found += [d for book in books for d in book.loaded.diagnostics if d.unusable]
    if len(books) > 1:
        ids = ", ".join(sorted(b.loaded.rulebook.id for b in books if b.loaded.rulebook))
        found.append(
            Diagnostic(
                "R008",
                f"`{name}` stands for {len(books)} rulebooks",
                help=f"name one of them: {ids}",
            )
        )
    if found or len(books) != 1 or books[0].loaded.rulebook is None:
        return None, found
    return books[0], found


def _find(name: str) -> tuple[list[Named], list[Diagnostic]]:
    try:
        if ":" in name and not Path(name).exists():
            return _find_in_git(name)
        return find_texts(name)
    except OSError as error:  # a name that no file can have
        reason = (error.strerror or "it cannot be looked for").lower()
        return [], [
            Diagnostic(
                "R008",
                f"there is no rulebook `{name[:80]}`: {reason}",
                help="name an id, a `.rules` file or a folder",
            )
        ]


def _find_in_git(name: str) -> tuple[list[Named], list[Diagnostic]]:
    from rulespec.load.sources import find_in_git

    wanted, day, wrong = split_day(name)
    if wrong:
        return [], wrong
    places, wrong, by_id = find_in_git(wanted)
    if by_id:
        return [Named(place, day, beside(place, place.stem)) for place in places], wrong
    return together(places, day), wrong


def _load(named: Named) -> Loaded:
    if ":" not in str(named.path):
        return load(named.path, None, named.amendments)
    from rulespec.load.sources import base_in_git

    return load(named.path, None, named.amendments, base_in_git)


def _texts(loaded: Loaded) -> dict[str, bytes]:
    """The files of a git revision; a file on the disk is read by whoever shows it."""
    if not any(":" in str(path) for path in loaded.files):
        return {}
    from rulespec.load.sources import GitFile

    return {str(p): p.read_bytes() for p in loaded.files if isinstance(p, GitFile) and p.is_file()}


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
    return Diagnostic(
        "R008",
        f"`{book.id}` is not in force on {day}",
        book.header.span,
        book.id,
        help=f"it is in force {dates}",
    )


def _without_parts(books: list[Book]) -> Iterator[Book]:
    """A folder may hold files that others include; they name no rulebook, and need not."""
    included = {file.resolve() for book in books for file in book.loaded.files[1:]}
    for book in books:
        codes = {d.code for d in book.loaded.diagnostics}
        if codes != {"R009"} or book.loaded.path.resolve() not in included:
            yield book
