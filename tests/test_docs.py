"""The pages under docs/ tell the truth: every example loads, every word stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulespec.load.load import load
from rulespec.tree.vocabulary import vocabulary_page

DOCS = Path(__file__).parent.parent / "docs"
BLOCK = re.compile(r"^```rules\n(.*?)^```", re.MULTILINE | re.DOTALL)


def _examples() -> list[tuple[str, int, str]]:
    found = []
    for page in sorted(DOCS.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for match in BLOCK.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            found.append((page.name, line, match.group(1)))
    return found


EXAMPLES = _examples()


def test_the_pages_have_examples() -> None:
    assert len(EXAMPLES) >= 20


def complete(example: str) -> str:
    """A fragment is set into the frame that it stands for."""
    if re.search(r"^rulebook\b", example, re.MULTILINE):
        return example
    header = 'rulebook example { title "Example" in force from 2030-01-01 }\n'
    if re.match(r"\s*(section|clause|reading|accept)\b", example):
        return header + example
    return f'{header}clause 1 "Example" {{\n{example}\n}}\n'


@pytest.mark.parametrize(
    ("page", "line", "example"), EXAMPLES, ids=[f"{p}:{n}" for p, n, _ in EXAMPLES]
)
def test_examples_load(page: str, line: int, example: str, tmp_path: Path) -> None:
    file = tmp_path / "example.rules"
    file.write_text(complete(example), encoding="utf-8")
    loaded = load(file)
    assert loaded.rulebook is not None
    assert [d.message for d in loaded.diagnostics] == []


def test_the_vocabulary_page_is_up_to_date() -> None:
    page = (DOCS / "vocabulary.md").read_text(encoding="utf-8")
    assert page == vocabulary_page(), "run `make docs`"


def test_links_lead_somewhere() -> None:
    seen = 0
    for page in DOCS.glob("*.md"):
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                seen += 1
                assert (page.parent / target).exists(), f"{page.name}: {target}"
    assert seen > 0


def test_the_tutorial_works_as_it_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from checker.cli import main

    text = (DOCS / "tutorial.md").read_text(encoding="utf-8")
    rules, more = [m.group(1) for m in BLOCK.finditer(text)]
    yaml = re.search(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert yaml is not None
    file = tmp_path / "corner.rules"
    file.write_text(rules, encoding="utf-8")
    (tmp_path / "corner.scenarios.yaml").write_text(yaml.group(1), encoding="utf-8")
    assert main(["check", str(file)]) == 0
    assert "1 rulebook with 10 clauses checked.\nNo open findings." in capsys.readouterr().out
    assert main(["test", str(file)]) == 0
    assert "corner: 2 of 2 scenarios pass" in capsys.readouterr().out

    added = more.partition("clause 2.3")[0]
    file.write_text(rules.replace('  clause 2.3 "', added + '  clause 2.3 "'), encoding="utf-8")
    assert main(["test", str(file)]) == 1
    assert "clause 2.4 is broken, which is not expected" in capsys.readouterr().out
    file.write_text(rules.replace("cites 3.1", "cites 3.9"), encoding="utf-8")
    assert main(["check", str(file)]) == 1
    assert "R201" in capsys.readouterr().out
