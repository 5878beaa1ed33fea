"""Rulebooks on a game with named hands side by side."""

from __future__ import annotations

import json

import pytest

from checker.cli import main


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
