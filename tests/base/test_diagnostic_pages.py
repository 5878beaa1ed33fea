"""Every diagnostic code has its page, and the example on the page really brings the code about.

This is where each code has its failing example: the pages are the test data.
"""

import json
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from checker.check import check
from checker.cli import main
from rulespec.base.codes import CODES
from rulespec.base.resources import folder
from rulespec.checks.acceptance import to_write

TODAY = date(2025, 1, 1)
HEADINGS = ["What it means", "Example", "How to mend it"]
WHEN_TO_ACCEPT = "When to accept it"

PAGES = {path.stem: path for path in sorted(folder("diagnostics").glob("R[0-9]*.md"))}

# What an example cannot help showing besides its own code.
ALSO_FOUND = {
    "R114": {"R223"},  # the example is about a reading
    "R217": {"R223"},  # the order is decided in a reading
    "R221": {"R223"},  # the example is about a reading
    "R219": {"R201"},  # an acceptance that has ended leaves the flaw open
    "R230": {"R310"},  # what is not accepted stays open
    "R592": {"R591"},  # other changes of the example are not noticed
    "R317": {"R310"},  # the conflict is a flaw of its own
}

EXIT_STATUS = {
    "R607": 3,  # not decided whether two wordings differ
    "R550": 3,  # undecided is neither right nor a breach
    "R317": 1,  # a note, but what is also found is none
}
WITHOUT_PLACE = {"R008", "R011"}  # a name that stands for nothing; a file that is no rule file


def headings(text: str) -> list[str]:
    return re.findall(r"^## (.+)$", without_blocks(text), re.MULTILINE)


def without_blocks(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def block(text: str, language: str) -> str | None:
    found = re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(found) <= 1, f"more than one {language} block"
    return found[0] if found else None


# --- codes that a rule file alone cannot show


def not_text(tmp_path: Path) -> Path:
    path = tmp_path / "old.rules"
    path.write_bytes(b'rulebook example { title "Pontoon \x96 Canberra" }')
    return path


def too_large(tmp_path: Path) -> Path:
    path = tmp_path / "large.rules"
    path.write_bytes(b"# a long line of nothing\n" * 400_000)
    return path


def nested(tmp_path: Path) -> Path:
    path = tmp_path / "generated.rules"
    condition = "not " * 5_000 + "hand.doubled"
    path.write_text(
        'rulebook example { title "Pontoon" in force from 2024-01-01 }\n'
        f'clause 5.1 "Generated" {{ main wins when {condition} }}\n'
    )
    return path


def unknown(tmp_path: Path) -> Path:
    return tmp_path / "act-ponton"


OTHERWISE: dict[str, Callable[[Path], Path]] = {
    "R002": not_text,
    "R004": too_large,
    "R007": nested,
    "R008": unknown,
}


def write_example(code: str, tmp_path: Path) -> list[str]:
    """Write the files of the example, and return the call that shows its code."""
    if code in OTHERWISE:
        return ["check", str(OTHERWISE[code](tmp_path))]
    text = PAGES[code].read_text(encoding="utf-8")
    rules, beside, round_ = (block(text, language) for language in ("rules", "yaml", "json"))
    after = block(text, "rules-after")
    assert rules is not None, f"{PAGES[code].name} has no ```rules example"
    path = tmp_path / "example.rules"
    path.write_text(rules, encoding="utf-8")
    if after is not None:
        new = tmp_path / "example-after.rules"
        new.write_text(after, encoding="utf-8")
        return ["diff", str(path), str(new)]
    if round_ is not None:
        log = tmp_path / "example.jsonl"
        lines = [" ".join(one.splitlines()) for one in re.split(r"\n(?={)", round_)]
        log.write_text("\n".join(lines) + "\n", encoding="utf-8")
        # With --rules every round is judged by that rulebook, whatever it names.
        return ["replay", str(log), *([] if code == "R561" else ["--rules", str(path)])]
    kind = "scenarios" if beside and "\nscenarios:" in beside else "clauses"
    if beside is not None:
        (tmp_path / f"example.{kind}.yaml").write_text(beside, encoding="utf-8")
    if code == "R901":
        return ["fmt", "--check", str(path)]
    if code in ("R591", "R592"):
        return ["coverage", "--mutate", str(path)]
    return ["test" if kind == "scenarios" else "check", str(path)]


def run_example(code: str, tmp_path: Path) -> tuple[int, list[dict[str, Any]]]:
    """The exit status and the findings of the example."""
    output = tmp_path / "report.json"
    call = [*write_example(code, tmp_path), "--format", "json", "--quiet", "--output", str(output)]
    if call[0] == "check":
        call += ["--today", str(TODAY)]
    status = main(call)
    return status, json.loads(output.read_text(encoding="utf-8"))["findings"]


# --- the tests


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert PAGES, "there is no page at all"
    assert set(PAGES) == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_the_page_has_its_headings(code: str) -> None:
    text = PAGES[code].read_text(encoding="utf-8")
    assert text.splitlines()[0] == f"# {code} {CODES[code].slug}"
    accept = [WHEN_TO_ACCEPT] if code.startswith(("R2", "R3")) else []
    assert headings(text) == [*HEADINGS, *accept]
    for part in re.split(r"^## .+$", text, flags=re.MULTILINE)[1:]:
        assert part.strip(), "nothing stands under a heading"


@pytest.mark.parametrize("code", CODES)
def test_the_page_is_easy_to_read(code: str) -> None:
    lines = PAGES[code].read_text(encoding="utf-8").splitlines()
    assert max(map(len, lines)) <= 100
    assert len(lines) <= 90, "a page is short"


@pytest.mark.parametrize("code", CODES)
def test_the_example_shows_the_code(code: str, tmp_path: Path) -> None:
    status, findings = run_example(code, tmp_path)
    codes = {finding["code"] for finding in findings}
    assert codes == {code} | ALSO_FOUND.get(code, set())
    by_severity = 2 if CODES[code].unusable else 0 if CODES[code].severity == "note" else 1
    assert status == EXIT_STATUS.get(code, by_severity)


@pytest.mark.parametrize("code", CODES)
def test_the_finding_can_be_acted_on(code: str, tmp_path: Path) -> None:
    """House style: one line, lower case, no full stop; a place wherever there is a file."""
    for finding in run_example(code, tmp_path)[1]:
        assert "\n" not in finding["message"]
        assert not finding["message"].endswith((".", "!"))
        assert not re.match(r"[A-Z][a-z]", finding["message"])
        if code < "R500" and code not in WITHOUT_PLACE:
            start, end = finding["span"]["start"], finding["span"]["end"]
            assert (end["line"], end["column"]) >= (start["line"], start["column"])


@pytest.mark.parametrize("code", [c for c in CODES if c.startswith(("R2", "R3"))])
def test_an_acceptance_closes_the_finding(code: str, tmp_path: Path) -> None:
    """Every flaw of a text can be accepted with a reason; then it is listed and counts no more."""
    if code in ("R215", "R219", "R230"):
        pytest.skip("a flaw of an acceptance is mended, not accepted")
    write_example(code, tmp_path)
    path = tmp_path / "example.rules"
    codes = {code} | ALSO_FOUND.get(code, set())
    for found in check([str(path)], TODAY).findings:
        line = f'{to_write([found])} because "known to the regulator"\n'
        if line not in path.read_text():
            path.write_text(path.read_text() + "\n" + line)
    report = check([str(path)], TODAY)
    assert [f.code for f in report.findings] == []
    assert {f.code for f in report.accepted} == codes
    assert all(f.accepted == "known to the regulator" for f in report.accepted)
    assert report.exit_status == 0
    notes = all(CODES[known].severity == "note" for known in codes)
    assert check([str(path)], TODAY, accept=False).exit_status == (0 if notes else 1)
