"""Round logs as a stream: every line comes out as a Round, or as Quarantined with the reason.

Memory stays flat however long the log is, except for eight bytes of digest a round, by which
a round that stands twice is known. How a file is compressed is seen from its first bytes.
"""

from __future__ import annotations

import os
import re
import sys
import zlib
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from itertools import chain
from typing import Any, BinaryIO, Final, TypeAlias

from checker.decode import DecodeError, decode_line, decode_round, parse_json, short
from checker.rounds import Round

MAX_LINE: Final = 16 * 2**20
"""The longest line in bytes that is looked at."""

_CHUNK: Final = 2**18
_KEPT: Final = 256  # of a line that is too long, so that a person can find it
_BOM: Final = b"\xef\xbb\xbf"
_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18", re.DOTALL)
_PARQUET: Final = b"PAR1"
_OBJECT_LINE: Final = re.compile(rb'^(?:\xef\xbb\xbf)?[ \t]*\{\s*["}]', re.MULTILINE)
_WHAT_A_LOG_IS: Final = "a round log is JSON Lines in UTF-8, plain, .gz or .zst, or it is Parquet"


class LogError(Exception):
    """The log cannot be used at all. One line, and advice kept apart in `help`."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.help = help


@dataclass(frozen=True, slots=True)
class Quarantined:
    line: int
    raw: bytes
    """The line as it stands in the log, without its newline; only its start if it is too long."""
    reason: str
    cut_off: bool = False
    """The log ends here before it should: what came after is not known."""


LogLine: TypeAlias = Round | Quarantined


def read_log(
    path: str | os.PathLike[str], *, max_line: int = MAX_LINE, seen: set[int] | None = None
) -> Iterator[LogLine]:
    """Read a log, or standard input for `-`; LogError, here or later, if it cannot be used.

    Pass one set as `seen` to several calls to find rounds that stand in more than one log.
    """
    seen = set() if seen is None else seen
    name = os.fspath(path)
    stream = _open(name)
    try:
        chunks = _chunks(stream, name)
        head = b""
        # A pipe may bring the first bytes one by one.
        while len(head) < 4 and (more := next(chunks, b"")):
            head += more
        if head.startswith(_PARQUET) or name.endswith(".parquet"):
            rows = _parquet_rows(name, head)
            _close(stream)
            return _read_rows(rows, seen)
        data = filter(None, _decompressed(chain([head], chunks), head, name))
        cut: _Cut | None = None
        first = b""
        try:
            first = next(data, b"")
        except _Cut as early:
            cut = early
        if _is_binary(first):
            raise LogError(f"`{name}` is not a round log", _WHAT_A_LOG_IS)
    except BaseException:
        _close(stream)
        raise
    return _read_lines(stream, chain([first], _again(cut, data)), max_line, seen)


# files


def _open(name: str) -> BinaryIO:
    if name == "-":
        if sys.stdin is None:
            raise LogError("there is no standard input")
        return sys.stdin.buffer
    try:
        return open(name, "rb")
    except FileNotFoundError:
        raise LogError(f"`{name}` does not exist") from None
    except IsADirectoryError:
        raise LogError(f"`{name}` is a folder", "name the log files in it") from None
    except PermissionError:
        raise LogError(f"`{name}` may not be read", "ask for the right to read it") from None
    except (OSError, ValueError) as error:
        raise LogError(f"`{name}` cannot be opened: {_said(error)}") from None


def _close(stream: BinaryIO) -> None:
    if sys.stdin is None or stream is not sys.stdin.buffer:
        stream.close()


def _said(error: BaseException) -> str:
    said = (error.strerror if isinstance(error, OSError) else None) or str(error)
    lines = said.strip().splitlines() or [type(error).__name__]
    return (lines[0][:1].lower() + lines[0][1:200]).rstrip(".")


def _chunks(stream: BinaryIO, name: str) -> Iterator[bytes]:
    try:
        # read1: what a pipe has so far is worked on, and a live log is not held up.
        while chunk := stream.read1(_CHUNK):  # type: ignore[attr-defined]
            yield chunk
    except OSError as error:
        raise LogError(f"`{name}` cannot be read on: {_said(error)}") from None


def _is_binary(first: bytes) -> bool:
    head = first[:8192]
    try:
        text = "\0" not in getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        text = False
    # A log whose first lines are damaged is still a log: its other lines look like objects.
    return not text and not _OBJECT_LINE.search(head)


# compression


class _Cut(Exception):
    """The compressed stream ends before its end, or cannot be followed further."""


_ENDS_EARLY: Final = "the compressed stream ends early, and the log with it"
_DAMAGED: Final = "the compressed stream is damaged here, and the rest cannot be read"


def _again(cut: _Cut | None, data: Iterator[bytes]) -> Iterator[bytes]:
    if cut:
        raise cut
    yield from data


def _decompressed(chunks: Iterator[bytes], head: bytes, name: str) -> Iterator[bytes]:
    short = len(head) < 4  # too short for a magic number, so the name has to say it
    if head.startswith(_GZIP) or (short and name.endswith(".gz")):
        return _gunzip(chunks)
    if _ZSTD.match(head) or (short and name.endswith(".zst")):
        return _unzstd(chunks, name)
    return chunks


def _gunzip(chunks: Iterator[bytes]) -> Iterator[bytes]:
    stream = zlib.decompressobj(wbits=31)
    for chunk in chunks:
        while chunk:
            if stream.eof:
                chunk = chunk.lstrip(b"\0")  # padding, as tapes and some copiers leave it
                if not chunk:
                    break
                stream = zlib.decompressobj(wbits=31)
            before = stream.copy()
            try:
                piece = stream.decompress(chunk, _CHUNK)
            except zlib.error:
                # What this call had made is lost with the exception: make it again, byte by byte.
                yield from _salvaged(before, chunk)
                raise _Cut(_DAMAGED) from None
            yield piece
            chunk = stream.unused_data if stream.eof else stream.unconsumed_tail
    if not stream.eof:
        yield stream.flush()
    if not stream.eof:
        raise _Cut(_ENDS_EARLY)


def _salvaged(stream: Any, chunk: bytes) -> Iterator[bytes]:
    try:
        for at in range(len(chunk)):
            yield stream.decompress(chunk[at : at + 1])
    except zlib.error:
        return


def _unzstd(chunks: Iterator[bytes], name: str) -> Iterator[bytes]:
    try:
        import zstandard
    except ImportError:
        raise LogError(
            f"`{name}` is compressed with zstd, and the module `zstandard` is missing",
            "pip install 'rulespec[zstd]', or decompress it first: zstd -dc FILE | … -",
        ) from None
    stream = zstandard.ZstdDecompressor().decompressobj()
    for chunk in chunks:
        # Four bytes can stand for 128 KiB, and there is no other way to bound what comes out.
        for start in range(0, len(chunk), 256):
            piece = chunk[start : start + 256]
            while piece:
                if stream.eof:
                    stream = zstandard.ZstdDecompressor().decompressobj()
                try:
                    yield stream.decompress(piece)
                except zstandard.ZstdError:
                    raise _Cut(_DAMAGED) from None
                piece = stream.unused_data if stream.eof else b""
    if not stream.eof:
        raise _Cut(_ENDS_EARLY)


# lines


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    raw: bytes
    size: int
    end: str | None
    """None: a newline; empty: the end of the log; else why the log ends here."""


def _split(chunks: Iterable[bytes], max_line: int) -> Iterator[_Line]:
    number, size = 1, 0
    parts: list[bytes] = []
    end = ""
    try:
        for chunk in chunks:
            *whole, rest = chunk.split(b"\n")
            for piece in whole:
                size += len(piece)
                if parts:
                    parts.append(piece)
                    piece = b"".join(parts)
                    parts.clear()
                yield _Line(number, piece if size <= max_line else piece[:_KEPT], size, None)
                number, size = number + 1, 0
            if rest:
                size += len(rest)
                parts.append(rest)
                if size > max_line:
                    parts = [b"".join(parts)[:_KEPT]]
    except _Cut as cut:
        end = str(cut)
    if size or end:
        yield _Line(number, b"".join(parts), size, end)


def _read_lines(
    stream: BinaryIO, chunks: Iterable[bytes], max_line: int, seen: set[int]
) -> Iterator[LogLine]:
    try:
        for line in _split(chunks, max_line):
            yield from _judged(line, max_line, seen)
    finally:
        _close(stream)


def _judged(line: _Line, max_line: int, seen: set[int]) -> Iterator[LogLine]:
    number, raw, ends = line.number, line.raw, line.end
    text = raw.removeprefix(_BOM) if number == 1 else raw
    if line.size > max_line:
        yield Quarantined(number, raw, f"the line is longer than {max_line} bytes")
    elif text.strip():
        try:
            yield _once(decode_line(text, number), seen)
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


def _once(found: Round, seen: set[int]) -> Round:
    # casinos number their tables alike: a rulebook keeps them apart
    parts = (found.rulebook or "", found.table, found.id)
    key = "".join(f"{len(part)}:{part}" for part in parts).encode()
    digest = int.from_bytes(blake2b(key, digest_size=8).digest(), "big")
    if digest in seen:
        twice = f"`{short(found.id)}` of table `{short(found.table)}` stands twice in the log"
        raise DecodeError(f"round: {twice}")
    seen.add(digest)
    return found


# Parquet

_NEEDED: Final = ("round", "table", "at", "decks", "events")
_COLUMNS: Final = (*_NEEDED, "format", "shoe", "rulebook", "options", "limits")
_NESTED: Final = ("options", "limits", "events")
Row: TypeAlias = dict[str, Any] | DecodeError


def _parquet_rows(name: str, head: bytes) -> Iterator[Row]:
    if name == "-":
        raise LogError("a Parquet log cannot come from standard input", "name the file instead")
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise LogError(
            f"`{name}` is Parquet, and the module `pyarrow` is missing",
            "pip install 'rulespec[parquet]'",
        ) from None
    try:
        file = pyarrow.parquet.ParquetFile(name)
        there = set(file.schema_arrow.names)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        what = "is damaged or cut off" if head.startswith(_PARQUET) else "is not Parquet"
        raise LogError(f"`{name}` {what}: {_said(error)}", _WHAT_A_LOG_IS) from None
    lacking = [column for column in _NEEDED if column not in there]
    if lacking:
        file.close()
        raise LogError(f"`{name}` has no column `{lacking[0]}`", _WHAT_A_LOG_IS)
    return _rows_of(file, [column for column in _COLUMNS if column in there])


def _rows_of(file: Any, columns: list[str]) -> Iterator[Row]:
    import pyarrow

    try:
        with file:
            for batch in file.iter_batches(batch_size=512, columns=columns):
                for index in range(batch.num_rows):
                    yield _row(batch, index)
    except (pyarrow.ArrowException, OSError) as error:
        raise _Cut(f"the Parquet file is damaged here: {_said(error)}") from None


def _row(batch: Any, index: int) -> Row:
    try:
        row = {
            name: _plain(batch.column(at)[index].as_py(), name)
            for at, name in enumerate(batch.schema.names)
        }
        return {name: value for name, value in row.items() if value is not None}
    except DecodeError as error:
        return error
    except (ValueError, OverflowError, KeyError) as error:
        return DecodeError(f"a value cannot be read: {_said(error)}")


def _plain(value: Any, name: str) -> Any:
    """What JSON would have held. A null is how Parquet says that a field is absent."""
    if isinstance(value, dict):
        return {key: _plain(inner, key) for key, inner in value.items() if inner is not None}
    if isinstance(value, list) and name in ("limits", "box_max"):  # a map comes as pairs
        made = {str(key): _plain(inner, str(key)) for key, inner in value}
        if len(made) != len(value):
            raise DecodeError(f"{name}: a key stands twice")
        return made
    if isinstance(value, list):
        return [_plain(inner, "") for inner in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, str) and name in _NESTED:
        try:
            return parse_json(value)
        except DecodeError as error:
            raise DecodeError(f"{name}: {error.reason}") from None
    return value


def _read_rows(rows: Iterator[Row], seen: set[int]) -> Iterator[LogLine]:
    import json

    number = 0
    try:
        for number, row in enumerate(rows, 1):
            try:
                if isinstance(row, DecodeError):
                    raise row
                yield _once(decode_round(row, number), seen)
            except DecodeError as error:
                raw = b"" if row is error else json.dumps(row, default=str).encode()
                yield Quarantined(number, raw, error.reason)
    except _Cut as cut:
        yield Quarantined(number + 1, b"", str(cut), cut_off=True)
