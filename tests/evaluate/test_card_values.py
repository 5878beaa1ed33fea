"""What cards count: by the text, in every engine, or the text is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from checker.cli import main
from rulespec.load.load import load
from tests.replay.replay_support import CORNER, a_round, line_of

USUAL = """  cards 2 to 9 count face
  cards T, J, Q, K count 10
  cards A count 1 or 11
"""
WITHOUT_KING = "  cards 2 to 9 count face\n  cards T, J, Q count 10\n  cards A count 1 or 11\n"


def text(values: str) -> str:
    assert USUAL in CORNER
    return CORNER.replace(USUAL, values)


@pytest.mark.parametrize(
    ("values", "code", "message"),
    [
        (USUAL.replace("1 or 11", "1 or 12"), "R112", "a card cannot count `1 or 12`"),
        (USUAL.replace("1 or 11", "2 or 9"), "R112", "a card cannot count `2 or 9`"),
        (USUAL.replace("1 or 11", "11 or 11"), "R112", "a card cannot count `11 or 11`"),
        (USUAL.replace("1 or 11", "0 or 10"), "R112", "a card cannot count 0"),
        (USUAL.replace("1 or 11", "12 or 22"), "R112", "a card cannot count 22"),
        (USUAL.replace("count 10", "count 0"), "R112", "a card cannot count 0"),
        (WITHOUT_KING + "  cards K count 22\n", "R112", "a card cannot count 22"),
        (WITHOUT_KING + "  cards K count 1025\n", "R112", "a card cannot count 1025"),
        (WITHOUT_KING + "  cards K count 1 or 11\n", "R112", "a card `K` cannot count `1 or 11`"),
        (WITHOUT_KING + "  cards K count face\n", "R112", "a card `K` has no number to count"),
        (USUAL.replace("2 to 9", "9 to 2"), "R104", "`9 to 2` is not a card"),
        (
            WITHOUT_KING + "  cards K count 10 when hand.total < 11\n",
            "R115",
            "what a card counts rests on `hand.total`, which rests on that",
        ),
        (
            WITHOUT_KING + "  cards K count 9 when low\n  define low as dealer.soft\n",
            "R115",
            "what a card counts rests on `hand.soft`, which rests on that",
        ),
    ],
)
def test_what_cannot_be_followed_is_refused(
    values: str, code: str, message: str, tmp_path: Path
) -> None:
    file = tmp_path / "corner.rules"
    file.write_text(text(values))
    loaded = load(file)
    told = {(d.code, d.message): d for d in loaded.diagnostics}
    assert (code, message) in told
    assert told[code, message].help
    assert told[code, message].span is not None
    assert main(["check", "--quiet", str(file)]) == 2


def split(cards: str, end: str) -> str:
    one, other = cards.split()
    return (
        f"bet 1 P1 10\ndeal 1:{one} 0:9D 1:{other}\n1 P1 split $10\n"
        "deal 1:9C\n1 P1 stand\ndeal 1.2:9S\n1.2 P1 stand\ndealer 8S\n" + end
    )


def forbidden(values: str, script: str, engine: str, capfd: Any, folder: Path) -> list[str]:
    (folder / "corner.rules").write_text(text(values))
    log = folder / "log.jsonl"
    log.write_bytes(line_of(a_round("r1", script)) + b"\n")
    rules = ["--rules", str(folder / "corner.rules")]
    main(["replay", "--quiet", "--format", "json", "--engine", engine, *rules, str(log)])
    return [
        f["code"]
        for f in json.loads(capfd.readouterr().out)["findings"]
        if f["kind"] == "play" or f["kind"] == "undecided"
    ]


@pytest.mark.parametrize("engine", ["plain", "columns"])
@pytest.mark.parametrize(
    ("values", "cards", "allowed"),
    [
        (USUAL, "KH QC", True),
        (USUAL, "5H JC", False),
        (WITHOUT_KING + "  cards K count 9\n", "KH QC", False),
        (WITHOUT_KING + "  cards K count 9\n", "KH 9C", True),
        (WITHOUT_KING + "  cards K count 9\n", "JH QC", True),
        (WITHOUT_KING + "  cards K count 9\n", "KH KC", True),
        (WITHOUT_KING + "  cards K count 5\n", "KH 5C", True),
        (WITHOUT_KING + "  cards K count 9 when round.decks = 6\n", "KH 9C", True),
        (WITHOUT_KING + "  cards K count 9 when round.decks = 8\n", "KH 9C", None),
        (WITHOUT_KING, "KH QC", None),  # no clause tells what a king counts
    ],
)
def test_cards_are_of_equal_value_by_the_text(
    values: str, cards: str, allowed: bool | None, engine: str, capfd: Any, tmp_path: Path
) -> None:
    if engine == "columns":
        pytest.importorskip("numba")
    script = split(cards, "settle 1 P1 main 25\nsettle 1.2 P1 main 25")
    codes = forbidden(values, script, engine, capfd, tmp_path)
    expected = [] if allowed else ["R511"] if allowed is False else ["R550"]
    assert codes[:1] == expected


def test_tens_that_count_otherwise_are_told_apart_in_proofs(tmp_path: Path) -> None:
    """A king of 9 makes hands that no ten makes: what is said of them alone has to be found."""
    values = WITHOUT_KING + "  cards K count 9\n"
    nines = 'clause 8 "Two nines" { main loses when hand.ten_cards = 0 and hand.ranks = K-K }\n'
    file = tmp_path / "corner.rules"
    file.write_text(text(values) + nines)
    assert main(["check", "--quiet", str(file)]) == 1
    usual = tmp_path / "usual.rules"
    usual.write_text(text(USUAL))
    other = tmp_path / "other.rules"
    other.write_text(text(values))
    assert main(["diff", "--quiet", str(usual), str(other)]) == 1
