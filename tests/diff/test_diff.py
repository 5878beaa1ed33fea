"""Two texts compared: the claims of the comparison hold, and can be checked hand by hand."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from checker.cli import main
from checker.diff.by_name import diff_by_name
from checker.diff.classes import Outcome
from checker.diff.diff import Difference, diff
from checker.diff.settlements import asked
from checker.evaluate.ready import new_engine
from checker.log import model as r
from checker.render.diff_html import diff_html
from checker.render.diff_markdown import diff_markdown
from checker.render.diff_text import diff_text
from checker.render.lines import View, cells, plain
from checker.states.lines_of_play import round_of, scene_of, table_of
from checker.states.witness import Replayer
from rulespec.load.load import shipped
from tests.diff.diff_support import BOOKS, PAIRS, book, changed, compared, text_of, written

# --- the same meaning


@pytest.mark.parametrize("name", BOOKS)
def test_a_rulebook_is_the_same_as_itself(name: str) -> None:
    found = diff(book(name), book(name))
    assert found.same_meaning
    assert found.structure.changes == ()
    assert found.meaning.proven, "nothing was compared"


@pytest.mark.parametrize("name", BOOKS)
def test_the_order_of_clauses_does_not_count(name: str, tmp_path: Path) -> None:
    """Every section and every clause in it the other way round."""
    text = text_of(name)
    blocks = re.split(r"^(?=(?:section|reading|clause|accept|rulebook)\b)", text, flags=re.M)
    turned = "".join(_with_clauses_turned(b) for b in reversed(blocks))
    found = diff(book(name), written(tmp_path, turned))
    assert found.same_meaning
    assert {c.kind for c in found.structure.changes} == {"moved"}


def _with_clauses_turned(block: str) -> str:
    clauses = re.findall(r"^  clause .*?^  \}\n", block, re.M | re.S)
    if not block.startswith("section") or not clauses:
        return block
    first = block.index(clauses[0])
    last = block.rindex(clauses[-1]) + len(clauses[-1])
    return block[:first] + "".join(reversed(clauses)) + block[last:]


def test_the_layout_does_not_count(tmp_path: Path) -> None:
    squeezed = re.sub(r"[ \n]+(?=(and|or|when)\b)", " ", text_of("act-pontoon"))
    assert squeezed != text_of("act-pontoon")
    found = diff(book("act-pontoon"), written(tmp_path, squeezed))
    assert found.same_meaning
    assert not found.structure.changes


def test_a_clause_that_interim_settlement_leaves_nothing_to_do(tmp_path: Path) -> None:
    """Without 14.1(g) no hand of ACT Pontoon comes out otherwise: a 21 is paid before."""
    text = text_of("act-pontoon")
    without = re.sub(r"^  clause 14\.1\(g\) .*?^  \}\n", "", text, flags=re.M | re.S)
    assert without != text
    # nothing is left of the reading that decides between 14.1(d) and 14.1(g)
    without = without.replace("  14.1(d) prevails over 14.1(g)\n", "")
    without = re.sub(r"^accept R310 at 14\.1\(g\) .*?\n.*?\n", "", without, flags=re.M)
    found = diff(book("act-pontoon"), written(tmp_path, without))
    assert found.same_meaning
    assert found.meaning.states > 100_000, "proven over all states, not by looking at the text"
    assert [(c.kind, c.clause, c.effect) for c in found.structure.changes] == [
        ("removed", "14.1(g)", False)
    ]


def test_a_renumbered_and_reworded_clause_is_the_same(tmp_path: Path) -> None:
    text = changed(
        text_of("act-pontoon"),
        ('clause 14.1(f) "', 'clause 14.1(k) "'),
        (
            "main wins when hand.total > dealer.total and hand.total <= 21",
            "main wins when hand.total <= 21 and hand.total > dealer.total",
        ),
        ('"Under 21 beats dealer bust"', '"A bust dealer pays every hand under 21"'),
    )
    found = diff(book("act-pontoon"), written(tmp_path, text))
    assert found.same_meaning
    kinds = {c.clause: (c.kind, c.effect) for c in found.structure.changes}
    assert kinds["14.1(k)"] == ("renumbered", None)
    assert kinds["14.1(b)"] == ("changed", False)
    assert kinds["14.1(a)"] == ("retitled", None)


# --- one change, one class


def test_one_row_of_odds_is_one_class(tmp_path: Path) -> None:
    row = "hand.cards = 6 and hand.total = 21                     -> "
    text = changed(text_of("act-pontoon"), (row + "2 to 1", row + "5 to 2"))
    found = diff(book("act-pontoon"), written(tmp_path, text))
    assert found.meaning.complete
    (one,) = found.classes
    assert (one.code, one.was.text, one.becomes.text) == (
        "R602",
        "wins at 2 to 1",
        "wins at 5 to 2",
    )
    assert one.gain == Fraction(1, 2)
    assert one.favours == "player"
    assert one.witness is not None
    assert len(one.witness.cards) == 6
    assert "14.2#table1" in one.was.clauses
    assert "14.2#table1" in one.becomes.clauses
    assert found.class_with("main.result", one.was.outcome, one.becomes.outcome) is one


def test_the_star_s_bands_to_less_than_25_dollars(tmp_path: Path) -> None:
    bands = "wager.stake >= $5 and wager.stake <= $24"
    text = text_of("nsw-star-pontoon")
    new = changed(text, (bands, "wager.stake >= $5 and wager.stake < $25"))
    found = diff(written(tmp_path, text, "old.rules"), written(tmp_path, new))
    (one,) = found.classes
    assert (one.was.text, one.becomes.text) == ("no clause says", "$1,000")
    assert one.was.outcome.standing == "no clause says"
    assert (one.gain_cents, one.favours) == (None, "open"), "nobody knows what was due"
    assert one.witness is not None
    assert 2_400 < one.witness.around.stake < 2_500
    assert "11.5#table2" in {c.clause for c in found.structure.changes}


def test_a_dealer_who_stops_on_soft_17_is_a_difference_of_play(tmp_path: Path) -> None:
    text = changed(
        text_of("act-pontoon"),
        ("dealer.soft and dealer.total <= 17", "dealer.soft and dealer.total <= 16"),
        ("dealer.soft and dealer.total in 18 to 21", "dealer.soft and dealer.total in 17 to 21"),
    )
    found = diff(book("act-pontoon"), written(tmp_path, text))
    (one,) = found.classes
    assert (one.code, one.question, one.was.text, one.becomes.text) == (
        "R603",
        "dealer draw",
        "draws",
        "stands",
    )
    assert one.witness is not None
    assert {c[0] for c in one.witness.around.dealer} == {"A", "6"}


def test_a_narrower_choice_is_a_difference_of_play(tmp_path: Path) -> None:
    cards = "dealer.first in (J, Q, K, A)"
    text = changed(text_of("act-pontoon"), (cards, "dealer.first in (J, Q, K)"))
    found = diff(book("act-pontoon"), written(tmp_path, text))
    assert {(c.code, c.question) for c in found.classes} == {("R603", "player surrender")}
    one, other = sorted(found.classes, key=lambda c: c.was.text)
    assert one.ordinary
    assert (one.was.text, one.becomes.text) == ("may", "may not")
    assert (other.was.text, other.becomes.text) == ("no clause allows it", "may not")
    assert one.witness is not None
    assert one.witness.around.dealer[0][0] == "A"


def test_requirements_and_duties(tmp_path: Path) -> None:
    text = changed(
        text_of("act-pontoon"),
        ("at round require round.decks in 3 to 8", "at round require round.decks in 4 to 8"),
        (
            "casino may vacate_seat when player.idle_rounds >= 3",
            "casino may vacate_seat when player.idle_rounds >= 5",
        ),
    )
    found = diff(book("act-pontoon"), written(tmp_path, text))
    told = {c.code: (c.was.text, c.becomes.text, c.circumstances) for c in found.classes}
    assert told == {
        "R604": ("allowed", "requires round.decks in 4 to 8", ("number of decks in use: 3",)),
        "R605": ("may", "no clause says", ("rounds in a row that the player has not wagered: 3",)),
    }


def test_what_only_a_limit_shows_is_found_too(tmp_path: Path) -> None:
    """A rule on wagers under the minimum never applies to a hand of which no limit is known."""
    text = changed(text_of("act-pontoon"), ("    interim main is void when returned_wager\n", ""))
    found = diff(book("act-pontoon"), written(tmp_path, text))
    main_ = [c for c in found.classes if c.question == "main.result"]
    assert main_
    assert all(c.was.text == "is void" for c in main_)
    assert not any(c.ordinary for c in main_)
    assert all("minimum" in " ".join(c.circumstances) for c in main_)


def test_a_spent_budget_is_not_a_proof(tmp_path: Path) -> None:
    row = "hand.cards = 6 and hand.total = 21                     -> "
    text = changed(text_of("act-pontoon"), (row + "2 to 1", row + "5 to 2"))
    found = diff(book("act-pontoon"), written(tmp_path, text), budget=0)
    assert not found.same_meaning
    assert not found.decided
    assert found.meaning.undecided


# --- the five rulebooks against each other


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_every_pair_is_compared_to_the_end(old: str, new: str) -> None:
    found = compared(old, new)
    assert found.meaning.complete
    assert found.classes
    for one in found.classes:
        assert one.was.outcome != one.becomes.outcome
        if one.ordinary and one.code in ("R601", "R602") and one.states:
            assert one.witness is not None, (one.question, one.was.text, one.becomes.text)


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_every_hand_that_is_shown_comes_out_so(old: str, new: str) -> None:
    """The plain evaluator settles each witness as the class says, and neither text forbids it."""
    engines = [new_engine(book(old)), new_engine(book(new))]
    replayers = [Replayer(engine, engine) for engine in engines]
    seen = 0
    for one in compared(old, new).classes:
        bet = one.question.partition(".")[0]
        if one.witness is None or one.code not in ("R601", "R602") or one.supposed:
            continue
        if bet == "super_bonus":
            continue  # the winners of the round are part of the scene: seen in the shower
        witness = one.witness
        table = table_of(round_of(witness.play, witness.around.options))
        outcomes: list[Outcome] = []
        for engine, replayer in zip(engines, replayers, strict=True):
            scene = replayer.scene(engine, witness, table)
            outcomes.append(asked(engine, bet, scene)[0])
            if one.ordinary:
                dealt = replayer.dealt(witness.play, witness.around.options)
                assert dealt is not None
                assert not dealt[0], witness.play
        assert outcomes == [one.was.outcome, one.becomes.outcome], witness.play
        if None not in (one.was.outcome.returned, one.becomes.outcome.returned):
            assert one.gain == outcomes[1].returned - outcomes[0].returned  # type: ignore[operator]
        seen += 1
    assert seen > 3


def test_the_other_way_round_is_the_mirror_image() -> None:
    there = compared("act-pontoon", "nz-pontoon")
    back = diff(book("nz-pontoon"), book("act-pontoon"))
    told = {(c.question, c.was.outcome, c.becomes.outcome) for c in there.classes}
    assert told == {(c.question, c.becomes.outcome, c.was.outcome) for c in back.classes}


def test_choices_are_asked_again() -> None:
    """What a class says a player may do, the evaluator says too."""
    found = compared("act-blackjack", "act-pontoon")
    (one,) = [
        c
        for c in found.classes
        if c.question == "player surrender" and c.ordinary and c.becomes.text == "may"
    ]
    assert one.witness is not None
    witness = one.witness
    table = table_of(round_of(witness.play))
    told = []
    for name in ("act-blackjack", "act-pontoon"):
        engine = new_engine(book(name))
        scene = scene_of(engine, table, witness.line, "original", 1000)
        told.append(
            engine.allowed(
                "player surrender", scene.but(play=r.Play(1, 1, "P1", "surrender", None))
            )[0]
        )
    assert told == [False, True]


# --- the command


def run(capsys: pytest.CaptureFixture[str], *call: str) -> tuple[int, str, str]:
    status = main(["diff", *call])
    out, err = capsys.readouterr()
    return status, out, err


def test_same_meaning_is_status_0(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "act-pontoon", "act-pontoon")
    assert status == 0
    assert "Same meaning, proven" in out


def test_what_cannot_be_used_is_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "act-pontoon", "act-ponton")
    assert status == 2
    assert "act-pontoon" in out
    assert run(capsys, "act-pontoon")[0] == 2


def test_a_spent_budget_is_status_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = "hand.cards = 6 and hand.total = 21                     -> "
    path = tmp_path / "new.rules"
    path.write_text(changed(text_of("act-pontoon"), (row + "2 to 1", row + "5 to 2")))
    status, out, _ = run(capsys, "act-pontoon", str(path), "--budget", "0")
    assert status == 3
    assert "not decided" in out.lower()
    assert "same meaning" not in out.lower()


@pytest.fixture(scope="module")
def two_texts(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("two")
    row = "hand.cards = 6 and hand.total = 21                     -> "
    text = changed(
        text_of("act-pontoon"),
        (row + "2 to 1", row + "5 to 2"),
        ("at round require round.decks in 3 to 8", "at round require round.decks in 4 to 8"),
    )
    (folder / "new.rules").write_text(text, encoding="utf-8")
    return str(shipped()["act-pontoon"]), str(folder / "new.rules")


compare_once = cache(diff_by_name)


def test_the_json_report(
    two_texts: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("checker.diff.by_name.diff_by_name", compare_once)
    status, out, _ = run(capsys, *two_texts, "--format", "json")
    assert status == 1
    report = json.loads(out)
    assert report["schema"] == "rulespec-report/1"
    assert report["command"] == "diff"
    assert [i["kind"] for i in report["inputs"]] == ["rules", "rules"]
    odds, decks = report["findings"]
    assert (odds["code"], decks["code"]) == ("R602", "R604")
    assert odds["was"]["returned_per_unit"] == "3"
    assert odds["becomes"]["returned_per_unit"] == "7/2"
    assert (odds["gain_per_unit"], odds["favours"]) == ("1/2", "player")
    assert odds["witness"]["cards"]
    assert {r["role"] for r in odds["related"]} == {
        "decides in the old text",
        "decides in the new text",
    }
    assert report["summary"]["complete"] is True
    assert report["summary"]["same_meaning"] is False
    kinds = {(c["kind"], c["clause"]) for c in report["summary"]["structure"]["changes"]}
    assert kinds == {("changed", "14.2#table1"), ("changed", "2.1")}


def test_each_run_says_the_same(two_texts: tuple[str, str]) -> None:
    """Whatever order Python keeps its sets in."""
    told = []
    for seed in ("1", "2"):
        call = [sys.executable, "-m", "rulespec", "diff", *two_texts, "--format", "json"]
        done = subprocess.run(
            call,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=False,
            capture_output=True,
            cwd=Path(__file__).parents[2],
        )
        assert done.returncode == 1, done.stderr
        told.append(done.stdout)
    assert told[0] == told[1]


@pytest.fixture(scope="module")
def found(two_texts: tuple[str, str]) -> Difference:
    made = compare_once(*two_texts, None).difference
    assert made is not None
    return made


def test_the_text_has_a_line_for_each_class(found: Difference) -> None:
    out = plain(diff_text(found, View()))
    (row,) = [x for x in out.splitlines() if "wins at 2 to 1" in x]
    assert "→ wins at 5 to 2" in row
    assert "A♠" in row
    assert "player +0.5" in row
    assert "14.2#table1" in row
    assert out.index("Main wager") < out.index("Requirements")
    full = plain(diff_text(found, View(full=True)))
    assert "Odds ladder by hand type" in full
    assert "│ becomes  wins at 5 to 2" in full
    assert "the player gains 0.5 for each 1 staked" in full


@pytest.mark.parametrize("width", [80, 120])
def test_the_text_fits_the_terminal(found: Difference, width: int) -> None:
    for full in (False, True):
        for one in plain(diff_text(found, View(width=width, full=full))).splitlines():
            assert cells(one) <= width, one


def test_the_markdown_is_a_comment(found: Difference) -> None:
    out = diff_markdown(found)
    rows = [x for x in out.splitlines() if x.startswith("| ") and "---" not in x]
    assert len({x.count("|") - x.count("\\|") for x in rows}) == 1, "every row has all cells"
    assert "| wins at 2 to 1 | wins at 5 to 2 |" in out
    long = diff_markdown(compared("nsw-star-pontoon", "sa-adelaide-pontoon"))
    assert len(long) < 65_536, "code hosts refuse longer comments"
    assert long.count("<details>") == long.count("</details>")


class Balance(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("meta", "br"):
            self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag


def test_the_page_stands_alone(found: Difference) -> None:
    page = diff_html(found)
    assert "http" not in page
    assert "<script" not in page
    assert "wins at 5 to 2" in page
    parser = Balance()
    parser.feed(page)
    assert parser.stack == []


def test_what_the_text_says_is_not_taken_for_markup(found: Difference) -> None:
    title = "Odds <script>alert(1)</script> | by hand"
    clauses = tuple(
        replace(c, title=title) if c.id == "14.2#table1" else c for c in found.new.clauses
    )
    marked = replace(found, new=replace(found.new, clauses=clauses))
    assert title in plain(diff_text(marked, View(full=True)))
    assert "<script>" not in diff_html(marked)
    assert "&lt;script&gt;" in diff_html(marked)
    assert "<script>" not in diff_markdown(marked, full=True)


def test_the_formats_can_be_asked_for(
    tmp_path: Path,
    two_texts: tuple[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("checker.diff.by_name.diff_by_name", compare_once)
    for format_, first in (("html", "<!DOCTYPE html>"), ("markdown", "## ")):
        output = tmp_path / format_
        status, out, _ = run(capsys, *two_texts, "--format", format_, "--output", str(output))
        assert (status, out) == (1, "")
        assert output.read_text(encoding="utf-8").startswith(first)
    assert run(capsys, *two_texts, "--format", "sarif")[0] == 2
