"""The pages under docs/ tell the truth: every example loads, every word stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulespec.base.codes import CODES, codes_page
from rulespec.load.games import shipped_games
from rulespec.load.load import load
from rulespec.tree.vocabulary_page import vocabulary_page

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
FENCED = re.MULTILINE | re.DOTALL
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
    assert page == vocabulary_page(shipped_games()), "run `make docs`"


def test_the_index_of_codes_is_up_to_date() -> None:
    page = (DOCS / "diagnostics" / "index.md").read_text(encoding="utf-8")
    assert page == codes_page(), "run `make docs`"
    assert set(re.findall(r"^\| \[(R\d+)\]", page, re.MULTILINE)) == set(CODES)


def test_links_lead_somewhere() -> None:
    seen = 0
    for page in (*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "grammar" / "README.md"):
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=FENCED)
        for target, anchor in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", text):
            if "://" in target:
                continue
            seen += 1
            found = page.parent / target if target else page
            assert found.exists(), f"{page.name}: {target}"
            if anchor:
                headings = re.findall(r"^#+ (.+)$", found.read_text(encoding="utf-8"), re.MULTILINE)
                slugs = {re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in headings}
                assert anchor in slugs, f"{page.name}: {target}#{anchor}"
    assert seen > 50


FOR_ENGINEERS = ("api.md", "architecture.md", "contributing.md", "../grammar/README.md")
TOP = ("benchmarks", "checker", "docs", "examples", "grammar", "jurisdictions", "rulespec", "tests")


@pytest.mark.parametrize("page", FOR_ENGINEERS)
def test_the_files_that_are_named_exist(page: str) -> None:
    """With their folder, or beside something else that the paragraph names."""
    text = (DOCS / page).read_text(encoding="utf-8")
    picture = "\n".join(re.findall(r"^```\n(.*?)^```", text, FENCED))
    named = [f"`{path}`" for path in re.findall(r"\b(?:rulespec|checker)/[\w/.]+\w", picture)]
    seen = 0
    for paragraph in [*re.split(r"\n\n|\n(?=\|)", text), *named]:
        words = re.findall(r"`([\w./*-]+)`", paragraph)
        paths = [w for w in words if w.startswith(tuple(f"{top}/" for top in TOP))]
        paths = [w for w in paths if "NAME" not in w]
        for path in paths:
            assert list(ROOT.glob(path.rstrip("/"))), f"{page}: {path}"
        folders = [ROOT / path if path.endswith("/") else (ROOT / path).parent for path in paths]
        folders.append((DOCS / page).parent)
        bare = [w for w in words if re.fullmatch(r"\w+\.(py|json|lark|yaml)", w)]
        for name in bare:
            assert any((folder / name).is_file() for folder in folders), f"{page}: {name}"
        seen += len(paths) + len(bare)
    assert seen >= 2


def test_every_folder_has_its_paragraph() -> None:
    """A newcomer finds each room of the house on the page that shows the house."""
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    folders = {
        f"{path.parent.relative_to(ROOT).as_posix()}/"
        for package in ("rulespec", "checker")
        for path in (ROOT / package).rglob("__init__.py")
    }
    assert len(folders) > 20
    assert folders <= set(re.findall(r"`([\w/]+/)`", text))
    alone = {f"checker/{path.name}" for path in (ROOT / "checker").glob("[a-z]*.py")}
    assert alone <= set(re.findall(r"`(checker/\w+\.py)`", text))
    picture = re.findall(r"^```\n(.*?)^```", text, FENCED)
    assert max(len(line) for line in picture[0].splitlines()) <= 100, "wider than a terminal"


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
