"""From what the user names (an id, a file, a folder, `id@date`) to checked rulebooks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from rulespec import tree as t
from rulespec.diagnostics import Diagnostic
from rulespec.parse import parse, read_text
from rulespec.resolve import resolve
from rulespec.resources import folder
from rulespec.rulebook import Rulebook
from rulespec.spans import Span
from rulespec.typecheck import did_you_mean

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


def shipped() -> dict[str, Path]:
    """The rulebooks that come with rulespec, by id."""
    return {p.stem: p for p in sorted(folder("jurisdictions").rglob("*.rules"))}


def find(name: str) -> tuple[list[tuple[Path, date | None]], list[Diagnostic]]:
    """The rule files that a name on the command line stands for."""
    day: date | None = None
    wanted, at, suffix = name.rpartition("@")
    if at and re.fullmatch(r"\d{4}-\d{2}-\d{2}", suffix):
        try:
            day = date.fromisoformat(suffix)
        except ValueError:
            return [], [Diagnostic("R111", f"`{suffix}` is not a date", help="write YYYY-MM-DD")]
    else:
        wanted = name
    path = Path(wanted)
    if path.is_dir():
        inside = sorted(path.rglob("*.rules"))
        if not inside:
            return [], [Diagnostic("R008", f"no rule files in `{wanted}`",
                                   help="rule files end in `.rules`")]  # fmt: skip
        return [(p, day) for p in inside], []
    if path.is_file() or wanted.endswith(".rules"):
        return [(path, day)], []
    known = shipped()
    if wanted in known:
        return [(known[wanted], day)], []
    advice = did_you_mean(wanted, known, "known ids: " + ", ".join(known))
    return [], [Diagnostic("R008", f"there is no rulebook `{wanted}`", help=advice)]


def load(path: Path, day: date | None = None) -> Loaded:
    """Read, parse, resolve and type-check one rulebook with the files that it includes."""
    documents: list[t.Document] = []
    files: list[Path] = []
    found: list[Diagnostic] = []
    broken = _collect(path, [], documents, files, found)
    if broken or not documents:
        return Loaded(path, None, tuple(found), tuple(files))
    try:
        rulebook, more = resolve(documents, tuple(str(f) for f in files))
    except RecursionError:
        here = Span(str(path), 1, 1, 1, 1)
        too_deep = Diagnostic("R007", "a condition is nested too deeply", here,
                              help="give parts of it a name with `define`")  # fmt: skip
        return Loaded(path, None, (*found, too_deep), tuple(files))
    if rulebook is not None and day is not None:
        rulebook = rulebook.on(day)
    return Loaded(path, rulebook, (*found, *more), tuple(files))


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
        found.append(Diagnostic("R006", f"files include each other: {circle}", asked_at,
                                help="take one `include` out"))  # fmt: skip
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
            broken |= _collect(inner, [*above, here], documents, files, found, item.span)
    return broken
