"""The state of a simulated round, and what the rules say about the next choice in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from checker.evaluate.dealer_draw import ends_of, no_effect
from checker.evaluate.deals import opening_of
from checker.evaluate.engine import Answer, Engine
from checker.evaluate.memory.seam import Kept
from checker.evaluate.scene import SeenScene
from checker.evaluate.words.why_not import nearest
from checker.log import model as r
from checker.simulate.players import Aim
from checker.simulate.roles import Roles, own_plays, roles_of
from checker.simulate.setup import Setup, Shoe, Unusable, blank_round, broken
from checker.table.shoes import ShoeView
from checker.table.state import Box, Dealt, Hand, Table
from rulespec.resolve.question import Question, about_bet, whether
from rulespec.resolve.rulebook import Rule

if TYPE_CHECKING:
    from checker.simulate.fault import Fault

FORBIDS = ("may not", "must not")


def _no_ends(engine: Engine) -> dict[tuple[tuple[str, ...], str], tuple[Dealt, ...]]:
    return {}


_BEST_ENDS = Kept(_no_ends)  # by the options and the dealer's cards


@dataclass(frozen=True, slots=True)
class Seat:
    """A wager to be placed."""

    box: int
    player: str
    stake: int
    side: tuple[tuple[str, int], ...] = ()
    control: bool = False
    seated: bool | None = None
    player_card: str | None = None
    main: bool = True


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the rules say about one choice."""

    scene: SeenScene
    allowed: bool | None
    answer: Answer
    broken: tuple[Rule, ...]
    decide: tuple[Rule, ...]
    must: tuple[Rule, ...]
    open: bool

    @property
    def lawful(self) -> bool:
        return self.allowed is True and not (self.broken or self.decide or self.must or self.open)

    def breaches(self) -> list[tuple[str, str]]:
        """Code and clause of what is to be reported, the main one first."""
        found: list[tuple[str, str]] = []
        if self.allowed is False:
            rules = [x for x in self.answer.rules if x.value in FORBIDS]
            found += [("R510", rule.clause) for rule in rules]
            if not rules:
                near = nearest(self.scene.engine, self.answer.question, self.scene)
                found += [("R511", n.rule.clause) for n in near[:1]]
        found += [("R512", rule.clause) for rule in self.must]
        found += [("R510", rule.clause) for rule in self.decide]
        found += [("R530", rule.clause) for rule in self.broken]
        return found


@dataclass(slots=True)
class RoundState:
    """A round as far as it has come. `events` grows; settlements are put in at the end."""

    engine: Engine
    setup: Setup
    shoe: Shoe
    rng: Random
    aim: Aim
    seats: list[Seat]
    new_shoe: bool
    cut_first: bool = False
    fault: Fault | None = None
    warned: frozenset[str] = frozenset()
    decks: int = 0
    events: list[r.Event] = field(default_factory=list)
    table: Table = field(init=False)
    view: ShoeView = field(init=False)
    effective: list[Dealt] = field(default_factory=list)
    opening: int = 0  # where the settlements before the subsequent deal go
    short: set[tuple[int, int]] = field(default_factory=set)
    roles: Roles = field(init=False)
    limit: int = field(init=False)  # what a hand may come to
    own_plays: list[str] = field(init=False)
    _blank: SeenScene | None = None

    def __post_init__(self) -> None:
        self.decks = self.decks or self.setup.decks
        self.view = ShoeView(
            new=self.new_shoe, shuffled=self.new_shoe, known=True, warned=self.warned
        )
        self.roles = roles_of(self.engine.mechanics)
        self.limit = self.engine.mechanics.limit
        self.own_plays = own_plays(self.engine.mechanics)
        self.lay_out()

    def lay_out(self) -> None:
        """An empty table for the round."""
        setup = self.setup
        round_ = blank_round(self.decks, setup.options, setup.limits, setup.meters)
        self.table = Table(round_, self.engine.mechanics)
        self._blank = None
        self.table.opening = opening_of(self.scene()) or self.table.opening

    # --- helpers

    def scene(self, **changes: Any) -> SeenScene:
        if self._blank is None or self._blank.shoe is not self.view:
            self.table.forget()
            self._blank = SeenScene(self.engine, self.table, self.view).sharing()
        return self._blank.but(**{"dealer": self.shown, **changes})

    @property
    def shown(self) -> tuple[Dealt, ...]:
        """The dealer's cards as the players see them."""
        return tuple([dealt for dealt in self.effective if not dealt.down])

    def emit(self, event: r.Event) -> None:
        self.events.append(event)
        self.table.apply(event)

    @property
    def n(self) -> int:
        return len(self.events)

    def may(self, box: Box, hand: Hand, player: str, do: str, stake: int | None = None) -> bool:
        """Whether the choice keeps every rule. Who decides was settled when the box was formed."""
        if not do:
            return False
        play = r.Play(box.number, hand.number, player, do, stake, n=self.n)
        scene = self.play_scene(play, box, hand)
        action = self.engine.mechanics.action(do)
        if not self.engine.allowed(whether("player", action), scene)[0]:
            return False
        if (
            do == self.roles.stand
            and self.engine.ask(whether("player", "draw"), scene).demands is not False
        ):
            return False
        return not broken(self.engine, action, scene)

    def claimed(self, hand: Hand) -> frozenset[str]:
        """Who has asked to be paid at once."""
        return hand.did(self.engine.mechanics.action(self.roles.claim))

    def placed(self, box: Box, player: str) -> bool:
        """Whether a player has the bet beside the hand already."""
        does = self.engine.mechanics.plays.get(self.roles.place)
        return does is not None and player in box.placed.get(does.places or "", {})

    def play_scene(self, play: r.Play, box: Box, hand: Hand) -> SeenScene:
        part = hand.part_of(play.player)
        return self.scene(
            box=box,
            hand=hand,
            player=play.player,
            play=play,
            stake=box.original(play.player),
            part=part,
        )

    def ruling(self, play: r.Play, *, decides: bool = True) -> Ruling:
        """All that the rules say about a choice: slower than `may`, for faults."""
        box = self.table.box(play.box)
        hand = box.hands[play.hand]
        scene = self.play_scene(play, box, hand)
        action = self.engine.mechanics.action(play.do)
        allowed, answer = self.engine.allowed(whether("player", action), scene)
        decide: tuple[Rule, ...] = ()
        deciding = whether("player", self.engine.mechanics.deciding)
        if (
            decides
            and (does := self.engine.mechanics.plays.get(play.do)) is not None
            and does.decides
            and self.engine.has(deciding)
        ):
            may_decide, about = self.engine.allowed(deciding, scene)
            if may_decide is False:
                decide = tuple(x for x in about.rules if x.value in FORBIDS)
        must: tuple[Rule, ...] = ()
        open_ = False
        if play.do == self.roles.stand:
            draw = self.engine.ask(whether("player", "draw"), scene)
            open_ = draw.demands is None
            if draw.demands:
                must = tuple(x for x in draw.rules if x.value == "must")
        kept = tuple(broken(self.engine, action, scene))
        return Ruling(scene, allowed, answer, kept, decide, must, open_)

    def totals(self, box: Box, hand: Hand) -> tuple[int, bool]:
        scene = self.scene(box=box, hand=hand, player=box.controller)
        total = scene.fact("hand.total")
        if not isinstance(total, int):
            if self.fault is not None and self.fault.undecided:
                return self.limit + 1, False  # nobody can go on with such a hand
            held = " ".join(d.card for d in hand.cards)
            raise Unusable(f"no clause gives the cards {held} a total")
        return total, bool(scene.fact("hand.soft"))

    def rules_on(self, question: Question) -> list[Rule]:
        return [rule for rule, _ in self.engine.by_question.get(question, ())]

    # --- the dealer's cards

    def dealer_scene(self) -> SeenScene:
        scene = self.scene(no_effect=False, deal={"players_done": True})
        return scene.but(no_effect=no_effect(scene))

    def matters(self, scene: SeenScene) -> bool:
        """A quick look: the best hand that the dealer can reach changes some open wager.

        Only a yes is certain. It spares most calls of `no_effect`, which tries every end."""
        best, result = self._best_end(scene), about_bet(self.engine.mechanics.main, "result")
        for box in self.table.in_play:
            for hand in box.hands.values():
                for player, (part, stake) in hand.bases():
                    view = scene.but(box=box, hand=hand, player=player, part=part, stake=stake)
                    now = self.engine.ask(result, view)
                    if any(rule.interim for rule in now.rules):
                        continue
                    then = self.engine.ask(result, view.with_dealer(best))
                    if now.decided and then.decided and then.value != now.value:
                        return True
        return False

    def _best_end(self, scene: SeenScene) -> tuple[Dealt, ...]:
        known = _BEST_ENDS.of(self.engine)
        key = (self.setup.options, "".join(sorted(d.rank for d in scene.dealer)))
        if key not in known:
            ends, _ = ends_of(scene, scene.dealer)
            known[key] = max(ends, key=lambda end: _worth(scene, end), default=scene.dealer)
        return known[key]


def _worth(scene: SeenScene, end: tuple[Dealt, ...]) -> int:
    total = scene.but(dealer=end, hand=None).fact("dealer.total")
    limit = scene.engine.mechanics.limit
    return total if isinstance(total, int) and total <= limit else 0


def followers(box: Box) -> list[str]:
    """The other players of a box in the order of their wagers."""
    names = dict.fromkeys(w.player for w in box.main)
    return [name for name in names if name != box.controller]
