"""The bytes of an export, unpacked if its name ends in `.gz`: as far as it can be read, and no
further than an export may unfold."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from checker.imports.files import FileError
from checker.log.open import Cut, gunzipped
from rulespec.base.regular_files import open_regular

_CHUNK = 1 << 18


def open_unpacked(path: Path) -> BinaryIO:
    """FileError, here or while it is read, where the file cannot be used."""
    return io.BufferedReader(_Unpacked(path), _CHUNK)


def check_packed(path: Path) -> None:
    """Read once to its end, so that a reader without limits is never given more than they allow."""
    if path.suffix == ".gz":
        with open_unpacked(path) as file:
            while file.read(_CHUNK):
                pass


class _Unpacked(io.RawIOBase):
    def __init__(self, path: Path) -> None:
        self._chunks = _chunks(path)
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, room: memoryview) -> int:  # type: ignore[override]
        while not self._rest:
            chunk = next(self._chunks, None)
            if chunk is None:
                return 0
            self._rest = memoryview(chunk)
        size = min(len(room), len(self._rest))
        room[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size


def _chunks(path: Path) -> Iterator[bytes]:
    try:
        with open_regular(path) as file:
            chunks = iter(lambda: file.read(_CHUNK), b"")
            yield from gunzipped(chunks) if path.suffix == ".gz" else chunks
    except Cut as cut:
        raise FileError(path, str(cut), "is it whole? `gzip --test FILE` tells") from None
    except OSError as error:
        raise FileError(path, (error.strerror or "it cannot be read").lower()) from None
