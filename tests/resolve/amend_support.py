"""A small rulebook, and amendments to it."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from checker import cli
from checker.log.exact_json import dumps
from checker.log.script import events_of
from rulespec.load.load import Loaded
from rulespec.resolve.rulebook import Rulebook

TODAY = date(2025, 1, 1)

CORNER = """rulebook corner { game pontoon in force from 2020-01-01 until 2030-01-01 }

section 1 "Cards" {
  clause 1.1 "Card values" {
    cards 2 to 9 count face
    cards T, J, Q, K count 10
    cards A count 1 or 11
  }
  clause 1.2 "The dealer draws to 17" {
    dealer must draw when dealer.total <= 16
    dealer must not draw when dealer.total > 16
  }
}

section 2 "Results" {
  clause 2.1 "Choices" { introduces its parts }
  clause 2.1(a) "Draw" { may draw }
  clause 2.1(b) "Stand" { may stand cites 2.1(c) }
  clause 2.1(c) "Surrender" { may surrender when hand.cards = 2 }
  clause 2.2 "Results" {
    main wins when hand.total <= 21 and (dealer.total > 21 or hand.total > dealer.total)
    main loses when hand.total > 21 or (dealer.total <= 21 and hand.total < dealer.total)
    main stands off when hand.total = dealer.total
  }
  clause 2.3 "Odds" { main pays 3 to 2 }
}

reading ties {
  because "no clause speaks of ties of 20"
  under 2.2: main is undecided because "both have 20" when hand.total = 20 and dealer.total = 20
}
"""


def amend(*changes: str, day: str = "2025-01-01", book: str = "corner") -> str:
    inside = "\n".join(f"  {change}" for change in changes)
    return f"amend {book} {{\n  in force from {day}\n{inside}\n}}\n"


EVENS = 'replace clause 2.3 "Odds" { main pays 1 to 1 }'


def text_of(loaded: Loaded) -> Rulebook:
    assert loaded.diagnostics == ()
    assert loaded.rulebook is not None
    return loaded.rulebook


def ids(book: Rulebook) -> list[str]:
    return [c.id for c in book.clauses]


NOTES = ("R222", "R223")  # of readings: not what these tests are about


def call(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    capfd.readouterr()
    status = cli.main([*arguments, "--format", "json"])
    return status, json.loads(capfd.readouterr().out, parse_float=Decimal)


def log_of(path: Path, rulebook: str, script: str, *days: str) -> str:
    rounds = [
        {
            "format": 1,
            "round": f"R{n}",
            "table": "T1",
            "at": f"{day}T12:00:00+10:00",
            "rulebook": rulebook,
            "decks": 6,
            "events": events_of(script),
            "limits": {"main": {"min": 1, "max": 1000}},
        }
        for n, day in enumerate(days, 1)
    ]
    path.write_text("".join(dumps(one) + "\n" for one in rounds), encoding="utf-8")
    return str(path)
