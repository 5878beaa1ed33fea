"""What of a round the rulebook's game knows. The rest is not checked, and said so.

A log may hold any bet, play, option, choice, meter or event with a name. Which of them there are is
for the game of the rulebook by which the round is judged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal, InvalidOperation

from checker.log import model as r
from checker.log.not_recorded import unknown_words
from rulespec.tree.game import Choice, Game

NOT_JUDGED = frozenset({"bet", "bet without a box", "play", "hand", "box"})
"""Where such a thing is not known, cards or money were left out of the verdict."""
_LOOKED_AT = frozenset({r.Reveal, r.Peek, r.Adjust, r.Unknown})
_MOST = 1000
Words = Iterable[str]


def is_value(choice: Choice, text: str) -> bool:
    """Whether a choice may have this value."""
    match choice.kind:
        case "values":
            return text in choice.values
        case "cards":
            return all(card in r.CARDS for card in text.split("+"))
        case _:
            try:
                number = Decimal(text)
            except InvalidOperation:
                return False
            return number.is_finite() and 0 <= number <= r.STAKE_MAX // 100


class KnownWords:
    """The words of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._boxes = game.with_boxes
        self._plays = frozenset(game.plays)
        self._placed = frozenset(
            name for name, bet in game.bets.items() if bet.placed.when not in ("by play", "never")
        )
        self._on_table = frozenset(
            name for name, bet in game.bets.items() if bet.lies_on == "table"
        )
        self._unknown: dict[object, set[tuple[str, str]]] = {}  # by what rounds state

    def unknown(self, round_: r.Round) -> set[tuple[str, str]]:
        """What is not checked: the kind, and the word."""
        words = (round_.options, tuple(round_.limits), tuple(round_.meters), round_.not_recorded)
        found = self._unknown.get(words)
        if found is None:
            if len(self._unknown) > _MOST:
                self._unknown.clear()
            found = self._unknown[words] = self._unknown_words(*words)
        events = self.known(round_).events
        if r.Unknown not in set(map(type, events)):
            return found
        return found | {(e.part, e.name) for e in events if type(e) is r.Unknown}

    def _unknown_words(
        self, options: Words, limits: Words, meters: Words, not_recorded: frozenset[str]
    ) -> set[tuple[str, str]]:
        game = self.game
        found = {("option", word) for word in options if not self._knows_option(word)}
        found |= {("bet", word) for word in limits if word not in game.bets}
        found |= {("meter", word) for word in meters if word not in game.meters}
        found |= {("not_recorded", word) for word in unknown_words(not_recorded)}
        return found

    def _knows_option(self, word: str) -> bool:
        name, equals, value = word.partition("=")
        if not equals:
            return name in self.game.options
        choice = self.game.choices.get(name)
        return choice is not None and is_value(choice, value)

    def known(self, round_: r.Round) -> r.Round:
        """The round as the game can take it; what it cannot place is `Unknown`, and other kinds of
        events that the game has as records are such."""
        limits = round_.limits
        if self._all_known(round_.events) and limits.keys() <= self.game.bets.keys():
            return round_
        events = tuple([self._event(event) for event in round_.events])
        other = any(new is not old for new, old in zip(events, round_.events, strict=True))
        if not limits.keys() <= self.game.bets.keys():
            limits = {bet: one for bet, one in limits.items() if bet in self.game.bets}
        if not other and limits is round_.limits:
            return round_
        return replace(round_, events=events, limits=limits)

    def _all_known(self, events: tuple[r.Event, ...]) -> bool:
        """Whether a round holds nothing but what its game has, written as it is known, which most
        do."""
        bets, hands, boxes = self.game.bets, self.game.hands, self._boxes
        for event in events:
            if isinstance(event, r.Deal):
                if (event.to not in hands) if hands else (event.to is not None):
                    return False
            elif isinstance(event, r.Wager):
                if event.bet not in self._placed or (boxes and self._lies(event) is not event):
                    return False
            elif isinstance(event, r.Settle):
                if event.bet not in bets or (boxes and self._lies(event) is not event):
                    return False
            elif isinstance(event, r.Play):
                if event.do not in self._plays or event.bet is not None:
                    return False
            elif type(event) in _LOOKED_AT:
                return False
        return True

    def _event(self, event: r.Event) -> r.Event:
        match event:
            case r.Deal() | r.Reveal() | r.Peek():
                return self._seat(event)
            case r.Wager():
                if event.bet not in self._placed:
                    return _unknown(event, "bet", event.bet)
                return self._lies(event)
            case r.Settle():
                if event.bet not in self.game.bets:
                    return _unknown(event, "bet", event.bet)
                return self._lies(event)
            case r.Play():
                if event.do not in self._plays:
                    return _unknown(event, "play", event.do, event.box)
                if event.bet is not None:
                    return self._play_for(event, event.bet)
            case r.Adjust():
                if event.bet is not None and event.bet not in self.game.bets:
                    return _unknown(event, "bet", event.bet)
            case r.Unknown():
                if event.name in self.game.records:
                    return _recorded(event)
            case _:
                pass
        return event

    def _play_for(self, event: r.Play, bet: str) -> r.Event:
        """A play that places a bet may name the bet itself, the wager that it goes with, or by its
        number the hand of the dealer that it is against."""
        game = self.game
        action = game.plays[event.do].name
        for one in game.bets.values():
            mine = (one.placed.when, one.placed.name) == ("by play", action)
            if mine and bet in (one.name, one.with_bet, str(one.against)):
                return event if bet == one.name else replace(event, bet=one.name)
        return event if bet in game.bets else _unknown(event, "bet", bet, event.box)

    def _seat(self, event: r.Deal | r.Reveal | r.Peek) -> r.Event:
        """Boxes and hands with names do not go together."""
        hands = self.game.hands
        if event.to is not None:
            return event if event.to in hands else _unknown(event, "hand", event.to)
        return _unknown(event, "box", str(event.box)) if hands else event

    def _lies(self, event: r.Wager | r.Settle) -> r.Event:
        if not self._boxes:
            return event
        if event.box == r.NO_BOX and event.bet not in self._on_table:
            return _unknown(event, "bet without a box", event.bet)
        if event.box > r.BOX_MAX:
            return _unknown(event, "box", str(event.box))
        return event


def _unknown(event: r.Event, part: str, name: str, box: int | None = None) -> r.Unknown:
    return r.Unknown(part, name, box, repr(event), n=event.n)


def _recorded(event: r.Unknown) -> r.Irregularity:
    said = dict(event.said)
    box, player = said.pop("box", None), said.pop("player", None)
    return r.Irregularity(
        event.name,
        None,
        box if type(box) is int and 0 <= box <= r.BOX_MAX else None,
        player if type(player) is str else None,
        tuple(said.items()),
        n=event.n,
    )
