"""What the tests of the static checks share: small rulebooks, and what a span underlines."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TypeVar

from rulespec.base.diagnostics import Diagnostic
from rulespec.base.spans import Span
from rulespec.load.load import Loaded, load, shipped
from rulespec.resolve.rulebook import Rulebook

T = TypeVar("T")
# seconds for what comes to an end by itself, however busy the machine is
PATIENCE = 600
HEADER = "rulebook sample { game pontoon in force from 2020-01-01 }\n"
CARDS_AND_DRAW = """
clause 1.1 "Card values" {
  cards 2 to 9 count face
  cards J, Q, K count 10
  cards A count 1 or 11
}
clause 1.2 "The dealer's draw" {
  dealer must draw when dealer.total <= 16
  dealer must not draw when dealer.total > 16
}
"""


def loaded(folder: Path, text: str, header: str = HEADER) -> Loaded:
    path = folder / "sample.rules"
    path.write_text(header + text, encoding="utf-8")
    return load(path)


def rulebook(folder: Path, text: str, header: str = HEADER) -> Rulebook:
    """A rulebook that loads without a complaint, so that a test is about what it says it is."""
    result = loaded(folder, text, header)
    assert result.diagnostics == ()
    assert result.rulebook is not None
    return result.rulebook


def with_boxes() -> list[str]:
    """The rulebooks that ship, but for those of games with named hands, and those that declare
    bets, options or stages of their own, which have tests of their own: faster engines leave most
    of such a text to the plain one."""
    return [name for name in sorted(shipped()) if _plain(name)]


@cache
def _plain(name: str) -> bool:
    found = load(shipped()[name]).rulebook
    assert found is not None
    return not found.game.hands and not any(found.game.own_words)


def underlined(span: Span | None) -> str:
    assert span is not None
    lines = Path(span.file).read_text(encoding="utf-8").splitlines()
    assert span.start_line == span.end_line, "the underline runs over several lines"
    return lines[span.start_line - 1][span.start_column - 1 : span.end_column - 1]


def shown(found: Iterable[Diagnostic]) -> list[tuple[str, str | None, str]]:
    """Code, clause and underlined words of each finding."""
    return [(d.code, d.clause, underlined(d.span)) for d in found]


def only(found: Iterable[Diagnostic], code: str) -> list[Diagnostic]:
    return [d for d in found if d.code == code]


def all_or_some(all_of_them: T, some: T) -> T:
    """How much a test marked `slow` tries: a sample in `make test`, everything in `make slow`."""
    return all_of_them if os.environ.get("RULESPEC_SLOW") else some
