"""What the language means: the plain evaluator on small rulebooks and hand-made scenes."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support import rulebook

import checker.facts  # noqa: F401  fills FUNCTIONS
from checker.decode import decode_round
from checker.engine import Answer, Engine, money_text
from checker.findings import Verdict
from checker.judge import judge
from checker.rounds import Round
from checker.scenario_script import events_of
from checker.scenarios import load_scenarios, scenario_path
from checker.scene import FUNCTIONS
from checker.shoes import ShoeTracker
from rulespec.load import load, shipped
from rulespec.parse import parse
from rulespec.vocabulary import FACTS

CARDS = """
clause 1 "Card values" {
  cards 2 to 9 count face
  cards T, J, Q, K count 10
  cards A count 1 or 11
}
clause 2 "The dealer draws to 17" {
  dealer must draw when dealer.total <= 16
  dealer must not draw when dealer.total > 16
}
"""
PLAYS = """
clause 3 "Choices" {
  may draw
  may stand
  may double
  may split when hand.equal_value
}
"""
RESULTS = """
clause 4 "Results" {
  main wins when hand.total <= 21 and (dealer.total > 21 or hand.total > dealer.total)
  main loses when hand.total > 21 or (dealer.total <= 21 and hand.total < dealer.total)
  main stands off when hand.total <= 21 and hand.total = dealer.total
}
"""


class Told:
    """A scene that says what it was told and nothing else."""

    def __init__(self, *settings: str, dealer: Told | None = None, **facts: Any) -> None:
        self.facts = {name.replace("__", "."): value for name, value in facts.items()}
        self.settings = set(settings)
        self.dealer = dealer
        self.memory: dict[str, Any] = {}
        self.asked: list[str] = []

    def fact(self, name: str) -> Any:
        self.asked.append(name)
        return self.facts.get(name)

    def setting(self, kind: str, name: str) -> bool | None:
        return f"{kind} {name}" in self.settings

    def as_dealer(self) -> Told:
        return self.dealer or self


def engine_of(folder: Path, text: str) -> Engine:
    return Engine(rulebook(folder, text))


def clauses(*texts: str) -> str:
    """One clause for each text: 1, 2, 3 …"""
    return "".join(f'clause {n} "Clause {n}" {{ {text} }}\n' for n, text in enumerate(texts, 1))


def asked(folder: Path, text: str, question: str, scene: Told) -> Answer:
    return engine_of(folder, text).ask(question, scene)


def condition(folder: Path, text: str, scene: Told) -> bool | None:
    engine = engine_of(folder, clauses(f"main wins when {text}"))
    return engine.compile(engine.rulebook.rules[0].condition)(scene)


def a_round(script: str, **more: Any) -> Round:
    document = {
        "format": 1, "round": "R1", "table": "T1", "at": "2020-02-01T12:00:00+10:00", "decks": 6,
        "events": events_of(script),
    }  # fmt: skip
    return decode_round({**document, **more})


def judged(folder: Path, text: str, script: str, **more: Any) -> Verdict:
    return judge(engine_of(folder, text), a_round(script, **more))


def due(verdict: Verdict, box: int = 1, player: str = "P1", bet: str = "main") -> Any:
    return verdict.expected[(box, 1, player, bet)]


def codes(verdict: Verdict) -> list[tuple[str, str | None]]:
    return [(f.code, f.clause) for f in verdict.findings if f.code != "R503"]


# --- conditions

TRUTH = (False, None, True)


@pytest.mark.parametrize(("one", "other"), list(itertools.product(TRUTH, repeat=2)))
def test_and_or_not_have_three_values(tmp_path: Path, one: Any, other: Any) -> None:
    """Kleene: `and` is the lesser, `or` the greater, where not known stands between."""
    scene = Told(hand__split=one, hand__doubled=other)
    low, high = sorted((one, other), key=TRUTH.index)
    assert condition(tmp_path, "hand.split and hand.doubled", scene) is low
    assert condition(tmp_path, "hand.split or hand.doubled", scene) is high
    turned = {True: False, False: True, None: None}[one]
    assert condition(tmp_path, "not hand.split", scene) is turned
    assert condition(tmp_path, "not (hand.split and hand.doubled)", scene) is {
        True: False, False: True, None: None,
    }[low]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "total", "expected"),
    [
        ("hand.total = 21", 21, True),
        ("hand.total = 21", 20, False),
        ("hand.total = 21", None, None),
        ("hand.total != 21", None, None),
        ("hand.total <= 16", 16, True),
        ("hand.total < 16", 16, False),
        ("hand.total in 3 to 8", 3, True),
        ("hand.total in 3 to 8", 8, True),
        ("hand.total in 3 to 8", 9, False),
        ("hand.total in 3 to 8", None, None),
        ("hand.total in (4, 6)", 6, True),
        ("hand.total in (4, 6)", 5, False),
        ("hand.total in (4, 6)", None, None),
        ("hand.total + 1 = hand.total * 2 - 4", 5, True),
        ("hand.total + 1 = hand.total * 2 - 4", 6, False),
        ("hand.total + 1 > 0", None, None),
    ],
)
def test_comparisons(tmp_path: Path, text: str, total: int | None, expected: bool | None) -> None:
    assert condition(tmp_path, text, Told(hand__total=total)) is expected


def test_halves_are_exact(tmp_path: Path) -> None:
    """Half of $0.25 is 12½ cents: neither 12 nor 13 is as much."""
    text = "wager.stake = wager.original / 2"
    assert condition(tmp_path, text, Told(wager__stake=12, wager__original=25)) is False
    assert condition(tmp_path, text, Told(wager__stake=13, wager__original=25)) is False
    half = Told(wager__stake=Fraction(25, 2), wager__original=25)
    assert condition(tmp_path, text, half) is True


def test_nothing_is_known_of_a_division_by_nought(tmp_path: Path) -> None:
    scene = Told(wager__stake=100, box__hands=0)
    assert condition(tmp_path, "wager.stake / box.hands > $1", scene) is None


def test_ten_is_a_rank_too(tmp_path: Path) -> None:
    assert condition(tmp_path, "dealer.first in (10, K)", Told(dealer__first="T")) is True
    assert condition(tmp_path, "dealer.first in (10, K)", Told(dealer__first="9")) is False
    assert condition(tmp_path, "dealer.first = 7", Told(dealer__first="7")) is True


def test_ranks_of_a_hand_have_no_order(tmp_path: Path) -> None:
    assert condition(tmp_path, "hand.ranks = 8-6-7", Told(hand__ranks="6-7-8")) is True
    assert condition(tmp_path, "hand.ranks = 6-7-8", Told(hand__ranks="6-7-9")) is False


def test_settings(tmp_path: Path) -> None:
    text = "option tournament and not approved resplit and recorded fraud"
    assert condition(tmp_path, text, Told("option tournament", "recorded fraud")) is True
    assert condition(tmp_path, text, Told("option fraud", "recorded tournament")) is False


# --- outcome sets


def test_clauses_that_agree_are_all_cited(tmp_path: Path) -> None:
    text = clauses("main wins when hand.total = 21", "main wins when hand.cards = 2")
    answer = asked(tmp_path, text, "main.result", Told(hand__total=21, hand__cards=2))
    assert (answer.value, answer.clauses, answer.beaten) == ("wins", ("1", "2"), ())


def test_clauses_that_differ_contradict_each_other(tmp_path: Path) -> None:
    text = clauses("main wins when hand.total = 21", "main loses when dealer.total = 21")
    answer = asked(tmp_path, text, "main.result", Told(hand__total=21, dealer__total=21))
    assert set(answer.values) == {"wins", "loses"}
    assert (answer.decided, answer.value) == (False, None)
    why = answer.why_undecided()
    assert "clause 1 says wins" in why
    assert "clause 2 says loses" in why


def test_no_clause_is_a_gap(tmp_path: Path) -> None:
    text = clauses("main wins when hand.total = 21")
    answer = asked(tmp_path, text, "main.result", Told(hand__total=20))
    assert (answer.values, answer.decided) == ((), False)
    assert answer.why_undecided() == "no clause gives an answer here"


def test_a_gap_in_a_round_is_undecided_and_not_passed_over(tmp_path: Path) -> None:
    text = CARDS + PLAYS + 'clause 4 "Only 21" { main wins when hand.total = 21 main pays 1 to 1 }'
    script = "bet 1 P1 10\ndeal 1:KH 0:9D 1:9C\n1 P1 stand\ndealer 8S\nsettle 1 P1 main 20"
    verdict = judged(tmp_path, text, script)
    assert [(f.code, f.kind) for f in verdict.findings] == [("R550", "undecided")]
    assert due(verdict) is None


# --- precedence

TWO_VALUES = Told(hand__total=21, dealer__total=21)


@pytest.mark.parametrize(
    ("first", "second", "winner"),
    [("despite 2", "", "1"), ("", "despite 1", "2"), ("subject to 2", "", "2"),
     ("", "subject to 1", "1")],
)  # fmt: skip
def test_despite_and_subject_to(tmp_path: Path, first: str, second: str, winner: str) -> None:
    text = clauses(f"{first} main wins when hand.total = 21",
                   f"{second} main loses when dealer.total = 21")  # fmt: skip
    answer = asked(tmp_path, text, "main.result", TWO_VALUES)
    loser = "2" if winner == "1" else "1"
    assert answer.value == {"1": "wins", "2": "loses"}[winner]
    assert answer.clauses == (winner,)
    assert [(r.clause, by.clause) for r, by in answer.beaten] == [(loser, winner)]


def test_a_clause_that_does_not_apply_beats_nothing(tmp_path: Path) -> None:
    text = clauses("despite 2 main wins when hand.total = 21", "main loses when dealer.total = 21")
    answer = asked(tmp_path, text, "main.result", Told(hand__total=20, dealer__total=21))
    assert (answer.value, answer.beaten) == ("loses", ())


def test_despite_reaches_the_parts_of_a_clause(tmp_path: Path) -> None:
    text = """
clause 9.4 "First" { despite 14.1 main wins when hand.total = 21 }
clause 14.1 "Tests" { introduces its parts }
clause 14.1(b) "Part" { main loses when dealer.total = 21 }
clause 14.10 "Another clause" { main stands off when hand.cards = 3 }
"""
    scene = Told(hand__total=21, dealer__total=21, hand__cards=3)
    answer = asked(tmp_path, text, "main.result", scene)
    assert set(answer.values) == {"wins", "stands off"}
    assert [r.clause for r, _ in answer.beaten] == ["14.1(b)"]


def test_precedence_is_transitive_within_a_question(tmp_path: Path) -> None:
    """The middle clause answers the question, and need not apply here to carry the order on."""
    text = clauses("despite 2 main wins when hand.total = 21",
                   "despite 3 main stands off when hand.total = 3",
                   "main loses when dealer.total = 21")  # fmt: skip
    answer = asked(tmp_path, text, "main.result", TWO_VALUES)
    assert (answer.value, answer.clauses) == ("wins", ("1",))


def test_precedence_does_not_travel_through_another_question(tmp_path: Path) -> None:
    """The middle clause speaks of odds only, so it orders nothing about results."""
    text = clauses("despite 2 main wins when hand.total = 21",
                   "despite 3 main pays 2 to 1 when hand.total = 21",
                   "main loses when dealer.total = 21")  # fmt: skip
    answer = asked(tmp_path, text, "main.result", TWO_VALUES)
    assert set(answer.values) == {"wins", "loses"}


def test_precedence_is_only_between_answers_to_one_question(tmp_path: Path) -> None:
    text = clauses("despite 2 main wins when hand.total = 21",
                   "main pays 2 to 1 when hand.total = 21")  # fmt: skip
    engine = engine_of(tmp_path, text)
    assert engine.ask("main.odds", TWO_VALUES).clauses == ("2",)
    assert engine.ask("main.result", TWO_VALUES).clauses == ("1",)


# --- readings

PRINTED_AND_READ = clauses(
    "despite 2 main wins when hand.total = 21", "main loses when dealer.total = 21"
) + 'reading other-way { because "the house pays last" 2 prevails over 1 }\n'


def test_a_reading_prevails_over_the_printed_order(tmp_path: Path) -> None:
    assert asked(tmp_path, PRINTED_AND_READ, "main.result", TWO_VALUES).value == "loses"


def test_an_inactive_reading_says_nothing(tmp_path: Path) -> None:
    text = PRINTED_AND_READ.replace("other-way", "other-way inactive")
    assert asked(tmp_path, text, "main.result", TWO_VALUES).value == "wins"


def test_a_reading_can_be_switched_off(tmp_path: Path) -> None:
    text = clauses("main wins when hand.total = 21", "main loses when dealer.total = 21")
    text += 'reading paid-first { because "a 21 is removed before" 1 prevails over 2 }\n'
    book = rulebook(tmp_path, text)
    assert Engine(book).ask("main.result", TWO_VALUES).value == "wins"
    bare = Engine(book.without_reading("paid-first")).ask("main.result", TWO_VALUES)
    assert set(bare.values) == {"wins", "loses"}


def test_without_a_reading_the_printed_order_is_back(tmp_path: Path) -> None:
    book = rulebook(tmp_path, PRINTED_AND_READ).without_reading("other-way")
    assert Engine(book).ask("main.result", TWO_VALUES).value == "wins"


def test_a_reading_that_leaves_it_open_is_named(tmp_path: Path) -> None:
    text = CARDS + PLAYS + """
clause 4 "Any 20 wins" { main wins when hand.total = 20  main pays 1 to 1 }
reading ties {
  because "the text does not speak of ties"
  under 4: main is undecided because "both have 20" when dealer.total = 20
}
"""
    script = "bet 1 P1 10\ndeal 1:KH 0:KD 1:QC\n1 P1 stand\ndealer JS\nsettle 1 P1 main 20"
    book = rulebook(tmp_path, text)
    (finding,) = judge(Engine(book), a_round(script)).findings
    assert (finding.code, finding.clause, finding.readings) == ("R550", "4", ("ties",))
    assert "both have 20" in finding.message
    assert judge(Engine(book.without_reading("ties")), a_round(script)).findings == []


# --- interim

INTERIM = clauses("interim main wins when hand.total = 21", "main loses when dealer.total = 21",
                  "main stands off when hand.cards = 2")  # fmt: skip


def test_what_is_decided_before_the_dealer_draws_stays_decided(tmp_path: Path) -> None:
    scene = Told(hand__total=21, dealer__total=21, hand__cards=2)
    answer = asked(tmp_path, INTERIM, "main.result", scene)
    assert (answer.value, answer.clauses) == ("wins", ("1",))


def test_interim_comes_first_even_against_precedence(tmp_path: Path) -> None:
    text = clauses("interim main wins when hand.total = 21",
                   "despite 1 main loses when dealer.total = 21")  # fmt: skip
    assert asked(tmp_path, text, "main.result", TWO_VALUES).value == "wins"


def test_the_final_rules_answer_where_no_interim_rule_applies(tmp_path: Path) -> None:
    scene = Told(hand__total=20, dealer__total=20, hand__cards=2)
    assert asked(tmp_path, INTERIM, "main.result", scene).value == "stands off"


def test_an_interim_rule_that_is_not_known_leaves_the_final_answer_open(tmp_path: Path) -> None:
    scene = Told(hand__total=None, dealer__total=21, hand__cards=3)
    answer = asked(tmp_path, INTERIM, "main.result", scene)
    assert (answer.values, answer.decided) == (("loses",), False)
    assert [r.clause for r in answer.unknown] == ["1"]


# --- what is not known


def test_an_unknown_that_could_change_the_answer_leaves_it_open(tmp_path: Path) -> None:
    text = clauses("main wins when hand.total = 21", "main loses when hand.split")
    answer = asked(tmp_path, text, "main.result", Told(hand__total=21))
    assert not answer.decided
    assert answer.why_undecided() == "the log does not say what clause 2 asks for"


def test_an_unknown_that_says_the_same_or_is_beaten_changes_nothing(tmp_path: Path) -> None:
    text = clauses("despite 3 main wins when hand.total = 21", "main wins when hand.split",
                   "main loses when hand.split")  # fmt: skip
    answer = asked(tmp_path, text, "main.result", Told(hand__total=21))
    assert (answer.value, answer.unknown) == ("wins", ())


def test_a_rule_on_an_optional_fact_is_not_checked_rather_than_undecided(tmp_path: Path) -> None:
    text = clauses("main wins when hand.total = 21", "main loses when player.seated")
    answer = asked(tmp_path, text, "main.result", Told(hand__total=21))
    assert answer.value == "wins"
    assert [r.clause for r in answer.unchecked] == ["2"]
    assert answer.unknown == ()


GUESTS = """
clause 7(a) "Guests" { define guest as not player.card }
clause 7(b) "Wagers of guests" { despite 4 main is void when guest }
clause 7(c) "No guests" { at main require not guest }
"""


def test_a_term_over_an_optional_fact_that_the_log_lacks(tmp_path: Path) -> None:
    """It is not taken to hold, nor is what depends on it passed off as tested."""
    script = WON.format(10).replace("P1 10", "P1 10 nocard") + "\nsettle 1 P1 main 20"
    verdict = judged(tmp_path, EVENS + GUESTS, script)
    assert verdict.findings == []
    assert due(verdict) == 2000
    assert not {"7(a)", "7(b)", "7(c)"} & verdict.tested
    assert "7(c)" in verdict.not_checked
    assert {"7(a)", "7(b)"} & set(verdict.not_checked)


def test_a_term_over_an_optional_fact_that_the_log_gives(tmp_path: Path) -> None:
    """Another player's card shows that this log records them."""
    script = """bet 1 P1 10
bet 2 P2 10 nocard
deal 1:KH 2:KC 0:9D 1:9C 2:9S
1 P1 stand
2 P2 stand
dealer 8D
settle 1 P1 main 20
settle 2 P2 main 10"""
    verdict = judged(tmp_path, EVENS + GUESTS, script)
    assert codes(verdict) == [("R530", "7(c)")]
    assert verdict.findings[0].player == "P2"
    assert (due(verdict), due(verdict, box=2, player="P2")) == (2000, 1000)


def test_a_requirement_on_what_the_log_lacks_is_listed_as_not_checked(tmp_path: Path) -> None:
    text = CARDS + 'clause 7 "Seats" { at main require player.seated }'
    verdict = judged(tmp_path, text, "bet 1 P1 10\ndeal 1:KH 0:9D 1:9C")
    assert "player.seated" in verdict.not_checked["7"]
    assert "7" not in verdict.tested
    assert all(f.clause != "7" for f in verdict.findings)
    standing = judged(tmp_path, text, "bet 1 P1 10 standing\ndeal 1:KH 0:9D 1:9C")
    assert ("R530", "7") in codes(standing)
    assert "7" in standing.tested
    assert "7" not in standing.not_checked
    seated = judged(tmp_path, text, "bet 1 P1 10 seated\ndeal 1:KH 0:9D 1:9C")
    assert all(f.clause != "7" for f in seated.findings)
    assert "7" in seated.tested


# --- definitions

NATURAL = """
clause A:Pontoon "Natural" {
  define hand.pontoon as hand.cards = 2 and hand.aces = 1 and hand.ten_cards = 1
}
"""
NOT_AFTER_SPLIT = """
clause 11.7 "Never after a split" { despite A:Pontoon define hand.pontoon as false when hand.split }
"""
BY_NATURAL = """
clause 14 "By the natural" {
  main wins when hand.pontoon
  main loses when not hand.pontoon and dealer.pontoon
  main stands off when not hand.pontoon and not dealer.pontoon
  main pays 3 to 2
}
"""


@pytest.mark.parametrize(
    ("cards", "dealer", "expected"),
    [("AH KD", "9H 8D", 2500), ("KH QD", "AH KC", 0), ("KH QD", "9H 8D", 1000),
     ("AH KD", "AS KS", 2500)],
)  # fmt: skip
def test_the_dealers_natural_follows_the_definition_of_the_players(
    tmp_path: Path, cards: str, dealer: str, expected: int
) -> None:
    first, second = cards.split()
    up, down = dealer.split()
    script = f"bet 1 P1 10\ndeal 1:{first} 0:{up} 1:{second}\n1 P1 stand\ndealer {down}"
    verdict = judged(tmp_path, CARDS + PLAYS + NATURAL + BY_NATURAL, script)
    assert due(verdict) == expected


def test_a_definition_as_false_takes_hands_out(tmp_path: Path) -> None:
    text = CARDS + PLAYS + NATURAL + NOT_AFTER_SPLIT + BY_NATURAL
    script = """bet 1 P1 10
deal 1:AH 0:9D 1:AC
1 P1 split $10
deal 1.1:KD 1.2:5S
1.1 P1 stand
1.2 P1 stand
dealer 8D"""
    verdict = judged(tmp_path, text, script)
    assert due(verdict) == 1000  # ace and king after a split: no natural
    whole = judged(tmp_path, text.replace(NOT_AFTER_SPLIT, ""), script)
    assert due(whole) == 2500


def test_the_dealer_can_be_excepted_alone(tmp_path: Path) -> None:
    text = CARDS + PLAYS + NATURAL + BY_NATURAL + """
clause 15 "Not with an ace up" {
  despite A:Pontoon
  define dealer.pontoon as false when dealer.first = A
}
"""
    lost = "bet 1 P1 10\ndeal 1:KH 0:KC 1:QD\n1 P1 stand\ndealer AH"
    assert due(judged(tmp_path, text, lost)) == 0
    kept = "bet 1 P1 10\ndeal 1:KH 0:AC 1:QD\n1 P1 stand\ndealer KS"
    assert due(judged(tmp_path, text, kept)) == 1000
    players_own = "bet 1 P1 10\ndeal 1:AH 0:AC 1:KD\ndealer 5S AS"
    assert due(judged(tmp_path, text, players_own)) == 2500


def test_a_term_with_two_meanings_is_not_known(tmp_path: Path) -> None:
    text = clauses("define big as hand.total > 10", "define big as false when hand.cards = 2",
                   "main wins when big")  # fmt: skip
    engine = engine_of(tmp_path, text)
    assert engine.holds("big", Told(hand__total=11, hand__cards=2)) is None
    assert engine.holds("big", Told(hand__total=11, hand__cards=3)) is True
    assert engine.holds("big", Told(hand__total=9, hand__cards=3)) is False
    assert not engine.ask("main.result", Told(hand__total=11, hand__cards=2)).decided


def test_what_no_clause_defines_never_holds(tmp_path: Path) -> None:
    text = clauses("main wins when hand.pontoon or dealer.pontoon",
                   "main loses when hand.cards = 2")  # fmt: skip
    answer = asked(tmp_path, text, "main.result", Told(hand__cards=2, hand__aces=1))
    assert answer.value == "loses"


# --- cards


def totals(folder: Path, text: str, script: str) -> tuple[Any, ...]:
    """Total, hard total and softness of the hand when the results are asked."""
    verdict = judged(folder, text, script)
    scene = next(d.scene for d in verdict.decisions if d.answer.question == "main.result")
    return tuple(scene.fact(f"hand.{name}") for name in ("total", "hard_total", "soft"))


@pytest.mark.parametrize(
    ("cards", "expected"),
    [("AH 6D", (17, 7, True)), ("AH 6D TC", (17, 17, False)), ("AH AD", (12, 2, True)),
     ("AH AD 9C", (21, 11, True)), ("AH AD TC", (12, 12, False)), ("KH QD", (20, 20, False)),
     ("TH 9D 3C", (22, 22, False))],
)  # fmt: skip
def test_an_ace_counts_as_is_better(
    tmp_path: Path, cards: str, expected: tuple[Any, ...]
) -> None:
    first, second, *more = cards.split()
    hits = "".join(f"1 P1 hit {card}\n" for card in more)
    script = f"bet 1 P1 10\ndeal 1:{first} 0:9D 1:{second}\n{hits}1 P1 stand\ndealer 8S"
    assert totals(tmp_path, CARDS + PLAYS + RESULTS, script) == expected


DOUBLED_ACES = CARDS.replace(
    "cards A count 1 or 11",
    "cards A count 1 or 11 when not (hand.doubled and card.position <= 2)\n"
    "  cards A count 1 when hand.doubled and card.position <= 2",
)


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        ("1 P1 double $10 4C", (11, 11, False)),  # the ace that was held is worth one
        ("1 P1 hit 4C\n1 P1 stand", (21, 11, True)),
    ],
)
def test_aces_may_be_worth_less_after_doubling(
    tmp_path: Path, play: str, expected: tuple[Any, ...]
) -> None:
    script = f"bet 1 P1 10\ndeal 1:AH 0:9D 1:6C\n{play}\ndealer 8S"
    assert totals(tmp_path, DOUBLED_ACES + PLAYS + RESULTS, script) == expected


def test_an_ace_drawn_to_a_doubled_hand_is_not_held(tmp_path: Path) -> None:
    script = "bet 1 P1 10\ndeal 1:4H 0:9D 1:6C\n1 P1 double $10 AC\ndealer 8S"
    assert totals(tmp_path, DOUBLED_ACES + PLAYS + RESULTS, script) == (21, 11, True)


def test_a_card_without_a_value_leaves_the_hand_undecided(tmp_path: Path) -> None:
    text = CARDS.replace("cards T, J, Q, K", "cards J, Q, K") + PLAYS + RESULTS
    script = "bet 1 P1 10\ndeal 1:TH 0:9D 1:6C\n1 P1 stand\ndealer 8S\nsettle 1 P1 main 0"
    verdict = judged(tmp_path, text, script)
    assert due(verdict) is None
    assert [f.code for f in verdict.findings if f.kind == "undecided"] == ["R550"]


# --- payouts

ODDS = """
clause 14 "Odds" {
  main pays {
    hand.ranks = 7-7-7 and hand.suits = hearts -> 3 to 1
    hand.ranks = 7-7-7 and hand.suits = mixed -> 2 to 1
    hand.cards = 5 -> 3 to 2
    otherwise -> 1 to 1
  }
}
"""


@pytest.mark.parametrize(
    ("cards", "expected"),
    [("7H 7H 7H", 4000), ("7H 7H 7D", 3000), ("2H 3H 4D 5H 6C", 2500), ("KH 9D", 2000),
     ("7S 7S 7S", 2000)],
)  # fmt: skip
def test_otherwise_is_every_hand_that_no_row_names(
    tmp_path: Path, cards: str, expected: int
) -> None:
    first, second, *more = cards.split()
    hits = "".join(f"1 P1 hit {card}\n" for card in more)
    script = f"bet 1 P1 10\ndeal 1:{first} 0:9D 1:{second}\n{hits}1 P1 stand\ndealer 8S"
    assert due(judged(tmp_path, CARDS + PLAYS + RESULTS + ODDS, script)) == expected


SEVENS = """
clause 14 "Sevens" {
  super_sevens wins when first.rank = 7
  super_sevens loses when first.rank != 7
  super_sevens pays 3 to 1 when first.rank = 7
  super_sevens pays 50 to 1 when first.rank = 7 and second.rank = 7
}
"""
TWO_SEVENS = "bet 1 P1 10\nbet 1 P1 2 super_sevens\ndeal 1:7H 0:9D 1:7C\n1 P1 stand\ndealer 8S"


def test_only_the_highest_is_paid_where_a_clause_says_so(tmp_path: Path) -> None:
    text = CARDS + PLAYS + RESULTS + SEVENS
    rule = 'clause 15 "One prize" { super_sevens pays only the highest }'
    assert due(judged(tmp_path, text + rule, TWO_SEVENS), bet="super_sevens") == 10200
    assert due(judged(tmp_path, text, TWO_SEVENS), bet="super_sevens") is None
    one = TWO_SEVENS.replace("1:7C", "1:8C")
    assert due(judged(tmp_path, text + rule, one), bet="super_sevens") == 800


# --- amounts in play

EVENS = CARDS + PLAYS + RESULTS + 'clause 5 "Evens" { main pays 1 to 1 }\n'
WON = "bet 1 P1 {}\ndeal 1:KH 0:9D 1:9C\n1 P1 stand\ndealer 8S"
LOST = "bet 1 P1 {}\ndeal 1:KH 0:9D 1:7C\n1 P1 stand\ndealer KS"
LIMITS = {"main": {"min": 10, "max": 50, "unit": 5}}


@pytest.mark.parametrize(
    ("script", "stake", "expected"),
    [(WON, 30, 6000), (WON, 80, 13000), (LOST, 30, 0), (LOST, 80, 3000), (LOST, 50, 0)],
)
def test_what_is_over_the_limit_is_neither_won_nor_lost(
    tmp_path: Path, script: str, stake: int, expected: int
) -> None:
    text = EVENS + 'clause 6 "Over the limit" { main counts up to limit.max }'
    verdict = judged(tmp_path, text, script.format(stake), limits=LIMITS)
    assert due(verdict) == expected
    assert due(judged(tmp_path, EVENS, WON.format(80), limits=LIMITS)) == 16000


def test_a_wager_counts_as_another_amount(tmp_path: Path) -> None:
    text = EVENS + 'clause 6 "Small ones" { main counts as limit.min when wager.under_minimum }'
    assert due(judged(tmp_path, text, WON.format(4), limits=LIMITS)) == 1400
    assert due(judged(tmp_path, text, WON.format(20), limits=LIMITS)) == 4000
    assert due(judged(tmp_path, text, LOST.format(4), limits=LIMITS)) == 0


THREE_TO_TWO = CARDS + PLAYS + RESULTS + 'clause 5 "Odds" { main pays 3 to 2 }\n'
CHIPS = {"main": {"min": 1, "max": 500, "smallest_chip": 1}}


@pytest.mark.parametrize(
    ("direction", "stake", "expected"),
    [("up", 5, 1300), ("down", 5, 1200), ("up", 4, 1000), ("down", 4, 1000)],
)
def test_winnings_are_rounded_to_chips(
    tmp_path: Path, direction: str, stake: int, expected: int
) -> None:
    """$5 at 3 to 2 wins $7.50, which no $1 chip pays; $4 wins $6 either way."""
    rule = f"payments round {direction} to limit.smallest_chip"
    text = THREE_TO_TWO + f'clause 6 "Chips" {{ {rule} }}'
    assert due(judged(tmp_path, text, WON.format(stake), limits=CHIPS)) == expected


def test_without_a_rule_on_rounding_cents_are_paid(tmp_path: Path) -> None:
    assert due(judged(tmp_path, THREE_TO_TWO, WON.format(5), limits=CHIPS)) == 1250


def test_a_part_of_a_cent_is_left_open(tmp_path: Path) -> None:
    script = WON.format("0.25") + "\nsettle 1 P1 main 0.62"
    verdict = judged(tmp_path, THREE_TO_TWO, script)
    assert [f.code for f in verdict.findings] == ["R550"]
    assert "cannot be paid exactly" in verdict.findings[0].message


def test_half_is_lost(tmp_path: Path) -> None:
    text = CARDS + PLAYS + """
clause 4 "Surrender" { may surrender  main loses half when wager.surrendered }
"""
    script = "bet 1 P1 {}\ndeal 1:KH 0:9D 1:7C\n1 P1 surrender"
    assert due(judged(tmp_path, text, script.format(25))) == 1250
    odd = judged(tmp_path, text, script.format("0.25") + "\nsettle 1 P1 main 0.12")
    assert due(odd) is None
    assert [f.code for f in odd.findings if f.kind == "undecided"] == ["R550"]


@pytest.mark.parametrize(
    ("cents", "text"),
    [(0, "$0"), (7350, "$73.50"), (-7305, "-$73.05"), (123456700, "$1,234,567"),
     (5, "$0.05"), (Fraction(1, 2), "$1/200")],
)  # fmt: skip
def test_money_is_written_out(cents: int | Fraction, text: str) -> None:
    assert money_text(cents) == text


# --- what may and may not be done

PERMISSIONS = [
    (["may double when hand.cards = 2"], True),
    (["may double when hand.cards = 3"], False),
    (["may double when hand.cards = 2", "may not double when hand.total = 21"], False),
    (["despite 2 may double when hand.cards = 2", "may not double when hand.total = 21"], True),
    (["may double when hand.cards = 2", "may not double when hand.split"], None),
    (["may double when hand.split"], None),
    (["may double when hand.split", "may not double when hand.total = 21"], False),
    (["may double when hand.cards = 2", "may double when hand.split"], True),
    (["may double undecided because \"open\" when hand.cards = 2"], None),
    (["must double when hand.cards = 2"], True),
    (["may not double when hand.cards = 3"], False),
]


@pytest.mark.parametrize(("texts", "expected"), PERMISSIONS)
def test_a_permission_is_needed_and_a_prohibition_counts_more(
    tmp_path: Path, texts: Sequence[str], expected: bool | None
) -> None:
    engine = engine_of(tmp_path, clauses(*texts))
    allowed, _ = engine.allowed("player double", Told(hand__cards=2, hand__total=21))
    assert allowed is expected


def test_a_choice_without_a_clause_is_found_with_the_nearest_one(tmp_path: Path) -> None:
    text = CARDS + RESULTS + """
clause 3(a) "Draw" { may draw  may stand }
clause 3(b) "Double on two" { may double when hand.cards = 2 and hand.total = 11 }
clause 3(c) "Double on aces" { may double when hand.aces = 2 and hand.split and hand.cards = 3 }
"""
    script = "bet 1 P1 10\ndeal 1:KH 0:9D 1:2C\n1 P1 double $10 8C\ndealer 8S"
    verdict = judged(tmp_path, text, script)
    found = [f for f in verdict.findings if f.kind == "play"]
    assert [(f.code, f.clause, f.player, f.box) for f in found] == [("R511", "3(b)", "P1", 1)]
    assert found[0].help == "clause 3(b) asks for: hand.total = 11"


def test_a_prohibition_is_found_under_its_own_clause(tmp_path: Path) -> None:
    text = EVENS + 'clause 9 "No doubling on 20" { may not double when hand.total = 20 }'
    script = "bet 1 P1 10\ndeal 1:KH 0:9D 1:QC\n1 P1 double $10 AC\ndealer 8S"
    found = [f for f in judged(tmp_path, text, script).findings if f.kind == "play"]
    assert [(f.code, f.clause) for f in found] == [("R510", "9")]


def test_a_hand_that_must_draw_may_not_be_left(tmp_path: Path) -> None:
    text = EVENS + 'clause 9 "Under 12" { must draw when hand.total < 12 }'
    left = "bet 1 P1 10\ndeal 1:5H 0:9D 1:6C\n1 P1 stand\ndealer 8S"
    assert codes(judged(tmp_path, text, left)) == [("R512", "9")]
    silent = "bet 1 P1 10\ndeal 1:5H 0:9D 1:6C\ndealer 8S"
    assert codes(judged(tmp_path, text, silent)) == [("R512", "9")]
    drawn = "bet 1 P1 10\ndeal 1:5H 0:9D 1:6C\n1 P1 hit 2C\n1 P1 stand\ndealer 8S"
    assert codes(judged(tmp_path, text, drawn)) == []


def test_the_dealers_draw(tmp_path: Path) -> None:
    stopped = "bet 1 P1 10\ndeal 1:KH 0:9D 1:9C\n1 P1 stand\ndealer 5S"
    assert codes(judged(tmp_path, EVENS, stopped)) == [("R521", "2")]
    drew = "bet 1 P1 10\ndeal 1:KH 0:9D 1:9C\n1 P1 stand\ndealer 8S 2C"
    assert codes(judged(tmp_path, EVENS, drew)) == [("R520", "2")]


# --- requirements stand side by side


def test_every_requirement_that_is_broken_is_found(tmp_path: Path) -> None:
    text = CARDS + """
clause 6 "Decks" { at round require round.decks in 4 to 8 }
clause 7 "Six decks" { at round require round.decks = 6 when option tournament }
"""
    script = "bet 1 P1 10\ndeal 1:KH 0:9D 1:9C"
    both = judged(tmp_path, text, script, decks=3, options=["tournament"])
    assert {c for c in codes(both) if c[0] == "R530"} == {("R530", "6"), ("R530", "7")}
    one = judged(tmp_path, text, script, decks=3)
    assert {c for c in codes(one) if c[0] == "R530"} == {("R530", "6")}
    assert not [c for c in codes(judged(tmp_path, text, script)) if c[0] == "R530"]


# --- the order of clauses and statements means nothing


def shuffled(text: str, seed: int) -> str:
    """The rule file with its items, the clauses of each section and the statements of each clause
    in another order. The header stays first."""
    document, wrong = parse(text, "shuffled.rules")
    assert document is not None
    assert wrong == []
    lines = text.splitlines(keepends=True)
    starts = [0, *itertools.accumulate(len(line) for line in lines)]
    chance = random.Random(seed)

    def place(node: Any) -> tuple[int, int]:
        span = node.span
        return (starts[span.start_line - 1] + span.start_column - 1,
                starts[span.end_line - 1] + span.end_column - 1)  # fmt: skip

    def moved(node: Any) -> str:
        """The text of a node with what stands inside it in another order."""
        begin, end = place(node)
        inside = sorted(
            (*getattr(node, "clauses", ()), *getattr(node, "statements", ())), key=place
        )
        pieces = [moved(one) for one in inside]
        chance.shuffle(pieces)
        made, at = [], begin
        for one, piece in zip(inside, pieces, strict=True):
            made += [text[at : place(one)[0]], piece]
            at = place(one)[1]
        return "".join(made) + text[at:end]

    head, *items = document.items
    pieces = [moved(item) for item in items]
    chance.shuffle(pieces)
    begin, end = place(head)
    return "\n".join([text[begin:end], *pieces]) + "\n"


def seen_in(verdict: Verdict) -> object:
    """What a verdict says. Clauses that speak together have no order among themselves."""
    found = {
        (f.code, f.kind, frozenset({f.clause, *(c for c, role in f.others if "asks" not in role)}),
         f.event, f.box, f.hand, f.player, f.bet, f.expected, f.actual, frozenset(f.readings))
        for f in verdict.findings
    }  # fmt: skip
    answers = {
        (d.subject, d.box, d.hand, d.player, d.bet, d.part, d.answer.question,
         frozenset(map(str, d.answer.values)), frozenset(d.answer.clauses))
        for d in verdict.decisions
    }  # fmt: skip
    untested = set(verdict.not_checked) - verdict.tested
    return found, answers, verdict.expected, verdict.tested, untested, len(verdict.reports)


def test_the_order_of_clauses_and_statements_changes_no_answer(tmp_path: Path) -> None:
    path = shipped()["act-pontoon"]
    text = path.read_text(encoding="utf-8")
    original = load(path).rulebook
    assert original is not None
    # every fourth scenario: each is about other clauses, and all of them would take long
    scenarios = load_scenarios(scenario_path(path), original)[::4]
    assert len(scenarios) > 40

    def verdicts(rulebook_: Any) -> list[object]:
        engines: dict[date, Engine] = {}
        found = []
        for scenario in scenarios:
            day = scenario.round.at.date()
            if day not in engines:
                engines[day] = Engine(rulebook_.on(day))
            engine = engines[day]
            shoes = ShoeTracker()
            for round_ in scenario.rounds:
                view = shoes.view(round_)
                if round_ is scenario.round:
                    found.append(seen_in(judge(engine, round_, view)))
                shoes.after(round_)
        return found

    before = verdicts(original)
    for seed in (1, 2, 3):
        other = tmp_path / f"{seed}.rules"
        other.write_text(shuffled(text, seed), encoding="utf-8")
        result = load(other)
        assert result.usable, result.diagnostics
        assert result.rulebook is not None
        assert [r.clause for r in result.rulebook.rules] != [r.clause for r in original.rules]
        assert sorted(r.clause for r in result.rulebook.rules) == sorted(
            r.clause for r in original.rules
        )
        for scenario, one, two in zip(scenarios, before, verdicts(result.rulebook), strict=True):
            assert two == one, f"seed {seed}: {scenario.name}"


# --- vocabulary


def test_every_fact_can_be_read_off_a_scene_and_nothing_else_can() -> None:
    wanted = {name for name, info in FACTS.items() if not info.definable}
    assert len(wanted) > 100
    assert set(FUNCTIONS) == wanted


def test_every_fact_can_be_asked_of_an_empty_moment(tmp_path: Path) -> None:
    """A scene without box, hand, player or card answers or says that it does not know."""
    from checker.scene import SeenScene, ShoeView
    from checker.table import Table

    engine = engine_of(tmp_path, CARDS + RESULTS)
    scene = SeenScene(engine, Table(a_round("shuffle")), ShoeView())
    kinds = {"bool": bool, "int": int, "money": int, "rank": str, "enum": str, "ranks": str}
    for name in FUNCTIONS:
        value = scene.fact(name)
        assert value is None or type(value) is kinds[FACTS[name].kind.name], (name, value)


# --- text in force


@pytest.mark.parametrize(
    ("day", "broken"), [("2024-08-18", set()), ("2024-08-19", {"6.1", "20.1"})]
)
def test_a_clause_counts_from_its_own_day(day: str, broken: set[str]) -> None:
    """The Star asks for player cards from 19 August 2024, three days after the order itself."""
    book = load(shipped()["nsw-star-pontoon"]).rulebook
    assert book is not None
    script = """bet 1 P1 10
bet 2 P2 10 nocard
deal 1:KH 2:KC 0:9D 1:9C 2:9S
1 P1 stand
2 P2 stand
dealer 8D"""
    round_ = a_round(script, at=f"{day}T12:00:00+10:00")
    verdict = judge(Engine(book.on(date.fromisoformat(day))), round_)
    about = [f for f in verdict.findings if f.code == "R530"]
    assert {f.clause for f in about} == broken
    assert {f.player for f in about} <= {"P2"}


def test_two_versions_of_a_clause_follow_each_other(tmp_path: Path) -> None:
    text = EVENS.replace('clause 5 "Evens" { main pays 1 to 1 }', """
clause 5 "Odds" { in force from 2020-01-01 until 2020-06-01 main pays 1 to 1 }
clause 5 "Odds" { in force from 2020-06-01 main pays 2 to 1 }
""")
    book = rulebook(tmp_path, text)
    change = datetime(2020, 6, 1)
    for moment, expected in ((change - timedelta(days=1), 2000), (change, 3000)):
        round_ = a_round(WON.format(10), at=f"{moment.isoformat()}+10:00")
        assert due(judge(Engine(book.on(moment.date())), round_)) == expected
