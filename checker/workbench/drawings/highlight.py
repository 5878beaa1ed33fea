"""A rule file with its words in colour, as HTML that needs no script."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

_WORD = re.compile(
    r"(?P<comment>\#[^\n]*)|(?P<text>\"[^\"\n]*\")|(?P<number>\$?\b\d[\d,.]*\b)"
    r"|(?P<fact>\b[a-z_]+\.[a-z_]+(?:\.[a-z_]+)?\b)"
    r"|(?P<key>\b(?:clause|reading|accept|when|otherwise|and|or|not|must|may|require|at|pays|wins"
    r"|loses|despite|subject to|because|define|as|about|cites|read as|in force|from|until|settles"
    r"|to|for|stands off|void|checkable|undecided|applies|before|counts|deemed)\b)"
)


def highlighted(text: str) -> Markup:
    parts: list[Markup] = []
    at = 0
    for found in _WORD.finditer(text):
        parts.append(escape(text[at : found.start()]))
        parts.append(
            Markup('<span class="{}">{}</span>').format(f"w-{found.lastgroup}", found.group())
        )
        at = found.end()
    parts.append(escape(text[at:]))
    return Markup("").join(parts)
