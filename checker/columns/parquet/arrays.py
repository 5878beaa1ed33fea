"""The numbers and texts in arrays of Arrow.

They are taken from its memory as they lie there: its functions would load half of Arrow, and
pandas where that is installed, which takes longer than reading a short log.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from checker.columns.parquet.fill import quote
from checker.columns.read.json_bytes import PADDING


def there(values: Any) -> Any:
    """Which values are not null."""
    marks = values.buffers()[0]
    if marks is None:
        return np.ones(len(values), np.bool_)
    bits = np.unpackbits(np.frombuffer(marks, np.uint8), bitorder="little")
    return bits[values.offset : values.offset + len(values)].view(np.bool_)


def raw_numbers(values: Any, kind: Any) -> Any:
    """The numbers, whatever stands where one is null; read-only, so that machine code always meets
    the same kind of array."""
    memory = values.buffers()[1]
    found = np.zeros(len(values), kind)
    if memory is not None and len(values):
        start = values.offset * found.itemsize
        found = np.frombuffer(memory, kind, len(values), start)
    found.flags.writeable = False
    return found


def numbers(values: Any, kind: Any, null: int) -> Any:
    """The numbers; `null` where there is none."""
    found = raw_numbers(values, kind)
    return np.where(there(values), found, null).astype(kind) if values.null_count else found


class Texts:
    """Texts laid one behind the other. Each comes with where it starts and how long it is; -1 is
    none."""

    def __init__(self) -> None:
        self.parts: list[Any] = []
        self.size = 0

    def add(self, values: Any) -> tuple[Any, Any]:
        _, offsets_at, data_at = values.buffers()
        offsets = np.zeros(len(values) + 1, np.int32)
        if len(values) and offsets_at is not None:
            offsets = np.frombuffer(offsets_at, np.int32, len(values) + 1, 4 * values.offset)
        data = np.frombuffer(data_at, np.uint8) if data_at is not None else np.zeros(0, np.uint8)
        starts = offsets[:-1].astype(np.int64) + self.size
        lengths = np.diff(offsets).astype(np.int64)
        if values.null_count:
            lengths[~there(values)] = -1
        self.parts.append(data)
        self.size += len(data)
        return starts, lengths

    def add_quoted(self, values: Any) -> tuple[Any, Any]:
        """In quotes, as `moment` reads a time."""
        inner = Texts()
        starts, lengths = inner.add(values)
        made = np.empty(int(np.maximum(lengths, 0).sum()) + 2 * len(values), np.uint8)
        places = quote(inner.data(), starts, lengths, made) + self.size
        self.parts.append(made)
        self.size += len(made)
        return places, lengths

    def add_words(self, values: Any) -> tuple[Any, Any]:
        """Of an array of codes."""
        starts, lengths = self.add(values.dictionary)
        codes = numbers(values.indices, np.int32, -1)
        if len(starts) == 0:
            return codes * 0, codes * 0 - 1
        return starts[codes], np.where(codes < 0, -1, lengths[codes])

    def data(self) -> Any:
        return np.concatenate([*self.parts, np.zeros(PADDING, np.uint8)])
