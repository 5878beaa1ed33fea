"""Memory for the columns of a piece, which the next pieces use again.

Fresh memory has to be cleared page by page, which costs as much as reading a log. What comes from
here returns by itself when the last array that looks at it is gone.
"""

from __future__ import annotations

import math
import mmap
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from threading import Lock
from typing import Any, Final

import numpy as np

_UNIT: Final = 2**20
_LINE: Final = 64  # arrays begin where a line of the processor's cache does
_free: list[mmap.mmap] = []
_lock = Lock()


def rows(*wanted: tuple[Sequence[int], Any]) -> list[Any]:
    """Arrays of these shapes and kinds, side by side, whatever may stand in them."""
    sizes = [math.prod(shape) * np.dtype(kind).itemsize for shape, kind in wanted]
    places = [0, *accumulate(-(-size // _LINE) * _LINE for size in sizes)]
    room = _room(max(places[-1], 1))
    whole = np.frombuffer(room, np.uint8)
    weakref.finalize(whole, _free.append, room).atexit = False
    return [
        whole[at : at + size].view(kind).reshape(shape)
        for at, size, (shape, kind) in zip(places, sizes, wanted, strict=False)
    ]


@contextmanager
def kept_back() -> Iterator[None]:
    """A process that is forked here does not get what nobody uses now: else each page of it would
    be copied when this process writes to it."""
    with _lock:
        marked = list(_free) if hasattr(mmap, "MADV_DONTFORK") else []
        for room in marked:
            room.madvise(mmap.MADV_DONTFORK)
        try:
            yield
        finally:
            for room in marked:
                room.madvise(mmap.MADV_DOFORK)


def _room(size: int) -> mmap.mmap:
    with _lock:
        enough = [room for room in _free if len(room) >= size]
        if enough:
            found = min(enough, key=len)
            _free.remove(found)
            return found
        if _free:
            _free.remove(max(_free, key=len))  # else rooms that are too small would pile up
    size = -(-size // _UNIT) * _UNIT
    if hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return mmap.mmap(-1, size)
