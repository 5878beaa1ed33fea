"""Rounds that a stage ends before the players decide, and rounds with a hole card as scripts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from checker.evaluate.dealer_draw import ranks_in_play
from checker.evaluate.deals import comes_to, ending, ends_round, opening_of
from checker.evaluate.engine import Engine
from checker.evaluate.scene import SeenScene
from checker.states.diagram import Diagram
from checker.states.lines_of_play import SHOE, Around, Line, round_of, script, table_of
from checker.table.state import Table
from rulespec.load.games import ordinary_game
from rulespec.tree import game as g
from rulespec.tree import nodes as t

if TYPE_CHECKING:
    from checker.states.symbolic import Symbolic


def _before_turns(game: g.Game) -> list[g.Stage]:
    """The stages before the players decide."""
    found: list[g.Stage] = []
    for stage in game.stages.values():
        if any(isinstance(step, g.InTurn) for step in stage.steps):
            break
        found.append(stage)
    return found


def _to_dealer(deal: g.Deal) -> int:
    return sum(step.cards for step in deal.steps if step.to == g.DEALER)


def asked_of_stages(game: g.Game) -> list[t.Expression]:
    """The conditions on which it depends whether a round ends early."""
    ends = [(stage, step) for stage in _before_turns(game) for step in ending(stage)]
    if not ends:
        return []
    deals = [deal.condition for deal in game.deals if _to_dealer(deal) > 1]
    return [*(stage.condition for stage, _ in ends), *(step.condition for _, step in ends), *deals]


def after_the_end(space: Symbolic) -> Diagram:
    """The states that cannot be: players went on although a stage had ended the round. What the
    dealer drew after that is not looked at: such hands are left in."""
    d = space.d
    ends = [(stage, step) for stage in _before_turns(space.game) for step in ending(stage)]
    if not ends:
        return d.none
    over = d.any_of(
        [
            d.both(space.condition(stage.condition)[0], space.condition(step.condition)[0])
            for stage, step in ends
        ]
    )
    deals = [deal for deal in space.game.deals if _to_dealer(deal) > 1]
    plain = [deal for deal in space.game.deals if isinstance(deal.condition, t.Always)]
    if not all(_to_dealer(deal) > 1 for deal in plain):
        over = d.both(over, d.any_of([space.condition(deal.condition)[0] for deal in deals]))
    cards = min((_to_dealer(deal) for deal in deals), default=0)
    players = sum(
        1 << n
        for n, rows in enumerate(space.joined_players)
        if all(row.line is not None and went_on(row.line) for row in rows)
    )
    dealers = sum(
        1 << n
        for n, rows in enumerate(space.joined_dealers)
        if all(len(row.dealer) == cards for row in rows)
    )
    cells = space.cells
    return d.both(over, d.leaf(cells.of("player", players) & cells.of("dealer", dealers)))


def ended_early(scene: SeenScene, cards: int) -> bool:
    """Whether a stage ends the round on so many cards of the dealer, whatever the house offers."""
    stages = [stage for stage in _before_turns(scene.engine.rulebook.game) if any(ending(stage))]
    opening = scene.engine.mechanics.opening
    return bool(stages) and opening.to_dealer == cards and ends_round(scene, stages)


def went_on(line: Line) -> bool:
    """Somebody decided, or got a card, after the initial deal."""
    return len(line.cards) > 2 or line.doubled_with is not None or line.pair is not None


def as_dealt(
    engine: Engine, play: str, around: Around, *, looked: bool = True, turned: bool = True
) -> str:
    """The script of a round by the deal of the rulebook: with a hole card, looked at and turned,
    if it has come to that."""
    mechanics = engine.mechanics
    if all(opening.to_dealer == 1 for opening in mechanics.openings) or len(around.dealer) < 2:
        return play
    lines = play.splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("deal "))
    start = lines[: first + 1]
    table = Table(round_of("\n".join(start) + "\n", around.options, game=mechanics.game), mechanics)
    for event in table.round.events:
        table.apply(event)
    scene = SeenScene(engine, table, SHOE, tuple(table.dealer))
    opening = opening_of(scene)
    if opening is None or opening.to_dealer != 2:
        return play
    down = opening.steps[-1].face_down
    lines[first] += f" 0:{around.dealer[1]}" + (":down" if down else "")
    last = next((n for n, line in enumerate(lines) if line.startswith("dealer ")), len(lines))
    rest = " ".join(around.dealer[2:])
    shown = [*(["reveal 0"] if down and turned else []), *([f"dealer {rest}"] if rest else [])]
    lines[last : last + 1] = shown
    looks = looked and any(
        comes_to(scene, stage)
        for stage in _before_turns(engine.rulebook.game)
        if any(isinstance(step, g.Looks) for step in stage.steps)
    )
    if looks:
        placing = {word for word, does in mechanics.plays.items() if does.places is not None}
        place = first + 1
        while place < last and len(lines[place].split()) > 2 and lines[place].split()[2] in placing:
            place += 1
        lines.insert(place, "peek")
    return "\n".join(lines) + "\n"


def at_a_choice(
    engine: Engine, line: Line, around: Around, *, looked: bool, turned: bool
) -> tuple[Around, str] | None:
    """A round up to a choice by the deal of the rulebook. Where that gives the dealer a second card
    at once that nobody named, it is one on which players do choose; None where there is none."""
    plain = script(line, around)
    if all(opening.to_dealer == 1 for opening in engine.mechanics.openings):
        return around, plain
    if len(around.dealer) > 1:
        return around, as_dealt(engine, plain, around, looked=looked, turned=turned)
    for rank in ranks_in_play(engine, SeenScene(engine, table_of(round_of("")), SHOE)):
        made = replace(around, dealer=(around.dealer[0], f"{rank}C"))
        play = as_dealt(engine, script(line, made), made, looked=looked, turned=False)
        if play == script(line, made):
            return around, plain  # the second card comes later
        round_ = round_of(play, made.options, game=engine.rulebook.game)
        shown = [replace(card, down=False) for card in table_of(round_).dealer]
        if not ended_early(SeenScene(engine, table_of(round_), SHOE, tuple(shown)), len(shown)):
            return made, play
    return None


def second_card_at_once(space: Symbolic) -> Diagram:
    """The states in which the initial deal gives the dealer two cards."""
    d = space.d
    found, others = d.none, d.all
    for deal in space.game.deals:
        if isinstance(deal.condition, t.Always):
            continue
        holds, fails = space.condition(deal.condition)
        if _to_dealer(deal) > 1:
            found = d.either(found, d.both(holds, others))
        others = d.both(others, fails)
    plain = [deal for deal in space.game.deals if isinstance(deal.condition, t.Always)]
    return d.either(found, others) if any(_to_dealer(deal) > 1 for deal in plain[:1]) else found


def deals_apart(game: g.Game) -> list[t.Expression]:
    """The conditions on which it depends how cards are dealt first."""
    return [deal.condition for deal in game.deals if not isinstance(deal.condition, t.Always)]


def dealt_as_usual(deal: g.Deal) -> bool:
    """As the game itself deals, but for one more card of the dealer at the end."""
    usual = ordinary_game().deals[0].steps
    return deal.steps[: len(usual)] == usual and [
        (step.to, step.cards, step.hand) for step in deal.steps[len(usual) :]
    ] in ([], [(g.DEALER, 1, 1)])
