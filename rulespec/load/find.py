"""What a name on the command line stands for: rule files, and the amendments of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from rulespec.base.diagnostics import A_DATE, Diagnostic
from rulespec.base.regular_files import size_of
from rulespec.base.resources import folder
from rulespec.load.games import usual_name
from rulespec.resolve.typecheck import did_you_mean

_OPENING = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s|#[^\n]*\n)*(amend|rulebook)\s+([^\s{]+)")
_HEAD = 64 * 1024  # a rule file begins with comments at most


@dataclass(frozen=True, slots=True)
class Named:
    """A rule file, the day of the text that is asked for, and what amends it."""

    path: Path
    day: date | None = None
    amendments: tuple[Path, ...] = ()


def shipped() -> dict[str, Path]:
    """The rulebooks that come with rulespec, by id."""
    return rulebooks(sorted(folder("jurisdictions").rglob("*.rules")))


def rulebooks(paths: Iterable[Path]) -> dict[str, Path]:
    """Those of the files that are no amendments, by their name."""
    return {path.stem: path for path in paths if amends(path) is None}


def games() -> dict[str, str]:
    """The game of each rulebook that comes with rulespec, as its header says."""
    found = {}
    for name, path in shipped().items():
        with suppress(OSError, UnicodeDecodeError):
            text = re.sub(r'#[^\n]*|"[^"]*"', "", path.read_text(encoding="utf-8"))
            header = text[: text.find("}")]
            stated = re.search(r"\bgame\s+([\w-]+)", header)
            found[name] = stated[1] if stated else usual_name()
    return found


def opening(path: Path) -> tuple[str, str] | None:
    """`rulebook` or `amend`, whichever comes first in a file, with the id behind it."""
    try:
        if not size_of(path):
            return None
        with path.open("rb") as file:
            found = _OPENING.match(file.read(_HEAD))
    except OSError:
        return None
    return (found[1].decode(), found[2].decode("utf-8", "replace")) if found else None


def amends(path: Path) -> str | None:
    """The rulebook that a file amends; None when it is no amendment."""
    begins = opening(path)
    return begins[1] if begins is not None and begins[0] == "amend" else None


def beside(rules: Path, rulebook: str | None = None) -> tuple[Path, ...]:
    """The amendments that lie in the folder of their rulebook."""
    target = rulebook or _id_of(rules)
    others = sorted(p for p in rules.parent.glob("*.rules") if p.name != rules.name)
    return tuple(p for p in others if amends(p) == target)


def _id_of(rules: Path) -> str:
    begins = opening(rules)
    return begins[1] if begins is not None and begins[0] == "rulebook" else rules.stem


def base_of(amendment: Path, rulebook: str) -> Path | None:
    """The rulebook that is amended: in the same folder, or else one that ships."""
    here = amendment.with_name(f"{rulebook}.rules")
    if here.is_file() and amends(here) is None:
        return here
    for other in sorted(amendment.parent.glob("*.rules")):
        if opening(other) == ("rulebook", rulebook):
            return other
    return shipped().get(rulebook)


def split_day(name: str) -> tuple[str, date | None, list[Diagnostic]]:
    """`id@day` in its two parts; other names have no day."""
    wanted, at, suffix = name.rpartition("@")
    if not at or not re.fullmatch(r"[\d./-]*\d[\d./-]*", suffix):
        return name, None, []
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", suffix):
            return wanted, date.fromisoformat(suffix), []
    except ValueError:
        pass
    wrong = Diagnostic("R111", f"`{suffix}` is not a date", help=A_DATE)
    return wanted, None, [wrong]


def find(name: str) -> tuple[list[tuple[Path, date | None]], list[Diagnostic]]:
    """The rule files that a name stands for, amendments among them."""
    wanted, day, wrong = split_day(name)
    if wrong:
        return [], wrong
    if not wanted.strip():  # most likely a variable of a script that was never set
        return [], [
            Diagnostic(
                "R008",
                "an empty name stands for no rulebook",
                help="name an id, a `.rules` file or a folder",
            )
        ]
    path = Path(wanted)
    if path.is_dir():
        inside = sorted(path.rglob("*.rules"))
        if not inside:
            return [], [
                Diagnostic(
                    "R008", f"no rule files in `{wanted}`", help="rule files end in `.rules`"
                )
            ]
        return [(p, day) for p in inside], []
    if path.is_file() or wanted.endswith((".rules", ".game")):
        return [(path, day)], []
    known = shipped()
    if wanted in known:
        return [(known[wanted], day)], []
    advice = did_you_mean(wanted, known, "known ids: " + ", ".join(known))
    return [], [Diagnostic("R008", f"there is no rulebook `{wanted}`", help=advice)]


def find_texts(name: str) -> tuple[list[Named], list[Diagnostic]]:
    """The texts that a name stands for. A rulebook that is named by its id, or by its folder, is
    the text with its amendments; a file is that file."""
    places, wrong = find(name)
    if not places:
        return [], wrong
    wanted, day, _ = split_day(name)
    path = Path(wanted)
    if path.is_dir():
        return together([place for place, _ in places], day), wrong
    if path.is_file() or wanted.endswith(".rules"):
        return [Named(path, day)], wrong
    return [Named(place, day, beside(place, wanted)) for place, day in places], wrong


def together(paths: Iterable[Path], day: date | None = None) -> list[Named]:
    """The texts of a folder: each rulebook with the amendments of it that are in the folder, and
    the amendments of rulebooks that are elsewhere."""
    amending: dict[str, list[Path]] = {}
    books: list[Path] = []
    for path in paths:
        target = amends(path)
        if target is None:
            books.append(path)
        else:
            amending.setdefault(target, []).append(path)
    found = [Named(path, day, tuple(amending.pop(_id_of(path), ()))) for path in books]
    return found + [Named(first, day, tuple(more)) for first, *more in amending.values()]
