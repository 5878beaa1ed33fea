"""Where what was learnt about a text of the rules is kept between runs."""

from __future__ import annotations

from pathlib import Path

from rulespec.base import cache
from rulespec.resolve.rulebook import Rulebook


class Text:
    """A text of the rules, and where things about it are kept."""

    def __init__(self, rules: Rulebook) -> None:
        self.rules = rules
        self._content: list[bytes] = []  # takes a while

    def place(self, kind: str, part: str = "") -> Path | None:
        """`part`: of what is kept there, where that is not one thing."""
        self._content = self._content or [_content_of(self.rules)]
        return cache.place_of(kind, *self._content, *([part.encode()] if part else []))


def _content_of(book: Rulebook) -> bytes:
    rules = [
        (
            r.id,
            r.clause,
            r.question,
            r.value,
            r.condition,
            r.interim,
            r.reading,
            r.over,
            r.irregular,
        )
        for r in book.rules
    ]
    words = (book.game.made_from, list(book.game.own_words), book.game.deals)
    return repr((book.id, words, book.order, rules)).encode()
