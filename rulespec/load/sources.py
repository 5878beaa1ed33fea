"""Rule files that are no files on the disk: standard input, and files of a git revision."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from rulespec.base.diagnostics import Diagnostic
from rulespec.load.find import amends, base_of
from rulespec.resolve.typecheck import did_you_mean
from rulespec.syntax.parse import MAX_BYTES

if TYPE_CHECKING:
    NativePath = Path
else:
    NativePath = type(Path())  # Python 3.11 cannot derive a class from `Path` itself


class StandardInput(NativePath):
    """Standard input as a rule file called `-`; what it includes stands in the current folder.

    Paths that are made from it (`parent`, `with_name`) are of this class too: they hold no data,
    and are ordinary paths."""

    data: bytes | None = None

    @classmethod
    def read(cls) -> StandardInput:
        """As much as a rule file may hold and one byte more, by which the excess is seen."""
        path = cls("-")
        path.data = sys.stdin.buffer.read(MAX_BYTES + 1) if sys.stdin is not None else b""
        return path

    def stat(self, **options: Any) -> Any:
        if self.data is None:
            return super().stat(**options)
        return SimpleNamespace(st_size=len(self.data))

    def read_bytes(self) -> bytes:
        return super().read_bytes() if self.data is None else self.data


class GitFile(NativePath):
    """A file as it was in a git revision, `REV:path`. Paths that are made from it (`parent`,
    `with_name`) are files of the same revision: a rulebook finds all that stands beside it."""

    @property
    def revision(self) -> str:
        return str(self).partition(":")[0]

    @property
    def inside(self) -> str:
        """The path in the repository."""
        parts: list[str] = []
        for part in PurePosixPath(str(self).partition(":")[2]).parts:
            if part == ".." and parts:
                parts.pop()
            elif part != ".":
                parts.append(part)
        return "/".join(parts)

    def _object(self) -> str:
        tree, wrong = _tree(os.getcwd(), self.revision)
        if tree is None:
            raise FileNotFoundError(2, wrong)
        return f"{tree}:{self.inside}"

    def _kind(self) -> str | None:
        try:
            found = _stored(os.getcwd(), "cat-file", "-t", self._object())
        except FileNotFoundError:
            return None
        return found.decode().strip() if found is not None else None

    def is_file(self, **options: Any) -> bool:
        return self._kind() == "blob"

    def is_dir(self, **options: Any) -> bool:
        return self._kind() == "tree"

    def exists(self, **options: Any) -> bool:
        return self._kind() is not None

    def stat(self, **options: Any) -> Any:
        return SimpleNamespace(st_size=len(self.read_bytes()))

    def read_bytes(self) -> bytes:
        data = _stored(os.getcwd(), "cat-file", "blob", self._object())
        if data is None:
            raise FileNotFoundError(2, f"no such file in revision {self.revision}")
        return data

    def read_text(self, encoding: str | None = None, *rest: Any, **options: Any) -> str:
        return self.read_bytes().decode(encoding or "utf-8")

    def open(self, mode: str = "r", *rest: Any, **options: Any) -> Any:
        data = io.BytesIO(self.read_bytes())
        return data if "b" in mode else io.TextIOWrapper(data, options.get("encoding") or "utf-8")

    def resolve(self, strict: bool = False) -> GitFile:
        return GitFile(f"{self.revision}:./{self.inside}")

    def rglob(self, pattern: str, **options: Any) -> Iterator[GitFile]:  # type: ignore[override]
        yield from self._below(pattern, "-r")

    def glob(self, pattern: str, **options: Any) -> Iterator[GitFile]:  # type: ignore[override]
        yield from self._below(pattern)

    def _below(self, pattern: str, *options: str) -> Iterator[GitFile]:
        try:
            listed = _stored(
                os.getcwd(),
                "ls-tree",
                "-z",
                "--full-tree",
                "--name-only",
                *options,
                self._object(),
            )
        except FileNotFoundError:
            return
        for name in (listed or b"").decode("utf-8", "surrogateescape").split("\0"):
            if name and fnmatch(PurePosixPath(name).name, pattern):
                yield self / name


def find_in_git(name: str) -> tuple[list[GitFile], list[Diagnostic], bool]:
    """The rule files that `REV:path` stands for: a file, a folder, or a rulebook by its id; the
    last says whether it was an id.

    As with git, the path begins at the top of the repository, and with `./` in the folder where
    the command was called."""
    revision, _, path = name.partition(":")

    def wrong(message: str, advice: str) -> tuple[list[GitFile], list[Diagnostic], bool]:
        return [], [Diagnostic("R008", message, help=advice)], False

    if not revision:
        return wrong(f"`{name}` names no revision", "write `HEAD:path` or another git revision")
    _tree.cache_clear()
    tree, reason = _tree(os.getcwd(), revision)
    if tree is None:
        return wrong(reason, "a path with a colon is `REVISION:path`")
    if not path:
        return wrong(f"`{name}` names no file", f"write `{revision}:path/of/the/file.rules`")
    here = (_git("rev-parse", "--show-prefix") or b"").decode().strip()
    if path.startswith(("./", "../")):
        path = here + path
    place = GitFile(f"{revision}:./{path}") if "/" not in path else GitFile(f"{revision}:{path}")
    if place.is_file():
        return [place], [], False
    if place.is_dir():
        inside = sorted(place.rglob("*.rules"))
        if not inside:
            return wrong(f"no rule files in `{name}`", "rule files end in `.rules`")
        return inside, [], False
    known = _rulebooks(revision)
    if path in known:
        return [known[path]], [], True
    if here and GitFile(f"{revision}:{here}{path}").exists():
        return wrong(
            f"there is no `{path}` in revision `{revision}`", f"did you mean `{revision}:./{path}`?"
        )
    files = {p.inside for p in known.values()} | set(known)
    advice = did_you_mean(path, files, f"`git ls-tree -r --name-only {revision}` lists the files")
    return wrong(f"there is no `{path}` in revision `{revision}`", advice)


def base_in_git(amendment: Path, rulebook: str) -> Path | None:
    """The rulebook of an amendment of a revision: in that revision, if it has it."""
    found = _rulebooks(amendment.revision) if isinstance(amendment, GitFile) else {}
    return found.get(rulebook) or base_of(amendment, rulebook)


def _rulebooks(revision: str) -> dict[str, GitFile]:
    everywhere = sorted(GitFile(f"{revision}:./").rglob("*.rules"))
    plain = (GitFile(f"{p.revision}:{p.inside}") if "/" in p.inside else p for p in everywhere)
    return {path.stem: path for path in plain if amends(path) is None}


@cache
def _tree(here: str, revision: str) -> tuple[str | None, str]:
    """The tree of a revision by its hash, or why there is none. Looked up anew for each name."""
    try:
        if _git("rev-parse", "--git-dir") is None:
            return None, "no git repository here in which to look for a revision"
        name = f"{revision}^{{tree}}"
        found = _git("rev-parse", "--verify", "--quiet", "--end-of-options", name)
    except OSError:
        return None, "git cannot be run, so no revision can be read"
    if found is None:
        return None, f"there is no revision `{revision}` in this git repository"
    return found.decode().strip(), ""


@cache
def _stored(here: str, *arguments: str) -> bytes | None:
    """What git has under the hash of a tree: that never changes."""
    return _git(*arguments)


def _git(*arguments: str) -> bytes | None:
    """What git prints, None when it refuses. No shell, and nothing that asks or writes."""
    import subprocess

    done = subprocess.run(
        ["git", "--no-pager", "--no-optional-locks", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return done.stdout if done.returncode == 0 else None
