"""Reports for other programs: GitHub, JUnit, SARIF."""

import io
import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest

from checker.render import render
from checker.render.lines import View
from checker.report import Input, Report
from rulespec.base.diagnostics import Related
from rulespec.base.spans import Span
from tests.render.render_support import finding, report

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
                                "ruleId",
                                "ruleIndex",
                                "level",
                                "message",
                                "locations",
                                "partialFingerprints",
                                "suppressions",
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
}


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
    run = sarif(
        report(
            finding(related=related), finding("R101"), accepted=(finding("R204", accepted="known"),)
        )
    )
    first, second, third = run["results"]
    place = first["locations"][0]
    assert place["physicalLocation"]["artifactLocation"] == {"uri": "book.rules"}
    assert place["physicalLocation"]["region"] == {
        "startLine": 3,
        "startColumn": 9,
        "endLine": 3,
        "endColumn": 13,
    }
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
