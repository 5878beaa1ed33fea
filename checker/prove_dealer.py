"""The dealer's draw: hands on which the dealer must and must not draw, or the text does not say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from checker.cells import Row
from checker.dealer_draw import no_effect
from checker.engine import Answer, Engine
from checker.lines_of_play import SHOE, STAKE, Around, Line, round_of, script, table_of
from checker.prove_conduct import choice
from checker.prove_report import by_reading, not_dealt, where_missing
from checker.prove_rules import idle_orders
from checker.proven import Clash, Proven, pairs, settled
from checker.scene import SeenScene
from checker.symbolic import Symbolic
from checker.table import Dealt, Table
from checker.witness import Witness

if TYPE_CHECKING:
    from checker.prove import Prover

QUESTION = "dealer draw"


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


def dealer(prover: Prover) -> None:
    prover.dealers("main")
    first_cards = [(rank + "D",) for rank in prover.states.all_ranks]
    seen = prover.states.dealer_seen
    _clashes(prover, ORDINARY, seen)
    _gaps(prover, [*seen, *prover.states.dealer_over])
    # the dealer has one card while players decide, and keeps it when all hands are over 21
    _clashes(prover, WAITING, first_cards)
    _clashes(prover, IDLE, first_cards)


def _row(prover: Prover, moment: Moment, cards: tuple[str, ...]) -> Row:
    dealt = tuple(Dealt(c, n, False) for n, c in enumerate(cards))
    scene = SeenScene(prover.printed, Table(prover.blank), SHOE, dealt)
    return Row(None, "", cards, moment.seen(scene), len(cards))


def _clashes(prover: Prover, moment: Moment, hands: Iterable[tuple[str, ...]]) -> None:
    rows = [prover.row(moment.line, "original", "main")]
    dealers = [_row(prover, moment, cards) for cards in hands]
    prover.note([QUESTION], rows, dealers, [STAKE])
    space = Symbolic(prover.printed, [QUESTION], rows, dealers, [STAKE], prover.tick)
    answers = space.answers(QUESTION)
    prover.orders.note(QUESTION, idle_orders(space, QUESTION, answers, space.d.all))
    for clash in pairs(space, answers, space.d.all):
        witness = choice(space, clash.states)
        if witness is not None:
            count = space.d.cells(clash.states).bit_count()
            _report(prover, moment, "R310", clash, witness, count)


def _gaps(prover: Prover, hands: list[tuple[str, ...]]) -> None:
    """One finding for each total on which no clause says what the dealer does."""
    silent: dict[str, list[tuple[str, ...]]] = {}
    for cards in hands:
        scene = _row(prover, ORDINARY, cards).scene
        assert isinstance(scene, SeenScene)
        answer = prover.printed.ask(QUESTION, scene)
        total = scene.fact("dealer.total")
        if not answer.values and not answer.unknown and isinstance(total, int):
            silent.setdefault(f"on {total}" if total <= 21 else "over 21", []).append(cards)
    for where, shown in silent.items():
        around = Around(min(shown, key=len))
        line = ORDINARY.line
        witness = Witness(line, "original", around, "main", script(line, around), ())
        _report(prover, ORDINARY, "R312", Clash(0), witness, len(shown), where)


def _report(
    prover: Prover, moment: Moment, code: str, clash: Clash, witness: Witness, count: int,
    where: str = "",
) -> None:  # fmt: skip
    rules = tuple(x for x in (clash.one, clash.other) if x is not None)
    answer, as_read = (_asked(engine, moment, witness, prover) for engine in (
        prover.printed, prover.read))  # fmt: skip
    if answer is None or as_read is None or (len(answer.values) > 1) != (code == "R310"):
        not_dealt(prover, code, QUESTION, rules)
        return
    table = table_of(round_of(witness.play, witness.around.options))
    near = where_missing(
        prover.printed, QUESTION,
        moment.seen(prover.replayer.scene(prover.printed, witness, table)),
    )  # fmt: skip
    prover.proofs.found.append(
        Proven(
            code, QUESTION, rules or near, count, witness,
            readings=by_reading(prover.read, as_read) if len(as_read.values) == 1 else (),
            values=answer.values, settled=settled(clash, prover.read.beats(QUESTION)), where=where,
        )
    )  # fmt: skip


def _asked(engine: Engine, moment: Moment, witness: Witness, prover: Prover) -> Answer | None:
    """What the evaluator says in the dealt round; None when it is not such a moment."""
    table = table_of(round_of(witness.play, witness.around.options))
    scene = moment.seen(prover.replayer.scene(engine, witness, table))
    if moment.idle and not no_effect(scene):
        return None
    return engine.ask(QUESTION, scene)
