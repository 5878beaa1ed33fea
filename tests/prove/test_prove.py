"""The prover: what it finds in the five rulebooks, in texts with planted flaws, and in sound ones.

The plain evaluator is the judge: every witness is dealt and asked again here, and on random small
rulebooks the prover is compared with going through all hands one by one.
"""

import json
import random
from functools import cache
from pathlib import Path

import pytest

from checker.cli import main
from checker.evaluate.ready import new_engine
from checker.prove.findings import proof_findings
from checker.prove.issues import Proven, pairs
from checker.prove.prove import Prover, groups
from checker.prove.search import as_printed
from checker.states.lines_of_play import STAKE, quick_table, round_of, scene_of, table_of
from checker.table.mechanics import ordinary
from checker.table.state import Dealt
from rulespec.load.load import find, load
from rulespec.resolve.in_force import text_in_force
from rulespec.resolve.rulebook import Rulebook
from tests.support import CARDS_AND_DRAW, rulebook

BOOKS = ("act-pontoon", "act-blackjack", "nz-pontoon", "nsw-star-pontoon", "sa-adelaide-pontoon")


@cache
def prover_of(name: str) -> Prover:
    loaded = load(find(name)[0][0][0])
    assert loaded.rulebook is not None
    prover = Prover(text_in_force(loaded.rulebook, None))
    prover.run()
    return prover


def found_in(name: str) -> list[Proven]:
    return prover_of(name).proofs.found


def about(found: list[Proven], code: str, *clauses: str) -> list[Proven]:
    return [p for p in found if p.code == code and set(clauses) <= {r.clause for r in p.rules}]


# --- the five rulebooks


@pytest.mark.parametrize(
    ("name", "code", "clauses"),
    [
        ("act-pontoon", "R310", ("14.1(d)", "14.1(g)")),
        ("act-blackjack", "R310", ("13.1(c)", "13.1(g)")),
        ("nsw-star-pontoon", "R310", ("17.1.8", "17.1.9")),
        ("sa-adelaide-pontoon", "R316", ("27#table1",)),
        ("nz-pontoon", "R315", ("10.2", "10.1")),
    ],
)
def test_known_flaws_are_found(name: str, code: str, clauses: tuple[str, ...]) -> None:
    assert about(found_in(name), code, *clauses)


def test_the_contradiction_behind_interim_settlement_is_told_as_such() -> None:
    (one,) = about(found_in("act-pontoon"), "R310", "14.1(d)", "14.1(g)")
    assert one.hidden
    shown = proof_findings(prover_of("act-pontoon").read.rulebook, prover_of("act-pontoon").proofs)
    assert any("hidden by interim settlement first" in d.message for d in shown)


@pytest.mark.parametrize("name", ["nsw-star-pontoon", "nz-pontoon"])
def test_a_stake_between_the_bands_of_the_bonus(name: str) -> None:
    gaps = [p for p in found_in(name) if p.code == "R312" and p.question == "super_bonus.odds"]
    assert 2450 in [p.witness.around.stake for p in gaps if p.witness]


def test_what_is_met_in_the_open_and_behind_interim_settlement_is_one_finding() -> None:
    (one,) = [p for p in found_in("nz-pontoon") if p.code == "R310" and p.rules[0].clause == "14.2"]
    assert not one.hidden
    assert one.behind is not None
    assert one.behind.hidden
    assert one.behind.readings == one.readings != ()
    assert {r.clause for r in one.behind.rules} - {r.clause for r in one.rules}


def test_what_a_reading_settles_names_the_reading() -> None:
    (one,) = about(found_in("act-blackjack"), "R310", "13.1(c)", "13.1(g)")
    assert one.readings == ("blackjack-beats-any-other-21",)


@pytest.mark.parametrize("name", BOOKS)
def test_every_witness_replays(name: str) -> None:
    prover = prover_of(name)
    looked = 0
    for proven in prover.proofs.found:
        witness = proven.witness
        if witness is None or not proven.question.endswith((".result", ".odds")):
            continue
        looked += 1
        table = table_of(round_of(witness.play, witness.around.options))
        engine = prover.final if proven.hidden else prover.printed
        answer = prover.replayer.ask(engine, proven.question, witness, table)
        assert not answer.unknown
        if proven.code == "R315":
            assert proven.rules[0].clause in {lost.clause for lost, _ in answer.beaten}
            continue
        assert len(answer.values) == 0 if proven.code == "R312" else len(answer.values) > 1
    assert looked


def test_the_same_bytes_every_time() -> None:
    book = prover_of("act-blackjack").read.rulebook
    once = proof_findings(book, Prover(book).run())
    again = proof_findings(book, Prover(book).run())
    assert [d.as_json() for d in once] == [d.as_json() for d in again]


# --- a sound text, and flaws planted in it

SOUND = (
    CARDS_AND_DRAW
    + """
clause 1.3 "The natural" {
  define hand.pontoon as hand.cards = 2 and hand.aces = 1 and hand.ten_cards = 1
}
clause 1.4 "Drawing" {
  may draw when hand.total < 21
  may not draw when hand.total >= 21
}
clause 1.5 "The higher total wins" {
  main wins when hand.total <= 21 and (hand.total > dealer.total or dealer.total > 21)
}
clause 1.6 "The lower total loses" {
  main loses when hand.total > 21 or (dealer.total > hand.total and dealer.total <= 21)
}
clause 1.7 "Equal totals" {
  subject to 1.8
  main stands off when hand.total <= 21 and hand.total = dealer.total
}
clause 1.8 "The dealer's natural" {
  main loses when dealer.pontoon
}
clause 1.9 "Odds" {
  main pays {
    hand.pontoon                                         -> 3 to 2
    hand.ranks = 6-7-8 and hand.suits = spades           -> 3 to 1
    hand.ranks = 6-7-8 and hand.suits != spades          -> 2 to 1
    otherwise                                            -> 1 to 1
  }
}
"""
)

FLAWS = {
    "odds changed in one row": ("hand.suits != spades ", "hand.suits != hearts ", "R316"),
    "a guard widened": (
        "hand.total <= 21 and hand.total = dealer.total",
        "hand.total <= 21 and hand.total >= dealer.total",
        "R310",
    ),
    "a clause deleted": (
        "main loses when hand.total > 21 or (dealer.total > hand.total and dealer.total <= 21)",
        "main loses when hand.total > 21",
        "R312",
    ),
    "a precedence dropped": (
        'clause 1.7 "Equal totals" {\n  subject to 1.8',
        'clause 1.7 "Equal totals" {',
        "R310",
    ),
}


def proven_in(folder: Path, text: str) -> tuple[Rulebook, list[Proven]]:
    book = rulebook(folder, text)
    return book, Prover(book).run().found


def test_nothing_is_found_in_a_sound_text(tmp_path: Path) -> None:
    assert proven_in(tmp_path, SOUND)[1] == []


@pytest.mark.parametrize("flaw", FLAWS)
def test_a_planted_flaw_is_found(flaw: str, tmp_path: Path) -> None:
    old, new, code = FLAWS[flaw]
    assert SOUND.count(old) == 1
    book, found = proven_in(tmp_path, SOUND.replace(old, new))
    shown = [p for p in found if p.code == code]
    assert shown
    for proven in shown:
        assert proven.witness is not None
        table = table_of(round_of(proven.witness.play))
        scene = scene_of(new_engine(book), table, proven.witness.line, proven.witness.part, STAKE)
        values = new_engine(book).ask(proven.question, scene).values
        assert len(values) == 0 if code == "R312" else len(values) > 1


def test_a_reading_does_not_hide_a_flaw_of_the_print(tmp_path: Path) -> None:
    old, new, _ = FLAWS["a precedence dropped"]
    reading = 'reading natural-first { because "so" 1.8 prevails over 1.7 }\n'
    _, found = proven_in(tmp_path, SOUND.replace(old, new) + reading)
    assert [p.readings for p in found if p.code == "R310"] == [("natural-first",)]


# --- random small rulebooks against brute enumeration

FRAME = """
clause 1.1 "Card values" {
  cards 2 to 9 count face
  cards J count 10
  cards A count 1 or 11
}
clause 1.2 "The dealer's draw" {
  dealer must draw when dealer.total <= 13
  dealer must not draw when dealer.total > 13
}
clause 1.3 "Drawing" {
  may not draw when hand.cards >= 3
  may draw when hand.total <= 11
  must draw when hand.total <= 5
}
clause 1.4 "A term" {
  define term as TERM
}
"""
TESTS = (
    "hand.total = 20",
    "hand.total > dealer.total",
    "dealer.total > 21",
    "hand.soft",
    "term",
    "hand.cards = 3",
    "dealer.first = A",
    "hand.total <= 14",
    "hand.equal_value",
    "dealer.soft",
    "hand.total + 2 < dealer.total",
    "dealer.cards >= 3",
    "round.void",
    "recorded fraud",
)


def random_text(seed: int) -> str:
    chance = random.Random(seed)

    def condition(depth: int = 2) -> str:
        if depth == 0 or chance.random() < 0.3:
            test = chance.choice([x for x in TESTS if x != "term" or depth < 9])
            return f"not ({test})" if chance.random() < 0.3 else test
        word = chance.choice((" and ", " or "))
        return "(" + word.join(condition(depth - 1) for _ in range(2)) + ")"

    text = FRAME.replace("TERM", condition(1).replace("term", "hand.soft"))
    for n in range(5, 5 + chance.randint(2, 5)):
        outcome = chance.choice(("wins", "loses", "stands off"))
        interim = chance.choice(("", "", "interim "))
        above = f"  subject to 1.{n - 1}\n" if n > 5 and chance.random() < 0.4 else ""
        rule = f"{interim}main {outcome} when {condition()}"
        text += f'clause 1.{n} "Rule {n}" {{\n{above}  {rule}\n}}\n'
    return text


@pytest.mark.parametrize("seed", range(8))
def test_the_prover_agrees_with_going_through_all_hands(seed: int, tmp_path: Path) -> None:
    book = rulebook(tmp_path, random_text(seed))
    prover = Prover(book)
    space = prover.space("main")
    answers = space.answers("main.result")
    proven = {frozenset(c.clauses) for c in pairs(space, answers, space.d.all)}
    gap = space.d.without(space.d.all, answers.answered()) != space.d.none
    engine = new_engine(as_printed(book))
    clashes: set[frozenset[str]] = set()
    gaps = False
    looked = 0
    for line in prover.lines():
        for cards in prover.dealers("main"):
            for void, fraud in ((0, 0), (1, 0), (0, 1), (1, 1)):
                table = quick_table(line, prover.blank)
                table.void = bool(void)
                if fraud:
                    table.records.add("fraud")
                scene = scene_of(engine, table, line, line.parts()[0], STAKE)
                dealt = tuple(Dealt(c, n, False) for n, c in enumerate(cards))
                answer = engine.ask("main.result", scene.but(dealer=dealt))
                looked += 1
                gaps |= not answer.values
                for one in answer.rules:
                    for other in answer.rules:
                        if one.value != other.value:
                            clashes.add(frozenset((one.clause, other.clause)))
    assert looked > 1000
    assert proven == clashes
    assert gap == gaps


# --- the command


def run(capsys: pytest.CaptureFixture[str], *call: str) -> tuple[int, dict[str, object]]:
    status = main(["check", *call, "--format", "json"])
    return status, json.loads(capsys.readouterr().out)


def test_the_command_shows_saves_and_keeps_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    old, new, _ = FLAWS["a precedence dropped"]
    book = rulebook(tmp_path, SOUND.replace(old, new))
    path = book.files[0]
    status, report = run(capsys, path, "--save-witnesses", str(tmp_path / "hands"))
    assert status == 1
    codes = {f["code"] for f in report["findings"]}  # type: ignore[attr-defined]
    assert codes == {"R310"}
    assert (tmp_path / "hands" / "sample.scenarios.yaml").is_file()
    assert list((tmp_path / "cache" / "rulespec").glob("proof-*"))
    assert run(capsys, path)[1]["findings"] == report["findings"]
    assert run(capsys, path, "--no-proofs")[0] == 0


def test_a_spent_budget_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    status, report = run(capsys, rulebook(tmp_path, SOUND).files[0], "--budget", "0")
    assert status == 3
    assert report["summary"]["undecided"]  # type: ignore[index]


def test_every_group_names_questions() -> None:
    assert all(questions for questions in groups(ordinary()).values())
