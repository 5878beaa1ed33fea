"""Files in the user's own folder with what a text of the rules was found to say.

Named by the text and by the code that reads it: a change of either is another file. Whatever is
wrong with the folder or a file in it, the rules are asked again.
"""

from __future__ import annotations

import gc
import hashlib
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from rulespec.rulebook import Rulebook
from rulespec.tree_cache import cache_folder

_KEPT = 40  # files of a kind; the oldest go first
_SEAL = 32  # bytes that tell whether the file is still what was written


@cache
def _made_by() -> bytes:
    """The code on which an answer depends."""
    digest = hashlib.sha256()
    here = Path(__file__).parent
    for folder in (here / "columns", here, here.parent / "rulespec"):
        for path in sorted(folder.glob("*.py")):
            digest.update(path.read_bytes())
    return digest.digest()


class Text:
    """A text of the rules, and where things about it are kept."""

    def __init__(self, rules: Rulebook) -> None:
        self.rules = rules
        self._name = ""  # takes a while

    def place(self, kind: str) -> Path | None:
        home = cache_folder()
        if home is None:
            return None
        self._name = self._name or _name_of(self.rules)
        return home / f"{kind}-{self._name}.pickle"


def _name_of(book: Rulebook) -> str:
    digest = hashlib.sha256(_made_by())
    for rule in book.rules:
        parts = (rule.id, rule.clause, rule.question, rule.value, rule.condition, rule.interim,
                 rule.reading, rule.over, rule.irregular)  # fmt: skip
        digest.update(repr(parts).encode())
    digest.update(repr((book.id, book.order)).encode())
    return digest.hexdigest()[:32]


def read(place: Path | None) -> object:
    """What was written there; None where there is nothing, or nothing that can be trusted."""
    try:
        if place is not None and place.stat().st_uid == os.getuid():
            written = place.read_bytes()
            seal, content = written[:_SEAL], written[_SEAL:]
            if seal == hashlib.sha256(content).digest():
                with without_collecting():
                    return pickle.loads(content)
    except Exception:  # a broken cache is no cache
        pass
    return None


def write(place: Path, what: object) -> None:
    try:
        beside = place.with_suffix(f".{os.getpid()}")
        content = pickle.dumps(what, protocol=pickle.HIGHEST_PROTOCOL)
        beside.write_bytes(hashlib.sha256(content).digest() + content)
        beside.replace(place)
        kind = place.name.partition("-")[0]
        others = sorted(place.parent.glob(f"{kind}-*.pickle"), key=lambda p: p.stat().st_mtime)
        for old in others[:-_KEPT]:
            old.unlink(missing_ok=True)
    except (OSError, RecursionError, pickle.PickleError):
        return


@contextmanager
def without_collecting() -> Iterator[None]:
    """For what makes thousands of objects, none of which is to be collected."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
