"""Text to tree, with every syntax error of a file in one run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulespec.base.diagnostics import Diagnostic
from rulespec.base.regular_files import NotRegular, TooLarge, read_regular
from rulespec.base.resources import folder
from rulespec.base.spans import Span
from rulespec.syntax.errors import describe
from rulespec.syntax.saved_trees import remember, remembered
from rulespec.tree import nodes as t

if TYPE_CHECKING:
    from lark import Lark

    from rulespec.syntax.callbacks import Callbacks

MAX_BYTES = 2 * 1024 * 1024
MAX_SYNTAX_ERRORS = 50
MAX_DIGITS = 12

_LONG_NUMBER = re.compile(rf"(?<![\w.,-])\$?\d(?:,?\d){{{MAX_DIGITS},}}")


@cache
def grammar_text() -> str:
    parts = sorted(folder("grammar").glob("*.lark"))
    return "\n".join(part.read_text(encoding="utf-8") for part in parts)


@cache
def _parser() -> tuple[Lark, Callbacks]:
    from lark import Lark

    from rulespec.syntax.callbacks import Callbacks

    callbacks = Callbacks()
    made = Lark(
        grammar_text(),
        parser="lalr",
        keep_all_tokens=True,
        maybe_placeholders=False,
        transformer=callbacks,
        start=["start", "clause", "reading", "accept", "rulebook", "include", "insert_clause"],
    )
    return made, callbacks


def parser() -> Lark:
    return _parser()[0]


def read_text(path: Path) -> tuple[str | None, list[Diagnostic]]:
    """The text of a rule file, or what is wrong with it as a file."""
    here = Span(str(path), 1, 1, 1, 1)

    def refuse(code: str, message: str, advice: str) -> tuple[None, list[Diagnostic]]:
        return None, [Diagnostic(code, message, here, help=advice)]

    try:
        data = read_regular(path, MAX_BYTES)
    except NotRegular as error:
        advice = "`-` reads the rules from standard input"
        return refuse("R001", f"cannot read `{path}`: {error.strerror}", advice)
    except TooLarge as error:
        return refuse(
            "R004",
            f"`{path}` has {error.size:,} bytes, more than the {MAX_BYTES:,} that are read",
            "split the rulebook into files and join them with `include`",
        )
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        return refuse("R001", f"cannot read `{path}`: {reason}", "check the name and the rights")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        place = Span(str(path), line, column, line, column + 1)
        message = f"`{path}` is not UTF-8 text: byte {error.start} cannot be read"
        advice = "save the file as UTF-8"
        return None, [Diagnostic("R002", message, place, help=advice)]
    if "\0" in text:
        return refuse("R002", f"`{path}` is not text: it holds zero bytes", "is it a rule file?")
    if not _blank_strings(text).strip():
        return refuse("R003", f"`{path}` says nothing", "start with `rulebook NAME { … }`")
    return text, []


def parse(text: str, file: str) -> tuple[t.Document | None, list[Diagnostic]]:
    """The tree of a text. With errors there is no tree, but all errors are listed."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    document = remembered(text, file)
    if document is not None:
        return document, []
    too_long = list(_long_numbers(text, file))
    if too_long:
        return None, too_long[:MAX_SYNTAX_ERRORS]
    from lark.exceptions import UnexpectedInput

    try:
        document = _parse(text, file, "start")
        slips = _parser()[1].build.found
        if slips:
            return None, slips[:MAX_SYNTAX_ERRORS]
        remember(document, text, file)
        return document, []
    except UnexpectedInput as error:
        first = describe(error, text, file, partial(_fits_after, "start"))
    found = _errors_by_part(text, file)
    if not any(d.span == first.span for d in found):
        found.insert(0, first)
    return None, found[:MAX_SYNTAX_ERRORS]


def _long_numbers(text: str, file: str) -> Iterator[Diagnostic]:
    """Numbers beyond all that is dealt or staked; some are too long to be reckoned with."""
    if not _LONG_NUMBER.search(text):
        return
    for found in _LONG_NUMBER.finditer(_blank_strings(text)):
        digits = sum(map(str.isdigit, found.group()))
        line = text.count("\n", 0, found.start()) + 1
        column = found.start() - (text.rfind("\n", 0, found.start()) + 1) + 1
        place = Span(file, line, column, line, column + len(found.group()))
        yield Diagnostic(
            "R112",
            f"a number of {digits:,} digits makes no sense",
            place,
            help=f"a number has at most {MAX_DIGITS} digits",
        )


def _parse(text: str, file: str, start: str) -> Any:
    from rulespec.syntax.build import Build

    lark, callbacks = _parser()
    callbacks.build = Build(file)
    return lark.parse(text, start=start).value  # type: ignore[attr-defined]


def _fits_after(start: str, head: str) -> set[str]:
    from lark.exceptions import UnexpectedInput

    try:
        begun = parser().parse_interactive(head, start=start)
        begun.exhaust_lexer()
        return set(begun.accepts())  # type: ignore[no-untyped-call]
    except UnexpectedInput:
        return set()


_PART = re.compile(
    r"^[ \t]*(?:replace[ \t]+)?"
    r"(clause|reading|accept|rulebook|include|section"
    r"|amend|revoke|insert[ \t]+(?:clause|section))\b",
    re.MULTILINE,
)
_NOT_ALONE = ("section", "amend", "insert_section", "revoke")  # what is inside them comes by itself


def _errors_by_part(text: str, file: str) -> list[Diagnostic]:
    """Parse each block by itself, so that one slip does not hide the next."""
    from lark.exceptions import UnexpectedInput

    starts = list(_PART.finditer(_blank_strings(text)))
    found: list[Diagnostic] = []
    lines_before = counted = 0
    for index, match in enumerate(starts):
        word = "_".join(match.group(1).split())
        begin = match.start(1)
        end = starts[index + 1].start(1) if index + 1 < len(starts) else len(text)
        if word in _NOT_ALONE:
            continue
        lines_before += text.count("\n", counted, begin)
        counted = begin
        block = _one_block(text[begin:end])
        try:
            _parse(block, file, word)
        except UnexpectedInput as error:
            column = begin - (text.rfind("\n", 0, begin) + 1)
            told = describe(error, block, file, partial(_fits_after, word))
            found.append(_moved(told, lines_before, column))
            if len(found) >= MAX_SYNTAX_ERRORS:
                break
    return found


def _moved(diagnostic: Diagnostic, lines: int, columns: int) -> Diagnostic:
    """A finding in a block, told where it stands in the file."""
    span = diagnostic.span
    assert span is not None
    first = columns if span.start_line == 1 else 0
    last = columns if span.end_line == 1 else 0
    place = Span(
        span.file,
        span.start_line + lines,
        span.start_column + first,
        span.end_line + lines,
        span.end_column + last,
    )
    return replace(diagnostic, span=place)


def _blank_strings(text: str) -> str:
    """The text with strings and comments blanked, so that words in them do not count."""
    return re.sub(r'"[^"\n]*"|(?<![\w)])#[^\n]*', lambda m: " " * len(m.group()), text)


def _one_block(text: str) -> str:
    """Up to the brace that closes the first one; what follows closes the section."""
    depth = 0
    for place, character in enumerate(_blank_strings(text)):
        if character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if depth <= 0:
                return text[: place + (depth == 0)]
    return text
