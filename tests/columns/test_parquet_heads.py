"""What the rows of a Parquet log say before their events, read from pages as the general reader."""

from __future__ import annotations

import itertools
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.log.test_convert import convert, lines, write

pytest.importorskip("numba")
np = pytest.importorskip("numpy")
pq = pytest.importorskip("pyarrow.parquet")

from checker.columns.parquet import codes as parquet_codes
from checker.columns.parquet import read as from_parquet
from checker.columns.parquet.heads import head_columns, read_heads
from checker.columns.parquet.prune import groups

NOTHING = np.zeros(0, np.uint8)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of which every line is said by the columns; some lines leave out what they may."""
    made = lines(300)
    for every, stop, left_out in (
        (7, len(made), rb'"shoe":"[^"]*",'), (11, len(made), rb'"options":\[[^]]*\],'),
        (5, 300, rb'"rulebook":"[^"]*",'),
    ):  # fmt: skip
        for row in range(0, stop, every):
            made[row] = re.sub(left_out, b"", made[row])
    assert convert(write(tmp_path / "a.jsonl", made), tmp_path / "a.parquet") == 0
    return tmp_path / "a.parquet"


def said(data: Any, spans: Any, heads: list[bytes]) -> list[tuple[Any, ...]]:
    """What each row says, as values."""
    raw = data.tobytes()
    found = []
    for span in spans.tolist():
        texts = [
            raw[span[start] : span[start] + span[length]] if span[length] >= 0 else None
            for _, start, length in from_parquet._TEXTS
        ]
        at = span[from_parquet.AT_START]
        quotes = raw[at - 1 : at], raw[at + span[from_parquet.AT_LENGTH] :][:1]
        found.append((span[from_parquet.SCANNED], *texts, quotes, heads[span[from_parquet.HEAD]]))
    return found


def by_pages(group: from_parquet.Group) -> list[tuple[Any, ...]] | None:
    assert group.heads is not None
    with open(group.path, "rb") as file:
        told = group.metadata.row_group(group.number)
        there = np.ones(told.num_rows, np.bool_)
        read = read_heads(file, told, group.heads, there, NOTHING)
    return None if read is None else said(read[0].data, read[0].spans, read[0].heads)


def in_general(group: from_parquet.Group) -> list[tuple[Any, ...]]:
    table = from_parquet._read(group)
    events = from_parquet._events_of(table)
    assert events is not None
    events = replace(events, there=np.ones(table.num_rows, np.bool_))
    found = from_parquet._columns(table, events)
    assert found is not None
    return said(found.data, found.spans, found.heads)


def test_rows_say_what_they_say_to_the_general_reader(log: Path) -> None:
    (group,) = groups(str(log), False, None)
    found = by_pages(group)
    assert found is not None
    assert found == in_general(group)
    assert {None} < {shoe for _, _, _, shoe, *_ in found}, "some name no shoe"
    assert len({head for *_, head in found}) > 10
    with pq.ParquetFile(log) as file:
        assert file.metadata.row_group(0).num_rows == len(found) > 1000


def test_a_log_that_never_names_a_shoe(tmp_path: Path) -> None:
    made = [re.sub(rb'"(shoe|rulebook)":"[^"]*",', b"", line) for line in lines(300)[:300]]
    assert convert(write(tmp_path / "a.jsonl", made), tmp_path / "a.parquet") == 0
    (group,) = groups(str(tmp_path / "a.parquet"), False, None)
    found = by_pages(group)
    assert found is not None
    assert found == in_general(group)
    assert {shoe for _, _, _, shoe, *_ in found} == {None}


def test_batches_are_the_same_either_way(log: Path) -> None:
    found = groups(str(log), False, None)
    slow = [replace(group, heads=None) for group in found]
    seen = 0
    for one, other in zip(
        from_parquet.parts_of(found, 500), from_parquet.parts_of(slow, 500), strict=True
    ):
        assert isinstance(one, from_parquet.Part)
        assert isinstance(other, from_parquet.Part)
        fast, general = one.scan(), other.scan()
        assert (fast.rounds == general.rounds).all()
        assert (fast.events == general.events).all()
        assert (fast.amounts == general.amounts).all()
        for row in np.flatnonzero(fast.spans[:, from_parquet.SCANNED] == 1).tolist():
            assert one.round_at(row) == other.round_at(row)
            seen += 1
    assert seen > 1000


def test_a_line_that_is_kept_whole_is_for_the_general_reader(tmp_path: Path) -> None:
    made = lines(20)
    made[3] = made[3].replace(b'"events":', b'"pit":"B","events":')
    assert convert(write(tmp_path / "a.jsonl", made), tmp_path / "a.parquet") == 0
    (group,) = groups(str(tmp_path / "a.parquet"), False, None)
    assert by_pages(group) is None


@pytest.mark.parametrize("how", [
    {"compression": "snappy"}, {"use_dictionary": False}, {"data_page_version": "2.0"},
    {"data_page_size": 500}, {"column_encoding": {"round": "DELTA_BYTE_ARRAY", "at": "PLAIN"}},
])  # fmt: skip
def test_what_is_stored_otherwise_is_for_the_general_reader(
    log: Path, tmp_path: Path, how: dict[str, Any]
) -> None:
    from checker.log.parquet_layout import CODED, FORM, KEY

    table = pq.read_table(log).replace_schema_metadata({KEY: FORM})
    usual = {
        "compression": "zstd", "use_dictionary": [*CODED, "decks"], "write_batch_size": 64,
        "column_encoding": {"round": "DELTA_BYTE_ARRAY", "at": "DELTA_BYTE_ARRAY"},
    }  # fmt: skip
    other = tmp_path / "b.parquet"
    pq.write_table(table, other, **usual)
    (group,) = groups(str(other), False, None)
    assert by_pages(group) == in_general(group)
    if "use_dictionary" in how:
        del usual["column_encoding"]
    pq.write_table(table, other, **{**usual, **how})
    (group,) = groups(str(other), False, None)
    assert by_pages(group) is None


def test_damaged_pages_are_never_read_as_something_else(log: Path, tmp_path: Path) -> None:
    import pyarrow as pa

    (group,) = groups(str(log), False, None)
    assert group.heads is not None
    good = log.read_bytes()
    first = group.metadata.row_group(0)
    spans = [first.column(number) for number in group.heads.values()]
    rng = random.Random(4)
    broken = tmp_path / "c.parquet"
    refused = kept = 0
    for _ in range(300):
        raw = bytearray(good)
        column = rng.choice(spans)
        start = column.dictionary_page_offset or column.data_page_offset
        size = column.total_compressed_size
        where = rng.randrange(min(size, 80) if rng.random() < 0.5 else size)
        raw[start + where] ^= 1 << rng.randrange(8)
        broken.write_bytes(bytes(raw))
        changed = replace(group, path=str(broken))
        found = by_pages(changed)
        if found is None:
            refused += 1
            continue
        kept += 1
        try:
            assert found == in_general(changed)
        except (pa.ArrowException, OSError):
            pytest.fail("read here, though the general reader refuses it")
    assert refused > 50
    assert kept > 50


def test_columns_of_another_kind_are_for_the_general_reader(log: Path, tmp_path: Path) -> None:
    import pyarrow as pa

    with pq.ParquetFile(log) as file:
        assert head_columns(file.metadata) is not None
    table = pq.read_table(log)
    decks = table.schema.get_field_index("decks")
    wide = table.set_column(decks, "decks", table.column("decks").cast(pa.int64()))
    pq.write_table(wide, tmp_path / "b.parquet", compression="zstd")
    with pq.ParquetFile(tmp_path / "b.parquet") as file:
        assert head_columns(file.metadata) is None


# --- packed numbers and texts


def varint(number: int) -> bytes:
    made = bytearray()
    while number > 127:
        made.append(number & 127 | 128)
        number >>= 7
    return bytes([*made, number])


def zigzag(number: int) -> bytes:
    return varint(number << 1 if number >= 0 else (-number << 1) - 1)


def packed(sizes: list[int], parts: int = 4, of_part: int = 32) -> bytes:
    """Numbers as the description of DELTA_BINARY_PACKED has them."""
    made = varint(parts * of_part) + varint(parts) + varint(len(sizes)) + zigzag((sizes or [0])[0])
    steps = [b - a for a, b in itertools.pairwise(sizes)]
    for start in range(0, len(steps), parts * of_part):
        block = steps[start : start + parts * of_part]
        least = min(block)
        some = [block[k : k + of_part] for k in range(0, parts * of_part, of_part)]
        widths = [max((step - least).bit_length() for step in part) if part else 0 for part in some]
        made += zigzag(least) + bytes(widths)
        for part, width in zip(some, widths, strict=True):
            if part:
                number = sum((step - least) << width * k for k, step in enumerate(part))
                made += number.to_bytes(of_part * width // 8, "little")
    return made


def test_sizes_are_read_as_described_and_never_beyond_the_page() -> None:
    rng = random.Random(9)
    refused = 0
    for _ in range(400):
        most = rng.choice([1, 3, 40, 5000])
        sizes = [rng.randrange(most) for _ in range(rng.randrange(0, 300))]
        raw = packed(sizes, *rng.choice([(4, 32), (2, 64), (1, 128), (4, 64)]))
        made = np.zeros(len(sizes), np.int64)
        page = np.frombuffer(b"ab" + raw, np.uint8)
        assert parquet_codes.sizes_at(page, 2, made) == len(page)
        assert made.tolist() == sizes
        short = page[: rng.randrange(2, len(page))]
        assert parquet_codes.sizes_at(short, 2, made) < 0
        changed = bytearray(page.tobytes())
        changed[rng.randrange(2, len(changed))] ^= 1 << rng.randrange(8)
        end = parquet_codes.sizes_at(np.frombuffer(bytes(changed), np.uint8), 2, made)
        assert end <= len(changed)
        assert end < 0 or (made >= 0).all()
        refused += end < 0
    assert refused > 40
    small = np.frombuffer(packed([1, 2, 3], 1, 8), np.uint8)  # Arrow reads no such blocks
    assert parquet_codes.sizes_at(small, 0, np.zeros(3, np.int64)) < 0


def test_texts_are_joined_within_bounds() -> None:
    page = np.frombuffer(b"..alphabet", np.uint8)

    def joined(same: list[int], more: list[int], room: int = 40, quote: int = 0) -> Any:
        made = np.zeros(room, np.uint8)
        starts, lengths = np.zeros((2, len(same)), np.int64)
        used = parquet_codes.join_texts(
            page, 2, np.array(same), np.array(more), quote, made, starts, lengths
        )
        raw = made.tobytes()
        spans = zip(starts.tolist(), lengths.tolist(), strict=True)
        return None if used < 0 else [raw[start : start + size] for start, size in spans]

    assert joined([0, 3], [5, 3]) == [b"alpha", b"alpbet"]
    assert joined([0, 3], [5, 3], room=21) == [b"alpha", b"alpbet"]
    assert joined([0, 3], [5, 3], quote=34) == [b"alpha", b"alpbet"]
    assert joined([0, 0, 8], [8, 0, 0]) is None, "the text before has no eight bytes"
    assert joined([0, 3], [5, 4]) is None, "the page ends before"
    assert joined([0, 3], [5, 2]) is None, "the page goes on"
    assert joined([0, 3], [5, 3], room=20) is None, "no room"
