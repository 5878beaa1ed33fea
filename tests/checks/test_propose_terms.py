"""The script that proposes the terms of a clause list from a printed text."""

import os
import subprocess
import sys
from pathlib import Path

import yaml

SCRIPT = Path(__file__).parent.parent.parent / "examples" / "propose_terms.py"
RULES = """\
rulebook corner { title "Pontoon" in force from 2030-01-01 }
section A "Dictionary" {
  clause A:Box "Spot" { defines "Box" not checkable because "x" }
  clause "A:Hard total" "Hard" { defines "Hard total" not checkable because "x" }
  clause "A:Soft total" "Soft" { defines "Soft total" not checkable because "x" }
  clause A:Split "Two" { defines "Split" not checkable because "x" }
}
section 1 "Play" {
  clause 1.1 "Parts" { introduces its parts }
  clause 1.1(a) "Wagers" { not checkable because "x" }
  clause 1.1(b) "Pairs" { not checkable because "x" }
  clause 1.1#tail "After" { not checkable because "x" }
  clause 1.2 "Totals" { not checkable because "x" }
}
section 2 "Side bet" {
  clause 2.1 "Pair" { defines "pair" not checkable because "x" }
  clause 2.2 "Wins" { not checkable because "x" }
}
"""
IDS = [
    "A:Box",
    "A:Hard total",
    "A:Soft total",
    "A:Split",
    "1.1",
    "1.1(a)",
    "1.1(b)",
    "1.1#tail",
    "1.2",
    "2.1",
    "2.2",
]
TEXT = """\
A. DICTIONARY

Box

Where chips are put.

Hard total

Aces as one.

Soft total

An ace as eleven.

Split

Two hands in one <u>box</u>.

1. PLAY

1.1 What players do:
 (a) put chips on <u>boxes</u> before the <u>marker</u> moves;
 (b) go on <u>splitting</u>, never more than once for a pair;

as the Shift Manager sees fit.

1.2 A hard or soft total is told.

2. SIDE BET

2.1 Here pair means two alike.
2.2 A Lucky Pairs wager wins with a pair.
"""


def proposed(folder: Path, *options: str) -> tuple[dict[str, list[str]], str]:
    rules = folder / "corner.rules"
    rules.write_text(RULES, encoding="utf-8")
    listed = "".join(f"- {{id: '{i}', checkable: external, section: '{i[0]}'}}\n" for i in IDS)
    (folder / "corner.clauses.yaml").write_text(f"clauses:\n{listed}", encoding="utf-8")
    (folder / "corner.txt").write_text(TEXT, encoding="utf-8")
    call = [sys.executable, str(SCRIPT), str(rules), str(folder / "corner.txt"), *options]
    env = {**os.environ, "PYTHONPATH": str(SCRIPT.parent.parent)}
    done = subprocess.run(call, capture_output=True, text=True, check=True, env=env)
    return yaml.safe_load(done.stdout), done.stderr


def test_terms_in_every_inflection(tmp_path: Path) -> None:
    found, unknown = proposed(tmp_path, "--name", "Lucky Pairs")
    assert found["A:Split"] == ["Split", "Box"]
    assert found["1.1(a)"] == ["Box"]
    assert found["1.1(b)"] == ["Split"]  # `pair` is a term of section 2 only
    assert found["1.1#tail"] == []
    assert found["1.2"] == ["Hard total", "Soft total"]
    assert found["2.2"] == ["pair"]
    assert "marked, not defined: `marker`, 1 times" in unknown
    assert "marked, not defined: `Shift Manager`, 1 times" in unknown


def test_terms_that_the_text_does_not_define(tmp_path: Path) -> None:
    found, unknown = proposed(tmp_path, "--also", "Shift Manager", "--marked", "marker")
    assert found["1.1#tail"] == ["Shift Manager"]
    assert found["1.1(a)"] == ["Box", "marker"]
    assert "marker" not in unknown
    assert set(found) == set(IDS)
