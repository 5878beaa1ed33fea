"""Small exports, and what becomes of them."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from checker.cli import main

pytest.importorskip("duckdb")

HANDS = """\
profile: 1
rulebook: act-blackjack
decks: 6
options: []
time: {zone: "+10:00"}
round: {id: Game, table: Table, at: At}
each: hand
columns:
  box: Box
  player: Patron
  stake: Bet
  cards: Cards
  dealer: Dealer
  returned: Paid
"""
HEAD = "Game,Table,At,Box,Patron,Bet,Cards,Dealer,Paid\n"
ROW = "G1,T1,2010-01-01 12:00:00,1,P1,20,TS 9S,TH 7D,40\n"


class Imported(NamedTuple):
    status: int
    report: dict[str, Any]
    rounds: list[dict[str, Any]]
    aside: list[dict[str, Any]]
    said: str


def imported(
    folder: Path, capfd: Any, profile: str, *files: Path, more: tuple[str, ...] = ()
) -> Imported:
    """One import; the report as JSON, the rounds of the log, and the rows that were put aside."""
    yaml = folder / "profile.yaml"
    yaml.write_text(profile, encoding="utf-8")
    log = folder / "log.jsonl"
    call = ["import", str(yaml), *map(str, files), "--output", str(log), "--format", "json", *more]
    status = main(call)
    out, err = capfd.readouterr()
    report = json.loads(out, parse_float=Decimal) if out else {}
    aside = Path(f"{log}.quarantine.jsonl")
    return Imported(status, report, lines(log), lines(aside), err)


def lines(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    found = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line, parse_float=Decimal) for line in found]


def csv_file(folder: Path, text: str | bytes, name: str = "export.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def replayed(capfd: Any, log: Path, *more: str) -> dict[str, Any]:
    main(["replay", str(log), "--quiet", "--format", "json", *more])
    report: dict[str, Any] = json.loads(capfd.readouterr().out, parse_float=Decimal)
    return report
