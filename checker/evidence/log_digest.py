"""What was read of a log: hashes of its bytes as they come, its lines, its rounds, its time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from hashlib import file_digest, sha256
from typing import Any, Final

from checker.evidence.merkle import Tree

_STEP: Final = 2**18
_LONG: Final = 2**20  # bytes of a line from which on it is not kept in one piece


class LogDigest:
    """Fed while a log is read, so that it tells of the very bytes that were judged."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.rounds: int | None = 0
        self.first: datetime | None = None
        self.last: datetime | None = None
        self.lines: int | None = None
        self.root: str | None = None
        self.raw: str | None = None
        self.content: str | None = None
        self.bytes = 0
        self._raw = sha256()
        self._content = sha256()
        self._plain = True
        self._tree = Tree()
        self._rest = b"\0"  # of a line whose end has not come; with the mark of a leaf before it
        self._long: Any = None  # the hash of such a line, when it is long
        self._is_text = True
        self._all = True
        self._open = True

    # --- bytes

    def packed(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """The bytes of the file, where they are decompressed later."""
        self._plain = False
        for chunk in chunks:
            self._raw.update(chunk)
            self.bytes += len(chunk)
            yield chunk

    def text(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """The bytes that hold the lines."""
        for chunk in chunks:
            self.read(chunk)
            yield chunk

    def read(self, data: bytes | memoryview) -> None:
        for start in range(0, len(data), _STEP):
            piece = bytes(data[start : start + _STEP])
            self._content.update(piece)
            if self._plain:
                self.bytes += len(piece)
            self._split(piece)

    def _split(self, piece: bytes) -> None:
        if self._long is None and self._rest == b"\0" and not piece.strip(b"\n"):
            return  # a log may be made of nothing but line ends, and an empty line says nothing
        first, *lines = piece.replace(b"\n", b"\n\0").split(b"\n")
        if self._long is not None:
            self._long.update(first)
            if not lines:
                return
            self._tree.add([self._long.digest()])
            self._long = None
        else:
            lines.insert(0, self._rest + first)
        self._rest = lines.pop()
        self._tree.add([sha256(line).digest() for line in lines if len(line) > 1])
        if len(self._rest) > _LONG:
            self._long, self._rest = sha256(self._rest), b"\0"

    # --- rounds

    def saw(self, first: datetime, last: datetime | None = None, rounds: int = 1) -> None:
        """Some rounds, and the earliest and the latest time of them."""
        last = first if last is None else last
        if self.rounds is not None:
            self.rounds += rounds
        if self.first is None or first < self.first:
            self.first = first
        if self.last is None or last > self.last:
            self.last = last

    def not_all_rounds(self) -> None:
        """Not every round is looked at: how many there are is not known."""
        self.rounds = None

    def not_all_lines(self) -> None:
        """What follows is not looked at: only the file as a whole is known."""
        self._all = False
        self.content = self.lines = self.root = None

    def no_lines(self) -> None:
        """The log is Parquet, which is read otherwise."""
        self._is_text = False
        self.close()

    # --- at the end

    def close(self) -> None:
        """The log is read to its end, or as far as it can be read."""
        if not self._open:
            return
        self._open = False
        if self._long is not None:
            self._tree.add([self._long.digest()])
        elif len(self._rest) > 1:
            self._tree.add([sha256(self._rest).digest()])
        if self._is_text and self._all:
            self.content = self._content.hexdigest()
            self.lines = self._tree.size
            self.root = self._tree.root().hex()
        self.raw = self.content if self._plain else self._raw.hexdigest()
        with suppress(OSError):
            if not self._is_text or not self._all or (not self._plain and self._is_cut()):
                with open(self.path, "rb") as file:
                    self.raw = file_digest(file, "sha256").hexdigest()
                    self.bytes = file.tell()

    def _is_cut(self) -> bool:
        """Whether the end of the file could not be decompressed."""
        return self.path != "-" and os.path.getsize(self.path) != self.bytes

    def as_json(self) -> dict[str, Any]:
        known = self.rounds is not None
        first, last = (
            one.isoformat() if known and one is not None else None
            for one in (self.first, self.last)
        )
        return {
            "path": self.path,
            "sha256": self.raw,
            "kind": "log",
            "bytes": self.bytes,
            "sha256_content": self.content,
            "lines": self.lines,
            "merkle_root": self.root,
            "rounds": self.rounds,
            "from": first,
            "to": last,
        }
