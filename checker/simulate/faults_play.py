"""Violations in the play: choices that a player may not make, and the dealer's cards."""

from __future__ import annotations

from collections.abc import Callable

from checker.evaluate.dealer_draw import ask_draw, card_due, must_draw, no_effect
from checker.evaluate.facts.totals import same_value
from checker.log import model as r
from checker.simulate.fault import Fault, Kind
from checker.simulate.roles import Roles
from checker.simulate.round import RoundMaker
from checker.simulate.setup import Unusable
from checker.simulate.state import followers
from checker.table.state import Box, Hand
from rulespec.resolve.question import whether

Test = Callable[[Hand, int], bool]  # of the hand and what is left to the most it may come to
PairTest = Callable[[Hand, bool], bool]  # whether the two cards are of equal value


def _forbidden(fault: Fault, maker: RoundMaker, play: r.Play) -> bool:
    """Whether the right to make a play is missing, and nothing but that."""
    ruling = maker.ruling(play)
    if ruling.allowed is not False or ruling.must or ruling.open:
        return False
    fault.found = ruling.breaches()
    return bool(fault.found)


def _claim(maker: RoundMaker, play: r.Play) -> None:
    """A claim that no clause gives is in the log, and changes nothing."""
    maker.events.append(play)


# --- cards


def _hit(test: Test) -> Callable[..., str]:
    """A card where none may be drawn."""

    def act(fault: Fault, maker: RoundMaker, box: Box, hand: Hand) -> str:
        controller = box.controller
        total, _ = maker.totals(box, hand)
        if controller is None or not test(hand, maker.limit - total):
            return ""
        play = r.Play(box.number, hand.number, controller, maker.roles.draw, n=maker.n)
        if not _forbidden(fault, maker, play):
            return ""
        maker.hit(box, hand, controller)
        return "again"

    return act


def _stand_low(fault: Fault, maker: RoundMaker, box: Box, hand: Hand) -> str:
    controller = box.controller
    if controller is None or hand.gone or hand.double_card_dealt:
        return ""
    play = r.Play(box.number, hand.number, controller, maker.roles.stand, n=maker.n)
    ruling = maker.ruling(play)
    if ruling.allowed is not True or ruling.broken or ruling.decide or ruling.open:
        return ""
    if not ruling.must:
        return ""
    fault.found = ruling.breaches()
    maker.emit(play)
    maker.short.add((box.number, hand.number))
    return "over"


def _wrong_player(fault: Fault, maker: RoundMaker, box: Box, hand: Hand) -> str:
    """Another player of the box says what the deciding player would say."""
    total, _ = maker.totals(box, hand)
    controller = box.controller
    others = followers(box)
    if controller is None or not others or hand.gone or hand.double_card_dealt:
        return ""
    do = maker.roles.stand if total >= 15 else maker.roles.draw
    if total >= maker.limit or not maker.may(box, hand, controller, do):
        return ""
    play = r.Play(box.number, hand.number, others[0], do, n=maker.n)
    if not _forbidden(fault, maker, play):
        return ""
    if do == maker.roles.stand:
        maker.emit(play)
        return "over"
    maker.hit(box, hand, others[0])
    return "again"


# --- doubling and splitting


def _split(test: PairTest) -> Callable[..., str]:
    def act(fault: Fault, maker: RoundMaker, box: Box, hand: Hand) -> str:
        controller = box.controller
        total, _ = maker.totals(box, hand)
        if controller is None or len(hand.cards) != 2 or total >= maker.limit or hand.gone:
            return ""
        if hand.doubled_with is not None or not test(hand, _pair(maker, hand)):
            return ""
        stake = box.original(controller)
        play = r.Play(box.number, hand.number, controller, maker.roles.split, stake, n=maker.n)
        if not _forbidden(fault, maker, play):
            return ""
        maker.split(box, hand, controller, stake)
        return "again"

    return act


def _pair(maker: RoundMaker, hand: Hand) -> bool:
    return same_value(maker.scene(), hand.cards[0].rank, hand.cards[1].rank) is True


def _double(fault: Fault, maker: RoundMaker, box: Box, hand: Hand) -> str:
    controller = box.controller
    total, _ = maker.totals(box, hand)
    if controller is None or hand.doubled_with is not None or hand.gone or total >= maker.limit:
        return ""
    stake = box.original(controller)
    play = r.Play(box.number, hand.number, controller, maker.roles.add, stake, n=maker.n)
    if not _forbidden(fault, maker, play):
        return ""
    maker.double(box, hand, controller, stake)
    return "again"


def _follower_splits(fault: Fault, maker: RoundMaker, box: Box, hand: Hand) -> str:
    """A player of the box splits although the deciding player has not."""
    others = followers(box)
    if not others or len(hand.cards) != 2 or not _pair(maker, hand) or len(box.hands) > 1:
        return ""
    if hand.gone:
        return ""
    stake = box.original(others[0])
    play = r.Play(box.number, hand.number, others[0], maker.roles.split, stake, n=maker.n)
    if not _forbidden(fault, maker, play):
        return ""
    _claim(maker, play)
    return "again"


def _stake(role: Callable[[Roles], str], change: Callable[[int, int], int]) -> Callable[..., int]:
    """Another stake than the rules ask for. `change` gets the original and the unit."""

    def act(
        fault: Fault, maker: RoundMaker, box: Box, hand: Hand, player: str, do: str, stake: int
    ) -> int:
        if do != role(maker.roles):
            return stake
        unit = maker.setup.main_limits.unit or 100
        wrong = change(box.original(player), unit)
        if wrong <= 0:
            return stake
        play = r.Play(box.number, hand.number, player, do, wrong, n=maker.n)
        ruling = maker.ruling(play)
        if ruling.allowed is not True or not ruling.broken:
            return stake
        fault.found = ruling.breaches()
        return wrong

    return act


# --- claims


def _late_claim(role: str, test: Test) -> Callable[..., str]:
    """Surrender or forfeit when it is too late for it, or never was the time."""

    def act(fault: Fault, maker: RoundMaker, box: Box, hand: Hand) -> str:
        controller = box.controller
        total, _ = maker.totals(box, hand)
        if controller is None or hand.gone or hand.given or not test(hand, maker.limit - total):
            return ""
        play = r.Play(box.number, hand.number, controller, getattr(maker.roles, role), n=maker.n)
        if not _forbidden(fault, maker, play):
            return ""
        _claim(maker, play)
        return "again"

    return act


def _opening_claim(role: str) -> Callable[..., None]:
    def act(fault: Fault, maker: RoundMaker) -> None:
        for box in maker.table.in_play:
            hand = box.hands[1]
            controller = box.controller
            if controller is None or hand.gone or maker.claimed(hand):
                continue
            play = r.Play(box.number, 1, controller, getattr(maker.roles, role), n=maker.n)
            if _forbidden(fault, maker, play):
                _claim(maker, play)
                return

    return act


# --- insurance


def _insure_wrongly(fault: Fault, maker: RoundMaker, box: Box, hand: Hand) -> bool:
    for wager in box.main:
        if maker.placed(box, wager.player) or wager.player in maker.claimed(hand):
            continue
        stake = maker.half(box.original(wager.player))
        play = r.Play(box.number, 1, wager.player, maker.roles.place, stake or None, n=maker.n)
        if stake and _forbidden(fault, maker, play):
            maker.emit(play)
            return True
    return False


def _insure_opening(fault: Fault, maker: RoundMaker) -> None:
    for box in maker.table.in_play:
        if _insure_wrongly(fault, maker, box, box.hands[1]):
            return


def _insure_late(fault: Fault, maker: RoundMaker, box: Box, hand: Hand) -> str:
    if maker.table.subsequent is None or hand.number != 1 or maker.effective[0].rank != "A":
        return ""
    return "again" if _insure_wrongly(fault, maker, box, hand) else ""


def _insure_stake(change: Callable[[int, int], int]) -> Callable[..., None]:
    def act(fault: Fault, maker: RoundMaker) -> None:
        chip = maker.table.smallest_chip or 100
        for box in maker.table.in_play:
            hand = box.hands[1]
            for wager in box.main:
                if maker.placed(box, wager.player) or wager.player in maker.claimed(hand):
                    continue
                stake = change(box.original(wager.player), chip)
                play = r.Play(box.number, 1, wager.player, maker.roles.place, stake, n=maker.n)
                ruling = maker.ruling(play)
                if stake > 0 and ruling.allowed is True and ruling.broken:
                    fault.found = ruling.breaches()
                    maker.emit(play)
                    return

    return act


# --- the dealer


def _dealer_extra(idle: bool) -> Callable[..., bool]:
    """A card that is not due: on a finished hand, or (`idle`) where it changes nothing."""

    def act(fault: Fault, maker: RoundMaker, due: bool) -> bool:
        plain = maker.scene(no_effect=False, deal={"players_done": True})
        if due or must_draw(plain) is not idle:
            return due
        if idle and no_effect(plain, void_is_closed=False) is not True:
            return due  # a change that the text leaves open excuses the card
        if len(maker.effective) < 2 and not idle:
            return due
        scene = maker.dealer_scene()
        answer = ask_draw(scene)
        if card_due(answer) is not False or not fault.report("R520", answer.rules):
            return due
        maker.deal(r.DEALER)
        dealt = maker.effective.pop()
        view = maker.scene(card=dealt, card_not_due=True)
        if maker.engine.ask(whether("dealer", "burn"), view).demands is not True:
            maker.effective.append(dealt)
            if must_draw(maker.dealer_scene()) is not False:
                raise Unusable("the dealer would have to go on")
        return False

    return act


def _dealer_stops(fault: Fault, maker: RoundMaker, due: bool) -> bool:
    if not due or len(maker.effective) < 2:
        return due
    if no_effect(maker.scene(no_effect=False, deal={"players_done": True})) is not False:
        return due  # nothing that the text decides hangs on a further card
    answer = ask_draw(maker.dealer_scene())
    return not fault.report("R521", [x for x in answer.rules if x.value == "must"])


def _turn(name: str, act: Callable[..., str], *aims: str) -> Kind:
    return Kind(name, "turn", act, aims or ("none",))


KINDS = (
    _turn(
        "hit_on_21",
        _hit(lambda h, left: left == 0 and h.doubled_with is None),
        "none",
        "natural",
        "run",
    ),
    _turn("card_after_double", _hit(lambda h, left: h.double_card_dealt and left > 0), "nines"),
    _turn(
        "card_to_split_ace",
        _hit(lambda h, left: h.from_split == "A" and h.doubled_with is None and left > 0),
        "aces",
    ),
    _turn("hit_on_a_bust", _hit(lambda h, left: left < 0 and h.doubled_with is None), "stiff"),
    _turn("hit_after_surrender", _hit(lambda h, left: bool(h.gone)), "ten_up"),
    _turn("stand_too_low", _stand_low, "low"),
    _turn("wrong_player_decides", _wrong_player),
    _turn("split_of_unequal_cards", _split(lambda h, pair: not pair)),
    _turn(
        "too_many_hands", _split(lambda h, pair: pair and h.from_split not in (None, "A")), "pair"
    ),
    _turn("aces_split_again", _split(lambda h, pair: pair and h.from_split == "A"), "pair"),
    _turn("double_not_allowed", _double, "none", "long", "aces"),
    _turn("split_without_the_controller", _follower_splits, "pair"),
    _turn(
        "surrender_too_late",
        _late_claim("leave", lambda h, left: len(h.cards) > 2),
        "ten_up",
        "none",
    ),
    _turn(
        "forfeit_on_a_bust",
        _late_claim("give_up", lambda h, left: h.double_card_dealt and left < 0),
        "stiff",
        "nines",
    ),
    _turn("forfeit_without_double", _late_claim("give_up", lambda h, left: not h.doublers)),
    _turn("insurance_too_late", _insure_late, "ace_up"),
    Kind("surrender_not_allowed", "opening", _opening_claim("leave")),
    Kind("even_money_not_allowed", "opening", _opening_claim("claim")),
    Kind("insurance_not_allowed", "opening", _insure_opening, ("none", "ace_up")),
    Kind(
        "insurance_above_half",
        "opening",
        _insure_stake(lambda own, chip: own // 2 + chip),
        ("ace_up",),
    ),
    Kind(
        "insurance_not_in_chips",
        "opening",
        _insure_stake(lambda own, chip: own // 2 - chip // 2 - 10),
        ("ace_up",),
    ),
    Kind(
        "double_above_original",
        "stake",
        _stake(lambda roles: roles.add, lambda own, unit: own + unit),
        ("nines",),
    ),
    Kind(
        "double_too_small",
        "stake",
        _stake(lambda roles: roles.add, lambda own, unit: unit // 2),
        ("nines",),
    ),
    Kind(
        "split_stake_too_high",
        "stake",
        _stake(lambda roles: roles.split, lambda own, unit: own + unit),
        ("pair",),
    ),
    Kind(
        "split_stake_too_low",
        "stake",
        _stake(lambda roles: roles.split, lambda own, unit: own - unit),
        ("pair",),
    ),
    Kind("dealer_card_too_many", "dealer", _dealer_extra(False)),
    Kind("dealer_card_without_effect", "dealer", _dealer_extra(True)),
    Kind("dealer_stops_too_early", "dealer", _dealer_stops),
)
