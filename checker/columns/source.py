"""A log as pieces of a megabyte: whole lines, and what cannot be looked at in bulk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from checker.columns.pieces import PADDING
from checker.log import KEPT, MAX_LINE
from checker.log_files import Cut, LogBytes

SIZE: Final = 2**20
"""About how many bytes are worked on at once."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Whole lines, each with its newline; PADDING zeros follow."""

    data: Any
    length: int
    count: int


@dataclass(frozen=True, slots=True)
class Odd:
    """One line that is too long, or that is the last and has no newline; see `log.Line`."""

    raw: bytes
    size: int
    end: str | None


Piece: TypeAlias = Lines | Odd


def pieces(log: LogBytes, size: int = SIZE) -> Iterator[Piece]:
    parts: list[bytes] = []  # of which only the first may hold no newline
    held = 0
    giant = 0  # bytes so far of a line that is too long; only its start is held
    end = ""
    try:
        for chunk in log.chunks:
            if giant:
                at = chunk.find(b"\n")
                if at < 0:
                    giant += len(chunk)
                    continue
                yield Odd(b"".join(parts), giant + at, None)
                chunk = chunk[at + 1 :]
                giant, parts = 0, []
                held = 0
            parts.append(chunk)
            held += len(chunk)
            if held < size:
                continue
            whole, rest = _whole(parts)
            if whole is not None:
                yield whole
            if len(rest) > MAX_LINE:
                giant, rest = len(rest), rest[:KEPT]
            parts, held = [rest], len(rest)
    except Cut as cut:
        end = str(cut)
    finally:
        log.close()
    if giant:
        yield Odd(b"".join(parts), giant, end)
        return
    whole, rest = _whole(parts)
    if whole is not None:
        yield whole
    if rest or end:
        kept = rest[:KEPT] if len(rest) > MAX_LINE else rest
        yield Odd(kept, len(rest), end)


def _whole(parts: list[bytes]) -> tuple[Lines | None, bytes]:
    """What ends with the last newline, and the rest."""
    last = parts[-1] if parts else b""
    cut = last.rfind(b"\n") + 1
    if not cut and len(parts) > 1:
        last = b"".join(parts)
        parts = [last]
        cut = last.rfind(b"\n") + 1
    if not cut:
        return None, last
    joined = b"".join([*parts[:-1], memoryview(last)[:cut], bytes(PADDING)])
    count = joined.count(b"\n")
    return Lines(np.frombuffer(joined, np.uint8), len(joined) - PADDING, count), last[cut:]
