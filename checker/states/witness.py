"""From a state of the prover to a round that can be dealt, and the proof that it can."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from checker.evaluate.engine import Answer, Engine
from checker.evaluate.scene import SeenScene
from checker.evaluate.words.in_words import card_text
from checker.judge.findings import ReplayFinding
from checker.judge.judge import judge
from checker.log.decode import DecodeError
from checker.log.script import ScriptError
from checker.states.declared_words import CHOICE, option_of
from checker.states.diagram import Diagram, bits
from checker.states.early_end import as_dealt
from checker.states.grid import FOUND, Cell, Flag
from checker.states.lines_of_play import (
    SHOE,
    STAKE,
    Around,
    Line,
    money,
    round_of,
    scene_of,
    script,
    table_of,
)
from checker.states.symbolic import Symbolic
from checker.table.mechanics import ordinary
from checker.table.state import Table
from rulespec.resolve.question import DEALER_DRAW, Question, whether

TRIES = (14, 400)
"""Rounds that are dealt before a search is given up: the smallest ones, then some of all kinds."""
NOT_DEALT = frozenset({"play", "deal", "wager", "integrity"})


@dataclass(frozen=True, slots=True)
class Witness:
    """A hand that shows what a finding says."""

    line: Line
    part: str
    around: Around
    bet: str
    play: str
    flags: tuple[str, ...]

    @property
    def cards(self) -> tuple[str, ...]:
        return self.line.cards

    def as_json(self) -> dict[str, Any]:
        shown: dict[str, Any] = {
            "cards": list(self.line.cards),
            "dealer": list(self.around.dealer),
            "hand": self.line.number,
            "player": self.line.player,
            "part": self.part,
            "stake": money(self.around.stake),
            "flags": list(self.flags),
            "options": list(self.around.options),
            "play": self.play,
        }
        if self.line.pair is not None:
            shown[ordinary().splitting] = list(self.line.pair)
        return shown

    def describe(self) -> str:
        """One line: the cards, what was done, the dealer's cards, the circumstances."""
        line = self.line
        words = [" ".join(map(card_text, line.cards))]
        if line.pair is not None:
            split = ordinary().splitting
            times = f"a {split}" if not line.again else f"{line.again + 1} {split}s"
            words.append(f"hand {line.number} after {times}")
        if line.doubled_with is not None:
            who = "" if not line.shared else " by both" if line.follows else " by the other player"
            words.append("doubled" + who)
        words += ["surrendered"] * line.surrendered + ["forfeited"] * line.forfeited
        words += ["even money"] * line.even_money
        if line.shared:
            words.append("second player on the box")
        if len(line.parts()) > 1 or line.number > 1:
            words.append(f"{self.part} wager")
        if self.around.stake != STAKE:
            words.append(f"stake ${money(self.around.stake)}")
        words.append("dealer " + " ".join(map(card_text, self.around.dealer)))
        return ", ".join([*words, *map(_circumstance, self.flags)])


_CIRCUMSTANCES = {
    "absent": "player absent",
    "refused": "card refused",
    "withdrawn": "wager withdrawn",
    "round.void": "round void",
    "hand.void": "hand void",
}


def _circumstance(flag: str) -> str:
    kind, _, name = flag.partition(" ")
    if kind == "found":
        return f"error found: {name.replace('_', ' ')}"
    if kind in ("recorded", "approved", "option"):
        return f"{kind}: {name.replace('_', ' ')}"
    return _CIRCUMSTANCES.get(flag, flag)


class Replayer:
    """Deals the states of one space and asks the evaluator."""

    def __init__(self, printed: Engine, read: Engine) -> None:
        self.printed = printed
        self.read = read
        self._judged: dict[tuple[str, tuple[str, ...]], tuple[frozenset[str], Table] | None] = {}

    def dealt(self, play: str, options: tuple[str, ...]) -> tuple[frozenset[str], Table] | None:
        """The table after the round, and the codes of what the rules do not allow in it."""
        key = (play, options)
        if key not in self._judged:
            try:
                round_ = round_of(play, options, self.read.rulebook.id, self.read.rulebook.game)
            except (DecodeError, ScriptError):
                self._judged[key] = None
            else:
                verdict = judge(self.read, round_, SHOE)
                unfair = frozenset(f.code for f in verdict.findings if self._unfair(f))
                self._judged[key] = unfair, table_of(round_)
        return self._judged[key]

    def _unfair(self, found: ReplayFinding) -> bool:
        """Somebody did what the rules do not allow; a text that is silent allows everything."""
        if found.code == "R511" and not self.read.has(whether("player", "draw")):
            return False
        if found.code in ("R520", "R521") and not self.read.has(DEALER_DRAW):
            return False
        return found.kind in NOT_DEALT and found.code < "R540"

    def candidates(
        self, space: Symbolic, states: Diagram, bet: str, tries: int = TRIES[0]
    ) -> Iterator[tuple[Witness, Table]]:
        """Rounds that lead to these states, the smallest first; with many tries, some of each
        size."""
        tried = 0
        for chosen, cells in space.d.states(states):
            flags = {space.flags[level]: value for level, value in chosen.items()}
            around = _around(flags, bet)
            if around is None:
                continue
            most = max(5, tries // 4)
            step = 1 if tries == TRIES[0] else max(1, cells.bit_count() // most)
            for n in islice(bits(cells), 0, most * step, step):
                found = self.witness(space.cells[n], around, flags, bet)
                if found is not None:
                    yield found
                tried += 1
                if tried >= tries:
                    return

    def witness(
        self, cell: Cell, around: Around, flags: dict[Flag, int], bet: str
    ) -> tuple[Witness, Table] | None:
        line = cell.player.line
        assert line is not None
        dealer = cell.dealer.dealer
        mechanics = self.read.mechanics
        side = None if bet == mechanics.main or bet in mechanics.bonuses else bet
        place = "1" if line.number == 1 else f"1.{line.number}"
        after = tuple(text.format(place=place, player=line.player) for text in around.after)
        before = tuple(text.format(place=place, player=line.player) for text in around.before)
        middle = tuple(text.format(place=place, player=line.player) for text in around.middle)
        # only a log that records player cards shows that one is missing, which is a breach itself;
        # what supervisors have to do about an irregularity is not at issue
        cardless = around.cardless
        recorded = any(kind == "recorded" for kind, _ in flags)
        forgiven = frozenset({"R530"}) if cardless or recorded else frozenset()
        for other_box in (True,) if cardless and not line.shared else (False, True):
            made = Around(
                dealer,
                cell.stake,
                _with_needs(around.options, line.needs),
                before,
                middle,
                after,
                side,
                other_box,
                cardless,
            )
            play = as_dealt(self.read, script(line, made), made)
            dealt = self.dealt(play, made.options)
            if dealt is None or dealt[0] - forgiven - {"R520", "R521"}:
                return None  # another box would not mend it
            if not dealt[0] - forgiven:
                names = tuple(_named(flag, value) for flag, value in sorted(flags.items()))
                return Witness(line, cell.player.part, made, bet, play, names), dealt[1]
        return None

    def ask(self, engine: Engine, question: Question, witness: Witness, table: Table) -> Answer:
        return engine.ask(question, self.scene(engine, witness, table))

    def scene(self, engine: Engine, witness: Witness, table: Table) -> SeenScene:
        side = witness.around.side
        stake = witness.around.stake
        if side is not None:
            stake = stake // 2 if engine.mechanics.placed_by(side) else 500
        return scene_of(engine, table, witness.line, witness.part, stake, witness.bet)


def possible(space: Symbolic, states: Diagram, bet: str) -> bool:
    """Some of these circumstances can be met in one round."""
    name = bet.partition(" ")[0]
    return any(
        _around({space.flags[level]: value for level, value in chosen.items()}, name) is not None
        for chosen, _ in space.d.states(states)
    )


def _with_needs(options: tuple[str, ...], needs: tuple[str, ...]) -> tuple[str, ...]:
    """What the circumstances say goes before what the line of play happens to need."""
    said = {option.partition("=")[0] for option in options}
    return (*options, *(need for need in needs if need.partition("=")[0] not in said))


def _named(flag: Flag, value: int) -> str:
    kind, name = flag
    if kind == CHOICE:
        return f"option {option_of(flag, value)}"
    if flag == ("fact", "found"):
        return f"found {FOUND[value]}"
    return name if kind == "fact" else f"{kind} {name}"


def _around(flags: dict[Flag, int], bet: str) -> Around | None:
    """The events that raise these flags; None when no round can have them together."""
    options = {name for (kind, name), _ in flags.items() if kind == "option"}
    options |= {option_of(flag, value) for flag, value in flags.items() if flag[0] == CHOICE}
    if bet in ordinary().game.options:
        options.add(bet)  # a side bet that is placed is offered
    before = [f"approve {name}" for (kind, name), _ in flags.items() if kind == "approved"]
    before += [
        f"bet 1 {{player}} 5 {name}" for (kind, name), _ in flags.items() if kind.endswith(" has")
    ]
    records = [name for (kind, name), _ in flags.items() if kind == "recorded"]
    facts = {name: value for (kind, name), value in flags.items() if kind == "fact"}
    found = f" found {FOUND[facts['found']]}" if "found" in facts else ""
    if found and not records:
        invalid = ordinary().roles.get("a wager is invalid")
        if "no player card" not in facts or invalid is None:
            return None
        records = [invalid]  # what was found, and when
    before += [f"record {name}{found}" for name in records]
    middle: list[str] = []
    after: list[str] = []
    if "absent" in facts:
        before.append("absent 1 {player}")
    if "refused" in facts:
        before.append("refuse 1 {player}")
    if "withdrawn" in facts:
        middle.append("withdraw {place} {player}")
    if "hand.void" in facts:
        after.append("void hand {place}")
    if "round.void" in facts:
        after.append("void round")
    return Around(
        options=tuple(sorted(options)),
        before=tuple(before),
        middle=tuple(middle),
        after=tuple(after),
        cardless="no player card" in facts,
    )
