"""Where the rounds of a long log stand: an index that is made once and kept in the user's cache.

Only of JSON Lines that are not compressed. The index only makes things faster: whoever uses it
decodes what stands at a place and looks whether it is what was asked for.
"""

from __future__ import annotations

import json
import mmap
import os
import re
import stat
import zlib
from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from checker.log.open import open_log
from rulespec.base import cache
from rulespec.base.errors import LogError

_ID: Final = re.compile(rb'"round"\s*:\s*"([^"\\]*)"')
_STEP: Final = 2**24
_KEPT: Final = 20  # logs
_ESCAPED: Final = re.compile(rb"\\u00[0-7]")
_SPELT_PLAINLY: Final = re.compile(r"[ !#-.0-\[\]-~]+")  # ASCII but for `"`, `/` and `\`


class Places:
    """The lines of a log by what stands in them."""

    def __init__(self, name: str, file: int, words: Sequence[bytes]) -> None:
        self._data = mmap.mmap(file, 0, access=mmap.ACCESS_READ)
        self._keys, self._starts, self._numbers = array("I"), array("Q"), array("L")
        self.absent: frozenset[bytes] = frozenset()
        self.plain = False  # no letter is written as an escape
        place = _place(name, file)
        if not self._load(place):
            self._make(words)
            self._keep(place)

    def lines_of(self, round_: str) -> Iterator[tuple[int, int, bytes]]:
        """Lines that may hold a round of that id, in order: place, number, text."""
        key, at = zlib.crc32(round_.encode()), -1
        with suppress(ValueError):
            while True:
                at = self._keys.index(key, at + 1)
                start = self._starts[at]
                yield start, self._numbers[at], self._line(start)

    def has(self, text: str) -> bool:
        return self._data.find(_quoted(text)) >= 0

    def lines_with(self, word: bytes, end: int) -> Iterator[bytes]:
        """The lines before a place that hold a word, in order."""
        at = -1 if word in self.absent else self._data.find(word, 0, end)
        while at >= 0:
            start = self._data.rfind(b"\n", 0, at) + 1
            line = self._line(start)
            yield line
            at = self._data.find(word, start + len(line), end)

    def lines_back(self, text: str, end: int) -> Iterator[bytes]:
        """The lines before a place that hold a string, the last one first."""
        word = _quoted(text)
        at = self._data.rfind(word, 0, end)
        while at >= 0:
            start = self._data.rfind(b"\n", 0, at) + 1
            yield self._line(start)
            at = self._data.rfind(word, 0, start)

    def close(self) -> None:
        self._data.close()

    def _line(self, start: int) -> bytes:
        end = self._data.find(b"\n", start)
        return self._data[start : end if end >= 0 else len(self._data)]

    # --- the index

    def _make(self, words: Sequence[bytes]) -> None:
        absent, start, number = set(words), 0, 0
        escaped = False
        self._data.seek(0)
        while piece := self._data.read(_STEP):
            piece += self._data.readline()
            absent -= {word for word in absent if word in piece}
            escaped = escaped or (b"\\u00" in piece and _ESCAPED.search(piece) is not None)
            for line in piece.splitlines(True) if b"\r" not in piece else _split(piece):
                number += 1
                found = _ID.search(line)
                if found is not None:
                    self._keys.append(zlib.crc32(found.group(1)))
                    self._starts.append(start)
                    self._numbers.append(number)
                start += len(line)
        self.absent, self.plain = frozenset(absent), not escaped

    def _keep(self, place: Path | None) -> None:
        words = sorted(word.decode() for word in self.absent)
        head = json.dumps([len(self._keys), words, self.plain]).encode() + b"\n"
        parts = (self._keys, self._starts, self._numbers)
        content = head + b"".join(part.tobytes() for part in parts)
        cache.write_bytes(place, content, _KEPT)

    def _load(self, place: Path | None) -> bool:
        content = cache.read_bytes(place)
        if content is None:
            return False
        head, _, rest = content.partition(b"\n")
        with suppress(ValueError, TypeError):
            count, words, self.plain = json.loads(head)
            self.absent = frozenset(word.encode() for word in words)
            start = 0
            for part in (self._keys, self._starts, self._numbers):
                end = start + count * part.itemsize
                part.frombytes(rest[start:end])
                start = end
            return start == len(rest)
        return False


def places_of(name: str, at_least: int, words: Sequence[bytes]) -> Places | None:
    """None where the log is short, compressed, Parquet, or no regular file. `words`: those of
    which it is kept whether they stand anywhere in the log."""
    if name == "-":
        return None
    with suppress(OSError, ValueError, LogError):
        log = open_log(name)
        log.close()
        if log.parquet or not log.plain:
            return None
        with open(name, "rb") as file:
            state = os.fstat(file.fileno())
            if stat.S_ISREG(state.st_mode) and state.st_size >= max(at_least, 1):
                return Places(name, file.fileno(), words)
    return None


def spelt_plainly(text: str) -> bool:
    """Whether JSON has, escapes of letters aside, one way to write it."""
    return _SPELT_PLAINLY.fullmatch(text) is not None


def _quoted(text: str) -> bytes:
    return b'"' + text.encode() + b'"'


def _split(piece: bytes) -> list[bytes]:
    """Lines end in newlines only."""
    return [line + b"\n" for line in piece.removesuffix(b"\n").split(b"\n")]


def _place(name: str, file: int) -> Path | None:
    """By the file as it is: any change to it makes another index."""
    s = os.fstat(file)
    state = (os.path.abspath(name), s.st_dev, s.st_ino, s.st_size, s.st_mtime_ns, s.st_ctime_ns)
    return cache.place_of("places", repr(state).encode())
