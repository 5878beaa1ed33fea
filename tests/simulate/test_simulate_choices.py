"""A choice that the house has to make is made in every simulated round."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from checker.cli import main

TEXT = """rulebook exposed {
  title "Blackjack"
  game blackjack
  undated because "an example"
}

choice variant in (exposed, hidden) "which game the house deals"

deal when choice variant = exposed {
  each box 2 up
  dealer 2 up
}

deal {
  each box 2 up
  dealer 1 up
  dealer 1 down
}

clause 1 "All of it" {
  cards 2 to 9 count face
  cards T, J, Q, K count 10
  cards A count 1 or 11
  define hand.pontoon as hand.cards = 2 and hand.total = 21
  at deal require deal.in_turn when deal.initial
  may wager
  may draw when hand.total < 21
  may stand
  dealer must draw when dealer.total <= 16
  dealer must not draw when dealer.total > 16
  main loses when hand.total > 21 or dealer.total <= 21 and hand.total < dealer.total
  main wins when hand.total <= 21 and (hand.total > dealer.total or dealer.total > 21)
  main stands off when hand.total <= 21 and hand.total = dealer.total and choice variant = hidden
  main loses when hand.total <= 21 and hand.total = dealer.total and choice variant = exposed
  main pays 1 to 1
}
"""


def test_the_deal_may_hang_on_a_choice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, log = tmp_path / "exposed.rules", tmp_path / "log.jsonl"
    path.write_text(TEXT, encoding="utf-8")
    call = ["simulate", str(path), "--rounds", "20", "--seed", "1", "--output", str(log)]
    assert main(call) == 0
    capsys.readouterr()
    rounds = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    chosen = {word for one in rounds for word in one["options"] if word.startswith("variant=")}
    assert chosen == {"variant=exposed", "variant=hidden"}
    assert all(sum(o.startswith("variant=") for o in one["options"]) == 1 for one in rounds)
    assert main(["replay", str(log), "--rules", str(path)]) == 0
