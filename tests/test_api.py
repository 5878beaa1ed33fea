"""The Python API: what docs/api.md shows, and that it is what the command line does."""

from __future__ import annotations

import doctest
import inspect
import json
import os
import pickle
import re
import subprocess
import sys
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import rulespec
from checker.cli import main
from checker.evidence.canonical import seal_of
from checker.log.exact_json import dumps
from tests.support import PATIENCE

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "api.md"
BLOCK = re.compile(r"^```pycon\n(.*?)^```", re.MULTILINE | re.DOTALL)
LOG = "examples/nsw-star-pontoon.jsonl.gz"
TODAY = date(2025, 1, 1)

CORNER = """rulebook corner { title "Corner" in force from 2024-01-01 }
clause 1 "Values" { cards 2 to 10 count face cards J, Q, K count 10 cards A count 1 or 11 }
clause 2 "Play" { may draw, stand may not draw when hand.total >= 21 }
clause 3 "Dealer" { dealer must draw when dealer.total <= 16
  dealer must not draw when dealer.total > 16 }
clause 4 "A win" { main wins when hand.total > dealer.total }
"""


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_the_page_shows_what_happens() -> None:
    pytest.importorskip("pyarrow")
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert len(blocks) >= 6, "the page has no examples"
    told: list[str] = []
    text = "\n".join(blocks)
    test = doctest.DocTestParser().get_doctest(text, {}, "docs/api.md", str(PAGE), 0)
    assert len(test.examples) > 15
    result = doctest.DocTestRunner().run(test, out=told.append)
    assert result.failed == 0, "".join(told)


def test_importing_it_is_light() -> None:
    """Nothing that takes long to import comes with the package, nor do its folders."""
    code = "import sys, rulespec; rulespec.RulesError; print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    modules = set(ran.stdout.split())
    assert {"rulespec", "rulespec.base.errors"} <= modules
    heavy = {"lark", "numpy", "numba", "rich", "yaml", "pyarrow", "pandas", "checker"}
    assert not {name.partition(".")[0] for name in modules} & heavy
    assert {name for name in modules if name.startswith("rulespec.")} == {
        "rulespec.base",
        "rulespec.base.errors",
        "rulespec.base.version",
        "rulespec.load",
    }


def test_load_stays_a_function_whatever_is_imported() -> None:
    code = (
        "import rulespec.load.load, rulespec.load.named, rulespec\n"
        "from rulespec import load\n"
        "assert load is rulespec.load and callable(load), load"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, timeout=PATIENCE)


def test_every_public_name_is_there_and_explained() -> None:
    page = PAGE.read_text(encoding="utf-8")
    listed = set(dir(rulespec))
    for name in rulespec.__all__:
        found = getattr(rulespec, name)
        assert name in listed
        if name != "__version__":
            assert inspect.getdoc(found), name
        if inspect.isfunction(found) or (isinstance(found, type) and issubclass(found, Exception)):
            assert f"`{name}" in page, f"docs/api.md does not tell of {name}"
    with pytest.raises(AttributeError):
        _ = rulespec.nothing_of_the_kind


def by_command(tmp_path: Path, *call: str) -> tuple[int, dict[str, Any]]:
    output = tmp_path / "report.json"
    status = main([*call, "--format", "json", "--quiet", "--output", str(output)])
    return status, json.loads(output.read_text(encoding="utf-8"), parse_float=Decimal)


def as_read(report: rulespec.Report) -> dict[str, Any]:
    """As a reader of the JSON report has it."""
    read: dict[str, Any] = json.loads(dumps(report.as_json()), parse_float=Decimal)
    return read


def test_check_is_what_the_command_does(tmp_path: Path) -> None:
    call = ("check", "nsw-star-pontoon", "--no-proofs", "--no-accept", "--today", str(TODAY))
    status, shown = by_command(tmp_path, *call)
    by_name = rulespec.check("nsw-star-pontoon", proofs=False, accept=False, today=TODAY)
    loaded = rulespec.load("nsw-star-pontoon")
    by_book = rulespec.check(loaded, proofs=False, accept=False, today=TODAY)
    assert shown["findings"]
    assert status == by_name.exit_status == by_book.exit_status == 1
    assert shown == as_read(by_name) == as_read(by_book)


def test_a_check_of_a_day_is_what_the_command_does(tmp_path: Path) -> None:
    name = "nsw-star-pontoon@2024-08-17"
    _, shown = by_command(tmp_path, "check", name, "--no-proofs", "--today", str(TODAY))
    loaded = rulespec.load(name)
    assert str(loaded.day) == "2024-08-17"
    assert shown == as_read(rulespec.check(loaded, proofs=False, today=TODAY))


def test_check_reports_a_bad_file_as_findings(tmp_path: Path) -> None:
    bad = tmp_path / "bad.rules"
    bad.write_text("rulebook bad {")
    result = rulespec.check(bad)
    assert result.exit_status == 2
    assert [f.code for f in result.findings] == ["R005"]


def test_diff_is_what_the_command_does(tmp_path: Path) -> None:
    old, new = tmp_path / "old.rules", tmp_path / "new.rules"
    old.write_text(CORNER)
    new.write_text(CORNER.replace("hand.total > d", "hand.total >= d"))
    status, shown = by_command(tmp_path, "diff", str(old), str(new))
    by_name = rulespec.diff(str(old), new)
    by_book = rulespec.diff(rulespec.load(old), rulespec.load(new))
    assert status == by_name.exit_status == by_book.exit_status == 1
    assert shown["findings"]
    assert shown == as_read(by_name) == as_read(by_book)
    assert by_name.difference is not None
    assert not by_name.difference.same_meaning
    assert rulespec.diff(old, old).exit_status == 0


def test_replay_is_what_the_command_does(tmp_path: Path) -> None:
    """With a filter and a limit; streamed, the findings are the same."""
    asked = ["--rules", "nsw-star-pontoon", "--table", "T03", "--limit", "2"]
    status, shown = by_command(tmp_path, "replay", LOG, *asked)
    rules = rulespec.load("nsw-star-pontoon")
    result = rulespec.replay([LOG], rules=rules, table="T03", limit=2)
    assert status == result.exit_status == 1
    assert len(result.findings) == 2 < result.summary["findings"]
    assert shown.pop("seal") == seal_of(as_read(result))
    assert shown == as_read(result)
    run = rulespec.stream(Path(LOG), rules=rules, table="T03", limit=2)
    assert list(run) == list(result.findings)
    assert (run.status, run.summary.as_json()["rounds"]) == (1, result.summary["rounds"])
    with pytest.raises(rulespec.WrongCall, match="a replay runs once"):
        list(run)


def test_what_counts_as_a_breach_can_be_told() -> None:
    log = "examples/nz-pontoon.jsonl.gz"
    found = rulespec.replay(log)
    unlike = sorted(
        {"settlement", "play", "deal", "wager", "integrity"}
        - {f.as_json()["kind"] for f in found.findings}
    )
    assert found.exit_status == 1
    assert unlike, "the log has every kind of finding, which this test does not expect"
    assert rulespec.replay(log, fail_on=unlike).exit_status in (0, 3)


def test_judging_each_round_finds_what_the_replay_finds() -> None:
    """But for what only the rounds before tell."""
    rules = rulespec.load("nsw-star-pontoon")
    result = rulespec.replay(LOG, rules=rules, table="T03")
    rounds = [one for one in rulespec.read_log(LOG) if isinstance(one, rulespec.Round)]
    judged = {
        (one.id, finding.fingerprint)
        for one in rounds
        if one.table == "T03"
        for finding in rules.judge(one).findings
        if finding.kind == "settlement"
    }
    replayed = {
        (f.round, f.fingerprint)
        for f in result.findings
        if isinstance(f, rulespec.ReplayFinding) and f.kind == "settlement"
    }
    assert replayed
    assert judged == replayed


def test_a_round_may_be_text_bytes_or_data() -> None:
    import gzip

    with gzip.open(LOG) as log:
        line = log.readline()
    rules = rulespec.load("nsw-star-pontoon")
    as_data = json.loads(line, parse_float=Decimal)
    verdicts = [rules.judge(one) for one in (line, line.decode(), as_data)]
    assert verdicts[0] == verdicts[1] == verdicts[2]
    assert verdicts[0].tested
    wager = next(event for event in as_data["events"] if event["e"] == "wager")
    wager["stake"] = 2.5
    with pytest.raises(rulespec.LogError, match="binary float"):
        rules.judge(as_data)


def test_bad_rules_raise_with_all_diagnostics(tmp_path: Path) -> None:
    bad = tmp_path / "bad.rules"
    bad.write_text(CORNER.replace("total >= 21", "totl >= 21") + 'clause 4 "Again" { main loses }')
    for call in (
        lambda: rulespec.load(bad),
        lambda: rulespec.diff(bad, "act-pontoon"),
        lambda: rulespec.replay(LOG, rules=bad),
    ):
        with pytest.raises(rulespec.RulesError, match=r"bad.rules:\d") as caught:
            call()
        assert {d.code for d in caught.value.diagnostics} == {"R101", "R109"}
        assert "and 1 more" in caught.value.message


def test_what_cannot_be_used_raises(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    cases: list[tuple[type[Exception], str, dict[str, Any]]] = [
        (rulespec.LogError, "does not exist", {"logs": "nosuch.jsonl"}),
        (rulespec.WrongCall, "there is no log in the folder", {"logs": tmp_path}),
        (rulespec.WrongCall, "no log is named", {"logs": []}),
        (rulespec.WrongCall, "no engine `quick`", {"engine": "quick"}),
        (rulespec.WrongCall, "no kind `money`", {"fail_on": ["money"]}),
        (rulespec.WrongCall, "a clause `999`", {"clause": "999"}),
        (rulespec.WrongCall, "a reading `none-such`", {"without_reading": ["none-such"]}),
        (rulespec.WrongCall, "of blackjack|is of blackjack", {"rules": "act-blackjack"}),
        (rulespec.WrongCall, "from 1 up", {"jobs": 0}),
        (rulespec.RulesError, "no rulebook `nosuch`", {"rules": "nosuch"}),
    ]
    for kind, told, asked in cases:
        with pytest.raises(kind, match=told) as caught:
            rulespec.replay(asked.pop("logs", LOG), **asked)
        assert isinstance(caught.value, rulespec.RulespecError)
        again = pickle.loads(pickle.dumps(caught.value))
        assert (type(again), str(again)) == (type(caught.value), str(caught.value))
        assert again.help == caught.value.help
    assert capsys.readouterr() == ("", "")


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rules = tmp_path / "corner.rules"
    rules.write_text(CORNER)
    result = rulespec.check(rules, witnesses=tmp_path / "witnesses", today=TODAY)
    assert result.summary["witness_files"]
    assert list((tmp_path / "witnesses").iterdir())
    rulespec.replay(LOG, jobs=64)
    assert capfd.readouterr() == ("", "")


def test_the_table_holds_every_finding_exactly() -> None:
    pa = pytest.importorskip("pyarrow")
    result = rulespec.replay(LOG)
    rows = result.to_arrow().to_pylist()
    assert len(rows) == len(result.findings) >= 10
    money = 0
    for row, finding in zip(rows, result.findings, strict=True):
        shown = finding.as_json()
        for name in ("code", "message", "clause", "round", "line", "box", "at", "fingerprint"):
            assert row[name] == shown.get(name)
        for name in ("expected", "actual", "difference"):
            assert row[name] == shown.get(name)
            money += row[name] is not None
        assert row["details"] is None
    assert money
    checked = rulespec.check("nz-pontoon", proofs=False, accept=False, today=TODAY)
    row = checked.to_arrow().to_pylist()[0]
    assert row["file"].endswith("nz-pontoon.rules")
    assert row["start_line"] > 0
    assert pa.concat_tables([result.to_arrow(), checked.to_arrow()]).num_rows > len(rows)


def test_a_data_frame_keeps_whole_numbers_whole() -> None:
    pytest.importorskip("pandas")
    frame = rulespec.replay(LOG).to_pandas()
    assert str(frame["box"].dtype) == "Int64"
    assert all(isinstance(amount, Decimal) for amount in frame["expected"].dropna())


def test_a_missing_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(rulespec.WrongCall, match="needs the package `pyarrow`") as caught:
        rulespec.check("nz-pontoon", proofs=False).to_arrow()
    assert "rulespec[parquet]" in caught.value.help


def test_the_types_are_shipped() -> None:
    for package in ("rulespec", "checker"):
        assert (ROOT / package / "py.typed").is_file()
