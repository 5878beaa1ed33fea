"""What tells one set of states from another, and acceptances that go by it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from checker.check import check
from checker.cli import main
from checker.prove import witnessed as prove_report
from checker.prove.prove import Prover
from checker.states.marks import PRIME
from checker.states.witness import Replayer
from rulespec.base.diagnostics import Diagnostic
from tests.prove.test_planted_flaws import SOUND
from tests.support import rulebook

TODAY = date(2030, 6, 1)
# a hand of five cards that ties at 18 or more is paid, although level hands stand off
FLAWED = SOUND.replace(
    "clause 4.1",
    'clause 3.6 "Five cards" {\n'
    "  main wins when hand.cards >= 5 and hand.total in 18 to 21 "
    "and hand.total = dealer.total\n}\nclause 4.1",
)


def open_in(folder: Path, text: str) -> list[Diagnostic]:
    path = folder / "corner.rules"
    path.write_text(text, encoding="utf-8")
    found = check([str(path)], TODAY).findings
    return [d for d in found if isinstance(d, Diagnostic) and d.severity != "note"]


def accepted(folder: Path, text: str = FLAWED) -> str:
    """The text with the words that `check` gives for its flaws."""
    lines = []
    for found in open_in(folder, text):
        assert found.help is not None
        words = re.search(r"`(accept .*) because", found.help)
        assert words is not None
        lines.append(f'{words[1]} because "printed so"\n')
    return text + "".join(lines)


def test_the_flaw_is_accepted_by_its_states(tmp_path: Path) -> None:
    (found,) = open_in(tmp_path, FLAWED)
    assert (found.code, found.clause) == ("R310", "3.6")
    assert re.fullmatch(r"[\d,]+ states [0-9a-f]{8}", found.about[0])
    assert open_in(tmp_path, accepted(tmp_path)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # laid out anew, renamed
        ("  main wins when hand.cards >= 5 and", "\n\n\n  main wins when hand.cards >= 5\n  and"),
        ('"Five cards"', '"Five or more"'),
        # what has nothing to do with these states
        ("insurance pays 2 to 1", "insurance pays 3 to 1"),
        ("    otherwise -> 1 to 1", "    otherwise -> 6 to 5"),
        ("clause 5.2", 'clause 5.9 "Cut" { casino must shuffle when shoe.new }\nclause 5.2'),
        ("clause 5.2", 'clause 5.9 "High" { may not double when hand.total > 18 }\nclause 5.2'),
    ],
)
def test_the_mark_stays_when_other_things_change(tmp_path: Path, old: str, new: str) -> None:
    text = accepted(tmp_path)
    assert text.count(old) == 1
    found = open_in(tmp_path, text.replace(old, new))
    assert [d.code for d in found if d.code in ("R310", "R215", "R230")] == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("hand.cards >= 5 and", "hand.cards >= 4 and"),
        ("hand.cards >= 5 and", "hand.cards >= 6 and"),
        ("in 18 to 21", "in 17 to 21"),
        ("in 18 to 21", "in 19 to 21"),
        ("in 18 to 21", "in (18, 20, 21)"),
        ("hand.cards >= 5 and", "hand.cards >= 5 and not hand.soft and"),
        ("main stands off when", "main stands off when not option tournament and"),
        ("main wins when hand.cards >= 5", "main loses when hand.cards >= 5"),
        ("may draw when hand.total < 21", "may draw when hand.total < 17"),
    ],
)
def test_states_that_come_or_go_are_found(tmp_path: Path, old: str, new: str) -> None:
    text = accepted(tmp_path)
    assert text.count(old) == 1
    assert {"R310", "R215"} <= {d.code for d in open_in(tmp_path, text.replace(old, new))}


def test_a_new_pair_of_clauses_is_found_beside_the_accepted_one(tmp_path: Path) -> None:
    text = accepted(tmp_path).replace(" and hand.total = dealer.total\n}", "\n}")
    (found,) = open_in(tmp_path, text)
    assert found.code == "R310"
    assert {"3.6", "3.4"} <= {found.clause, *(r.clause for r in found.related)}


@pytest.mark.parametrize(
    ("old", "new", "is_new"),
    [
        ("in 18 to 21", "in 17 to 21", lambda cards, dealer: sum(cards) in (17, 7)),
        (
            "hand.cards >= 5 and",
            "(hand.cards >= 5 or dealer.first = A) and",
            lambda cards, dealer: dealer[0] == 1 and len(cards) < 5,
        ),
    ],
)
def test_where_there_is_more_a_new_hand_is_shown(
    tmp_path: Path, old: str, new: str, is_new: Callable[[list[int], list[int]], bool]
) -> None:
    text = accepted(tmp_path)
    (before,) = re.findall(r'"([^"]* states [0-9a-f]{8})"', text)
    found = open_in(tmp_path, text.replace(old, new))
    (grown,) = [d for d in found if d.code == "R310"]
    assert grown.witness is not None
    assert grown.witness["accepted"] == before
    assert is_new(_points(grown.witness["cards"]), _points(grown.witness["dealer"]))
    assert grown.help is not None
    assert "the hand shown is new" in grown.help
    (stale,) = [d for d in found if d.code == "R215"]
    assert stale.message.endswith(f"for `{before}`, but for `{grown.about[0]}`")
    assert stale.help is not None
    assert stale.help.startswith(f"new is {grown.witness['hand']}")


def _points(cards: list[str]) -> list[int]:
    return ["A23456789T".find(card[0]) + 1 or 10 for card in cards]


def test_where_it_cannot_be_told_what_is_new_nothing_is_called_so(tmp_path: Path) -> None:
    text = accepted(tmp_path).replace("in 18 to 21", "in (17, 19, 21)")
    found = open_in(tmp_path, text)
    assert not any(d.witness and "accepted" in d.witness for d in found)
    (stale,) = [d for d in found if d.code == "R215"]
    assert stale.help is not None
    assert stale.help.startswith("found is ")


def test_marks_add_up(tmp_path: Path) -> None:
    prover = Prover(rulebook(tmp_path, FLAWED.partition("\n")[2]))
    space = prover.space("main")
    d, marks = space.d, space.marks
    answers = space.answers("main.result")
    sets = [answers.value(v) for v in ("wins", "loses", "stands off")]
    for one in sets:
        for other in sets:
            both, rest = d.both(one, other), d.without(other, one)
            assert marks.count(d.either(one, other)) == marks.count(one) + marks.count(rest)
            assert marks.mark(other) == (marks.mark(both) + marks.mark(rest)) % PRIME
    assert marks.count(d.all) == sum(
        1
        for row in prover._players("main")
        for dealer in prover.dealers("main")
        if row.line is not None and (not row.line.firsts or dealer[0][0] in row.line.firsts)
    )


# --- without a round that shows it


def test_a_flaw_that_cannot_be_dealt_is_a_finding_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    gap = SOUND.replace("dealer.total > 21 and hand.total", "dealer.total > 22 and hand.total")
    for text, code in ((FLAWED, "R310"), (gap, "R312")):
        (shown,) = [d for d in open_in(tmp_path, text) if d.code == code]
        with monkeypatch.context() as patch:
            patch.setattr(Replayer, "dealt", lambda self, play, options: None)
            patch.setenv("XDG_CACHE_HOME", str(tmp_path / code))
            report = check([str(tmp_path / "corner.rules")], TODAY)
        (one,) = [d for d in report.findings if d.code == code]
        assert one.clause == shown.clause or code == "R312"
        assert one.clause is not None
        assert one.witness is None
        assert one.message.endswith("found over all hands, but no round was found that shows it")
        assert one.about[-1] == shown.about[-1]
        assert report.exit_status == 1


def test_what_no_dealt_round_bears_out_is_undecided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    path = tmp_path / "corner.rules"
    path.write_text(FLAWED, encoding="utf-8")
    monkeypatch.setattr(prove_report.Found, "_confirms", lambda *_: False)
    report = check([str(path)], TODAY)
    assert [d.code for d in report.findings if d.severity != "note"] == []
    assert report.exit_status == 3
    (told,) = report.summary["undecided"]
    assert "`3.6`" in told
    assert main(["check", str(path)]) == 3
    printed = capsys.readouterr().out
    assert "No open findings" not in printed
    assert "1 question of the proofs is not decided." in printed
