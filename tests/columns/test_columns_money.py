"""Where the columns pass a round but for some of the money, only that money is judged plainly: it
must be as if the whole round were."""

from __future__ import annotations

import gzip
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("numba", reason="the columnar engine comes with rulespec[fast]")

from benchmarks.mutated_rounds import difference
from checker.columns import judge_batch as columns
from checker.columns.read.flatten import flatten
from checker.log import model as r
from checker.replay.replay import Library
from rulespec.load.load import load, shipped
from tests.agreement.test_columns_judge import BOOKS, EXAMPLES, Both, example

WRONG_SHARE = 0.7


def paid_otherwise(round_: r.Round, chance: random.Random) -> r.Round:
    """The round with another amount paid for one wager or more, or with a bonus."""
    paid = [e for e in round_.events if isinstance(e, r.Settle)]
    if not paid or chance.random() > WRONG_SHARE:
        return round_
    events = list(round_.events)
    for one in chance.sample(paid, min(len(paid), chance.choice((1, 1, 1, 2, 3)))):
        amount = chance.choice((0, one.returned + 50, one.returned + 1, 2 * one.returned, 500000))
        events[one.n] = replace(one, returned=amount)
    if chance.random() < 0.1:
        one = chance.choice(paid)
        events.append(replace(one, bet="super_bonus", returned=chance.choice((0, 100000))))
    return replace(round_, events=tuple(replace(e, n=n) for n, e in enumerate(events)))


@pytest.mark.parametrize("name", BOOKS)
def test_money_judged_by_itself(name: str) -> None:
    chance = random.Random(f"money {name}")
    both = Both([paid_otherwise(round_, chance) for round_ in example(name, 250)])
    assert not both.wrongly_passed
    codes: Counter[str] = Counter()
    for n, money in both.money.items():
        whole = both.verdicts[n]
        assert money.findings == whole.findings, both.rounds[n].id
        assert money.reports == whole.reports
        assert money.tested <= whole.tested
        codes.update(finding.code for finding in money.findings)
    wrong = sum(any(f.code == "R501" for f in v.findings) for v in both.verdicts)
    assert len(both.money) > 0.8 * wrong > 60, "nearly all wrong amounts are judged this way"
    assert set(codes) <= {"R501", "R503", "R550"}


def test_what_is_found_elsewhere_is_not_left_out() -> None:
    """A wrong amount and a card out of turn: the whole round is judged."""
    found = 0
    for round_ in example("act-pontoon", 60):
        paid = [e for e in round_.events if isinstance(e, r.Settle)]
        cards = [e.n for e in round_.events if isinstance(e, r.Deal) and e.box]
        if not paid or len(cards) < 3:
            continue
        events = list(round_.events)
        events[paid[-1].n] = replace(paid[-1], returned=paid[-1].returned + 50)
        one, other = cards[0], cards[1]
        swapped = replace(events[other], n=one), replace(events[one], n=other)
        events[one], events[other] = swapped
        both = Both([replace(round_, events=tuple(events))])
        if any(f.kind == "deal" for f in both.verdicts[0].findings):
            assert not both.money
            found += 1
    assert found > 5


@pytest.fixture
def other_book(tmp_path: Path) -> Library:
    """The Star's rules, where reporting a settlement depends on what a log need not give."""
    text = shipped()["nsw-star-pontoon"].read_text(encoding="utf-8")
    old = "casino must report when settlement.error > $1,000"
    assert old in text
    path = tmp_path / "nsw-star-pontoon.rules"
    new = "define seated as player.seated\n    casino must report when seated"
    path.write_text(text.replace(old, new), encoding="utf-8")
    book = load(path).rulebook
    assert book is not None
    return Library([book])


def test_a_text_whose_reports_may_stay_unchecked(other_book: Library, tmp_path: Path) -> None:
    """Clauses that only a wrong amount leaves unchecked: the columns do not count them."""
    lines = gzip.decompress((EXAMPLES / "nsw-star-pontoon.jsonl.gz").read_bytes()).splitlines()
    chance = random.Random(3)
    rounds = [paid_otherwise(round_, chance) for round_ in example("nsw-star-pontoon", 80)]
    prepared = columns.prepare(other_book)
    batch = flatten(rounds, prepared.books)
    columns.track(batch, columns.ShoeState.empty())
    judged = columns.judge_batch(batch, prepared, columns.Tally())
    assert (judged.reasons != 0).sum() > 20
    assert not any(columns.boxes_in_doubt(reason) for reason in judged.reasons.tolist())
    log = tmp_path / "a.jsonl"
    wrong = [line.replace(b'"returned":0}', b'"returned":5}') for line in lines[:80]]
    assert wrong != lines[:80]
    log.write_bytes(b"".join(line + b"\n" for line in wrong))
    assert difference(log, other_book) is None
