"""A reading that orders two clauses under a condition, and wagers that are void."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from checker.cli import main
from checker.evaluate.ready import new_engine
from checker.graph import graph
from checker.prove.findings import proof_findings
from checker.prove.prove import Prover
from checker.prove.search import as_printed
from rulespec.resolve.rulebook import VOID_FIRST
from tests.evaluate.engine_support import Told, asked, clauses, engine_of
from tests.support import CARDS_AND_DRAW, loaded, rulebook

RULES = clauses("main wins when hand.total = 21", "main loses when dealer.total >= 20")


def reading(*lines: str, name: str = "ours") -> str:
    return f'reading {name} {{ because "x" {" ".join(lines)} }}\n'


def values(folder: Path, text: str, **facts: int | bool) -> set[str]:
    answer = asked(folder, text, "main.result", Told(**facts))
    assert not answer.unknown
    return set(answer.values)


@pytest.mark.parametrize(("dealer", "expected"), [(20, {"wins"}), (21, {"wins", "loses"})])
def test_the_order_holds_where_its_condition_does(
    tmp_path: Path, dealer: int, expected: set[str]
) -> None:
    text = RULES + reading("1 prevails over 2 when dealer.total = 20")
    assert values(tmp_path, text, hand__total=21, dealer__total=dealer) == expected
    assert values(tmp_path, text, hand__total=20, dealer__total=20) == {"loses"}
    assert values(tmp_path, text, hand__total=21, dealer__total=19) == {"wins"}


def test_the_answer_names_the_reading_and_goes_without_it(tmp_path: Path) -> None:
    text = RULES + reading("1 prevails over 2 when dealer.total = 20")
    engine = engine_of(tmp_path, text)
    scene = Told(hand__total=21, dealer__total=20)
    answer = engine.ask("main.result", scene)
    assert (answer.value, answer.readings, set(answer.order)) == ("wins", ("ours",), {"ours"})
    for book in (engine.rulebook.without_reading("ours"), as_printed(engine.rulebook)):
        assert set(new_engine(book).ask("main.result", scene).values) == {"wins", "loses"}


def test_where_the_condition_is_not_known_the_order_does_not_hold(tmp_path: Path) -> None:
    text = RULES + reading("1 prevails over 2 when player.card")
    facts = {"hand__total": 21, "dealer__total": 20}
    assert values(tmp_path, text, **facts) == {"wins", "loses"}
    assert values(tmp_path, text, **facts, player__card=True) == {"wins"}


@pytest.mark.parametrize(
    ("lines", "at_20", "at_21"),
    [
        # each way under its own condition
        (
            (
                "1 prevails over 2 when dealer.total = 20",
                "2 prevails over 1 when dealer.total = 21",
            ),
            {"wins"},
            {"loses"},
        ),
        # both ways at once: nothing is settled
        (
            ("1 prevails over 2 when dealer.total = 20", "2 prevails over 1 when hand.total = 21"),
            {"wins", "loses"},
            {"loses"},
        ),
        # against an order that always holds, the condition decides
        (("1 prevails over 2 when dealer.total = 20", "2 prevails over 1"), {"wins"}, {"loses"}),
    ],
)
def test_orders_that_go_both_ways(
    tmp_path: Path, lines: tuple[str, ...], at_20: set[str], at_21: set[str]
) -> None:
    text = RULES + reading(*lines)
    for dealer, expected in ((20, at_20), (21, at_21)):
        assert values(tmp_path, text, hand__total=21, dealer__total=dealer) == expected


def test_a_printed_order_is_turned_round_under_the_condition_only(tmp_path: Path) -> None:
    text = RULES.replace("main loses", "despite 1 main loses")
    text += reading("1 prevails over 2 when dealer.total = 20")
    assert values(tmp_path, text, hand__total=21, dealer__total=20) == {"wins"}
    assert values(tmp_path, text, hand__total=21, dealer__total=21) == {"loses"}


def test_what_prevails_over_the_winner_still_does(tmp_path: Path) -> None:
    text = RULES + 'clause 3 "x" { despite 1 main stands off when hand.cards = 2 }\n'
    text += reading("1 prevails over 2 when dealer.total = 20", "3 prevails over 2")
    facts = {"hand__total": 21, "dealer__total": 20}
    assert values(tmp_path, text, **facts, hand__cards=2) == {"stands off"}
    assert values(tmp_path, text, **facts, hand__cards=3) == {"wins"}


def test_a_circle_of_three_is_an_error(tmp_path: Path) -> None:
    text = RULES + 'clause 3 "x" { despite 1 main stands off when hand.cards = 2 }\n'
    text += reading("1 prevails over 2 when dealer.total = 20", "2 prevails over 3")
    assert [d.code for d in loaded(tmp_path, text).diagnostics] == ["R116"]


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("dealer.totall = 20", "R101"),
        ("dealer.total", "R103"),
        ("dealer.total = yes", "R102"),
        ("play.stake > $5", "R108"),
    ],
)
def test_the_condition_is_checked(tmp_path: Path, condition: str, code: str) -> None:
    text = RULES + reading(f"1 prevails over 2 when {condition}")
    assert {d.code for d in loaded(tmp_path, text).diagnostics} == {code}


def test_outside_of_the_condition_the_contradiction_is_open(tmp_path: Path) -> None:
    """What the reading settles and what it does not are two findings, each with its own hand."""
    text = CARDS_AND_DRAW + clauses(
        "main wins when hand.total = 21",
        "main loses when dealer.total >= 20 and dealer.total <= 21",
    )
    text += reading("1 prevails over 2 when dealer.total = 20")
    book = rulebook(tmp_path, text)
    found = [d for d in proof_findings(book, Prover(book).run()) if d.code == "R310"]
    assert [d.settled for d in found] == [True, False]
    settled, still_open = found
    assert settled.help is not None
    assert "as read, `ours` settles it" in settled.help
    assert still_open.help is not None
    assert "ours" not in still_open.help
    assert settled.about != still_open.about


def test_all_engines_judge_such_a_round_alike(tmp_path: Path) -> None:
    """The columns and the plain evaluator, on hands inside and outside of the condition."""
    text = (
        CARDS_AND_DRAW
        + clauses(
            "main wins when hand.total = 21 main pays 1 to 1",
            "main loses when dealer.total in 20 to 21",
            "main wins when hand.total < 21 and dealer.total < 20",
            "may stand may draw",
        )
        + reading("1 prevails over 2 when dealer.total = 20")
    )
    rulebook(tmp_path, text)
    log = tmp_path / "log.jsonl"
    rounds = []
    for number, (hand, dealer) in enumerate(
        (h, d) for h in (("K", "A"), ("K", "9")) for d in (("9", "J"), ("K", "A"), ("9", "9"))
    ):
        cards = [(1, hand[0] + "S"), (0, dealer[0] + "D"), (1, hand[1] + "H"), (0, dealer[1] + "C")]
        events = [{"e": "wager", "box": 1, "player": "P1", "bet": "main", "stake": 10}]
        events += [{"e": "deal", "box": box, "card": card} for box, card in cards[:3]]
        events += [{"e": "play", "box": 1, "player": "P1", "do": "stand"}]
        events += [{"e": "deal", "box": 0, "card": cards[3][1]}]
        events += [{"e": "settle", "box": 1, "player": "P1", "bet": "main", "returned": 20}]
        rounds.append(
            {
                "format": 1,
                "round": str(number),
                "table": "T",
                "at": "2025-01-01T12:00:00+10:00",
                "rulebook": "sample",
                "decks": 6,
                "events": events,
            }
        )
    log.write_text("".join(json.dumps(r) + "\n" for r in rounds), encoding="utf-8")
    told = {}
    for engine in ("plain", "columns"):
        report = tmp_path / f"{engine}.json"
        main(
            [
                "replay",
                str(log),
                "--rules",
                str(tmp_path / "sample.rules"),
                "--engine",
                engine,
                "--format",
                "json",
                "--output",
                str(report),
            ]
        )
        told[engine] = json.loads(report.read_text(encoding="utf-8"))["findings"]
    assert told["plain"] == told["columns"]
    codes = {f["round"]: f["code"] for f in told["plain"] if f["kind"] != "deal"}
    assert codes["1"] == "R550"  # 21 against 21: the text still says both
    assert "0" not in codes  # 21 against 20 is paid


# --- a void wager has no result

VOID = clauses(
    "main wins when hand.total = 21",
    "main is void when round.void",
    "main loses when wager.after_call",
)


def told(**facts: int | bool) -> Told:
    usual: dict[str, int | bool] = {
        "hand__total": 21,
        "round__void": False,
        "wager__after_call": False,
    }
    return Told(**(usual | facts))


def test_a_void_wager_has_no_ordinary_result(tmp_path: Path) -> None:
    answer = asked(tmp_path, VOID, "main.result", told(round__void=True))
    assert (answer.value, answer.order) == ("void", (VOID_FIRST,))
    assert asked(tmp_path, VOID, "main.result", told()).value == "wins"


def test_what_is_made_for_an_irregularity_may_contradict_it(tmp_path: Path) -> None:
    scene = told(round__void=True, wager__after_call=True)
    assert set(asked(tmp_path, VOID, "main.result", scene).values) == {"void", "loses"}


def test_a_text_that_lets_a_payment_stand_is_followed(tmp_path: Path) -> None:
    text = VOID.replace("main wins", "despite 2 main wins")
    assert asked(tmp_path, text, "main.result", told(round__void=True)).value == "wins"


def test_a_void_that_is_no_irregularity_is_a_result_like_others(tmp_path: Path) -> None:
    text = clauses("main wins when hand.total = 21", "main is void when hand.cards = 5")
    answer = asked(tmp_path, text, "main.result", Told(hand__total=21, hand__cards=5))
    assert set(answer.values) == {"wins", "void"}


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        ("main is void when round.void", False),
        ("main is void when hand.void and not approved proceed", False),
        ("main is void when spoilt", False),
        ("main is void when hand.cards = 5", True),
        ("main loses when round.void", True),
    ],
)
def test_check_tells_voids_from_contradictions(tmp_path: Path, rule: str, found: bool) -> None:
    text = CARDS_AND_DRAW + clauses(
        "main wins when hand.total <= 21",
        "main loses when hand.total > 21",
        "define spoilt as recorded foreign_card or recorded damaged_card",
        rule,
    )
    book = rulebook(tmp_path, text)
    codes = [p.code for p in Prover(book).run().found if "4" in {r.clause for r in p.rules}]
    assert ("R310" in codes) is found


def test_a_void_for_late_bets_against_a_loss_for_late_bets(tmp_path: Path) -> None:
    text = CARDS_AND_DRAW + clauses(
        "main wins when hand.total <= 21",
        "main is void when recorded invalid_wager",
        "main loses when recorded invalid_wager",
    )
    book = rulebook(tmp_path, text)
    found = [p for p in Prover(book).run().found if p.code == "R310"]
    assert [{"2", "3"} <= {r.clause for r in p.rules} for p in found].count(True) == 1
    assert not any({"1", "2"} == {r.clause for r in p.rules} for p in found)


def test_the_graph_shows_when_the_order_holds(tmp_path: Path) -> None:
    book = rulebook(tmp_path, RULES + reading("1 prevails over 2 when dealer.total = 20"))
    (edge,) = [e for e in graph(book).edges if e.kind == "prevails"]
    assert (edge.source, edge.target, edge.reading) == ("clause:1", "clause:2", "ours")
    assert edge.when == "dealer.total = 20"
