"""Where machine code is kept. numba is not needed to know."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Final

from checker import rounds
from rulespec import vocabulary, words
from rulespec.tree_cache import cache_folder

_KEPT: Final = 4


def code_folder() -> Path | None:
    """Machine code is kept by the state of all sources together: numba itself looks only at the
    file of a function, and would run old code when a number in another file has changed."""
    home = cache_folder()
    if home is None:
        return None
    digest = hashlib.sha256()
    others = (Path(str(module.__file__)) for module in (rounds, vocabulary, words))
    for path in (*sorted(Path(__file__).parent.glob("*.py")), *others):
        digest.update(path.read_bytes())
    return home / "machine-code" / digest.hexdigest()[:16]


def make(folder: Path) -> None:
    """Make the folder, and remove those of older versions."""
    if not folder.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        for old in sorted(folder.parent.iterdir(), key=lambda one: one.stat().st_mtime)[:-_KEPT]:
            shutil.rmtree(old, ignore_errors=True)


def is_kept() -> bool:
    """Whether an earlier run has made machine code, so that this one need not."""
    folder = code_folder()
    return folder is not None and any(folder.glob("**/rounds.judge_rows-*.nbi"))
