"""A Parquet log reads the same however it is stored, and where it is damaged, in every engine."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from checker.log.model import Round
from checker.log.open import LogError
from checker.log.parquet_layout import CODED, FORM, KEY
from checker.log.read import Quarantined, read_log
from tests.log.log_support import line_of
from tests.log.test_convert import ODD, convert, lines, write

np = pytest.importorskip("numpy")
pytest.importorskip("numba")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from checker.columns.batch import PLAIN, STATUS
from checker.columns.gather import Gathered, Reading
from checker.columns.parquet.prune import groups
from checker.columns.parquet.read import Part, parts_of
from checker.columns.read.scan import SCANNED
from checker.replay.replay import Filter
from tests.columns.test_columns_scan import BOOKS, row_differs
from tests.support import all_or_some

COUNT = 60


def some_lines() -> list[bytes]:
    """Lines that the columns say, some without what may be left out, and lines kept whole."""
    made = lines(COUNT)
    for every, left_out in (
        (7, rb'"shoe":"[^"]*",'),
        (11, rb'"options":\[[^]]*\],'),
        (5, rb'"rulebook":"[^"]*",'),
    ):
        for row in range(0, len(made), every):
            made[row] = re.sub(left_out, b"", made[row])
    return [*made, *map(line_of, ODD)]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("log")
    assert convert(write(folder / "a.jsonl", some_lines()), folder / "a.parquet") == 0
    return folder / "a.parquet"


def gathered(path: Path, most: int = 8192) -> list[Gathered]:
    reading = Reading(BOOKS, Filter())
    parts = parts_of(groups(str(path), False, None), most)
    return [reading.gathered(0, "a", reading.scanned(part)) for part in parts]


def by_columns(path: Path, most: int = 8192) -> list[Round | Quarantined]:
    """Every row of a log, in order."""
    found: list[tuple[int, Round | Quarantined]] = []
    for one in gathered(path, most):
        found += [(bad.line, bad) for _, bad in one.bad]
        rows = [
            one.round_at(row)
            for row in range(len(one.batch.rounds))
            if row in one.decoded or one.batch.rounds[row, STATUS] == PLAIN
        ]
        found += [(round_.line, round_) for round_ in rows]
    return [one for _, one in sorted(found, key=lambda pair: pair[0])]


def test_a_log_says_what_its_lines_said(log: Path) -> None:
    (part,) = parts_of(groups(str(log), False, None))
    assert isinstance(part, Part)
    plain = np.count_nonzero(part.scan().spans[:, SCANNED] == 1)
    assert 5 * COUNT <= plain < part.batch.num_rows == 5 * COUNT + len(ODD)
    assert by_columns(log) == list(read_log(log)) == list(read_log(log.with_suffix(".jsonl")))


def test_a_long_group_is_read_in_parts(log: Path) -> None:
    parts = list(parts_of(groups(str(log), False, None), 50))
    assert [part.before for part in parts] == list(range(0, 5 * COUNT + len(ODD), 50))
    assert by_columns(log, 50) == by_columns(log)


STORED: list[dict[str, Any]] = [
    {"compression": "snappy"},
    {"use_dictionary": False},
    {"data_page_version": "2.0"},
    {"data_page_size": 500},
    {"dictionary_pagesize_limit": 200},
    {"row_group_size": 70},
    {"column_encoding": {"round": "DELTA_BYTE_ARRAY", "at": "PLAIN"}, "use_dictionary": [*CODED]},
    {"write_page_checksum": True},
]


@pytest.mark.parametrize("how", STORED, ids=lambda how: next(iter(how)))
def test_what_is_stored_otherwise_means_the_same(
    log: Path, tmp_path: Path, how: dict[str, Any]
) -> None:
    table = pq.read_table(log).replace_schema_metadata({KEY: FORM})
    other = tmp_path / "b.parquet"
    pq.write_table(table, other, **{"write_batch_size": 64, **how})
    parts = list(parts_of(groups(str(other), False, None)))
    assert all(isinstance(part, Part) and part.plain for part in parts)
    assert by_columns(other) == by_columns(log)
    if len(parts) == 1:
        (one,), (usual,) = gathered(other), gathered(log)
        for row in range(len(usual.batch.rounds)):
            assert row_differs(one.batch, usual.batch, row) is None


@pytest.mark.parametrize("codes", [(0, 1, 2, 3), (0, 1, 2, 0)])
def test_a_dictionary_with_a_word_twice(tmp_path: Path, codes: tuple[int, ...]) -> None:
    """Arrow drops one of the two and takes codes for other words; where no row has the last word,
    no code is too high for the words that are left."""
    assert convert(write(tmp_path / "a.jsonl", lines(1)[:4]), tmp_path / "a.parquet") == 0
    table = pq.read_table(tmp_path / "a.parquet")
    named = pa.DictionaryArray.from_arrays(list(codes), ["T01", "T02", "T03", "T04"])
    table = table.set_column(table.schema.get_field_index("table"), "table", named)
    stored = tmp_path / "b.parquet"
    with pq.ParquetWriter(stored, table.schema, compression="none", store_schema=False) as made:
        made.add_key_value_metadata({KEY: FORM})
        made.write_table(table)
    words = b"".join(b"\3\0\0\0T%02d" % n for n in (1, 2, 3, 4))
    content = stored.read_bytes()
    assert content.count(words) == 1
    stored.write_bytes(content.replace(words, words.replace(b"T02", b"T01")))
    (part,) = parts_of(groups(str(stored), False, None))
    assert isinstance(part, Part)
    assert part.plain
    found = by_columns(stored)
    assert found == list(read_log(stored))
    wanted = [("T01", "T01", "T03", "T04")[code] for code in codes]
    assert [one.table for one in found if isinstance(one, Round)] == wanted


@pytest.mark.slow
def test_damaged_pages_are_read_alike(log: Path, tmp_path: Path) -> None:
    good = log.read_bytes()
    with pq.ParquetFile(log) as file:
        first = file.metadata.row_group(0)
        columns = [first.column(number) for number in range(first.num_columns)]
    rng = random.Random(3)
    tries = all_or_some(60, 20)
    broken = tmp_path / "c.parquet"
    cut = 0
    for _ in range(tries):
        raw = bytearray(good)
        column = rng.choice(columns)
        start = column.dictionary_page_offset or column.data_page_offset
        size = column.total_compressed_size
        where = rng.randrange(min(size, 80) if rng.random() < 0.5 else size)
        raw[start + where] ^= 1 << rng.randrange(8)
        broken.write_bytes(bytes(raw))
        plain = list(read_log(broken))
        assert by_columns(broken) == plain
        cut += isinstance(plain[-1], Quarantined) and "damaged here" in str(plain[-1])
    assert tries // 3 < cut < tries


@pytest.mark.parametrize("column", ["options", "events.list.element.box"])
def test_a_column_without_values_does_not_hide_rows(log: Path, tmp_path: Path, column: str) -> None:
    table = pq.read_table(log).slice(0, 10).replace_schema_metadata({KEY: FORM})
    broken = tmp_path / "b.parquet"
    pq.write_table(table, broken, compression="none", use_dictionary=False)
    with pq.ParquetFile(broken) as file:
        told = file.metadata.row_group(0)
        columns = [told.column(number) for number in range(told.num_columns)]
    (one,) = (found for found in columns if found.path_in_schema == column)
    raw = bytearray(broken.read_bytes())
    number = rb"[\x80-\xff]*[\x00-\x7f]"
    header = re.compile(rb"\x15\x00\x15%b\x15%b\x2c\x15(%b)" % (number, number, number), re.S)
    found = header.match(raw, one.data_page_offset)
    assert found is not None
    start, end = found.span(1)
    raw[start:end] = b"\x80" * (end - start - 1) + b"\0"  # how many values the page has
    broken.write_bytes(bytes(raw))
    plain = list(read_log(broken))
    assert len(plain) == 1
    assert isinstance(plain[0], Quarantined)
    assert by_columns(broken) == plain


@pytest.mark.parametrize("column", [0, 3, 14])
def test_where_a_file_is_damaged_its_reading_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, column: int
) -> None:
    monkeypatch.setattr("checker.convert.GROUP", 512)
    assert convert(write(tmp_path / "a.jsonl", lines(150)), tmp_path / "a.parquet") == 0
    broken = tmp_path / "a.parquet"
    raw = bytearray(broken.read_bytes())
    with pq.ParquetFile(broken) as file:
        told = file.metadata.row_group(1).column(column)
    middle = told.data_page_offset + told.total_compressed_size // 3
    raw[middle : middle + 40] = bytes(40)
    broken.write_bytes(bytes(raw))
    plain = [one for one in read_log(broken) if isinstance(one, Quarantined)]
    assert [one.line for one in plain] == [513]
    read = gathered(broken)
    assert [bad for one in read for _, bad in one.bad] == plain
    assert [len(one.batch.rounds) for one in read] == [512, 1]


@pytest.mark.slow
def test_any_footer_is_read_alike_or_refused(tmp_path: Path) -> None:
    """Some bytes of a footer in turn: whoever asks Arrow about such a column is ended by it."""
    assert convert(write(tmp_path / "a.jsonl", lines(2)), tmp_path / "a.parquet") == 0
    raw = (tmp_path / "a.parquet").read_bytes()
    start = len(raw) - 8 - int.from_bytes(raw[-8:-4], "little")
    changed = tmp_path / "b.parquet"
    refused = 0
    for place in range(start, len(raw) - 8, all_or_some(29, 101)):
        changed.write_bytes(raw[:place] + bytes([raw[place] ^ 6]) + raw[place + 1 :])
        found: list[Any] = []
        for read in (by_columns, read_log):
            try:
                found.append(list(read(changed)))
            except LogError as error:
                found.append((error.message, error.help))
        assert found[0] == found[1], place
        refused += isinstance(found[0], tuple)
    assert refused > all_or_some(10, 3)


def test_a_column_that_was_taken_out_is_not_missed(log: Path, tmp_path: Path) -> None:
    table = pq.read_table(log)
    usual = {(r.id, r.events) for r in read_log(log) if not isinstance(r, Quarantined)}
    for name in ("shoe", "clock", "limits"):
        fewer = tmp_path / f"{name}.parquet"
        pq.write_table(table.drop([name]), fewer)
        (part,) = parts_of(groups(str(fewer), False, None))
        assert isinstance(part, Part)
        assert not part.plain
        found = {(r.id, r.events) for r in read_log(fewer) if not isinstance(r, Quarantined)}
        assert found == usual
