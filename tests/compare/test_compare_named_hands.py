"""Rulebooks on a game with named hands side by side."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from checker.cli import main
from checker.compare.named_hands import _Book
from rulespec.load.load import load, shipped


def rows(capsys: pytest.CaptureFixture[str], *rules: str) -> dict[str, dict[str, dict[str, str]]]:
    assert main(["compare", *rules, "--format", "json"]) == 0
    summary = json.loads(capsys.readouterr().out)["summary"]
    return {
        topic["topic"]: {row["label"]: row["cells"] for row in topic["rows"]}
        for topic in summary["topics"]
    }


def test_what_the_text_says(capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys, "fr-punto-banco")

    def value(topic: str, label: str) -> str:
        return found[topic][label]["fr-punto-banco"]["value"]  # type: ignore[index,return-value]

    assert value("cards", "decks") == "6"
    assert value("card_values", "T counts") == "0"
    assert value("player_draws", "on 6") == "stands"
    assert value("banker_draws", "on 6") == "draws against 6, 7"
    assert value("banker_draws", "on 7") == "stands"
    assert value("bet_banker", "odds") == "19 to 20"
    assert value("bet_tie", "equal totals") == "wins"
    assert value("bet_player", "equal totals") == "stands off"


def test_beside_a_text_with_boxes_nothing_is_claimed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "fr-punto-banco", "nz-pontoon", "--topic", "insurance"]) == 3
    assert "undecided" in capsys.readouterr().out


def test_a_bet_on_two_cards_ends_as_the_first_deal_lets_it(tmp_path: Path) -> None:
    path = tmp_path / "pairs.rules"
    nine = "player.first.rank = 9 and player.second.rank = T"
    text = (
        shipped()["fr-punto-banco"].read_text(encoding="utf-8")
        + f"""
bet nines "the player's first two cards are a nine and a ten" {{
  on the table
}}
section 60 "Nines" about settlement {{
  clause 60 "Nines" {{
    nines wins when {nine}
    nines loses when not ({nine})
  }}
}}
"""
    )
    path.write_text(text, encoding="utf-8")
    book = load(path).rulebook
    assert book is not None
    ends = _Book(book).ends
    by_case = {case: said for (bet, case), said in ends.items() if bet == "nines"}
    # nine and ten make nine, which nothing beats
    assert by_case == {
        "player has more": {"wins", "loses"},
        "equal totals": {"wins", "loses"},
        "banker has more": {"loses"},
    }
