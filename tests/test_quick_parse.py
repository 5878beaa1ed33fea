"""The quick parser makes the same trees as lark, places and all, and leaves errors to it."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest

from rulespec import parse as parsing
from rulespec.build import Build
from rulespec.quick_parse import NoMatchError
from rulespec.resources import folder

ROOT = Path(__file__).resolve().parent.parent
RULES = [
    *sorted(folder("jurisdictions").rglob("*.rules")),
    *sorted(ROOT.glob("examples/**/*.rules")),
]
PAGES = [*sorted(ROOT.glob("docs/*.md")), *sorted(folder("diagnostics").glob("*.md"))]
EXAMPLES = [
    block
    for page in PAGES
    for block in re.findall(r"^```rules\n(.*?)^```", page.read_text("utf-8"), re.M | re.S)
]
ODD = [
    "",
    "# only a comment",
    "# a\n\n\t# b\nrulebook x{in force from 2020-01-01}# c\n#",
    'clause 1 "a" { main wins when ((hand.total=21)) or not(hand.cards in(2,3))and hand.split }',
    'clause 5.1(a)#2 "a" { cites 5#table to 6(b) as payout read as "A:Hard total", 7 }',
    'clause 1 "in" { may in, to, when when hand.total in 2 to 5 and hand.suits in (mixed) }',
]


def both(text: str) -> tuple[bytes, bytes]:
    """The tree of the quick parser and lark's, each with all its places."""
    lark, callbacks = parsing._parser()
    quick = parsing._quick_parser()
    assert quick is not None
    made = []
    for parse in (quick.parse, lark.parse):
        callbacks.build = Build("file")
        made.append(pickle.dumps(parse(text, "start").value))  # type: ignore[union-attr]
    return made[0], made[1]


@pytest.mark.parametrize("path", RULES, ids=lambda p: p.stem)
def test_rule_files(path: Path) -> None:
    quick, slow = both(path.read_text(encoding="utf-8"))
    assert quick == slow


def test_examples_of_the_pages() -> None:
    assert len(EXAMPLES) > 60
    parsed = 0
    for text in EXAMPLES:
        try:
            quick, slow = both(text)
        except NoMatchError:
            continue  # a fragment, or an example of an error
        assert quick == slow
        parsed += 1
    assert parsed > 40


@pytest.mark.parametrize("text", ODD)
def test_odd_texts(text: str) -> None:
    quick, slow = both(text)
    assert quick == slow


@pytest.mark.parametrize("text", [
    "clause", 'clause 1 "a" { main wins wenn hand.total = 21 }', "}", 'clause 1 "a', "§",
    'clause 1 "a" { main wins when hand.total in force }', 'clause 1 "a" { main pays 1 to 1 } }',
])  # fmt: skip
def test_errors_are_described_by_lark(text: str) -> None:
    quick = parsing._quick_parser()
    assert quick is not None
    with pytest.raises(NoMatchError):
        quick.parse(text, "start")
    document, found = parsing.parse(text, "file")
    assert document is None
    assert {d.code for d in found} == {"R005"}


def test_without_the_quick_parser_lark_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'clause 1 "a" { main wins when hand.total = 21 }  # without'
    before = parsing._parse(text, "file", "start")
    monkeypatch.setattr(parsing, "_quick_parser", lambda: None)
    assert pickle.dumps(parsing._parse(text, "file", "start")) == pickle.dumps(before)
