"""The dealer's draw: hands on which the dealer must and must not draw, or the text does not say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from checker.evaluate.dealer_draw import no_effect
from checker.evaluate.engine import Answer, Engine
from checker.evaluate.scene import SeenScene
from checker.evaluate.words.why_not import where_missing
from checker.prove.choices import by_the_house, choice
from checker.prove.issues import Proven, apart, at_times, count_of, mark_of, pairs
from checker.prove.rules import idle_orders
from checker.prove.witnessed import add, by_reading
from checker.states.diagram import Diagram
from checker.states.early_end import deals_apart, second_card_at_once
from checker.states.grid import Row
from checker.states.lines_of_play import SHOE, STAKE, Around, Line, round_of, script, table_of
from checker.states.marks import weight
from checker.states.symbolic import Symbolic
from checker.states.witness import Witness
from checker.table.mechanics import ORIGINAL
from checker.table.state import Dealt, Table
from rulespec.resolve.question import DEALER_DRAW

if TYPE_CHECKING:
    from checker.prove.search import Search

QUESTION = DEALER_DRAW


@dataclass(frozen=True, slots=True)
class Moment:
    """When the dealer might draw: with what hand on the table, and what is known then."""

    line: Line
    done: bool  # all players are
    idle: bool  # no card can change anything

    def seen(self, scene: SeenScene) -> SeenScene:
        return scene.but(no_effect=self.idle, deal={"players_done": self.done})


ORDINARY = Moment(Line(("KS", "9H")), done=True, idle=False)
WAITING = Moment(Line(("KS", "9H")), done=False, idle=False)
IDLE = Moment(Line(("KS", "6H", "KD")), done=True, idle=True)


def dealer(prover: Search) -> None:
    prover.dealers(prover.main)
    first_cards = [(rank + "D",) for rank in prover.states.all_ranks]
    seen = prover.states.dealer_seen
    _clashes(prover, ORDINARY, seen)
    _gaps(prover, [*seen, *prover.states.dealer_over])
    # while players decide the dealer has what was dealt first, unless he is told to draw meanwhile;
    # he keeps it when all hands are over the limit
    two = [cards for cards in seen if len(cards) == 2] if _second_card(prover.printed) else []
    meanwhile = _draws_meanwhile(prover, first_cards)
    _clashes(prover, WAITING, seen if meanwhile else [*first_cards, *two], as_dealt=not meanwhile)
    _clashes(prover, IDLE, [*first_cards, *two], as_dealt=True)


def _second_card(engine: Engine) -> bool:
    """Some deal gives the dealer two cards at once."""
    return any(opening.to_dealer > 1 for opening in engine.mechanics.openings)


def _draws_meanwhile(prover: Search, first_cards: Iterable[tuple[str, ...]]) -> bool:
    scenes = (_row(prover, WAITING, cards).scene for cards in first_cards)
    return any(
        "must" in prover.printed.ask(QUESTION, scene).values
        for scene in scenes
        if isinstance(scene, SeenScene)
    )


def _row(prover: Search, moment: Moment, cards: tuple[str, ...]) -> Row:
    dealt = tuple(Dealt(c, n, False) for n, c in enumerate(cards))
    scene = SeenScene(prover.printed, Table(prover.blank), SHOE, dealt)
    return Row(None, "", cards, moment.seen(scene), len(cards))


def _clashes(
    prover: Search, moment: Moment, hands: Iterable[tuple[str, ...]], *, as_dealt: bool = False
) -> None:
    """`as_dealt`: the dealer has the cards of the initial deal and no others."""
    rows = [prover.row(moment.line, ORIGINAL, prover.main)]
    dealers = [_row(prover, moment, cards) for cards in hands]
    prover.note([QUESTION], rows, dealers, [STAKE])
    also = [*at_times(prover.read, [QUESTION]), *deals_apart(prover.printed.rulebook.game)]
    space = Symbolic(prover.printed, [QUESTION], rows, dealers, [STAKE], prover.tick, also)
    answers = space.answers(QUESTION)
    prover.orders.note(QUESTION, idle_orders(space, QUESTION, answers, space.d.all))
    domain = _domain(space) if as_dealt else space.d.all
    for clash in apart(prover.read, space, QUESTION, pairs(space, answers, domain)):
        witness = choice(space, clash.states, by_the_house(space), turned=moment.done)
        if witness is not None:
            found = Proven(
                "R310",
                QUESTION,
                clash.rules,
                count_of(space, [clash]),
                settled=clash.settled,
                mark=mark_of(space, QUESTION, [clash]),
            )
            _report(prover, moment, found, witness)


def _domain(space: Symbolic) -> Diagram:
    """One card of the dealer, or two, by the deal that holds."""
    d = space.d
    at_once = second_card_at_once(space)

    def only(cards: int) -> Diagram:
        alike = enumerate(space.joined_dealers)
        rows = sum(1 << n for n, same in alike if {len(row.dealer) for row in same} == {cards})
        return d.leaf(space.cells.of("dealer", rows))

    never = d.either(d.both(only(1), at_once), d.without(only(2), at_once))
    return d.without(d.all, never)


def _gaps(prover: Search, hands: list[tuple[str, ...]]) -> None:
    """One finding for each total on which no clause says what the dealer does."""
    silent: dict[str, list[tuple[str, ...]]] = {}
    for cards in hands:
        scene = _row(prover, ORDINARY, cards).scene
        assert isinstance(scene, SeenScene)
        answer = prover.printed.ask(QUESTION, scene)
        total = scene.fact("dealer.total")
        if not answer.values and not answer.unknown and isinstance(total, int):
            limit = prover.printed.mechanics.limit
            where = f"on {total}" if total <= limit else f"over {limit}"
            silent.setdefault(where, []).append(cards)
    for where, shown in silent.items():
        around = Around(min(shown, key=len))
        line = ORDINARY.line
        witness = Witness(line, ORIGINAL, around, prover.main, script(line, around), ())
        mark = weight(QUESTION) * sum(weight(" ".join(cards)) for cards in shown)
        found = Proven("R312", QUESTION, (), len(shown), where=where, settled=False, mark=mark)
        _report(prover, ORDINARY, found, witness)


def _report(prover: Search, moment: Moment, found: Proven, witness: Witness) -> None:
    answer, as_read = (
        _asked(engine, moment, witness, prover) for engine in (prover.printed, prover.read)
    )
    contradicts = found.code == "R310"
    if answer is None or as_read is None or (len(answer.values) > 1) != contradicts:
        add(prover, replace(found, not_dealt=True))
        return
    game = prover.printed.rulebook.game
    table = table_of(round_of(witness.play, witness.around.options, game=game))
    near = where_missing(
        prover.printed,
        QUESTION,
        moment.seen(prover.replayer.scene(prover.printed, witness, table)),
    )
    readings = by_reading(prover.read, as_read) if len(as_read.values) == 1 else ()
    add(
        prover,
        replace(
            found,
            rules=found.rules or near,
            witness=witness,
            readings=readings,
            values=answer.values,
            here=answer.rules,
        ),
    )


def _asked(engine: Engine, moment: Moment, witness: Witness, prover: Search) -> Answer | None:
    """What the evaluator says in the dealt round; None when it is not such a moment."""
    game = engine.rulebook.game
    table = table_of(round_of(witness.play, witness.around.options, game=game))
    scene = moment.seen(prover.replayer.scene(engine, witness, table))
    if moment.idle and not no_effect(scene):
        return None
    return engine.ask(QUESTION, scene)
