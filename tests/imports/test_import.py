"""Exports in every kind of file, rows of every shape, and rows that cannot be imported."""

from __future__ import annotations

import gzip
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from import_support import HANDS, HEAD, ROW, csv_file, imported, replayed

from checker.log.decode import decode_round


def paid(round_: dict[str, Any]) -> list[Any]:
    return [e["returned"] for e in round_["events"] if e["e"] == "settle"]


def test_a_hand_becomes_a_round(tmp_path: Path, capfd: Any) -> None:
    found = imported(tmp_path, capfd, HANDS, csv_file(tmp_path, HEAD + ROW))
    assert found.status == 0
    (round_,) = found.rounds
    assert (round_["round"], round_["table"], round_["at"]) == (
        "G1",
        "T1",
        "2010-01-01T12:00:00+10:00",
    )
    dealt = [(e["box"], e["card"]) for e in round_["events"] if e["e"] == "deal"]
    assert dealt == [(1, "TS"), (0, "TH"), (1, "9S"), (0, "7D")]
    assert paid(round_) == [40]
    summary = found.report["summary"]
    assert (summary["rows"], summary["imported"], summary["quarantined"]) == (1, 1, 0)
    for word in ("turn_order", "settlement_time", "shoe", "decisions", "approvals"):
        assert word in round_["not_recorded"]
    assert "options" not in round_["not_recorded"]


def test_an_export_nobody_has_seen_gives_no_finding_it_cannot_support(
    tmp_path: Path, capfd: Any
) -> None:
    """Twenty lines of profile: result codes, cards, no order, no decision, no limits."""
    profile = """\
profile: 1
rulebook: act-blackjack
decks: 6
options: []
not_recorded: [deal_order]
time: {format: "%d.%m.%Y %H:%M", zone: Australia/Sydney}
money: {decimal: ","}
read: {delimiter: ";", encoding: windows-1252}
round: {id: Spiel, table: Tisch, at: Zeit}
each: hand
columns:
  box: Platz
  player: Gast
  stake: Einsatz
  cards: Karten
  dealer: Bank
  returned: {column: Ergebnis, map: {G: 2, V: 0, U: 1, BJ: 2.5}, times: Einsatz}
"""
    assert len(profile.splitlines()) <= 20
    head = "Spiel;Tisch;Zeit;Platz;Gast;Einsatz;Karten;Bank;Ergebnis\n"
    text = head + "".join(
        f"{game};T1;03.05.2010 2{game}:15;{box};Müller{box};{stake};{cards};{dealer};{code}\n"
        for game, box, stake, cards, dealer, code in (
            (1, 2, "20,00", "9S TS", "7D TH", "G"),
            (1, 5, "17,50", "TS 6H 9S", "7D TH", "V"),  # 25 in whatever order
            (2, 1, "25,00", "AS KS", "9H 9D", "BJ"),
            (2, 3, "30,00", "5S 5H 9C", "9H 9D", "G"),  # doubled or not: the export does not tell
            (3, 3, "10,00", "8S 8H", "KS 6C 2D", "U"),
        )
    )
    found = imported(tmp_path, capfd, profile, csv_file(tmp_path, text.encode("cp1252")))
    assert (found.status, found.said) == (0, "")
    assert found.rounds[0]["events"][0]["player"] == "Müller2"
    report = replayed(capfd, tmp_path / "log.jsonl")
    assert report["findings"] == []
    assert report["summary"]["not_checked"]


def test_a_wrong_settlement_is_found_all_the_same(tmp_path: Path, capfd: Any) -> None:
    profile = HANDS + "recorded: [added_stakes]\n"
    wrong = ROW.replace(",40\n", ",90\n")
    imported(tmp_path, capfd, profile, csv_file(tmp_path, HEAD + wrong))
    (finding,) = replayed(capfd, tmp_path / "log.jsonl")["findings"]
    assert (finding["code"], finding["expected"], finding["actual"]) == ("R501", 40, 90)


# kinds of files


def rows_as_json() -> list[dict[str, Any]]:
    names = HEAD.strip().split(",")
    return [dict(zip(names, ROW.strip().split(","), strict=True))]


def write_excel(path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(HEAD.strip().split(","))
    cells: list[Any] = ROW.strip().split(",")
    cells[3], cells[5], cells[8] = 1, 20.1, 40.2
    book.active.append(cells)
    book.save(path)


def write_parquet(path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    duckdb.connect().execute(
        f"COPY (SELECT 'G1' AS Game, 'T1' AS \"Table\", TIMESTAMP '2010-01-01 12:00:00' AS \"At\", "
        "1 AS Box, 'P1' AS Patron, CAST(20.1 AS DOUBLE) AS Bet, ['TS', '9S'] AS Cards, "
        f"'TH 7D' AS Dealer, CAST(40.20 AS DECIMAL(9, 2)) AS Paid) TO '{path}' (FORMAT parquet)"
    )


def write_sqlite(path: Path) -> None:
    import sqlite3

    base = sqlite3.connect(path)
    names = ", ".join(f'"{name}"' for name in HEAD.strip().split(","))
    base.execute(f"CREATE TABLE hands ({names})")
    cells: list[Any] = ROW.strip().split(",")
    cells[5], cells[8] = 20.1, 40.2
    base.execute("INSERT INTO hands VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", cells)
    base.commit()
    base.close()


def write_duckdb(path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(path)) as base:
        base.execute(
            'CREATE TABLE hands (Game VARCHAR, "Table" VARCHAR, "At" VARCHAR, Box INTEGER, '
            "Patron VARCHAR, Bet DOUBLE, Cards VARCHAR, Dealer VARCHAR, Paid DECIMAL(9, 2))"
        )
        cells: list[Any] = ROW.strip().split(",")
        cells[5], cells[8] = 20.1, Decimal("40.2")
        base.execute("INSERT INTO hands VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", cells)


CENTS = HEAD + ROW.replace(",20,", ",20.1,").replace(",40\n", ",40.2\n")
WRITERS: dict[str, Any] = {
    "a.csv": lambda p: p.write_text(CENTS),
    "a.csv.gz": lambda p: p.write_bytes(gzip.compress(CENTS.encode())),
    "a.tsv": lambda p: p.write_text(CENTS.replace(",", "\t")),
    "bom.csv": lambda p: p.write_bytes(b"\xef\xbb\xbf" + CENTS.encode()),
    "utf16.csv": lambda p: p.write_text(CENTS, encoding="utf-16"),
    "crlf.csv": lambda p: p.write_bytes(CENTS.replace("\n", "\r\n").encode()),
    "a.xlsx": write_excel,
    "a.parquet": write_parquet,
    "a.sqlite": write_sqlite,
    "a.duckdb": write_duckdb,
    "a.json": lambda p: p.write_text(
        json.dumps([rows_as_json()[0] | {"Bet": 20.1, "Paid": 40.2, "Box": 1}])
    ),
    "wrapped.json": lambda p: p.write_text(
        json.dumps({"rows": [rows_as_json()[0] | {"Bet": 20.1, "Paid": "40.20"}]})
    ),
    "a.jsonl": lambda p: p.write_text(
        json.dumps(rows_as_json()[0] | {"Bet": 20.1, "Paid": 40.2, "Cards": ["TS", "9S"]}) + "\n"
    ),
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_kind_of_file_gives_the_same_round(name: str, tmp_path: Path, capfd: Any) -> None:
    path = tmp_path / name
    WRITERS[name](path)
    found = imported(tmp_path, capfd, HANDS, path)
    assert (found.status, found.said) == (0, "")
    (round_,) = found.rounds
    assert decode_round(round_).events
    stakes = [e["stake"] for e in round_["events"] if e["e"] == "wager"]
    assert stakes + paid(round_) == [Decimal("20.10"), Decimal("40.20")]
    assert sum(e["e"] == "deal" for e in round_["events"]) == 4


# rows that cannot be imported


HOSTILE = [
    ("a stake that is no amount", ROW.replace(",20,", ",=cmd|' /C calc'!A0,"), "not an amount"),
    ("half a cent", ROW.replace(",20,", ",20.005,"), "whole number of cents"),
    ("a huge number", ROW.replace(",20,", f",{'9' * 30},"), "out of range"),
    ("an endless number", ROW.replace(",20,", ",1e999,"), "out of range"),
    ("no such card", ROW.replace("TS 9S", "TS 1X"), "not a card"),
    ("no such box", ROW.replace(",1,P1", ",77,P1"), "box"),
    ("no time", ROW.replace("2010-01-01 12:00:00", "soon"), "not a time"),
    ("a negative stake", ROW.replace(",20,", ",-20,"), "not above 0"),
    ("too few cells", "G1,T1\n", "fewer cells"),
    ("too many cells", ROW.replace("\n", ",x\n"), "more cells"),
    ("a control character", ROW.replace("P1", "P\x1f1"), "control character"),
    ("no player", ROW.replace(",P1,", ",,"), ""),
]


@pytest.mark.parametrize(("row", "why"), [h[1:] for h in HOSTILE], ids=[h[0] for h in HOSTILE])
def test_a_row_that_cannot_be_imported_is_put_aside(
    row: str, why: str, tmp_path: Path, capfd: Any
) -> None:
    good = ROW.replace("G1", "G0"), ROW.replace("G1", "G2")
    found = imported(tmp_path, capfd, HANDS, csv_file(tmp_path, HEAD + good[0] + row + good[1]))
    if why == "":  # a box without a name is a player too
        assert [r["events"][0]["player"] for r in found.rounds] == ["P1", "box 1", "P1"]
        return
    assert found.status == 1
    assert [r["round"] for r in found.rounds] == ["G0", "G2"]
    (aside,) = found.aside
    assert aside["row"] == 2
    assert aside["file"].endswith("export.csv")
    assert why in aside["reason"]
    summary = found.report["summary"]
    assert summary["rows"] == summary["imported"] + summary["quarantined"] == 3
    assert summary["quarantined_rows"] == [aside]


def test_bad_bytes_are_put_aside_and_the_rest_is_read(tmp_path: Path, capfd: Any) -> None:
    raw = (HEAD + ROW).encode() + ROW.replace("G1", "G\x00").encode().replace(b"\x00", b"\xff\xfe")
    found = imported(
        tmp_path, capfd, HANDS, csv_file(tmp_path, raw + ROW.replace("G1", "G3").encode())
    )
    assert [r["round"] for r in found.rounds] == ["G1", "G3"]
    assert (found.aside[0]["row"], "UTF-8" in found.aside[0]["reason"]) == (2, True)


@pytest.mark.parametrize(
    "damage",
    [
        lambda rows: "\r\n".join(rows[:3]) + "\n" + "\r\n".join(rows[3:]),
        lambda rows: "\n".join([*rows[:2], '"' + rows[2], *rows[3:]]),
        lambda rows: "\n".join([*rows[:2], rows[2].replace("P1", 'P"1"x'), *rows[3:]]),
        lambda rows: "\n".join([*rows[:2], rows[2].replace("P1", '"P"1"'), *rows[3:]]),
        lambda rows: "\r".join(rows),
        lambda rows: "\n\n".join(rows),
    ],
)
def test_a_file_out_of_order_is_read_as_far_as_it_goes(
    damage: Any, tmp_path: Path, capfd: Any
) -> None:
    rows = [HEAD.strip(), *(ROW.strip().replace("G1", f"G{n}") for n in range(1, 6))]
    found = imported(tmp_path, capfd, HANDS, csv_file(tmp_path, damage(rows) + "\n"))
    assert found.status in (0, 1)
    assert "G1" in {one["round"] for one in found.rounds}
    assert len(found.rounds) + len(found.aside) >= 1
    summary = found.report["summary"]
    assert summary["rows"] == summary["imported"] + summary["quarantined"]


def test_a_bad_row_takes_its_round_with_it(tmp_path: Path, capfd: Any) -> None:
    """A round without one of its hands would be judged as what it was not."""
    rows = ROW + ROW.replace(",1,P1,20", ",2,P2,x") + ROW.replace("G1", "G2")
    found = imported(tmp_path, capfd, HANDS, csv_file(tmp_path, HEAD + rows))
    assert [r["round"] for r in found.rounds] == ["G2"]
    assert [(a["row"], a["round"]) for a in found.aside] == [(1, "G1"), (2, "G1")]
    assert "another row" in found.aside[0]["reason"]
    assert "not an amount" in found.aside[1]["reason"]


def test_names_are_only_names(tmp_path: Path, capfd: Any) -> None:
    player = '=HYPERLINK(""x""); DROP TABLE kept; -- </script>\nnext line'
    row = ROW.replace("P1", f'"{player}"')
    found = imported(tmp_path, capfd, HANDS, csv_file(tmp_path, HEAD + row))
    assert found.rounds[0]["events"][0]["player"] == player.replace('""', '"')


def test_columns_are_only_columns(tmp_path: Path, capfd: Any) -> None:
    nasty = "a'); COPY kept TO 'x'; --\""
    text = HEAD.replace("Bet", '"' + nasty.replace('"', '""') + '"') + ROW
    profile = HANDS.replace("stake: Bet", f"stake: {json.dumps(nasty)}")
    found = imported(tmp_path, capfd, profile, csv_file(tmp_path, text))
    assert found.status == 0
    assert not (tmp_path / "x").exists()


def test_rows_that_disagree_make_no_round(tmp_path: Path, capfd: Any) -> None:
    two = ROW + ROW.replace(",1,P1", ",2,P2").replace("TH 7D", "TH 8D")
    found = imported(tmp_path, capfd, HANDS, csv_file(tmp_path, HEAD + two))
    assert found.status == 2
    assert {a["reason"] for a in found.aside} == {"its rows disagree about the dealer's cards"}


def test_numbers_that_start_again_are_not_joined(tmp_path: Path, capfd: Any) -> None:
    days = ROW + ROW.replace("2010-01-01", "2010-01-02")
    found = imported(tmp_path, capfd, HANDS, csv_file(tmp_path, HEAD + days))
    assert found.status == 2
    assert "round: key" in found.aside[0]["reason"]
    profile = HANDS.replace("{id: Game,", "{key: [Game, At], id: Game,")
    found = imported(tmp_path, capfd, profile, csv_file(tmp_path, HEAD + days))
    assert [r["at"][:10] for r in found.rounds] == ["2010-01-01", "2010-01-02"]


def test_rounds_come_in_the_order_of_time(tmp_path: Path, capfd: Any) -> None:
    rows = [ROW.replace("G1", f"G{n}").replace("12:00", f"{n:02d}:00") for n in (9, 3, 17, 5)]
    found = imported(tmp_path, capfd, HANDS, csv_file(tmp_path, HEAD + "".join(rows)))
    assert [r["round"] for r in found.rounds] == ["G3", "G5", "G9", "G17"]
    assert found.report["summary"]["sorted"] is True


# events


EVENTS = """\
profile: 1
rulebook: nz-pontoon
decks: 6
options: []
time: {zone: "+13:00"}
round: {id: g, table: t, at: at}
each: event
columns:
  order: seq
  e: {column: kind, map: {B: wager, C: deal, H: play, S: play, P: settle, X: skip}}
  do: {column: kind, map: {H: hit, S: stand}, other: ""}
  bet: {value: main}
  box: box
  player: who
  card: card
  stake: money
  returned: money
"""


def test_events_in_the_order_of_a_column(tmp_path: Path, capfd: Any) -> None:
    rows = [
        "g,t,at,seq,kind,box,who,card,money",
        "1,T1,2010-01-01 12:00:09,10,P,1,P1,,0",
        "1,T1,2010-01-01 12:00:00,1,B,1,P1,,20",
        "1,T1,2010-01-01 12:00:01,2,C,1,,9♥,",
        "1,T1,2010-01-01 12:00:02,3,C,0,,H8,",
        "1,T1,2010-01-01 12:00:03,4,C,1,,7 of clubs,",
        "1,T1,2010-01-01 12:00:04,5,X,1,,,",
        "1,T1,2010-01-01 12:00:05,8,S,1,P1,,",
        "1,T1,2010-01-01 12:00:06,9,C,0,,Ks,",
    ]
    found = imported(tmp_path, capfd, EVENTS, csv_file(tmp_path, "\n".join(rows) + "\n"))
    assert (found.status, found.said) == (0, "")
    (round_,) = found.rounds
    assert [e["e"] for e in round_["events"]] == ["wager", *["deal"] * 3, "play", "deal", "settle"]
    assert round_["at"] == "2010-01-01T12:00:00+13:00"
    assert set(round_["not_recorded"]) == {"shoe", "approvals", "limits", "chips"}


def test_baccarat_has_hands_with_names(tmp_path: Path, capfd: Any) -> None:
    profile = """\
profile: 1
rulebook: fr-punto-banco
decks: 6
options: []
time: {zone: Europe/Paris}
round: {id: coup, table: t, at: at}
each: wager
columns:
  player: who
  bet: {column: bet, map: {P: player, B: banker, E: tie}}
  stake: stake
  returned: paid
  dealt: {player: punto, banker: banco}
"""
    rows = "coup,t,at,who,bet,stake,paid,punto,banco\n"
    rows += "1,T1,2010-01-01 12:00:00,P1,P,100,200,9♥ K♣,3♦ 4♠\n"
    rows += "1,T1,2010-01-01 12:00:00,P2,B,100,0,9♥ K♣,3♦ 4♠\n"
    found = imported(tmp_path, capfd, profile, csv_file(tmp_path, rows))
    assert (found.status, found.said) == (0, "")
    dealt = [(e["to"], e["card"]) for e in found.rounds[0]["events"] if e["e"] == "deal"]
    assert dealt == [("player", "9H"), ("banker", "3D"), ("player", "KC"), ("banker", "4S")]
    assert "added_stakes" not in found.rounds[0]["not_recorded"]
    assert replayed(capfd, tmp_path / "log.jsonl")["findings"] == []
    wrong = imported(tmp_path, capfd, profile, csv_file(tmp_path, rows.replace(",200,", ",300,")))
    assert wrong.status == 0
    (finding,) = replayed(capfd, tmp_path / "log.jsonl")["findings"]
    assert (finding["code"], finding["expected"], finding["actual"]) == ("R501", 200, 300)


def test_without_an_order_nobody_drew_against_the_rules(tmp_path: Path, capfd: Any) -> None:
    """5 and 3 stand; in another order a third card was right."""
    head = "coup,t,at,who,bet,stake,paid,punto,banco\n"
    row = "1,T1,2010-01-01 12:00:00,P1,B,100,0,5♥ 3♣ A♦,3♦ 4♠\n"
    profile = """\
profile: 1
rulebook: fr-punto-banco
decks: 6
options: []
time: {zone: Europe/Paris}
round: {id: coup, table: t, at: at}
each: wager
columns:
  player: who
  bet: {column: bet, map: {B: banker}}
  stake: stake
  returned: paid
  dealt: {player: punto, banker: banco}
"""
    imported(tmp_path, capfd, profile, csv_file(tmp_path, head + row))
    told = {f["code"] for f in replayed(capfd, tmp_path / "log.jsonl")["findings"]}
    assert "R520" in told
    profile += "not_recorded: [deal_order]\n"
    imported(tmp_path, capfd, profile, csv_file(tmp_path, head + row))
    report = replayed(capfd, tmp_path / "log.jsonl")
    assert report["findings"] == []
    assert any("order" in one["reason"] for one in report["summary"]["not_checked"])


def test_split_hands_are_dealt_from_the_first(tmp_path: Path, capfd: Any) -> None:
    profile = HANDS.replace("  box: Box\n", "  box: Box\n  hand: Hand\n")
    head = HEAD.replace("Box,", "Box,Hand,")
    rows = ROW.replace(",1,P1", ",1,1,P1").replace("TS 9S", "8S TS")
    rows += ROW.replace(",1,P1", ",1,2,P1").replace("TS 9S", "8H 5D 6C").replace("40", "0")
    found = imported(tmp_path, capfd, profile, csv_file(tmp_path, head + rows))
    assert (found.status, found.said) == (0, "")
    box = [
        (e["e"], e.get("hand"), e.get("card") or e.get("do"))
        for e in found.rounds[0]["events"]
        if e.get("box") == 1 and e["e"] in ("deal", "play")
    ]
    assert box == [
        ("deal", 1, "8S"),
        ("deal", 1, "8H"),
        ("play", 1, "split"),
        ("deal", 1, "TS"),
        ("deal", 2, "5D"),
        ("deal", 2, "6C"),
    ]


def _packed(folder: Path, name: str) -> bytes:
    """Three hundred rows as CSV, JSON or JSON Lines, each round with a row of its own."""
    cells = [f"G{n}{ROW[2:]}".replace("P1", f"P{n * 7919 % 10007}") for n in range(300)]
    if name.endswith(".csv.gz"):
        return gzip.compress((HEAD + "".join(cells)).encode())
    names = HEAD.strip().split(",")
    rows = [json.dumps(dict(zip(names, one.strip().split(","), strict=True))) for one in cells]
    text = "\n".join(rows) if name.endswith(".jsonl.gz") else f"[{','.join(rows)}]"
    return gzip.compress(text.encode())


@pytest.mark.parametrize("name", ["a.csv.gz", "a.json.gz", "a.jsonl.gz"])
def test_a_packed_file_that_is_damaged_is_told(tmp_path: Path, capfd: Any, name: str) -> None:
    whole = _packed(tmp_path, name)
    half = len(whole) // 2
    assert (
        imported(tmp_path, capfd, HANDS, csv_file(tmp_path, whole, name)).report["summary"][
            "imported"
        ]
        == 300
    )
    for bad, why in (
        (whole[:half], "ends early"),
        (whole[:half] + b"xxxx" + whole[half + 4 :], "is damaged"),
        (b"[]" + whole, "is damaged"),
    ):
        found = imported(tmp_path, capfd, HANDS, csv_file(tmp_path, bad, name))
        assert found.status == 2
        assert why in found.said, found.said


def test_what_unfolds_without_end_is_not_read_whole(
    tmp_path: Path, capfd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("checker.imports.documents.MOST_BYTES", 10_000)
    path = csv_file(tmp_path, _packed(tmp_path, "a.json.gz"), "a.json.gz")
    found = imported(tmp_path, capfd, HANDS, path)
    assert found.status == 2
    assert "it has more than 10,000 bytes" in found.said
    monkeypatch.setattr("checker.log.open._MOST_UNPACKED", 10_000)
    bomb = gzip.compress(HEAD.encode() + b"\n" * 10_000_000)
    found = imported(tmp_path, capfd, HANDS, csv_file(tmp_path, bomb, "a.csv.gz"))
    assert found.status == 2
    assert "unfolds to more than 500 times" in found.said


def test_a_line_of_json_without_end_is_one_bad_document(
    tmp_path: Path, capfd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("checker.imports.documents.MAX_LINE", 1000)
    whole = gzip.decompress(_packed(tmp_path, "a.jsonl.gz"))
    path = csv_file(tmp_path, b"x" * 3500 + b"\n" + whole, "a.jsonl")
    found = imported(tmp_path, capfd, HANDS, path)
    assert (found.report["summary"]["imported"], len(found.aside)) == (300, 1)
    assert found.aside[0]["reason"] == "its line has more than 1,000 bytes"
