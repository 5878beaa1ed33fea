"""The bytes of a log, decompressed as they come. How it is compressed is seen from its start."""

from __future__ import annotations

import re
import sys
import zlib
from codecs import getincrementaldecoder
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import Any, BinaryIO, Final

from checker.evidence.log_digest import LogDigest
from rulespec.base.errors import LogError as LogError
from rulespec.base.regular_files import NotRegular, open_regular

_CHUNK: Final = 2**18
_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18", re.DOTALL)
_PARQUET: Final = b"PAR1"
_OBJECT_LINE: Final = re.compile(rb'^(?:\xef\xbb\xbf)?[ \t]*\{\s*["}]', re.MULTILINE)
WHAT_A_LOG_IS: Final = "a round log is JSON Lines in UTF-8, plain, .gz or .zst, or it is Parquet"


@dataclass(frozen=True, slots=True)
class LogBytes:
    """An opened log: its bytes, or that it is Parquet, which is read otherwise."""

    stream: BinaryIO
    chunks: Iterator[bytes]
    """Decompressed, none of them empty; `Cut` is raised where the log ends early."""
    parquet: bool = False
    damaged: bool = False  # named like Parquet, and not begun like it
    name: str = ""
    plain: bool = False  # not compressed: after the first chunk the stream may be read itself
    watch: LogDigest | None = None

    def read_into(self, room: memoryview) -> int:
        """Read on in a plain log, without a copy; 0 at its end."""
        try:
            read: int = self.stream.readinto1(room)  # type: ignore[attr-defined]
        except OSError as error:
            raise _cannot_be_read_on(self.name, error) from None
        if self.watch is not None:
            self.watch.read(room[:read])
        return read

    def close(self) -> None:
        _close(self.stream)
        if self.watch is not None:
            self.watch.close()


def open_log(name: str, watch: LogDigest | None = None) -> LogBytes:
    """Open a log, or standard input for `-`; LogError, here or later, if it cannot be used."""
    stream = _open(name)
    try:
        chunks = _chunks(stream, name)
        head = b""
        # A pipe may bring the first bytes one by one.
        while len(head) < 4 and (more := next(chunks, b"")):
            head += more
        if head.startswith(_PARQUET) or name.endswith(".parquet"):
            _close(stream)
            if watch is not None:
                watch.no_lines()
            return LogBytes(stream, iter(()), True, not head.startswith(_PARQUET))
        data = filter(None, _decompressed(chain([head], chunks), head, name, watch))
        cut: Cut | None = None
        first = b""
        try:
            first = next(data, b"")
        except Cut as early:
            cut = early
        if _is_binary(first):
            raise LogError(f"`{name}` is not a round log", WHAT_A_LOG_IS)
    except BaseException:
        _close(stream)
        raise
    plain = not _is_packed(head, name)
    return LogBytes(
        stream,
        chain([first] if first else [], _again(cut, data)),
        name=name,
        plain=plain,
        watch=watch,
    )


def digest_of(name: str) -> LogDigest:
    """Of a log that somebody else has read; its rounds are not counted."""
    watch = LogDigest(name)
    watch.not_all_rounds()
    opened = open_log(name, watch)
    with suppress(Cut):
        for _ in opened.chunks:
            pass
    opened.close()
    return watch


def _open(name: str) -> BinaryIO:
    if name == "-":
        if sys.stdin is None:
            raise LogError("there is no standard input")
        return sys.stdin.buffer
    try:
        return open_regular(name)
    except NotRegular:
        advice = "`-` reads a log from standard input"
        raise LogError(f"`{name}` is no regular file", advice) from None
    except FileNotFoundError:
        raise LogError(f"`{name}` does not exist") from None
    except IsADirectoryError:
        raise LogError(f"`{name}` is a folder", "name the log files in it") from None
    except PermissionError:
        raise LogError(f"`{name}` may not be read", "ask for the right to read it") from None
    except (OSError, ValueError) as error:
        raise LogError(f"`{name}` cannot be opened: {said(error)}") from None


def _close(stream: BinaryIO) -> None:
    if sys.stdin is None or stream is not sys.stdin.buffer:
        stream.close()


def said(error: BaseException) -> str:
    said = (error.strerror if isinstance(error, OSError) else None) or str(error)
    lines = said.strip().splitlines() or [type(error).__name__]
    return (lines[0][:1].lower() + lines[0][1:200]).rstrip(".")


def _chunks(stream: BinaryIO, name: str) -> Iterator[bytes]:
    try:
        # read1: what a pipe has so far is worked on, and a live log is not held up.
        while chunk := stream.read1(_CHUNK):  # type: ignore[attr-defined]
            yield chunk
    except OSError as error:
        raise _cannot_be_read_on(name, error) from None


def _cannot_be_read_on(name: str, error: OSError) -> LogError:
    return LogError(f"`{name}` cannot be read on: {said(error)}")


def _is_binary(first: bytes) -> bool:
    head = first[:8192]
    try:
        text = "\0" not in getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        text = False
    # A log whose first lines are damaged is still a log: its other lines look like objects.
    return not text and not _OBJECT_LINE.search(head)


# compression


class Cut(Exception):
    """The compressed stream ends before its end, or cannot be followed further."""


_ENDS_EARLY: Final = "the compressed stream ends early, and what it holds with it"
_MOST_UNPACKED: Final = 2**28
_MOST_TIMES: Final = 500  # a log packs to a tenth or a fiftieth
_UNFOLDS: Final = (
    f"the compressed stream unfolds to more than {_MOST_TIMES} times its size, as no log does: "
    "the rest is not read"
)
_DAMAGED: Final = "the compressed stream is damaged here, and the rest cannot be read"


def _again(cut: Cut | None, data: Iterator[bytes]) -> Iterator[bytes]:
    if cut:
        raise cut
    yield from data


def _is_packed(head: bytes, name: str) -> str:
    """`gz` or `zst`, or nothing."""
    short = len(head) < 4  # too short for a magic number, so the name has to say it
    if head.startswith(_GZIP) or (short and name.endswith(".gz")):
        return "gz"
    return "zst" if _ZSTD.match(head) or (short and name.endswith(".zst")) else ""


def _decompressed(
    chunks: Iterator[bytes], head: bytes, name: str, watch: LogDigest | None
) -> Iterator[bytes]:
    packed = _is_packed(head, name)
    if packed and watch is not None:
        chunks = watch.packed(chunks)
    if packed == "gz":
        chunks = gunzipped(chunks)
    elif packed:
        taken = [0]
        chunks = _within_reason(_unzstd(_counting(chunks, taken), name), taken)
    return watch.text(chunks) if watch is not None else chunks


def gunzipped(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """`Cut` where the stream ends early, is damaged, or unfolds beyond all reason."""
    taken = [0]
    return _within_reason(_gunzip(_counting(chunks, taken)), taken)


def _counting(chunks: Iterator[bytes], taken: list[int]) -> Iterator[bytes]:
    for chunk in chunks:
        taken[0] += len(chunk)
        yield chunk


def _within_reason(unpacked: Iterator[bytes], taken: list[int]) -> Iterator[bytes]:
    """A few bytes may stand for gigabytes of nothing."""
    made = 0
    for piece in unpacked:
        yield piece
        made += len(piece)
        if made > _MOST_UNPACKED and made > _MOST_TIMES * taken[0]:
            raise Cut(_UNFOLDS)


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
                raise Cut(_DAMAGED) from None
            yield piece
            chunk = stream.unused_data if stream.eof else stream.unconsumed_tail
    if not stream.eof:
        yield stream.flush()
    if not stream.eof:
        raise Cut(_ENDS_EARLY)


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
                    raise Cut(_DAMAGED) from None
                piece = stream.unused_data if stream.eof else b""
    if not stream.eof:
        raise Cut(_ENDS_EARLY)
