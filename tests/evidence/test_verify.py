"""A report is made again; one byte that was changed is noticed, and where."""

from __future__ import annotations

import gzip
import json
import random
import shutil
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from checker import cli
from checker.evidence.canonical import seal_of, written
from checker.evidence.saved_report import DamagedReport, load_report
from checker.evidence.verify import Verified, check_seal
from checker.log.exact_json import dumps
from tests.replay.replay_support import CORNER, OVERPAID, TIED, Ran, Run, Write, a_round

Verify = Callable[..., Ran]


@pytest.fixture
def verify(capfd: pytest.CaptureFixture[str]) -> Verify:
    def call(*arguments: str) -> Ran:
        capfd.readouterr()
        status = cli.main(["verify", *arguments])
        return Ran(status, *capfd.readouterr())

    return call


@pytest.fixture
def saved(run: Run, write: Write) -> str:
    """A report of one log by own rules."""
    write(a_round("R1", OVERPAID), a_round("R2"), a_round("R3", TIED), b"{", a_round("R4"))
    replayed(run)
    return "report.json"


def replayed(run: Run, *more: str, log: str = "log.jsonl") -> None:
    call = ("--rules", "corner.rules", "--format", "json", "--output", "report.json")
    assert run(log, *call, *more).status in (0, 1, 3)


def document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path("report.json").read_text(), parse_float=Decimal)
    return found


def rewrite(change: Callable[[dict[str, Any]], object], *, sealed: bool = True) -> None:
    """As somebody would who knows how the seal is made."""
    report = document()
    change(report)
    if sealed:
        report["seal"] = seal_of(report)
    Path("report.json").write_text(written(report))


def deep(levels: int) -> list[Any]:
    return [deep(levels - 1)] if levels else []


def changed(ran: Ran) -> list[str]:
    found: list[str] = ran.summary["changed"]
    return found


def test_the_same_again(saved: str, verify: Verify) -> None:
    ran = verify(saved)
    assert (ran.status, ran.out.partition(":")[0]) == (0, "yes")
    assert "2 findings of 4 rounds were compared" in ran.out
    assert verify(saved, "--format", "json").summary["verdict"] == "yes"


@pytest.mark.parametrize("engine", ["plain", "columns"])
@pytest.mark.parametrize(
    "more",
    [
        ("--clause", "5"),
        ("--table", "T1", "--from", "2020-05-01", "--to", "2020-07-01T00:00:00+10:00"),
        ("--limit", "1", "--without-reading", "ties"),
        ("--force", "--fail-on", "play,undecided"),
        ("--player", "P1", "--player", "P2", "--kind", "settlement", "--amount", "0.50"),
        ("--code", "R501", "--rulebook", "corner"),
    ],
)
def test_what_was_asked_for_is_asked_again(
    run: Run, verify: Verify, saved: str, engine: str, more: tuple[str, ...]
) -> None:
    if engine == "columns":
        pytest.importorskip("numba")
    replayed(run, "--engine", engine, *more)
    assert verify(saved).status == 0
    rewrite(lambda report: report["options"].update(clause="7"))
    assert verify(saved).status == 1


def test_on_another_machine(saved: str, verify: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files lie elsewhere: beside the report, or where the call says."""
    here = Path.cwd()
    (here / "away/logs").mkdir(parents=True)
    for name in ("report.json", "corner.rules"):
        shutil.move(name, f"away/{name}")
    shutil.move("log.jsonl", "away/logs/renamed.jsonl")
    assert verify("away/report.json").status == 2
    ran = verify("away/report.json", "away/logs/renamed.jsonl")
    assert (ran.status, "is `away/logs/renamed.jsonl` here" in ran.out) == (0, True)
    assert verify("away/report.json", "away/logs").status == 0
    monkeypatch.chdir("away/logs")
    assert verify("../report.json", "renamed.jsonl").status == 0
    Path("renamed.jsonl").rename("../log.jsonl")
    assert verify("../report.json").status == 0


def test_several_logs_that_clash(run: Run, write: Write, verify: Verify) -> None:
    """A finding names the other log: whatever it is called here."""
    write(a_round("R1"), name="one.jsonl")
    write(a_round("R1", OVERPAID), name="two.jsonl")
    call = ("one.jsonl", "two.jsonl", "--rules", "corner.rules", "--format", "json")
    assert run(*call, "--output", "report.json").status == 1
    assert any("one.jsonl" in f["message"] for f in document()["findings"])
    Path("one.jsonl").rename("first.jsonl")
    Path("two.jsonl").rename("second.jsonl")
    assert verify("report.json", "second.jsonl", "first.jsonl").status == 0


def test_standard_input_has_to_be_named(
    run: Run, verify: Verify, saved: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open("log.jsonl") as file:
        monkeypatch.setattr("sys.stdin", file)
        replayed(run, log="-")
    assert verify(saved).status == 2
    assert verify(saved, "log.jsonl").status == 0


def test_a_saved_job_is_made_again(run: Run, verify: Verify, saved: str) -> None:
    job = 'logs = ["log.jsonl"]\nrules = "corner.rules"\nformat = "json"\noutput = "report.json"\n'
    Path("rulespec.toml").write_text(f'[replay]\n{job}[filters]\nkind = ["settlement"]\n')
    assert run().status == 1
    assert document()["config"]["path"].endswith("rulespec.toml")
    assert verify(saved).status == 0
    Path("rulespec.toml").unlink()  # what it asked for stands in the report
    assert verify(saved).status == 0


# --- what was changed


def test_another_log(saved: str, verify: Verify) -> None:
    log = Path("log.jsonl")
    log.write_bytes(log.read_bytes().replace(b'"R2"', b'"R9"'))
    ran = verify(saved, "--format", "json")
    assert (ran.status, changed(ran)) == (1, ["log"])
    assert ran.summary["changes"][0]["name"] == "log.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"returned": 30', b'"returned": 31'))
    assert changed(verify(saved, "--format", "json")) == ["log", "result"]
    log.unlink()
    assert verify(saved).status == 2


def test_another_text(saved: str, verify: Verify) -> None:
    rules = Path("corner.rules")
    rules.write_text(CORNER + "# a remark\n")
    ran = verify(saved, "--format", "json")
    assert (ran.status, changed(ran)) == (1, ["rules"])
    assert ran.summary["changes"][0]["name"] == "corner.rules"
    rules.write_text(CORNER.replace("3 to 2", "2 to 1"))
    assert changed(verify(saved, "--format", "json")) == ["result", "rules"]
    rules.write_text("rulebook corner {")
    assert (verify(saved).status, changed(verify(saved, "--format", "json"))) == (1, ["rules"])
    rules.unlink()
    assert verify(saved).status == 2


def test_another_tool(saved: str, verify: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("checker.evidence.verify.code_hash", lambda: bytes(32))
        ran = verify(saved, "--format", "json")
        assert (ran.status, changed(ran)) == (1, ["tool"])
    monkeypatch.setattr("checker.evidence.verify.__version__", "9.9")
    ran = verify(saved)
    assert (ran.status, "and this is 9.9" in ran.out) == (1, True)


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r["findings"].pop(),
        lambda r: r["findings"].reverse(),
        lambda r: r["findings"].append({**r["findings"][0], "fingerprint": "0" * 16}),
        lambda r: r["findings"][0].update(actual=25, difference=0),
        lambda r: r["findings"][0].update(message="all is well"),
        lambda r: r["summary"].update(overpaid=0),
        lambda r: r["summary"].update(rounds=5),
        lambda r: r["summary"].update(more=1),
        lambda r: r.update(more=1),
        lambda r: r["rulebooks"][0].update(day="2019-01-01"),
        lambda r: r["inputs"][-1].update(rounds=3),
        lambda r: r["inputs"][-1].update(merkle_root="0" * 64),
        lambda r: r["inputs"][-1].update(merkle_root=None),
        lambda r: r["inputs"][-1].update({"from": None}),
        lambda r: r["inputs"][-1].update(seen_by="the board"),
        lambda r: r["inputs"][0].update(approved=True),
        lambda r: r["tool"].update(certified=True),
        lambda r: r["summary"]["not_checked"].pop(),
    ],
)
def test_a_forged_report(
    saved: str, verify: Verify, change: Callable[[dict[str, Any]], object]
) -> None:
    rewrite(change, sealed=True)
    ran = verify(saved, "--format", "json")
    assert (ran.status, changed(ran)) == (1, ["result"])
    assert verify(saved).status == 1


def test_a_text_without_its_hash(saved: str, verify: Verify) -> None:
    rewrite(lambda report: report["inputs"][0].update(sha256=None))
    ran = verify(saved, "--format", "json")
    assert (ran.status, changed(ran)) == (1, ["rules"])


def test_one_changed_byte_anywhere(saved: str, verify: Verify) -> None:
    chance = random.Random(1)
    for name, part in (("report.json", "report"), ("log.jsonl", "log"), ("corner.rules", "rules")):
        good = Path(name).read_bytes()
        seen = 0
        while seen < 12:
            at = chance.randrange(len(good))
            if name == "corner.rules" and not chr(good[at]).isalnum():
                continue
            other = b"7" if good[at : at + 1] != b"7" else b"3"
            Path(name).write_bytes(good[:at] + other + good[at + 1 :])
            ran = verify(saved, "--format", "json")
            seen += 1
            assert ran.status == 1, (name, good[at - 20 : at + 20])
            assert part in changed(ran), (name, good[at - 20 : at + 20])
        Path(name).write_bytes(good)
    assert verify(saved).status == 0


def test_any_byte_of_a_report(saved: str, verify: Verify) -> None:
    """The seal, the layout or the form notices each one, in the middle and at either end."""
    good = Path(saved).read_bytes()
    chance = random.Random(2)
    for at in [*range(130), *chance.sample(range(len(good)), 500), *range(-120, 0)]:
        old = good[at]
        new = chance.choice([x for x in (*b' \t\n01a",{', 255, old ^ 1, old ^ 32) if x != old])
        rest = good[at + 1 :] if at != -1 else b""
        Path(saved).write_bytes(good[:at] + bytes([new]) + rest)
        try:
            found = load_report(saved, keep_text=True)
        except DamagedReport:
            continue
        result = Verified()
        check_seal(found, result, None)
        assert result.changes or "seal" not in found.document, (at, good[at - 20 : at + 20], new)


@pytest.mark.parametrize(
    ("old", "new"), [(b", ", b",\t"), (b"}\n", b"}"), (b'"seal"', b'"SEAL"'), (b"{", b"[")]
)
def test_a_report_that_only_looks_otherwise(
    saved: str, verify: Verify, old: bytes, new: bytes
) -> None:
    good = Path(saved).read_bytes()
    Path(saved).write_bytes(new.join(good.rsplit(old, 1)))
    assert verify(saved).status == 1


# --- signatures


def test_signed(run: Run, verify: Verify, saved: str) -> None:
    pytest.importorskip("cryptography")
    assert verify("--new-key", "mine.pem").status == 0
    assert verify("--new-key", "other.pem").status == 0
    assert Path("mine.pem").stat().st_mode & 0o077 == 0
    assert verify("--new-key", "mine.pem").status == 2
    assert changed(verify(saved, "--key", "mine.pem.pub", "--format", "json")) == ["signature"]
    replayed(run, "--sign", "mine.pem")
    assert verify(saved).status == 0
    assert verify(saved, "--key", "mine.pem.pub").status == 0
    other = verify(saved, "--key", "other.pem.pub")
    assert (other.status, "another key" in other.out) == (1, True)
    rewrite(lambda report: report["inputs"][-1].update(path="elsewhere/log.jsonl"))
    ran = verify(saved, "log.jsonl", "--key", "mine.pem.pub", "--format", "json")
    assert (ran.status, "signature" in changed(ran)) == (1, True)
    replayed(run, "--sign", "mine.pem")
    rewrite(lambda report: report["signature"].update(value=report["signature"]["value"][::-1]))
    assert changed(verify(saved, "--format", "json")) == ["signature"]


def test_keys_that_are_none(run: Run, verify: Verify, saved: str) -> None:
    pytest.importorskip("cryptography")
    assert verify("--new-key", "mine.pem").status == 0
    call = ("log.jsonl", "--rules", "corner.rules")
    for key in ("mine.pem.pub", "gone.pem", "corner.rules"):
        ran = run(*call, "--format", "json", "--sign", key)
        assert (ran.status, ran.out) == (2, "")
    assert run(*call, "--sign", "mine.pem").status == 2  # text is not signed
    for key in ("mine.pem", "gone.pem", "corner.rules"):
        assert verify(saved, "--key", key).status == 2


# --- one round


def test_a_round_is_proven_without_the_log(run: Run, verify: Verify, saved: str) -> None:
    made = verify(saved, "log.jsonl", "--round", "R3", "--proof", "proof.json")
    assert made.status == 0
    Path("log.jsonl").unlink()
    assert b"R1" not in Path("proof.json").read_bytes()
    ran = verify(saved, "--proof", "proof.json", "--round", "R3")
    assert (ran.status, "R550" in ran.out) == (0, True)
    assert verify(saved, "--proof", "proof.json", "--round", "R2").status == 2
    proof = json.loads(Path("proof.json").read_text())
    for name, value in (
        ("line", proof["line"].replace('"stake": 10', '"stake": 11')),
        ("index", proof["index"] + 1),
        ("lines", proof["lines"] + 1),
        ("round", "R2"),
        ("path", proof["path"][::-1]),
        ("path", [*proof["path"][:-1], "0" * 64]),
    ):
        Path("proof.json").write_text(json.dumps({**proof, name: value}))
        assert verify(saved, "--proof", "proof.json").status == 1, name
    for wrong in ({}, [], {**proof, "path": 3}, {**proof, "index": -1}, {**proof, "line": None}):
        Path("proof.json").write_text(json.dumps(wrong))
        assert verify(saved, "--proof", "proof.json").status == 2


def test_a_round_of_another_log_is_not_proven(verify: Verify, write: Write, saved: str) -> None:
    other = write(a_round("R1", OVERPAID), a_round("R2", OVERPAID), name="other.jsonl")
    ran = verify(saved, other, "--round", "R2", "--proof", "proof.json")
    assert (ran.status, Path("proof.json").exists()) == (1, False)
    assert verify(saved, "--round", "R2").status == 0  # from the log of the report
    assert verify(saved, "--round", "R77").status == 2


def test_which_round_is_meant(run: Run, verify: Verify, write: Write) -> None:
    again = a_round("R1", at="2020-06-02T12:00:00+10:00")
    write(a_round("R1"), a_round("R1", table="T2"), again)
    replayed(run)
    ran = verify("report.json", "--round", "R1")
    assert (ran.status, "line 1 (table T1), line 2 (table T2)" in ran.err) == (2, True)
    assert verify("report.json", "--round", "R1", "--table", "T2").status == 0
    assert verify("report.json", "--round", "R1", "--line", "3").status == 0


# --- reports that are none


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"3",
        b"{}",
        b"\xff\xfe",
        b'{"schema": "rulespec-report/1"}',
        b'{"schema": "rulespec-report/1", "command": "replay"}',
        b'{"schema": "rulespec-report/1", "command": "diff"}',
        b'{"schema": "rulespec-report/1", "schema": 1}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"a":' * 700 + b"1" + b"}" * 700,
        b'{"schema": 1e999999999}',
        b'{"schema": ' + b"9" * 10_000 + b"}",
        b'{"schema": NaN}',
        gzip.compress(b"{}", mtime=0),
    ],
)
def test_what_is_no_report(verify: Verify, content: bytes) -> None:
    Path("report.json").write_bytes(content)
    ran = verify("report.json")
    assert (ran.status, ran.out) == (2, "")
    assert "`report.json`" in ran.err
    assert "help: " in ran.err


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r.update(findings={}),
        lambda r: r.update(found=r.pop("findings")),
        lambda r: r.update(findings=[3]),
        lambda r: r.update(findings=[{}]),
        lambda r: r["findings"][0].update(code=3),
        lambda r: r["findings"][0].update(related=[3]),
        lambda r: r["findings"][0].update(related=[{"clause": 1, "role": "x"}]),
        lambda r: r["findings"][0].update(expected="3"),
        lambda r: r["findings"][0].update(expected=True),
        lambda r: r.update(options=[]),
        lambda r: r["options"].update({"from": "soon"}),
        lambda r: r["options"].update({"limit": -1}),
        lambda r: r["options"].update(nothing=1),
        lambda r: r["options"].update(table=[1]),
        lambda r: r.update(inputs=[{"path": 1, "sha256": None, "kind": "log"}]),
        lambda r: r.update(inputs=[]),
        lambda r: r["inputs"][-1].update(kind="other"),
        lambda r: r.update(seal="x"),
        lambda r: r.update(signature="x"),
        lambda r: r.update(summary=None),
        lambda r: r["summary"].update(deep=deep(300)),
        lambda r: r["options"].update(player="P1"),
        lambda r: r["options"].update(amount="much"),
        lambda r: r["options"].update(rules="-"),
        lambda r: r["options"].update(rules="../../nothing"),
        lambda r: r.update(tool={"name": "other", "version": "1"}),
    ],
)
def test_a_report_of_the_wrong_shape(
    saved: str, verify: Verify, change: Callable[[dict[str, Any]], object]
) -> None:
    report = document()
    del report["seal"]
    change(report)
    Path(saved).write_text(dumps(report))
    ran = verify(saved)
    assert ran.status == 2, ran.out


def test_the_schema_holds_of_what_is_written(saved: str) -> None:
    from jsonschema import Draft202012Validator

    from checker.evidence.saved_report import schema

    assert list(Draft202012Validator(schema()).iter_errors(document())) == []
