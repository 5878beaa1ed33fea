"""Findings of the prover, kept between calls: an unchanged rulebook is not proven again."""

from __future__ import annotations

import hashlib
import os
import pickle
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from rulespec import __version__
from rulespec.diagnostics import Diagnostic
from rulespec.load import Loaded
from rulespec.rulebook import Rulebook

KEPT = 200  # files; the oldest go first


@dataclass(frozen=True, slots=True)
class Record:
    """What the proofs of one text came to."""

    found: tuple[Diagnostic, ...]
    undecided: tuple[str, ...] = ()  # questions that the budget did not reach
    not_dealt: tuple[str, ...] = ()  # what clauses seemed to do, without a round that shows it
    states: int = 0
    cover: dict[str, Any] = field(default_factory=dict)  # what the proofs do not cover


@cache
def _tool() -> bytes:
    """A hash of the code that proves, so that a changed checkout does not show old results."""
    import checker
    import rulespec

    digest = hashlib.sha256(__version__.encode())
    for package in (rulespec, checker):
        for path in sorted(Path(str(package.__file__)).parent.glob("*.py")):
            digest.update(path.read_bytes())
    return digest.digest()


def cache_key(loaded: Loaded, text: Rulebook, phases: str) -> str | None:
    """Stands for the rule files, the tool and the clauses in force; None when there is no file."""
    digest = hashlib.sha256(_tool() + phases.encode())
    digest.update(" ".join(f"{c.id} {c.start} {c.end}" for c in text.clauses).encode())
    try:
        for path in loaded.files:
            digest.update(str(path).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    except OSError:
        return None
    return digest.hexdigest()


def _home() -> Path | None:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    try:
        home = Path(base) / "rulespec" / "proofs"
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        if home.stat().st_uid != os.getuid() or not os.access(home, os.W_OK):
            return None
    except (OSError, AttributeError):
        return None
    return home


def recall(key: str | None) -> Record | None:
    home = _home() if key else None
    if home is None:
        return None
    try:
        with (home / f"{key}.pickle").open("rb") as file:
            found = pickle.load(file)
    except Exception:
        return None  # not there, or not whole: proven anew
    return found if isinstance(found, Record) else None


def remember(key: str | None, record: Record) -> None:
    home = _home() if key else None
    if home is None:
        return
    try:
        temporary = home / f".{key}.{os.getpid()}"
        temporary.write_bytes(pickle.dumps(record))
        os.replace(temporary, home / f"{key}.pickle")
        old = sorted(home.glob("*.pickle"), key=lambda p: p.stat().st_mtime)[:-KEPT]
        for path in old:
            path.unlink(missing_ok=True)
    except OSError:
        return
