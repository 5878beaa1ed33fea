"""`rulespec report`: one page of a saved replay, in four formats."""

from __future__ import annotations

import html
import io
import json
import re
import zipfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from checker import cli
from checker.evidence.canonical import seal_of
from checker.log.exact_json import dumps
from tests.replay.conftest import in_a_folder, run, write  # noqa: F401
from tests.replay.replay_support import OVERPAID, TIED, Ran, Run, Write, a_round

pytest.importorskip("jinja2")
pytest.importorskip("xlsxwriter")
HOSTILE = "</script><script>alert(1)</script>"
FORMULA = "=cmd|' /C calc'!A0"
KINDS = ("html", "md", "xlsx", "pdf")


@pytest.fixture
def report(capfd: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    def call(*arguments: str) -> Ran:
        capfd.readouterr()
        status = cli.main(["report", *arguments])
        return Ran(status, *capfd.readouterr())

    return call


Report = Callable[..., Ran]


@pytest.fixture
def saved(run: Run, write: Write) -> str:  # noqa: F811
    hostile = OVERPAID.replace("P1", "P9")
    rounds = [
        a_round("R1", OVERPAID),
        a_round("R2"),
        a_round("R3", TIED),
        b"{",
        a_round("R4", hostile, table="T2", at="2020-06-02T12:00:00+10:00"),
    ]
    for event in rounds[-1]["events"]:  # type: ignore[index]
        if event.get("player") == "P9":
            event["player"] = HOSTILE
    write(*rounds)
    call = ("log.jsonl", "--rules", "corner.rules", "--format", "json", "--output", "r.json")
    assert run(*call).status == 1
    return "r.json"


def rewrite(change: Callable[[dict[str, Any]], object], sealed: bool = True) -> None:
    document = json.loads(Path("r.json").read_text(), parse_float=Decimal)
    change(document)
    if sealed:
        document["seal"] = seal_of(document)
    Path("r.json").write_text(dumps(document))


def made(report: Report, kind: str, *more: str) -> str:
    ran = report("r.json", "--output", f"page.{kind}", *more)
    assert ran.status == 0, ran.err
    return Path(f"page.{kind}").read_text(encoding="utf-8")


def sheets(path: str = "page.xlsx") -> dict[str, list[list[Any]]]:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.load_workbook(path)
    return {
        sheet.title: [[cell.value for cell in row] for row in sheet.iter_rows()] for sheet in book
    }


def test_the_first_page_says_what_it_comes_to(report: Report, saved: str) -> None:
    for kind in ("html", "md"):
        page = made(report, kind)
        text = html.unescape(re.sub(r"<[^>]+>", " ", page)) if kind == "html" else page
        assert "Audit of log.jsonl by corner" in text
        assert "4 rounds with 4 wagers of 1 log were judged by corner." in text
        assert "2 breaches of the text in force were found: 2 of settlement." in text
        assert "Players were paid 10.00 too much and 0.00 too little." in text
        assert "1 question could not be decided" in text
        assert "1 line is no valid round and was not judged" in text
        assert "2020-06-01 12:00:00 +10:00" in text
        assert "the log does not give player.seated" in text.replace("\\", "")
    assert page.index("What was audited") < page.index("Findings by clause")
    assert page.index("Findings by clause") < page.index("How this came about")


def test_a_finding_is_told_with_its_reasons(report: Report, saved: str) -> None:
    page = made(report, "html")
    assert page == made(report, "html", "--log", "log.jsonl")  # it lies where the report says
    assert page.count('<article class="finding"') == 3
    first = page[page.index("<article") :].partition("</article>")[0]
    plain = html.unescape(re.sub(r"<[^>]+>", "", first))
    assert "duepaid" not in plain
    assert re.search(r"due25\.00paid30\.00difference5\.00", plain)
    assert "dealer        9♦ 8♠   17" in plain
    assert '<span class="card red">K♥</span>' in first
    assert "clause 4 says wins: Results" in plain
    tied = page[page.rindex("<article") :]
    assert "no clause speaks of ties of 20" in tied  # why the text is read so
    assert "rests on the reading" in tied
    without = made(report, "html", "--no-rounds")
    assert "No round is drawn" in without
    assert "<pre>" not in without


def test_rounds_are_drawn_from_the_very_log_alone(report: Report, saved: str) -> None:
    log = Path("log.jsonl")
    log.write_bytes(log.read_bytes().replace(b'"R2"', b'"R9"'))
    ran = report("r.json", "--output", "page.html", "--log", "log.jsonl")
    assert (ran.status, Path("page.html").exists()) == (2, False)
    assert "is not the log that was judged" in ran.err
    ran = report("r.json", "--output", "page.html")
    assert ran.status == 0
    assert "are not drawn: `log.jsonl` is not the log that was judged" in ran.err
    assert "No round is drawn" in Path("page.html").read_text()


def test_a_text_that_changed_is_not_cited(report: Report, saved: str) -> None:
    rules = Path("corner.rules")
    rules.write_text(rules.read_text().replace('"Results"', '"Other words"'))
    page = made(report, "html")
    assert "Results" not in page
    assert "Other words" not in page


@pytest.mark.parametrize("kind", ["html", "md", "xlsx"])
def test_names_harm_nothing(report: Report, saved: str, kind: str) -> None:
    rewrite(lambda d: d["findings"][0].update(player=FORMULA, table="+1", bet="@x", message="-2"))
    assert report("r.json", "--output", f"page.{kind}").status == 0
    if kind == "xlsx":
        rows = sheets()["Findings"]
        row = dict(zip(rows[0], rows[1], strict=True))
        assert (row["player"], row["table"], row["bet"]) == (FORMULA, "+1", "@x")
        with zipfile.ZipFile("page.xlsx") as file:
            inside = {name: file.read(name) for name in file.namelist()}
        assert not any(b"<f>" in one or b"hyperlink" in one for one in inside.values())
        assert b'quotePrefix="1"' in inside["xl/styles.xml"]
        return
    page = Path(f"page.{kind}").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_the_page_needs_nothing_else(report: Report, saved: str) -> None:
    page = made(report, "html", "--log", "log.jsonl")
    assert not re.search(r"(?:src|href)=\"(?!#)", page)
    assert "@import" not in page
    assert "url(" not in page
    assert "default-src 'none'" in page
    assert page.count("<svg") == 4


def test_a_filter_stands_first(report: Report, run: Run, saved: str) -> None:  # noqa: F811
    call = ("log.jsonl", "--rules", "corner.rules", "--format", "json", "--output", "r.json")
    assert run(*call, "--clause", "7", "--without-reading", "ties").status in (0, 3)
    told = "FILTERED: clause 7; 3 findings outside the filter"
    page = made(report, "html")
    assert page.index(told) < page.index("<h1>")
    assert "Nothing was found within the filter" in page
    assert "Judged without reading ties." in page
    assert made(report, "md").startswith(told)
    assert report("r.json", "--output", "page.xlsx").status == 0
    assert sheets()["Summary"][0] == told.split(": ", 1)


def test_excel_has_everything_exact(report: Report, saved: str) -> None:
    def change(document: dict[str, Any]) -> None:
        document["findings"][0].update(expected=Decimal("73.49"), difference=Decimal("-0.01"))
        document["findings"][1].update(expected=12345678901234567890)

    rewrite(change)
    assert report("r.json", "--output", "page.xlsx").status == 0
    found = sheets()
    names = ["Summary", "Findings", "By clause", "By table", "Not checked", "Provenance"]
    assert list(found) == names
    rows = [dict(zip(found["Findings"][0], row, strict=True)) for row in found["Findings"][1:]]
    assert [row["round"] for row in rows] == ["R1", "R3", "R4"]
    assert (rows[0]["expected"], rows[0]["actual"], rows[0]["difference"]) == (73.49, 30, -0.01)
    assert rows[1]["expected"] == "12345678901234567890"  # no number of a spreadsheet is that long
    assert rows[1]["readings"] == "ties"
    assert ["corner", "T2", 1, 5, 0] in found["By table"]
    assert any(row[:2] == ["corner", "6"] for row in found["Not checked"])
    document = json.loads(Path("r.json").read_text())
    values = [row[1] for row in found["Provenance"]]
    assert document["tool"]["sha256"] in values
    assert document["inputs"][-1]["sha256"] in values
    with zipfile.ZipFile(io.BytesIO(Path("page.xlsx").read_bytes())) as file:
        assert b"73.49</v>" in file.read("xl/worksheets/sheet2.xml")


def test_a_pdf_is_printed(report: Report, saved: str) -> None:
    try:
        import weasyprint  # noqa: F401
    except (ImportError, OSError):
        pytest.skip("no weasyprint here")
    assert report("r.json", "--output", "page.pdf", "--log", "log.jsonl").status == 0
    assert Path("page.pdf").read_bytes().startswith(b"%PDF-")


def test_ten_thousand_findings_still_make_a_page(report: Report, saved: str) -> None:
    def change(document: dict[str, Any]) -> None:
        document["findings"] = [
            {**document["findings"][0], "fingerprint": f"{n:016x}", "round": f"X{n}"}
            for n in range(25_000)
        ]

    rewrite(change)
    page = made(report, "html")
    assert page.count("<article") == 5
    assert page.count('<tr><td class="word">R501') == 20_000 - 5
    assert "5,000 more findings of this clause are not on this page" in page
    assert len(page) < 15_000_000


def test_what_is_changed_says_so(report: Report, saved: str) -> None:
    rewrite(lambda d: d["findings"][0].update(actual=25), sealed=False)
    for kind in ("html", "md"):
        assert report("r.json", "--output", f"page.{kind}").status == 1
        page = Path(f"page.{kind}").read_text(encoding="utf-8")
        assert "CHANGED: the report behind this page was changed" in page


def test_odd_names_and_missing_numbers(report: Report, saved: str) -> None:
    def change(document: dict[str, Any]) -> None:
        document["inputs"][-1].update(path="\ud800\u202e.jsonl")
        document["inputs"][-1].pop("lines")
        document["findings"][0].update(player="\ud800", log="\ud800")

    document = json.loads(Path("r.json").read_text())
    change(document)
    Path("r.json").write_text(json.dumps(document))
    for kind in KINDS[:3]:
        assert report("r.json", "--output", f"page.{kind}").status == 1


def test_wrong_calls(report: Report, saved: str) -> None:
    for arguments in (
        ("r.json",),
        ("r.json", "--output", "page.docx"),
        ("gone.json", "--output", "page.html"),
        ("log.jsonl", "--output", "page.html"),
        ("r.json", "--output", "page.html", "--log", "gone.jsonl"),
        ("r.json", "--output", "gone/page.html"),
    ):
        ran = report(*arguments)
        assert (ran.status, ran.out) == (2, ""), arguments
        assert "help: " in ran.err
    Path("same.html").write_bytes(Path("r.json").read_bytes())
    assert report("same.html", "--output", "same.html").status == 2


def test_json_tells_what_was_written(report: Report, saved: str) -> None:
    ran = report("r.json", "--output", "page.md", "--format", "json")
    assert ran.summary == {"written": "page.md", "findings": 3}


def test_the_pages_share_one_style_sheet() -> None:
    from checker.render import compare_html, diff_html
    from checker.render.style import style_sheet

    assert "prefers-color-scheme: dark" in style_sheet()
    assert "@media print" in style_sheet()
    for module in (compare_html, diff_html):
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        assert "style_sheet()" in source
        assert "font-size" not in source
