"""Files that somebody names, read without ever waiting for them.

A pipe or a device may never end. Nor may a file that claims to be regular and to hold nothing, as
the one does in which a kernel tells its messages: of a file that says it is empty nothing is read.
"""

from __future__ import annotations

import os
from io import BufferedReader, BytesIO
from pathlib import Path
from stat import S_IFREG, S_ISREG


class NotRegular(OSError):
    def __init__(self) -> None:
        super().__init__(0, "it is no regular file")


class TooLarge(OSError):
    def __init__(self, size: int, largest: int) -> None:
        super().__init__(0, f"it has {size:,} bytes, more than the {largest:,} allowed")
        self.size = size


def size_of(path: Path) -> int:
    """How many bytes a file says that it has; NotRegular where it is no regular file."""
    state = path.stat()
    if not S_ISREG(getattr(state, "st_mode", S_IFREG)):  # a file of a git revision has no mode
        raise NotRegular
    return state.st_size


def read_regular(path: Path, largest: int) -> bytes:
    """The content of a file; OSError where it cannot be read, or has more than `largest` bytes."""
    size = size_of(path)
    if size > largest:
        raise TooLarge(size, largest)
    return path.read_bytes() if size else b""


def open_regular(name: str | Path) -> BufferedReader | BytesIO:
    """A file of any size, to be read; OSError where it is none."""
    # O_NONBLOCK: a pipe is opened without waiting for its writer, and then refused
    stream = open(os.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb")  # noqa: SIM115
    state = os.fstat(stream.fileno())
    if S_ISREG(state.st_mode) and state.st_size:
        return stream
    stream.close()
    if not S_ISREG(state.st_mode):
        raise NotRegular
    return BytesIO()
