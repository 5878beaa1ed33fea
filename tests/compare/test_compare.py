"""`rulespec compare`: what it shows is read from the rules, so a changed rule changes a cell."""

from __future__ import annotations

import json
import re
from functools import cache
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import pytest

from checker.cli import main
from checker.compare.compare import Matrix, compare, wanted_topics
from checker.compare.topics import topics
from checker.compare.values import Cell
from checker.render.compare_text import compare_text
from checker.render.lines import View, cells, plain
from rulespec.load.load import load, shipped
from rulespec.resolve.in_force import text_in_force
from rulespec.resolve.rulebook import Rulebook
from tests.support import with_boxes


@cache
def book(name: str) -> Rulebook:
    found = load(shipped()[name]).rulebook
    assert found is not None
    return text_in_force(found, None)


@cache
def all_five() -> Matrix:
    return compare([(name, book(name)) for name in with_boxes()], wanted_topics(None))


def changed(folder: Path, name: str, *changes: tuple[str, str]) -> Rulebook:
    """A copy of a rulebook in which each change was made exactly once."""
    text = shipped()[name].read_text(encoding="utf-8")
    for old, new in changes:
        words = r"\s+".join(re.escape(word) for word in old.split())
        text, times = re.subn(words, lambda _, new=new: new, text)
        assert times == 1, f"{times} times: {old}"
    path = folder / f"{name}.rules"
    path.write_text(text, encoding="utf-8")
    found = load(path)
    assert found.rulebook is not None, [d.message for d in found.diagnostics]
    return text_in_force(found.rulebook, None)


def cell(matrix: Matrix, topic: str, row: str, column: int) -> str:
    (compared,) = [c for c in matrix.compared if c.topic.id == topic]
    (line,) = [x for x in compared.lines if x.label == row]
    return line.cells[column].text


CHANGES = [
    (
        "decks_count",
        "decks",
        ("round.decks in 3 to 8", "round.decks in 2 to 8"),
        "3 to 8",
        "2 to 8",
        {"decks_count"},
    ),
    (
        "payout_table",
        "six cards, 21",
        (
            "hand.cards = 6 and hand.total = 21 -> 2 to 1",
            "hand.cards = 6 and hand.total = 21 -> 5 to 2",
        ),
        "wins 2 to 1",
        "wins 5 to 2",
        {"payout_table"},
    ),
    (
        "dealer_draw_rule",
        "on soft 17",
        (
            "dealer.soft and dealer.total in 18 to 21",
            "dealer.soft and dealer.total in 17 to 21",
            "and dealer.soft and dealer.total <= 17",
            "and dealer.soft and dealer.total <= 16",
        ),
        "draws",
        "stands",
        {"dealer_draw_rule"},
    ),
    (
        "players_per_box_max",
        "players",
        ("box.players <= 3", "box.players <= 4"),
        "up to 3",
        "up to 4",
        {"players_per_box_max"},
    ),
    (
        "insurance_odds",
        "the dealer's second card is a king",
        ("insurance pays 2 to 1", "insurance pays 3 to 1"),
        "wins 2 to 1",
        "wins 3 to 1",
        {"insurance_odds"},
    ),
    (
        "perfect_pairs_odds",
        "coloured pair",
        ("perfect_pairs pays 12 to 1", "perfect_pairs pays 11 to 1"),
        "wins 12 to 1",
        "wins 11 to 1",
        {"perfect_pairs_odds"},
    ),
    (
        "split_max_hands",
        "hands",
        ("play.hands_after > 4", "play.hands_after > 3"),
        "up to 4",
        "up to 3",
        {"split_max_hands"},
    ),
    (
        "super_bonus_bands",
        "$24.50",
        ("wager.super_bonus and wager.stake < $25", "wager.super_bonus and wager.stake <= $24"),
        "$1,000",
        "open",
        {"super_bonus_bands"},
    ),
    (
        "surrender_amount",
        "the dealer ends on 19",
        (
            "main loses half when hand.surrendered and not dealer.pontoon",
            "main stands off when hand.surrendered and not dealer.pontoon",
        ),
        "loses half",
        "stands off",
        {"surrender_amount", "surrender_coplayers"},
    ),
]


@pytest.mark.parametrize(
    ("topic", "row", "change", "before", "after", "only"), CHANGES, ids=[c[0] for c in CHANGES]
)
def test_a_changed_rule_changes_its_cell_and_no_other(
    tmp_path: Path,
    topic: str,
    row: str,
    change: tuple[str, ...],
    before: str,
    after: str,
    only: set[str],
) -> None:
    pairs = list(zip(change[::2], change[1::2], strict=True))
    old, new = book("act-pontoon"), changed(tmp_path, "act-pontoon", *pairs)
    matrix = compare([("old", old), ("new", new)], wanted_topics(None))
    assert (cell(matrix, topic, row, 0), cell(matrix, topic, row, 1)) == (before, after)
    assert {c.topic.id for c in matrix.compared if c.differs} == only


def test_a_rulebook_differs_from_itself_in_nothing() -> None:
    same = compare([("a", book("nz-pontoon")), ("b", book("nz-pontoon"))], wanted_topics(None))
    assert not any(c.differs for c in same.compared)
    assert not same.only_differences().compared


def test_the_clause_of_a_rule_is_cited(tmp_path: Path) -> None:
    """Numbers come from the rule file: a clause with another number is cited by that number."""
    new = changed(
        tmp_path, "act-pontoon", ('clause 7.4 "Insurance wins', 'clause 7.9 "Insurance wins')
    )
    matrix = compare([("new", new)], wanted_topics("insurance_odds"))
    assert "7.9" in matrix.compared[0].lines[0].cells[0].clauses


def test_no_answer_stands_in_the_topics() -> None:
    """The topic files ask; they know no rulebook and no clause."""
    folder = files("checker.compare").joinpath("topics")
    texts = [p.read_text(encoding="utf-8") for p in folder.iterdir() if p.name.endswith(".yaml")]
    assert texts
    for text in texts:
        for name in with_boxes():
            assert name not in text
        assert not re.search(r"\d+\.\d+(\.\d+|\([a-z]\))", text)


def test_every_row_is_answered_by_some_rulebook() -> None:
    """A question that no rulebook understands would be a slip of the pen."""
    unanswered = {
        (compared.topic.id, row.label)
        for compared in all_five().compared
        for row in compared.topic.rows
        if row.label not in {x.label for x in compared.lines} and not row.unless_as
    }
    assert unanswered == {
        ("reporting_duties", "an error of $1,000"),  # only more than that is reported
        ("idle_seat", "two idle rounds"),  # three are needed
    }


def test_a_new_rulebook_needs_nothing_but_its_file(tmp_path: Path) -> None:
    path = tmp_path / "corner.rules"
    path.write_text(
        """rulebook corner { title "Corner" game pontoon in force from 2030-01-01 }
clause 1 "Decks" { at round require round.decks in (2, 4) }
clause 2 "Values" {
  cards 2 to 9 count face
  cards J, Q, K count 10
  cards A count 1 or 11
}
clause 3 "Higher wins" { main wins when hand.total > dealer.total and hand.total <= 21 }
clause 4 "Over" { main loses when hand.total > 21 }
clause 5 "Odds" { main pays 7 to 5 }
clause 6 "Doubling" { may double when hand.cards = 2 }
""",
        encoding="utf-8",
    )
    found = load(path).rulebook
    assert found is not None
    matrix = compare([("corner", found)], wanted_topics(None))
    assert cell(matrix, "decks_count", "decks", 0) == "2 or 4"
    assert cell(matrix, "payout_table", "any other hand", 0) == "wins 7 to 5"
    assert cell(matrix, "double_eligible_hands", "three cards, hard 16", 0) == "no"
    assert cell(matrix, "boxes_max", "boxes", 0) == "–"


def test_the_order_of_the_file_changes_nothing(tmp_path: Path) -> None:
    text = shipped()["nz-pontoon"].read_text(encoding="utf-8")
    head, *sections = re.split(r"(?m)^(?=section )", text)
    readings = sections[-1][sections[-1].index("\n}\n") + 3 :]
    sections[-1] = sections[-1][: sections[-1].index("\n}\n") + 3]
    path = tmp_path / "nz-pontoon.rules"
    path.write_text(head + "".join(reversed(sections)) + readings, encoding="utf-8")
    found = load(path).rulebook
    assert found is not None
    matrix = compare([("a", book("nz-pontoon")), ("b", found)], wanted_topics(None))
    assert [c.topic.id for c in matrix.compared if c.differs] == []


# --- what is shown


@pytest.mark.parametrize("width", [100, 120, 160])
def test_five_rulebooks_fit_on_a_screen(width: int) -> None:
    lines = plain(compare_text(all_five(), View(width=width))).splitlines()
    assert max(cells(line) for line in lines) <= width
    assert len(lines) > 500


def test_differences_are_marked_by_a_sign() -> None:
    text = plain(compare_text(all_five(), View(width=120)))
    soft = next(line for line in text.splitlines() if "on soft 17" in line)
    assert soft.startswith("≠")
    assert "stands" in soft
    assert "draws" in soft
    hard = next(line for line in text.splitlines() if "on hard 17" in line)
    assert hard.startswith("=")
    assert "all: stands" in hard


def test_text_of_one_topic(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *with_boxes(), "--topic", "hole card"]) == 0
    assert (
        capsys.readouterr().out
        == """\
DEAL AND DEALER
                                   act-blackjack    act-pontoon      nsw-star-        nz-pontoon       sa-adelaide-
                                                                     pontoon                           pontoon
= Dealer's second card: drawn      all: not allowed
      before the players have
      finished
    clauses                        12.1             13.1(a)          15.1             8.5              52

1 topic in 5 rulebooks: 0 differ, 1 say the same, 0 cannot be told by the rules.
≠ the texts differ; = they say the same; ? the rules cannot tell.
– the text has nothing on it; open: the text leaves it open, and why stands below.
cannot arise: the text forbids a play on the way there; undecided: it could not be asked.
§ the clause that speaks of it, by its title in our own words; ° the same, where no log can show it.
"""
    )


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            [
                "compare",
                "act-pontoon",
                "act-blackjack",
                "--topic",
                "dealer_draw_rule",
                "--format",
                "json",
            ]
        )
        == 0
    )
    report = json.loads(capsys.readouterr().out)
    assert report["command"] == "compare"
    assert [i["kind"] for i in report["inputs"]] == ["rules", "rules"]
    (topic,) = report["summary"]["topics"]
    assert topic["differs"] is True
    rows = {row["label"]: row for row in topic["rows"]}
    assert rows["on soft 17"]["differs"] is True
    assert rows["on soft 17"]["cells"]["act-blackjack"] == {
        "standing": "said",
        "value": "stands",
        "clauses": ["12.1"],
    }
    assert rows["on soft 17"]["cells"]["act-pontoon"]["value"] == "draws"


def test_only_differences(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["compare", "act-pontoon", "act-blackjack", "--differences", "--format", "json"]) == 0
    )
    summary = json.loads(capsys.readouterr().out)["summary"]
    rows = [r for t in summary["topics"] for r in t["rows"]]
    assert rows
    assert all(row["differs"] for row in rows)
    assert summary["shown"] == summary["differ"] == len(summary["topics"]) < summary["asked"]
    assert summary["asked"] == summary["differ"] + summary["same"] + summary["cannot_tell"]


@pytest.mark.parametrize("format_", ["text", "markdown", "html"])
def test_how_many_of_how_many_differ(format_: str, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["compare", "act-pontoon", "act-blackjack", "--topic", "split"]
    assert main([*call, "--format", "json"]) == 0
    counted = json.loads(capsys.readouterr().out)["summary"]
    assert main([*call, "--differences", "--format", format_]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert f"{counted['differ']} of {counted['asked']} topics differ in 2 rulebooks" in told
    assert main([*call, "--format", format_]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert f"{counted['asked']} topics in 2 rulebooks: {counted['differ']} differ" in told


# --- what cannot be asked of a text


def answer(rules: Rulebook, topic: str, row: str) -> Cell:
    (compared,) = compare([("x", rules)], wanted_topics(topic)).compared[:1]
    (line,) = [x for x in compared.lines if x.label == row]
    return line.cells[0]


HOLD = (
    "dealer must not draw when (not dealer.soft and dealer.total in 17 to 21)",
    "dealer must not draw when (not dealer.soft and dealer.total in 18 to 21)",
)


def test_a_gap_is_open_and_not_silent(tmp_path: Path) -> None:
    found = answer(changed(tmp_path, "act-pontoon", HOLD), "dealer_draw_rule", "on hard 17")
    assert found.standing == "open"
    assert found.clauses == ("13.1(a)",)
    assert "no clause" in (found.note or "")


def test_a_clash_is_open_and_no_ban(tmp_path: Path) -> None:
    both = ("not dealer.soft and dealer.total <= 16", "not dealer.soft and dealer.total <= 17")
    found = answer(changed(tmp_path, "act-pontoon", both), "dealer_draw_rule", "on hard 17")
    assert found.standing == "open"
    assert "several things" in (found.note or "")


def test_cards_that_count_otherwise_leave_a_question_undecided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = ("cards J, Q, K count 10", "cards J, Q count 10\n  cards K count 9")
    rules = changed(tmp_path, "act-pontoon", other)
    found = answer(rules, "dealer_draw_rule", "on hard 17")
    assert found.standing == "undecided"
    assert found.note == "K 7 is taken to be 17, and it is 16"
    assert found.clauses == tuple(
        dict.fromkeys(
            rule.clause
            for rank in "K7"
            for rule in rules.rules
            if rule.question == f"card value {rank}"
        )
    )
    assert answer(rules, "pip_and_picture_values", "a king counts").value == "9"
    path = str(tmp_path / "act-pontoon.rules")
    assert main(["compare", path, "--topic", "dealer_draw_rule"]) == 3
    told = " ".join(capsys.readouterr().out.split())
    assert "undecided in act-pontoon (on hard 17): because K 7 is taken to be 17" in told
    assert main(["compare", path, "--topic", "dealer_draw_rule", "--format", "json"]) == 3
    assert json.loads(capsys.readouterr().out)["summary"]["undecided"] > 0


def test_a_round_that_the_text_forbids_cannot_arise(tmp_path: Path) -> None:
    rules = changed(
        tmp_path,
        "act-pontoon",
        (
            'clause 12.7 "',
            'clause 12.77 "No doubling" about doubling { may not double }\n  clause 12.7 "',
        ),
    )
    found = answer(rules, "double_payout", "21 with three cards")
    assert (found.value, found.clauses) == ("cannot arise", ("12.77",))
    found = answer(rules, "forfeit_after_double", "on 18")
    assert found.value == "cannot arise"


def test_a_play_that_is_left_open_leaves_the_question_open(tmp_path: Path) -> None:
    rules = changed(
        tmp_path,
        "act-pontoon",
        (
            'clause 12.7 "',
            'clause 12.77 "Perhaps" about doubling { may not double undecided '
            'because "nobody knows" }\n  clause 12.7 "',
        ),
    )
    found = answer(rules, "double_payout", "21 with three cards")
    assert found.standing == "open"
    assert "nobody knows" in (found.note or "")


def test_a_requirement_under_an_option_is_said_with_it(tmp_path: Path) -> None:
    rules = changed(
        tmp_path,
        "act-pontoon",
        (
            "at deal require deal.call_made when deal.initial",
            "at deal require deal.call_made when option tournament and deal.initial",
        ),
    )
    found = answer(rules, "initial_deal_order", "a call that closes the betting")
    assert found.value == "required with tournament"


def test_a_bound_that_hangs_on_more_is_open(tmp_path: Path) -> None:
    rules = changed(
        tmp_path,
        "act-pontoon",
        (
            "at round require round.decks in 3 to 8",
            "at round require round.decks in 3 to 8 or limit.min > $5",
        ),
    )
    found = answer(rules, "decks_count", "decks")
    assert found.standing == "open"
    assert found.clauses


def test_nothing_of_the_shipped_texts_is_undecided() -> None:
    assert all_five().undecided == 0


def test_markdown_is_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *with_boxes(), "--format", "markdown"]) == 0
    rows = [x for x in capsys.readouterr().out.splitlines() if x.startswith("|")]
    assert len(rows) > 300
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {8}


class Balanced(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        assert not {name for name, _ in attrs} & {"src", "href", "onclick", "onload"}
        if tag not in ("meta", "input", "col"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_one_page_that_needs_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--format", "html"]) == 0
    page = capsys.readouterr().out
    parser = Balanced()
    parser.feed(page)
    assert parser.open == []
    assert not parser.seen & {"script", "link", "img", "iframe"}
    assert "http" not in page
    assert page.count('class="differs"') > 100


def test_titles_of_a_rulebook_are_no_markup(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odd.rules"
    path.write_text(
        'rulebook odd { title "<b>|x" game pontoon in force from 2030-01-01 }\n'
        'clause 1 "Cut depth <script>|" about cut { not checkable because "seen" }\n',
        encoding="utf-8",
    )
    for kind in ("html", "markdown"):
        assert main(["compare", str(path), "--topic", "cut_card", "--format", kind]) == 0
        out = capsys.readouterr().out
        assert "<script>" not in out.replace("\\<script\\>", "")
        assert "<b>" not in out.replace("\\<b\\>", "")


def test_the_same_bytes_each_time(capsys: pytest.CaptureFixture[str]) -> None:
    main(["compare", "--format", "json", "--topic", "bonus"])
    first = capsys.readouterr().out
    main(["compare", "--format", "json", "--topic", "bonus"])
    assert capsys.readouterr().out == first


def test_wrong_calls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--topic", "spliting"]) == 2
    assert "no topic is called `spliting`" in capsys.readouterr().err
    assert main(["compare", "nowhere-pontoon"]) == 2
    capsys.readouterr()
    bad = tmp_path / "bad.rules"
    bad.write_text("rulebook x {", encoding="utf-8")
    for kind in ("text", "json", "html"):
        assert main(["compare", "act-pontoon", str(bad), "--format", kind]) == 2
        assert "Traceback" not in capsys.readouterr().out


def test_topic_words() -> None:
    assert {t.group for t in wanted_topics("splitting")} >= {"Splitting"}
    assert [t.id for t in wanted_topics("Super Sevens")] == ["super_sevens"]
    assert len(wanted_topics(None)) == len(topics()) >= 112
    assert wanted_topics("no such word") == []


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        (
            "dealer.soft and dealer.total in 18 to 21",
            "dealer.soft and dealer.total in 17 to 21",
            "open",
        ),
        (
            "and dealer.soft and dealer.total <= 17",
            "and dealer.soft and dealer.total <= 16",
            "open",
        ),
    ],
)
def test_a_clash_or_a_gap_in_the_draw_is_neither_drawing_nor_standing(
    tmp_path: Path, old: str, new: str, shown: str
) -> None:
    text = changed(tmp_path, "act-pontoon", (old, new))
    both = [("changed", text), ("act-pontoon", book("act-pontoon"))]
    matrix = compare(both, wanted_topics("dealer_draw_rule"))
    assert cell(matrix, "dealer_draw_rule", "on soft 17", 0) == shown
    assert cell(matrix, "dealer_draw_rule", "on soft 17", 1) == "draws"
