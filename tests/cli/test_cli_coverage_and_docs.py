"""`rulespec coverage` and `rulespec docs`."""

import json
import re
from collections.abc import Callable

import pytest

from checker import cli
from rulespec.base.codes import CODES
from tests.cli.cli_support import ROOT, SOUND

# --- coverage

LIST = """\
rulebook: example
sections: [{id: 5, title: Settlement}]
clauses:
  - {id: '5.1', section: 5, title: A total of 21, checkable: log}
  - {id: '5.2', section: 5, title: The seal, checkable: external}
"""
COVERED = SOUND + 'clause 5.2 "The seal" { not checkable because "needs sight of the box" }\n'


def cover(
    text: str,
    write: Callable[..., str],
    capsys: pytest.CaptureFixture[str],
    *options: str,
    clause_list: str | None = LIST,
) -> tuple[int, str]:
    name = write(text)
    if clause_list is not None:
        write(clause_list, "example.clauses.yaml")
    status = cli.main(["coverage", name, *options])
    return status, capsys.readouterr().out


def test_coverage_in_text(write: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    status, shown = cover(COVERED, write, capsys)
    assert status == 0
    rows = [line.split() for line in shown.splitlines()]
    assert ["example", "log", "1", "0", "0", "1"] in rows
    assert ["external", "0", "1", "0", "1"] in rows
    assert ["all", "1", "1", "0", "2"] in rows
    assert "2 clauses of the printed text are accounted for." in shown
    assert "A total of 21" not in shown


def test_coverage_lists_clauses(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    status, shown = cover(COVERED, write, capsys, "--clauses")
    assert status == 0
    assert re.search(r"5\.1 +log +encoded +A total of 21\n", shown)
    assert re.search(r"5\.2 +external +not checkable +The seal \(needs sight of the box\)\n", shown)


def test_coverage_in_json(write: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    status, shown = cover(COVERED, write, capsys, "--format", "json")
    assert status == 0
    report = json.loads(shown)
    assert (report["schema"], report["command"]) == ("rulespec-report/1", "coverage")
    summary = report["summary"]
    assert summary["total"] == {
        "encoded": 1,
        "not checkable": 1,
        "silent": 0,
        "missing": 0,
        "total": 2,
    }
    assert set(summary["by_class"]) == {"log", "shoe", "report", "external"}
    (book,) = summary["rulebooks"]
    assert book["rulebook"] == "example"
    assert [(c["clause"], c["class"], c["standing"], c["reason"]) for c in book["clauses"]] == [
        ("5.1", "log", "encoded", None),
        ("5.2", "external", "not checkable", "needs sight of the box"),
    ]


@pytest.mark.parametrize(
    ("text", "clause_list", "status", "code"),
    [
        (SOUND, LIST, 1, "R212"),
        (
            COVERED.replace("main wins when hand.total = 21", 'not checkable because "x"'),
            LIST,
            1,
            "R216",
        ),
        (COVERED.replace("main wins when hand.total = 21", ""), LIST, 1, "R214"),
        (COVERED, "clauses: 5", 2, "R010"),
        (COVERED.replace("total", "totl"), LIST, 2, "R101"),
        ("oops", LIST, 2, "R005"),
        (COVERED, None, 3, None),
        (SOUND + 'accept R212 because "being written"', LIST, 0, None),
    ],
    ids=["missing", "not-encoded", "silent", "bad-list", "error", "syntax", "no-list", "accepted"],
)
def test_exit_status_of_coverage(
    text: str,
    clause_list: str | None,
    status: int,
    code: str | None,
    write: Callable[..., str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    for format in ("text", "json"):
        got, shown = cover(text, write, capsys, "--format", format, clause_list=clause_list)
        assert got == status
        if format == "json":
            codes = {f["code"] for f in json.loads(shown)["findings"]}
            assert codes == ({code} if code else set())


def test_coverage_of_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["coverage", "act-ponton"]) == 2
    assert "did you mean `act-pontoon`?" in capsys.readouterr().out


# --- docs


@pytest.mark.parametrize("word", ["R201", "r201", "dangling-reference", "Dangling-Reference"])
def test_docs_prints_the_page_as_it_is(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["docs", word]) == 0
    page = ROOT / "docs" / "diagnostics" / "R201.md"
    assert capsys.readouterr().out == page.read_text(encoding="utf-8")


def test_docs_lists_the_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["docs"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(CODES)
    assert all(CODES[line.split()[0]].title in line for line in lines)


def test_docs_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["docs", "R201", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["command"] == "docs"
    assert report["summary"]["page"].startswith("# R201")
    assert cli.main(["docs", "--format", "json"]) == 0
    codes = json.loads(capsys.readouterr().out)["summary"]["codes"]
    assert [c["code"] for c in codes] == list(CODES)
