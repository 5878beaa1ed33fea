"""A hand for each class: dealt as a whole round, allowed by both texts, asked of both again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

from checker.diff.classes import Outcome
from checker.diff.hands.domains import SUPPOSED
from checker.diff.hands.space import Space
from checker.diff.options import dealer_outcome, option_outcome
from checker.diff.settlements import Difference, asked, outcome_of, told
from checker.evaluate.engine import Answer, Engine, Value
from checker.evaluate.scene import SeenScene
from checker.log import model as r
from checker.log.decode import DecodeError
from checker.log.script import ScriptError
from checker.states.early_end import as_dealt
from checker.states.grid import Cell, Flag
from checker.states.lines_of_play import STAKE, Around, round_of, scene_of, script, table_of
from checker.states.witness import Replayer, Witness, _around, _named
from checker.table.mechanics import ORIGINAL, won_by
from checker.table.state import Table
from rulespec.resolve.question import Question, about_bet

Ask = Callable[[Engine, SeenScene], tuple[Outcome, tuple[Answer, ...]]]
TRIES = 12


@dataclass(frozen=True, slots=True)
class Shown:
    """A round that shows a difference, with what each text's evaluator answers on it."""

    witness: Witness
    supposed: tuple[str, ...]  # of the hand itself, in words
    old: tuple[Answer, ...]
    new: tuple[Answer, ...]


class Shower:
    """Finds the smallest round that shows a difference of settlement or of play."""

    def __init__(self, engines: tuple[Engine, Engine]) -> None:
        self.engines = engines
        self.mechanics = engines[0].mechanics
        self.replayers = tuple(Replayer(engine, engine) for engine in engines)

    # --- settlements

    def settlement(self, space: Space, found: Difference, bet: str) -> Shown | None:
        return self._wager(space, found, bet, lambda engine, scene: asked(engine, bet, scene))

    def question(
        self, space: Space, found: Difference, bet: str, question: Question
    ) -> Shown | None:
        """The same for one question about a wager, such as when it is settled."""

        def ask(engine: Engine, scene: SeenScene) -> tuple[Outcome, tuple[Answer, ...]]:
            answer = engine.ask(question, scene)
            return outcome_of(told(answer)), (answer,)

        return self._wager(space, found, bet, ask)

    def _wager(self, space: Space, found: Difference, bet: str, ask: Ask) -> Shown | None:
        events = _events(space, found)
        around = _around(events, bet)
        if around is None:
            return None
        supposed = supposed_facts(space, found.flags)
        plain = not supposed and not any(flag[1] != bet for flag in events)
        for n in space.smallest(found.cells, TRIES):
            of_the_hand = space.supposed(n)
            for witness in self._rounds(space.cell(n, 0), around, events, bet):
                if plain and not of_the_hand and not self._allowed(witness):
                    continue
                table = _table(witness)
                if table is None:
                    return None
                told: list[tuple[Outcome, tuple[Answer, ...]]] = []
                for engine, replayer in zip(self.engines, self.replayers, strict=True):
                    scene = replayer.scene(engine, witness, table)
                    if bet in engine.mechanics.bonuses:
                        scene = _with_winner(engine, scene, witness)
                    scene.memory.update({**supposed, **of_the_hand})
                    told.append(ask(engine, scene))
                if (told[0][0], told[1][0]) == (found.was, found.becomes):
                    return Shown(witness, in_words(space, of_the_hand), told[0][1], told[1][1])
                if not plain:
                    break  # a second box changes nothing in special circumstances
        return None

    def _allowed(self, witness: Witness) -> bool:
        """Whether both texts allow all that is done in a round."""
        for replayer in self.replayers:
            dealt = replayer.dealt(witness.play, witness.around.options)
            if dealt is None or dealt[0]:
                return False
        return True

    def _rounds(
        self, cell: Cell, around: Around, flags: dict[Flag, int], bet: str
    ) -> Iterator[Witness]:
        """The round of a cell, alone at the table and beside another box."""
        line = cell.player.line
        assert line is not None
        on_first_cards = self.mechanics.first_cards(bet) > 0
        side = bet if on_first_cards or self.mechanics.placed_by(bet) else None
        place = "1" if line.number == 1 else f"1.{line.number}"
        words = {"place": place, "player": line.player}
        after = tuple(text.format(**words) for text in around.after)
        before = tuple(text.format(**words) for text in around.before)
        middle = tuple(text.format(**words) for text in around.middle)
        names = tuple(
            _named(flag, value) for flag, value in sorted(flags.items()) if flag[1] != bet
        )
        options = around.options
        lines = [line]
        if on_first_cards:
            options = tuple(sorted({*options, bet}))
            lines.append(line.but(cards=(*line.cards, "KC")))  # where the hand may not be left
        for whole, other_box in product(lines, (False, True)):
            here = Around(
                cell.dealer.dealer, cell.stake, options, before, middle, after, side, other_box
            )
            play = as_dealt(self.engines[0], script(whole, here), here)
            yield Witness(whole, cell.player.part, here, bet, play, names)

    # --- what is done at the table

    def option(self, space: Space, found: Difference, action: str) -> Shown | None:
        events = _events(space, found)
        around = _around(events, self.mechanics.main)
        if around is None:
            return None
        supposed = supposed_facts(space, found.flags)
        names = tuple(_named(flag, value) for flag, value in sorted(events.items()))
        for n in space.smallest(found.cells, TRIES):
            cell = space.cell(n, 0)
            line = cell.player.line
            assert line is not None
            words = {"place": "1", "player": "P1"}
            before = tuple(text.format(**words) for text in around.before)
            here = Around(cell.dealer.dealer, cell.stake, around.options, before)
            play = script(line, here)
            witness = Witness(line, ORIGINAL, here, self.mechanics.main, play, names)
            game = self.engines[0].rulebook.game
            table = table_of(round_of(play, around.options, game=game))
            told: list[tuple[Outcome, Answer]] = []
            for engine in self.engines:
                scene = scene_of(engine, table, line, ORIGINAL, cell.stake)
                act = r.Play(1, line.number, "P1", self.mechanics.word_for(action), cell.stake)
                scene = scene.but(play=act)
                scene.memory.update({**supposed, **space.supposed(n)})
                told.append(option_outcome(engine, action, scene))
            if (told[0][0], told[1][0]) == (found.was, found.becomes):
                supposed_of_hand = in_words(space, space.supposed(n))
                return Shown(witness, supposed_of_hand, (told[0][1],), (told[1][1],))
        return None

    def dealer(self, space: Space, found: Difference) -> Shown | None:
        """A dealer's hand, beside a hand of a player that is still open."""
        events = _events(space, found)
        around = _around(events, self.mechanics.main)
        if around is None:
            return None
        supposed = supposed_facts(space, found.flags)
        names = tuple(_named(flag, value) for flag, value in sorted(events.items()))
        for n in space.smallest(found.cells, TRIES):
            cell = space.cell(n, 0)
            line = cell.player.line
            assert line is not None
            here = Around(cell.dealer.dealer, options=around.options, before=around.before)
            play = as_dealt(self.engines[0], script(line, here), here)
            witness = Witness(line, ORIGINAL, here, "dealer", play, names)
            game = self.engines[0].rulebook.game
            table = table_of(round_of(play, around.options, game=game))
            told: list[tuple[Outcome, Answer]] = []
            for engine in self.engines:
                scene = scene_of(engine, table, line, ORIGINAL, STAKE)
                scene = scene.but(hand=None, no_effect=False)
                scene.memory.update(supposed)
                told.append(dealer_outcome(engine, scene))
            if (told[0][0], told[1][0]) == (found.was, found.becomes):
                return Shown(witness, (), (told[0][1],), (told[1][1],))
        return None


def _events(space: Space, found: Difference) -> dict[Flag, int]:
    """What has to be on record; something that was found has to be something."""
    events = {f: v for f, v in found.flags.items() if f[0] != SUPPOSED}
    if ("fact", "found") in events and not any(kind == "recorded" for kind, _ in events):
        other = next(name for name in space.words.records if ("recorded", name) not in space.flags)
        events[("recorded", other)] = 1
    return events


def _table(witness: Witness) -> Table | None:
    """The table after a round; None when the circumstances cannot be put on record together."""
    try:
        return table_of(round_of(witness.play, witness.around.options))
    except (DecodeError, ScriptError):
        return None


def _with_winner(engine: Engine, scene: SeenScene, witness: Witness) -> SeenScene:
    """A wager that wins a bonus is itself a winner of the round, as replay sees it."""
    if not engine.holds(won_by(witness.bet), scene):
        return scene
    winner = (1, witness.line.number, witness.line.player)
    scene = scene.but(bonus_winners=frozenset({winner}))
    priced = bool(engine.ask(about_bet(witness.bet, "odds"), scene).values)
    return scene.but(bonus_priced=priced)


def supposed_facts(space: Space, flags: dict[Flag, int]) -> dict[str, Value]:
    return {f[1]: space.domains[f][v] for f, v in flags.items() if f[0] == SUPPOSED}


def in_words(space: Space, facts: dict[str, Value]) -> tuple[str, ...]:
    return tuple(
        space.words.circumstance((SUPPOSED, name), value) for name, value in sorted(facts.items())
    )


def described(space: Space, facts: dict[str, Value]) -> tuple[str, ...]:
    """Facts with their values."""
    return tuple(
        f"{name} {space.words.value(name, value)}" for name, value in sorted(facts.items())
    )
