"""What the calculations of edges do not model is said with its clause, and never reckoned with."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from checker.cli import main
from checker.edge.main_wager import main_edge
from checker.edge.side_bets import edges, engine_for
from tests.edge.test_edge_counted import STAND_ONLY, _ends, _total
from tests.support import rulebook


def counted_edge(pays: Callable[[str], Fraction]) -> Fraction:
    """The edge of a game in which hands under 12 must be drawn to and others may not."""
    ends: dict[int, Fraction] = {}
    for first in "A23456789TJQK":
        for total, share in _ends(first).items():
            ends[total] = ends.get(total, Fraction(0)) + share / 13

    def value(ranks: str) -> Fraction:
        if len(ranks) < 2 or _total(ranks) < 12:
            return sum((value(ranks + card) for card in "A23456789TJQK"), Fraction(0)) / 13
        mine = _total(ranks)
        return sum(
            (
                share * (pays(ranks) if mine > total or total > 21 else -1 if mine < total else 0)
                for total, share in ends.items()
            ),
            Fraction(0),
        )

    return -value("")


FORCED = STAND_ONLY.replace(
    "may not draw", "must draw when hand.total < 12\n  may not draw when hand.total >= 12"
).replace("may not draw", "may draw when hand.total < 12\n  may not draw", 1)


@pytest.mark.parametrize(
    ("row", "holds"),
    [
        ("hand.aces = 1", lambda ranks: ranks.count("A") == 1),
        ("hand.aces = 2 and hand.cards = 3", lambda r: r.count("A") == 2 and len(r) == 3),
        ("hand.ten_cards = 1", lambda ranks: sum(r in "TJQK" for r in ranks) == 1),
        ("hand.cards >= 4", lambda ranks: len(ranks) >= 4),
    ],
)
def test_what_a_rule_counts_is_kept_apart(
    row: str, holds: Callable[[str], bool], tmp_path: Path
) -> None:
    """Hands are taken together where no rule tells them apart, and only there."""
    text = FORCED.replace("hand.total = 21 -> 3 to 2", f"{row} -> 3 to 1")
    found = main_edge(rulebook(tmp_path, text))
    assert found is not None
    expected = counted_edge(lambda ranks: Fraction(3) if holds(ranks) else Fraction(1))
    assert (found.least, found.most, found.missing) == (expected, expected, ())


RESULTS = STAND_ONLY[STAND_ONLY.index('clause 4 "Results"') : STAND_ONLY.index('clause 5 "Odds"')]
MORE = """
clause 4 "Results" {
  main loses when hand.total > 21
  main wins when hand.total <= 21 and (hand.total > dealer.total or dealer.total > 21)
  main loses when hand.total < dealer.total and dealer.total <= 21
  main stands off when hand.total = dealer.total and hand.total <= 21
}
clause 6 "Doubling" { may double when hand.cards = 2 }
clause 7 "Splitting" { may split when hand.equal_value and not hand.split }
"""
PLAYED = (
    STAND_ONLY.replace(RESULTS, "").replace("may not draw", "may draw when hand.total < 21") + MORE
)


@pytest.mark.parametrize(
    ("clause", "clauses", "why"),
    [
        ("main wins when round.decks >= 6 and hand.total = 20", {"9"}, "`round.decks`"),
        ("main pays 2 to 1 when first.rank = 7", {"9"}, "`first.rank`"),
        ("main pays 2 to 1 when wager.stake >= $50", {"9"}, "`wager.stake`"),
        ("main pays 2 to 1 when box.number = 1", {"9"}, "`box.number`"),
        ("main pays 2 to 1 when hand.suits = spades", {"9"}, "`hand.suits`"),
        ("main pays 2 to 1 when player.late_entry", {"9"}, "`player.late_entry`"),
        ("main pays 2 to 1 when player.idle_rounds > 3", {"9"}, "`player.idle_rounds`"),
        ("main pays 2 to 1 when dealer.second in (2, 3, 4, 5, 6)", {"9"}, "`dealer.second`"),
        ("dealer must draw when dealer.total = 17 and round.decks > 6", {"9"}, "`round.decks`"),
        ("may not double when player.recognised", {"9"}, "`player.recognised`"),
        ("at double require player.sat_out", {"9"}, "`player.sat_out`"),
        ("define lucky as round.decks > 6\n  main loses when lucky", {"9"}, "`round.decks`"),
        ("dealer must draw when not dealer.players_done", {"9"}, "before the players are done"),
        (
            "at deal require card.position <= 2 when deal.initial and deal.to_dealer",
            {"9"},
            "a second card in the initial deal",
        ),
        ("cards K count 9 when hand.doubled", {"9"}, "gives K another value than"),
        ("main pays 2 to 1 when hand.ranks = Q-Q", {"9"}, "names the ranks Q-Q apart"),
    ],
)
def test_what_is_not_modelled_leaves_the_main_wager_undecided(
    clause: str, clauses: set[str], why: str, tmp_path: Path
) -> None:
    found = main_edge(rulebook(tmp_path, PLAYED + f'clause 9 "More" {{ {clause} }}\n'))
    assert found is not None
    assert (found.least, found.most) == (None, None)
    told = [m for m in found.missing if m.clause in clauses]
    assert any(why in m.why for m in told), found.missing


def test_a_court_card_with_a_value_of_its_own(tmp_path: Path) -> None:
    text = PLAYED.replace("cards T, J, Q, K count 10", "cards T, J, Q count 10\n  cards K count 9")
    found = main_edge(rulebook(tmp_path, text))
    assert found is not None
    assert found.most is None
    assert "gives K another value than T" in str(found.missing[0])


def test_a_gap_leaves_the_main_wager_undecided(tmp_path: Path) -> None:
    text = STAND_ONLY.replace("  main stands off when hand.total = dealer.total\n", "")
    found = main_edge(rulebook(tmp_path, text))
    assert found is not None
    assert found.most is None
    assert "what becomes of" in found.missing[0].why
    text = STAND_ONLY.replace("otherwise -> 1 to 1", "")
    found = main_edge(rulebook(tmp_path, text))
    assert found is not None
    assert "what a win pays on" in found.missing[0].why


def test_what_is_required_of_a_choice_counts(tmp_path: Path) -> None:
    free = main_edge(rulebook(tmp_path, PLAYED))
    bound = main_edge(
        rulebook(
            tmp_path,
            PLAYED
            + ('clause 9 "Only nine to eleven" { at double require hand.total in 9 to 11 }\n'),
        )
    )
    never = main_edge(
        rulebook(
            tmp_path, PLAYED.replace('clause 6 "Doubling" { may double when hand.cards = 2 }\n', "")
        )
    )
    assert free is not None
    assert bound is not None
    assert never is not None
    edges = [found.most for found in (free, bound, never)]
    assert None not in edges
    assert edges == sorted(edges)  # type: ignore[type-var]
    assert len(set(edges)) == 3


def test_a_choice_that_the_text_leaves_open_gives_two_figures(tmp_path: Path) -> None:
    found = main_edge(
        rulebook(
            tmp_path,
            PLAYED.replace("may double when", 'may double undecided because "who knows" when'),
        )
    )
    assert found is not None
    assert found.least is not None
    assert found.most is not None
    assert found.least < found.most
    assert found.open == ("6",)


def test_an_option_is_off_and_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = main_edge(rulebook(tmp_path, PLAYED))
    text = PLAYED + 'clause 9 "Low" { main pays 9 to 1 when option low_limit }\n'
    found = main_edge(rulebook(tmp_path, text))
    assert plain is not None
    assert found is not None
    assert found.most == plain.most
    assert found.options == (("low_limit", ("9",)),)
    assert main(["edge", str(tmp_path / "sample.rules"), "--main"]) == 0
    assert "all off: low_limit (9)" in " ".join(capsys.readouterr().out.split())


def test_the_command_says_undecided_because(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rulebook(tmp_path, PLAYED + 'clause 9 "More" { main loses when round.decks >= 6 }\n')
    path = str(tmp_path / "sample.rules")
    assert main(["edge", path, "--main"]) == 3
    told = " ".join(capsys.readouterr().out.split())
    assert "main wager: undecided, because 9 rests on `round.decks`" in told
    assert main(["edge", path, "--main", "--format", "json"]) == 3
    (shown,) = json.loads(capsys.readouterr().out)["summary"]["main"]
    assert (shown["percent_least"], shown["percent_most"]) == (None, None)
    assert shown["undecided"][0]["clause"] == "9"


@pytest.mark.parametrize(
    ("clause", "fact"),
    [
        ("perfect_pairs loses when player.late_entry", "`player.late_entry`"),
        (
            "perfect_pairs pays 50 to 1 when wager.stake >= $5 and first.rank = second.rank",
            "`wager.stake`",
        ),
        ("perfect_pairs is void when box.number > 4", "`box.number`"),
    ],
)
def test_what_is_not_modelled_leaves_a_side_bet_undecided(
    clause: str, fact: str, tmp_path: Path
) -> None:
    text = """
clause 1 "Values" { cards 2 to 9 count face }
clause 2 "Pairs" {
  perfect_pairs wins when first.rank = second.rank
  perfect_pairs loses when first.rank != second.rank
  perfect_pairs pays 12 to 1
}
"""
    (sound,) = edges(engine_for(rulebook(tmp_path, text)))
    assert all(edge.house is not None for edge in sound.edges)
    (found,) = edges(engine_for(rulebook(tmp_path, text + f'clause 3 "More" {{ {clause} }}\n')))
    assert all(edge.house is None for edge in found.edges)
    assert f"3 rests on {fact}" in (found.edges[0].why or "")
