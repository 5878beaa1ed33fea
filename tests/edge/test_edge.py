"""House edges: published figures, which decks, what is open, the finding, the command."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from checker.check import check
from checker.cli import main
from checker.edge.player_edges import check_edges
from checker.edge.side_bets import (
    BetEdges,
    edges,
    engine_for,
    percent,
    permitted,
    versions,
)
from rulespec.resolve.rulebook import Rulebook
from tests.base.test_diagnostic_pages import TODAY
from tests.edge.edge_support import decks, shipped_book
from tests.support import HEADER, only, rulebook, underlined, with_boxes

CARDS_52 = """
clause 5.2 "Card values" { cards 2 to 10 count face cards J, Q, K count 10 cards A count 1 or 11 }
"""
CARDS_48 = """
clause 5.2 "Card values" {
  cards 2 to 9 count face
  cards J, Q, K count 10
  cards A count 1 or 11
  at card require card.rank != T
}
"""
PAIRS = """
clause 5.3 "Results" {
  define pair as first.rank = second.rank
  perfect_pairs wins when pair
  perfect_pairs loses when not pair
}
clause 5.4 "Odds" {
  perfect_pairs pays {
    pair and first.suit = second.suit                                  -> 25 to 1
    pair and first.suit != second.suit and first.colour = second.colour -> 12 to 1
    otherwise                                                          -> 6 to 1
  }
}
"""


def the(book: Rulebook, bet: str) -> BetEdges:
    (found,) = edges(engine_for(book), [bet])
    assert found.bet == bet
    return found


def house(bet: BetEdges) -> dict[int, Fraction | None]:
    return {edge.decks: edge.house for edge in bet.edges}


def in_percent(bet: BetEdges) -> dict[int, str]:
    return {n: percent(share) for n, share in house(bet).items() if share is not None}


# --- published figures


def test_perfect_pairs_on_52_cards(tmp_path: Path) -> None:
    bet = the(rulebook(tmp_path, decks("in (2, 8)") + CARDS_52 + PAIRS), "perfect_pairs")
    assert in_percent(bet) == {2: "22.3301 %", 8: "4.0964 %"}
    assert house(bet)[2] == Fraction(23, 103)


def test_perfect_pairs_of_act_blackjack() -> None:
    assert in_percent(the(shipped_book("act-blackjack"), "perfect_pairs"))[8] == "4.0964 %"


def test_super_sevens_of_act_blackjack() -> None:
    bet = the(shipped_book("act-blackjack"), "super_sevens")
    assert in_percent(bet)[6] == "11.4000 %"
    assert bet.third_matters == ("7-7",)
    assert the(shipped_book("act-blackjack"), "perfect_pairs").third_matters == ()
    assert [e.without_third == e.house for e in bet.edges] == [False] * len(bet.edges)


@pytest.mark.parametrize(
    "name", ["act-pontoon", "nz-pontoon", "nsw-star-pontoon", "sa-adelaide-pontoon"]
)
def test_insurance_on_48_cards(name: str) -> None:
    bet = the(shipped_book(name), "insurance")
    assert bet.dealer_shows == "A"
    assert house(bet)[6] == Fraction(71, 287)
    assert in_percent(bet)[6] == "24.7387 %"


def test_act_pontoon_gives_the_player_the_edge_from_six_decks() -> None:
    found = house(the(shipped_book("act-pontoon"), "perfect_pairs"))
    assert found[5] == 0
    assert found[6] == Fraction(-5, 287)
    assert round(float(found[6] * 100), 3) == -1.742
    signs = {n: share > 0 for n, share in found.items() if share}
    assert signs == {3: True, 4: True, 6: False, 7: False, 8: False}


# --- which decks


def test_the_decks_are_those_that_the_rules_permit() -> None:
    counts = {
        name: {bet.bet: sorted(house(bet)) for bet in edges(engine_for(shipped_book(name)))}
        for name in with_boxes()
    }
    four_to_eight = [4, 5, 6, 7, 8]
    assert counts["act-blackjack"] == {
        "perfect_pairs": four_to_eight,
        "super_sevens": four_to_eight,
        "insurance": four_to_eight,
    }
    assert counts["nz-pontoon"] == {"insurance": [4, 5, 6, 7, 8]}
    assert counts["nsw-star-pontoon"] == {"perfect_pairs": [6, 8], "insurance": [6, 8]}
    # Adelaide asks for six decks and more while the side bet is offered
    assert counts["sa-adelaide-pontoon"] == {
        "perfect_pairs": [6, 7, 8],
        "insurance": [3, 4, 5, 6, 7, 8],
    }


def test_requirements_on_something_else_do_not_count(tmp_path: Path) -> None:
    text = (
        decks("<= 2")
        + 'clause 5.5 "Shuffler" { at round require option automatic_shuffler }\n'
        + 'clause 5.6 "Pairs" { at round require round.decks > 1 when option perfect_pairs }\n'
    )
    engine = engine_for(rulebook(tmp_path, text + CARDS_52 + PAIRS))
    counts, bounds = permitted(engine, "perfect_pairs")
    assert counts == [2]
    assert {rule.clause for rule in bounds} == {"5.1", "5.6"}
    assert permitted(engine, "insurance")[0] == [1, 2]


def test_a_bet_that_may_not_be_offered_has_no_edge(tmp_path: Path) -> None:
    text = 'clause 5.6 "None" { at round require not option perfect_pairs }\n'
    assert house(the(rulebook(tmp_path, text + CARDS_52 + PAIRS), "perfect_pairs")) == {}


# --- what is open stays open


def test_an_open_settlement_leaves_the_edge_open(tmp_path: Path) -> None:
    text = (
        decks("= 6")
        + CARDS_52
        + """
    clause 18.1 "Only pairs" {
      perfect_pairs wins when first.rank = second.rank
      perfect_pairs pays 10 to 1
    }"""
    )
    book = rulebook(tmp_path, text)
    (edge,) = the(book, "perfect_pairs").edges
    assert edge.house is None
    assert edge.why is not None
    assert edge.why.endswith("no clause gives an answer here")
    assert check_edges(book) == []
    path = str(tmp_path / "sample.rules")
    assert main(["edge", path, "--quiet", "--output", str(tmp_path / "out")]) == 3
    assert "undecided" in (tmp_path / "out").read_text()


def test_a_void_wager_is_neither_won_nor_lost(tmp_path: Path) -> None:
    text = (
        decks("= 1")
        + CARDS_52
        + """
    clause 18.1 "A first ace voids the rest" {
      perfect_pairs is void when first.rank = A
      perfect_pairs loses when first.rank != A
      perfect_pairs wins when first.rank = A and second.rank = A and false_friend
      perfect_pairs pays 1 to 1
      define false_friend as first.rank != A
    }"""
    )
    (edge,) = the(rulebook(tmp_path, text), "perfect_pairs").edges
    assert edge.house == Fraction(12, 13)


def test_insurance_needs_a_clause_that_offers_it(tmp_path: Path) -> None:
    text = (
        CARDS_52
        + """
    clause 7.1 "Insurance" {
      insurance wins when dealer.second in (T, J, Q, K)
      insurance loses when not dealer.second in (T, J, Q, K)
      insurance pays 2 to 1
    }"""
    )
    assert edges(engine_for(rulebook(tmp_path, text))) == []
    offered = text + 'clause 7.2 "When" { may insure when dealer.first = A }\n'
    bet = the(rulebook(tmp_path, decks("= 6") + offered), "insurance")
    assert house(bet) == {6: Fraction(23, 311)}


# --- the finding


def test_player_edges_of_the_shipped_rulebooks() -> None:
    found = {name: check_edges(shipped_book(name)) for name in with_boxes()}
    assert {name for name, listed in found.items() if listed} == {"act-pontoon"}
    (finding,) = found["act-pontoon"]
    assert finding.message == (
        "`perfect_pairs` gives the player the edge: 1.742 % at 6 decks, 2.985 % at 7, 3.916 % at 8"
    )
    assert finding.clause == "18.14(a)"
    assert underlined(finding.span) == "perfect_pairs pays 6 to 1 when mixed_pair"
    assert [(r.clause, r.role) for r in finding.related] == [
        ("18.14(b)", "also sets the odds"),
        ("18.14(c)", "also sets the odds"),
        ("2.1", "bounds the decks"),
    ]


def test_check_tells_of_it_and_honours_an_acceptance(tmp_path: Path) -> None:
    text = HEADER + decks("in 5 to 6") + CARDS_48 + PAIRS
    path = tmp_path / "sample.rules"
    path.write_text(text)
    (finding,) = only(check([str(path)], TODAY).findings, "R301")
    assert finding.message.endswith("the edge: 1.742 % at 6 decks")
    path.write_text(text + 'accept R301 at 5.4 because "known"\n')  # whatever the figures are
    assert [d.code for d in check([str(path)], TODAY).findings] == ["R301", "R230"]
    line = 'accept R301 at 5.4 for "1.742 % at 6" because "known" until 2026-01-01\n'
    path.write_text(text + line)
    report = check([str(path)], TODAY)
    assert only(report.findings, "R301") == []
    assert [d.accepted for d in only(report.accepted, "R301")] == ["known"]
    assert report.exit_status == 0
    assert only(check([str(path)], TODAY, accept=False).findings, "R301")
    path.write_text(text.replace("in 5 to 6", "= 5") + 'accept R301 because "known"\n')
    assert [d.code for d in check([str(path)], TODAY).findings] == ["R215"]


def test_texts_that_follow_each_other_are_each_looked_at(tmp_path: Path) -> None:
    text = (
        CARDS_48
        + PAIRS
        + """
    clause 5.1 "Decks" { in force from 2020-01-01 until 2021-01-01
      at round require round.decks = 4 }
    clause 5.1 "Decks" { in force from 2021-01-01
      at round require round.decks = 8 }
    """
    )
    book = rulebook(tmp_path, text)
    assert [str(day) for day, _ in versions(book)] == ["2020-01-01", "2021-01-01"]
    (finding,) = check_edges(book)
    assert finding.message.endswith("the edge: 3.916 % at 8 decks")
    path = str(tmp_path / "sample.rules")
    assert check([f"{path}@2020-06-01"], TODAY).findings == []
    output = tmp_path / "out.json"
    assert main(["edge", path, "--format", "json", "--output", str(output)]) == 1
    texts = json.loads(output.read_text())["summary"]["rulebooks"]
    assert [(t["from"], t["bets"][0]["decks"][0]["decks"]) for t in texts] == [
        ("2020-01-01", 4),
        ("2021-01-01", 8),
    ]


# --- the command


def run(capsys: pytest.CaptureFixture[str], *call: str) -> tuple[int, str]:
    status = main(["edge", *call])
    return status, capsys.readouterr().out


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    status, out = run(capsys, "act-blackjack")
    assert status == 0
    assert "      6       6.1093 %  19/311     11.4000 %  14288/125333   7.3955 %  23/311\n" in out
    assert "a third card is always taken after 7-7, the only case where one matters" in out
    assert "the dealer's first card is A, and nothing else is known" in out
    assert "Positive: the house keeps so much of each unit staked" in out
    assert "The main wager is worked out only on request (--main)" in out


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    _, out = run(
        capsys, "act-pontoon", "--bet", "perfect_pairs", "--decks", "6", "--format", "json"
    )
    report = json.loads(out)
    assert report["schema"] == "rulespec-report/1"
    assert report["command"] == "edge"
    (book,) = report["summary"]["rulebooks"]
    (bet,) = book["bets"]
    assert (book["rulebook"], bet["bet"], bet["cards_per_deck"]) == (
        "act-pontoon",
        "perfect_pairs",
        48,
    )
    (edge,) = bet["decks"]
    assert edge["edge"] == "-5/287"
    assert edge["percent"] == -1.7422
    assert edge["favours"] == "player"
    assert sum(Fraction(o["probability"]) for o in edge["outcomes"]) == 1
    assert -sum(Fraction(o["probability"]) * Fraction(o["wins"]) for o in edge["outcomes"]) == (
        Fraction(edge["edge"])
    )
    assert "main" in report["summary"]["not_computed"]
    told = [*report["findings"], *report["accepted"]]
    assert [f["code"] for f in told] == ["R301"]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["act-pontoon", "--decks", "2"], "the rules do not permit 2 decks here"),
        (["act-pontoon", "--decks", "six"], "`--decks` takes a number, not `six`"),
        (["act-pontoon", "--bet", "main"], "the edge of `main` is not worked out"),
        (["act-ponton"], "there is no rulebook `act-ponton`"),
        (["nz-pontoon", "--bet", "super_sevens"], "no clause offers super_sevens"),
    ],
)
def test_wrong_calls(call: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["edge", *call]) == 2
    both = capsys.readouterr()
    assert said in both.out + both.err
