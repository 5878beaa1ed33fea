"""The folder that the workbench shows: logs, results, rule files. Nothing outside it is read."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from rulespec.base.regular_files import open_regular
from rulespec.load.find import amends, opening

LOGS = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson", ".ndjson.gz", ".parquet")
MOST_FILES = 2000
MOST_DEEP = 6


class Outside(Exception):
    """A name that leads out of the folder, or to no regular file."""


@dataclass(frozen=True, slots=True)
class File:
    name: str  # as pages and commands use it: below the folder, with `/`
    size: int
    changed: float


@dataclass(frozen=True, slots=True)
class Contents:
    logs: tuple[File, ...]
    results: tuple[File, ...]
    rules: tuple[File, ...]
    amendments: tuple[File, ...]
    cut: bool = False  # there are more files than are shown


class Folder:
    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path).resolve(strict=True)

    def file(self, name: str) -> Path:
        """The regular file of this name; a link may not lead out of the folder."""
        if not name or "\0" in name or os.path.isabs(name):
            raise Outside(name)
        try:
            found = (self.path / name).resolve(strict=True)
        except (OSError, RuntimeError):
            raise Outside(name) from None
        if not found.is_relative_to(self.path) or not found.is_file():
            raise Outside(name)
        return found

    def contents(self) -> Contents:
        logs: list[File] = []
        results: list[File] = []
        rules: list[File] = []
        amendments: list[File] = []
        count = 0
        for name in self._names():
            count += 1
            if count > MOST_FILES:
                break
            try:
                path = self.file(name)
                stat = path.stat()
            except (Outside, OSError):
                continue
            one = File(name, stat.st_size, stat.st_mtime)
            if name.endswith(LOGS):
                logs.append(one)
            elif name.endswith(".rules"):
                if amends(path) is not None:
                    amendments.append(one)
                elif opening(path) is not None:
                    rules.append(one)
            elif name.endswith(".json") and _is_result(path):
                results.append(one)
        made = (tuple(logs), tuple(results), tuple(rules), tuple(amendments))
        return Contents(*made, cut=count > MOST_FILES)

    def _names(self) -> list[str]:
        found: list[str] = []
        for here, folders, files in os.walk(self.path):
            at = Path(here).relative_to(self.path)
            folders[:] = sorted(f for f in folders if not f.startswith("."))
            if len(at.parts) >= MOST_DEEP:
                folders.clear()
            found += [(at / f).as_posix() for f in sorted(files) if not f.startswith(".")]
            if len(found) > MOST_FILES:
                break
        return found


def _is_result(path: Path) -> bool:
    """A saved replay begins with its schema."""
    try:
        with open_regular(path) as file:
            return b'"rulespec-report/1"' in file.read(200)
    except OSError:
        return False
