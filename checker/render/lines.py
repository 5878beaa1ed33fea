"""Lines of text with colours, kept apart from how they reach a screen.

A line is pieces of text, each with the name of a style. Without colour the pieces are joined; with
colour each line becomes one rich `Text`. Both say the same, letter for letter. Nothing here is
markup: rich would swallow the brackets of `[clause 5.1]`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

# What each style looks like; the names are rich's.
STYLES = {
    "": "",
    "error": "bold red",
    "warning": "bold yellow",
    "note": "bold cyan",
    "strong": "bold",
    "faint": "dim",
    "good": "green",
    "help": "green",
}

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class Piece(NamedTuple):
    text: str
    style: str = ""


Line = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class View:
    """How much is shown, and how wide: `width` is None where nothing sets one (a pipe, a file)."""

    width: int | None = None
    full: bool = False
    quiet: bool = False


def line(*pieces: str | tuple[str, str]) -> Line:
    """A line from plain strings and (text, style) pairs, safe to print."""
    made = [Piece(visible(p)) if isinstance(p, str) else Piece(visible(p[0]), p[1]) for p in pieces]
    return tuple(piece for piece in made if piece.text)


def visible(text: str) -> str:
    """Without characters that move the cursor, change colours or turn the direction of writing."""
    return _CONTROL.sub(lambda m: " " if m.group() in "\t\n" else "\N{REPLACEMENT CHARACTER}", text)


def cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(bool(unicodedata.combining(c)) for c in text)


def wrapped(one: Line, width: int | None, indent: int = 4) -> Iterator[Line]:
    """Break a line between words so that it fits; what follows the first part is indented."""
    if width is None or cells("".join(p.text for p in one)) <= width:
        yield one
        return
    current: list[Piece] = []
    used = 0
    for piece in one:
        for word in re.findall(r" *[^ ]+| +$", piece.text):
            starts_word = word.startswith(" ")
            if current and starts_word and used + cells(word) > width and used > indent:
                yield tuple(current)
                word = word.lstrip(" ")
                current, used = [Piece(" " * indent)], indent
            current.append(Piece(word, piece.style))
            used += cells(word)
    if current:
        yield tuple(current)


def plain(lines: Iterable[Line]) -> str:
    return "".join("".join(p.text for p in one).rstrip() + "\n" for one in lines)


def painted(lines: Iterable[Line]) -> str:
    """The same in colours, for a terminal."""
    from io import StringIO

    from rich.console import Console
    from rich.text import Text

    console = Console(
        file=StringIO(),
        force_terminal=True,
        color_system="standard",
        no_color=False,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        _environ={},
    )
    with console.capture() as captured:
        for one in lines:
            kept = _without_trailing_space(one)
            text = Text.assemble(*((p.text, STYLES[p.style]) for p in kept))
            console.print(text, soft_wrap=True)
    return captured.get()


def _without_trailing_space(one: Line) -> Line:
    kept = list(one)
    while kept and not kept[-1].text.rstrip():
        kept.pop()
    if kept:
        kept[-1] = Piece(kept[-1].text.rstrip(), kept[-1].style)
    return tuple(kept)
