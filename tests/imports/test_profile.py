"""What is wrong with a profile or a file is said with its place, and status 2."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from import_support import HANDS, HEAD, ROW, csv_file, imported

from checker.cli import main
from checker.imports.profile import profile_schema

WRONG = [
    ("no mapping", "- 1\n", "1:1", "no mapping"),
    ("not YAML", "profile: [\n", "2:1", "not YAML"),
    ("an unknown key", HANDS + "deckz: 6\n", "15:1", "did you mean `decks`"),
    ("an unknown field", HANDS.replace("stake: Bet", "steak: Bet"), "11:3", "did you mean `stake`"),
    ("an unknown word", HANDS + "not_recorded: [deal_ordr]\n", "15:16", "did you mean `deal_order`"),
    ("an unknown column", HANDS.replace("Bet", "Bett"), "11:10", "did you mean `Bet`"),
    ("no decks", HANDS.replace("decks: 6\n", ""), "1:1", "how many decks"),
    ("a bad zone", HANDS.replace("+10:00", "Mars/Base"), "5:14", "no time zone"),
    ("a wrong shape", HANDS.replace("each: hand", "each: handful"), "7:7", "each"),
    ("another version", HANDS.replace("profile: 1", "profile: 2"), "1:10", "1 was expected"),
    ("no such rulebook", HANDS.replace("act-blackjack", "act-blakjack"), "2:11", "act-blackjack"),
    ("a path for a rulebook", HANDS.replace("act-blackjack", "/etc/passwd"), "2:11", "--rules"),
    ("too much", "a: &a [1,1,1,1,1,1,1,1,1]\n" + "\n".join(
        f"b{n}: &b{n} [*{'a' if n == 0 else f'b{n - 1}'}, *{'a' if n == 0 else f'b{n - 1}'}]"
        for n in range(30)), "", "values"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "at", "said"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_a_wrong_profile_is_told_with_its_place(
    text: str, at: str, said: str, tmp_path: Path, capfd: Any
) -> None:
    found = imported(tmp_path, capfd, text, csv_file(tmp_path, HEAD + ROW))
    assert found.status == 2
    assert f"profile.yaml:{at}" in found.said
    assert said in found.said
    assert "help: " in found.said
    assert "Traceback" not in found.said
    assert found.rounds == []


FILES: list[tuple[str, str, bytes | None, str]] = [
    ("missing", "none.csv", None, "no such file"),
    ("empty", "a.csv", b"", "empty"),
    ("no kind", "a.bin", b"x", "does not say what it is"),
    ("no Excel", "a.xlsx", b"not a zip", "no Excel file"),
    ("no Parquet", "a.parquet", b"PAR1 no", "cannot be read"),
    ("no SQLite", "a.sqlite", b"SQLite? no", "no SQLite database"),
    ("no JSON", "a.json", b"{", "not JSON"),
    ("no DuckDB", "a.duckdb", b"DUCK? no", "cannot be read"),
    ("bad bytes in the names", "a.csv", b"a\xff,b\n1,2\n", "not UTF-8"),
]


@pytest.mark.parametrize(
    ("name", "data", "said"), [f[1:] for f in FILES], ids=[f[0] for f in FILES]
)
def test_a_file_that_cannot_be_used_is_told(
    name: str, data: bytes | None, said: str, tmp_path: Path, capfd: Any
) -> None:
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    found = imported(tmp_path, capfd, HANDS, path)
    assert found.status == 2
    assert said in found.said
    assert name in found.said
    assert "Traceback" not in found.said
    assert found.rounds == []


def test_the_schema_is_one(tmp_path: Path) -> None:
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(profile_schema())


def test_duckdb_opens_nothing_but_the_export(tmp_path: Path) -> None:
    from checker.imports.files import FileError
    from checker.imports.tables import Tables

    inside, outside = tmp_path / "in.csv", tmp_path / "out.csv"
    inside.write_text("a,b\n1,2\n")
    outside.write_text("secret,b\n1,2\n")
    folder = tmp_path / "scratch"
    folder.mkdir()
    tables = Tables([inside], folder)
    try:
        assert tables._run("SELECT count(*) FROM read_text(?)", [str(inside)]).fetchone() == (1,)
        for statement in (
            f"SELECT * FROM read_text('{outside}')",
            f"COPY (SELECT 1) TO '{tmp_path / 'made.csv'}'",
            f"ATTACH '{tmp_path / 'made.duckdb'}'",
            "SET enable_external_access = true",
            "SET allowed_directories = ['/']",
            "INSTALL httpfs",
            "LOAD httpfs",
        ):
            with pytest.raises(FileError):
                tables._run(statement)
    finally:
        tables.close()
    assert not (tmp_path / "made.csv").exists()


def test_a_starting_profile_can_be_used(tmp_path: Path, capfd: Any) -> None:
    export = csv_file(tmp_path, HEAD.replace("Cards", "Player Cards") + ROW)
    profile = tmp_path / "start.yaml"
    assert main(["import", "--init", str(export), "--output", str(profile)]) == 0
    log = tmp_path / "log.jsonl"
    assert main(["import", str(profile), str(export), "--output", str(log)]) == 0
    (line,) = log.read_text().splitlines()
    assert [e["e"] for e in json.loads(line)["events"]] == ["wager", *["deal"] * 4, "settle"]


def test_a_hostile_export_makes_no_hostile_profile(tmp_path: Path, capfd: Any) -> None:
    nasty = 'Bet: {value: 1}\n# "\nprofile'
    export = csv_file(tmp_path, '"' + nasty.replace('"', '""') + '",Game,Table\n1,2,3\n')
    assert main(["import", "--init", str(export)]) == 0
    from rulespec.base.yaml_files import load_yaml

    document = load_yaml(capfd.readouterr().out)
    assert set(document) <= {"profile", "decks", "round", "each", "columns", "time", "money"}


def test_what_is_missing_from_the_call_is_told(tmp_path: Path, capfd: Any) -> None:
    profile = tmp_path / "p.yaml"
    profile.write_text(HANDS)
    export = csv_file(tmp_path, HEAD + ROW)
    assert main(["import", str(profile)]) == 2
    assert main(["import", str(profile), str(export)]) == 2
    assert main(["import", str(profile), str(export), "--output", str(tmp_path / "x.pdf")]) == 2
    assert main(["import", str(profile), str(export), "--output", str(export)]) == 2
    said = capfd.readouterr().err
    assert said.count("help: ") == 4
    assert export.read_text() == HEAD + ROW
