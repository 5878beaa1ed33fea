"""The words of a rule file with the comments between them, as the formatter needs them.

The tree knows no comments: the grammar leaves them out. Here every comment keeps its place, which
is the gap between two words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Comment:
    text: str
    own_line: bool  # nothing but white space stands before it on its line
    after_blank: bool = False  # an empty line stands before it


@dataclass(frozen=True, slots=True)
class Gap:
    """What stands before a word, or after the last one."""

    comments: tuple[Comment, ...] = ()
    blank: bool = False  # an empty line stands between the last comment, if any, and the word


@dataclass(frozen=True, slots=True)
class Word:
    """A token; numbers and amounts are spelt in the one way that the language prefers."""

    kind: str
    text: str
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Scanned:
    words: tuple[Word, ...]
    gaps: tuple[Gap, ...]  # one more than words: `gaps[n]` stands before `words[n]`

    @property
    def comments(self) -> tuple[str, ...]:
        return tuple(comment.text for gap in self.gaps for comment in gap.comments)


def scan(text: str) -> Scanned:
    """The words and comments of a text that the parser accepts, with `\\n` for every line end."""
    from rulespec.syntax.parse import parser

    words: list[Word] = []
    gaps: list[Gap] = []
    end = 0
    for token in parser().parse_interactive(text, start="start").iter_parse():
        start = token.start_pos or 0
        gaps.append(_gap(text[end:start], first=not words))
        words.append(Word(token.type, _spelt(token), token.line or 1, token.column or 1))
        end = token.end_pos or 0
    gaps.append(_gap(text[end:], first=not words))
    return Scanned(tuple(words), tuple(gaps))


def _spelt(token: object) -> str:
    from lark import Token

    from rulespec.syntax.build_conditions import cents_of
    from rulespec.tree.write import money

    assert isinstance(token, Token)
    match token.type:
        case "MONEY":
            return money(cents_of(token), str(token)[0])
        case "NUMBER":
            return str(int(token))
        case _:
            return str(token)


def _gap(between: str, first: bool) -> Gap:
    comments: list[Comment] = []
    own_line = first
    newlines = 0
    for match in re.finditer(r"\n|#[^\n]*", between):
        if match.group() == "\n":
            own_line = True
            newlines += 1
        else:
            comments.append(Comment(match.group().rstrip(" \t\f\v"), own_line, newlines > 1))
            newlines = 0
    return Gap(tuple(comments), newlines > 1)


def behind(scanned: Scanned, kinds: frozenset[str]) -> Scanned:
    """The same with the comments that stand before a word of these kinds put right behind it, so
    that a comma or an opening brace need not begin a line."""
    gaps = list(scanned.gaps)
    for place, word in enumerate(scanned.words):
        if word.kind in kinds and gaps[place].comments:
            gaps[place + 1] = _joined(gaps[place], gaps[place + 1])
            gaps[place] = Gap()
    return replace(scanned, gaps=tuple(gaps))


def _joined(first: Gap, second: Gap) -> Gap:
    return Gap((*first.comments, *_on_own_lines(second.comments)), second.blank)


def _on_own_lines(comments: tuple[Comment, ...]) -> Iterator[Comment]:
    for comment in comments:
        yield replace(comment, own_line=True)
