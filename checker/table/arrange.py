"""The events of a round whose log does not tell the order, put into the order of the game.

Wagers, the initial deal, each box in its turn, the dealer, settlements. What is told of the order
inside a hand is kept, unless nothing is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from checker.log import model as r
from checker.log.not_recorded import untold_by
from checker.table.mechanics import Mechanics

_AFTER_THE_CARDS = (r.Void, r.Settle, r.Adjust, r.Note)


def is_in_order(round_: r.Round) -> bool:
    return not round_.not_recorded or all(
        one.order is None for one in untold_by(round_.not_recorded)
    )


def in_order(round_: r.Round, places: Sequence[int]) -> r.Round:
    """The round with its events in this order, numbered anew."""
    events = (replace(round_.events[place], n=n) for n, place in enumerate(places))
    return replace(round_, events=tuple(events))


def arrangement(round_: r.Round, mechanics: Mechanics) -> list[int]:
    """Where each event of the arranged round stands in the log."""
    whole = any(one.order == "cards" for one in untold_by(round_.not_recorded))
    boxes: dict[int, list[int]] = {}
    wagers: list[int] = []
    before: list[int] = []
    closing: list[int] = []
    after: list[int] = []
    looks: list[int] = []
    turned: list[int] = []
    for place, event in enumerate(round_.events):
        match event:
            case r.Wager():
                wagers.append(place)
            case r.Deal() | r.Play():
                boxes.setdefault(event.box, []).append(place)
            case r.NoMoreBets():
                closing.append(place)
            case r.Peek():
                looks.append(place)
            case r.Reveal():
                turned.append(place)
            case _ if isinstance(event, _AFTER_THE_CARDS):
                after.append(place)
            case _:
                before.append(place)
    dealer = boxes.pop(r.DEALER, [])
    opening = mechanics.opening
    waiting: dict[int, list[int]] = {r.DEALER: dealer[: opening.to_dealer]}
    turns: list[int] = []
    for box, own in sorted(boxes.items()):
        own = _whole_box(round_.events, own, mechanics) if whole else own
        waiting[box] = [p for p in own if isinstance(round_.events[p], r.Deal)][: opening.per_box]
        turns += [p for p in own if p not in waiting[box]]
    dealt: list[int] = []
    for box, _ in opening.order(sorted(boxes), r.DEALER):
        dealt += waiting[box][:1]
        del waiting[box][:1]
    rest = dealer[opening.to_dealer :]
    return [*before, *wagers, *closing, *dealt, *looks, *turns, *turned, *rest, *after]


def _whole_box(events: Sequence[r.Event], own: list[int], mechanics: Mechanics) -> list[int]:
    """One box of which nothing is known but what happened: splits before the cards of the hands
    that they make, decisions before the cards that they ask for."""
    cards: dict[int, list[int]] = {}
    plays: list[int] = []
    for place in own:
        event = events[place]
        if isinstance(event, r.Deal):
            cards.setdefault(event.hand, []).append(place)
        else:
            plays.append(place)
    does = {p: mechanics.plays.get(getattr(events[p], "do", "")) for p in plays}
    splits = [p for p in plays if (one := does[p]) and one.splits]
    asking = [p for p in plays if (one := does[p]) and one.cards]
    made = [*_take(cards, 1, mechanics.opening.per_box)]
    held = {1: len(made)}
    for place in splits:
        play = events[place]
        assert isinstance(play, r.Play)
        more = _take(cards, play.hand, 2 - held.get(play.hand, 0))
        made += [*more, place]
        held[play.hand] = held[max(held) + 1] = 1
    for place in (p for p in plays if p not in splits):
        hand = _hand(events[place])
        if place in asking:
            later = [p for p in asking if _hand(events[p]) == hand and p >= place]
            # what nobody asked for came before
            made += _take(cards, hand, len(cards.get(hand, ())) - len(later))
            made += [place, *_take(cards, hand, 1)]
        else:
            made.append(place)
    for hand in sorted(cards):
        made += _take(cards, hand, len(cards[hand]))
    return made


def _take(cards: dict[int, list[int]], hand: int, number: int) -> Iterable[int]:
    own = cards.get(hand, [])
    taken = own[: max(number, 0)]
    del own[: max(number, 0)]
    return taken


def _hand(event: r.Event) -> int:
    return event.hand if isinstance(event, r.Play) else 1
