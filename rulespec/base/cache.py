"""What was worked out before, kept in files of the user's own folder.

One key: what the thing was made from, and all code of the project. One rule of trust: a folder and
a file that belong to this account and that nobody else may read or write (no checkout and no
unpacked archive makes such files by itself), with a seal over the content. Files are written
whole or not at all, and the oldest of a kind go when there are too many. Whatever is wrong with a
file or the folder, the thing is worked out again. Nothing that is read here is run.
"""

from __future__ import annotations

import gc
import hashlib
import os
import stat
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TypeVar

from rulespec.base import plain_data, resources

T = TypeVar("T")

_SEAL = 32  # bytes that tell whether the file is still what was written
_KEPT = 200  # files of a kind
_LARGEST = 64 * 1024 * 1024  # bytes of a file
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_PACKAGES = ("rulespec", "checker")
# code, and tables that shape results
_CODE = (".py", ".lark", ".game", ".json", ".yaml", ".properties")


def cache_folder() -> Path | None:
    """The user's own folder for what can be worked out again; None where there is none."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.expanduser("~/.cache")
    return private_folder(Path(base) / "rulespec") if os.path.isabs(base) else None


def private_folder(folder: Path) -> Path | None:
    """The folder, made if it is not there, where it belongs to this account alone."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = folder.lstat()
        mine = stat.S_ISDIR(state.st_mode) and _is_private(state)
        return folder if mine and os.access(folder, os.W_OK) else None
    except (OSError, AttributeError):
        return None


def _is_private(state: os.stat_result) -> bool:
    return state.st_uid == os.getuid() and not state.st_mode & 0o077


@cache
def made_by() -> bytes:
    """The state of all code of the project, and of the Python that runs it."""
    return hashlib.sha256(sys.version.encode() + code_hash()).digest()


@cache
def code_hash() -> bytes:
    """Of all code of the project, the same for a checkout and where it is installed."""
    digest = hashlib.sha256()
    packages = [Path(str(import_module(name).__file__)).parent for name in _PACKAGES]
    for folder in (*packages, resources.folder("grammar")):
        # `_data` holds rulebooks, of which a report has hashes of their own, and the grammar again
        kept = folder / "_data" if folder in packages else None
        files = (p for p in folder.rglob("*") if p.suffix in _CODE and kept not in p.parents)
        for path in sorted(files):
            digest.update(f"\0{path.relative_to(folder.parent).as_posix()}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.digest()


def place_of(kind: str, *made_from: bytes) -> Path | None:
    """The file for what is made from this by the code as it is now."""
    home = cache_folder()
    if home is None:
        return None
    key = hashlib.sha256(made_by())
    for part in made_from:
        key.update(hashlib.sha256(part).digest())
    return home / f"{kind}-{key.hexdigest()[:32]}"


def read_bytes(place: Path | None) -> bytes | None:
    try:
        return trusted(place) if place is not None else None
    except OSError:
        return None


def read(place: Path | None, kind: type[T], classes: Iterable[type] = ()) -> T | None:
    """What was written there; None where there is nothing, or nothing that can be trusted."""
    content = read_bytes(place)
    if content is None:
        return None
    try:
        with without_collecting():
            found = plain_data.loads(content, classes)
    except ValueError:  # a broken cache is no cache
        return None
    return found if isinstance(found, kind) else None


def trusted(place: Path) -> bytes | None:
    """What was written to a file by `put`; None where somebody else may have had a hand in it."""
    with open(os.open(place, os.O_RDONLY | _NO_LINKS), "rb") as file:
        state = os.fstat(file.fileno())
        if not stat.S_ISREG(state.st_mode) or not _is_private(state) or state.st_size > _LARGEST:
            return None
        written = file.read()
    seal, content = written[:_SEAL], written[_SEAL:]
    return content if seal == hashlib.sha256(content).digest() else None


def put(place: Path, content: bytes) -> None:
    """Write a file whole, for this account alone."""
    unfinished = place.with_name(f".{place.name}.{os.getpid()}.{threading.get_ident()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        with open(os.open(unfinished, flags, 0o600), "wb") as file:
            file.write(hashlib.sha256(content).digest() + content)
        os.replace(unfinished, place)
    except OSError:
        with suppress(OSError):
            unfinished.unlink()
        raise


def write(place: Path | None, what: object) -> None:
    if place is None:
        return
    with suppress(RecursionError):
        write_bytes(place, plain_data.dumps(what))


def write_bytes(place: Path | None, content: bytes, kept: int | None = None) -> None:
    """`kept`: so many files of the kind at most."""
    if place is None or len(content) > _LARGEST:
        return
    with suppress(OSError):
        put(place, content)
        kind = place.name.partition("-")[0]
        there = sorted(place.parent.glob(f"{kind}-*"), key=lambda p: p.stat().st_mtime)
        for old in there[: -(kept or _KEPT)]:
            old.unlink(missing_ok=True)


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
