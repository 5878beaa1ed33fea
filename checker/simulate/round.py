"""One simulated round: wagers, cards and choices, each choice asked of the rules beforehand."""

from __future__ import annotations

from dataclasses import replace

from checker.evaluate.dealer_draw import ask_draw, dealer_chooses, must_draw, no_effect
from checker.evaluate.deals import comes_to, ends_round
from checker.evaluate.engine import Engine
from checker.evaluate.memory.seam import Kept
from checker.log import model as r
from checker.simulate.players import Wanted, forfeits, surrenders, wishes
from checker.simulate.roles import CARD, NO_CARD
from checker.simulate.setup import Unusable
from checker.simulate.state import RoundState, Seat, followers
from checker.table.state import Box, Hand
from rulespec.resolve.question import DEALER_DRAW, whether
from rulespec.tree import game as g

OFFER = "offer_"


def _no_offers(engine: Engine) -> dict[tuple[str, str, tuple[str, ...]], bool]:
    return {}


_OFFERED = Kept(_no_offers)  # by what is offered, the dealer's card, the options


class RoundMaker(RoundState):
    """Plays one round from the first wager to the dealer's last card."""

    __slots__ = ()

    def play(self) -> None:
        if self.new_shoe and not self.cut_first:
            self._fresh_shoe()
        for seat in self.seats:
            self.place(seat)
        if self.fault is not None:
            self.fault.wagers(self)
        if self.fault is None or self.fault.kind.name != "call_after_the_first_card":
            self.emit(r.NoMoreBets(n=self.n))
        if self.cut_first:
            self.emit(r.CutCard(n=self.n))
            self._fresh_shoe()
        self._initial_deal()
        self._opening()
        if not self._ended_early():
            boxes = self.table.in_play
            if self.fault is not None:
                boxes = self.fault.boxes(self, boxes)
            for box in boxes:
                self._play_box(box)
            self._dealer()
        for box in self.table.in_play:
            for hand in box.hands.values():
                if hand.face_down:
                    self.emit(r.Reveal(box.number, hand.number, n=self.n))

    def _ended_early(self) -> bool:
        """Go through the stages before the players' turns; True: one of them ends the round."""
        for stage in self.engine.rulebook.game.stages.values():
            if any(isinstance(step, g.InTurn) for step in stage.steps):
                break
            if not comes_to(self.scene(), stage):
                continue
            looks = any(isinstance(step, g.Looks) for step in stage.steps)
            if looks and not (self.fault is not None and self.fault.unseen(self)):
                self.emit(r.Peek(n=self.n))
            scene = self.scene(dealer=tuple(self.effective)) if looks else self.scene()
            if ends_round(scene, [stage]):
                if self.fault is not None and self.fault.goes_on(self):
                    continue
                self.table.over = True
                self._turn_dealer()
                return True
        return False

    def _turn_dealer(self) -> None:
        if any(dealt.down for dealt in self.effective):
            self.emit(r.Reveal(r.DEALER, n=self.n))

    def deal(
        self, box: int, hand: int = 1, wanted: Wanted | None = None, down: bool = False
    ) -> None:
        shoe = self.shoe
        if not (self.setup.continuous or shoe.cut_out) and shoe.place >= shoe.cut:
            shoe.cut_out = True
            self.emit(r.CutCard(n=self.n))
        if wanted is None:
            if box == r.DEALER:
                wanted = self.aim.dealer(len(self.table.dealer))
            else:
                wanted = self.aim.player(box, self.table.box(box).hands.get(hand))
        card = shoe.draw(wanted)
        if self.fault is not None:
            card = self.fault.card(self, box, hand, card)
        self.emit(r.Deal(box, hand, card, down, n=self.n))
        if box == r.DEALER and card != r.JOKER and hand == 1:
            self.effective.append(self.table.dealer[-1])

    def _fresh_shoe(self) -> None:
        self.emit(r.Shuffle(n=self.n))
        answer = self.engine.ask(whether("casino", "burn"), self.scene())
        wanted = "must" in answer.values or ("may" in answer.values and self.rng.random() < 0.5)
        if wanted and not (self.fault is not None and self.fault.burn(answer)):
            self.emit(r.Burn(self.shoe.draw(), n=self.n))

    def place(self, seat: Seat) -> None:
        """Put a player's wagers on a box."""
        if seat.main:
            self.emit(
                r.Wager(
                    seat.box,
                    seat.player,
                    self.setup.main,
                    seat.stake,
                    seat.control,
                    seat.seated,
                    seat.player_card,
                    n=self.n,
                )
            )
            if seat.stake < (self.setup.main_limits.min or 0) and self.engine.has(
                whether("casino", "warn")
            ):
                self.emit(r.Warn(seat.player, "under_minimum", n=self.n))
        for bet, stake in seat.side:
            carried = self.engine.rulebook.game.bets[bet].carried
            self.emit(
                r.Wager(
                    *(seat.box, seat.player, bet, stake),
                    player_card=seat.player_card,
                    wins=self.rng.randrange(3) if carried else None,
                    n=self.n,
                )
            )

    def _initial_deal(self) -> None:
        around = [box.number for box in self.table.in_play]
        said = self.table.opening.order(around, r.DEALER)
        order = [box for box, _ in said]
        if self.fault is not None:
            order = self.fault.order(self, order)
        for place, box in enumerate(order):
            down = place < len(said) and said[place][1]
            if self.fault is not None:
                down = self.fault.face(self, box, down)
            self.deal(box, down=down)
            if place == 0 and self.fault is not None:
                self.fault.late(self)
        self.opening = self.n

    # --- before the subsequent deal

    def _opening(self) -> None:
        up = self.effective[0].rank
        self._offers(up)
        offered = any(
            not stage.steps and comes_to(self.scene(), stage)
            for stage in self.engine.rulebook.game.stages.values()
        )
        for box in self.table.in_play:
            hand = box.hands[1]
            for wager in box.main:
                if offered:
                    self._insure(box, hand, wager.player)
        for box in self.table.in_play:
            self._surrender(box, box.hands[1], up)
        if self.fault is not None:
            self.fault.opening(self)
        self.opening = self.n

    def _offers(self, up: str) -> None:
        actions = self.engine.rulebook.game.actions_of("dealer")
        for what in [name[len(OFFER) :] for name in actions if name.startswith(OFFER)]:
            known = _OFFERED.of(self.engine)
            key = (what, up, self.setup.options)
            if key not in known:
                answer = self.engine.ask(whether("dealer", OFFER + what), self.scene())
                known[key] = "must" in answer.values
            if known[key]:
                self.emit(r.Offer(what, n=self.n))

    def _insure(self, box: Box, hand: Hand, player: str) -> None:
        if player in self.claimed(hand) or self.placed(box, player):
            return
        claim = self.roles.claim
        action = self.engine.mechanics.action(claim)
        eager = self.rng.random() < 0.5 and self.engine.has(whether("player", action))
        if eager and self.may(box, hand, player, claim):
            self.emit(r.Play(box.number, 1, player, claim, n=self.n))
            return
        if self.rng.random() < (0.9 if self.aim.name == "insured" else 0.3):
            stake = self.half(box.original(player))
            if stake and self.may(box, hand, player, self.roles.place, stake):
                self.emit(r.Play(box.number, 1, player, self.roles.place, stake, n=self.n))
                for spot in self.setup.spots:
                    if self.rng.random() < 0.5:
                        play = r.Play(box.number, 1, player, self.roles.place, stake, n=self.n)
                        self.emit(replace(play, bet=spot))

    def half(self, stake: int) -> int:
        chip = self.table.smallest_chip or 100
        whole = stake // 2 // chip * chip
        if whole and self.rng.random() < 0.7:
            return whole
        return stake // 2 // 50 * 50 if chip % 100 == 0 else whole

    def _surrender(self, box: Box, hand: Hand, up: str) -> None:
        total, soft = self.totals(box, hand)
        controller = box.controller
        if controller is None or not surrenders(self.rng, total, soft, up):
            return
        leave = self.roles.leave
        if controller in self.claimed(hand) or not self.may(box, hand, controller, leave):
            return
        self.emit(r.Play(box.number, hand.number, controller, leave, n=self.n))
        for player in followers(box):
            play = r.Play(box.number, hand.number, player, leave, n=self.n)
            action = self.engine.mechanics.action(leave)
            allowed, answer = self.engine.allowed(
                whether("player", action), self.play_scene(play, box, hand)
            )
            if allowed and ("must" in answer.values or self.rng.random() < 0.5):
                self.emit(play)

    # --- the players' hands

    def _play_box(self, box: Box) -> None:
        place = 0
        while place < len(box.order):
            self._play_hand(box, box.hands[box.order[place]])
            place += 1

    def _play_hand(self, box: Box, hand: Hand) -> None:
        for _ in range(40):
            if hand.from_split is not None and len(hand.cards) < 2:
                if self.fault is not None:
                    self.fault.second_card(self, box, hand)
                self.deal(box.number, hand.number)
                continue
            if self.fault is not None:
                done = self.fault.turn(self, box, hand)
                if done == "over":
                    return
                if done == "again":
                    continue
            player = self._decider(box, hand)
            if player is None or not self._choose(box, hand, player):
                return
        raise Unusable("a player's hand has no end", self.rules_on(whether("player", "draw")))

    def _decider(self, box: Box, hand: Hand) -> str | None:
        """Who goes on with the hand; None when nobody does."""
        total, _ = self.totals(box, hand)
        if total >= self.limit or hand.double_card_dealt or hand.stood:
            return None
        controller = box.controller
        if controller is None or controller in self.claimed(hand):
            return None
        if not hand.gone:
            return controller
        for player in followers(box):
            if player not in hand.gone and self.may(box, hand, player, self.roles.draw):
                play = r.Play(box.number, hand.number, player, self.roles.draw, n=self.n)
                if not self.ruling(play).decide:
                    return player
        return None

    def _choose(self, box: Box, hand: Hand, player: str) -> bool:
        """Make one choice; False when the hand is left."""
        total, soft = self.totals(box, hand)
        wanted = self.aim.wishes(box.number, hand)
        if wanted is None:
            wanted = wishes(self.rng, hand, total, soft, self.effective[0].rank)
        roles = self.roles
        plays = [roles.wish(wished) for wished in (*wanted, CARD, NO_CARD)]
        last = [] if roles.stand else self.own_plays  # a hand that is left needs some decision
        for do in dict.fromkeys((*self._of_its_own(), *plays, *last)):
            if not do:
                continue
            if do in self.own_plays:
                if self._does(box, hand, player, do):
                    return not self.engine.mechanics.plays[do].ends
            elif do == roles.draw:
                if self.may(box, hand, player, do):
                    self.hit(box, hand, player)
                    return True
            elif do == roles.stand:
                if self.may(box, hand, player, do):
                    self.emit(r.Play(box.number, hand.number, player, do, n=self.n))
                    return False
            elif do == roles.add:
                stake = self.added(box, player)
                if self.may(box, hand, player, do, stake):
                    self.double(box, hand, player, stake)
                    return True
            elif len(hand.cards) == 2:
                stake = box.original(player)
                if self.may(box, hand, player, do, stake):
                    self.split(box, hand, player, stake)
                    return True
        return False

    def _of_its_own(self) -> list[str]:
        """Now and then a player tries what only this rulebook knows."""
        own = self.own_plays
        return [do for do in own if self.rng.random() < 0.25] if own else []

    def _does(self, box: Box, hand: Hand, player: str, do: str) -> bool:
        """Do something that the rulebook declares, if it may be done."""
        does = self.engine.mechanics.plays[do]
        stake = None
        if does.adds is not None or does.places is not None:
            stake = box.original(player)
        if does.splits or not self.may(box, hand, player, do, stake):
            return False
        self.emit(r.Play(box.number, hand.number, player, do, stake, n=self.n))
        for _ in range(does.cards):
            self.deal(box.number, hand.number, down=does.face_down)
        return True

    def added(self, box: Box, player: str) -> int:
        """What a player doubles for: mostly the whole wager, now and then less."""
        stake = box.original(player)
        unit = self.setup.main_limits.unit or 100
        if self.rng.random() < 0.1 and stake >= 2 * unit:
            return stake // 2 // unit * unit
        return stake

    def hit(self, box: Box, hand: Hand, player: str) -> None:
        self.emit(r.Play(box.number, hand.number, player, self.roles.draw, n=self.n))
        self.deal(box.number, hand.number)

    def double(self, box: Box, hand: Hand, player: str, stake: int) -> None:
        add = self.roles.add
        if self.fault is not None:
            stake = self.fault.stake(self, box, hand, player, add, stake)
        self.emit(r.Play(box.number, hand.number, player, add, stake, n=self.n))
        for other in followers(box):
            if other != player and other in hand.money and self.rng.random() < 0.5:
                more = self.added(box, other)
                if self.may(box, hand, other, add, more):
                    self.emit(r.Play(box.number, hand.number, other, add, more, n=self.n))
        self.deal(box.number, hand.number, down=self.engine.mechanics.plays[add].face_down)
        total, _ = self.totals(box, hand)
        for do in self._of_its_own():
            self._does(box, hand, player, do)
        for other in hand.doublers:
            wanted = total <= self.limit and forfeits(self.rng, total, self.effective[0].rank)
            if wanted and self.may(box, hand, other, self.roles.give_up):
                self.emit(r.Play(box.number, hand.number, other, self.roles.give_up, n=self.n))

    def split(self, box: Box, hand: Hand, player: str, stake: int) -> None:
        split = self.roles.split
        if self.fault is not None:
            stake = self.fault.stake(self, box, hand, player, split, stake)
        self.emit(r.Play(box.number, hand.number, player, split, stake, n=self.n))
        for other in followers(box):
            if other != player and other in hand.money and self.rng.random() < 0.6:
                more = box.original(other)
                if self.may(box, hand, other, split, more):
                    self.emit(r.Play(box.number, hand.number, other, split, more, n=self.n))

    # --- the dealer

    def _dealer(self) -> None:
        self._turn_dealer()
        if not self.engine.mechanics.dealer_draws or not self.engine.has(DEALER_DRAW):
            return
        against = self.engine.mechanics.against
        wagered = {against(bet.event.bet) for box in self.table.in_play for bet in box.bets}
        for number in sorted(wagered | {1}):
            self._draw(number)

    def _draw(self, number: int) -> None:
        """Cards to one hand of the dealer."""
        for _ in range(22):
            held = tuple(self.effective if number == 1 else self.table.dealer_hand(number))
            scene = self.scene(
                dealer=held, dealer_hand=number, no_effect=False, deal={"players_done": True}
            )
            due = must_draw(scene)
            if due is not False and not (number == 1 and self.matters(scene)):
                scene = scene.but(no_effect=no_effect(scene))
                due = must_draw(scene)
            if due is None:
                answer = ask_draw(scene)
                if dealer_chooses(answer):
                    due = self.rng.random() < 0.5
            if due is None:
                why = f"whether the dealer draws cannot be decided: {answer.why_undecided()}"
                raise Unusable(why, answer.rules or answer.unknown or self.rules_on(DEALER_DRAW))
            if self.fault is not None:
                due = self.fault.dealer(self, due)
            if not due:
                return
            self.deal(r.DEALER, number)
        raise Unusable("the dealer's hand has no end", self.rules_on(DEALER_DRAW))
