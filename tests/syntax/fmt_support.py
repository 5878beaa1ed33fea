"""A layout with what must be true of every one."""

import re

from rulespec.syntax.comments import Scanned, behind, scan
from rulespec.syntax.parse import parse
from rulespec.syntax.printer import format_text

HOLD_ON = frozenset({"COMMA", "COLON", "LBRACE"})


def laid_out(text: str) -> str:
    """Format a text and check all that has to hold for every text."""
    new, wrong = format_text(text, "test.rules")
    assert wrong == []
    assert new is not None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    before, after = scan(text), scan(new)
    assert parse(new, "")[0] == parse(text, "")[0]
    assert after.words == before.words
    assert placed(after) == placed(behind(before, HOLD_ON))
    assert format_text(new) == (new, []), "not stable"
    lines = new.split("\n")
    assert lines.pop() == ""
    assert all(
        line == line.rstrip() and "\t" not in re.sub(r'"[^"]*"|#.*', "", line) for line in lines
    )
    assert "\n\n\n" not in new
    assert not new.startswith("\n")
    assert not re.search(r"\{\n\n|\n\n *\}", re.sub(r"#.*", "", new))
    return new


def placed(scanned: Scanned) -> list[list[tuple[str, bool]]]:
    """The comments of each gap between words, and whether they have a line of their own."""
    return [[(c.text, c.own_line) for c in gap.comments] for gap in scanned.gaps]


def too_long(text: str) -> list[str]:
    """Lines that are too long although they could be broken."""
    found = []
    for line in text.split("\n"):
        words = re.sub(r'"[^"]*"', '""', re.sub(r"\s*#.*", "", line)).strip()
        if len(line) > 100 and re.search(r"\S (when|because|and|or|about) |, \S", words):
            found.append(line)
    return found
