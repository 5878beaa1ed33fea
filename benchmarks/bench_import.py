"""How many rows of events a second `rulespec import` reads, groups and writes.

python benchmarks/bench_import.py [ROWS]
"""

from __future__ import annotations

import csv
import json
import random
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from checker.cli import main

ROWS = 500_000
PROFILE = """\
profile: 1
rulebook: act-blackjack
decks: 6
options: []
time: {zone: "+10:00"}
round: {id: game, table: table, shoe: shoe, at: at}
each: event
columns:
  order: seq
  e: {column: kind, map: {BET: wager, CARD: deal, HIT: play, STAND: play, PAY: settle}}
  do: {column: kind, map: {HIT: hit, STAND: stand}, other: ""}
  bet: {value: main}
  box: box
  player: patron
  card: card
  stake: amount
  returned: amount
"""
CARDS = [f"{rank}{suit}" for suit in "♠♥♦♣" for rank in ("A", *range(2, 11), "J", "Q", "K")]


def write_export(path: Path, rows: int) -> int:
    """Rounds of seven boxes with many players and amounts, as an event table has them."""
    chance = random.Random(1)
    made = 0
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        names = ["game", "table", "shoe", "at", "seq", "kind", "box", "patron", "card", "amount"]
        writer.writerow(names)
        game = 0
        while made < rows:
            game += 1
            second = game * 40
            at = f"2010-{1 + second // 86400 % 12:02d}-01 {second // 3600 % 24:02d}"
            at += f":{second // 60 % 60:02d}:{second % 60:02d}"
            head = [game, f"T{game % 40}", game // 60, at]
            events: list[list[object]] = []
            people = [f"P{chance.randrange(5000)}" for _ in range(7)]
            stakes = [f"{5 * chance.randrange(1, 60)}.00" for _ in people]
            bets = list(zip(people, stakes, strict=True))
            events += [["BET", b, p, "", s] for b, (p, s) in enumerate(bets, 1)]
            events += [["CARD", box, "", chance.choice(CARDS), ""] for box in range(1, 8)]
            events += [["CARD", 0, "", chance.choice(CARDS), ""]]
            events += [["CARD", box, "", chance.choice(CARDS), ""] for box in range(1, 8)]
            events += [["STAND", box, p, "", ""] for box, p in enumerate(people, 1)]
            events += [["CARD", 0, "", chance.choice(CARDS), ""]]
            events += [["PAY", b, p, "", s] for b, (p, s) in enumerate(bets, 1)]
            writer.writerows([*head, seq, *event] for seq, event in enumerate(events))
            made += len(events)
    return made


def bench(rows: int) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        export, profile, log = (folder / n for n in ("export.csv", "profile.yaml", "log.jsonl"))
        profile.write_text(PROFILE, encoding="utf-8")
        made = write_export(export, rows)
        begun, worked = perf_counter(), process_time()
        status = main(["import", str(profile), str(export), "--output", str(log), "--quiet"])
        took, work = perf_counter() - begun, process_time() - worked
        assert status == 0, status
        with log.open(encoding="utf-8") as lines:
            events = sum(len(json.loads(line)["events"]) for line in lines)
        assert events == made, (events, made)
        size = export.stat().st_size / 1e6
        print(f"import: {made:,} rows ({size:.0f} MB) in {took:.1f} s: {made / took:,.0f} rows/s")
        print(f"import: {work:.1f} s of processor time: {made / work:,.0f} rows/s")


if __name__ == "__main__":
    bench(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS)
