"""The numbers and texts of a Parquet log.

They are taken from the memory of Arrow as they lie there: its functions would load half of Arrow,
and pandas where that is installed, which takes longer than reading a short log.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from checker.columns.parquet.fill import quote
from checker.columns.read.json_bytes import PADDING


def there(values: Any) -> Any:
    """Which values of an array of Arrow are not null."""
    marks = values.buffers()[0]
    if marks is None:
        return np.ones(len(values), np.bool_)
    bits = np.unpackbits(np.frombuffer(marks, np.uint8), bitorder="little")
    return bits[values.offset : values.offset + len(values)].view(np.bool_)


def numbers(values: Any, kind: Any, null: int) -> Any:
    """The numbers of an array of Arrow; `null` where there is none."""
    raw = values.buffers()[1]
    if raw is None:
        return np.full(len(values), null, kind)
    found = np.frombuffer(raw, kind)[values.offset : values.offset + len(values)]
    return np.where(there(values), found, null).astype(kind) if values.null_count else found


class Texts:
    """Texts laid one behind the other. Each comes with where it starts and how long it is; -1 is
    none."""

    def __init__(self) -> None:
        self.parts: list[Any] = []
        self.size = 0

    def add(self, values: Any) -> tuple[Any, Any]:
        values.validate(full=True)  # that it is UTF-8 above all
        _, offsets_at, data_at = values.buffers()
        offsets = np.zeros(len(values) + 1, np.int32)
        if len(values) and offsets_at is not None:
            whole = np.frombuffer(offsets_at, np.int32)
            offsets = whole[values.offset : values.offset + len(values) + 1]
        data = np.frombuffer(data_at, np.uint8) if data_at is not None else np.zeros(0, np.uint8)
        starts = offsets[:-1].astype(np.int64) + self.size
        lengths = np.diff(offsets).astype(np.int64)
        if values.null_count:
            lengths[~there(values)] = -1
        self.join(data)
        return starts, lengths

    def add_quoted(self, values: Any) -> tuple[Any, Any]:
        """In quotes, as `moment` reads a time."""
        inner = Texts()
        starts, lengths = inner.add(values)
        made = np.empty(int(np.maximum(lengths, 0).sum()) + 2 * len(values), np.uint8)
        places = quote(inner.data(), starts, lengths, made)
        return places + self.join(made), lengths

    def join(self, data: Any) -> int:
        """Where these bytes lie then."""
        self.parts.append(data)
        self.size += len(data)
        return self.size - len(data)

    def data(self) -> Any:
        return np.concatenate([*self.parts, np.zeros(PADDING, np.uint8)])
