"""Answers of earlier runs, kept in the user's own folder: the same text is not asked twice.

Kept by the text of the rules and by the code that gives the answers. Whatever is wrong with the
folder or a file in it, the rules are asked again.
"""

from __future__ import annotations

import gc
import hashlib
import os
import pickle
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeAlias

from checker.columns.answers import Said
from checker.columns.program import Looked, Program
from rulespec.rulebook import Rulebook
from rulespec.tree_cache import cache_folder

_KEPT = 40
MOST_ANSWERS = 50_000


Compiled: TypeAlias = tuple[Looked, frozenset[str] | None, Program]
"""What a question looks at, what of it moves while the rest stays, and the program."""


@dataclass(slots=True)
class Remembered:
    """What one text was made into, by question, and what it was asked: question, key and answer;
    formulas; numbers of sets of values; the ends that a dealer's hand can come to."""

    programs: dict[int, Compiled | None] = field(default_factory=dict)
    ends: list[list[int] | None] | None = None
    answers: list[tuple[int, int, int, Said]] = field(default_factory=list)
    formulas: list[int] = field(default_factory=list)
    sets: list[tuple[tuple[str, ...], int]] = field(default_factory=list)


@cache
def _made_by() -> bytes:
    """The code on which an answer depends."""
    digest = hashlib.sha256()
    here = Path(__file__).parent
    for folder in (here, here.parent, here.parent.parent / "rulespec"):
        for path in sorted(folder.glob("*.py")):
            digest.update(path.read_bytes())
    return digest.digest()


def place_of(book: Rulebook) -> Path | None:
    home = cache_folder()
    if home is None:
        return None
    digest = hashlib.sha256(_made_by())
    for rule in book.rules:
        parts = (rule.id, rule.clause, rule.question, rule.value, rule.condition, rule.interim,
                 rule.reading)  # fmt: skip
        digest.update(repr(parts).encode())
    digest.update(repr((book.id, book.order)).encode())
    return home / f"answers-{digest.hexdigest()[:32]}.pickle"


def remembered(place: Path | None) -> Remembered:
    try:
        if place is not None and place.stat().st_uid == os.getuid():
            found = _read(place)
            if isinstance(found, Remembered):
                return found
    except Exception:  # a broken cache is no cache
        pass
    return Remembered()


def _read(place: Path) -> object:
    collects = gc.isenabled()
    gc.disable()  # thousands of new objects, none of which is to be collected
    try:
        return pickle.loads(place.read_bytes())
    finally:
        if collects:
            gc.enable()


def keep(place: Path | None, what: Remembered) -> None:
    if place is None or len(what.answers) > MOST_ANSWERS:
        return
    try:
        beside = place.with_suffix(f".{os.getpid()}")
        beside.write_bytes(pickle.dumps(what))
        beside.replace(place)
        others = sorted(place.parent.glob("answers-*.pickle"), key=lambda p: p.stat().st_mtime)
        for old in others[:-_KEPT]:
            old.unlink(missing_ok=True)
    except OSError:
        return
