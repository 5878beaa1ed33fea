"""What clauses, orders, values and definitions do: by the prover, and by brute force."""

import json
import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from checker.cli import main
from checker.evaluate.engine import Engine
from checker.evaluate.ready import new_engine
from checker.evaluate.scene import SeenScene
from checker.log.decode import decode_round
from checker.prove.all_texts import prove_all, proven
from checker.prove.findings import proof_findings
from checker.prove.issues import Proven, pairs
from checker.prove.prove import Prover
from checker.prove.rules import dead, effects
from checker.prove.search import INTERIM_FIRST, MARKED, NONE, as_printed
from checker.simulate.simulate import simulate
from checker.states.lines_of_play import SHOE, STAKE, quick_table, round_of, scene_of, table_of
from checker.table.state import Dealt, wager_of
from rulespec.load.load import load
from tests.prove.test_prove import BOOKS, SOUND, proven_in, prover_of, random_text
from tests.support import CARDS_AND_DRAW, rulebook


def of(found: list[Proven], code: str) -> list[Proven]:
    return [p for p in found if p.code == code]


def clauses(one: Proven) -> list[str]:
    return list(dict.fromkeys(r.clause for r in one.rules))


# --- random small rulebooks against brute enumeration


def every_kind_of_scene(prover: Prover, engine: Engine, question: str) -> list[SeenScene]:
    """One of each kind of hand, dealer's hand and flags, out of all of them: those on which the
    same rules apply have the same answers."""
    tests = [test for _, test in engine.by_question[question]]
    kinds: dict[object, SeenScene] = {}
    for line in prover.lines():
        for void, fraud in ((0, 0), (1, 0), (0, 1), (1, 1)):
            table = quick_table(line, prover.blank)
            table.void = bool(void)
            if fraud:
                table.records.add("fraud")
            scene = scene_of(engine, table, line, line.parts()[0], STAKE)
            for cards in prover.dealers("main"):
                dealt = tuple(Dealt(c, n, False) for n, c in enumerate(cards))
                view = scene.but(dealer=dealt)
                kinds.setdefault(tuple([test(view) for test in tests]), view)
    return list(kinds.values())


@pytest.mark.parametrize("seed", range(100, 105))
def test_dead_and_needless_rules_agree_with_going_through_all_hands(
    seed: int, tmp_path: Path
) -> None:
    book = rulebook(tmp_path, random_text(seed))
    prover = Prover(book)
    space = prover.space("main")
    answers = space.answers("main.result")
    never = {r.id for r in dead(space, "main.result", answers, space.d.all)}
    done = effects(space, "main.result", answers, space.d.all, never)
    text = as_printed(book)
    engine = new_engine(text)
    scenes = every_kind_of_scene(prover, engine, "main.result")
    assert len(scenes) > 3
    rules = engine.by_question["main.result"]
    applied = {r.id for r, test in rules for scene in scenes if test(scene)}
    assert never == {r.id for r, _ in rules} - applied

    def outcomes(gone: set[str]) -> list[frozenset[object]]:
        kept = tuple(r for r in text.rules if r.question != "main.result" or r.clause not in gone)
        other = new_engine(replace(text, rules=kept))
        return [frozenset(other.ask("main.result", s.but(engine=other)).values) for s in scenes]

    whole = outcomes(set())
    conflict = [len(values) > 1 for values in whole]
    needless, only_in_conflict = set(), set()
    for clause in {r.clause for r, _ in rules if r.id not in never}:
        changed = [a != b for a, b in zip(whole, outcomes({clause}), strict=True)]
        if not any(changed):
            needless.add(clause)
        elif all(c for c, differs in zip(conflict, changed, strict=True) if differs):
            only_in_conflict.add(clause)
    assert {r.clause for r in done.needless} == needless
    assert {r.clause for r, _ in done.only_in_conflict} == only_in_conflict
    together = {r.clause for r in done.together}
    assert outcomes(together) == whole
    for clause in needless - together:  # no more could go
        assert outcomes(together | {clause}) != whole


@pytest.mark.parametrize("seed", range(200, 208))
def test_every_witness_of_a_random_rulebook_replays(seed: int, tmp_path: Path) -> None:
    book = rulebook(tmp_path, random_text(seed))
    prover = Prover(book)
    proofs = prover.run()
    assert proofs.not_dealt == []
    for one in proofs.found:
        if one.witness is None or one.question != "main.result":
            continue
        table = table_of(round_of(one.witness.play, one.witness.around.options))
        engine = prover.final if one.hidden else prover.printed
        scene = scene_of(engine, table, one.witness.line, one.witness.part, STAKE)
        answer = engine.ask("main.result", scene)
        match one.code:
            case "R312":
                assert answer.values == ()
            case "R315":
                assert one.rules[0].clause in {lost.clause for lost, _ in answer.beaten}
            case _:
                assert len(answer.values) > 1


# --- each kind of finding in a text that is otherwise sound


ONE_AND_ALL = (
    CARDS_AND_DRAW
    + """
clause 1.3 "All totals" {
  main wins when hand.total <= 21 and (hand.total > dealer.total or dealer.total > 21)
  main loses when hand.total > 21 or (dealer.total > hand.total and dealer.total <= 21)
  main stands off when hand.total <= 21 and hand.total = dealer.total
  main pays 1 to 1
}
clause 1.4 "A total of 21" { main wins when hand.total = 21 }
"""
)


def test_clauses_that_decide_only_in_conflict(tmp_path: Path) -> None:
    """Two exceptions to one clause are one contradiction, which is about that clause."""
    more = 'clause 1.5 "Five" { main wins when hand.cards >= 5 and hand.total <= 21 }\n'
    _, found = proven_in(tmp_path, ONE_AND_ALL + more)
    alone = of(found, "R317")
    assert {p.rules[0].clause for p in alone} == {"1.4", "1.5"}
    assert all(p.witness is not None for p in alone)


def test_a_contradiction_says_itself_that_its_clause_never_decides_alone(tmp_path: Path) -> None:
    book, found = proven_in(tmp_path, ONE_AND_ALL)
    assert of(found, "R317") == []
    (one,) = [d for d in proof_findings(book, Prover(book).run()) if d.code == "R310"]
    assert "`1.4` never decides the result of the main wager alone" in (one.help or "")


def test_clauses_that_could_go_together_and_those_that_could_not(tmp_path: Path) -> None:
    twice = 'clause 2 "Bust" { main loses when hand.total > 21 }\n'
    more = 'clause 3 "Bust again" { main loses when hand.total >= 22 }\n'
    _, found = proven_in(tmp_path, SOUND + twice + more)
    (one,) = of(found, "R314")
    assert clauses(one) == ["2", "3"]
    assert one.others == ()
    without = SOUND.replace("main loses when hand.total > 21 or (", "main loses when (")
    _, found = proven_in(tmp_path, without + twice + more)
    (one,) = of(found, "R314")
    assert [clauses(one), [r.clause for r in one.others]] == [["2"], ["3"]]


def test_an_order_that_no_hand_needs(tmp_path: Path) -> None:
    idle = SOUND.replace(
        'clause 1.5 "The higher total wins" {',
        'clause 1.5 "The higher total wins" {\n  subject to 1.8',
    )
    _, found = proven_in(tmp_path, idle)
    assert [clauses(p) for p in of(found, "R318")] == [["1.5"]]


IDLE_DEALER = """clause 2 "No card that changes nothing" {
  despite 1.2
  dealer must not draw when dealer.no_effect
}
"""
ALL_DRAW = """clause 3 "Everybody draws to twelve" {
  despite 4
  must draw when hand.total < 12
}
clause 4 "Never on four cards" {
  may not draw when hand.cards = 4
}
"""


@pytest.mark.parametrize("text", [IDLE_DEALER, ALL_DRAW])
def test_an_order_between_a_duty_and_a_ban_is_needed(tmp_path: Path, text: str) -> None:
    _, found = proven_in(tmp_path, SOUND + text)
    assert not of(found, "R318")
    clause = "3" if "despite 4" in text else "2"
    _, found = proven_in(tmp_path, SOUND + re.sub("  despite .*\n", "", text))
    clashes = [p for p in of(found, "R310") if clause in clauses(p)]
    assert clashes, "without the order the duty and the ban contradict each other"


def test_an_order_that_takes_a_result_its_effect(tmp_path: Path) -> None:
    text = (
        SOUND
        + """clause 2 "The natural wins" {
  subject to 1.5, 1.7, 1.8
  main loses when hand.pontoon
}
"""
    )
    _, found = proven_in(tmp_path, text)
    (one,) = of(found, "R315")
    assert clauses(one)[0] == "2"
    assert one.witness is not None


def test_a_card_that_counts_two_things(tmp_path: Path) -> None:
    text = SOUND.replace(
        "cards A count 1 or 11", "cards A count 1 or 11\n  cards A count 1 when card.position >= 3"
    )
    book, found = proven_in(tmp_path, text)
    (one,) = [p for p in of(found, "R310") if p.question == "card value A"]
    assert one.witness is not None
    assert "A" in [c[0] for c in one.witness.cards[2:]]
    (shown,) = [d for d in proof_findings(book, Prover(book).run()) if "ace" in d.message]
    assert shown.message == (
        "`1.1` says that an ace counts 1 or 11, `1.1` that it counts 1: A♠ A♥ A♦, dealer A♦ 6♥"
    )


def test_a_card_without_a_value(tmp_path: Path) -> None:
    text = SOUND.replace("cards A count 1 or 11", "cards A count 1 or 11 when card.position <= 2")
    _, found = proven_in(tmp_path, text)
    assert [p.question for p in of(found, "R312")][-1:] == ["card value A"]


TERM = """
clause 2 "High" { define high as hand.total >= 19 and hand.total <= 21 }
clause 3 "High hands" { may stand when high }
clause 4 "What high means" { define high as hand.total = 20 or hand.total = 18 }
"""


def test_definitions_that_overlap_and_differ(tmp_path: Path) -> None:
    used = SOUND.replace(
        "main loses when dealer.pontoon",
        "main loses when dealer.pontoon or (high and dealer.pontoon)",
    )
    _, found = proven_in(tmp_path, used + TERM)
    (one,) = of(found, "R319")
    assert clauses(one) == ["2", "4"]
    apart = TERM.replace("hand.total = 20 or hand.total = 18", "hand.total = 18")
    _, found = proven_in(tmp_path, used + apart)
    assert of(found, "R319") == []  # two parts of one definition


def test_a_definition_that_is_denied(tmp_path: Path) -> None:
    denied = """clause 2 "No natural of two suits" {
  define hand.pontoon as false when hand.suits = mixed
}
"""
    _, found = proven_in(tmp_path, SOUND + denied)
    assert any(clauses(p) == ["2", "1.3"] for p in of(found, "R310"))


# --- the order of settlement


EARLY = (
    SOUND.replace(
        'clause 1.8 "The dealer\'s natural" {\n  main loses when dealer.pontoon',
        'clause 1.8 "The dealer\'s natural" {\n  main loses when dealer.pontoon and hand.total < 21',
    )
    + """
clause 2 "A 21 is paid at once" { interim main wins when hand.total = 21 }
clause 3 "A dealer's natural beats a 21" { main loses when dealer.pontoon and hand.total = 21 }
clause 4 "Any 21 wins" { main wins when hand.total = 21 }
"""
)


@pytest.mark.parametrize("phases", [MARKED, INTERIM_FIRST, NONE])
def test_what_interim_first_hides(phases: str, tmp_path: Path) -> None:
    book = rulebook(tmp_path, EARLY)
    record = proven(book, phases, None)
    hidden = [d for d in record.found if (d.witness or {}).get("assumption") == "interim-first"]
    told = [{d.clause, *(r.clause for r in d.related)} for d in hidden]
    if phases == INTERIM_FIRST:
        assert told == []
    if phases == MARKED:
        assert any({"3", "4"} <= clauses for clauses in told)
    if phases == NONE:
        assert any({"2", "3"} <= clauses for clauses in told)


def test_the_command_names_the_assumption(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = rulebook(tmp_path, EARLY).files[0]
    for phases, expected in ((MARKED, True), (INTERIM_FIRST, False)):
        assert main(["check", path, "--format", "json", "--phase-order", phases]) in (0, 1)
        shown = capsys.readouterr()
        summary = json.loads(shown.out)["summary"]
        assert ("interim-first" in summary.get("hidden_by", {})) is expected
        assert ("interim settlement comes first" in shown.err) is expected


# --- several texts


def test_several_texts_are_proven_as_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    texts = []
    for number, text in enumerate((SOUND, EARLY, SOUND + TERM)):
        folder = tmp_path / str(number)
        folder.mkdir()
        loaded = load(Path(rulebook(folder, text).files[0]))
        assert loaded.rulebook is not None
        texts.append((loaded, loaded.rulebook))
    alone = [proven(text, MARKED, None) for _, text in texts]
    assert prove_all(texts, MARKED, None) == alone
    assert prove_all(texts, MARKED, None) == alone  # from what was kept


# --- rounds that nobody chose


@pytest.mark.parametrize("name", BOOKS)
def test_what_simulated_rounds_show_was_proven(name: str) -> None:
    """Contradictions and gaps of the main wager in random rounds are among those of all states."""
    prover = prover_of(name)
    space = prover.space("main")
    answers = space.answers("main.result")
    known = {frozenset(c.clauses) for c in pairs(space, answers, space.d.all)}
    d = space.d
    gap = d.without(d.without(d.all, answers.answered()), answers.open()) != d.none
    looked = 0
    for made in simulate(prover.read.rulebook, 80, seed=11):
        table = table_of(decode_round(json.loads(made.text, parse_float=Decimal)))
        for box in table.in_play if table.dealer else ():
            for hand in box.hands.values():
                if hand.did("surrender") and len(hand.cards) > 2:
                    continue  # played on by a second player, which the states leave out
                for player, parts in hand.money.items():
                    for part, stake in parts:
                        scene = SeenScene(
                            prover.printed,
                            table,
                            SHOE,
                            tuple(table.dealer),
                            box=box,
                            hand=hand,
                            player=player,
                            part=part,
                            stake=stake,
                            wager=wager_of(box, player, "main"),
                        )
                        answer = prover.printed.ask("main.result", scene)
                        looked += 1
                        assert answer.values or answer.unknown or gap
                        told = {
                            (a.clause, b.clause)
                            for a in answer.rules
                            for b in answer.rules
                            if a.value != b.value
                        }
                        assert {frozenset(pair) for pair in told} <= known
    assert looked > 150
