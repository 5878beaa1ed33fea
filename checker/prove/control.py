"""Who decides for a box on which several players wager: one of them, by what the clauses say?

Every box of two or three players: who sits at it, and whose wager is the highest. Each player is
asked in turn, as the one whom the log records to have decided. A clause that leaves it to that
record goes by something that no log tells, such as whose wager lies nearest to the dealer.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

from checker.evaluate.engine import Answer, Engine
from checker.log import model as r
from checker.prove.issues import BANS, Proven
from checker.prove.witnessed import by_reading
from checker.states.lines_of_play import STAKE, Around, Line, money, round_of, scene_of, table_of
from checker.states.marks import weight
from checker.states.row_facts import asked_of
from checker.states.witness import Witness
from checker.table.state import wager_of
from rulespec.resolve.question import Question, whether

if TYPE_CHECKING:
    from checker.prove.search import Search

LINE = Line(("9S", "8H"))

Box = tuple[tuple[int, ...], int | None]  # the wagers in their order, and who sits there


def question(engine: Engine) -> Question:
    """Whether a player decides on the hands of the box."""
    return whether("player", engine.mechanics.deciding)


def control(prover: Search) -> None:
    """One finding for each case in which no player may decide, or several may."""
    silent: dict[str, list[Box]] = {}
    every: dict[str, int] = {}
    for box in _boxes():
        seat, stakes = _seat(box), _stakes(box)
        every[seat] = every.get(seat, 0) + 1
        answers = [_asked(prover.printed, box, n) for n in range(len(box[0]))]
        if not any(a.unknown or a.unchecked for a in answers) and _open(prover.printed, answers):
            silent.setdefault(f"{seat}, {stakes}", []).append(box)
    for seat, among in every.items():
        cases = {where: boxes for where, boxes in silent.items() if where.startswith(seat)}
        if sum(map(len, cases.values())) == among:  # whatever the wagers are
            cases = {seat: [box for boxes in cases.values() for box in boxes]}
        for where, boxes in cases.items():
            _report(prover, where, boxes)


def _open(engine: Engine, answers: list[Answer]) -> bool:
    free = [a for a in answers if _free(engine, a)]
    recorded = any(
        "player.controls" in asked_of(engine, rule.condition, set())
        for a in free
        for rule in a.rules
    )
    return not free or (len(free) > 1 and not recorded)


def _boxes() -> list[Box]:
    """One box for each order of two or three wagers, with nobody or one of them seated."""
    found: list[Box] = []
    for players in (2, 3):
        orders = {
            tuple(sorted(set(ranks)).index(n) for n in ranks)
            for ranks in product(range(players), repeat=players)
        }
        for ranks in sorted(orders):
            stakes = tuple(STAKE * (1 + n) for n in ranks)
            found += [(stakes, seat) for seat in (None, *range(players))]
    return found


def _seat(box: Box) -> str:
    return "with nobody seated" if box[1] is None else "with one of them seated"


def _stakes(box: Box) -> str:
    stakes = box[0]
    highest = stakes.count(max(stakes))
    if highest == len(stakes):
        return "all wagers equal"
    return "one wager the highest" if highest == 1 else "several wagers equally high"


def _asked(engine: Engine, box: Box, who: int) -> Answer:
    """Whether this player may decide, once that is what the log records."""
    table = table_of(round_of(_script(box, who)))
    player = f"P{who + 1}"
    scene = scene_of(engine, table, LINE, "original", box[0][who]).but(
        player=player,
        wager=wager_of(table.boxes[1], player, engine.mechanics.main),
        play=r.Play(1, 1, player, engine.mechanics.standing, None),
    )
    return engine.ask(question(engine), scene)


def _script(box: Box, who: int) -> str:
    stakes, seat = box
    bets = [
        f"bet 1 P{n + 1} {money(stake)} {'seated' if n == seat else 'standing'}"
        + " controls" * (n == who)
        for n, stake in enumerate(stakes)
    ]
    return "\n".join([*bets, "deal 1:9S 0:9D 1:8H"]) + "\n"


def _free(engine: Engine, answer: Answer) -> bool:
    """Where the text only says who may not, everybody else may."""
    if set(answer.values) & set(BANS):
        return False
    given = any(rule.value == "may" for rule, _ in engine.by_question[question(engine)])
    return bool(answer.values) or not given


def _report(prover: Search, where: str, boxes: list[Box]) -> None:
    box = min(boxes, key=lambda b: (len(b[0]), b))
    as_read = [_asked(prover.read, box, n) for n in range(len(box[0]))]
    readings: tuple[str, ...] = ()
    if not _open(prover.read, as_read):
        told = [name for a in as_read for name in by_reading(prover.read, a)]
        readings = tuple(dict.fromkeys(told))
    shown = tuple(f"P{n + 1} ${money(stake)}" for n, stake in enumerate(box[0]))
    asked = question(prover.printed)
    witness = Witness(LINE, "original", Around(), prover.main, _script(box, 0), shown)
    rules = [rule for rule, _ in prover.printed.by_question[asked]]
    often = Counter(rule.clause for rule in rules)
    near = tuple(sorted(rules, key=lambda rule: -often[rule.clause]))
    prover.proofs.found.append(
        Proven(
            "R312",
            asked,
            near,
            len(boxes),
            witness,
            readings=readings,
            settled=bool(readings),
            where=where,
            mark=weight(asked) * sum(weight(repr(box)) for box in boxes),
        )
    )
