"""The lines of a rule file that a finding points at, with the place underlined."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from checker.render.lines import Line, cells, line, visible
from rulespec.base.regular_files import read_regular
from rulespec.base.spans import Span

_TOO_LARGE = 16 * 1024 * 1024  # nobody wants an excerpt of such a file
_PIPE_WIDTH = 120
_TAB = "    "


class Sources:
    """Rule files by name, each read once, when its first excerpt is drawn."""

    def __init__(self, texts: Mapping[str, bytes] | None = None) -> None:
        self._given = texts or {}
        self._lines: dict[str, list[str]] = {}

    def line(self, file: str, number: int) -> str | None:
        """A line counted from 1, or None when the file has gone or is no text."""
        if file not in self._lines:
            self._lines[file] = self._read(file)
        lines = self._lines[file]
        return lines[number - 1] if 0 < number <= len(lines) else None

    def _read(self, file: str) -> list[str]:
        try:
            path = Path(file)
            if file in self._given:
                data = self._given[file]
            else:
                data = read_regular(path, _TOO_LARGE)
        except (OSError, ValueError):
            return []
        if b"\0" in data:
            return []
        text = data.decode("utf-8-sig", errors="replace")
        return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def excerpt(
    span: Span, sources: Sources, width: int | None = None, style: str = "error"
) -> Iterator[Line]:
    """The first line of the span and, where it ends on another, the last one too."""
    first = sources.line(span.file, span.start_line)
    if first is None:
        return
    last = sources.line(span.file, span.end_line) if span.end_line > span.start_line else None
    gutter = len(str(span.end_line if last is not None else span.start_line))
    room = max(20, (width or _PIPE_WIDTH) - gutter - 5)
    margin = f"  {'':{gutter}} | "
    if last is None:
        end = span.end_column if span.end_line == span.start_line else len(first) + 1
        shown, underline = _marked(first, span.start_column, end, room)
        yield _row(span.start_line, gutter, shown)
        yield line((margin, "faint"), (underline, style))
        return
    shown, underline = _marked(first, span.start_column, len(first) + 1, room)
    yield _row(span.start_line, gutter, shown)
    yield line((margin, "faint"), (underline, style))
    if span.end_line > span.start_line + 1:
        yield line((f"  {'':{gutter}} ...", "faint"))
    begin = len(last) - len(last.lstrip()) + 1
    shown, underline = _marked(last, begin, span.end_column, room)
    yield _row(span.end_line, gutter, shown)
    yield line((margin, "faint"), (underline, style))


def _row(number: int, gutter: int, text: str) -> Line:
    return line((f"  {number:>{gutter}} | ", "faint"), text)


def _marked(text: str, start: int, end: int, room: int) -> tuple[str, str]:
    """The text as it can be shown in `room` columns, and the underline that belongs below it."""
    parts = [_TAB if c == "\t" else visible(c) for c in text]
    start, end = max(0, start - 1), max(end - 1, start)
    begin, stop = _window([cells(p) for p in parts], start, min(end, len(parts)), room)
    before = "…" if begin > 0 else ""
    after = "…" if stop < len(parts) else ""
    shown = before + "".join(parts[begin:stop]) + after
    lead = cells(before + "".join(parts[begin : min(start, stop)]))
    length = cells("".join(parts[max(start, begin) : min(end, stop)]))
    return shown, " " * lead + "^" * max(1, length)


def _window(widths: list[int], start: int, end: int, room: int) -> tuple[int, int]:
    """Which characters of a long line are shown: the marked ones and what surrounds them."""
    if sum(widths) <= room:
        return 0, len(widths)
    room -= 2  # for the two signs that something is cut off
    begin = stop = min(start, len(widths) - 1)
    used = 0
    while stop < len(widths) and stop < max(end, start + 1) and used + widths[stop] <= room:
        used += widths[stop]
        stop += 1
    while used < room and (begin > 0 or stop < len(widths)):
        grew = False
        if begin > 0 and used + widths[begin - 1] <= room:
            begin -= 1
            used += widths[begin]
            grew = True
        if stop < len(widths) and used + widths[stop] <= room:
            used += widths[stop]
            stop += 1
            grew = True
        if not grew:
            break
    return begin, stop
