"""Packed numbers and texts of Parquet: machine code.

Every place is looked at before it is used: the bytes may be anything.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from checker.columns.machine.compile import byte, compiled, inlined, items_at, load64, store64

CODE: Final = np.uint16
PARTS: Final = 8  # codes of an event, one of them unused
MOST_WORDS: Final = 2**16 - 1  # of a dictionary: one code more says that there is none
_LONGEST: Final = 2**20  # bytes of a text
_SHORT: Final = 2**40  # as the highest number: there are not enough of them


def unpacked(
    page: bytes, start: int, end: int, width: int, made: Any, below: int = 2**24, more: int = 0,
    column: int = 0,
) -> bool:  # fmt: skip
    """Numbers of `width` bits, packed or in runs, each as so many more, in a column of an array;
    False if there are not enough of them, or one is not below what is asked."""
    data = np.frombuffer(page, np.uint8)
    return 0 <= width <= 24 and _unpack(data, start, end, width, made, more, column) < below


@inlined
def _bytes_from(data: int, at: int, size: int) -> Any:
    """Eight bytes as one number; those behind the first `size` bytes of the data are 0."""
    if at + 8 <= size:
        return load64(data, at)
    word = np.uint64(0)
    for place in range(at, size):
        word |= np.uint64(byte(data, place)) << np.uint64(8 * (place - at))
    return word


@inlined
def run_at(data: int, at: int, end: int) -> tuple[int, int]:
    """How many numbers come next, twice that, and one more if they are packed; where they stand.
    Below 0: nothing that could be said of numbers."""
    header = shift = 0
    while True:
        if at >= end or shift > 28:
            return -1, at
        header |= (byte(data, at) & 127) << shift
        shift += 7
        at += 1
        if byte(data, at - 1) < 128:
            break
    return (header if 0 < header >> 1 < 2**31 else -1), at


@compiled
def _unpack(
    page: Any, start: int, end: int, width: int, table: Any, more: int, column: int
) -> int:
    """The highest number."""
    data, size = page.ctypes.data, len(page)
    made, count, add = items_at(table), len(table), np.uint64(more)
    step = PARTS if table.ndim == 2 else 1  # which is known when this is compiled
    highest = np.uint64(0)
    mask = np.uint64((1 << width) - 1)
    one, two, three = np.uint64(width), np.uint64(2 * width), np.uint64(3 * width)
    half, odd = width >> 1, np.uint64((width & 1) << 2)  # where the second four of eight begin
    at, done = start, 0
    while done < count:
        header, at = run_at(data, at, end)
        if header < 0:
            return _SHORT
        length = header >> 1
        if header & 1:
            if length * width > end - at:
                return _SHORT
            stop = done + min(length * 8, count - done)
            behind = at + length * width
            if width <= 16:  # four of them fit into a word
                while done + 8 <= stop and at + half + 8 <= size:
                    low, high = load64(data, at), load64(data, at + half) >> odd
                    a, b, c, d = low, low >> one, low >> two, low >> three
                    e, f, g, h = high, high >> one, high >> two, high >> three
                    a, b, c, d = a & mask, b & mask, c & mask, d & mask
                    e, f, g, h = e & mask, f & mask, g & mask, h & mask
                    highest = max(highest, a, b, c, d, e, f, g, h)
                    place = done * step + column
                    made[place], made[place + step] = a + add, b + add
                    made[place + 2 * step], made[place + 3 * step] = c + add, d + add
                    made[place + 4 * step], made[place + 5 * step] = e + add, f + add
                    made[place + 6 * step], made[place + 7 * step] = g + add, h + add
                    done += 8
                    at += width
            bits = at * 8
            while done < stop:
                value = (_bytes_from(data, bits >> 3, size) >> np.uint64(bits & 7)) & mask
                highest = max(highest, value)
                made[done * step + column] = value + add
                bits += width
                done += 1
            at = behind
        else:
            wide = (width + 7) // 8
            if at + wide > end:
                return _SHORT
            value = _bytes_from(data, at, size) & np.uint64((1 << 8 * wide) - 1)
            highest = max(highest, value)
            for place in range(done, done + min(length, count - done)):
                made[place * step + column] = value + add
            done += min(length, count - done)
            at += wide
    return int(highest)


@compiled
def texts_at(page: Any, starts: Any, lengths: Any) -> bool:
    """Texts, each behind four bytes that say how long it is."""
    at = 0
    for place in range(len(starts)):
        if at + 4 > len(page):
            return False
        size = (
            np.int64(page[at]) | np.int64(page[at + 1]) << 8 | np.int64(page[at + 2]) << 16
            | np.int64(page[at + 3]) << 24
        )  # fmt: skip
        at += 4
        if size > len(page) - at:
            return False
        starts[place] = at
        lengths[place] = size
        at += size
    return at == len(page)


@inlined
def _unsigned(data: int, at: int, end: int) -> tuple[int, int]:
    """A number in bytes of seven bits and the place behind it, which is -1 if there is none."""
    number = shift = 0
    while at < end and shift <= 28:
        number |= (byte(data, at) & 127) << shift
        shift += 7
        at += 1
        if byte(data, at - 1) < 128:
            return number, at
    return 0, -1


@compiled
def sizes_at(page: Any, start: int, made: Any) -> int:
    """Numbers from 0 up to _LONGEST, each stored as what it is more than the one before. The place
    behind them; -1 if they are anything else."""
    data, end, count = page.ctypes.data, len(page), len(made)
    block, at = _unsigned(data, start, end)
    if at < 0:
        return -1
    parts, at = _unsigned(data, at, end)
    if at < 0:
        return -1
    told, at = _unsigned(data, at, end)
    if at < 0 or told != count or parts == 0 or block == 0:
        return -1
    if block % 128 != 0 or block % (parts * 32) != 0:
        return -1
    first, at = _unsigned(data, at, end)
    if at < 0:
        return -1
    size = (first >> 1) ^ -(first & 1)
    of_part = block // parts
    done = 0
    if count:
        if size < 0 or size > _LONGEST:
            return -1
        made[0] = size
        done = 1
    while done < count:
        least, at = _unsigned(data, at, end)
        widths = at
        if at < 0 or parts > end - at:
            return -1
        at += parts
        least = (least >> 1) ^ -(least & 1)
        for part in range(parts):
            width = byte(data, widths + part)
            if done == count:
                break
            if width > 32 or of_part * width > 8 * (end - at):
                return -1
            mask = np.uint64((1 << width) - 1)
            bits = at * 8
            for _ in range(min(of_part, count - done)):
                more = (_bytes_from(data, bits >> 3, end) >> np.uint64(bits & 7)) & mask
                size += least + np.int64(more)
                if size < 0 or size > _LONGEST:
                    return -1
                made[done] = size
                done += 1
                bits += width
            at += of_part * width >> 3
    return at


@compiled
def join_texts(
    page: Any, at: int, same: Any, more: Any, quote: int, made: Any, starts: Any, lengths: Any
) -> int:
    """Texts that each begin with so many bytes of the one before, and go on with so many of the
    page; a byte `quote` before and behind each, if it is not 0. How many bytes that is in all; -1
    if they do not fit into `made` with eight bytes to spare, or the page does not end with them."""
    source, target = page.ctypes.data, made.ctypes.data
    used = before = length = 0
    for row in range(len(same)):
        kept, new = same[row], more[row]
        if kept > length or new > len(page) - at or used + kept + new + 2 + 8 > len(made):
            return -1
        if quote:
            made[used] = quote
            used += 1
        for place in range(0, kept, 8):  # what is too much is written over by what follows
            store64(target, used + place, load64(target, before + place))
        for place in range(0, new, 8):
            word = _bytes_from(source, at + place, len(page))
            store64(target, used + kept + place, word)
        at += new
        before, length = used, kept + new
        starts[row], lengths[row] = used, length
        used += length
        if quote:
            made[used] = quote
            used += 1
    return used if at == len(page) else -1
