"""`rulespec impact`: to the cent what two separate settlements of the log give."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from checker.cli import main
from checker.evaluate.ready import new_engine
from checker.impact.run import Texts, Totals, impact
from checker.judge.judge import judge
from checker.log.model import Round
from checker.log.read import read_log
from checker.simulate.simulate import simulate
from checker.table.shoes import ShoeTracker
from rulespec.load.load import load, shipped
from rulespec.resolve.in_force import text_in_force
from rulespec.resolve.rulebook import Rulebook

ROUNDS = 100


def loaded(path: Path) -> Rulebook:
    found = load(path)
    assert found.rulebook is not None, [d.message for d in found.diagnostics]
    return text_in_force(found.rulebook, None)


@cache
def log_text(name: str, rounds: int = ROUNDS, seed: int = 10) -> str:
    made = simulate(loaded(shipped()[name]), rounds, seed)
    return "".join(one.text + "\n" for one in made)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("impact") / "log.jsonl"
    path.write_text(log_text("act-pontoon"), encoding="utf-8")
    return path


def changed(folder: Path, *changes: tuple[str, str], name: str = "act-pontoon") -> Path:
    text = shipped()[name].read_text(encoding="utf-8")
    for old, new in changes:
        words = r"\s+".join(re.escape(word) for word in old.split())
        text, times = re.subn(words, lambda _, new=new: new, text)
        assert times == 1, f"{times} times: {old}"
    path = folder / "new.rules"
    path.write_text(text, encoding="utf-8")
    return path


@cache
def act_pontoon() -> Rulebook:
    return loaded(shipped()["act-pontoon"])


@pytest.fixture(scope="module")
def before(log: Path) -> dict[tuple[Any, ...], int | None]:
    return settled(log, act_pontoon())


def settled(log: Path, book: Rulebook) -> dict[tuple[Any, ...], int | None]:
    """One text alone over the whole log: what each wager gets back."""
    engine = new_engine(book)
    shoes = ShoeTracker()
    amounts: dict[tuple[Any, ...], int | None] = {}
    for round_ in read_log(log):
        assert isinstance(round_, Round)
        verdict = judge(engine, round_, shoes.view(round_))
        shoes.after(round_)
        for key, amount in verdict.expected.items():
            amounts[round_.table, round_.id, *key] = amount
    return amounts


def totals_of(log: Path, old: Rulebook, new: Rulebook, jobs: int = 1) -> Totals:
    totals = Totals()
    for _ in impact([log], Texts(new_engine(old), new_engine(new)), totals, jobs):
        pass
    return totals


ONE_ROW = (
    "hand.cards = 5 and hand.total = 21 -> 3 to 2",
    "hand.cards = 5 and hand.total = 21 -> 2 to 1",
)
EVEN = ("otherwise -> 1 to 1", "otherwise -> 6 to 5")
TIES = (
    "main stands off when hand.total = dealer.total and hand.total <= 21",
    "main loses when hand.total = dealer.total and hand.total <= 21",
)
INSURED = ("insurance pays 2 to 1", "insurance pays 5 to 2")
PAIRS = ("perfect_pairs pays 6 to 1", "perfect_pairs pays 5 to 1")
CAPS = (
    "main counts up to limit.max when wager.over_maximum",
    "main counts up to limit.min when wager.over_maximum",
)


@pytest.mark.parametrize(
    "change", [INSURED, EVEN, TIES, PAIRS, CAPS], ids=["insurance", "even", "ties", "pairs", "caps"]
)
def test_to_the_cent_with_two_separate_settlements(
    tmp_path: Path, log: Path, before: dict[tuple[Any, ...], int | None], change: tuple[str, str]
) -> None:
    old, new = act_pontoon(), loaded(changed(tmp_path, change))
    after = settled(log, new)
    assert before.keys() == after.keys()
    pairs = [(a, after[k]) for k, a in before.items() if a is not None and after[k] is not None]
    differences = [y - x for x, y in pairs if y is not None]
    found = totals_of(log, old, new)
    assert found.wagers == len(pairs)
    assert found.old_returned == sum(x for x, _ in pairs)
    assert found.new_returned == sum(y for _, y in pairs if y is not None)
    assert found.different.wagers == sum(d != 0 for d in differences) > 0
    assert found.different.players_gain == sum(d for d in differences if d > 0)
    assert found.different.house_gains == -sum(d for d in differences if d < 0)
    # the parts add up to the whole, whichever way it is cut
    for parts in (found.by_cause.values(), found.by_table.values()):
        assert sum(s.wagers for s in parts) == found.different.wagers
        assert sum(s.players_gain for s in parts) == found.different.players_gain
        assert sum(s.house_gains for s in parts) == found.different.house_gains
    assert found.rounds == ROUNDS
    assert not found.forbidden


@pytest.mark.parametrize(
    "pair", [("nsw-star-pontoon", "sa-adelaide-pontoon"), ("act-blackjack", "act-pontoon")]
)
def test_every_wager_is_accounted_for(tmp_path: Path, pair: tuple[str, str]) -> None:
    """Two texts that differ much: a wager is settled, left out by a forbidden play, or undecided,
    and what is settled under both is what each of them gives alone."""
    log = tmp_path / "log.jsonl"
    log.write_text(log_text(pair[0], 60), encoding="utf-8")
    old, new = (loaded(shipped()[name]) for name in pair)
    before, after = settled(log, old), settled(log, new)
    places = {(*k[:2], 0, 1, *k[4:]) if k[5] == "super_bonus" else k for k in {*before, *after}}
    found = totals_of(log, old, new)
    undecided = sum(found.undecided.values())
    assert found.wagers + found.not_settled + undecided == len(places)
    assert bool(found.forbidden) == bool(found.not_settled)
    if "sa-adelaide-pontoon" in pair:  # which lets only nine to eleven be doubled
        assert any(by_new and do == "double" for by_new, do, _ in found.forbidden)
    gain = found.different.players_gain - found.different.house_gains
    assert found.new_returned - found.old_returned == gain


def test_the_same_text_changes_nothing(log: Path) -> None:
    book = act_pontoon()
    found = totals_of(log, book, book)
    assert found.different.wagers == 0
    assert found.status == 0
    assert found.old_returned == found.new_returned > 0


def test_several_cores_say_the_same(tmp_path: Path, log: Path) -> None:
    old, new = act_pontoon(), loaded(changed(tmp_path, EVEN))
    assert totals_of(log, old, new, 1).as_json() == totals_of(log, old, new, 3).as_json()


def test_a_change_names_its_clauses_and_shows_hands(tmp_path: Path, log: Path) -> None:
    found = totals_of(log, act_pontoon(), loaded(changed(tmp_path, PAIRS)))
    (cause,) = found.by_cause
    assert (cause.bet, cause.was, cause.becomes) == (
        "perfect_pairs",
        "wins at 6 to 1",
        "wins at 5 to 1",
    )
    assert "18.14(a)" in cause.old_clauses
    assert "18.14(a)" in cause.new_clauses
    assert found.different.players_gain == 0
    for example in found.examples[cause]:
        assert example.old - example.new == example.stake
        assert example.old == 7 * example.stake
        one, other = example.cards.split()  # the pair itself, also where it was split
        assert one[:-1] == other[:-1]
        assert (one[-1] in "♥♦") != (other[-1] in "♥♦")


def round_line(number: int, events: list[dict[str, Any]]) -> str:
    return (
        json.dumps(
            {
                "format": 1,
                "round": f"R{number}",
                "table": "T1",
                "at": "2024-01-01T12:00:00+10:00",
                "decks": 6,
                "rulebook": "act-pontoon",
                "options": [],
                "events": events,
            }
        )
        + "\n"
    )


def wager(player: str = "P1", box: int = 1, stake: int = 10) -> dict[str, Any]:
    return {"e": "wager", "box": box, "player": player, "bet": "main", "stake": stake}


def deal(*cards: str) -> list[dict[str, Any]]:
    made = []
    for card in cards:
        place, _, name = card.partition(":")
        made.append({"e": "deal", "box": int(place), "card": name})
    return made


def play(do: str, stake: int | None = None) -> dict[str, Any]:
    made = {"e": "play", "box": 1, "hand": 1, "player": "P1", "do": do}
    return made if stake is None else {**made, "stake": stake}


def settle(amount: int) -> dict[str, Any]:
    return {"e": "settle", "box": 1, "hand": 1, "player": "P1", "bet": "main", "returned": amount}


def test_a_play_that_the_new_text_forbids_is_counted_apart(tmp_path: Path) -> None:
    """A double on three cards: 20 against 18 wins under the old text, the new one has no such
    hand. The other round is settled under both."""
    log = tmp_path / "log.jsonl"
    doubled = [
        wager(),
        *deal("1:2S", "0:9D", "1:4H"),
        play("hit"),
        *deal("1:5D"),
        play("double", 10),
        *deal("1:9C", "0:9C"),
        settle(40),
    ]
    plain = [wager(), *deal("1:KS", "0:9D", "1:9H"), play("stand"), *deal("0:9C"), settle(20)]
    log.write_text(round_line(1, doubled) + round_line(2, plain), encoding="utf-8")
    new = changed(
        tmp_path,
        (
            "may double when player.controls and hand.cards >= 3 and hand.total < 21",
            "may not double when player.controls and hand.cards >= 3 and hand.total < 21",
        ),
    )
    found = totals_of(log, act_pontoon(), loaded(new))
    assert dict(found.forbidden) == {(True, "double", "12.1(b)"): 1}
    assert (found.wagers, found.not_settled, found.forbidden_rounds) == (1, 1, 1)
    assert (found.old_returned, found.new_returned) == (2000, 2000)
    assert found.status == 3
    back = totals_of(log, loaded(new), act_pontoon())
    assert dict(back.forbidden) == {(False, "double", "12.1(b)"): 1}


def test_a_dealer_who_would_have_drawn_on_leaves_it_undecided(tmp_path: Path) -> None:
    """Soft 17: the old text stops there, the new one draws a card that the log has not."""
    log = tmp_path / "log.jsonl"
    events = [wager(), *deal("1:KS", "0:AD", "1:8H"), play("stand"), *deal("0:6C"), settle(20)]
    log.write_text(round_line(1, events), encoding="utf-8")
    old, new = loaded(shipped()["act-blackjack"]), act_pontoon()
    found = totals_of(log, old, new)
    assert found.wagers == 0
    assert found.dealer_differs == 1
    ((which, why),) = found.undecided
    assert which == "the new text"
    assert "further card" in why


def test_a_dealer_card_that_only_one_text_asks_for(tmp_path: Path) -> None:
    """Soft 17 drawn to 20 under the old text; under the new one the dealer stops, and 18 wins."""
    log = tmp_path / "log.jsonl"
    events = [
        wager(),
        *deal("1:KS", "0:AD", "1:8H"),
        play("stand"),
        *deal("0:6C", "0:3C"),
        settle(0),
    ]
    log.write_text(round_line(1, events), encoding="utf-8")
    old, new = act_pontoon(), loaded(shipped()["act-blackjack"])
    found = totals_of(log, old, new)
    assert (found.old_returned, found.new_returned) == (0, 2000)
    assert found.different.players_gain == 2000
    assert found.status == 1


def test_what_was_paid_plays_no_part(tmp_path: Path, log: Path) -> None:
    """The same log with every settlement set to nothing gives the same answer."""
    robbed = tmp_path / "robbed.jsonl"
    with robbed.open("w", encoding="utf-8") as out:
        for line in log.read_text(encoding="utf-8").splitlines():
            round_ = json.loads(line)
            for event in round_["events"]:
                if event["e"] == "settle" and event["bet"] != "super_bonus":
                    event["returned"] = 0
            out.write(json.dumps(round_) + "\n")
    old, new = act_pontoon(), loaded(changed(tmp_path, EVEN))
    assert totals_of(robbed, old, new).as_json() == totals_of(log, old, new).as_json()


# --- the command


def test_the_command(tmp_path: Path, log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = str(changed(tmp_path, PAIRS))
    call = ["impact", "act-pontoon", new, str(log)]
    assert main([*call, "--no-classes"]) == 1
    text = capsys.readouterr().out
    assert "perfect_pairs: wins at 6 to 1 → wins at 5 to 1" in text
    assert "whatever its date and its own rulebook" in text
    assert main([*call, "--no-classes", "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    summary = report["summary"]
    assert report["command"] == "impact"
    assert [i["kind"] for i in report["inputs"]] == ["rules", "rules", "log"]
    assert summary["rounds"] == ROUNDS
    assert summary["wagers_different"] == summary["by_clause"][0]["wagers"]
    assert summary["net_to_players"] == -summary["house_gains"] < 0
    assert summary["returned_by_new"] - summary["returned_by_old"] == summary["net_to_players"]
    assert main([*call, "--no-classes", "--format", "markdown"]) == 1
    assert "| perfect\\_pairs | wins at 6 to 1 | wins at 5 to 1 |" in capsys.readouterr().out


def test_classes_that_never_occurred(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two rows of odds change; the log has a five-card 21 and no 6-7-8 of spades."""
    log = tmp_path / "log.jsonl"
    cards = deal("1:2S", "0:9D", "1:3H")
    for card in ("4D", "5C", "7S"):
        cards += [play("hit"), *deal(f"1:{card}")]
    log.write_text(round_line(1, [wager(), *cards, settle(25)]), encoding="utf-8")
    new = changed(
        tmp_path,
        ONE_ROW,
        (
            "hand.ranks = 6-7-8 and hand.suits = spades -> 3 to 1",
            "hand.ranks = 6-7-8 and hand.suits = spades -> 4 to 1",
        ),
    )
    assert main(["impact", "act-pontoon", str(new), str(log), "--format", "json"]) == 1
    summary = json.loads(capsys.readouterr().out)["summary"]
    assert summary["wagers_different"] == 1
    assert [(c["was"], c["becomes"]) for c in summary["classes_never_seen"]] == [
        ("wins at 3 to 1", "wins at 4 to 1")
    ]
    (never,) = summary["classes_never_seen"]
    assert never["witness"]["cards"] == ["6S", "7S", "8S"]


def test_exit_statuses(tmp_path: Path, log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["impact", "act-pontoon", "act-pontoon", str(log), "--no-classes"]) == 0
    assert "None of" in capsys.readouterr().out
    broken = tmp_path / "broken.jsonl"
    broken.write_text(log.read_text(encoding="utf-8") + "{not a round\n", encoding="utf-8")
    assert main(["impact", "act-pontoon", "act-pontoon", str(broken), "--no-classes"]) == 3
    assert "1 line quarantined" in capsys.readouterr().out
    empty = tmp_path / "empty.jsonl"
    empty.write_text("", encoding="utf-8")
    assert main(["impact", "act-pontoon", "act-pontoon", str(empty), "--no-classes"]) == 2
    capsys.readouterr()
    assert main(["impact", "act-pontoon", "act-pontoon", str(tmp_path / "none.jsonl")]) == 2
    assert "does not exist" in capsys.readouterr().err
    assert main(["impact", "act-pontoon", "no-such-book", str(log)]) == 2
    assert main(["impact", "act-pontoon"]) == 2
    assert main(["impact", "act-pontoon", "nz-pontoon", str(log), "--jobs", "0"]) == 2
    capsys.readouterr()


# --- draws that only one text asks for


def test_a_draw_of_a_named_hand_leaves_what_rests_on_it_undecided(tmp_path: Path) -> None:
    """Banker on 4 against a 2: the old text draws, the new one says nothing. The pair bet of the same
    round is settled by the first cards, so it is not touched."""
    table = shipped()["fr-punto-banco"].read_text(encoding="utf-8")
    old_row = "4 | 2 to 7, none"
    assert table.count(old_row) == 1
    new_row = "4 | 3 to 7, none"
    pair = """
bet banker_pair "pair" {
  on the table
  placed before the first card
}

clause 99 "Pair" {
  banker_pair wins when banker.first.rank = banker.second.rank
  banker_pair loses when banker.first.rank != banker.second.rank
  banker_pair pays 11 to 1
}
"""
    books = []
    for name, text in (("old", table), ("new", table.replace(old_row, new_row))):
        path = tmp_path / f"{name}.rules"
        path.write_text(text + pair, encoding="utf-8")
        books.append(loaded(path))
    cards = [("player", "KH"), ("banker", "2H"), ("player", "3S"), ("banker", "2D")]
    cards += [("player", "2C"), ("banker", "5C")]
    events: list[dict[str, Any]] = [
        {"e": "wager", "player": "P1", "bet": bet, "stake": 20} for bet in ("banker", "banker_pair")
    ]
    events += [{"e": "deal", "to": hand, "card": card} for hand, card in cards]
    log = tmp_path / "log.jsonl"
    log.write_text(round_line(1, events), encoding="utf-8")
    found = totals_of(log, *books)
    ((which, why),) = found.undecided
    assert which == "the new text"
    assert why == "the text leaves open whether a hand draws"
    assert (found.wagers, found.old_returned, found.status) == (1, 24000, 3)


def test_a_card_that_no_text_takes_away_again_is_not_passed_over(tmp_path: Path) -> None:
    """Soft 17 drawn to 20, and a new text without a clause that burns such a card."""
    text = """rulebook sample {
  title "Sample"
  game blackjack
  in force from 2005-02-07
}

clause 1 "Values" {
  cards 2 to 9 count face
  cards T, J, Q, K count 10
  cards A count 1 or 11
}

clause 2 "Results" {
  may draw, stand
  main wins when hand.total <= 21 and (hand.total > dealer.total or dealer.total > 21)
  main loses when hand.total > 21 or dealer.total > hand.total and dealer.total <= 21
  main stands off when hand.total = dealer.total and hand.total <= 21
  main pays 1 to 1
}

clause 3 "Draw" {
  dealer must draw when dealer.total <= 16 or dealer.total = 17 and dealer.soft
  dealer must not draw when dealer.total > 17 or dealer.total = 17 and not dealer.soft
}
"""
    books = []
    for name, soft in (("old", " or dealer.total = 17 and dealer.soft"), ("new", "")):
        path = tmp_path / f"{name}.rules"
        one = text.replace(" or dealer.total = 17 and dealer.soft", soft)
        if not soft:
            one = one.replace(
                "dealer.total > 17 or dealer.total = 17 and not dealer.soft", "dealer.total > 16"
            )
        path.write_text(one, encoding="utf-8")
        books.append(loaded(path))
    log = tmp_path / "log.jsonl"
    stood = [wager(), *deal("1:KS", "0:AD", "1:8H"), play("stand"), *deal("0:6C", "0:3C")]
    log.write_text(round_line(1, [*stood, settle(0)]), encoding="utf-8")
    found = totals_of(log, *books)
    ((which, why),) = found.undecided
    assert which == "the new text"
    assert "would have stopped" in why
    assert found.status == 3
