"""Facts read once for many hands, and cells made from sets of rows, against the long way."""

import random
from pathlib import Path

import pytest

from checker.evaluate.facts.boxes import HOMES
from checker.evaluate.scene import SeenScene
from checker.prove.prove import Prover
from checker.states.grid import Cells, Row, repeated, widened
from checker.states.lines_of_play import STAKE, Line, quick_table, scene_of
from checker.states.row_facts import (
    OF_LATER_HANDS,
    OF_THE_CARDS,
    OF_THE_FIRST_HAND,
    OF_THE_WAGER,
    column,
)
from rulespec.load.load import find, load
from rulespec.resolve.in_force import text_in_force
from tests.prove.test_prove import BOOKS, SOUND
from tests.support import rulebook

NUMBERED = OF_THE_CARDS | OF_THE_WAGER | OF_THE_FIRST_HAND | OF_LATER_HANDS


def same_as_row_by_row(prover: Prover) -> set[str]:
    """Facts that are not the same on all hands, after a look at every hand."""
    rows = [prover.row(line, part, "main") for line in prover.lines() for part in line.parts()]
    engine = prover.printed
    scenes = [
        scene_of(engine, quick_table(row.line, prover.blank), row.line, row.part, STAKE)
        for row in rows
        if row.line is not None
    ]
    telling: set[str] = set()
    for fact in sorted(NUMBERED):
        one_by_one = [scene.fact(fact) for scene in scenes]
        assert column(engine, rows, fact) == one_by_one, fact
        if len(set(one_by_one)) > 1:
            telling.add(fact)
    return telling


@pytest.mark.parametrize("name", BOOKS)
def test_facts_are_the_same_as_read_off_every_hand(name: str) -> None:
    assert set(HOMES) >= NUMBERED
    book = load(find(name)[0][0][0]).rulebook
    assert book is not None
    telling = same_as_row_by_row(Prover(text_in_force(book, None)))
    assert {"hand.total", "hand.split", "wager.part", "wager.doubled"} <= telling


def test_a_result_that_looks_at_other_hands_is_asked_of_every_hand(tmp_path: Path) -> None:
    """`box.doubled_before` is no fact of one hand: nothing may be concluded from a like one."""
    early = (
        'clause 9.1 "Early" { interim main wins when hand.total = 21 and not box.doubled_before '
        "and not wager.stands_for_original }\n"
    )
    same_as_row_by_row(Prover(rulebook(tmp_path, SOUND + early)))


@pytest.mark.parametrize("seed", range(6))
def test_sets_of_cells_are_those_of_their_rows(seed: int) -> None:
    chance = random.Random(seed)

    def player() -> Row:
        firsts = chance.choice((None, None, frozenset("A9"), frozenset("9"), frozenset()))
        line = Line(("9S", "8H"), firsts=firsts)
        return Row(line, "original", (), _no_scene, chance.randint(2, 5))

    def dealer() -> Row:
        first = chance.choice(("AD", "9D", "2D"))
        return Row(None, "", (first,), _no_scene, chance.choice((-9, 2, 3, 4)))

    players = sorted((player() for _ in range(chance.randint(1, 40))), key=lambda r: r.size)
    dealers = [dealer() for _ in range(chance.randint(1, 20))]
    stakes = [1000, 2450, 5000][: chance.randint(1, 3)]
    cells = Cells(players, dealers, stakes)
    wanted = [
        (p, d, stake)
        for p in players
        for d in dealers
        for stake in stakes
        if p.line is not None and (p.line.firsts is None or d.dealer[0][0] in p.line.firsts)
    ]
    wanted.sort(key=lambda cell: cell[0].size + cell[1].size)  # stable: else in their order
    assert [(c.player, c.dealer, c.stake) for c in cells] == wanted
    sides: list[tuple[str, list[Row] | list[int]]] = [
        ("player", players),
        ("dealer", dealers),
        ("stake", stakes),
    ]
    for place, (side, rows) in enumerate(sides):
        for chosen in (0, 1, (1 << len(rows)) - 1, chance.getrandbits(len(rows))):
            inside = [r for n, r in enumerate(rows) if chosen >> n & 1]
            found = cells.of(side, chosen)
            assert found == sum(1 << n for n, cell in enumerate(wanted) if cell[place] in inside)


def test_fields_of_bits() -> None:
    assert repeated(3, 4) == 0b001001001001
    for bits in (0, 1, 0b1011, 1 << 70 | 5):
        for width in (1, 3, 8, 13):
            field = (1 << width) - 1
            long_way = sum(field << n * width for n in range(80) if bits >> n & 1)
            assert widened(bits, width) == long_way


def _no_scene() -> SeenScene:
    raise AssertionError
