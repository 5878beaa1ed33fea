"""Parquet files made to be read otherwise than Arrow reads them, or to end the program."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.log.test_convert import convert, lines, write

np = pytest.importorskip("numpy")
pytest.importorskip("numba")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from checker.cli import main
from checker.columns.parquet.read import as_written
from checker.log import parquet_rows as log_parquet
from checker.log.parquet_footer import survives

CODEC = b"\x15\x0c\x16"  # of a column: the codec, which is zstd, then how many values
KIND = re.compile(rb"(?<=\x1c\x15)[\x00-\x0c](?=\x19)")  # its first field


@pytest.fixture
def log(tmp_path: Path) -> Path:
    assert convert(write(tmp_path / "a.jsonl", lines(8)), tmp_path / "a.parquet") == 0
    return tmp_path / "a.parquet"


def footer_at(raw: bytes) -> int:
    return len(raw) - 8 - int.from_bytes(raw[-8:-4], "little")


def told(path: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str, str]:
    """Status, report and messages, which are the same by every engine."""
    found = []
    for engine in ("columns", "plain"):
        call = ["replay", str(path), "--engine", engine, "--format", "json", "--quiet", *more]
        status = main(call)
        said = capsys.readouterr()
        out = re.sub(r'"seal": *(\{[^}]*\}|"[^"]*")', "", said.out)  # it covers the engine's name
        found.append((status, out.replace(f'"engine": "{engine}"', ""), said.err))
    assert found[0] == found[1]
    return found[0]


def test_a_codec_that_there_is_not(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = log.read_bytes()
    at = raw.rindex(CODEC) + 1
    other = tmp_path / "codec.parquet"
    for codec in (b"\x40", b"\x02"):  # there is one of the second number, and it is another one
        other.write_bytes(raw[:at] + codec + raw[at + 1 :])
        status, said, complaint = told(other, capsys)
        assert status == 2
        assert "the Parquet file is damaged here" in said
        assert "no line of" in complaint


@pytest.mark.parametrize("kind", [b"\x00", b"\x0e", b"\x30"])
def test_a_column_of_another_kind_than_in_the_schema_does_not_end_the_program(
    log: Path, tmp_path: Path, kind: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = log.read_bytes()
    places = [found.start() for found in KIND.finditer(raw, footer_at(raw))]
    assert len(places) == pq.ParquetFile(log).metadata.num_columns
    other = tmp_path / "kind.parquet"
    refused = 0
    for place in places[::6]:
        other.write_bytes(raw[:place] + kind + raw[place + 1 :])
        status, _, said = told(other, capsys, "--table", "T01")
        assert status in (2, 3)
        refused += "its footer contradicts itself" in said
    assert refused or kind == b"\x30"


def test_a_child_that_asks_says_nothing(
    log: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    raw = log.read_bytes()
    places = [found.start() for found in KIND.finditer(raw, footer_at(raw))]
    other = tmp_path / "kind.parquet"
    other.write_bytes(raw[: places[0]] + b"\x00" + raw[places[0] + 1 :])
    assert survives(str(log))
    assert not survives(str(other))
    assert capfd.readouterr() == ("", "")


def test_a_column_that_stands_twice_is_refused(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = pq.read_table(log)
    twice = table.append_column(table.schema.field("round"), table.column("round"))
    pq.write_table(twice, tmp_path / "twice.parquet")
    for engine in ("columns", "plain"):
        assert main(["replay", str(tmp_path / "twice.parquet"), "--engine", engine]) == 2
        assert "the column `round` twice" in capsys.readouterr().err


def test_events_of_another_kind_are_for_the_general_reader(log: Path) -> None:
    schema = pq.ParquetFile(log).schema_arrow
    assert as_written(schema)
    at = schema.get_field_index("events")
    element = schema.field("events").type.value_field
    for name, kind in (("cents", pa.decimal128(18, 4)), ("box", pa.date32())):
        parts = [f.with_type(kind) if f.name == name else f for f in element.type]
        other = pa.list_(element.with_type(pa.struct(parts)))
        assert not as_written(schema.set(at, schema.field("events").with_type(other)))
    absent = pa.list_(element.with_nullable(True))
    assert not as_written(schema.set(at, schema.field("events").with_type(absent)))
    needed = schema.field("events").with_nullable(False)
    assert not as_written(schema.set(at, needed))


def test_a_footer_with_two_schemas(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = log.read_bytes()
    at = footer_at(raw)
    footer = raw[at:-8]
    # the footer is: 1 version, 2 schema, …; another schema behind all else, by its number
    assert footer.startswith(b"\x15\x04\x19")
    assert footer.endswith(b"\0")
    again = footer[:-1] + b"\x09\x04" + b"\x0c" + b"\x00"  # an empty list of records, field 2
    other = tmp_path / "two.parquet"
    other.write_bytes(raw[:at] + again + len(again).to_bytes(4, "little") + raw[-4:])
    status, _, said = told(other, capsys)
    assert status == 2
    assert "two.parquet` " in said


def test_rows_that_are_not_said_are_not_passed_over(
    log: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lies(metadata: object) -> None:
        raise ValueError("row group 0 does not have the rows that it says")

    monkeypatch.setattr(log_parquet, "_count_rows", lies)
    assert main(["replay", str(log), "--engine", "plain"]) == 2
    assert "does not have the rows" in capsys.readouterr().err


@pytest.mark.parametrize("engine", ["columns", "plain"])
def test_a_row_with_more_events_than_a_line_could_hold_is_quarantined(
    engine: str, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = pq.read_table(log)
    counts = sorted(map(len, table.column("events").to_pylist()))
    most = counts[-4]
    monkeypatch.setattr(log_parquet, "MOST_EVENTS", most)
    told = tmp_path / "told.json"
    main(["replay", str(log), "--engine", engine, "--format", "json", "--output", str(told)])
    summary = json.loads(told.read_bytes())["summary"]
    longer = sum(count > most for count in counts)
    assert 0 < longer < 5
    assert summary["quarantined"] == longer
    assert summary["rounds"] == len(counts) - longer
