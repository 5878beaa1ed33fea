"""The table of a game with named hands: bets lie on the table, cards go to a hand by its name."""

from __future__ import annotations

from dataclasses import dataclass, field

from checker.log import model as r
from checker.table.state import Bet, Dealt, Table
from rulespec.tree import game as g
from rulespec.tree.game import Game


@dataclass(slots=True)
class NamedTable(Table):
    """The state of one round after the events so far. All bets are together, whatever the place
    from which they were made: the log may name it for a wager and not for its settlement."""

    hands: dict[str, list[Dealt]] = field(default_factory=dict)
    dealt: int = 0

    @property
    def bets(self) -> list[Bet]:
        return self.box(r.NO_BOX).bets

    @property
    def seen(self) -> dict[str, tuple[Dealt, ...]]:
        """The hands as they lie now."""
        return {name: tuple(cards) for name, cards in self.hands.items()}

    def apply(self, event: r.Event) -> None:
        match event:
            case r.Wager():
                late = self.first_card is not None
                self.bets.append(Bet(event, late, self.call_made))
            case r.Deal():
                self._to_hand(event)
            case r.Settle():
                key = (r.NO_BOX, 1, event.player, event.bet)
                self.settled.setdefault(key, []).append(event)
            case _:
                Table.apply(self, event)

    def _to_hand(self, event: r.Deal) -> None:
        if self.first_card is None:
            self.first_card = event.n
        self.last_card = event.n
        if event.card != r.JOKER:
            dealt = Dealt(event.card, event.n, False)
            self.hands.setdefault(event.to or "", []).append(dealt)
        self.dealt += 1


@dataclass(frozen=True, slots=True)
class BeforePlay:
    """What was burnt, and when, in a round; read off all of its events."""

    turned: str | None  # the first card burnt before anything else happened
    burnt_after: int  # those burnt after it, before the first wager
    in_play: bool  # a card was burnt after the betting began
    too_early: bool  # a card was burnt before the betting was closed, and not to open a shoe
    cut_card_first: bool  # the cut card came out before the first wager


def before_play(round_: r.Round, opened: bool | None) -> BeforePlay:
    burnt: list[r.Burn] = []
    began = closed = cut_first = in_play = too_early = settled = False
    for event in round_.events:
        match event:
            case r.Burn() if not began:
                burnt.append(event)
            case r.Burn() if not settled:
                in_play = True
                too_early |= not closed
            case r.CutCard() if not began:
                cut_first = True
            case r.Wager():
                began = True
            case r.NoMoreBets() | r.Deal():
                began = closed = True
            case r.Settle():
                settled = True
            case _:
                pass
    first = burnt[0].card if burnt else None
    return BeforePlay(
        None if not burnt else "?" if first is None else first[0],
        max(len(burnt) - 1, 0),
        in_play,
        too_early or (opened is False and bool(burnt)),
        cut_first,
    )


def order_of_deal(game: Game) -> tuple[str, ...]:
    """The hands to which the cards of the first deal go, one by one."""
    plain = game.deals[-1]
    return tuple(step.to for step in plain.steps for _ in range(step.cards))


def not_followed(game: Game) -> tuple[str, ...]:
    """What a game with named hands declares that nothing here follows: it has to be said."""
    found = [f"the choice `{word}` of players" for word in game.plays]
    if len(game.deals) != 1:
        found.append(f"{len(game.deals)} ways to deal")
    found += [f"the bet `{b.name}`, which is placed later" for b in game.bets.values() if _late(b)]
    for stage in game.stages.values():
        if any(not isinstance(step, g.Draws | g.Ends) for step in stage.steps):
            found.append(f"the stage `{stage.name}`")
    return tuple(found)


def _late(bet: g.Bet) -> bool:
    return bet.placed.when != "before the first card" or bet.carried
