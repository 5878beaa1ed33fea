"""Make the exports in `examples/imports/` from simulated logs.

Each looks like what a casino's own system writes: one row for each settled hand in a CSV, game
rounds as nested JSON, and a database of three tables. The profiles there turn them back into logs.
"""

from __future__ import annotations

import csv
import json
import sqlite3
import sys
from collections import defaultdict
from datetime import datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from checker.cli import main

HERE = Path(__file__).parent
ROUNDS = 150
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
NUMBERED = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
CODES = {"double": "DBL", "split": "SPL", "hit": "HIT", "stand": "STD", "surrender": "SUR"}
CODES |= {"insure": "INS", "even_money": "EVM", "forfeit": "FFT"}
SIDE_BETS = {"perfect_pairs": "PERFECT_PAIRS", "super_sevens": "SUPER_SEVENS"}
PAID = SIDE_BETS | {"insurance": "INSURANCE", "super_bonus": "SUPER_BONUS"}

Round = dict[str, Any]


@cache
def simulated(book: str) -> bytes:
    """A log in which every tenth round has a fault."""
    with TemporaryDirectory() as folder:
        log = Path(folder) / "log.jsonl"
        call = ["simulate", book, "--rounds", str(ROUNDS), "--seed", "7", "--faults", "0.1"]
        if main([*call, "--output", str(log), "--quiet"]):
            raise SystemExit(f"{book}: the simulation failed")
        return log.read_bytes()


def rounds_of(book: str) -> list[Round]:
    return [json.loads(line, parse_float=Decimal) for line in simulated(book).splitlines()]


class Hands:
    """The hands of a round as they lay at the end."""

    def __init__(self, round_: Round) -> None:
        self.cards: dict[tuple[int, int], list[str]] = defaultdict(list)
        self.plays: dict[tuple[int, int, str], list[dict[str, Any]]] = defaultdict(list)
        self.stakes: dict[tuple[int, int, str], Decimal] = {}
        self.wagers = [e for e in round_["events"] if e["e"] == "wager"]
        self.settles = [e for e in round_["events"] if e["e"] == "settle"]
        self.control = {e["box"]: e["player"] for e in self.wagers if e.get("control")}
        for event in round_["events"]:
            box, hand = event.get("box"), event.get("hand", 1)
            if event["e"] == "deal":
                self.cards[box, hand].append(event["card"])
            elif event["e"] == "wager" and event["bet"] == "main":
                place = (box, 1, event["player"])
                self.stakes[place] = self.stakes.get(place, Decimal(0)) + event["stake"]
                self.control.setdefault(box, event["player"])
            elif event["e"] == "play":
                self.plays[box, hand, event["player"]].append(event)
                if event["do"] == "split":
                    self._split(event)

    def _split(self, event: dict[str, Any]) -> None:
        box, player = event["box"], event["player"]
        newest = max(hand for b, hand in self.cards if b == box)
        if player == self.control[box]:
            newest += 1
            self.cards[box, newest] = [self.cards[box, event["hand"]].pop(1)]
        self.stakes[box, newest, player] = event["stake"]

    @property
    def dealer(self) -> list[str]:
        return self.cards[0, 1]

    def returned(self, box: int, hand: int, player: str, bet: str) -> Any:
        found = [
            e["returned"]
            for e in self.settles
            if (e["box"], e["player"], e["bet"]) == (box, player, bet)
            and (bet != "main" or e.get("hand", 1) == hand)
        ]
        return sum(found, Decimal(0)) if found else None


def pretty(card: str) -> str:
    return card[0].replace("T", "10") + SUITS[card[1]]


def amount(value: Any) -> str:
    """As a spreadsheet in Australia writes it."""
    return "" if value is None else f"${Decimal(value):,.2f}"


def table_management(book: str, path: Path) -> None:
    """One row for each settled hand: no decision but those that moved money, no order."""
    names = ["Game No", "Table", "Decks", "Date", "Time", "Box", "Hand", "Patron", "Decides", "Bet"]
    names += ["Double", "Insurance", "Surrendered", "Player Cards", "Dealer Cards", "Returned"]
    names += ["Ins Returned", "PP Bet", "PP Returned", "S7 Bet", "S7 Returned", "Result"]
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, names, lineterminator="\r\n")
        writer.writeheader()
        for round_ in rounds_of(book):
            at = datetime.fromisoformat(round_["at"])
            for row in hand_rows(Hands(round_)):
                head = {"Game No": round_["round"], "Table": round_["table"]}
                head |= {"Decks": round_["decks"]}
                head |= {"Date": at.strftime("%d/%m/%Y"), "Time": at.strftime("%H:%M:%S")}
                writer.writerow(head | row)


def hand_rows(hands: Hands) -> list[dict[str, Any]]:
    rows = []
    for (box, hand, player), stake in hands.stakes.items():
        plays = hands.plays[box, hand, player]
        added = {
            do: sum((p.get("stake", Decimal(0)) for p in plays if p["do"] == do), Decimal(0))
            for do in ("double", "insure")
        }
        back = hands.returned(box, hand, player, "main")
        total = stake + added["double"]
        result = "?" if back is None else "L" if back < total else "P" if back == total else "W"
        row = {
            "Box": box,
            "Hand": hand,
            "Patron": player,
            "Decides": "Y" if hands.control[box] == player else "N",
            "Bet": amount(stake),
            "Double": amount(added["double"] or None),
            "Insurance": amount(added["insure"] or None),
            "Surrendered": "Y" if any(p["do"] == "surrender" for p in plays) else "N",
            "Player Cards": " ".join(map(pretty, hands.cards[box, hand])),
            "Dealer Cards": " ".join(map(pretty, hands.dealer)),
            "Returned": amount(back),
            "Result": result,
        }
        if hand == 1:
            row["Ins Returned"] = amount(hands.returned(box, 1, player, "insurance"))
            for bet, name in (("perfect_pairs", "PP"), ("super_sevens", "S7")):
                own = [w["stake"] for w in hands.wagers if side_of(w) == (box, player, bet)]
                row[f"{name} Bet"] = amount(sum(own, Decimal(0)) if own else None)
                row[f"{name} Returned"] = amount(hands.returned(box, 1, player, bet))
        rows.append(row)
    return rows


def side_of(wager: dict[str, Any]) -> tuple[int, str, str]:
    return wager["box"], wager["player"], wager["bet"]


def live_dealer(book: str, path: Path) -> None:
    """Game rounds with nested lists, as live studios publish them."""
    found = [live_round(round_, Hands(round_)) for round_ in rounds_of(book)]
    text = json.dumps({"gameRounds": found}, ensure_ascii=False, indent=1, default=str)
    path.write_text(text + "\n", encoding="utf-8")


def live_round(round_: Round, hands: Hands) -> dict[str, Any]:
    seats: dict[tuple[int, str], dict[str, Any]] = {}
    for (box, hand, player), stake in hands.stakes.items():
        seat = seats.setdefault(
            (box, player),
            {
                "seat": box,
                "playerId": player,
                "decides": hands.control[box] == player,
                "hands": [],
                "sideBets": [],
            },
        )
        seat["hands"].append(
            {
                "index": hand,
                "bet": str(stake),
                "cards": [pretty(card) for card in hands.cards[box, hand]],
                "decisions": [
                    {"action": CODES[play["do"]]}
                    | ({"amount": str(play["stake"])} if "stake" in play else {})
                    for play in hands.plays[box, hand, player]
                ],
                "payout": text_or_none(hands.returned(box, hand, player, "main")),
            }
        )
    side_bets = [e for e in (*hands.wagers, *hands.settles) if e["bet"] in PAID]
    for key in dict.fromkeys((e["box"], e["player"], e["bet"]) for e in side_bets):
        box, player, bet = key
        stakes = [w["stake"] for w in hands.wagers if side_of(w) == key]
        seat = seats.setdefault(
            (box, player),
            {"seat": box, "playerId": player, "decides": False, "hands": [], "sideBets": []},
        )
        seat["sideBets"].append(
            {
                "type": PAID[bet],
                "bet": str(sum(stakes, Decimal(0))) if stakes else None,
                "payout": text_or_none(hands.returned(box, 1, player, bet)),
            }
        )
    return {
        "roundId": round_["round"],
        "tableId": round_["table"],
        "shoeId": round_.get("shoe"),
        "startedAt": round_["at"],
        "decks": round_["decks"],
        "dealer": {"cards": [pretty(card) for card in hands.dealer]},
        "seats": list(seats.values()),
    }


def text_or_none(value: Any) -> str | None:
    return None if value is None else str(value)


def three_tables(book: str, path: Path) -> None:
    """A database: rounds, wagers with what came back, and what happened in between, in order."""
    path.unlink(missing_ok=True)
    base = sqlite3.connect(path)
    base.executescript(
        """
        CREATE TABLE game_round (id INTEGER PRIMARY KEY, number TEXT, gaming_table TEXT, shoe TEXT,
                                 decks INTEGER, started TEXT);
        CREATE TABLE wager (round_id INTEGER, seat INTEGER, hand INTEGER, player TEXT, kind TEXT,
                            cents_in INTEGER, cents_out INTEGER, decides TEXT);
        CREATE TABLE move (round_id INTEGER, seq INTEGER, seat INTEGER, hand INTEGER, player TEXT,
                           kind TEXT, card INTEGER, cents INTEGER);
        """
    )
    for number, round_ in enumerate(rounds_of(book), 1):
        started = datetime.fromisoformat(round_["at"]).isoformat(" ")
        base.execute(
            "INSERT INTO game_round VALUES (?, ?, ?, ?, ?, ?)",
            (
                number,
                round_["round"],
                round_["table"],
                round_.get("shoe"),
                round_["decks"],
                started,
            ),
        )
        for event in round_["events"]:
            cents = int(event.get("stake", event.get("returned", 0)) * 100)
            place = (event.get("box"), event.get("hand"), event.get("player"))
            if event["e"] == "wager":
                decides = "Y" if event.get("control") else None
                row = (number, *place, event["bet"], cents, None, decides)
                base.execute("INSERT INTO wager VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            elif event["e"] == "settle":
                row = (number, *place, event["bet"], None, cents, None)
                base.execute("INSERT INTO wager VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        for seq, event in enumerate(round_["events"]):
            kind = CODES.get(event.get("do", ""), event["e"].upper())
            card = NUMBERED.index(event["card"]) if "card" in event else None
            place = (event.get("box"), event.get("hand"), event.get("player"))
            stake = event.get("stake")
            cents_ = None if stake is None else int(stake * 100)
            if event["e"] not in ("wager", "settle"):
                row = (number, seq * 10, *place, kind, card, cents_)
                base.execute("INSERT INTO move VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    base.commit()
    base.execute("VACUUM")
    base.close()


SAMPLES = {
    "table-management.csv": (table_management, "act-blackjack"),
    "live-dealer.json": (live_dealer, "nsw-star-pontoon"),
    "three-tables.sqlite": (three_tables, "sa-adelaide-pontoon"),
}


def make(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for name, (write, book) in SAMPLES.items():
        write(book, folder / name)


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "imports")
