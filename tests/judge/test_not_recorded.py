"""What a log says that it does not tell makes clauses unchecked, and never a finding."""

from __future__ import annotations

import gzip
import json
import random
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from checker.judge.findings import Verdict
from checker.log.decode import decode_round
from checker.log.not_recorded import words
from checker.log.strict_json import parse_json
from checker.replay.replay import Library, judge_round
from checker.table.shoes import ShoeTracker
from rulespec.load.games import shipped_games
from rulespec.load.load import load, shipped

EXAMPLES = Path(__file__).parents[2] / "examples"
BOOKS = ["act-blackjack", "nsw-star-pontoon", "sa-adelaide-pontoon"]
WORDS = sorted({one.word for one in words().values()})
Round = dict[str, Any]


@pytest.fixture(scope="module")
def library() -> Library:
    return Library(load(shipped()[book]).rulebook for book in BOOKS)  # type: ignore[misc]


def lawful_rounds(book: str, number: int) -> list[Round]:
    """Rounds of the example log in which no fault was put."""
    lines = gzip.decompress((EXAMPLES / f"{book}.jsonl.gz").read_bytes()).splitlines()
    faults = (EXAMPLES / f"{book}.faults.jsonl").read_text().splitlines()
    faulty = {(fault["table"], fault["round"]) for fault in map(json.loads, faults)}
    rounds: list[Round] = [parse_json(line.decode()) for line in lines[:number]]  # type: ignore[misc]
    return [one for one in rounds if (one["table"], one["round"]) not in faulty]


def without(round_: Round, word: str, chance: random.Random) -> Round:
    """The round as a log that does not tell this may have it."""
    events = round_["events"]
    match word:
        case "deal_order":
            places = [n for n, event in enumerate(events) if event["e"] == "deal"]
            cards = [events[n] for n in places]
            chance.shuffle(cards)
            for place, card in zip(places, cards, strict=True):
                events[place] = card
        case "turn_order":
            events.sort(key=lambda e: (e["e"] != "wager", e.get("box", 0)))
        case "settlement_time":
            events.sort(key=lambda e: e["e"] == "settle")
        case "shoe":
            round_.pop("shoe", None)
            left_out = ("shuffle", "burn", "cut_card")
            events[:] = [e for e in events if e["e"] not in left_out]
        case "dealer_cards":
            events[:] = [e for e in events if e["e"] != "deal" or e["box"] != 0]
        case "player_cards":
            events[:] = [e for e in events if e["e"] != "deal" or e["box"] == 0]
        case "suits":
            for event in events:
                if "card" in event:
                    event["card"] = event["card"][0] + "S"
        case "other_boxes":
            kept = chance.choice([e["box"] for e in events if e["e"] == "wager"])
            events[:] = [e for e in events if e.get("box", 0) in (0, kept)]
        case "settlements":
            events[:] = [e for e in events if e["e"] != "settle"]
        case "players":
            for event in events:
                if "player" in event:
                    event["player"] += round_["round"]
        case "options" | "limits":
            round_.pop(word, None)
        case "chips":
            for limits in round_["limits"].values():
                limits.pop("smallest_chip", None)
        case "decisions":
            moves = ("hit", "stand")
            events[:] = [e for e in events if e["e"] != "play" or e["do"] not in moves]
        case _:
            pass  # such a log looks as if there had been nothing
    return round_ | {"not_recorded": [word]}


def judged(library: Library, rounds: list[Round]) -> list[Verdict]:
    shoes = ShoeTracker()
    verdicts = []
    for line, one in enumerate(rounds, 1):
        round_ = decode_round(one, line)
        verdicts.append(judge_round(round_, library, shoes.view(round_), explained=False))
        shoes.after(round_)
    return verdicts


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("word", WORDS)
def test_what_is_left_out_is_never_found(library: Library, book: str, word: str) -> None:
    chance = random.Random(word)
    rounds = [without(one, word, chance) for one in lawful_rounds(book, 80)]
    assert len(rounds) > 60
    verdicts = judged(library, rounds)
    assert [f.message for v in verdicts for f in v.findings] == []
    reasons = {why for v in verdicts for why in v.not_recorded.values()}
    told = words()[word].told
    if word not in (
        "options",
        "limits",
        "chips",
        "face_down",
    ):  # which need not matter in these rounds
        assert any(told in why for why in reasons)


@pytest.mark.parametrize("book", BOOKS)
def test_the_scrambled_rounds_would_be_found_without_the_word(library: Library, book: str) -> None:
    """Otherwise the test above shows nothing."""
    for word in ("deal_order", "turn_order", "settlement_time", "dealer_cards", "settlements"):
        rounds = [without(one, word, random.Random(1)) for one in lawful_rounds(book, 20)]
        for one in rounds:
            del one["not_recorded"]
        assert any(v.findings for v in judged(library, rounds)), word


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("word", ["turn_order", "settlement_time", "shoe", "decisions", "players"])
def test_a_wrong_amount_is_found_all_the_same(library: Library, book: str, word: str) -> None:
    rounds = [without(one, word, random.Random(1)) for one in lawful_rounds(book, 20)]
    wrong = []
    for one in rounds:
        paid = next(e for e in one["events"] if e["e"] == "settle" and e["bet"] == "main")
        paid["returned"] += Decimal("1.01")
        wrong.append(one)
    for verdict in judged(library, wrong):
        assert {f.code for f in verdict.findings} == {"R501"}


def test_a_settlement_is_found_where_it_stands_in_the_log(library: Library) -> None:
    (one,) = [without(x, "turn_order", random.Random(1)) for x in lawful_rounds(BOOKS[0], 1)]
    place = next(
        n for n, e in enumerate(one["events"]) if e["e"] == "settle" and e["bet"] == "main"
    )
    one["events"][place]["returned"] += 7
    (verdict,) = judged(library, [one])
    assert [f.event for f in verdict.findings] == [place]


@pytest.mark.parametrize("word", WORDS)
def test_no_clause_is_lost_without_a_word(library: Library, word: str) -> None:
    """What a full log puts to the test and this one does not is said to be unchecked."""
    book = "nsw-star-pontoon"
    plain = judged(library, lawful_rounds(book, 30))
    said = judged(library, [one | {"not_recorded": [word]} for one in lawful_rounds(book, 30)])
    tested = {clause for v in said for clause in v.tested}
    told = {clause for v in said for clause in (*v.not_recorded, *v.not_checked)}
    lost = {clause for v in plain for clause in v.tested} - tested
    rules = library.rulebooks[book].rules
    # a permission that is not known to hold is not asked for where another one holds
    permissions = {r.clause for r in rules} - {r.clause for r in rules if r.value != "may"}
    assert lost <= told | permissions
    assert lost or word not in ("deal_order", "turn_order", "dealer_cards", "settlements")


def test_every_fact_that_a_word_hides_is_one() -> None:
    facts = {name for game in shipped_games() for name in game.facts}
    groups = {name.partition(".")[0] for name in facts}
    looked = 0
    for one in words().values():
        gates = {gate for gate, _ in one.told_where.values()}
        for fact in (*one.facts, *one.told_where, *gates):
            name = fact.removesuffix(" of dealer").removesuffix(" of players")
            looked += 1
            if name.endswith(".*"):
                assert name.removesuffix(".*") in groups
            else:
                assert name in facts, (one.word, name)
        assert set(one.told_where) <= set(one.facts)
        assert set(one.includes) <= set(words())
    assert looked > 100


def test_the_page_on_logs_has_every_word() -> None:
    page = (EXAMPLES.parent / "docs" / "replay.md").read_text(encoding="utf-8")
    for word, one in words().items():
        assert f"`{word}`" in page
        assert one.told in page


def test_cards_by_position_choices_and_the_hole_card_are_left_out_too(tmp_path: Path) -> None:
    """Of a text that asks for more than facts: the order of a hand, chosen pay tables."""
    from checker.cli import main

    log = tmp_path / "log.jsonl"
    book = "ma-blackjack"
    call = ["simulate", book, "--rounds", "40", "--seed", "3", "--output", str(log), "--quiet"]
    assert main(call) == 0
    own = Library([load(shipped()[book]).rulebook])  # type: ignore[list-item]
    lines = log.read_text(encoding="utf-8").splitlines()
    for word in ("deal_order", "turn_order", "suits", "player_cards", "dealer_cards", "options"):
        rounds: list[Any] = [parse_json(line) for line in lines]
        rounds = [without(one, word, random.Random(word)) for one in rounds]
        found = [f.message for v in judged(own, rounds) for f in v.findings]
        assert found == [], word
