"""Flaws of duties, draws, card values and bare words: one small flaw each, and its like without."""

from pathlib import Path

import pytest

from checker.cli import main
from checker.prove.findings import proof_findings
from checker.prove.prove import Prover, prove
from rulespec.load.load import load
from rulespec.resolve.rulebook import Rulebook
from tests.support import CARDS_AND_DRAW, rulebook

FLAWED = [
    (
        'clause 2 "x" { must draw when hand.total < 12 }\n'
        'clause 3 "y" { may not draw when hand.cards >= 3 }',
        "R310",
        {"2", "3"},
    ),
    (
        'clause 2 "x" { must draw when hand.total < 12 }\n'
        'clause 3 "y" { must stand when hand.total < 12 }',
        "R310",
        {"2", "3"},
    ),
    (
        'clause 2 "x" { may not draw when hand.total < 12 }\n'
        'clause 3 "y" { may not stand when hand.total < 12 }',
        "R310",
        {"2", "3"},
    ),
    ('clause 2 "x" { dealer must not draw when dealer.no_effect }', "R310", {"1.2", "2"}),
    ('clause 2 "x" { cards K count 9 }', "R310", {"1.1", "2"}),
    (
        'clause 2 "x" { casino must shuffle when shoe.new }\n'
        'clause 3 "y" { casino must not shuffle when shoe.new and round.decks > 2 }',
        "R310",
        {"2", "3"},
    ),
    (
        'clause 2 "x" { main settles at once when hand.total = 21 }\n'
        'clause 3 "y" { main settles at the end when hand.total = 21 }',
        "R310",
        {"2", "3"},
    ),
    (
        'clause 2 "x" { at round require round.decks in 3 to 8 }\n'
        'clause 3 "y" { at round require round.decks > 8 }',
        "R310",
        {"2", "3"},
    ),
    ('clause 2 "x" { casino must shuffle when shoe.new and not shoe.new }', "R313", {"2"}),
    ('clause 2 "x" { may insure when dealer.first = A and dealer.first = 9 }', "R313", {"2"}),
    ('clause 2 "x" { at round require round.decks > 8 when round.decks <= 6 }', "R313", {"2"}),
    # one `or` hides nothing, nor does a term, nor a condition on each side of one event
    (
        'clause 2 "x" { casino must shuffle when shoe.cut_card_first }\n'
        'clause 3 "y" { casino must not shuffle when option last_rounds and (shoe.cut_card_out\n'
        "  or shoe.cut_card_first) }",
        "R310",
        {"2", "3"},
    ),
    (
        'clause 2 "x" { define late as recorded fraud or recorded placement_error\n'
        "  casino must void_round when late }\n"
        'clause 3 "y" { casino may not void_round when recorded placement_error }',
        "R310",
        {"2", "3"},
    ),
    (
        'clause 2 "x" { dealer must burn when card.not_due and dealer.players_done }\n'
        'clause 3 "y" { dealer must not burn when card.not_due and recorded exposed_in_error }',
        "R310",
        {"2", "3"},
    ),
    (
        'clause 2 "x" { main counts up to limit.box_max when limit.box_max_stated }\n'
        'clause 3 "y" { main counts up to limit.max when wager.over_maximum }',
        "R310",
        {"2", "3"},
    ),
    (
        'clause 2 "x" { at round require round.decks in 3 to 8 or option low_limit }\n'
        'clause 3 "y" { at round require round.decks > 8 and not option low_limit }',
        "R310",
        {"2", "3"},
    ),
    # a second player on the box, who did not double
    (
        'clause 2 "x" { may double when player.controls and hand.cards = 2 }\n'
        'clause 3 "y" { must draw when hand.total < 12 and not wager.doubled }\n'
        'clause 4 "z" { may not draw when hand.double_card_dealt }',
        "R310",
        {"3", "4"},
    ),
    (
        'clause 2 "x" { must draw when hand.total < 12 }\n'
        'clause 3 "y" { may not draw when player.refused_card }',
        "R310",
        {"2", "3"},
    ),
    # a ban on the deciding player is a ban of the card
    (
        'clause 2 "x" { must draw when hand.total < 12 }\n'
        'clause 3 "y" { may not draw when player.absent and player.controls }',
        "R310",
        {"2", "3"},
    ),
    # a rule for whatever did not happen is a wide one
    (
        'clause 2 "x" { casino must void_round when recorded fraud }\n'
        'clause 3 "y" { casino must not void_round when not recorded placement_error }',
        "R310",
        {"2", "3"},
    ),
    # a dealer who draws while players decide may come to more than one card
    ('clause 2 "x" { dealer must draw when not dealer.players_done }', "R310", {"1.2", "2"}),
    (
        'clause 2 "x" { insurance wins when dealer.second in (J, Q, K)\n'
        "  insurance loses when not dealer.second in (J, Q, K) }\n"
        'clause 3 "y" { may insure when dealer.first = A }',
        "R312",
        {"2"},
    ),
]
UNFLAWED = [
    'clause 2 "x" { must draw when hand.total < 12 }\n'
    'clause 3 "y" { may not draw when hand.total >= 12 }',
    'clause 2 "x" { subject to 3  must draw when hand.total < 12 }\n'
    'clause 3 "y" { may not draw when hand.cards >= 3 }',
    'clause 2 "x" { casino must shuffle when shoe.new }\n'
    'clause 3 "y" { casino must not shuffle when not shoe.new }',
    'clause 2 "x" { despite 1.2  dealer must not draw when dealer.no_effect }',
    'clause 2 "x" { casino must shuffle when shoe.cut_card_first and not option last_rounds }\n'
    'clause 3 "y" { casino must not shuffle when option last_rounds and (shoe.cut_card_out\n'
    "  or shoe.cut_card_first) }",
    # two events that have nothing to do with each other
    'clause 2 "x" { casino must void_round when recorded fraud }\n'
    'clause 3 "y" { casino may not void_round when recorded not_shuffled }',
    'clause 2 "x" { main counts as limit.min when wager.under_minimum }\n'
    'clause 3 "y" { main counts as limit.max when wager.over_maximum }',
    # who decides for a hand is no ban of its cards
    'clause 2 "x" { must draw when hand.total < 12 }\n'
    'clause 3 "y" { may not draw, stand when not player.controls }',
    'clause 2 "x" { may double when player.controls and hand.cards = 2 }\n'
    'clause 3 "y" { must draw when hand.total < 12 and not hand.doubled }\n'
    'clause 4 "z" { may not draw when hand.double_card_dealt }',
    'clause 2 "x" { at round require round.decks in 3 to 8 }\n'
    'clause 3 "y" { at round require round.decks > 2 }',
]
PLAIN_GAME = (
    CARDS_AND_DRAW
    + """
clause 1.3 "All totals" {
  main wins when hand.total <= 21 and (hand.total > dealer.total or dealer.total > 21)
  main loses when hand.total > 21 or (dealer.total > hand.total and dealer.total <= 21)
  main stands off when hand.total <= 21 and hand.total = dealer.total
  main pays 1 to 1
  may draw when hand.total < 21
}
"""
)


@pytest.mark.parametrize(("flaw", "code", "clauses"), FLAWED)
def test_a_flaw_of_conduct_or_words(
    flaw: str, code: str, clauses: set[str], tmp_path: Path
) -> None:
    found = proof_findings(book := rulebook(tmp_path, PLAIN_GAME + flaw), prove(book))
    mine = [d for d in found if d.code == code]
    assert any(clauses <= {d.clause, *(r.clause for r in d.related)} for d in mine)
    assert not any(d.settled for d in mine if code != "R313")


@pytest.mark.parametrize("text", UNFLAWED)
def test_nothing_is_wrong_with_its_like(text: str, tmp_path: Path) -> None:
    found = prove(rulebook(tmp_path, PLAIN_GAME + text)).found
    assert [p for p in found if p.code in ("R310", "R312", "R313")] == []


DUTIES = """
clause 2 "x" { must draw when hand.total < 12 }
clause 3 "y" { must draw when player.absent and hand.total < 12 }
clause 4 "z" { may surrender when dealer.first = A }
clause 5 "w" { may not draw when hand.surrendered }
clause 6 "v" { may double when hand.cards = 2 }
clause 7 "u" { may not draw when hand.double_card_dealt }
clause 8 "t" { must draw when hand.doubled and not hand.double_card_dealt }
"""


def test_all_duties_that_one_ban_meets_are_one_finding(tmp_path: Path) -> None:
    found = Prover(rulebook(tmp_path, PLAIN_GAME + DUTIES)).run({"player draw"}).found
    issues = [p for p in found if p.code == "R310"]
    assert sorted(sorted({r.clause for r in p.rules}) for p in issues) == [
        ["2", "3", "5"],
        ["2", "3", "7"],
    ]
    assert all(p.witness is not None and "absent" not in p.witness.flags for p in issues)


def test_a_split_is_held_against_the_duty_to_draw(tmp_path: Path) -> None:
    split = 'clause 2 "x" { must draw when hand.total < 12 }\n' + (
        'clause 3 "y" { may split when hand.equal_value and not hand.split }'
    )
    found = proof_findings(book := rulebook(tmp_path, PLAIN_GAME + split), prove(book))
    (one,) = [d for d in found if d.code == "R311"]
    assert one.message == (
        "`3` says that the player may split a pair, `2` says that the player must take another "
        "card: 2♠ 2♥, dealer A♦"
    )


def test_of_several_clauses_only_those_that_go_together_are_told_of_one_case(
    tmp_path: Path,
) -> None:
    amounts = """
clause 2 "x" { main counts as limit.min when wager.under_minimum }
clause 3 "y" { main counts as limit.max when wager.over_maximum }
clause 4 "z" { main counts as wager.chips_held when wager.stake > wager.chips_held }
"""
    found = proof_findings(book := rulebook(tmp_path, PLAIN_GAME + amounts), prove(book))
    (one,) = [d for d in found if d.code == "R310"]
    assert one.message == (
        "`4` says that the main wager counts as the tournament chips the player holds, `2` that it "
        "counts as the displayed minimum for this bet, in the same case"
    )
    assert [(r.clause, r.role) for r in one.related] == [
        ("2", "says that it counts as the displayed minimum for this bet"),
        ("3", "says that it counts as the displayed maximum for this bet, in another case"),
    ]


# --- what the shipped texts would be without a word


SHIPPED = Path(__file__).parent.parent.parent / "jurisdictions"


def copied(name: str, folder: Path, clause: str = "", words: str = "") -> Rulebook:
    """A copy of a shipped text, from which some words of one clause are taken."""
    (path,) = SHIPPED.glob(f"*/{name}.rules")
    text = path.read_text(encoding="utf-8")
    start = text.index(f"clause {clause} ") if clause else 0
    place = text.index(words, start)
    assert "clause " not in text[start + 1 : place], f"`{words}` is not in {clause}"
    copy = folder / path.name
    copy.write_text(text[:place] + text[place + len(words) :], encoding="utf-8")
    book = load(copy).rulebook
    assert book is not None
    return book


def meeting(book: Rulebook, question: str) -> list[set[str]]:
    found = Prover(book).run({question}).found
    return [{r.clause for r in p.rules} for p in found if p.code in ("R310", "R311")]


def test_standing_is_held_against_the_duty_to_draw(tmp_path: Path) -> None:
    """10.1(d) lets players stand subject to 10.2, which makes them draw."""
    question = "player draw or stand"
    assert meeting(copied("act-pontoon", tmp_path), question) == []
    flawed = copied("act-pontoon", tmp_path, "10.1(d)", "subject to 10.2 as drawing.limits")
    assert [{"10.1(d)", "10.2(c)"} <= clauses for clauses in meeting(flawed, question)] == [True]


def test_others_on_the_box_are_asked_too(tmp_path: Path) -> None:
    """12.2 is all that keeps others from what the deciding player declined."""
    question = "player double"
    sound = meeting(copied("act-pontoon", tmp_path), question)
    assert not any({"12.3", "12.2"} <= met for met in sound)
    flawed = copied("act-pontoon", tmp_path, "12.3", " and play.controller_did")
    assert any({"12.3", "12.2"} <= met for met in meeting(flawed, question))


def test_a_missing_draw_is_named_by_its_total(tmp_path: Path) -> None:
    text = PLAIN_GAME.replace("dealer.total <= 16", "dealer.total < 16").replace(
        "dealer.total > 16", "dealer.total in 17 to 21"
    )
    found = proof_findings(book := rulebook(tmp_path, text), prove(book))
    gaps = [(d.clause, d.message, d.about[0]) for d in found if d.code == "R312"]
    draws = "no clause says whether the dealer draws"
    assert gaps == [
        ("1.2", f"{draws} on 16: K♠ 9♥, dealer A♦ 5♥", "on 16"),
        ("1.2", f"{draws} over 21: K♠ 9♥, dealer 2♦ J♥ J♠", "over 21"),
    ]


def test_a_missing_result_stands_where_it_would_be_looked_for(tmp_path: Path) -> None:
    text = PLAIN_GAME.replace(
        "  main stands off when hand.total <= 21 and hand.total = dealer.total\n", ""
    )
    text = 'clause 0.1 "Void" { main is void when round.void }\n' + text
    found = proof_findings(book := rulebook(tmp_path, text), prove(book))
    assert [d.clause for d in found if d.code == "R312"] == ["1.3"]


def test_saved_witnesses_are_scenarios_that_replay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each says what the round comes to; once the text is mended they do not pass any more."""
    text = "rulebook sample { game pontoon in force from 2020-01-01 }\n" + PLAIN_GAME
    flawed = text + 'clause 2 "x" { main loses when hand.total = 20 and hand.total > dealer.total }'
    rules = tmp_path / "sample.rules"
    rules.write_text(flawed, encoding="utf-8")
    assert main(["check", str(rules), "--quiet", "--save-witnesses", str(tmp_path)]) == 1
    assert main(["test", str(rules)]) == 0
    mended = flawed.replace("main loses when hand.total = 20", "main wins when hand.total = 20")
    rules.write_text(mended, encoding="utf-8")
    assert main(["test", str(rules)]) == 1
    capsys.readouterr()
