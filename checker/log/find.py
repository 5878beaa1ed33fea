"""Names on the command line to logs: files, folders with all that is in them, and patterns."""

from __future__ import annotations

import os
from collections.abc import Iterable
from glob import glob, has_magic
from typing import Final

from checker.log.open import WHAT_A_LOG_IS
from rulespec.base.errors import LogError

ENDINGS: Final = (".jsonl", ".json", ".ndjson", ".gz", ".zst", ".parquet")
"""How the name of a log ends, where a folder is named and not the log itself."""


def log_files(names: Iterable[str]) -> list[str]:
    """The logs that are meant, those of a folder or a pattern in order of their names; LogError
    where a folder or a pattern stands for none. Whether a file can be read is told when its turn
    comes."""
    found: list[str] = []
    for name in names:
        if os.path.isdir(name):
            found += _in_folder(name)
        elif name != "-" and has_magic(name) and not os.path.lexists(name):
            found += _by_pattern(name)
        else:
            found.append(name)
    return found


def _in_folder(folder: str, within: str = "") -> list[str]:
    def cannot(error: OSError) -> None:
        reason = (error.strerror or "cannot be read").lower()
        raise LogError(f"the folder `{error.filename}` cannot be looked into: {reason}")

    found = [
        os.path.join(place, name)
        for place, _, names in os.walk(folder, onerror=cannot)
        for name in names
        if not name.startswith(".") and name.lower().endswith(ENDINGS)
        if not _is_hidden(os.path.relpath(place, folder))
    ]
    if not found and not within:
        endings = ", ".join(ENDINGS)
        raise LogError(
            f"there is no log in the folder `{folder}`",
            f"{WHAT_A_LOG_IS}; in a folder its name ends in {endings}",
        )
    return sorted(found)


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split(os.sep) if part != ".")


def _by_pattern(pattern: str) -> list[str]:
    found: list[str] = []
    for path in sorted(glob(pattern, recursive=True)):
        if not os.path.isdir(path):
            found.append(path)
        elif "**" not in pattern:  # which has what is in it already
            found += _in_folder(path, within=pattern)
    if not found:
        raise LogError(f"no file matches `{pattern}`", "`**` stands for folders within folders")
    return found
