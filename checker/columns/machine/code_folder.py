"""Where machine code is kept. numba is not needed to know."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Final

from checker.log import model as rounds
from rulespec.base.cache import cache_folder, private_folder
from rulespec.base.resources import folder

_KEPT: Final = 4


def code_folder() -> Path | None:
    """Machine code is kept by the state of all sources together: numba itself looks only at the
    file of a function, and would run old code when a number in another file has changed."""
    home = cache_folder()
    if home is None:
        return None
    digest = hashlib.sha256()
    for path in sources():
        digest.update(path.read_bytes())
    all_versions = private_folder(home / "compiled")
    return all_versions and private_folder(all_versions / digest.hexdigest()[:16])


def sources() -> list[Path]:
    """All that machine code is made from."""
    columns = Path(__file__).parent.parent
    homes = columns.parent.joinpath("evaluate", "facts").glob(
        "*.py"
    )  # what the slots are made from
    words = sorted(folder("grammar").rglob("*.game"))
    return [*sorted(columns.rglob("*.py")), *sorted(homes), Path(str(rounds.__file__)), *words]


def remove_older(folder: Path) -> None:
    """Keep only the newest folders of machine code."""
    for old in sorted(folder.parent.iterdir(), key=lambda one: one.stat().st_mtime)[:-_KEPT]:
        shutil.rmtree(old, ignore_errors=True)


def is_kept() -> bool:
    """Whether an earlier run has made machine code, so that this one need not."""
    folder = code_folder()
    return folder is not None and any(folder.glob("**/round.judge_rows-*.nbi"))
