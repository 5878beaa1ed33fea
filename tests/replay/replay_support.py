"""A small rulebook, rounds to replay, and what a call gave."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple

from checker.log.exact_json import dumps
from checker.log.script import events_of

FORMATS = ("text", "json", "jsonl", "csv")

CORNER = """rulebook corner { game pontoon in force from 2020-01-01 until 2030-01-01 }
clause 1 "Card values" {
  cards 2 to 9 count face
  cards T, J, Q, K count 10
  cards A count 1 or 11
}
clause 2 "The dealer draws to 17" {
  dealer must draw when dealer.total <= 16
  dealer must not draw when dealer.total > 16
}
clause 3 "Choices" {
  may draw
  may stand
  may split when hand.equal_value
  may not draw when hand.total > 19
}
clause 4 "Results" {
  main wins when hand.total <= 21 and (dealer.total > 21 or hand.total > dealer.total)
  main loses when hand.total > 21 or (dealer.total <= 21 and hand.total < dealer.total)
  main stands off when hand.total = dealer.total and hand.total < 20
}
clause 5 "Odds" { main pays 3 to 2 }
clause 6 "Seats" { at main require player.seated }
clause 7 "Limits" { at main require not wager.under_minimum }
reading ties {
  because "no clause speaks of ties of 20"
  under 4: main is undecided because "both have 20" when hand.total = 20 and dealer.total = 20
}
"""
WON = "bet 1 P1 {stake}\ndeal 1:KH 0:9D 1:9C\n1 P1 stand\ndealer 8S\nsettle 1 P1 main {returned}"
GOOD = WON.format(stake=10, returned=25)
OVERPAID = WON.format(stake=10, returned=30)
TIED = "bet 1 P1 10\ndeal 1:KH 0:QD 1:JC\n1 P1 stand\ndealer KS\nsettle 1 P1 main 10"


def a_round(name: str, script: str = GOOD, **more: Any) -> dict[str, Any]:
    document = {
        "format": 1,
        "round": name,
        "table": "T1",
        "at": "2020-06-01T12:00:00+10:00",
        "rulebook": "corner",
        "decks": 6,
        "events": events_of(script),
    }
    return {key: value for key, value in {**document, **more}.items() if value is not None}


def line_of(round_: dict[str, Any] | bytes) -> bytes:
    return round_ if isinstance(round_, bytes) else dumps(round_).encode()


class Ran(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out, parse_float=Decimal)
        return found

    @property
    def findings(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.report["findings"]
        return found

    @property
    def summary(self) -> dict[str, Any]:
        found: dict[str, Any] = self.report["summary"]
        return found


Run = Callable[..., Ran]
Write = Callable[..., str]


def corner(run: Run, log: str, *arguments: str) -> Ran:
    return run(log, "--rules", "corner.rules", "--format", "json", *arguments)
