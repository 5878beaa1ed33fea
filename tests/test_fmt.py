"""The canonical layout: stable, true to the tree and to every comment, and never a loss."""

import io
import json
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from checker.cli import main
from rulespec import printer
from rulespec.comments import Scanned, behind, scan
from rulespec.parse import parse
from rulespec.printer import FormatError, Printer, format_text, statements
from rulespec.resources import folder

RULEBOOKS = sorted(folder("jurisdictions").rglob("*.rules"))
PAGES = sorted(folder("diagnostics").glob("R*.md"))
HOLD_ON = frozenset({"COMMA", "COLON", "LBRACE"})


def laid_out(text: str) -> str:
    """Format a text and check all that has to hold for every text."""
    new, wrong = format_text(text, "test.rules")
    assert wrong == []
    assert new is not None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    before, after = scan(text), scan(new)
    assert parse(new, "")[0] == parse(text, "")[0]
    assert after.words == before.words
    assert placed(after) == placed(behind(before, HOLD_ON))
    assert format_text(new) == (new, []), "not stable"
    lines = new.split("\n")
    assert lines.pop() == ""
    assert all(line == line.rstrip() and "\t" not in re.sub(r'"[^"]*"|#.*', "", line)
               for line in lines)  # fmt: skip
    assert "\n\n\n" not in new
    assert not new.startswith("\n")
    assert not re.search(r"\{\n\n|\n\n *\}", re.sub(r"#.*", "", new))
    return new


def placed(scanned: Scanned) -> list[list[tuple[str, bool]]]:
    """The comments of each gap between words, and whether they have a line of their own."""
    return [[(c.text, c.own_line) for c in gap.comments] for gap in scanned.gaps]


def too_long(text: str) -> list[str]:
    """Lines that are too long although they could be broken."""
    found = []
    for line in text.split("\n"):
        words = re.sub(r'"[^"]*"', '""', re.sub(r"\s*#.*", "", line)).strip()
        if len(line) > 100 and re.search(r"\S (when|because|and|or|about) |, \S", words):
            found.append(line)
    return found


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
        ('clause 1 "x" { cites 22 #2 is no part of it\n}',
         'clause 1 "x" {\n  cites 22  #2 is no part of it\n}\n'),
        ('clause 1 "x" { main wins when (a # c\n) }',
         'clause 1 "x" {\n  main wins when (a  # c\n      )\n}\n'),
    ],
)  # fmt: skip
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


# --- random texts


class Author(random.Random):
    """Writes rule files that can be parsed, as lists of words."""

    def some(self, make: Callable[[], list[str]], most: int, joint: str = "") -> list[str]:
        words = make()
        for _ in range(self.randrange(most)):
            words += ([joint] if joint else []) + make()
        return words

    def string(self) -> list[str]:
        length = self.choice((1, 2, 5, 14))
        said = ("21", "the", "Dealer's", "# no comment", "{", "pays $1,000")
        words = self.choices(said, k=length)
        return [f'"{" ".join(words)}"']

    def clause_id(self) -> list[str]:
        return [self.choice(("14.1(d)", "62", "22#2", "A:Box", '"A:Double/double down"', "13.1.4"))]

    def name(self) -> list[str]:
        return [self.choice(("double", "suited", "hand_is_short", "T", "a_long_defined_term"))]

    def number(self) -> list[str]:
        return [self.choice(("1", "11", "007", "21"))]

    def fact(self) -> list[str]:
        return [self.choice(("hand.total", "dealer.first", "wager.stands_for_original", "x.y"))]

    def sum(self, depth: int = 2) -> list[str]:
        kinds = [self.fact, self.name, self.number, lambda: ["$25"], lambda: ["$1000.5"],
                 lambda: ["6-7-8"], lambda: ["$1,000,000"]]  # fmt: skip
        if depth:
            kinds.append(lambda: [*self.sum(0), self.choice("+-*/"), *self.sum(depth - 1)])
        return self.choice(kinds)()

    def condition(self, depth: int = 4) -> list[str]:
        leaf = depth == 0 or self.random() < 0.25
        if leaf:
            return self.choice((
                lambda: self.fact(),
                lambda: [*self.sum(), self.choice(("=", "!=", "<", "<=", ">", ">=")), *self.sum()],
                lambda: [*self.fact(), "in", "(", *self.some(self.listed, 12, ","), ")"],
                lambda: [*self.fact(), "in", *self.number(), "to", *self.number()],
                lambda: [self.choice(("option", "approved", "recorded")), *self.name()],
            ))()  # fmt: skip
        inner = lambda: self.condition(depth - 1)  # noqa: E731
        return self.choice((
            lambda: self.some(inner, 4, "and"),
            lambda: self.some(inner, 4, "or"),
            lambda: ["not", *inner()],
            lambda: ["(", *inner(), ")"],
        ))()  # fmt: skip

    def listed(self) -> list[str]:
        return self.choice((self.name, self.number, lambda: ["$2500"]))()

    def when(self) -> list[str]:
        return ["when", *self.condition()] if self.random() < 0.7 else []

    def bet(self) -> str:
        return self.choice(("main", "insurance", "perfect_pairs", "super_sevens", "super_bonus"))

    def payout(self) -> list[str]:
        return self.choice((["3", "to", "2"], ["$5000"], ["50", "to", "1"]))

    def reference(self) -> list[str]:
        words = self.clause_id()
        words += ["to", *self.clause_id()] if self.random() < 0.2 else []
        words += ["as", "payout"] if self.random() < 0.3 else []
        return words + (["read", "as", *self.clause_id()] if self.random() < 0.3 else [])

    def rows(self) -> list[str]:
        words = self.some(lambda: [*self.condition(2), "->", *self.payout()], 5)
        return ["{", *words, *self.choice(([], ["otherwise", "->", "1", "to", "1"])), "}"]

    def statement(self) -> list[str]:
        bet, text, when = self.bet(), self.string, self.when
        references = lambda: self.some(self.reference, 9, ",")  # noqa: E731
        names = lambda: self.some(self.name, 5, ",")  # noqa: E731
        interim = self.choice(([], ["interim"]))
        return self.choice((
            lambda: ["not", "checkable", "because", *text()],
            lambda: ["introduces", "its", "parts"],
            lambda: [self.choice(("uses", "defines")), *self.some(text, 9, ",")],
            lambda: ["cites", *references()],
            lambda: ["cites", "outside", *text()],
            lambda: ["subject", "to", *references()],
            lambda: ["despite", *references()],
            lambda: ["applies", "when", *self.condition()],
            lambda: ["does", "not", "apply", "when", *self.condition()],
            lambda: ["define", *self.choice((self.fact, self.name))(), "as", *self.condition()],
            lambda: ["define", *self.name(), "as", "false", *when()],
            lambda: ["cards", "2", "to", "9", ",", "T", "count", "face", *when()],
            lambda: ["cards", "A", "count", "1", "or", "11", *when()],
            lambda: [*interim, bet, *self.choice((["wins"], ["loses", "half"], ["is", "void"])),
                     *when()],
            lambda: [*interim, bet, "is", "undecided", "because", *text(), *when()],
            lambda: [bet, "pays", *self.payout(), *when()],
            lambda: [bet, "pays", *when(), *self.rows()],
            lambda: [bet, "pays", "only", "the", "highest", *when()],
            lambda: [bet, "counts", "up", "to", *self.sum(), *when()],
            lambda: [bet, "settles", "at", "the", "end", *when()],
            lambda: ["payments", "round", "up", "to", *self.sum(), *when()],
            lambda: [*self.choice(([], ["dealer"], ["casino"])), self.choice(("may", "must")),
                     *self.choice(([], ["not"])), *names(), *when()],
            lambda: ["may", *names(), "undecided", "because", *text(), *when()],
            lambda: ["at", *self.name(), "require", *self.condition(), *when()],
        ))()  # fmt: skip

    def about(self) -> list[str]:
        return ["about", *self.some(self.name, 3, ",")] if self.random() < 0.3 else []

    def clause(self) -> list[str]:
        inside = self.some(self.statement, 4) if self.random() < 0.9 else []
        # after a date the grammar takes `casino` for the property of a rulebook
        dated = self.random() < 0.2 and inside[:1] != ["casino"]
        force = ["in", "force", "from", "2024-08-19"] if dated else []
        return ["clause", *self.clause_id(), *self.string(), *self.about(), "{", *force, *inside,
                "}"]  # fmt: skip

    def section(self) -> list[str]:
        rules = ["despite", "12"] if self.random() < 0.3 else []
        clauses = self.some(self.clause, 3)
        return ["section", *self.clause_id(), *self.string(), *self.about(), "{", *rules, *clauses,
                "}"]  # fmt: skip

    def reading(self) -> list[str]:
        # a line that begins with a number stands first: after `pays 50 to 1` the grammar takes it
        # for the row of a table
        prevails = lambda: [  # noqa: E731
            *self.clause_id(), "prevails", "over", *self.some(self.clause_id, 4, ",")
        ]  # fmt: skip
        under = lambda: ["under", *self.clause_id(), ":", *self.statement()]  # noqa: E731
        return ["reading", "a-b", *self.choice(([], ["inactive"])), "{", "because", *self.string(),
                *self.some(prevails, 3), *self.some(under, 3), "}"]  # fmt: skip

    def accept(self) -> list[str]:
        at = ["at", *self.some(self.clause_id, 9, ",")] if self.random() < 0.5 else []
        return ["accept", "R201", *at, "because", *self.string(),
                *self.choice(([], ["until", "2030-01-01"]))]  # fmt: skip

    def header(self) -> list[str]:
        return ["rulebook", "a-b", "{", "title", *self.string(), "game", "pontoon", "undated",
                "because", *self.string(), "}"]  # fmt: skip

    def document(self) -> list[str]:
        item = lambda: self.choice((  # noqa: E731
            self.section, self.clause, self.reading, self.accept, lambda: ["include", '"x.rules"'],
        ))()  # fmt: skip
        return [*self.header(), *self.some(item, 6)]

    # --- white space and comments

    def scattered(self, words: list[str]) -> tuple[str, list[str]]:
        """The words with odd white space, and comments at any place between them."""
        comments: list[str] = []
        often = self.choice((0.0, 0.05, 0.5))
        text = self.gap(comments, often, "")
        for before, after in zip(words, [*words[1:], ""], strict=True):
            text += before
            tight = before[-1] in '{},("' or (after and after[0] in '{},)"')
            if before[-1] == "," or after == ",":
                tight = not re.match(r"\$", before)  # `$1,000,` would be another amount
            space = "" if tight and self.random() < 0.3 else self.choice((" ", " ", "\n", "\t  "))
            text += space + self.gap(comments, often, space)
        return text, comments

    def gap(self, comments: list[str], often: float, space: str) -> str:
        text = ""
        while self.random() < often:
            comments.append(
                self.choice(("#", "# ")) + f"{len(comments)}" + self.choice((" why", "{", '"', "#"))
            )
            text += self.choice((" ", "\n", "\n\n\n  ")) + comments[-1]
            text += self.choice(("\n", "  \n", "\n\n"))
        return text + self.choice(("", "", "\n", "\n\n  \n"))


def repaired(words: list[str]) -> list[str]:
    """Amounts before a comma without commas of their own, which the grammar cannot tell apart."""
    following = [*words[1:], ""]
    return [w.replace(",", "") if w.startswith("$") and after == "," else w
            for w, after in zip(words, following, strict=True)]  # fmt: skip


@pytest.mark.parametrize("seed", range(80))
def test_random_texts(seed: int) -> None:
    author = Author(seed)
    words = repaired(author.document())
    text, comments = author.scattered(words)
    plain, wrong = parse(" ".join(words), "")
    assert wrong == []
    new = laid_out(text)
    assert parse(new, "")[0] == plain
    assert list(scan(new).comments) == comments
    if not comments:
        assert too_long(new) == []
        assert laid_out("\n".join(words)) == re.sub(r"\n\n(?= )", "\n", laid_out(" ".join(words)))


def test_the_random_texts_are_not_trivial() -> None:
    texts = [Author(seed).scattered(Author(seed).document())[0] for seed in range(40)]
    assert sum(text.count("#") for text in texts) > 1_000
    written = (" ".join(repaired(Author(seed).document())) for seed in range(40))
    kinds = {word.kind for text in written for word in scan(text).words}
    assert {"PAYMENTS", "OTHERWISE", "UNDECIDED", "PREVAILS", "UNTIL", "REQUIRE"} <= kinds


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
    damage: Callable[[str], str], complaint: str, monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
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
    monkeypatch.setattr("rulespec.find.folder", lambda name: home)
    monkeypatch.setattr("rulespec.resources.folder", lambda name: home)
    for names in (["one"], []):
        assert main(["fmt", *names]) == 2
        assert "not rewritten" in capsys.readouterr().err
        assert main(["fmt", "--check", *names]) == 1
    assert (home / "one.rules").read_text() == MESSY


def test_nothing_matched(tmp_path: Path) -> None:
    assert main(["fmt", "no-such-rulebook"]) == 2
    assert main(["fmt", str(tmp_path)]) == 2
    assert main(["fmt", str(tmp_path / "absent.rules")]) == 2
