"""The text of a log from any place in it, however far in.

A compressed log is gone through once; every few megabytes the place is kept with what the
decompressor knew there, and a later look begins at the place before. zstd tells nobody what it
knows: such a log is read from its start whenever a look goes further back than what is at hand."""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from checker.log.open import Cut, open_log
from rulespec.base.regular_files import open_regular

STEP: Final = 1 << 21  # bytes of text between two places
_AT_HAND: Final = 16  # blocks of so many bytes
_CHUNK: Final = 1 << 16


class Text(Protocol):
    def at(self, start: int, end: int) -> bytes:
        """What stands from one place up to another; less where the log ends before."""

    def go_through(self, end: int) -> None:
        """Make every later look before that place a quick one."""


def text_of(path: Path, plain: bool) -> Text:
    if plain:
        return PlainText(path)
    with open_regular(path) as file:
        return GzipText(path) if file.read(2) == b"\x1f\x8b" else ForwardText(path)


class PlainText:
    def __init__(self, path: Path) -> None:
        self.path = path

    def at(self, start: int, end: int) -> bytes:
        # not mapped into memory: who cuts a mapped file short ends the process that reads it
        with open_regular(self.path) as file:
            file.seek(start)
            return file.read(end - start)

    def go_through(self, end: int) -> None:
        pass


class _Blocks(ABC):
    """Text in blocks of one size, the last ones that were looked at kept."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._kept: OrderedDict[int, bytes] = OrderedDict()

    def at(self, start: int, end: int) -> bytes:
        parts = []
        for number in range(start // STEP, -(-end // STEP)):
            block = self._block(number)
            begin = number * STEP
            parts.append(block[max(start - begin, 0) : end - begin])
        return b"".join(parts)

    def _block(self, number: int) -> bytes:
        if number not in self._kept:
            self._keep(number, self._read(number))
        self._kept.move_to_end(number)
        return self._kept[number]

    def _keep(self, number: int, block: bytes) -> None:
        self._kept[number] = block
        while len(self._kept) > _AT_HAND:
            self._kept.popitem(last=False)

    @abstractmethod
    def _read(self, number: int) -> bytes: ...


class _Place(NamedTuple):
    """Where a block begins: how much was read of the file, and what the decompressor holds."""

    offset: int
    stream: Any  # zlib keeps no public name for its decompressor


class GzipText(_Blocks):
    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._places = [_Place(0, zlib.decompressobj(wbits=31))]
        self._ended = False

    def go_through(self, end: int) -> None:
        while not self._ended and len(self._places) * STEP < end:
            self._unfold(len(self._places) - 1)

    def _read(self, number: int) -> bytes:
        while number >= len(self._places) and not self._ended:
            self._keep(len(self._places) - 1, self._unfold(len(self._places) - 1))
        return self._unfold(number) if number < len(self._places) else b""

    def _unfold(self, number: int) -> bytes:
        """A block, and the place where the next one begins. What stands behind a damage is lost."""
        offset, stream = self._places[number]
        stream = stream.copy()
        parts: list[bytes] = []
        left = STEP
        with open_regular(self.path) as file:
            file.seek(offset)
            chunk = b""
            while left:
                chunk = chunk or file.read(_CHUNK)
                if not chunk:
                    break
                before = stream.copy()
                try:
                    piece = stream.decompress(chunk, left)
                except zlib.error:
                    parts.append(_salvaged(before, chunk)[:left])
                    break
                parts.append(piece)
                left -= len(piece)
                chunk = stream.unused_data if stream.eof else stream.unconsumed_tail
                if stream.eof:
                    stream = zlib.decompressobj(wbits=31)
                    chunk = chunk.lstrip(b"\0")  # padding between members
            if number == len(self._places) - 1:
                if left:
                    self._ended = True
                else:
                    self._places.append(_Place(file.tell() - len(chunk), stream))
        return b"".join(parts)


def _salvaged(stream: Any, chunk: bytes) -> bytes:
    """What stands before the damage is lost with the exception: once more, byte by byte."""
    parts = []
    with suppress(zlib.error):
        for at in range(len(chunk)):
            parts.append(stream.decompress(chunk[at : at + 1]))
    return b"".join(parts)


class ForwardText(_Blocks):
    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._next = 0
        self._coming: Iterator[bytes] = iter(())

    def go_through(self, end: int) -> None:
        pass

    def _read(self, number: int) -> bytes:
        if number < self._next or not self._next:
            self._next, self._coming = 0, self._all()
        for block in self._coming:
            self._keep(self._next, block)
            self._next += 1
            if self._next > number:
                return block
        return b""

    def _all(self) -> Iterator[bytes]:
        opened = open_log(str(self.path))
        try:
            rest = b""
            with suppress(Cut):
                for chunk in opened.chunks:
                    rest += chunk
                    while len(rest) >= STEP:
                        yield rest[:STEP]
                        rest = rest[STEP:]
            if rest:
                yield rest
        finally:
            opened.close()
