"""A line of a log at once, however far in it stands.

A log is gone through once; every few megabytes the place is kept, for a compressed one with what
the decompressor knew there. Afterwards a line is found from the place before it."""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from rulespec.base.regular_files import open_regular

STEP = 4 << 20  # bytes between two places
_CHUNK = 1 << 18
_MOST_AT_ONCE = 1 << 22
MOST_LINE = 16 << 20


class Place(NamedTuple):
    """Where a line begins: how much was read of the file by then, and what the decompressor holds.
    `rest` is what was decompressed of the line already."""

    line: int
    offset: int
    state: Any  # zlib keeps no public name for its decompressor
    rest: bytes


class Stamp(NamedTuple):
    """What tells one state of a file from another."""

    size: int
    changed: int
    inode: int


def stamp(path: Path) -> Stamp:
    found = path.stat()
    return Stamp(found.st_size, found.st_mtime_ns, found.st_ino)


class LogLines:
    """The lines of one log as it stood when it was first looked at."""

    def __init__(self, path: Path) -> None:
        self.path, self.stamp = path, stamp(path)
        self.gzip = path.name.endswith(".gz")
        self.places: list[Place] = [Place(1, 0, self._fresh(), b"")]
        self.whole = False

    def _fresh(self) -> Any:
        return zlib.decompressobj(wbits=31) if self.gzip else None

    def line(self, number: int) -> bytes | None:
        """One line without its end; None if there is none."""
        for at, text in self.lines(number):
            return text if at == number else None
        return None

    def lines(self, first: int) -> Iterator[tuple[int, bytes]]:
        """The lines from one on, with their numbers."""
        at = bisect_right(self.places, first, key=lambda place: place.line) - 1
        for number, text in self._from(self.places[max(at, 0)]):
            if number >= first:
                yield number, text

    def _from(self, start: Place) -> Iterator[tuple[int, bytes]]:
        with suppress(zlib.error):  # what stands behind a damage is no line
            yield from self._lines(start)

    def _lines(self, start: Place) -> Iterator[tuple[int, bytes]]:
        number, rest = start.line, start.rest
        state = None if start.state is None else start.state.copy()
        with open_regular(self.path) as file:
            file.seek(start.offset)
            kept = start.offset
            while chunk := file.read(_CHUNK):
                while chunk:
                    text, chunk, state = self._text(chunk, state)
                    lines = (rest + text).split(b"\n")
                    rest = lines.pop()
                    if len(rest) > MOST_LINE:
                        return
                    for line in lines:
                        yield number, line
                        number += 1
                offset = file.tell()
                if offset - kept >= (STEP >> 3 if self.gzip else STEP):
                    kept = offset
                    self._keep(Place(number, offset, None if state is None else state.copy(), rest))
            if rest:
                yield number, rest
            self.whole = True

    def _text(self, chunk: bytes, state: Any) -> tuple[bytes, bytes, Any]:
        """Some of what a chunk unfolds to, and what is left of it: a little may stand for much."""
        if state is None:
            return chunk, b"", None
        before = state.copy()
        try:
            text = state.decompress(chunk, _MOST_AT_ONCE)
        except zlib.error:
            if len(chunk) == 1:
                raise
            # what stands before the damage is lost with the exception: once more, in halves
            half = len(chunk) // 2
            text, rest, state = self._text(chunk[:half], before)
            return text, rest + chunk[half:], state
        if state.eof:
            return text, state.unused_data, self._fresh()  # the next member of the file
        return text, state.unconsumed_tail, state

    def _keep(self, place: Place) -> None:
        if place.line > self.places[-1].line:
            self.places.append(place)


class Logs:
    """The logs that were looked at, each as long as its file does not change."""

    def __init__(self) -> None:
        self._known: dict[Path, LogLines] = {}

    def of(self, path: Path) -> LogLines | None:
        """None where lines cannot be found this way: Parquet, zstd."""
        if path.name.endswith((".parquet", ".zst")):
            return None
        known = self._known.get(path)
        if known is None or known.stamp != stamp(path):
            known = self._known[path] = LogLines(path)
        return known
