"""JSON Lines to Parquet and back: nothing is lost, and replay reads both alike."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from checker.cli import main
from checker.log.model import Round
from checker.log.read import Quarantined, read_log
from rulespec.load.load import shipped
from tests.log.log_support import FULL, PLAIN, line_of, numbered
from tests.support import with_boxes

pa = pytest.importorskip("pyarrow")
EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def lines(count: int = 60, names: list[str] | None = None) -> list[bytes]:
    """Lines as `rulespec simulate` writes them, of these rulebooks or of all with columns."""
    found: list[bytes] = []
    for name in names or with_boxes():
        path = EXAMPLES / f"{name}.jsonl.gz"
        found += gzip.decompress(path.read_bytes()).splitlines()[:count]
    return found


def write(path: Path, raw: list[bytes]) -> Path:
    path.write_bytes(b"".join(line + b"\n" for line in raw))
    return path


def convert(source: Path, target: Path, *more: str) -> int:
    return main(["convert", str(source), str(target), "--quiet", *more])


def rounds(path: Path) -> list[Round]:
    found = list(read_log(path))
    assert not [x for x in found if isinstance(x, Quarantined)]
    return [x for x in found if isinstance(x, Round)]


# Valid, and not in the form that the simulator writes.
ODD: list[dict[str, Any]] = [
    PLAIN,
    {**FULL, "round": "every event"},
    {**PLAIN, "round": "a field of their own", "pit": {"name": "B", "chips": 2.50}},
    {**PLAIN, "round": "Ω", "table": "Zürich"},
    {**PLAIN, "round": "no shoe", "shoe": "S"},
    {k: v for k, v in PLAIN.items() if k not in ("shoe", "options", "limits", "rulebook")}
    | {"round": "only what is needed"},
    {
        **PLAIN,
        "round": "no card",
        "events": [
            {"e": "wager", "box": 1, "player": "P", "bet": "main", "stake": 5, "player_card": None},
            {"e": "wager", "box": 1, "player": "Q", "bet": "main", "stake": 5, "control": False},
            {"e": "deal", "box": 1, "hand": 1, "card": "JOKER", "seen_by": "camera 4"},
        ],
    },
    {**PLAIN, "round": "nothing happened", "events": []},
]


@pytest.mark.parametrize("suffix", ["parquet", "jsonl.gz", "jsonl.zst"])
def test_simulated_lines_come_back_byte_for_byte(tmp_path: Path, suffix: str) -> None:
    if suffix.endswith("zst"):
        pytest.importorskip("zstandard")
    source = write(tmp_path / "a.jsonl", lines())
    assert convert(source, tmp_path / f"b.{suffix}") == 0
    assert convert(tmp_path / f"b.{suffix}", tmp_path / "c.jsonl") == 0
    assert (tmp_path / "c.jsonl").read_bytes() == source.read_bytes()
    assert rounds(tmp_path / f"b.{suffix}") == rounds(source)


@pytest.mark.parametrize("fast", [True, False])
def test_odd_lines_decode_to_the_same(
    tmp_path: Path, fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not fast:
        monkeypatch.setattr("checker.convert.columns_at_hand", lambda: False)
    raw = [json.dumps(one, ensure_ascii=n % 2 == 0).encode() for n, one in enumerate(ODD)]
    mixed = [line for pair in zip(raw, lines(2), strict=False) for line in pair]
    source = write(tmp_path / "a.jsonl", mixed)
    assert convert(source, tmp_path / "b.parquet") == 0
    assert rounds(tmp_path / "b.parquet") == rounds(source)
    assert convert(tmp_path / "b.parquet", tmp_path / "c.jsonl") == 0
    assert rounds(tmp_path / "c.jsonl") == rounds(source)
    kept = [json.loads(line) for line in (tmp_path / "c.jsonl").read_bytes().splitlines()]
    assert {"name": "B", "chips": 2.5} in [x.get("pit") for x in kept]
    assert "camera 4" in [e.get("seen_by") for x in kept for e in x["events"]]


def test_the_columns_are_there_for_other_tools(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    import pyarrow.parquet as pq

    source = write(tmp_path / "a.jsonl", lines())
    convert(source, tmp_path / "b.parquet")
    table = pq.read_table(tmp_path / "b.parquet")
    assert table.column("line").null_count == table.num_rows
    first = table.slice(0, 1).to_pylist()[0]
    said = json.loads(lines()[0])
    assert (first["round"], first["table"], first["decks"]) == (said["round"], "T01", said["decks"])
    shown = first["events"]
    assert [e["e"] for e in shown] == [e["e"] for e in said["events"]]
    assert [e["cents"] for e in shown if e["e"] == "wager"] == [
        e["stake"] * 100 for e in said["events"] if e["e"] == "wager"
    ]
    assert [e["what"] for e in shown if e["e"] == "settle"] == [
        e["bet"] for e in said["events"] if e["e"] == "settle"
    ]


def test_parquet_of_others_becomes_lines(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    texts = [
        {**x, **{k: json.dumps(x[k]) for k in ("events", "limits", "options")}} for x in numbered(3)
    ]
    pq.write_table(pa.Table.from_pylist(texts), tmp_path / "a.parquet")
    assert convert(tmp_path / "a.parquet", tmp_path / "b.jsonl") == 0
    assert rounds(tmp_path / "b.jsonl") == rounds(tmp_path / "a.parquet")


def test_bad_lines_are_refused_or_put_aside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = lines(1)
    source = write(tmp_path / "a.jsonl", [good[0], b"{bad", good[1], good[0]])
    target = tmp_path / "b.parquet"
    assert convert(source, target) == 2
    assert not target.exists()
    said = capsys.readouterr().err
    assert "line 2 of" in said
    assert "help: --quarantine FILE" in said
    assert convert(source, target, "--quarantine", str(tmp_path / "bad")) == 3
    assert (tmp_path / "bad").read_bytes() == b"{bad\n"
    assert len(rounds(target)) == 3, "a round that stands twice is kept twice: nothing is lost"
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")], "nothing is left behind"


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("a.jsonl", "b.xlsx", "what `b.xlsx` should be is not known from its name"),
        ("a.jsonl", "none/b.parquet", "no folder"),
        ("a.jsonl", "a.jsonl", "is read, so it cannot be written to"),
        ("none.jsonl", "b.parquet", "does not exist"),
        ("b.parquet", "c.parquet", "is Parquet already"),
    ],
)
def test_calls_that_are_wrong(
    tmp_path: Path, source: str, target: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "a.jsonl", [line_of(PLAIN)])
    assert convert(tmp_path / "a.jsonl", tmp_path / "b.parquet") == 0
    assert convert(tmp_path / source, tmp_path / target) == 2
    assert message in capsys.readouterr().err


def test_row_groups_are_read_into_the_same_columns(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    from checker.columns.gather import Reading
    from checker.columns.parquet.prune import groups
    from checker.columns.parquet.read import parts_of
    from checker.columns.read.source import pieces
    from checker.log.open import open_log
    from checker.replay.replay import Filter
    from tests.columns.test_columns_scan import BOOKS, row_differs

    raw = [json.dumps(one).encode() for one in ODD]
    source = write(tmp_path / "a.jsonl", [*lines(), *raw])
    convert(source, tmp_path / "b.parquet")
    parts = []
    for log, found in (
        (source, pieces(open_log(str(source)))),
        (tmp_path / "b.parquet", parts_of(groups(str(tmp_path / "b.parquet"), False, None))),
    ):
        reading = Reading(BOOKS, Filter())
        parts.append(reading.gathered(0, str(log), reading.scanned(next(iter(found)))))
    assert len(parts[0].batch.rounds) == len(parts[1].batch.rounds) > 200
    for row in range(len(parts[0].batch.rounds)):
        assert row_differs(parts[1].batch, parts[0].batch, row) is None
        assert parts[0].round_at(row) == parts[1].round_at(row)
    assert len(parts[1].decoded) == len(parts[1].batch.rounds)


def test_a_file_that_only_claims_to_be_ours_is_read_strictly(tmp_path: Path) -> None:
    """Somebody changed the columns: what the decoder refuses must not get through."""
    pytest.importorskip("numba")
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    from checker.columns.gather import Reading
    from checker.columns.parquet.prune import groups
    from checker.columns.parquet.read import parts_of
    from checker.log.parquet_layout import FORM, KEY
    from checker.replay.replay import Filter

    source = write(tmp_path / "a.jsonl", lines(4))
    convert(source, tmp_path / "b.parquet")
    table = pq.read_table(tmp_path / "b.parquet")
    bad = {
        "decks": pa.array([13] * table.num_rows, pa.int8()),
        "at": pa.array(["2024-02-30T00:00:00Z"] * table.num_rows),
        "limits": pa.array(["{}}"] * table.num_rows),
        "options": pa.array(['[],"decks":3'] * table.num_rows),
        "round": pa.array([""] * table.num_rows),
        "table": pa.array([""] * table.num_rows),
        "shoe": pa.array([""] * table.num_rows),
        "rulebook": pa.array([""] * table.num_rows),
        "events": pc.if_else(pa.array([False] * table.num_rows), table.column("events"), None),
    }
    for field, value in (
        ("e", "sleep"),
        ("box", -1),
        ("box", 10),
        ("hand", 100),
        ("hand", -1),
        ("player", ""),
        ("card", "1S"),
        ("card", ""),
        ("what", "fold"),
        ("what", "main standing seated"),
        ("what", ""),
        ("cents", 0),
        ("cents", 1_000_000_000_001),
        ("cents", -1),
        ("cents", -2),
    ):
        rows = table.column("events").to_pylist()
        for events in rows:
            for event in events:
                if event[field] is not None:
                    event[field] = value
        kept = [any(e[field] is not None for e in events) for events in rows]
        assert any(kept)
        listed = pa.array(rows, table.schema.field("events").type)
        bad[f"events {field} {value}"] = listed
    for case, values in bad.items():
        name = case.split()[0]
        at = table.schema.get_field_index(name)
        changed = table.set_column(at, name, values).replace_schema_metadata({KEY: FORM})
        pq.write_table(changed, tmp_path / "c.parquet")
        plain = [x for x in read_log(tmp_path / "c.parquet") if isinstance(x, Quarantined)]
        assert len(plain) == table.num_rows or name == "events", name
        only_not_known = case in (
            "events e sleep",
            "events what fold",
            "events what main standing seated",
        )
        assert bool(plain) != only_not_known, case
        reading = Reading((), Filter())
        (part,) = parts_of(groups(str(tmp_path / "c.parquet"), False, None))
        found = reading.gathered(0, "c", reading.scanned(part))
        assert [x for _, x in found.bad] == plain, name


def test_row_groups_that_nobody_asks_for_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    from datetime import datetime

    from checker.columns.parquet.prune import groups
    from checker.replay.replay import Filter

    monkeypatch.setattr("checker.convert.GROUP", 20)
    raw = sorted(lines(400)[:400], key=lambda line: json.loads(line)["table"])
    source = write(tmp_path / "a.jsonl", raw)
    convert(source, tmp_path / "b.parquet")
    path = str(tmp_path / "b.parquet")
    everything = groups(path, False, Filter())
    assert len(everything) == 20
    assert [g.before for g in everything] == list(range(0, 400, 20))
    tables = [{json.loads(x)["table"] for x in raw[g.before : g.before + 20]} for g in everything]
    kept = groups(path, False, Filter(table="T03"))
    there = {g.number for g in kept}
    assert {n for n, names in enumerate(tables) if "T03" in names} <= there
    assert there < set(range(20)), "some are passed over"
    assert 0 in there, "the first group tells that player cards are recorded"
    # By time only the end of a file is passed over: what is before tells about the shoes.
    times = [datetime.fromisoformat(json.loads(x)["at"]) for x in raw]
    end = times[250]
    first = [n for n in range(20) if min(times[20 * n : 20 * n + 20]) < end]
    assert len(groups(path, False, Filter(end=end))) == max(first) + 1
    assert len(groups(path, False, Filter(end=end.replace(tzinfo=None)))) == max(first) + 1


def test_rounds_of_every_rulebook_come_back(tmp_path: Path) -> None:
    source = write(tmp_path / "a.jsonl", lines(40, sorted(shipped())))
    assert convert(source, tmp_path / "b.parquet") == 0
    assert rounds(tmp_path / "b.parquet") == rounds(source)
    assert convert(tmp_path / "b.parquet", tmp_path / "c.jsonl") == 0
    assert rounds(tmp_path / "c.jsonl") == rounds(source)
