"""A log as pieces of some megabytes: whole lines, and what cannot be looked at in bulk."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from checker.columns.machine import buffers as memory
from checker.columns.read.json_bytes import NEWLINE, PADDING
from checker.log.open import Cut, LogBytes
from checker.log.read import KEPT, MAX_LINE

SIZE: Final = 2**23 - PADDING
"""About how many bytes are worked on at once."""
MOST_LINES: Final = 2**15
"""And how many lines: an ordinary log has some thousands in so many bytes."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Whole lines, each with its newline; PADDING zeros follow."""

    data: Any
    length: int


@dataclass(frozen=True, slots=True)
class Odd:
    """One line that is too long, or that is the last and has no newline; see `log.Line`."""

    raw: bytes
    size: int
    end: str | None
    before: int | None = None  # where a Parquet file is damaged: its rows before that


@dataclass(frozen=True, slots=True)
class Blank:
    """So many lines in which nothing stands."""

    lines: int


Piece: TypeAlias = Lines | Odd | Blank
_ARENA_MAX, _TRIM_THRESHOLD, _MMAP_THRESHOLD = -8, -1, -3  # as glibc numbers them
_KEPT_MEMORY: Final = 2**28
_LARGE: Final = 2**25


def keep_freed_memory() -> None:
    """Let the allocator of the system keep what one piece frees for the next: else fresh pages are
    cleared for every piece, which costs as much as reading it. Only glibc has to be told."""
    try:
        tell = ctypes.CDLL(None).mallopt
        for what, value in (
            (_ARENA_MAX, 1),
            (_TRIM_THRESHOLD, _KEPT_MEMORY),
            (_MMAP_THRESHOLD, _LARGE),
        ):
            tell(what, value)
    except (AttributeError, OSError, TypeError):
        return


def pieces(log: LogBytes, size: int = SIZE) -> Iterator[Piece]:
    fill = _filler(log)
    room, used = _room(size), 0
    giant = 0  # bytes so far of a line that is too long; only its start is kept
    start = b""
    end = ""
    try:
        while read := fill(memoryview(room)[used:-PADDING]):
            if giant:
                at = room[:read].tobytes().find(b"\n")
                if at < 0:
                    giant += read
                    continue
                yield Odd(start, giant + at, None)
                giant, read = 0, read - at - 1
                room[:read] = room[at + 1 : at + 1 + read].copy()
            used += read
            if used < len(room) - PADDING:
                continue
            cut = _last_line(room, used)
            if not cut and used > MAX_LINE:
                giant, start, used = used, room[:KEPT].tobytes(), 0
                continue
            rest = room[cut:used].copy()
            if cut:
                yield from _lines(room, cut)
            used = len(rest)
            room = _room(max(size, 2 * used))
            room[:used] = rest
    except Cut as early:
        end = str(early)
    finally:
        log.close()
    if giant:
        yield Odd(start, giant, end)
        return
    cut = _last_line(room, used)
    last = room[cut:used].tobytes()
    if cut:
        yield from _lines(room, cut)
    if last or end:
        yield Odd(last[:KEPT] if len(last) > MAX_LINE else last, len(last), end)


def _filler(log: LogBytes) -> Callable[[memoryview], int]:
    """Reads as much as there is and as there is room for; 0 at the end of the log."""
    rest = memoryview(b"")
    begun = False

    def fill(room: memoryview) -> int:
        nonlocal rest, begun
        if not rest:
            if begun and log.plain:
                return log.read_into(room)
            rest, begun = memoryview(next(log.chunks, b"")), True
        read = min(len(rest), len(room))
        room[:read] = rest[:read]
        rest = rest[read:]
        return read

    return fill


def _room(size: int) -> Any:
    return memory.rows(((size + PADDING,), np.uint8))[0]


def _last_line(room: Any, used: int) -> int:
    """Where the line begins that has no end yet."""
    end = used
    while end:
        start = max(0, end - 2**16)
        at = room[start:end].tobytes().rfind(b"\n")
        if at >= 0:
            return int(start + at + 1)
        end = start
    return 0


def _lines(room: Any, length: int) -> Iterator[Lines | Blank]:
    """What is worked on at once has so many lines at most: each of them takes memory, and a log
    may be made of nothing but line ends."""
    ends = room[:length] == NEWLINE
    count = int(np.count_nonzero(ends))
    if count > MOST_LINES and room[:length].tobytes().isspace():
        yield Blank(count)
        return
    if count <= MOST_LINES:
        room[length : length + PADDING] = 0
        yield Lines(room[: length + PADDING], length)
        return
    start = 0
    for end in (*(np.flatnonzero(ends)[MOST_LINES - 1 :: MOST_LINES] + 1).tolist(), length):
        if end > start:
            part = _room(end - start)
            part[: end - start] = room[start:end]
            part[end - start :] = 0
            yield Lines(part, end - start)
        start = end
