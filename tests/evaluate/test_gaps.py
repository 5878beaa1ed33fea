"""No clause says, or clauses clash: an outcome of its own, wherever a rulebook is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from checker.cli import main
from checker.evaluate.dealer_draw import ends_of, no_effect
from checker.evaluate.engine import Engine
from checker.evaluate.ready import new_engine
from checker.evaluate.scene import SeenScene
from checker.impact.data import RoundImpact
from checker.impact.round import OPEN_DRAW, impact_of
from checker.judge.explanation import explain, settlements
from checker.judge.findings import ReplayFinding, Verdict
from checker.judge.judge import judge
from checker.table.shoes import ShoeView
from checker.table.state import Dealt, Table
from rulespec.load.load import load, shipped
from tests.evaluate.engine_support import (
    CARDS,
    EVENS,
    PLAYS,
    RESULTS,
    WON,
    a_round,
    codes,
    due,
    engine_of,
    judged,
)

VALUES = CARDS.partition('clause 2 "The dealer')[0]
CHOICES = PLAYS + RESULTS + 'clause 5 "Evens" { main pays 1 to 1 }\n'
STOPS = "bet 1 P1 10\ndeal 1:KH 0:KD 1:9C\n1 P1 stand\ndealer 7S\nsettle 1 P1 main {}"
DRAWS = "bet 1 P1 10\ndeal 1:KH 0:KD 1:9C\n1 P1 stand\ndealer 7S 3C\nsettle 1 P1 main {}"


def text(*draws: str) -> str:
    """A text that says so much about the dealer's draw."""
    return VALUES + f'clause 2 "The dealer" {{ {" ".join(draws)} }}\n' + CHOICES


MUST = "dealer must draw when dealer.total <= 16"
GAP = text(MUST, "dealer must not draw when dealer.total > 17")
CLASH = text(
    "dealer must draw when dealer.total <= 17", "dealer must not draw when dealer.total > 16"
)
FREE = text(
    MUST, "dealer may draw when dealer.total = 17", "dealer must not draw when dealer.total > 17"
)


def the_finding(verdict: Verdict) -> ReplayFinding:
    (found,) = verdict.findings
    return found


# --- the dealer's draw


@pytest.mark.parametrize("book", [GAP, CLASH])
@pytest.mark.parametrize(("script", "do", "paid"), [(STOPS, "stand", 20), (DRAWS, "draw", 0)])
def test_neither_drawing_nor_standing_is_a_breach(
    tmp_path: Path, book: str, script: str, do: str, paid: int
) -> None:
    found = the_finding(judged(tmp_path, book, script.format(paid)))
    assert (found.code, found.kind, found.clause, found.box) == ("R550", "undecided", "2", 0)
    assert found.message.startswith(f"whether the dealer may {do} on hard 17 (")
    told = (
        "no clause gives an answer here"
        if book is GAP
        else ("the text says several things: clause 2 says must; clause 2 says must not")
    )
    assert found.message.endswith(told)


def test_what_follows_is_judged_by_the_cards_that_lie_there(tmp_path: Path) -> None:
    verdict = judged(tmp_path, GAP, DRAWS.format(20))  # 19 against 20
    assert codes(verdict) == [("R550", "2"), ("R501", "4")]
    assert due(verdict) == 0


def test_an_open_draw_is_told_once_in_a_round(tmp_path: Path) -> None:
    book = text(MUST, "dealer must not draw when dealer.total > 20")
    script = STOPS.format(10).replace("dealer 7S", "dealer 7S AS AC")
    assert codes(judged(tmp_path, book, script)) == [("R550", "2")]


@pytest.mark.parametrize(("script", "paid"), [(STOPS, 20), (DRAWS, 0)])
def test_where_the_dealer_may_draw_either_is_right(tmp_path: Path, script: str, paid: int) -> None:
    assert codes(judged(tmp_path, FREE, script.format(paid))) == []


def test_a_text_that_does_not_speak_of_the_draw_is_not_asked(tmp_path: Path) -> None:
    assert codes(judged(tmp_path, VALUES + CHOICES, DRAWS.format(0))) == []


def test_a_reading_that_leaves_the_draw_open_excuses_who_stands_too(tmp_path: Path) -> None:
    book = (
        GAP + 'reading seventeen { because "?" under 2: dealer must draw undecided because '
        '"it is not said" when dealer.total = 17 }'
    )
    found = the_finding(judged(tmp_path, book, STOPS.format(20)))
    assert found.message.endswith("hard 17 (K♦ 7♠) cannot be decided: it is not said")
    assert found.readings == ("seventeen",)


def test_a_breach_elsewhere_is_still_a_breach(tmp_path: Path) -> None:
    early = STOPS.format(20).replace("dealer 7S", "dealer 5S")
    late = DRAWS.format(20).replace("dealer 7S 3C", "dealer 8S 3C")
    assert codes(judged(tmp_path, GAP, early)) == [("R521", "2")]
    assert ("R520", "2") in codes(judged(tmp_path, GAP, late))


def test_whether_a_card_not_due_is_burnt_may_be_open(tmp_path: Path) -> None:
    burns = 'clause 6 "Burnt" { dealer must burn when card.not_due }\n'
    not_burns = 'clause 7 "Not burnt" { dealer must not burn when card.not_due }\n'
    script = DRAWS.format(0).replace("dealer 7S 3C", "dealer 8S 2C")
    assert codes(judged(tmp_path, GAP + burns, script)) == [("R520", "2"), ("R501", "4")]
    both = judged(tmp_path, GAP + burns + not_burns, script)
    assert codes(both) == [("R520", "2"), ("R550", "6")]


# --- to which ends the dealer's hand can come


def scene_of(engine: Engine, script: str) -> SeenScene:
    table = Table(a_round(script))
    for event in table.round.events:
        table.apply(event)
    return SeenScene(engine, table, ShoeView(), tuple(table.dealer), no_effect=False)


def totals(scene: SeenScene, hands: list[tuple[Dealt, ...]]) -> set[Any]:
    return {min(scene.but(dealer=hand).fact("dealer.total"), 22) for hand in hands}  # type: ignore[type-var]


def test_the_ends_of_an_open_draw_are_those_of_both_branches(tmp_path: Path) -> None:
    scene = scene_of(engine_of(tmp_path, GAP), "bet 1 P1 10\ndeal 1:KH 0:KD 1:9C\ndealer 6S")
    sure, left_open = ends_of(scene, scene.dealer)
    assert totals(scene, sure) == {18, 19, 20, 21, 22}
    assert totals(scene, left_open) == {17, 22}  # 17, and what is over from there


def test_an_end_of_a_draw_that_is_free_is_sure(tmp_path: Path) -> None:
    scene = scene_of(engine_of(tmp_path, FREE), "bet 1 P1 10\ndeal 1:KH 0:KD 1:9C\ndealer 6S")
    sure, left_open = ends_of(scene, scene.dealer)
    assert totals(scene, sure) == {17, 18, 19, 20, 21, 22}
    assert left_open == []


OPEN_END = (
    text(MUST, "dealer must not draw when dealer.total > 21")
    + """
clause 8 "Idle cards" { dealer must not draw when dealer.no_effect }
reading idle { because "the card is idle" 8 prevails over 2 }
"""
)


def test_a_change_that_hangs_on_an_open_draw_leaves_the_stop_open(tmp_path: Path) -> None:
    """Who draws on all of 17 to 21 goes over in the end, and 20 wins whatever comes."""
    script = "bet 1 P1 10\ndeal 1:KH 0:KD 1:QC\n1 P1 stand\ndealer 6S\nsettle 1 P1 main 20"
    engine = engine_of(tmp_path, OPEN_END)
    scene = scene_of(engine, script)
    assert no_effect(scene) is None
    assert no_effect(scene, void_is_closed=False) is False
    found = the_finding(judge(engine, a_round(script)))
    assert (found.code, found.clause) == ("R550", "2")
    assert "depends on draws that the text leaves open" in found.message
    bust = script.replace("stand", "hit 5C").replace("main 20", "main 0")
    assert codes(judged(tmp_path, OPEN_END, bust.replace("dealer 6S\n", ""))) == []


@pytest.mark.parametrize("always", ["dealer must draw", "dealer may draw"])
def test_a_dealer_who_never_stops_comes_to_an_end_all_the_same(tmp_path: Path, always: str) -> None:
    scene = scene_of(engine_of(tmp_path, text(always)), "bet 1 P1 10\ndeal 1:KH 0:KD 1:9C")
    assert 22 in totals(scene, ends_of(scene, scene.dealer)[0])


def test_what_cards_are_worth_at_one_table_is_not_taken_for_another(tmp_path: Path) -> None:
    nines = "cards 2 to 8 count face\n  cards 9 count face when round.decks = 8"
    engine = engine_of(tmp_path, GAP.replace("cards 2 to 9 count face", nines))
    uncounted = []
    for decks in (6, 8):
        table = Table(a_round("bet 1 P1 10\ndeal 1:KH 0:KD 1:8C", decks=decks))
        for event in table.round.events:
            table.apply(event)
        scene = SeenScene(engine, table, ShoeView(), tuple(table.dealer), no_effect=False)
        uncounted.append(
            any(
                scene.but(dealer=hand).fact("dealer.total") is None
                for hand in ends_of(scene, scene.dealer)[0]
            )
        )
    assert uncounted == [True, False]


# --- an approved text

SEVENTEEN = ("dealer.total in 17 to 21", "dealer.total in 18 to 21")
ON_17 = {
    "draws": "bet 1 P1 10\ndeal 1:KH 0:KD 1:9C\n1 P1 stand\ndealer 7S 3C\nsettle 1 P1 main 0",
    "stands": "bet 1 P1 10\ndeal 1:KH 0:KD 1:9C\n1 P1 stand\ndealer 7S\nsettle 1 P1 main 20",
}


def planted(folder: Path, *changes: tuple[str, str], name: str = "act-blackjack") -> Path:
    text = shipped()[name].read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = folder / f"{name}.rules"
    path.write_text(text, encoding="utf-8")
    return path


def document(script: str, **more: Any) -> str:
    from checker.log.script import events_of

    head = {
        "format": 1,
        "round": "R1",
        "table": "T1",
        "at": "2024-08-20T12:00:00+10:00",
        "rulebook": "act-blackjack",
        "decks": 6,
    }
    return json.dumps({**head, "events": events_of(script), **more}, default=int) + "\n"


@pytest.mark.parametrize("script", ON_17.values(), ids=ON_17)
@pytest.mark.parametrize("engine", ["plain", "columns"])
def test_blackjack_with_a_gap_at_17(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], engine: str, script: str
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(document(script), encoding="utf-8")
    rules = planted(tmp_path, SEVENTEEN)
    if engine == "columns":
        pytest.importorskip("numba", reason="the columnar engine comes with rulespec[fast]")
    status = main(
        ["replay", str(log), "--rules", str(rules), "--engine", engine, "--format", "json"]
    )
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert status == 3
    assert (found["code"], found["kind"], found["clause"]) == ("R550", "undecided", "12.1")
    assert "on hard 17 (K♦ 7♠) cannot be decided" in found["message"]
    assert main(["replay", str(log), "--engine", engine, "--format", "json"]) == (
        1 if script is ON_17["draws"] else 0
    )


def test_explain_says_that_it_is_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(document(ON_17["stands"]), encoding="utf-8")
    rules = planted(tmp_path, SEVENTEEN)
    assert main(["explain", str(log), "--round", "R1", "--rules", str(rules)]) == 3
    out = " ".join(capsys.readouterr().out.split())
    assert "dealer draw, the dealer: cannot be decided: no clause gives an answer here" in out
    assert "no card is due" not in out


def test_a_scenario_that_expects_a_breach_where_the_text_is_silent_fails(tmp_path: Path) -> None:
    from checker.scenarios.scenarios import load_scenarios, run_scenario

    path = planted(tmp_path, SEVENTEEN)
    book = load(path).rulebook
    assert book is not None
    file = path.with_name("act-blackjack.scenarios.yaml")

    def wrong(**expected: Any) -> tuple[str, ...]:
        entry = {"name": "on 17", "clauses": ["12.1"], "play": ON_17["draws"], **expected}
        file.write_text(json.dumps({"rulebook": book.id, "scenarios": [entry]}), encoding="utf-8")
        (scenario,) = load_scenarios(file, book)
        return run_scenario(new_engine(book), scenario).wrong

    assert wrong(undecided=["12.1"]) == ()
    assert wrong(breaches=["12.1"]) == (
        "clause 12.1 should be broken and is not",
        "clause 12.1 is left open, which is not expected",
    )
    assert wrong() == ("clause 12.1 is left open, which is not expected",)


def test_an_amendment_that_opens_a_gap(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    planted(tmp_path)
    amendment = tmp_path / "gap.rules"
    amendment.write_text(
        """amend act-blackjack {
  title "Blackjack: the draw" instrument "invented" in force from 2024-01-01
  replace clause 12.1 "Dealer hits sixteen" {
    subject to 12.2 as no_effect
    dealer must draw when dealer.players_done and dealer.total < 16
    dealer must not draw when not dealer.players_done or dealer.total in (17, 19, 20, 21)
  }
}
""",
        encoding="utf-8",
    )
    script = ON_17["draws"].replace("7S 3C", "8S 2C")
    log = tmp_path / "log.jsonl"
    before = document(script, round="R0", at="2023-08-20T12:00:00+10:00")
    log.write_text(before + document(script), encoding="utf-8")
    status = main(["replay", str(log), "--rules", str(amendment), "--format", "json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    assert [(f["round"], f["code"], f["clause"]) for f in found if f["code"] != "R501"] == [
        ("R0", "R520", "12.1"),
        ("R1", "R550", "12.1"),
    ]
    assert status == 1


# --- money

LIMITS = {"main": {"min": 10, "max": 50, "unit": 5, "smallest_chip": 5}}
LOST = "bet 1 P1 80\ndeal 1:KH 0:9D 1:7C\n1 P1 stand\ndealer KS\nsettle 1 P1 main 30"
WON_80 = WON.format(80) + "\nsettle 1 P1 main 130"
TIED = WON_80.replace("dealer 8S", "dealer KS").replace("130", "80")


def money(tmp_path: Path, more: str, script: str) -> Verdict:
    return judged(tmp_path, EVENS + more, script, limits=LIMITS)


TWO_CAPS = """clause 6 "One limit" { main counts up to limit.max }
clause 7 "Another" { main counts up to $40 }
"""


@pytest.mark.parametrize("script", [LOST, WON_80])
def test_two_limits_for_what_counts(tmp_path: Path, script: str) -> None:
    found = the_finding(money(tmp_path, TWO_CAPS, script))
    assert (found.code, found.clause, found.others) == ("R550", "6", (("7", "also applies"),))
    assert found.message.endswith(
        "how much of it counts is open: the text says several things: "
        "clause 6 says limit.max; clause 7 says $40"
    )


def test_two_limits_that_come_to_the_same_or_do_not_matter(tmp_path: Path) -> None:
    assert codes(money(tmp_path, TWO_CAPS.replace("$40", "$50"), LOST)) == []
    assert codes(money(tmp_path, TWO_CAPS, TIED)) == []
    ordered = TWO_CAPS.replace("main counts up to $40", "despite 6 main counts up to $40")
    assert due(money(tmp_path, ordered, LOST)) == 4000


def test_two_amounts_that_a_wager_is_deemed_to_be(tmp_path: Path) -> None:
    more = """clause 6 "One" { main counts as $20 }
clause 7 "Another" { main counts as $40 }"""
    assert codes(money(tmp_path, more, LOST)) == [("R550", "6")]
    assert due(money(tmp_path, more.replace("$40", "$20"), LOST)) == 6000


def test_two_ways_to_round(tmp_path: Path) -> None:
    up = 'clause 6 "Up" { payments round up to limit.smallest_chip }\n'
    down = 'clause 7 "Down" { payments round down to limit.smallest_chip }\n'
    odd = WON.format(12) + "\nsettle 1 P1 main 27"
    assert due(money(tmp_path, up, odd)) == 2700
    assert due(money(tmp_path, down, odd)) == 2200
    found = the_finding(money(tmp_path, up + down, odd))
    assert (found.code, found.clause, found.others) == ("R550", "6", (("7", "also applies"),))
    assert "how it is rounded is open" in found.message
    even = WON.format(15) + "\nsettle 1 P1 main 30"
    assert codes(money(tmp_path, up + down, even)) == []


SIDE = (
    "bet 1 P1 10\nbet 1 P1 12 super_sevens\ndeal 1:7H 0:9D 1:KC\n1 P1 stand\ndealer 8S\n"
    "settle 1 P1 main 10\nsettle 1 P1 super_sevens {}"
)


def test_a_side_bet_is_rounded_by_what_the_log_does_not_give(tmp_path: Path) -> None:
    text = """clause 6 "Sevens" { super_sevens wins when first.rank = 7  super_sevens pays 1 to 1 }
clause 7 "Up" { payments round up to limit.smallest_chip when not limit.multiples_notice }"""
    limits = {"super_sevens": {"min": 1, "smallest_chip": 5}}
    verdict = judged(tmp_path, EVENS + text, SIDE.format(24), limits=limits)
    assert codes(verdict) == [("R550", "7")]
    limits["super_sevens"]["multiples_notice"] = False
    assert (
        due(judged(tmp_path, EVENS + text, SIDE.format(27), limits=limits), bet="super_sevens")
        == 2700
    )


def test_a_side_bet_may_lose_half(tmp_path: Path) -> None:
    text = EVENS + 'clause 6 "Sevens" { super_sevens loses half when first.rank = 7 }'
    assert due(judged(tmp_path, text, SIDE.format(6)), bet="super_sevens") == 600


@pytest.mark.parametrize(
    ("rules", "clause", "why"),
    [
        ("super_sevens loses when first.rank = 8", "6", "no clause gives an answer here"),
        ("super_sevens wins when first.rank = 7 super_sevens loses", "6", "several things"),
        (
            "super_sevens wins super_sevens pays 2 to 1 when first.rank = 8",
            "6",
            "no clause gives an answer here",
        ),
        (
            "super_sevens wins super_sevens pays 2 to 1 super_sevens pays 3 to 1",
            "6",
            "several things",
        ),
        ("super_sevens wins", "6", "no clause gives an answer here"),
    ],
)
def test_results_and_odds_of_a_side_bet(tmp_path: Path, rules: str, clause: str, why: str) -> None:
    found = the_finding(
        judged(tmp_path, EVENS + f'clause 6 "Sevens" {{ {rules} }}', SIDE.format(0))
    )
    assert (found.code, found.clause, found.bet) == ("R550", clause, "super_sevens")
    assert why in found.message


def test_a_gap_in_the_results_names_the_clause_that_comes_nearest(tmp_path: Path) -> None:
    text = EVENS.replace("main stands off when", "main stands off when hand.cards = 3 and")
    script = WON.format(10).replace("8S", "KS") + "\nsettle 1 P1 main 10"
    found = the_finding(judged(tmp_path, text, script))
    assert (found.code, found.clause) == ("R550", "4")
    row = settlements(a_round(script), judged(tmp_path, text, script))[0]
    assert row["right"] is None


def test_what_is_due_is_open_and_was_never_settled(tmp_path: Path) -> None:
    text = EVENS.replace("main stands off when", "main stands off when hand.cards = 3 and")
    tied = WON.format(10).replace("8S", "KS") + "\nbet 2 P2 10"
    found = the_finding(judged(tmp_path, text, tied.replace("\nbet 2 P2 10", "")))
    assert (found.code, found.kind) == ("R550", "undecided")
    assert "was never settled, and what is due cannot be decided" in found.message


def test_a_word_that_the_text_says_two_things_of(tmp_path: Path) -> None:
    text = (
        EVENS
        + """clause 6 "Lucky" { define lucky as hand.total = 19 }
clause 7 "Unlucky" { define lucky as false when hand.cards = 2 }
clause 8 "Luck" { main pays 2 to 1 when lucky }"""
    )
    found = the_finding(judged(tmp_path, text, WON.format(10) + "\nsettle 1 P1 main 20"))
    assert found.code == "R550"
    assert found.message.endswith(
        "the text says several things of `lucky`: clause 6 says True; clause 7 says False"
    )


def test_a_card_that_counts_nothing_is_not_wanting_in_the_log(tmp_path: Path) -> None:
    text = EVENS.replace("cards 2 to 9 count face", "cards 2 to 8 count face")
    verdict = judged(tmp_path, text, WON.format(10) + "\nsettle 1 P1 main 20")
    told = [f.message for f in verdict.findings if f.bet == "main"]
    assert told == [
        "main of P1 on box 1 cannot be decided: what the card 9C counts is open: "
        "no clause gives an answer here"
    ]


# --- the time of a settlement

AT_ONCE = 'clause 6 "At once" { main settles at once when hand.total = 19 }\n'
AT_THE_END = 'clause 7 "At the end" { main settles at the end }\n'
EARLY = "bet 1 P1 10\ndeal 1:KH 0:9D 1:9C\n1 P1 stand\nsettle 1 P1 main 20\ndealer 8S"


@pytest.mark.parametrize("script", [EARLY, WON.format(10) + "\nsettle 1 P1 main 20"])
def test_times_that_cannot_both_be_kept(tmp_path: Path, script: str) -> None:
    found = the_finding(judged(tmp_path, EVENS + AT_ONCE + AT_THE_END, script))
    assert (found.code, found.clause) == ("R550", "6")
    assert found.message.startswith("when main of P1 on box 1 is settled cannot be decided")


def test_times_that_can_both_be_kept_are_both_asked_for(tmp_path: Path) -> None:
    later = 'clause 8 "In time" { main settles before the subsequent deal when hand.total = 19 }\n'
    script = WON.format(10) + "\nsettle 1 P1 main 20"
    assert codes(judged(tmp_path, EVENS + AT_ONCE + later, EARLY)) == []
    assert codes(judged(tmp_path, EVENS + AT_ONCE + later, script)) == [("R502", "6")]


# --- the Super Bonus

BANDS = """clause 6 "Bonus" {
  define wager.super_bonus as hand.total = 19
  super_bonus pays $1,000 when wager.super_bonus and wager.stake in $5 to $9
  super_bonus pays $5,000 when wager.super_bonus and wager.stake >= $25
}
"""
OTHERS = """clause 7 "The others" {
  super_bonus pays $50 when round.super_bonus and not wager.super_bonus
}
"""


@pytest.mark.parametrize(
    ("stake", "expected"),
    [(5, 100_000), (10, None), (25, 500_000)],
)
def test_a_hole_in_the_bands_of_the_bonus(tmp_path: Path, stake: int, expected: int | None) -> None:
    paid = f"\nsettle 1 P1 main {2 * stake}\nsettle 1 P1 super_bonus {(expected or 0) // 100}"
    verdict = judged(tmp_path, EVENS + BANDS, WON.format(stake) + paid)
    assert codes(verdict) == ([] if expected else [("R550", "6")])


def test_who_wins_the_bonus_is_open_and_so_is_what_the_others_get(tmp_path: Path) -> None:
    text = EVENS + BANDS + OTHERS + 'clause 8 "No bonus" { define wager.super_bonus as false }\n'
    script = (
        "bet 1 P1 5\nbet 2 P2 10\ndeal 1:KH 2:KS 0:9D 1:9C 2:QC\n1 P1 stand\n2 P2 stand\n"
        "dealer 8S\nsettle 1 P1 main 10\nsettle 2 P2 main 20"
    )
    assert codes(judged(tmp_path, text, script)) == [("R550", "6"), ("R550", "7")]
    none = script.replace("1:9C", "1:8C")
    assert codes(judged(tmp_path, text, none)) == []


# --- acts

BOTH_WAYS = """clause 6 "Low" { must draw when hand.total < 12 }
clause 7 "Never" { may not draw when hand.cards = 2 }
"""
LOW = "bet 1 P1 10\ndeal 1:5H 0:9D 1:4C\n{}\ndealer 8S\nsettle 1 P1 main {}"


@pytest.mark.parametrize(("play", "paid"), [("1 P1 stand", 0), ("1 P1 hit KS", 20)])
def test_a_card_that_must_and_may_not_be_drawn(tmp_path: Path, play: str, paid: int) -> None:
    found = the_finding(judged(tmp_path, EVENS + BOTH_WAYS, LOW.format(play, paid)))
    assert (found.code, found.clause, found.others) == ("R550", "6", (("7", "also applies"),))
    assert found.message.endswith("clause 6 says must; clause 7 says may not")


CONTESTED = """clause 8 "Lucky" { define lucky as hand.cards = 2 }
clause 9 "Unlucky" { define lucky as false }
"""


def test_a_ban_that_a_contested_permission_would_prevail_over(tmp_path: Path) -> None:
    text = (
        EVENS
        + CONTESTED
        + """clause 6 "Never" { may not draw when hand.cards = 2 }
clause 7 "Lucky hands" { despite 6 may draw when lucky }"""
    )
    found = the_finding(judged(tmp_path, text, LOW.format("1 P1 hit KS", 20)))
    assert found.code == "R550"
    assert "the text says several things of `lucky`" in found.message
    assert codes(
        judged(tmp_path, text.replace("despite 6", ""), LOW.format("1 P1 hit KS", 20))
    ) == [("R510", "6")]


def test_a_duty_that_rests_on_a_contested_word(tmp_path: Path) -> None:
    text = EVENS + CONTESTED + 'clause 6 "Low" { must draw when lucky }'
    found = the_finding(judged(tmp_path, text, LOW.format("1 P1 stand", 0)))
    assert (found.code, found.clause) == ("R550", "6")
    assert "whether P1 on box 1 had to draw cannot be decided: the text says" in found.message


def test_a_mere_permission_does_not_clash_with_a_ban(tmp_path: Path) -> None:
    text = EVENS + 'clause 7 "Never" { may not draw when hand.cards = 2 }'
    assert codes(judged(tmp_path, text, LOW.format("1 P1 hit KS", 20))) == [("R510", "7")]


def test_a_duty_that_is_forbidden_too(tmp_path: Path) -> None:
    must = 'clause 6 "Tell" { casino must notify_inspector when recorded missing_card }\n'
    must_not = 'clause 7 "Not" { casino must not notify_inspector when recorded missing_card }\n'
    script = WON.format(10) + "\nrecord missing_card\nsettle 1 P1 main 20"
    assert codes(judged(tmp_path, EVENS + must, script)) == [("R540", "6")]
    found = the_finding(judged(tmp_path, EVENS + must + must_not, script))
    assert (found.code, found.kind, found.clause) == ("R550", "undecided", "6")


VOIDS = """clause 6 "Void" {
  despite 4
  casino may void_round when recorded fraud
  main is void when round.void
}
reading left-open {
  because "no clause speaks of it"
  under 6: casino may void_round undecided because "not said" when recorded disruption
}
"""


def test_an_act_of_the_casino_that_a_reading_leaves_open(tmp_path: Path) -> None:
    script = "bet 1 P1 10\ndeal 1:KH 0:9D 1:9C\nrecord {}\nvoid round\nsettle 1 P1 main 10"
    assert codes(judged(tmp_path, EVENS + VOIDS, script.format("fraud"))) == []
    found = the_finding(judged(tmp_path, EVENS + VOIDS, script.format("disruption")))
    assert found.code == "R550"
    assert found.message == "whether the casino may `void_round` cannot be decided: not said"


def test_requirements_that_cannot_both_be_met(tmp_path: Path) -> None:
    text = (
        EVENS
        + """clause 6 "Six" { at round require round.decks = 6 }
clause 7 "Eight" { at round require round.decks = 8 }"""
    )
    script = WON.format(10) + "\nsettle 1 P1 main 20"
    found = judged(tmp_path, text, script).findings
    assert [(f.code, f.kind, f.clause) for f in found] == [("R550", "undecided", "7")]
    assert found[0].message == (
        "the round: what is required cannot be decided: clause 7 asks for round.decks = 8; "
        "clause 6 asks for round.decks = 6"
    )
    together = text.replace("round.decks = 8", "round.decks <= 8")
    assert codes(judged(tmp_path, together, script)) == []


def test_whether_a_wrong_settlement_may_be_put_right_is_open(tmp_path: Path) -> None:
    may = 'clause 6 "Put right" { casino must adjust when settlement.overpaid }\n'
    may_not = 'clause 7 "Never" { casino may not adjust when settlement.overpaid }\n'
    script = WON.format(10) + "\nsettle 1 P1 main 25\nadjust P1 -5"
    assert codes(judged(tmp_path, EVENS + may, script)) == []
    assert codes(judged(tmp_path, EVENS + may_not, script)) == [("R501", "5")]
    assert codes(judged(tmp_path, EVENS + may + may_not, script)) == [("R550", "6")]


# --- explanations and impact


def test_no_answer_is_not_explained_as_nothing(tmp_path: Path) -> None:
    text = EVENS.replace("main stands off when", "main stands off when hand.cards = 3 and")
    engine = engine_of(tmp_path, text)
    verdict = judge(engine, a_round(WON.format(10).replace("8S", "KS")))
    told = {e.question: e.answer for e in explain(engine, verdict)}
    assert told["main.result"] == "cannot be decided: no clause gives an answer here"


def impact_on(folder: Path, new: str, script: str) -> RoundImpact:
    sound = text(MUST, "dealer must not draw when dealer.total > 16")
    (folder / "old").mkdir(exist_ok=True)
    engines = engine_of(folder / "old", sound), engine_of(folder, new)
    return impact_of(*engines, a_round(script), ShoeView())


@pytest.mark.parametrize("book", [GAP, CLASH])
def test_who_gains_is_open_where_a_text_leaves_the_draw_open(tmp_path: Path, book: str) -> None:
    found = impact_on(tmp_path, book, STOPS.format(20))
    assert found.undecided == [("the new text", OPEN_DRAW.format(who="the dealer"))]
    assert (found.wagers, found.changes, found.dealer_differs) == (0, [], False)
    other = impact_on(tmp_path, book, STOPS.format(20).replace("7S", "8S"))
    assert (other.undecided, other.dealer_differs, other.wagers) == ([], False, 1)


def test_who_gains_is_open_where_a_text_leaves_a_play_open(tmp_path: Path) -> None:
    sound = text(MUST, "dealer must not draw when dealer.total > 16")
    found = impact_on(tmp_path, sound + BOTH_WAYS, LOW.format("1 P1 hit KS", 20))
    ((which, why),) = found.undecided
    assert which == "the new text"
    assert why.startswith("it leaves open whether to hit: the text says several things")
