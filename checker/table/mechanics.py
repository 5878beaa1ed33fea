"""What the game lets happen at the table: plays by their effects, deals by their steps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from rulespec.load.games import ordinary_game
from rulespec.tree import game as g
from rulespec.tree.conditions import Always

ORIGINAL = "original"
"""The part of the money on a hand that was wagered before the first card."""


@dataclass(frozen=True, slots=True)
class Does:
    """What a play does, read off the effects that its action declares."""

    action: str
    adds: str | None  # the part of the money that it adds to the hand
    cards: int  # that the hand is then due
    face_down: bool
    splits: bool
    places: str | None  # the bet that it places
    gives_up: tuple[tuple[str, bool], ...]  # parts that the house takes, and whether only half
    takes_back: tuple[str, ...]
    stands: bool  # it ends the hand and does nothing else
    claims: bool  # nothing moves: where no clause allows it, nothing happens
    decides: bool  # it is a decision on the hand, in turn
    leaves: bool  # each player for one's own part: the hand is over for that player
    ends: bool
    own: bool  # the rulebook declares it, not its game
    at_most: int | None
    counted_on: str

    @property
    def telling(self) -> bool:
        """It moves no money: a log that records such a decision records what players decide."""
        return self.decides and self.adds is None and self.places is None


def _does(action: g.Action) -> Does:
    adds, deals = action.effect(g.AddsStake), action.effect(g.Deals)
    places = action.effect(g.PlacesBet)
    splits, ends = action.effect(g.Splits) is not None, action.effect(g.EndsHand) is not None
    gives_up = tuple((e.part, e.half) for e in action.effects if isinstance(e, g.GivesUp))
    takes_back = tuple(e.part for e in action.effects if isinstance(e, g.TakesBack))
    moves = adds is not None or deals is not None or places is not None or splits
    claims = not moves and (
        bool(gives_up or takes_back) or action.by == "player" or action.effect(g.Claims) is not None
    )
    return Does(
        action.name,
        adds.part if adds else None,
        deals.cards if deals else 0,
        bool(deals and deals.face_down),
        splits,
        places.bet if places else None,
        gives_up,
        takes_back,
        stands=ends and len(action.effects) == 1 and action.by == "decider",
        claims=claims,
        decides=action.by == "decider" and not claims,
        leaves=action.by == "player" and ends,
        ends=ends,
        own=action.own,
        at_most=action.at_most,
        counted_on=action.counted_on,
    )


@dataclass(frozen=True, slots=True)
class Opening:
    """The initial deal, as one of the game's deals says it."""

    steps: tuple[g.DealStep, ...]

    @property
    def per_box(self) -> int:
        return sum(step.cards for step in self.steps if step.to == g.EACH_BOX)

    @property
    def to_dealer(self) -> int:
        return sum(step.cards for step in self.steps if step.to == g.DEALER)

    def order(self, around: list[int], dealer: int) -> list[tuple[int, bool]]:
        """The boxes in the order of the cards, each with whether its card comes face down."""
        return [
            (box, step.face_down)
            for step in self.steps
            for _ in range(step.cards)
            for box in (around if step.to == g.EACH_BOX else [dealer])
        ]


class Acts(NamedTuple):
    """What can be done with a hand, as the rules call it."""

    draw: str
    stand: str
    double: str
    split: str
    leave: str  # give the hand up, each player for one's own part
    give_up: str  # the original wager
    claim: str  # ask for something while the hand goes on


class Mechanics:
    """What follows from a game, worked out once."""

    def __init__(self, game: g.Game) -> None:
        self.game = game
        self.plays = {word: _does(action) for word, action in game.plays.items()}
        self.telling = frozenset(word for word, does in self.plays.items() if does.telling)
        self.roles = {role: game.word_with(role) for role in g.ROLES}
        self.approved_by_option = {o.name for o in game.options.values() if o.role == "approved"}
        self.bonuses = tuple(bet.name for bet in game.bets.values() if bet.settle_only)
        """What is only paid: nobody stakes on it."""
        on_hand = [
            bet.name for bet in game.bets.values() if bet.lies_on == "hand" and not bet.settle_only
        ]
        self.main = "" if game.hands else (on_hand or list(game.bets) or [""])[0]
        """The bet that the hands are played for."""
        others = (bet for bet in game.bets.values() if not bet.own and bet.name != self.main)
        on_the_way = [bet for bet in others if bet.settle_only or bet.placed.when == "by play"]
        self.at_stages = any(action.stages for action in game.actions.values()) or any(
            bet.placed.when == "at stage" for bet in game.bets.values()
        )
        """Something may only be done or wagered at some stage of the round."""
        self.measured_by = {bet.name: self.main for bet in on_the_way} if self.main else {}
        """The bet whose limits hold for another."""
        self.spots = tuple(name for name in on_hand if name != self.main)
        """Other bets on the same hand, against other hands of the dealer."""
        self.dealer_hands = max((bet.against for bet in game.bets.values()), default=1)
        self.limit = 60 if game.total.over is None else game.total.over
        """What a hand may come to; more is over. Where nothing is, no hand comes to so much."""
        steps = [step for stage in game.stages.values() for step in stage.steps]
        self.dealer_draws = any(isinstance(s, g.Draws) and s.who == g.DEALER for s in steps)
        self.openings = [Opening(deal.steps) for deal in game.deals]
        plain = [
            opening
            for opening, deal in zip(self.openings, game.deals, strict=True)
            if isinstance(deal.condition, Always)
        ]
        self.opening = plain[0] if plain else Opening(())

    @property
    def standing(self) -> str:
        """The log's word for taking no further card."""
        return next((word for word, does in self.plays.items() if does.stands), "")

    @property
    def drawing(self) -> str:
        """The log's word for taking a card and nothing else."""
        plain = (w for w, d in self.plays.items() if d.cards == 1 and d.adds is None and not d.ends)
        return next(plain, "")

    @property
    def splitting(self) -> str:
        """The log's word for splitting a hand."""
        return next((word for word, does in self.plays.items() if does.splits), "")

    @property
    def doubling(self) -> str:
        """The log's word for adding a stake against one last card."""
        one_more = (w for w, d in self.plays.items() if d.adds and d.cards and d.ends)
        return next(one_more, "")

    @property
    def leaving(self) -> str:
        """The log's word for giving the hand up, each player for one's own part."""
        return next((word for word, does in self.plays.items() if does.leaves), "")

    @property
    def claiming(self) -> str:
        """The log's word for asking for something while the hand goes on."""
        return next((w for w, d in self.plays.items() if d.claims and not d.ends), "")

    @property
    def giving_up(self) -> str:
        """The log's word for giving up all that was wagered before the first card."""
        return next((w for w, d in self.plays.items() if self.gives_up_whole(d.action)), "")

    @property
    def deciding(self) -> str:
        """What the rules call deciding on the hands of a box."""
        actions = self.game.actions_of("player").values()
        return next((a.name for a in actions if a.effect(g.Decides) is not None), "")

    @cached_property
    def doubled_part(self) -> str:
        return self.part_of(self.doubling)

    @cached_property
    def acts(self) -> Acts:
        words = (
            self.drawing,
            self.standing,
            self.doubling,
            self.splitting,
            self.leaving,
            self.giving_up,
            self.claiming,
        )
        return Acts(*map(self.action, words))

    @property
    def usual_plays(self) -> tuple[str, ...]:
        """What players may do by the game, as the rules call it."""
        return tuple(does.action for does in self.plays.values() if not does.own)

    def part_of(self, play: str) -> str:
        """The part of the money that a play adds to the hand."""
        does = self.plays.get(play)
        return ORIGINAL if does is None or does.adds is None else does.adds

    def word_for(self, action: str) -> str:
        """The log's word for what a player does, as the rules call it."""
        return next((word for word, does in self.plays.items() if does.action == action), action)

    def placed_by(self, bet: str) -> str:
        """The log's word for what places a bet during the round."""
        return next((word for word, does in self.plays.items() if does.places == bet), "")

    def gives_up_whole(self, action: str) -> bool:
        """What a player does gives up all that was wagered before the first card."""
        does = self.plays.get(self.word_for(action))
        return does is not None and (ORIGINAL, False) in does.gives_up

    def first_cards(self, bet: str) -> int:
        """How many of the box's cards decide a bet that hangs on them; 0: it hangs on the hand."""
        found = self.game.bets.get(bet)
        return 0 if found is None else sum("." not in card for card in found.decided_by)

    def action(self, play: str) -> str:
        """What the rules call a play of the log."""
        does = self.plays.get(play)
        return play if does is None else does.action

    def like(self, bet: str) -> str:
        """The bet by whose rules a bet against another hand of the dealer is settled, where no
        clause speaks of it: the first that is placed in the same way."""
        bets = self.game.bets
        mine = bets.get(bet)
        if mine is None or mine.against == 1:
            return bet
        alike = (
            other.name
            for other in bets.values()
            if (other.placed, other.lies_on, other.against) == (mine.placed, mine.lies_on, 1)
        )
        return self.main if bet in self.spots else next(alike, bet)

    def against(self, bet: str) -> int:
        """The hand of the dealer that a bet is settled against."""
        found = self.game.bets.get(bet)
        return 1 if found is None else found.against


def won_by(bet: str) -> str:
    """The term of a rulebook for a wager that wins a bet which is only paid."""
    return f"wager.{bet}"


def bet_named_in(fact: str) -> str:
    """The bet of which `wager.with_BET` says that the player has one beside; empty for others."""
    return fact.partition(".with_")[2]


def facts_of_winners(bet: str) -> tuple[str, str, str]:
    """Whether a bet that is only paid is won: by some wager of the round, by one whose amount the
    text names, by another wager of the same player."""
    return f"round.{bet}", f"round.{bet}_amount", f"wager.player_won_{bet}"


@cache
def ordinary() -> Mechanics:
    """For a table that is looked at without a rulebook."""
    return Mechanics(ordinary_game())
