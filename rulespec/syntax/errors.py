"""Turning the parser's complaint into one line that a reader of rules can act on."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

from rulespec.base.diagnostics import Diagnostic
from rulespec.base.spans import Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from lark import Token
    from lark.exceptions import UnexpectedInput

_WORDS = {
    "STRING": "a text in quotes",
    "DATE": "a date such as 2024-08-16",
    "MONEY": "an amount such as $25",
    "NUMBER": "a number",
    "RANKS": "ranks such as 6-7-8",
    "FACT": "a fact such as hand.total",
    "NAME": "a name",
    "NAME_WITH_DASHES": "a name",
    "TOPIC": "a topic",
    "CLAUSE_ID": "a clause number",
    "WINNER": "a clause number",
    "CODE": "a code such as R201",
    "COMPARE": "a comparison",
    "SIGN": "+ or -",
    "TIMES": "*, / or modulo",
    "AMONG": "in",
    "LBRACE": "{",
    "RBRACE": "}",
    "LPAR": "(",
    "RPAR": ")",
    "COMMA": ",",
    "COLON": ":",
    "ARROW": "->",
    "VBAR": "|",
    "DECIMAL": "a number",
    "VALUE": "a value",
    "ACTOR": "dealer or casino",
    "TEXT_KEY": "title, casino, regulator or instrument",
    "$END": "the end of the file",
}


def describe(
    error: UnexpectedInput, text: str, file: str, fits_after: Callable[[str], set[str]]
) -> Diagnostic:
    """`fits_after`: the terminals that the language takes after the start of the text."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

    lines = text.split("\n")
    line, column = error.line, error.column
    expected: set[str] = set()
    found = ""
    slip = _mistaken_name(error, text, fits_after)
    if slip is not None:
        name, expected = slip
        found, line, column = str(name), name.line or 1, name.column or 1
    elif isinstance(error, UnexpectedToken):
        expected = set(error.accepts or error.expected)
        found = str(error.token)
        if error.token.type == "$END":
            found, line, column = "", len(lines), len(lines[-1]) + 1
    elif isinstance(error, UnexpectedCharacters):
        expected = set(error.allowed or ())
        rest = lines[line - 1][column - 1 :] if 0 < line <= len(lines) else ""
        word = re.match(r"[\w.$#-]+|.", rest)
        found = word.group() if word else ""
    elif isinstance(error, UnexpectedEOF):
        expected = set(error.expected)
        line, column = len(lines), len(lines[-1]) + 1
    span = Span(file, line, column, line, column + max(1, len(found.split("\n")[0])))
    if not found:
        message = "the file ends in the middle of a block"
        advice = "close the block with `}`" if "RBRACE" in expected else _expectation(expected)
        return Diagnostic("R005", message, span, help=advice)
    if found.startswith('"') and found.count('"') == 1:
        return Diagnostic(
            "R005",
            "this text in quotes is not closed on its line",
            span,
            help='end it with `"` on the same line',
        )
    message = f"`{found}` does not fit here"
    return Diagnostic("R005", message, span, help=_advice(found, expected))


def _mistaken_name(
    error: UnexpectedInput, text: str, fits_after: Callable[[str], set[str]]
) -> tuple[Token, set[str]] | None:
    """The word before, where it was taken for the bet of a new statement and a slip of the pen is
    likelier: it stands in the middle of a line, and what follows does not go with a bet."""
    from lark import Token

    stack = getattr(error.state, "value_stack", ())
    name = stack[-1] if stack else None
    if not isinstance(name, Token) or name.type != "NAME" or name.start_pos is None:
        return None
    if "WINS" not in getattr(error, "expected", ()):
        return None
    head = text[: name.start_pos]
    if head.rpartition("\n")[2].strip() in ("", "{", "}"):
        return None
    fits = fits_after(head)
    return (name, fits) if "WHEN" in fits else None


def _advice(found: str, expected: set[str]) -> str:
    words = {_readable(name) for name in expected}
    near = get_close_matches(found, [w for w in words if w.isalpha()], n=1, cutoff=0.75)
    if near:
        return f"did you mean `{near[0]}`?"
    return _expectation(expected)


def _expectation(expected: set[str]) -> str:
    shown = sorted({_readable(name) for name in expected})
    if len(shown) > 12:
        return "expected a statement such as `BET wins when …`, `may ACTION when …` or `}`"
    return "expected " + ", ".join(shown) if shown else "nothing more was expected"


def _readable(terminal: str) -> str:
    if terminal in _WORDS:
        return _WORDS[terminal]
    return terminal.lower()
