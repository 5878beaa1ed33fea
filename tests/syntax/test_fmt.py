"""`rulespec fmt`: the layout, what it refuses, and the command."""

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from checker.cli import main
from rulespec.base.resources import folder
from rulespec.load import find
from rulespec.syntax import printer
from rulespec.syntax.parse import parse
from rulespec.syntax.printer import FormatError, Printer, format_text, statements
from tests.syntax.fmt_support import laid_out, too_long

RULEBOOKS = sorted(folder("jurisdictions").rglob("*.rules"))
PAGES = sorted(folder("diagnostics").glob("R[0-9]*.md"))


# --- real texts


def test_there_are_rulebooks_and_pages() -> None:
    assert len(RULEBOOKS) >= 5
    assert len(PAGES) >= 30


@pytest.mark.parametrize("path", RULEBOOKS, ids=lambda p: p.stem)
def test_shipped_rulebooks(path: Path) -> None:
    new = laid_out(path.read_text(encoding="utf-8"))
    assert too_long(new) == []
    document, _ = parse(new, "")
    assert document is not None
    lines = new.split("\n")
    begun = [n.span for n in statements(document)]
    assert len(begun) > 100
    assert len({s.start_line for s in begun}) == len(begun), "two statements on one line"
    for span in begun:
        assert lines[span.start_line - 1][: span.start_column - 1].strip() == ""


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.stem)
def test_examples_of_the_diagnostic_pages(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    for example in re.findall(r"^```rules\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        if parse(example, "")[0] is None:
            assert format_text(example) == (None, parse(example, "")[1])
        else:
            laid_out(example)


# --- the layout itself

MESSY = """\
# about this file
rulebook   sample{title "Sample" # called so
 casino "C"
 in force from 2020-01-01}
include "a.rules"
include "b.rules"
section 14 "Settlement" about settlement { applies when option perfect_pairs
# before the clause

clause 14.1(d) "Any 21 wins" { main wins when hand.total=21 }  # behind the clause
clause 14.2 "Odds" about payout,super_bonus # of the table
{ main pays when (hand.pontoon) {
hand.ranks = 6-7-8 and hand.suits = spades->3 to 1 # spades


# all else
otherwise -> 1 to 1 } super_bonus pays $1000 when wager.stake in ($1000 , $2500.5)
   # at the end of the clause
}
}
clause 15 "Long" { uses "First defined term", "Second defined term", "Third defined term",
"Fourth defined term", "Fifth" must draw when hand.hard_total < 12 and not hand.doubled and not
hand.split_aces and not hand.surrendered or player.absent and hand.total < 12 and not hand.doubled
at deal require deal.in_turn and deal.hands_in_turn when deal.initial and not deal.to_dealer and xyz

may split when hand.pair # the pair
and # why
# on its own
player.controls
cites 1 # one
, 2 }
reading a-b inactive{because "so it is" 14.1(d) prevails over 14.2,15
under 15 : main is undecided because "the text gives two answers and does not say which"
when xy and z
# end of the reading
}
accept R201 at 15 because "known"
accept R202 because "known too" until 2030-01-01 # until then


# the end
"""

NEAT = """\
# about this file
rulebook sample {
  title "Sample"  # called so
  casino "C"
  in force from 2020-01-01
}

include "a.rules"
include "b.rules"

section 14 "Settlement" about settlement {
  applies when option perfect_pairs
  # before the clause

  clause 14.1(d) "Any 21 wins" {
    main wins when hand.total = 21
  }  # behind the clause
  clause 14.2 "Odds" about payout, super_bonus {  # of the table
    main pays when (hand.pontoon) {
      hand.ranks = 6-7-8 and hand.suits = spades -> 3 to 1  # spades

      # all else
      otherwise                                  -> 1 to 1
    }
    super_bonus pays $1,000 when wager.stake in ($1000, $2,500.50)
    # at the end of the clause
  }
}

clause 15 "Long" {
  uses "First defined term", "Second defined term", "Third defined term", "Fourth defined term",
      "Fifth"
  must draw when hand.hard_total < 12 and not hand.doubled and not hand.split_aces
        and not hand.surrendered
      or player.absent and hand.total < 12 and not hand.doubled
  at deal require deal.in_turn and deal.hands_in_turn
      when deal.initial and not deal.to_dealer and xyz

  may split when hand.pair  # the pair
      and  # why
      # on its own
        player.controls
  cites 1,  # one
      2
}

reading a-b inactive {
  because "so it is"
  14.1(d) prevails over 14.2, 15
  under 15: main is undecided because "the text gives two answers and does not say which"
      when xy and z
  # end of the reading
}

accept R201 at 15 because "known"
accept R202 because "known too" until 2030-01-01  # until then

# the end
"""


def test_the_layout() -> None:
    assert laid_out(MESSY) == NEAT


def test_line_ends_become_plain() -> None:
    assert laid_out(MESSY.replace("\n", "\r\n")) == NEAT
    assert laid_out(NEAT.replace("\n", "\r")) == NEAT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("\n\n# only this\n\n\n# and that", "# only this\n\n# and that\n"),
        ('clause 1 "x" { }', 'clause 1 "x" {\n}\n'),
        ('clause 1 "x" { # a\n # b\n }', 'clause 1 "x" {  # a\n  # b\n}\n'),
        ('clause 1 "x"\n# a\n{ # b\n}', 'clause 1 "x" {\n  # a\n  # b\n}\n'),
        ('include "a" # 1\n# 2\ninclude "b"', 'include "a"  # 1\n# 2\ninclude "b"\n'),
        (
            'include "a"\n# 2\nclause 1 "x" {}\n# 3\n\nclause 2 "y" {}',
            'include "a"\n\n# 2\nclause 1 "x" {\n}\n# 3\n\nclause 2 "y" {\n}\n',
        ),
        (
            'clause 1 "x" { cites 22 #2 is no part of it\n}',
            'clause 1 "x" {\n  cites 22  #2 is no part of it\n}\n',
        ),
        (
            'clause 1 "x" { main wins when (a # c\n) }',
            'clause 1 "x" {\n  main wins when (a  # c\n      )\n}\n',
        ),
    ],
)
def test_small_texts(text: str, expected: str) -> None:
    assert laid_out(text) == expected


def test_brackets_are_kept_and_broken_last() -> None:
    inner = " or ".join(f"recorded something_that_went_wrong_{n}" for n in range(3))
    text = laid_out(f'clause 1 "x" {{ main is void when not hand.void and ({inner}) }}')
    assert text.split("\n")[1:-2] == [
        "  main is void when not hand.void",
        "      and (recorded something_that_went_wrong_0",
        "          or recorded something_that_went_wrong_1",
        "          or recorded something_that_went_wrong_2)",
    ]


def test_a_date_that_does_not_exist_is_left_for_the_check() -> None:
    assert "2024-02-30" in laid_out("rulebook a { in force from 2024-02-30 }")


# --- refusing


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda text: text.replace("wins", "loses"), "change the tree"),
        (lambda text: text.replace("# why", "# how"), "change the comments"),
        (lambda text: text.replace("# why\n", "\n"), "change the comments"),
        (lambda text: text.replace("6 to 4", "3 to 2"), "change a word"),
        (lambda text: text.replace("}", "", 1), "cannot be read"),
    ],
)
def test_a_changed_meaning_is_refused(
    damage: Callable[[str], str],
    complaint: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = 'clause 1 "x" { main wins # why\n main pays 6 to 4 }\n'
    honest = Printer.text
    monkeypatch.setattr(printer.Printer, "text", lambda self: damage(honest(self)))
    with pytest.raises(FormatError, match=complaint):
        format_text(text, "x.rules")
    path = tmp_path / "x.rules"
    path.write_text(text)
    assert main(["fmt", str(path)]) == 70
    assert path.read_text() == text
    assert complaint in capsys.readouterr().err


def test_deep_nesting_and_syntax_errors_are_diagnostics() -> None:
    deep = 'clause 1 "x" { main wins when ' + "(" * 2_000 + "a" + ")" * 2_000 + " }"
    text, wrong = format_text(deep)
    assert text is None
    assert [d.code for d in wrong] == ["R007"]
    text, wrong = format_text('clause 1 "x" { main win }')
    assert text is None
    assert [d.code for d in wrong] == ["R005"]


# --- the command


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "messy.rules").write_bytes(MESSY.replace("\n", "\r\n").encode())
    (tmp_path / "neat.rules").write_text(NEAT)
    return tmp_path


def test_files_are_rewritten(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fmt", str(files)]) == 0
    assert (files / "messy.rules").read_bytes() == NEAT.encode()
    out = capsys.readouterr().out
    assert "laid out anew: " in out
    assert "messy.rules" in out
    assert "neat.rules" not in out
    assert main(["fmt", "--check", str(files)]) == 0
    assert sorted(p.name for p in files.iterdir()) == ["messy.rules", "neat.rules"]


def test_check_writes_nothing(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (files / "messy.rules").read_bytes()
    assert main(["fmt", "--check", str(files)]) == 1
    assert (files / "messy.rules").read_bytes() == before
    out = capsys.readouterr().out
    assert "+  main wins when hand.total = 21" in out.replace("+    main", "+  main")
    assert main(["fmt", "--check", "--quiet", str(files)]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_check_in_json(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fmt", "--check", "--format", "json", str(files)]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["schema"] == "rulespec-report/1"
    assert report["command"] == "fmt"
    assert [f["slug"] for f in report["findings"]] == ["layout"]
    assert report["findings"][0]["span"]["start"] == {"line": 1, "column": 1}
    assert report["summary"]["files"] == 2
    assert report["summary"]["changed_files"] == [str(files / "messy.rules")]


def test_a_missing_line_end_and_a_byte_order_mark_show(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.rules"
    path.write_bytes(b'\xef\xbb\xbfinclude "a"')
    assert main(["fmt", "--check", str(path)]) == 1
    assert '-(byte order mark)include "a"  (no line end)\n' in capsys.readouterr().out
    assert main(["fmt", str(path)]) == 0
    assert path.read_bytes() == b'include "a"\n'


def test_a_broken_file_is_left_alone(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = files / "broken.rules"
    broken.write_text('clause 1 "x" { main win }')
    assert main(["fmt", str(files)]) == 2
    assert broken.read_text() == 'clause 1 "x" { main win }'
    assert (files / "messy.rules").read_text() == NEAT
    out = capsys.readouterr().out
    assert "R005" in out
    assert "^^^" in out


def test_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def given(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    given(MESSY)
    assert main(["fmt", "-"]) == 0
    assert capsys.readouterr().out == NEAT
    given(MESSY)
    assert main(["fmt", "--check", "-"]) == 1
    capsys.readouterr()
    given(MESSY)
    assert main(["fmt", "--format", "json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["text"] == NEAT
    given("clause {")
    assert main(["fmt", "-"]) == 2
    assert main(["fmt", "-", "act-pontoon"]) == 2


def test_installed_rulebooks_are_not_rewritten_by_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "_data" / "jurisdictions"
    home.mkdir(parents=True)
    (home / "one.rules").write_text(MESSY)
    monkeypatch.setattr(find, "folder", lambda name: home)
    monkeypatch.setattr("rulespec.base.resources.folder", lambda name: home)
    for names in (["one"], []):
        assert main(["fmt", *names]) == 2
        assert "not rewritten" in capsys.readouterr().err
        assert main(["fmt", "--check", *names]) == 1
    assert (home / "one.rules").read_text() == MESSY


def test_nothing_matched(tmp_path: Path) -> None:
    assert main(["fmt", "no-such-rulebook"]) == 2
    assert main(["fmt", str(tmp_path)]) == 2
    assert main(["fmt", str(tmp_path / "absent.rules")]) == 2
