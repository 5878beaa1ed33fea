"""Where the rounds of a long log stand, and what may stand in each: an index that is made once and
kept in the user's cache.

It only makes things faster: whoever uses it decodes what stands at a place and looks whether it is
what was asked for. A line may tell what it is marked with; what it is not marked with it does not.
"""

from __future__ import annotations

import json
import os
import re
import sys
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from checker.log.open import Cut, open_log
from checker.log.parquet_layout import is_ours
from checker.log.parquet_rows import batches, open_parquet
from checker.log.read import BOM, MAX_LINE
from rulespec.base import cache

Marks = Sequence[Sequence[str]]
"""Groups of words. A line has the mark of a group when it may hold one of its words."""

_KEPT: Final = 20  # logs
_MOST_ROWS: Final = 1 << 26
_MOST_TABLES: Final = 1 << 16
_ALL: Final = (1 << 16) - 1
_PARTS: Final = ("Q", "I", "H", "H")
# the start of an object as far as its values are plain: what stands there is at its top level
_HEAD: Final = re.compile(rb'\s*\{\s*((?:"\w+"\s*:\s*(?:"[^"\\]*"|[\w.+-]+)\s*,\s*)+)')
_FIELD: Final = re.compile(rb'"(round|table)"\s*:\s*"([^"\\]*)"')
_ESCAPED: Final = re.compile(rb"\\u00[0-7]")


class TooMuch(Exception):
    """More lines or tables than are kept apart, or a line that nobody would read."""


class Places:
    """A row for each line of a log, in order; the first line is row 0."""

    def __init__(self) -> None:
        self.starts = array("Q", [0])  # where each line begins, and where the last one ends
        self.keys, self.codes, self.marks = array("I"), array("H"), array("H")
        self.of_table: list[int] = []  # what the lines of each table are marked with
        self._code_of: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self.keys)

    def rows_of(self, round_: str) -> Iterator[int]:
        """Rows that may hold a round of that id, in order."""
        key, at = zlib.crc32(_bytes(round_)), -1
        with suppress(ValueError):
            while True:
                at = self.keys.index(key, at + 1)
                yield at

    def before(self, row: int, marks: int = 0) -> Iterator[int]:
        """Rows of the same table before a row, the last one first; with one of these marks."""
        code, codes, held = self.codes[row], self.codes, self.marks
        if marks and not self.of_table[code] & marks:
            return
        for at in range(row - 1, -1, -1):
            if codes[at] == code and (not marks or held[at] & marks):
                yield at

    def after(self, row: int) -> Iterator[int]:
        """Rows of the same table after a row, in order."""
        with suppress(ValueError):
            while True:
                row = self.codes.index(self.codes[row], row + 1)
                yield row

    def marked(self, mark: int, end: int) -> Iterator[int]:
        """Rows of any table before a row that may hold a mark, in order."""
        if any(held & mark for held in self.of_table):
            held = self.marks
            yield from (at for at in range(end) if held[at] & mark)

    def add(self, size: int, round_: bytes, table: bytes, marks: int) -> None:
        self.starts.append(self.starts[-1] + size)
        self.keys.append(zlib.crc32(round_))
        code = self._code_of.setdefault(table, len(self._code_of))
        if code == len(self.of_table):
            self.of_table.append(0)
        if code == _MOST_TABLES or len(self.keys) > _MOST_ROWS:
            raise TooMuch
        self.codes.append(code)
        self.marks.append(marks)
        self.of_table[code] |= marks

    def content(self) -> bytes:
        parts = (self.starts, self.keys, self.codes, self.marks)
        head = [sys.byteorder, *(part.itemsize for part in parts), len(self), self.of_table]
        return json.dumps(head).encode() + b"\n" + b"".join(part.tobytes() for part in parts)

    @classmethod
    def of_content(cls, content: bytes) -> Places | None:
        head, _, rest = content.partition(b"\n")
        made = cls()
        made.starts = array("Q")
        parts = (made.starts, made.keys, made.codes, made.marks)
        with suppress(ValueError, TypeError):
            order, *sizes, count, made.of_table = json.loads(head)
            if order != sys.byteorder or sizes != [part.itemsize for part in parts]:
                return None
            view, at = memoryview(rest), 0
            for part in parts:
                end = at + (count + (part is made.starts)) * part.itemsize
                part.frombytes(view[at:end])
                at = end
            return made if at == len(rest) and len(made) == count else None
        return None


def places_of(name: str, marks: Marks, make: bool = True) -> Places | None:
    """Of a log in JSON Lines, or in Parquet as `convert` writes it; None where it has too many
    lines or another form, or where nothing is kept and nothing is to be made. LogError where it
    cannot be read."""
    kept = _kept_at(name, marks)
    content = cache.read_bytes(kept)
    made = None if content is None else Places.of_content(content)
    if made is None and make:
        with suppress(TooMuch):
            made = _made(name, marks)
            cache.write_bytes(kept, made.content(), _KEPT)
    return made


def _kept_at(name: str, marks: Marks) -> Path | None:
    """By the file as it is: any change to it makes another index."""
    s = os.stat(name)
    state = (os.path.abspath(name), s.st_dev, s.st_ino, s.st_size, s.st_mtime_ns, s.st_ctime_ns)
    return cache.place_of("places", repr((state, marks)).encode())


def _made(name: str, marks: Marks) -> Places:
    found = Places()
    log = open_log(name)
    try:
        if log.parquet:
            _rows(open_parquet(name, log.damaged), found, marks)
        else:
            with suppress(Cut):
                _lines(log.chunks, found, marks)
    finally:
        log.close()
    return found


def _lines(chunks: Iterable[bytes], found: Places, marks: Marks) -> None:
    words = [[f'"{word}"'.encode() for word in group] for group in marks]
    first, rest = True, b""
    add = partial(_line, found, words)
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n") if rest else chunk.split(b"\n")
        for line in whole:
            add(line, first)
            first = False
        if len(rest) > MAX_LINE:
            raise TooMuch
    if rest:
        add(rest, first)


def _line(found: Places, words: list[list[bytes]], line: bytes, first: bool) -> None:
    size = len(line) + 1
    if first:
        line = line.removeprefix(BOM)
    head = _HEAD.match(line)
    told = dict(_FIELD.findall(head[1])) if head is not None else {}
    if len(told) < 2:
        told = _told(line)
    marks = 0
    if b"\\" in line and _ESCAPED.search(line) is not None:
        marks = _ALL
    else:
        for at, group in enumerate(words):
            for word in group:
                if word in line:
                    marks |= 1 << at
                    break
    found.add(size, told.get(b"round", b""), told.get(b"table", b""), marks)


def _told(line: bytes) -> dict[bytes, bytes]:
    """The same of a line that is written otherwise; empty where it is no round."""
    try:
        read = json.loads(line)
        return {b"round": _bytes(read["round"]), b"table": _bytes(read["table"])}
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return {}


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


# --- Parquet


def _rows(file: Any, found: Places, marks: Marks) -> None:
    import pyarrow

    if not is_ours(file):
        raise TooMuch
    mark_of: dict[str, int] = {}
    for at, group in enumerate(marks):
        for word in group:
            mark_of[word] = mark_of.get(word, 0) | 1 << at
    with file, suppress(pyarrow.ArrowException, OSError):
        for group_number in range(file.num_row_groups):
            for batch in batches(file, group_number):
                _batch(batch, found, mark_of, marks)


def _batch(batch: Any, found: Places, mark_of: dict[str, int], marks: Marks) -> None:
    column: Callable[[str], list[Any]] = lambda name: batch.column(name).to_pylist()  # noqa: E731
    events = batch.column("events")
    kinds, whats, cards = (events.values.field(name).to_pylist() for name in ("e", "what", "card"))
    offsets = events.offsets.to_pylist()
    for row, (round_, table, line) in enumerate(
        zip(column("round"), column("table"), column("line"), strict=True)
    ):
        if line is not None:
            text = line.encode()
            words = [[f'"{word}"'.encode() for word in group] for group in marks]
            _line(found, words, text, False)
            continue
        start, end = offsets[row], offsets[row + 1]
        held = 0
        for word in {*kinds[start:end], *whats[start:end]}:
            held |= mark_of.get(word, 0)
        if any(c and k == "wager" for k, c in zip(kinds[start:end], cards[start:end], strict=True)):
            held |= mark_of.get("player_card", 0)
        found.add(1, _bytes(round_ or ""), _bytes(table or ""), held)
