"""One report in every format: nothing lost, nothing misplaced, nothing that breaks the format."""

import hashlib
import io
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest

from checker.render import render
from checker.render.excerpt import Sources, excerpt
from checker.render.lines import View, line, painted, plain, wrapped
from checker.render.to_text import to_text
from checker.report import Input, Report, exit_status, input_of, severity_counts
from rulespec import __version__
from rulespec.diagnostics import Diagnostic, Related
from rulespec.spans import Span

TEXT = 'rulebook x {}\nclause 12.7 "Doubled" {\n  cites 14.4 as payout\n}\n'


def finding(code: str = "R201", **more: Any) -> Diagnostic:
    settings: dict[str, Any] = {
        "message": "`12.7` cites `14.4`, but no clause or section is numbered `14.4`",
        "span": Span("book.rules", 3, 9, 3, 13),
        "rulebook": "act-pontoon",
        "clause": "12.7",
        "help": "read as `14.2`",
    }
    return Diagnostic(code, **{**settings, **more})


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "book.rules").write_text(TEXT)
    return tmp_path


def report(*findings: Diagnostic, accepted: tuple[Diagnostic, ...] = (), **more: Any) -> Report:
    inputs = [input_of(Path("book.rules"), "rules")]
    summary = {"rulebooks": 1, "checked": ["act-pontoon"], "clauses": 1}
    return Report("check", inputs, findings, accepted, summary, **more)


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
    assert list(shown) == [
        "schema", "command", "tool", "inputs", "findings", "accepted", "summary"
    ]  # fmt: skip
    assert shown["schema"] == "rulespec-report/1"
    assert shown["command"] == "check"
    assert shown["tool"] == {"name": "rulespec", "version": __version__}
    (entry,) = shown["inputs"]
    assert set(entry) == {"path", "sha256", "kind"}
    assert (entry["path"], entry["kind"]) == ("book.rules", "rules")
    (told,) = shown["findings"]
    assert (told["code"], told["slug"], told["severity"]) == (
        "R201", "dangling-reference", "warning"
    )  # fmt: skip
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
        "  1 | clause 1 {\n"
        "    | ^^^^^^^^^^\n"
        "    ...\n"
        "  4 | }\n"
        "    | ^\n"
    )  # fmt: skip
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


# --- github


def test_github_annotations() -> None:
    shown = render(report(finding()), "github", View())
    assert shown == (
        "::warning file=book.rules,line=3,col=9,endLine=3,endColumn=13,"
        "title=R201 dangling-reference in act-pontoon clause 12.7::"
        "`12.7` cites `14.4`, but no clause or section is numbered `14.4`"
        "%0Ahelp: read as `14.2`\n"
    )


def test_github_escaping() -> None:
    odd = finding(
        "R101",
        message="100% of a:b,c\r\n::error::x",
        clause="2.1:controlling player, second",
        span=Span("50%,a:b.rules", 1, 1, 1, 2),
        help=None,
    )
    (shown,) = render(report(odd), "github", View()).splitlines()
    assert shown == (
        "::error file=50%25%2Ca%3Ab.rules,line=1,col=1,endLine=1,endColumn=2,"
        "title=R101 unknown-fact in act-pontoon clause 2.1%3Acontrolling player%2C second::"
        "100%25 of a:b,c%0D%0A::error::x"
    )


def test_github_takes_columns_on_one_line_only() -> None:
    shown = render(report(finding("R209", span=Span("a", 1, 5, 3, 2))), "github", View())
    assert shown.startswith("::notice file=a,line=1,endLine=3,title=")
    nowhere = render(report(finding(span=None)), "github", View())
    assert nowhere.startswith("::warning title=")


def test_github_does_not_tell_of_what_is_accepted() -> None:
    assert render(report(accepted=(finding(accepted="known"),)), "github", View()) == ""


# --- junit


def junit(one: Report) -> ET.Element:
    return ET.fromstring(render(one, "junit", View()))


def test_junit() -> None:
    root = junit(
        report(finding(), finding("R101"), finding("R209"), accepted=(finding(accepted="known"),))
    )
    assert root.tag == "testsuites"
    counts = {k: root.get(k) for k in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "4", "failures": "1", "errors": "1", "skipped": "1"}
    (suite,) = root
    assert suite.get("name") == "act-pontoon"
    failed = suite.find("testcase/failure/..")
    assert failed is not None
    assert failed.get("file") == "book.rules"
    assert failed.get("line") == "3"
    failure = failed.find("failure")
    assert failure is not None
    assert failure.get("type") == "warning"
    assert "book.rules:3:9" in (failure.text or "")
    skipped = suite.find("testcase/skipped")
    assert skipped is not None
    assert skipped.get("message") == "accepted: known"


def test_junit_of_a_clean_text_has_a_passed_test() -> None:
    root = junit(report())
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("1", "0", "0")
    assert root.find("testsuite/testcase") is not None


def test_junit_carries_any_text() -> None:
    odd = finding(message="<&>\"' ]]> \x00\x1b\ufffe\ud800 \U0001f0a1", rulebook=None, clause=None)
    case = junit(report(odd)).find(".//testcase/failure")
    assert case is not None
    message = case.get("message") or ""
    assert message.startswith("<&>\"' ]]> ")
    assert message.endswith("\U0001f0a1")


# --- sarif

TEXT_OBJECT = {"type": "object", "required": ["text"], "properties": {"text": {"minLength": 1}}}
LOCATION = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "minimum": 0},
        "message": TEXT_OBJECT,
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation", "region"],
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "required": ["uri"],
                    "properties": {"uri": {"type": "string", "pattern": r"^[^\s\\]+$"}},
                },
                "region": {
                    "type": "object",
                    "required": ["startLine", "startColumn", "endLine", "endColumn"],
                    "additionalProperties": {"type": "integer", "minimum": 1},
                },
            },
        },
    },
}
SARIF = {
    "type": "object",
    "required": ["version", "$schema", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "$schema": {"type": "string", "pattern": "sarif-2.1.0"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "additionalProperties": False,
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "artifacts": {"type": "array"},
                    "invocations": {
                        "type": "array",
                        "items": {"type": "object", "required": ["executionSuccessful"]},
                    },
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name", "version", "rules"],
                                "properties": {
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id", "shortDescription", "help"],
                                            "properties": {
                                                "shortDescription": TEXT_OBJECT,
                                                "fullDescription": TEXT_OBJECT,
                                                "help": TEXT_OBJECT,
                                            },
                                        },
                                    }
                                },
                            }
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": [
                                "ruleId", "ruleIndex", "level", "message", "locations",
                                "partialFingerprints", "suppressions",
                            ],
                            "additionalProperties": False,
                            "properties": {
                                "ruleId": {"pattern": r"^R\d{3}$"},
                                "ruleIndex": {"type": "integer", "minimum": 0},
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "message": TEXT_OBJECT,
                                "locations": {"type": "array", "items": LOCATION},
                                "relatedLocations": {"type": "array", "items": LOCATION},
                                "partialFingerprints": {
                                    "type": "object",
                                    "minProperties": 1,
                                    "additionalProperties": {"type": "string"},
                                },
                                "suppressions": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "required": ["kind"],
                                        "properties": {
                                            "kind": {"enum": ["inSource", "external"]},
                                            "status": {
                                                "enum": ["accepted", "underReview", "rejected"]
                                            },
                                        },
                                    },
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}  # fmt: skip


def sarif(one: Report) -> dict[str, Any]:
    document = json.loads(render(one, "sarif", View()))
    jsonschema.validate(document, SARIF)
    (run,) = document["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
    return dict(run)


def test_sarif() -> None:
    related = (
        Related("14.2", "payout table", Span("book.rules", 1, 1, 1, 9)),
        Related("14.3", "no place"),
    )
    run = sarif(report(finding(related=related), finding("R101"), accepted=(
        finding("R204", accepted="known"),)))  # fmt: skip
    first, second, third = run["results"]
    place = first["locations"][0]
    assert place["physicalLocation"]["artifactLocation"] == {"uri": "book.rules"}
    assert place["physicalLocation"]["region"] == {
        "startLine": 3, "startColumn": 9, "endLine": 3, "endColumn": 13
    }  # fmt: skip
    assert place["logicalLocations"][0]["fullyQualifiedName"] == "act-pontoon/12.7"
    assert [r["message"]["text"] for r in first["relatedLocations"]] == [
        "clause 14.2: payout table"
    ]
    assert (first["level"], second["level"]) == ("warning", "error")
    assert first["suppressions"] == second["suppressions"] == []
    assert third["suppressions"][0]["justification"] == "known"
    assert run["invocations"][0] == {"executionSuccessful": False, "exitCode": 2}
    assert set(run["artifacts"][0]["hashes"]) == {"sha-256"}


def test_sarif_rules_carry_their_page() -> None:
    (rule,) = sarif(report(finding()))["tool"]["driver"]["rules"]
    assert rule["name"] == "DanglingReference"
    assert rule["help"]["markdown"].startswith("# R201 dangling-reference")


def test_sarif_of_nothing() -> None:
    run = sarif(report())
    assert run["results"] == []
    assert run["invocations"][0]["executionSuccessful"] is True


def test_sarif_addresses(in_a_folder: Path) -> None:
    names = ["a b/100%.rules", "ü.rules", "/elsewhere/x y.rules"]
    spans = [Span(str(in_a_folder / name), 1, 1, 1, 2) for name in names]
    results = sarif(report(*(finding(span=span) for span in spans)))["results"]
    uris = [r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results]
    assert uris == ["a%20b/100%25.rules", "%C3%BC.rules", "file:///elsewhere/x%20y.rules"]
    assert [unquote(u) for u in uris[:2]] == names[:2]


def test_sarif_fingerprints_do_not_know_the_place() -> None:
    moved = [finding(), finding(span=Span("book.rules", 30, 1, 30, 5))]
    first, second = sarif(report(*moved))["results"]
    assert first["partialFingerprints"] == second["partialFingerprints"]


# --- all of them


@pytest.mark.parametrize("format", ["json", "sarif", "junit", "github"])
def test_every_format_ends_with_one_line_end_and_can_be_encoded(format: str) -> None:
    odd = finding(message="日本 \U0001f0a1 é", related=(Related("é", "日本"),))
    shown = render(report(odd), format, View())
    assert shown.endswith("\n")
    assert not shown.endswith("\n\n")
    assert shown.encode("utf-8")
    assert io.StringIO(shown).read() == shown


def test_an_input_that_could_not_be_read_has_no_hash() -> None:
    one = Report("check", [Input("gone.rules", "rules", None)], [finding("R001")])
    assert json.loads(render(one, "json", View()))["inputs"][0]["sha256"] is None
    assert "hashes" not in sarif(one)["artifacts"][0]
