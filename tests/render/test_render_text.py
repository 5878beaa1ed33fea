"""Reports for people: text, excerpts; and the document itself."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from checker.render import render
from checker.render.excerpt import Sources, excerpt
from checker.render.lines import View, line, painted, plain, wrapped
from checker.render.to_text import to_text
from checker.report import Report, exit_status, input_of, severity_counts
from rulespec import __version__
from rulespec.base.diagnostics import Related
from rulespec.base.spans import Span
from tests.render.render_support import finding, report


def text(one: Report, **view: Any) -> str:
    return plain(to_text(one, View(**view)))


# --- the document itself


def test_exit_status() -> None:
    note, warning, unusable = finding("R209"), finding("R201"), finding("R101")
    assert exit_status([]) == 0
    assert exit_status([note]) == 0
    assert exit_status([note, warning]) == 1
    assert exit_status([finding("R212")]) == 1
    assert exit_status([warning, unusable]) == 2
    assert exit_status([], undecided=1) == 3
    assert exit_status([note], undecided=1) == 3
    assert exit_status([warning], undecided=1) == 1
    assert exit_status([], matched=False) == 2
    assert exit_status([warning], matched=False, undecided=4) == 2


def test_accepted_findings_do_not_count() -> None:
    assert report(accepted=(finding(accepted="known"),)).exit_status == 0


def test_severity_counts_name_every_severity() -> None:
    assert severity_counts([finding()]) == {"errors": 0, "warnings": 1, "notes": 0}


def test_the_hash_is_of_the_raw_bytes(tmp_path: Path) -> None:
    raw = b"\xef\xbb\xbfa\r\n"
    (tmp_path / "crlf.rules").write_bytes(raw)
    known = hashlib.sha256(raw).hexdigest()
    assert input_of(tmp_path / "crlf.rules", "rules").sha256 == known
    assert input_of(Path("-"), "rules", raw).sha256 == known
    assert input_of(tmp_path / "gone.rules", "rules").sha256 is None


# --- json


def test_the_envelope() -> None:
    related = (Related("14.2", "payout table", Span("book.rules", 1, 1, 1, 9)),)
    one = report(
        finding(related=related, witness={"hand": "AS TS"}), accepted=(finding(accepted="known"),)
    )
    shown = json.loads(render(one, "json", View()))
    assert list(shown) == ["schema", "command", "tool", "inputs", "findings", "accepted", "summary"]
    assert shown["schema"] == "rulespec-report/1"
    assert shown["command"] == "check"
    assert shown["tool"] == {"name": "rulespec", "version": __version__}
    (entry,) = shown["inputs"]
    assert set(entry) == {"path", "sha256", "kind"}
    assert (entry["path"], entry["kind"]) == ("book.rules", "rules")
    (told,) = shown["findings"]
    assert (told["code"], told["slug"], told["severity"]) == (
        "R201",
        "dangling-reference",
        "warning",
    )
    assert told["span"]["start"] == {"line": 3, "column": 9}
    assert told["span"]["end"] == {"line": 3, "column": 13}
    assert told["witness"] == {"hand": "AS TS"}
    assert told["related"][0]["role"] == "payout table"
    assert re.fullmatch(r"[0-9a-f]{16}", told["fingerprint"])
    assert "accepted" not in told
    assert shown["accepted"][0]["accepted"] == "known"


# --- text


def test_a_finding_in_text() -> None:
    assert text(report(finding()), quiet=True) == (
        "warning R201 in act-pontoon clause 12.7: "
        "`12.7` cites `14.4`, but no clause or section is numbered `14.4`\n"
        "  at book.rules:3:9\n"
        "  3 |   cites 14.4 as payout\n"
        "    |         ^^^^\n"
        "  help: read as `14.2`\n"
        "\n"
    )


def test_what_looks_like_markup_is_printed() -> None:
    tricky = finding(message="[clause 5.1] and [bold]x[/bold] and :smile: and \\[b]")
    assert "[clause 5.1] and [bold]x[/bold] and :smile: and \\[b]" in text(report(tricky))
    assert "[clause 5.1] and [bold]x[/bold] and :smile: and \\[b]" in without_colour(
        painted(to_text(report(tricky), View()))
    )


def without_colour(painted_text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", painted_text)


@pytest.mark.parametrize("width", [None, 40, 100, 160])
def test_colours_change_nothing_else(width: int | None) -> None:
    long = "a very long reason " * 20
    related = tuple(Related(f"5.{n}", f"role {n % 3}") for n in range(20))
    one = report(
        finding(),
        finding("R101", message="[x]  two  spaces ", help=long, related=related, clause=None),
        finding("R209", span=None, rulebook=None),
        accepted=(finding("R204", accepted=long),),
    )
    lines = to_text(one, View(width=width, full=True))
    coloured = painted(lines)
    assert "\x1b[" in coloured
    assert without_colour(coloured) == plain(lines)


def test_a_users_control_characters_do_not_reach_the_terminal() -> None:
    tricky = finding(message="a\x1b[2J\rb\x07\u202ec\x9b", help="x\ny")
    shown = text(report(tricky))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", shown)
    assert "help: x y\n" in shown


def test_related_clauses_are_cut_short() -> None:
    many = finding(related=tuple(Related(f"7.{n}", "cites 5.6, meant 6.6") for n in range(103)))
    shown = text(report(many))
    assert "  related: 7.0, 7.1, 7.2, 7.3, 7.4, 7.5, 7.6, 7.7 (cites 5.6, meant 6.6)" in shown
    assert "and 95 more (--full shows them)" in shown
    assert "7.8" not in shown
    full = text(report(many), full=True)
    assert "7.102" in full
    assert "more" not in full.splitlines()[-4]


def test_long_lines_are_wrapped_for_a_screen_only() -> None:
    wordy = finding(help="word " * 60)
    assert max(map(len, text(report(wordy), width=60).splitlines())) <= 60
    assert "word " * 59 in text(report(wordy))


def test_a_word_is_never_broken() -> None:
    parts = list(wrapped(line("short ", ("x" * 50, "strong"), " end"), 20))
    joined = plain(parts)
    assert "x" * 50 in joined
    assert "short" in joined
    assert joined.rstrip().endswith("end")


def test_the_summary_speaks_plainly() -> None:
    clean = text(report(accepted=(finding(accepted="known"),)))
    assert "1 rulebook with 1 clause checked." in clean
    assert "No open findings." in clean
    assert "1 known flaw of the text is accepted with a written reason" in clean
    flawed = text(report(finding(), finding("R209")))
    assert "1 open finding:\n  1 × R201  A clause cites a number that is not printed\n" in flawed
    assert "1 note: that is for information and no fault of the text (--full shows it)." in flawed
    broken = text(report(finding("R101"), finding("R102")))
    assert "1 rule file cannot be used until the 2 errors above are mended" in broken
    assert "No open findings" not in broken


def test_quiet_is_silent_about_a_clean_text() -> None:
    assert text(report(), quiet=True) == ""


def test_accepted_findings_are_shown_in_full_only() -> None:
    one = report(accepted=(finding(accepted="known to the regulator"),))
    assert "known to the regulator" not in text(one)
    assert "  because: known to the regulator\n" in text(one, full=True)


# --- excerpts


def drawn(data: str | bytes, span: Span, width: int | None = None) -> str:
    raw = data.encode() if isinstance(data, str) else data
    return plain(excerpt(span, Sources({"f": raw}), width))


def test_the_underline_is_under_the_place() -> None:
    shown = drawn("one\n\tTwo 日本 three\n", Span("f", 2, 9, 2, 14)).splitlines()
    assert shown[0] == "  2 |     Two 日本 three"
    # the tab takes four columns and each of the two signs two
    assert shown[1] == "    |              ^^^^^"
    assert shown[0].index("three") + 2 == shown[1].index("^")


def test_an_empty_span_still_shows_its_place() -> None:
    assert drawn("abc", Span("f", 1, 4, 1, 4)) == "  1 | abc\n    |    ^\n"
    assert drawn("abc\n", Span("f", 2, 1, 2, 2)) == "  2 |\n    | ^\n"


def test_a_span_over_lines_shows_its_ends() -> None:
    text = "clause 1 {\n  a\n  b\n}\n"
    assert drawn(text, Span("f", 1, 1, 4, 2)) == (
        "  1 | clause 1 {\n    | ^^^^^^^^^^\n    ...\n  4 | }\n    | ^\n"
    )
    assert "..." not in drawn(text, Span("f", 1, 1, 2, 4))


@pytest.mark.parametrize("start", [1, 60, 5_000, 9_990, 10_000])
def test_a_very_long_line_is_cut_around_the_place(start: int) -> None:
    long = "".join(chr(ord("a") + n % 26) for n in range(10_003))
    shown = drawn(long, Span("f", 1, start, 1, start + 4), 80).splitlines()
    assert max(map(len, shown)) <= 80
    begin = shown[1].index("^")
    assert shown[1].count("^") == 4
    assert shown[0][begin : begin + 4] == long[start - 1 : start + 3]


def test_a_long_span_fills_the_room_and_no_more() -> None:
    shown = drawn("x" * 10_000, Span("f", 1, 1, 1, 10_001), 80).splitlines()
    assert max(map(len, shown)) <= 80
    assert shown[1].count("^") > 60


def test_line_ends_are_counted_as_the_parser_does() -> None:
    text = "one\r\ntwo\rthree\x0bstill\u2028three\n"
    assert "two" in drawn(text, Span("f", 2, 1, 2, 4))
    assert "three" in drawn(text, Span("f", 3, 1, 3, 4))
    assert drawn(text, Span("f", 5, 1, 5, 4)) == ""


def test_no_excerpt_where_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\0\1\2")
    for file in ("gone", str(tmp_path), str(tmp_path / "binary"), "bad\0name", ""):
        assert plain(excerpt(Span(file, 1, 1, 1, 2), Sources())) == ""
    assert plain(excerpt(Span("book.rules", 99, 1, 99, 2), Sources())) == ""
    assert "\N{REPLACEMENT CHARACTER}" in drawn(b"caf\xe9", Span("f", 1, 4, 1, 5))
