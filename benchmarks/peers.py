"""Other engines, doing only the payout table of a pontoon wager on ready-made facts of the hand.

Each takes the same hands and returns the odds of each, in halves (3 to 2 is 3). A peer whose
package is not installed is left out with a note.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Hand = dict[str, Any]
Peer = Callable[[list[Hand]], list[int]]
RULES = 7
FACTS = ("cards", "total", "ranks", "suits", "doubled", "pontoon")


def hands(log: Path, count: int) -> list[Hand]:
    """Facts of the hands of a log, again and again until there are enough."""
    found = list(_hands(log))
    return [found[n % len(found)] for n in range(count)]


def _hands(log: Path) -> Iterator[Hand]:
    for line in log.read_bytes().splitlines():
        cards: dict[tuple[int, int], list[str]] = {}
        doubled = set()
        for event in json.loads(line)["events"]:
            key = (event.get("box", 0), event.get("hand", 1))
            if event["e"] == "deal" and event["box"]:
                cards.setdefault(key, []).append(event["card"])
            elif event["e"] == "play" and event["do"] == "double":
                doubled.add(key)
        for key, held in cards.items():
            worth = [min(10, "A23456789TJQK".index(card[0]) + 1) for card in held]
            total = sum(worth)
            if "A" in {card[0] for card in held} and total <= 11:
                total += 10
            suits = {card[1] for card in held}
            yield {
                "cards": len(held),
                "total": total,
                "ranks": "".join(sorted(card[0] for card in held)),
                "suits": suits.pop() if len(suits) == 1 else "mixed",
                "doubled": key in doubled,
                "pontoon": len(held) == 2 and total == 21,
            }


def python(found: list[Hand]) -> list[int]:
    return [_odds(hand) for hand in found]


def _odds(hand: Hand) -> int:
    if hand["doubled"]:
        return 2
    if hand["pontoon"]:
        return 3
    if hand["total"] != 21:
        return 2
    if hand["ranks"] in ("678", "777"):
        return 6 if hand["suits"] == "S" else 4 if hand["suits"] != "mixed" else 3
    return {5: 3, 6: 4}.get(hand["cards"], 6 if hand["cards"] > 6 else 2)


def pandas(found: list[Hand]) -> list[int]:
    import numpy as np
    import pandas as pd

    t = pd.DataFrame(found)
    special = (t.total == 21) & t.ranks.isin(["678", "777"])
    picked = np.select(
        [
            t.doubled,
            t.pontoon,
            t.total != 21,
            special & (t.suits == "S"),
            special & (t.suits != "mixed"),
            special | (t.cards == 5),
            t.cards == 6,
            t.cards > 6,
        ],
        [2, 3, 2, 6, 4, 3, 4, 6],
        2,
    )
    return [int(x) for x in picked]


def duckdb(found: list[Hand]) -> list[int]:
    import duckdb as engine
    import pandas as pd

    table = pd.DataFrame(found)
    with engine.connect() as connection:
        connection.register("hands", table)
        rows = connection.execute(
            """select case when doubled then 2 when pontoon then 3 when total <> 21 then 2
               when ranks in ('678', '777') and suits = 'S' then 6
               when ranks in ('678', '777') and suits <> 'mixed' then 4
               when ranks in ('678', '777') or cards = 5 then 3 when cards = 6 then 4
               when cards > 6 then 6 else 2 end from hands"""
        ).fetchall()
    return [row[0] for row in rows]


def zen(found: list[Hand]) -> list[int]:
    import zen as engine

    wanted = [
        ({"doubled": "true"}, 2),
        ({"pontoon": "true"}, 3),
        ({"total": "$ != 21"}, 2),
        ({"ranks": "'678', '777'", "suits": "'S'"}, 6),
        ({"ranks": "'678', '777'", "suits": "$ != 'mixed'"}, 4),
        ({"ranks": "'678', '777'"}, 3),
        ({"cards": "5"}, 3),
        ({"cards": "6"}, 4),
        ({"cards": "> 6"}, 6),
        ({}, 2),
    ]
    table = {
        "hitPolicy": "first",
        "inputs": [{"id": name, "name": name, "field": name} for name in FACTS],
        "outputs": [{"id": "odds", "name": "odds", "field": "odds"}],
        "rules": [
            {"_id": str(n), **{name: when.get(name, "") for name in FACTS}, "odds": str(odds)}
            for n, (when, odds) in enumerate(wanted)
        ],
    }
    decision = engine.ZenEngine().create_decision(
        json.dumps(
            {
                "nodes": [
                    {"id": "in", "name": "in", "type": "inputNode", "position": {"x": 0, "y": 0}},
                    {
                        "id": "t",
                        "name": "t",
                        "type": "decisionTableNode",
                        "content": table,
                        "position": {"x": 0, "y": 0},
                    },
                    {
                        "id": "out",
                        "name": "out",
                        "type": "outputNode",
                        "position": {"x": 0, "y": 0},
                    },
                ],
                "edges": [
                    {"id": "1", "sourceId": "in", "targetId": "t", "type": "edge"},
                    {"id": "2", "sourceId": "t", "targetId": "out", "type": "edge"},
                ],
            }
        )
    )
    return [int(decision.evaluate(hand)["result"]["odds"]) for hand in found]


def clips(found: list[Hand]) -> list[int]:
    import clips as engine

    environment = engine.Environment()
    environment.build("(defglobal ?*odds* = 0)")
    environment.build(
        "(deftemplate hand (slot cards) (slot total) (slot ranks) (slot suits) (slot doubled)"
        " (slot pontoon))"
    )
    rules = {
        "doubled": ("(doubled yes)", 2),
        "pontoon": ("(doubled no) (pontoon yes)", 3),
        "other": ("(doubled no) (pontoon no) (total ~21)", 2),
        "spades": ('(doubled no) (total 21) (ranks "678"|"777") (suits "S")', 6),
        "suited": ('(doubled no) (total 21) (ranks "678"|"777") (suits ~"S"&~"mixed")', 4),
        "special": ('(doubled no) (total 21) (ranks "678"|"777") (suits "mixed")', 3),
        "many": ('(doubled no) (pontoon no) (total 21) (ranks ~"678"&~"777") (cards ?n)', None),
    }
    for name, (when, odds) in rules.items():
        by_cards = "(if (> ?n 6) then 6 else (if (= ?n 6) then 4 else (if (= ?n 5) then 3 else 2)))"
        value = str(odds) if odds else by_cards
        environment.build(f"(defrule {name} (hand {when}) => (bind ?*odds* {value}))")
    template = environment.find_template("hand")
    made = []
    for hand in found:
        template.assert_fact(
            cards=hand["cards"],
            total=hand["total"],
            ranks=hand["ranks"],
            suits=hand["suits"],
            doubled=engine.Symbol("yes" if hand["doubled"] else "no"),
            pontoon=engine.Symbol("yes" if hand["pontoon"] else "no"),
        )
        environment.run()
        made.append(int(environment.find_global("odds").value))
        environment.reset()
    return made


PEERS: dict[str, tuple[Peer, str]] = {
    "zen-engine, decision table": (zen, "zen-engine"),
    "CLIPS, production rules": (clips, "clipspy"),
    "pandas, np.select": (pandas, "pandas"),
    "DuckDB, CASE": (duckdb, "duckdb"),
    "plain Python, if and else": (python, ""),
}
