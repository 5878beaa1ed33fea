"""Two texts compared where one is silent or says two things: that is an outcome like any other."""

from __future__ import annotations

from pathlib import Path

from checker.diff.diff import diff
from tests.diff.diff_support import book, changed, text_of, written

SMALL = """
rulebook small { title "Small" in force from 2020-01-01 }
clause 1 "Values" {
  cards 2 to 9 count face
  cards T, J, Q, K count 10
  cards A count 1 or 11
}
clause 2 "Dealer" {
  dealer must draw when dealer.total <= 16
  dealer must not draw when dealer.total >= 17
}
clause 3 "Player" { may draw when hand.total < 21 may stand }
clause 4 "Results" {
  main wins when hand.total <= 21 and (dealer.total > 21 or hand.total > dealer.total)
  main loses when hand.total > 21 or (dealer.total <= 21 and hand.total < dealer.total)
  main stands off when hand.total <= 21 and hand.total = dealer.total
}
clause 5 "Bonus" {
  define wager.super_bonus as hand.ranks = 7-7-7
  super_bonus pays $10 when wager.super_bonus and wager.stake < $25
  super_bonus pays $50 when wager.super_bonus and wager.stake >= $25
}
clause 6 "Odds" { main pays 1 to 1 }
"""


def test_a_gap_in_the_dealer_s_draw_is_a_class(tmp_path: Path) -> None:
    text = changed(
        text_of("act-blackjack"), ("dealer.total in 17 to 21", "dealer.total in 18 to 21")
    )
    found = diff(book("act-blackjack"), written(tmp_path, text))
    (one,) = found.classes
    assert (one.code, one.was.text, one.becomes.text) == ("R603", "stands", "no clause says")
    assert one.becomes.outcome.standing == "no clause says"
    assert one.favours is None
    assert found.meaning.complete


def test_a_clash_in_the_dealer_s_draw_is_a_class(tmp_path: Path) -> None:
    text = changed(
        text_of("act-blackjack"), ("dealer.total in 17 to 21", "dealer.total in 16 to 21")
    )
    (one,) = diff(book("act-blackjack"), written(tmp_path, text)).classes
    assert (one.was.text, one.becomes.text) == ("draws", "clauses clash: draws or stands")
    assert one.becomes.outcome.standing == "clauses clash"
    assert set(one.becomes.clauses) >= {"12.1"}


def test_where_the_draw_is_open_both_continuations_are_compared(tmp_path: Path) -> None:
    """With a gap on 17 a dealer's 17 may stand or be drawn to: what it then settles is asked."""
    gap = ("dealer.total in 17 to 21", "dealer.total in 18 to 21")
    old = changed(text_of("act-blackjack"), gap)
    tie = "main stands off when hand.total = dealer.total"
    assert tie in old
    new = old.replace(tie, tie + " and dealer.total != 17")
    found = diff(written(tmp_path, old, "old.rules"), written(tmp_path, new))
    shown = [c.witness for c in found.classes if c.witness and c.question == "main.result"]
    assert shown
    assert found.classes[0].becomes.text == "no clause says"


def test_clauses_that_clash_on_a_bonus_and_on_odds(tmp_path: Path) -> None:
    table = SMALL
    wider = table.replace("wager.stake < $25", "wager.stake <= $25")
    (one,) = diff(written(tmp_path, table, "a.rules"), written(tmp_path, wider)).classes
    assert (one.was.text, one.becomes.text) == ("$50", "clauses clash: $10 or $50")
    assert one.favours == "open"
    better = table.replace("main pays 1 to 1", "main pays 1 to 1 main pays 3 to 2 when hand.soft")
    (one,) = diff(written(tmp_path, table, "a.rules"), written(tmp_path, better)).classes
    assert one.becomes.text == "wins, clauses clash: 1 to 1 or 3 to 2"
    assert one.favours == "open"
    none = table.replace("main pays 1 to 1", "main pays 1 to 1 when not hand.soft")
    (one,) = diff(written(tmp_path, table, "a.rules"), written(tmp_path, none)).classes
    assert (one.becomes.text, one.favours) == ("wins, no clause says at what odds", "open")
    both = table.replace("hand.total > dealer.total)", "hand.total >= dealer.total)")
    (one,) = diff(written(tmp_path, table, "a.rules"), written(tmp_path, both)).classes
    assert (one.was.text, one.becomes.text) == ("stands off", "clauses clash: stands off or wins")


def test_what_a_card_counts_is_compared_by_meaning(tmp_path: Path) -> None:
    new = changed(
        text_of("act-blackjack"),
        ("cards 2 to 9 count face", "cards 2 to 10 count face"),
        ("cards T, J, Q, K count 10", "cards J, Q, K count 10"),
        ("count 1 or 11", "count 11 or 1"),
    )
    found = diff(book("act-blackjack"), written(tmp_path, new))
    assert found.same_meaning
    assert len(found.structure.changes) == 3
    kings = ("cards T, J, Q, K count 10", "cards T, J, Q count 10")
    wrong = changed(text_of("act-blackjack"), kings)
    found = diff(book("act-blackjack"), written(tmp_path, wrong))
    (one,) = [c for c in found.classes if c.question == "card value K"]
    assert (one.was.text, one.becomes.text) == ("10", "no clause says")


def test_a_stake_is_looked_at_wherever_a_rule_names_one(tmp_path: Path) -> None:
    text = SMALL.replace(
        "main pays 1 to 1",
        """main pays 1 to 1 when wager.stake < $100
    main pays 2 to 1 when wager.stake >= $100""",
    )
    more = text.replace("$100", "$200")
    (one,) = diff(written(tmp_path, text, "a.rules"), written(tmp_path, more)).classes
    assert (one.was.text, one.becomes.text) == ("wins at 2 to 1", "wins at 1 to 1")
    assert one.witness is not None
    assert 10_000 <= one.witness.around.stake < 20_000
    text = SMALL.replace("may stand", "may stand may double when wager.original < $100")
    more = text.replace("$100", "$200")
    (one,) = diff(written(tmp_path, text, "a.rules"), written(tmp_path, more)).classes
    assert (one.was.text, one.becomes.text) == ("no clause allows it", "may")
    assert one.witness is not None
    assert 10_000 <= one.witness.around.stake < 20_000
