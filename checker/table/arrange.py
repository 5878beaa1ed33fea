"""The events of a round whose log does not tell the order, put into the order of the game.

Wagers, the initial deal, each box in its turn, the dealer, settlements. What is told of the order
inside a hand is kept, unless nothing is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from checker.log import model as r
from checker.log.not_recorded import untold_by
from checker.table.mechanics import Mechanics, Opening

_AFTER_THE_CARDS = (r.Void, r.Settle, r.Adjust, r.Note)


def is_in_order(round_: r.Round) -> bool:
    return not round_.not_recorded or all(
        one.order is None for one in untold_by(round_.not_recorded)
    )


def in_order(round_: r.Round, places: Sequence[int]) -> r.Round:
    """The round with its events in this order, numbered anew."""
    events = (replace(round_.events[place], n=n) for n, place in enumerate(places))
    return replace(round_, events=tuple(events))


def arrangement(
    round_: r.Round, mechanics: Mechanics, opening: Opening, whole: bool = False
) -> list[int]:
    """Where each event of the arranged round stands in the log. `whole`: nothing is known of the
    order inside a box, whatever the round says."""
    whole = whole or any(one.order == "cards" for one in untold_by(round_.not_recorded))
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
    waiting: dict[int, list[int]] = {r.DEALER: dealer[: opening.to_dealer]}
    turns: list[int] = []
    for box, own in sorted(boxes.items()):
        if whole:
            decider = _decider(round_.events, box, mechanics.main)
            own = _whole_box(round_.events, own, mechanics, opening.per_box, decider)
        waiting[box] = [p for p in own if isinstance(round_.events[p], r.Deal)][: opening.per_box]
        turns += [p for p in own if p not in waiting[box]]
    dealt: list[int] = []
    for box, _ in opening.order(sorted(boxes), r.DEALER):
        dealt += waiting[box][:1]
        del waiting[box][:1]
    rest = dealer[opening.to_dealer :]
    return [*before, *wagers, *closing, *dealt, *looks, *turns, *turned, *rest, *after]


def _whole_box(
    events: Sequence[r.Event],
    own: list[int],
    mechanics: Mechanics,
    opened: int,
    decider: str | None,
) -> list[int]:
    """One box of which nothing is known but what happened: splits before the cards of the hands
    that they make, decisions before the cards that they ask for, and what others do on the box
    together with the deciding player."""
    cards: dict[int, list[int]] = {}
    plays: list[r.Play] = []
    for place in own:
        event = events[place]
        if isinstance(event, r.Deal):
            cards.setdefault(event.hand, []).append(place)
        elif isinstance(event, r.Play):
            plays.append(event)
    box = plays[0].box if plays else None
    settled = {(e.hand, e.player) for e in events if isinstance(e, r.Settle) and e.box == box}
    first = [play for play in plays if play.player == decider] or plays
    others = [play for play in plays if play not in first]
    made = _take(cards, 1, opened)
    held = {1: len(made)}

    def with_others(play: r.Play, formed: int | None = None) -> list[int]:
        """A play of the deciding player, and the same of each other one on the hand; of a split
        those who were settled on the hand that it has formed."""
        place = (play.do, play.hand)
        together = {p.player: p for p in reversed(others) if (p.do, p.hand) == place}
        if formed is not None and settled:
            together = {who: p for who, p in together.items() if (formed, who) in settled}
        for one in together.values():
            others.remove(one)
        return [play.n, *(one.n for one in reversed(together.values()))]

    turn: list[r.Play] = []
    for play in first:
        does = mechanics.plays.get(play.do)
        if does is None or not does.splits:
            turn.append(play)
            continue
        made += _take(cards, play.hand, 2 - held.get(play.hand, 0))
        made += with_others(play, max(held) + 1)
        held[play.hand] = held[max(held) + 1] = 1
    asking = [p for p in turn if (does := mechanics.plays.get(p.do)) is not None and does.cards]
    for number, play in enumerate(turn):
        does = mechanics.plays.get(play.do)
        left = [p for p in asking if p.hand == play.hand and turn.index(p) >= number]
        if does is not None and does.decides:
            # what nobody asked for came before
            made += _take(cards, play.hand, len(cards.get(play.hand, ())) - len(left))
        made += with_others(play)
        made += _take(cards, play.hand, 1) if play in asking else []
    for play in others:
        made.append(play.n)
    for hand in sorted(cards):
        made += _take(cards, hand, len(cards[hand]))
    return made


def _decider(events: Sequence[r.Event], box: int, main: str) -> str | None:
    """Who is marked as the one who decides, or wagered first."""
    wagers = [e for e in events if isinstance(e, r.Wager) and (e.box, e.bet) == (box, main)]
    marked = [one.player for one in wagers if one.control]
    return next(iter([*marked, *(one.player for one in wagers)]), None)


def _take(cards: dict[int, list[int]], hand: int, number: int) -> list[int]:
    own = cards.get(hand, [])
    taken = own[: max(number, 0)]
    del own[: max(number, 0)]
    return taken
