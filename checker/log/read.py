"""Round logs as a stream: every line comes out as a Round, or as Quarantined with the reason.

Memory stays flat however long the log is.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from checker.evidence.log_digest import LogDigest
from checker.log.decode import DecodeError, decode_line, decode_round
from checker.log.model import Round
from checker.log.open import Cut, LogBytes, LogError, open_log
from checker.log.parquet_rows import Row, open_parquet, rows_of
from checker.log.strict_json import FIRST, NO_VALUE

__all__ = [
    "BOM",
    "KEPT",
    "MAX_LINE",
    "MOST_BAD",
    "Line",
    "LogError",
    "LogLine",
    "Quarantined",
    "given_up",
    "is_foreign",
    "judge_line",
    "judge_row",
    "raw_row",
    "read_log",
    "read_rows",
    "split_lines",
]

MAX_LINE: Final = 16 * 2**20
"""The longest line in bytes that is looked at."""

KEPT: Final = 256
"""Bytes that are kept of a line that is too long, so that a person can find it."""

MOST_BAD: Final = 1_000_000
"""So many lines in a row that are no rounds are no log: what follows is not read."""

BOM: Final = b"\xef\xbb\xbf"


@dataclass(slots=True)  # not frozen: there may be millions of them
class Quarantined:
    line: int
    raw: bytes
    """The line as it stands in the log, without its newline; only its start if it is too long."""
    reason: str
    cut_off: bool = False
    """The log ends here before it should: what came after is not known."""
    log: str = ""  # its name, where several are read


LogLine: TypeAlias = Round | Quarantined


def read_log(
    path: str | os.PathLike[str], *, max_line: int = MAX_LINE, watch: LogDigest | None = None
) -> Iterator[LogLine]:
    """Read a log, or standard input for `-`; LogError, here or later, if it cannot be used."""
    name = os.fspath(path)
    log = open_log(name, watch)
    if log.parquet:
        rows = rows_of(open_parquet(name, log.damaged))
        return _while_there_is_hope((found for _, found in read_rows(rows)), watch)
    lines = split_lines(log, max_line)
    judged = (found for line in lines for found in judge_line(line, max_line))
    return _while_there_is_hope(judged, watch)


def _while_there_is_hope(
    lines: Iterable[LogLine], watch: LogDigest | None = None
) -> Iterator[LogLine]:
    bad = 0  # in a row
    for found in lines:
        bad = bad + 1 if isinstance(found, Quarantined) else 0
        if bad > MOST_BAD:
            if watch is not None:
                watch.not_all_lines()
            yield given_up(found.line)
            return
        yield found


def given_up(line: int) -> Quarantined:
    """What stands for the rest of a log from that line on."""
    reason = f"{MOST_BAD:,} lines in a row are no valid rounds: the rest of the log is not read"
    return Quarantined(line, b"", reason, cut_off=True)


@dataclass(slots=True)
class Line:
    number: int
    raw: bytes
    size: int
    end: str | None = None
    """None: a newline; empty: the end of the log; else why the log ends here."""


def _split(chunks: Iterable[bytes], max_line: int) -> Iterator[Line]:
    number, size = 1, 0
    parts: list[bytes] = []
    end = ""
    try:
        for chunk in chunks:
            if not size and chunk.isspace():  # a log may be made of nothing but line ends
                number += chunk.count(b"\n")
                chunk = chunk[chunk.rfind(b"\n") + 1 :]
            *whole, rest = chunk.split(b"\n")
            for piece in whole:
                if not piece and not size:
                    number += 1
                    continue
                size += len(piece)
                if parts:
                    parts.append(piece)
                    piece = b"".join(parts)
                    parts.clear()
                yield Line(number, piece if size <= max_line else piece[:KEPT], size, None)
                number, size = number + 1, 0
            if rest:
                size += len(rest)
                parts.append(rest)
                if size > max_line:
                    parts = [b"".join(parts)[:KEPT]]
    except Cut as cut:
        end = str(cut)
    if size or end:
        yield Line(number, b"".join(parts), size, end)


def split_lines(log: LogBytes, max_line: int = MAX_LINE) -> Iterator[Line]:
    try:
        yield from _split(log.chunks, max_line)
    finally:
        log.close()


def judge_line(line: Line, max_line: int = MAX_LINE) -> Sequence[LogLine]:
    number, raw, ends = line.number, line.raw, line.end
    if ends is None and line.size <= max_line and is_foreign(raw):
        return (Quarantined(number, raw, NO_VALUE),)
    if ends is None and line.size <= _SHORT and number > 1:
        short = _short_reason(raw)
        if short is not None:
            return (Quarantined(number, raw, short),)
    return list(_judged(line, max_line))


def is_foreign(raw: bytes) -> bool:
    """A line that begins as no JSON does: of a million of them none is looked at twice."""
    return raw[:1] not in _FIRST_BYTES and raw.isascii()


_FIRST_BYTES: Final = frozenset((b"", *(bytes([one]) for one in range(0x80) if chr(one) in FIRST)))


_SHORT: Final = 64  # bytes: no round is so short, and such lines are often the same


@lru_cache(maxsize=1024)
def _short_reason(text: bytes) -> str | None:
    """Why it is no round; None where nothing stands there."""
    try:
        decode_line(text)
    except DecodeError as error:
        return error.reason if text.strip() else None
    return None


def _judged(line: Line, max_line: int) -> Iterator[LogLine]:
    number, raw, ends = line.number, line.raw, line.end
    text = raw.removeprefix(BOM) if number == 1 else raw
    if line.size > max_line:
        yield Quarantined(number, raw, f"the line is longer than {max_line} bytes")
    elif text.strip():
        try:
            yield decode_line(text, number)
        except DecodeError as error:
            if ends and error.not_json:
                yield Quarantined(number, raw, ends, cut_off=True)
                return
            if ends == "" and error.not_json:
                reason = "the log is cut off in the middle of this line"
                yield Quarantined(number, raw, reason, cut_off=True)
            else:
                yield Quarantined(number, raw, error.reason)
    elif ends:
        yield Quarantined(number, raw, ends, cut_off=True)
        return
    if ends:
        yield Quarantined(number + 1, b"", ends, cut_off=True)


def read_rows(rows: Iterator[Row]) -> Iterator[tuple[Row | None, LogLine]]:
    """The rows of a Parquet file, and what each is."""
    number = 0
    try:
        for number, row in enumerate(rows, 1):
            yield row, judge_row(row, number)
    except Cut as cut:
        yield None, Quarantined(number + 1, b"", str(cut), cut_off=True)


def judge_row(row: Row, number: int) -> LogLine:
    try:
        if isinstance(row, DecodeError):
            raise row
        return decode_round(row, number)
    except DecodeError as error:
        return Quarantined(number, raw_row(row), error.reason)


def raw_row(row: Row) -> bytes:
    """A row as it is kept when it is no valid round."""
    import json

    return b"" if isinstance(row, DecodeError) else json.dumps(row, default=str).encode()
