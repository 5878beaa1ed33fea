"""Trees of rule files that were parsed before, kept by content: an unchanged file is not parsed
again. The folder belongs to the user alone, and whatever is wrong with it, the file is parsed."""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from functools import cache
from pathlib import Path

from rulespec import __version__
from rulespec import tree as t

MAX_FILES = 200


@cache
def cache_folder() -> Path | None:
    """The user's own folder for what can be worked out again; None where there is none."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    try:
        home = Path(base) / "rulespec"
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = home.stat()
        private = state.st_uid == os.getuid() and not state.st_mode & 0o022
        return home if private and os.access(home, os.W_OK) else None
    except (OSError, AttributeError):
        return None


@cache
def _made_by() -> bytes:
    """What the shape of a tree depends on: this version, and the code that makes it."""
    here = Path(__file__).parent
    names = ("tree", "tree_conditions", "build", "build_conditions", "callbacks", "spans", "parse")
    code = [here / f"{name}.py" for name in names]
    parts = [__version__.encode(), sys.version.encode(), *(p.read_bytes() for p in code)]
    return hashlib.sha256(b"\0".join(parts)).digest()


def _place(text: str, file: str, grammar: str) -> Path | None:
    home = cache_folder()
    if home is None:
        return None
    key = hashlib.sha256(_made_by())
    for part in (grammar, file, text):
        key.update(b"\0" + part.encode("utf-8", "surrogatepass"))
    return home / f"tree-{key.hexdigest()[:32]}.pickle"


def remembered(text: str, file: str, grammar: str) -> t.Document | None:
    place = _place(text, file, grammar)
    try:
        if place is None or place.stat().st_uid != os.getuid():
            return None
        found = pickle.loads(place.read_bytes())
    except Exception:  # a broken cache is no cache
        return None
    return found if isinstance(found, t.Document) else None


def remember(document: t.Document, text: str, file: str, grammar: str) -> None:
    place = _place(text, file, grammar)
    if place is None:
        return
    try:
        _make_room(place.parent)
        unfinished = place.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(pickle.dumps(document, protocol=pickle.HIGHEST_PROTOCOL))
        os.replace(unfinished, place)
    except (OSError, RecursionError, pickle.PickleError):
        return


def _make_room(home: Path) -> None:
    kept = sorted(home.glob("tree-*"), key=lambda p: p.stat().st_mtime)
    for old in kept[: max(0, len(kept) - MAX_FILES + 1)]:
        old.unlink(missing_ok=True)
