"""The columns may never pass a round in which the plain evaluator finds something."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from decimal import Decimal
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numba", reason="the columnar engine comes with rulespec[fast]")

import numpy as np

from benchmarks.mutated_rounds import difference
from checker.columns import batch as c
from checker.columns import judge_batch as columns
from checker.columns.read.flatten import flatten
from checker.columns.run import replay_columns
from checker.columns.shoe.follow import NAMES, TABLES
from checker.columns.shoe.state import track_in_steps, view
from checker.columns.shoe.steps import STEP
from checker.judge.findings import Verdict
from checker.log import model as r
from checker.log.decode import decode_line
from checker.log.exact_json import dumps
from checker.log.read import read_log
from checker.replay.replay import Filter, Judged, Library, Summary, judge_round
from checker.scenarios.scenarios import load_scenarios, scenario_path
from checker.table.shoes import ShoeTracker
from rulespec.load.load import load, shipped
from tests.support import all_or_some, with_boxes

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
OWN_WORDS = "ma-blackjack"  # which declares bets, options, choices, a deal and stages
BOOKS = [*with_boxes(), OWN_WORDS]


@cache
def library() -> Library:
    loaded = (load(path).rulebook for path in shipped().values())
    return Library(book for book in loaded if book is not None)


def example(name: str, count: int) -> list[r.Round]:
    lines = islice(read_log(EXAMPLES / f"{name}.jsonl.gz"), count)
    return [line for line in lines if isinstance(line, r.Round)]


class Both:
    """The same rounds judged by both engines, as one log."""

    def __init__(self, rounds: list[r.Round], books: Library | None = None) -> None:
        books = books or library()
        prepared = columns.prepare(books)
        batch = flatten(rounds, prepared.books)
        columns.track(batch, columns.ShoeState.empty())
        self.tally = columns.Tally()
        self.judged = columns.judge_batch(batch, prepared, self.tally)
        shoes = ShoeTracker()
        self.verdicts: list[Verdict] = []
        self.money: dict[int, Verdict] = {}  # of rounds that are passed but for some of the money
        for n, (round_, reason) in enumerate(zip(rounds, self.judged.reasons, strict=True)):
            view = shoes.view(round_)
            self.verdicts.append(judge_round(round_, books, view))
            boxes = columns.boxes_in_doubt(int(reason))
            if boxes is not None:
                self.money[n] = judge_round(round_, books, view, money_of=boxes)
            shoes.after(round_)
        self.rounds = rounds

    @property
    def wrongly_passed(self) -> list[tuple[str, str]]:
        """What is found in rounds that are passed, and not in the money that is in doubt."""
        wrong = []
        for n, (round_, verdict) in enumerate(zip(self.rounds, self.verdicts, strict=True)):
            if self.judged.ok[n] or n in self.money:
                seen = self.money[n].findings if n in self.money else []
                wrong += [(round_.id, f.message) for f in verdict.findings if f not in seen]
                wrong += [(round_.id, f.message) for f in seen if f not in verdict.findings]
        return wrong

    @property
    def passed(self) -> int:
        return int(self.judged.ok.sum())

    @property
    def clean(self) -> int:
        return sum(not v.findings for v in self.verdicts)


@pytest.mark.parametrize("name", BOOKS)
def test_what_is_passed_is_clean_and_nearly_all_that_is_clean_is_passed(name: str) -> None:
    both = Both(example(name, 250))
    assert not both.wrongly_passed
    share = 0.95 if name == OWN_WORDS else 0.995
    assert both.passed >= share * both.clean, _reasons(both)


@pytest.mark.parametrize("name", BOOKS)
def test_the_same_clauses_are_tested_and_left_unchecked(name: str) -> None:
    both = Both(example(name, 250))
    tested: set[tuple[str, str]] = set()
    unchecked: dict[tuple[str, str], int] = {}
    for n, (verdict, ok, wagers) in enumerate(
        zip(both.verdicts, both.judged.ok, both.judged.wagers, strict=True)
    ):
        if ok or n in both.money:
            assert verdict.wagers == wagers
            tested |= {(name, clause) for clause in verdict.tested}
            for clause in verdict.not_checked:
                unchecked[name, clause] = unchecked.get((name, clause), 0) + 1
    assert tested
    of_money = {(name, clause) for v in both.money.values() for clause in v.tested}
    assert both.tally.tested | of_money == tested
    # the plain engine counts a clause only until it is tested in the round
    for key in {*unchecked, *both.tally.unchecked} - tested:
        assert both.tally.unchecked.get(key) == unchecked.get(key), key


@pytest.mark.parametrize("name", BOOKS)
def test_edited_rounds(name: str) -> None:
    chance = random.Random(f"edit {name}")
    rounds = [edited(round_, chance) for round_ in example(name, 400)]
    both = Both(rounds)
    assert not both.wrongly_passed
    assert both.passed > 0
    assert both.clean < len(rounds)


@pytest.mark.slow
@pytest.mark.parametrize("name", BOOKS)
def test_scenarios(name: str) -> None:
    """Each scenario by itself: they hold what simulated logs do not."""
    book = library().rulebooks[name]
    path = scenario_path(shipped()[name])
    rounds = [
        replace(s.round, id=f"{n}", table=f"T{n}", rulebook=name)
        for n, s in enumerate(load_scenarios(path, book))
    ]
    assert rounds
    some = random.Random(name).sample(rounds, min(len(rounds), 200))
    both = Both(all_or_some(rounds, some))
    assert not both.wrongly_passed
    assert both.passed


@pytest.mark.parametrize("name", shipped())
def test_a_flagged_round_gets_the_view_of_its_shoe(name: str) -> None:
    rounds = [decode_line(line, n) for n, line in enumerate(otherwise(name, 120), 1)]
    batch = flatten(rounds, [name])
    state = columns.ShoeState.empty()
    shoes = ShoeTracker()
    for index, round_ in enumerate(rounds):
        plain = shoes.view(round_)
        mine = view(batch, state, index, round_)
        present = {e.player for e in round_.events if isinstance(e, r.Wager)}
        # of players who are not there it is told only what the shoe still knows
        known = frozenset(p for p in plain.warned if p in present or p in plain.idle)
        assert mine == replace(plain, warned=known), index
        shoes.after(round_)
        columns.track(batch, state, index, index + 1)


def otherwise(name: str, count: int) -> list[bytes]:
    """Lines with something else, now and then, of what later rounds are asked about."""
    chance = random.Random(f"otherwise {name}")
    words = [*library().rulebooks[name].game.options, "a fair", "another fair"]
    made = []
    for line in gzip.decompress((EXAMPLES / f"{name}.jsonl.gz").read_bytes()).splitlines()[:count]:
        record = json.loads(line, parse_float=Decimal)
        events, limits = record["events"], record.get("limits", {})
        wager = next(event for event in events if event["e"] == "wager")
        match chance.randrange(6):
            case 0 if limits:
                next(iter(limits.values()))["min"] = chance.choice((1, 20, 700))
            case 1:
                at = chance.randrange(len(events))
                events.insert(at, {"e": "announce", "what": chance.choice(words)})
            case 2:
                card = chance.choice((None, "a card"))
                events.insert(0, {**wager, "bet": "one_of_their_own", "player_card": card})
            case 3:
                events.append({"e": "shuffle"})
        made.append(dumps(record).encode())
    return made


@pytest.mark.parametrize("name", shipped())
def test_what_a_shoe_tells_is_in_the_whole_report(name: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(line + b"\n" for line in otherwise(name, 80)))
    assert difference(log, library()) is None


def test_a_minimum_that_changes_within_a_shoe_is_found(tmp_path: Path) -> None:
    lines = gzip.decompress((EXAMPLES / "fr-punto-banco.jsonl.gz").read_bytes()).splitlines()
    raised = []
    for number, line in enumerate(lines[:60]):
        record = json.loads(line)
        if number % 8 == 7:
            for one in record["limits"].values():
                one["min"] += 20
        raised.append(dumps(record).encode() + b"\n")
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(raised))
    summary = Summary()
    judged = list(replay_columns([log], library(), Filter(), summary))
    clauses = [f.clause for one in judged if isinstance(one, Judged) for f in one.shown]
    assert clauses.count("53#last") >= 8
    shoes = {json.loads(line)["shoe"] for line in raised}
    assert summary.not_checked["fr-punto-banco", "53#last"][1] == len(shoes), (
        "in their first rounds"
    )
    assert difference(log, library()) is None


def test_what_the_shoes_told_is_kept_before_every_step() -> None:
    rounds = example("act-pontoon", 60)
    many = [
        replace(round_, id=f"{n}-{k}", table=f"{round_.table}-{n}", events=renamed(round_, n))
        for n in range(24)
        for k, round_ in enumerate(rounds)
    ]  # as many tables and players that what is kept has to grow
    batch = flatten(many, ["act-pontoon"])
    state = columns.ShoeState.empty()
    kept = track_in_steps(batch, state)
    assert len(kept) == -(-len(many) // STEP) > 2
    other = columns.ShoeState.empty()
    same = flatten(many, ["act-pontoon"])
    for step, found in enumerate([*kept, state]):
        tables = int(other.totals[TABLES])
        for ours, theirs in zip(found.arrays[1:4], other.arrays[1:4], strict=True):
            assert np.array_equal(ours[:tables], theirs[:tables]), step
        assert found.totals.tolist() == other.totals.tolist()
        names = int(found.totals[NAMES])
        assert found.names[:names].tolist() == other.names[:names].tolist()
        for index in range(step * STEP, min((step + 1) * STEP, len(many))):
            columns.track(same, other, index, index + 1, few=index % 2 == 0)
    assert len(state.tables) > len(kept[0].tables)
    assert np.array_equal(batch.shoes, same.shoes)
    assert np.array_equal(batch.seen, same.seen)


def renamed(round_: r.Round, number: int) -> tuple[r.Event, ...]:
    return tuple(
        replace(e, player=f"{e.player}-{number}") if getattr(e, "player", None) else e  # type: ignore[call-arg,attr-defined]
        for e in round_.events
    )


def test_a_batch_may_be_cut_anywhere() -> None:
    rounds = example("sa-adelaide-pontoon", 90)
    whole = Both(rounds)
    prepared = columns.prepare(library())
    state = columns.ShoeState.empty()
    tally = columns.Tally()
    reasons: list[int] = []
    for start, end in ((0, 1), (1, 40), (40, 90)):
        batch = flatten(rounds[start:end], prepared.books)
        columns.track(batch, state)
        reasons += columns.judge_batch(batch, prepared, tally).reasons.tolist()
    assert reasons == whole.judged.reasons.tolist()
    assert tally.tested == whole.tally.tested
    assert tally.unchecked == whole.tally.unchecked


def test_rounds_that_are_skipped_are_not_judged() -> None:
    rounds = example("act-pontoon", 3)
    prepared = columns.prepare(library())
    batch = flatten(rounds, prepared.books)
    batch.rounds[1, c.STATUS] = c.SKIP
    columns.track(batch, columns.ShoeState.empty())
    assert columns.judge_batch(batch, prepared, columns.Tally()).ok.tolist() == [True, False, True]


def test_a_rulebook_or_day_without_a_text_is_passed_on() -> None:
    first, second, *_ = example("nsw-star-pontoon", 5)
    early = replace(first, at=first.at.replace(year=2001))
    both = Both([early, replace(second, rulebook="nobody-knows")])
    assert both.passed == 0
    assert [v.findings[0].code for v in both.verdicts] == ["R560", "R561"]


def _reasons(both: Both) -> list[str]:
    return [
        f"{x.id}: {columns.reason_text(int(reason))}"
        for x, v, reason in zip(both.rounds, both.verdicts, both.judged.reasons, strict=True)
        if reason and not v.findings
    ]


# --- edits


def edited(round_: r.Round, chance: random.Random) -> r.Round:
    """The round with something changed that a log may hold."""
    events = list(round_.events)
    changed = round_
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        match chance.randrange(12):
            case 0:
                changed = _other_setting(changed, chance)
            case 1 if len(events) > 1:
                del events[chance.randrange(len(events))]
            case 2:
                at = chance.randrange(len(events))
                events.insert(at, events[at])
            case 3 if len(events) > 1:
                one, other = chance.sample(range(len(events)), 2)
                events[one], events[other] = events[other], events[one]
            case 4 if len(events) > 1:
                at = chance.randrange(len(events) - 1)
                events[at : at + 2] = events[at + 1], events[at]
            case 5:
                events.insert(chance.randrange(len(events) + 1), _new_event(round_, chance))
            case _:
                at = chance.randrange(len(events))
                events[at] = _other_event(events[at], round_, chance)
    numbered = tuple(replace(event, n=n) for n, event in enumerate(events))
    return replace(changed, events=numbered)


def _other_setting(round_: r.Round, chance: random.Random) -> r.Round:
    match chance.randrange(6):
        case 0:
            return replace(round_, decks=chance.randint(1, 9))
        case 1:
            word = chance.choice([*c.OPTION_CODES, "no such option"])
            return replace(round_, options=round_.options ^ {word})
        case 2:
            return replace(round_, options=frozenset(), options_stated=False)
        case 3:
            return replace(round_, limits={})
        case 4:
            return replace(round_, shoe=None)
        case _:
            bet = chance.choice(("main", "perfect_pairs"))
            limits = round_.limits.get(bet, r.Limits())
            name = chance.choice([f.name for f in fields(r.Limits)])
            value: Any = chance.choice((None, 100, 2500, 12345, 100000))
            if name == "box_max":
                value = None if value is None else {chance.randint(1, 7): value}
            if name == "multiples_notice":
                value = chance.choice((None, True, False))
            return replace(round_, limits={**round_.limits, bet: replace(limits, **{name: value})})


def _players(round_: r.Round) -> list[str]:
    found = {e.player for e in round_.events if isinstance(e, r.Wager)}
    return [*sorted(found), "somebody else"]


def _card(chance: random.Random) -> str:
    return chance.choice((*c.CARD_NAMES, *c.CARD_NAMES, r.JOKER))


def _amount(old: int | None, chance: random.Random) -> int:
    base = old or 0
    return max(1, chance.choice((base + 1, base + 100, base * 2, base // 2, base * 3 // 2, 1000)))


def _other_event(event: r.Event, round_: r.Round, chance: random.Random) -> r.Event:
    """The same kind of event, one field of it another."""
    names = [f.name for f in fields(event) if f.name != "n"]
    if not names:
        return event
    name = chance.choice(names)
    old = getattr(event, name)
    choices: dict[str, Callable[[], Any]] = {
        "box": lambda: chance.randint(0 if isinstance(event, r.Deal) else 1, 8),
        "hand": lambda: chance.randint(1, 3),
        "card": lambda: _card(chance),
        "player": lambda: chance.choice(_players(round_)),
        "stake": lambda: _amount(old, chance),
        "returned": lambda: chance.choice((0, _amount(old, chance))),
        "do": lambda: chance.choice(c.PLAYS),
        "bet": lambda: chance.choice(c.BETS[:3] if isinstance(event, r.Wager) else c.BETS),
        "player_card": lambda: chance.choice((None, "", "a card")),
        "chips_held": lambda: chance.choice((None, 5000)),
    }
    flags = ("control", "undisclosed")
    if name in choices:
        return replace(event, **{name: choices[name]()})
    value = chance.choice((True, False) if name in flags else (None, True, False))
    return replace(event, **{name: value}) if isinstance(old, bool | None) else event


def _new_event(round_: r.Round, chance: random.Random) -> r.Event:
    player, box = chance.choice(_players(round_)), chance.randint(1, 7)
    made: tuple[r.Event, ...] = (
        r.Shuffle(),
        r.CutCard(),
        r.NoMoreBets(),
        r.Note("a note"),
        r.Burn(),
        r.Burn(_card(chance)),
        r.Offer("insurance"),
        r.Offer("surrender"),
        r.Announce("last_rounds"),
        r.Announce("a fair"),
        r.Warn(player, "under the minimum"),
        r.Absent(box, player),
        r.Approve("resplit"),
        r.Void("round"),
        r.Void("box", None, box),
        r.Adjust(player, chance.choice((-500, 500))),
        r.Malfunction(),
        r.Irregularity("placement_error"),
        r.Irregularity("no_cut_card"),
        r.Refuse(box, player),
        r.Withdraw(box, 1, player),
        r.Unknown("event", "wave", None, "{}"),
        r.Wager(box, player, "main", 1000),
        r.Play(box, 1, player, chance.choice(c.PLAYS), 500),
        r.Deal(box, 1, _card(chance)),
        r.Deal(0, 1, _card(chance)),
        r.Deal(0, 1, _card(chance), down=True),
        r.Deal(box, 1, _card(chance), down=True),
        r.Reveal(0),
        r.Reveal(box, 1),
        r.Peek(),
        r.Designate(box, player, 2),
        r.Settle(box, 1, player, chance.choice(c.BETS), chance.choice((0, 1000))),
    )
    return chance.choice(made)


def _all_kinds() -> Iterator[str]:
    yield from (kind.__name__ for kind in r.Event.__args__)  # type: ignore[attr-defined]


def test_every_kind_of_event_can_be_flattened() -> None:
    first = example("act-pontoon", 1)[0]
    chance = random.Random(1)
    seen: set[str] = set()
    rounds = []
    for n in range(400):
        event = replace(_new_event(first, chance), n=0)
        seen.add(type(event).__name__)
        rounds.append(replace(first, id=str(n), events=(event,)))
    assert seen == set(_all_kinds())
    assert len(flatten(rounds, BOOKS).events) == len(rounds)
