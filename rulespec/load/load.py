"""From a rule file, with what it includes and what amends it, to a checked rulebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from rulespec.base.diagnostics import Diagnostic
from rulespec.base.spans import Span
from rulespec.load.find import base_of, beside
from rulespec.load.find import find as find
from rulespec.load.find import shipped as shipped
from rulespec.load.games import game_for
from rulespec.resolve.resolve import resolve
from rulespec.resolve.rulebook import Rulebook
from rulespec.resolve.typecheck import did_you_mean
from rulespec.syntax.parse import parse, read_text
from rulespec.tree import nodes as t

MAX_INCLUDES = 100


@dataclass(frozen=True, slots=True)
class Loaded:
    """A rulebook as far as it could be loaded, with all that is wrong with it."""

    path: Path
    rulebook: Rulebook | None
    diagnostics: tuple[Diagnostic, ...]
    files: tuple[Path, ...]

    @property
    def usable(self) -> bool:
        return self.rulebook is not None and not any(d.unusable for d in self.diagnostics)


def load(
    path: Path,
    day: date | None = None,
    amendments: Sequence[Path] = (),
    find_base: Callable[[Path, str], Path | None] = base_of,
) -> Loaded:
    """Read, parse, resolve and type-check one rulebook with the files that it includes.

    An amendment stands for the text that it makes: its rulebook is found and amended. `path` of
    what is loaded is then the rulebook's own, beside which its clause list and scenarios are."""
    documents: list[t.Document] = []
    files: list[Path] = []
    found: list[Diagnostic] = []
    broken = _collect(path, [], documents, files, found)
    amended = _amended_by(documents)
    if amended is not None and not broken:
        base = find_base(path, amended.rulebook)
        if base is None:
            return Loaded(path, None, (*found, _no_base(amended)), tuple(files))
        given = [path, *amendments]
        known = {p.resolve() for p in given}
        amendments = [
            *(p for p in beside(base, amended.rulebook) if p.resolve() not in known),
            *given,
        ]
        documents, files, found, path = [], [], [], base
        broken = _collect(path, [], documents, files, found)
    own = len(documents)
    included = {file.resolve() for file in files}
    for amendment in (a for a in amendments if a.resolve() not in included):
        broken |= _collect(amendment, [], documents, files, found)
    found.extend(_strays(documents[own:]))
    if broken or not documents:
        return Loaded(path, None, tuple(found), tuple(files))
    game, game_files, wrong = game_for(path, documents)
    files += game_files
    found += wrong
    if game is None:
        return Loaded(path, None, tuple(found), tuple(files))
    try:
        rulebook, more = resolve(documents, tuple(str(f) for f in files), game)
    except RecursionError:
        here = Span(str(path), 1, 1, 1, 1)
        too_deep = Diagnostic(
            "R007",
            "a condition is nested too deeply",
            here,
            help="give parts of it a name with `define`",
        )
        return Loaded(path, None, (*found, too_deep), tuple(files))
    if rulebook is not None and day is not None:
        rulebook = rulebook.on(day)
    return Loaded(path, rulebook, (*found, *more), tuple(files))


def _amended_by(documents: Sequence[t.Document]) -> t.Amend | None:
    """The first amendment of a file that has no rulebook of its own."""
    items = [item for document in documents for item in document.items]
    if any(isinstance(item, t.Header) for item in items):
        return None
    return next((item for item in items if isinstance(item, t.Amend)), None)


def _no_base(amend: t.Amend) -> Diagnostic:
    known = shipped()
    advice = did_you_mean(
        amend.rulebook, known, f"put `{amend.rulebook}.rules` into the folder of the amendment"
    )
    message = f"there is no rulebook `{amend.rulebook}` to amend"
    return Diagnostic("R008", message, amend.id_span, help=advice)


def _strays(documents: Sequence[t.Document]) -> Iterator[Diagnostic]:
    """What stands in the file of an amendment, but outside of it, is in no text."""
    for document in documents:
        for item in document.items:
            if not isinstance(item, t.Amend | t.Include):
                place = item.id_span if isinstance(item, t.Clause) else item.span
                yield Diagnostic(
                    "R122",
                    "this stands outside of the amendment",
                    place,
                    help="put it into the `amend` block",
                )


def _collect(
    path: Path,
    above: list[Path],
    documents: list[t.Document],
    files: list[Path],
    found: list[Diagnostic],
    asked_at: Span | None = None,
) -> bool:
    """Read a file and what it includes; True when something could not be read."""
    here = path.resolve()
    if here in above:
        circle = " includes ".join(p.name for p in [*above[above.index(here) :], here])
        found.append(
            Diagnostic(
                "R006",
                f"files include each other: {circle}",
                asked_at,
                help="take one `include` out",
            )
        )
        return True
    if len(files) >= MAX_INCLUDES:
        found.append(Diagnostic("R006", f"more than {MAX_INCLUDES} files are included", asked_at))
        return True
    text, wrong = read_text(path)
    files.append(path)
    found.extend(wrong)
    if text is None:
        return True
    try:
        document, wrong = parse(text, str(path))
    except RecursionError:
        place = Span(str(path), 1, 1, 1, 1)
        advice = "give parts of it a name with `define`"
        document = None
        wrong = [Diagnostic("R007", "a condition is nested too deeply", place, help=advice)]
    found.extend(wrong)
    if document is None:
        return True
    documents.append(document)
    broken = False
    for item in document.items:
        if isinstance(item, t.Include):
            inner = path.parent / item.path
            if not _may_include(path, inner):
                found.append(
                    Diagnostic(
                        "R012",
                        f"`{item.path}` cannot be included",
                        item.span,
                        help="a file is included that ends in `.rules` and lies in "
                        "the folder of this file or below it",
                    )
                )
                broken = True
                continue
            broken |= _collect(inner, [*above, here], documents, files, found, item.span)
    return broken


def _may_include(path: Path, inner: Path) -> bool:
    """Only what lies beside a rule file or below is part of it, and no link leads out of there."""
    try:
        return inner.suffix == ".rules" and inner.resolve().is_relative_to(path.parent.resolve())
    except (OSError, ValueError, RuntimeError):  # a zero byte, links in a circle
        return False
