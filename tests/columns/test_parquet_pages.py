"""The pages of a Parquet log, read here as the general reader reads them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from checker.log.open import LogError
from checker.log.parquet_layout import IN_EVENTS
from checker.log.read import Quarantined, read_log
from tests.log.log_support import line_of
from tests.log.test_convert import ODD, convert, lines, write

pytest.importorskip("numba")
np = pytest.importorskip("numpy")
pq = pytest.importorskip("pyarrow.parquet")

from checker.columns.parquet import (
    chunk as parquet_chunk,
)
from checker.columns.parquet import (
    codes as parquet_codes,
)
from checker.columns.parquet import (
    footer as parquet_footer,
)
from checker.columns.parquet import (
    pages as parquet_pages,
)
from checker.columns.parquet import (
    read as from_parquet,
)
from checker.columns.parquet.prune import groups


@pytest.fixture
def log(tmp_path: Path) -> Path:
    source = write(tmp_path / "a.jsonl", [*lines(300), *map(line_of, ODD)])
    assert convert(source, tmp_path / "a.parquet") == 0
    return tmp_path / "a.parquet"


def said(events: Any) -> list[list[tuple[Any, ...]] | None]:
    """The events of each row, as values."""
    columns = []
    for name, codes in zip(IN_EVENTS, events.codes.T.tolist(), strict=False):
        part = events.parts[name]
        words = part.words.tolist() if part.starts is None else part.texts()
        columns.append([words[code - part.first] for code in codes])
    told = list(zip(*columns, strict=True))
    sizes = events.sizes.tolist()
    return [
        told[first:last] if there else None
        for first, last, there in zip(sizes, sizes[1:], events.there.tolist(), strict=False)
    ]


def by_pages(group: from_parquet.Group) -> Any:
    assert group.parts is not None
    with open(group.path, "rb") as file:
        told = group.metadata.row_group(group.number)
        return parquet_pages.read_events(file, told, group.parts)


def in_general(group: from_parquet.Group) -> Any:
    return from_parquet._events_of(from_parquet._read(group))


def test_events_are_those_of_the_general_reader(log: Path) -> None:
    (group,) = groups(str(log), False, None)
    found = by_pages(group)
    assert found is not None
    shown = said(found)
    assert shown == said(in_general(group))
    assert None in shown, "a line that is kept whole has no events"
    assert [] in shown or any(shown)


def test_rows_are_those_of_the_general_reader(log: Path) -> None:
    count = 0
    for part in from_parquet.parts_of(groups(str(log), False, None), 500):
        assert isinstance(part, from_parquet.Part)
        assert part.columns is not None
        assert part.before == part.first
        scan = part.scan()
        assert len(scan.rounds) == part.stop - part.first
        plain = np.flatnonzero(scan.spans[:, from_parquet.SCANNED] == 1).tolist()
        count += len(plain)
        for row in plain:
            assert part.round_at(row) == part.row_at(row)
    assert count > 1000


@pytest.mark.parametrize("how", [
    {"compression": "snappy"}, {"use_dictionary": False}, {"data_page_version": "2.0"},
    {"data_page_size": 1000},
])  # fmt: skip
def test_what_is_stored_otherwise_is_left_to_the_general_reader(
    log: Path, tmp_path: Path, how: dict[str, Any]
) -> None:
    from checker.log.parquet_layout import FORM, KEY

    table = pq.read_table(log).replace_schema_metadata({KEY: FORM})
    usual = {"compression": "zstd"}
    pq.write_table(table, tmp_path / "b.parquet", **{**usual, **how}, write_batch_size=64)
    (group,) = groups(str(tmp_path / "b.parquet"), False, None)
    assert group.parts is None or by_pages(group) is None
    (one,) = from_parquet.parts_of([group], 10_000)
    (other,) = from_parquet.parts_of(groups(str(log), False, None), 10_000)
    assert isinstance(one, from_parquet.Part)
    assert isinstance(other, from_parquet.Part)
    assert one.scan().spans.shape == other.scan().spans.shape


def test_damaged_pages_are_never_read_as_something_else(log: Path, tmp_path: Path) -> None:
    (group,) = groups(str(log), False, None)
    good = log.read_bytes()
    first = group.metadata.row_group(0)
    assert group.parts is not None
    spans = [first.column(number) for number in group.parts]
    rng = random.Random(3)
    broken = tmp_path / "c.parquet"
    refused = 0
    for _ in range(150):
        raw = bytearray(good)
        column = rng.choice(spans)
        start = column.dictionary_page_offset
        where = rng.randrange(min(column.total_compressed_size, 80)) if rng.random() < 0.5 \
            else rng.randrange(column.total_compressed_size)  # fmt: skip
        raw[start + where] ^= 1 << rng.randrange(8)
        broken.write_bytes(bytes(raw))
        changed = from_parquet.Group(str(broken), 0, 0, group.metadata, True, group.parts)
        found = by_pages(changed)
        if found is None:
            refused += 1
            continue
        assert said(found) == said(in_general(changed))
    assert refused > 20


def slowly(data: bytes, width: int, count: int) -> list[int] | None:
    """Runs and packed numbers as the description of Parquet has them."""
    found: list[int] = []
    at = 0
    while len(found) < count:
        header = shift = 0
        while True:
            if at >= len(data) or shift > 28:
                return None
            header |= (data[at] & 127) << shift
            shift += 7
            at += 1
            if data[at - 1] < 128:
                break
        length = header >> 1
        size = length * width if header & 1 else (width + 7) // 8
        if not 0 < length < 2**31 or at + size > len(data):
            return None
        number = int.from_bytes(data[at : at + size], "little")
        if header & 1:
            most = min(8 * length, count - len(found))
            found += [number >> width * k & ((1 << width) - 1) for k in range(most)]
        else:
            found += [number] * min(length, count - len(found))
        at += size
    return found


def test_numbers_are_unpacked_as_described() -> None:
    rng = random.Random(5)
    good = 0
    for _ in range(3000):
        width, count = rng.randrange(0, 25), rng.randrange(0, 60)
        data = bytearray()
        for _ in range(rng.randrange(1, 6)):
            length = rng.randrange(0, 4)
            packed = rng.random() < 0.5
            data.append(length << 1 | packed)
            data += rng.randbytes(length * width if packed else (width + 7) // 8)
        if rng.random() < 0.2:
            data = bytearray(rng.randbytes(rng.randrange(20)))
        made = np.zeros(count, np.int32)
        wanted = slowly(bytes(data), width, count)
        assert parquet_codes.unpacked(bytes(data), 0, len(data), width, made) == (
            wanted is not None
        )
        if wanted is not None:
            good += 1
            assert made.tolist() == wanted
    assert good > 300


def packed_bits(bits: list[int], rng: random.Random) -> bytes:
    """Numbers of one bit, some in runs and some packed."""
    found, at = b"", 0
    while at < len(bits):
        run = next((k for k, bit in enumerate(bits[at:]) if bit != bits[at]), len(bits) - at)
        if run >= 8 and rng.random() < 0.7:
            found += bytes((run << 1, bits[at]))
            at += run
        else:
            eights = rng.randrange(1, 5)
            some = [*bits[at : at + 8 * eights], *[0] * 32][: 8 * eights]
            packed = sum(bit << k for k, bit in enumerate(some))
            found += bytes((eights << 1 | 1, *packed.to_bytes(eights, "little")))
            at += 8 * eights
    return found


def test_rows_are_told_apart_by_packed_levels_as_by_unpacked_ones() -> None:
    rng, told = random.Random(4), 0
    for _ in range(3000):
        rows = rng.randrange(1, 12)
        bits = [bit for _ in range(rows) for bit in (0, *[1] * rng.randrange(30))]
        goes_on = bytearray(packed_bits(bits, rng))
        if rng.random() < 0.5:
            goes_on[rng.randrange(len(goes_on))] = rng.randrange(256)
        rows = max(1, rows + rng.choice((-1, 0, 0, 0, 0, 1)))
        header = len(bits) << 1
        is_event = (
            bytes((header & 127 | 128, header >> 7, 2)) if header > 127 else bytes((header, 2))
        )
        page = b"".join(len(x).to_bytes(4, "little") + x for x in (goes_on, is_event)) + bytes(9)
        assert parquet_pages._is_one_run(is_event, len(bits))
        found = []
        for by_bits in (True, False):
            sizes, there = np.zeros(rows + 1, np.int64), np.zeros(rows, np.bool_)
            try:
                good = (
                    parquet_pages._rows_by_levels(page, len(bits), sizes, there)
                    if by_bits
                    else parquet_pages._rows_of(
                        *parquet_pages._levels(page, len(bits)), sizes, there
                    )
                )
            except ValueError:
                good = False
            found.append((sizes.tolist(), there.tolist()) if good else None)
        assert found[0] == found[1], page
        told += found[0] is not None
    assert told > 1000


def test_any_bytes_may_stand_in_a_header() -> None:
    rng = random.Random(7)
    for _ in range(3000):
        raw = rng.randbytes(rng.randrange(1, 40))
        try:
            _, end = parquet_chunk.struct_at(raw, 0)
        except parquet_chunk.BAD:
            continue
        assert end > 0


@pytest.mark.parametrize("column", [0, 3, 14])
def test_where_a_file_is_damaged_its_reading_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, column: int
) -> None:
    from checker.columns.gather import Reading
    from checker.replay.replay import Filter

    monkeypatch.setattr("checker.convert.GROUP", 512)
    source = write(tmp_path / "a.jsonl", lines(300))
    assert convert(source, tmp_path / "a.parquet") == 0
    broken = tmp_path / "a.parquet"
    raw = bytearray(broken.read_bytes())
    with pq.ParquetFile(broken) as file:
        told = file.metadata.row_group(1).column(column)
    middle = told.data_page_offset + told.total_compressed_size // 3
    raw[middle : middle + 40] = bytes(40)
    broken.write_bytes(bytes(raw))
    plain = [one for one in read_log(broken) if isinstance(one, Quarantined)]
    assert [one.line for one in plain] == [513]
    reading = Reading((), Filter())
    parts = from_parquet.parts_of(groups(str(broken), False, None))
    read = [reading.gathered(0, "a", reading.scanned(part)) for part in parts]
    assert [bad for one in read for _, bad in one.bad] == plain
    assert [len(one.batch.rounds) for one in read] == [512, 1]


def test_a_footer_that_contradicts_itself_is_left_to_the_general_reader(
    log: Path, tmp_path: Path
) -> None:
    """Each byte of a footer in turn: whoever asks Arrow about such a column is ended by it."""
    raw = log.read_bytes()
    with log.open("rb") as file:
        assert parquet_footer.is_sound(file)
    start = len(raw) - 8 - int.from_bytes(raw[-8:-4], "little")
    refused = 0
    for place in range(start, len(raw) - 8, 11):
        changed = tmp_path / "b.parquet"
        changed.write_bytes(raw[:place] + bytes([raw[place] ^ 6]) + raw[place + 1 :])
        with changed.open("rb") as file:
            sound = parquet_footer.is_sound(file)
        refused += not sound
        try:
            found = groups(str(changed), False, None)
        except LogError:
            continue
        assert sound or all(not group.ours for group in found)
        for group in found if sound else ():
            told = group.metadata.row_group(group.number)
            assert [told.column(n).num_values >= 0 for n in range(told.num_columns)]
    assert refused > 30


def test_a_column_that_was_taken_out_is_not_missed(log: Path, tmp_path: Path) -> None:
    table = pq.read_table(log)
    usual = {(r.id, r.events) for r in read_log(log) if not isinstance(r, Quarantined)}
    for name in ("shoe", "clock", "limits"):
        fewer = tmp_path / f"{name}.parquet"
        pq.write_table(table.drop([name]), fewer)
        (part,) = from_parquet.parts_of(groups(str(fewer), False, None))
        assert part.columns is None
        found = {(r.id, r.events) for r in read_log(fewer) if not isinstance(r, Quarantined)}
        assert found == usual
