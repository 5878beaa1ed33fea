"""`rulespec.toml`: a replay that is saved, and what may not stand in one."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from checker import cli
from tests.replay.replay_support import CORNER, OVERPAID, a_round, line_of

JOB = """[replay]
logs = ["logs"]
rules = "corner.rules"
format = "json"
"""


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    Path("corner.rules").write_text(CORNER)
    Path("logs").mkdir()
    rounds = [a_round("R1"), a_round("R2", OVERPAID), a_round("R3", OVERPAID, table="T2")]
    Path("logs/a.jsonl").write_bytes(b"".join(line_of(one) + b"\n" for one in rounds))
    Path("other.jsonl").write_bytes(line_of(a_round("Q1")) + b"\n")


def job(text: str = JOB, name: str = "rulespec.toml") -> None:
    Path(name).write_text(text)


def ran(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capfd.readouterr()
    status = cli.main(["replay", *words])
    return status, *capfd.readouterr()


def rounds_found(out: str) -> list[str]:
    return [one["round"] for one in json.loads(out)["findings"]]


def test_a_replay_without_arguments_runs_the_job(capfd: pytest.CaptureFixture[str]) -> None:
    job()
    status, out, err = ran(capfd)
    assert status == 1
    assert rounds_found(out) == ["R2", "R3"]
    saved = Path("rulespec.toml").read_bytes()
    told = {"path": "rulespec.toml", "sha256": hashlib.sha256(saved).hexdigest()}
    assert json.loads(out)["config"] == told
    assert "rulespec.toml" in err
    assert told["sha256"] in ran(capfd, "--format", "text")[1]


def test_it_is_found_upwards_and_its_names_are_from_its_folder(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    job(JOB + 'output = "result.json"\n')
    Path("deep/down").mkdir(parents=True)
    monkeypatch.chdir("deep/down")
    assert ran(capfd)[0] == 1
    monkeypatch.chdir("../..")
    assert rounds_found(Path("result.json").read_text()) == ["R2", "R3"]


def test_the_command_line_beats_the_file(capfd: pytest.CaptureFixture[str]) -> None:
    job(JOB + 'table = "T1"\nplayer = ["P9"]\nengine = "plain"\nfail-on = ["play", "deal"]\n')
    status, out, _ = ran(capfd)
    assert (status, rounds_found(out)) == (0, [])
    asked = json.loads(out)["options"]
    assert (asked["table"], asked["player"], asked["fail_on"]) == ("T1", ["P9"], ["play", "deal"])
    words = ("--table", "T2", "--player", "P1", "--fail-on", "settlement")
    status, out, _ = ran(capfd, *words)
    assert (status, rounds_found(out)) == (1, ["R3"])
    assert json.loads(out)["options"]["player"] == ["P1"]
    assert ran(capfd, "other.jsonl", "--format", "text")[1].count("1 round with") == 1
    status, out, err = ran(capfd, "--no-config")
    assert status == 2
    assert "no log is named" in err
    assert ran(capfd, "logs", "--rules", "corner.rules", "--no-config")[0] == 1


def test_sections_for_filters_and_store(capfd: pytest.CaptureFixture[str]) -> None:
    job(JOB + '[filters]\nfrom = 2020-06-01\namount = "5"\n[store]\nfile = "audit.sqlite"\n')
    status, out, _ = ran(capfd)
    assert status == 1
    asked = json.loads(out)["options"]
    assert asked["from"] == "2020-06-01T00:00:00"
    assert json.loads(out)["filtered"].startswith("from 2020-06-01")
    assert Path("audit.sqlite").is_file()


def test_one_run_writes_several_files(capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("jinja2")
    also = ["r.json", "r.jsonl", "r.csv", "r.md"]
    job(JOB.replace("json", "text") + f"also = {also}\n")
    status, out, _ = ran(capfd)
    assert status == 1
    assert "2 findings" in out
    assert rounds_found(Path("r.json").read_text()) == ["R2", "R3"]
    lines = Path("r.jsonl").read_text().splitlines()
    assert [json.loads(line)["round"] for line in lines] == ["R2", "R3"]
    assert len(Path("r.csv").read_text().splitlines()) == 3
    assert "R2" in Path("r.md").read_text()
    # each is what the command alone would write
    alone = ran(capfd, "logs", "--rules", "corner.rules", "--no-config", "--format", "csv")[1]
    assert Path("r.csv").read_text() == alone
    assert cli.main(["verify", "r.json", "logs"]) == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[replay", "not TOML"),
        ("[replay]\nlgos = []\n", "did you mean `logs`"),
        ("[jobs]\nx = 1\n", "no section `jobs`"),
        ("[replay]\nlogs = [1.5]\n", "no text, number or date"),
        ("[replay]\nforce = 1\n", "true or false"),
        ('[replay]\nformat = "xml"\n', "no format `xml`"),
        ('[replay]\nrules = ["a", "b"]\n', "takes one value"),
        ('[replay]\nsign = "key.pem"\n', "no key `sign`"),
        ('[replay]\nmaster = "spark://host"\n', "no key `master`"),
        ('[replay]\noutput = "../out.json"\n', "not below the folder"),
        ('[replay]\noutput = "/elsewhere/out.json"\n', "not below the folder"),
        ('[replay]\nstore = "link/audit.sqlite"\n', "not below the folder"),
        ('[replay]\nalso = ["r.exe"]\n', "ends in none of"),
        ('[replay]\nfrom = "01/09/2024"\n', "2024-08-19"),
        ('[replay]\noutput = "rulespec.toml"\nlogs = "logs"\n', "cannot be written to"),
        ("a = " + "[" * 100_000, "not TOML"),
        ("[replay]\nlimit = " + "9" * 20_000, "limit"),
    ],
)
def test_what_may_not_stand_in_a_job(
    text: str, told: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    Path("link").symlink_to(outside)
    job(text)
    status, _, err = ran(capfd)
    assert status == 2
    assert told in err
    assert "rulespec.toml" in err
    assert not list(outside.iterdir())


def test_a_job_of_another_account_is_not_used(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    job()
    real = os.getuid()
    os.chown("rulespec.toml", real + 1 if real == 0 else real, -1)
    monkeypatch.setattr(os, "getuid", lambda: real + 2)
    status, _, err = ran(capfd)
    assert status == 2
    assert "belongs to another account" in err
    assert ran(capfd, "--config", "rulespec.toml")[0] == 1


def test_names_that_look_like_options(capfd: pytest.CaptureFixture[str]) -> None:
    Path("--output=x.jsonl").write_bytes(Path("logs/a.jsonl").read_bytes())
    job(JOB.replace('["logs"]', '["--output=x.jsonl"]'))
    assert ran(capfd)[0] == 1
    assert not Path("x.jsonl").exists()
