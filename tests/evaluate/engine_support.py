"""Small rulebooks, scenes that are told, and rounds that are judged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from checker.evaluate.engine import Answer, Engine
from checker.evaluate.ready import new_engine
from checker.judge.findings import Verdict
from checker.judge.judge import judge
from checker.log.decode import decode_round
from checker.log.model import Round
from checker.log.script import events_of
from tests.support import rulebook

CARDS = """
clause 1 "Card values" {
  cards 2 to 9 count face
  cards T, J, Q, K count 10
  cards A count 1 or 11
}
clause 2 "The dealer draws to 17" {
  dealer must draw when dealer.total <= 16
  dealer must not draw when dealer.total > 16
}
"""
PLAYS = """
clause 3 "Choices" {
  may draw
  may stand
  may double
  may split when hand.equal_value
}
"""
RESULTS = """
clause 4 "Results" {
  main wins when hand.total <= 21 and (dealer.total > 21 or hand.total > dealer.total)
  main loses when hand.total > 21 or (dealer.total <= 21 and hand.total < dealer.total)
  main stands off when hand.total <= 21 and hand.total = dealer.total
}
"""


class Told:
    """A scene that says what it was told and nothing else."""

    def __init__(self, *settings: str, dealer: Told | None = None, **facts: Any) -> None:
        self.facts = {name.replace("__", "."): value for name, value in facts.items()}
        self.settings = set(settings)
        self.dealer = dealer
        self.memory: dict[str, Any] = {}
        self.asked: list[str] = []

    def fact(self, name: str) -> Any:
        self.asked.append(name)
        return self.facts.get(name)

    def setting(self, kind: str, name: str) -> bool | None:
        return f"{kind} {name}" in self.settings

    def as_dealer(self) -> Told:
        return self.dealer or self


def engine_of(folder: Path, text: str) -> Engine:
    return new_engine(rulebook(folder, text))


def clauses(*texts: str) -> str:
    """One clause for each text: 1, 2, 3 …"""
    return "".join(f'clause {n} "Clause {n}" {{ {text} }}\n' for n, text in enumerate(texts, 1))


def asked(folder: Path, text: str, question: str, scene: Told) -> Answer:
    return engine_of(folder, text).ask(question, scene)


def a_round(script: str, **more: Any) -> Round:
    document = {
        "format": 1,
        "round": "R1",
        "table": "T1",
        "at": "2020-02-01T12:00:00+10:00",
        "decks": 6,
        "events": events_of(script),
    }
    return decode_round({**document, **more})


def judged(folder: Path, text: str, script: str, **more: Any) -> Verdict:
    return judge(engine_of(folder, text), a_round(script, **more))


def due(verdict: Verdict, box: int = 1, player: str = "P1", bet: str = "main") -> Any:
    return verdict.expected[(box, 1, player, bet)]


def codes(verdict: Verdict) -> list[tuple[str, str | None]]:
    return [(f.code, f.clause) for f in verdict.findings if f.code != "R503"]


EVENS = CARDS + PLAYS + RESULTS + 'clause 5 "Evens" { main pays 1 to 1 }\n'
WON = "bet 1 P1 {}\ndeal 1:KH 0:9D 1:9C\n1 P1 stand\ndealer 8S"
