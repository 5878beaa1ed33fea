"""Rows of one wager, hand or round to events: who put down what, which cards, what came back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from checker.imports.events import Event, check, event, event_of, value_of
from checker.imports.fields import Get, inside, listed, read, read_list, told
from checker.imports.profile import Field, Parts, Profile
from checker.imports.values import BadValue
from checker.log import model as r
from checker.table.mechanics import Mechanics

Cards = tuple[str, ...]


class BadRound(ValueError):
    """Rows that are sound one by one and do not make a round together."""


@dataclass(slots=True)
class Pieces:
    """What the rows of a round came to."""

    wagers: list[Event] = field(default_factory=list)
    deals: list[Event] = field(default_factory=list)  # of whole hands: their order is to be made
    plays: list[Event] = field(default_factory=list)
    ordered: list[tuple[Any, Event]] = field(default_factory=list)  # events by themselves
    settles: list[Event] = field(default_factory=list)
    cards: dict[tuple[int, int], Cards] = field(default_factory=dict)
    splits: dict[tuple[int, str], int] = field(default_factory=dict)  # recorded as plays
    split_hands: list[tuple[int, str, int]] = field(default_factory=list)
    split_at: list[tuple[int, int]] = field(default_factory=list)  # box and hand, in order
    dealer: Cards | None = None
    named: dict[str, Cards] = field(default_factory=dict)
    seats: dict[str, int] = field(default_factory=dict)  # boxes given to players in turn


class Hands:
    """Makes the pieces of rounds, by one profile and one game."""

    def __init__(self, profile: Profile, mechanics: Mechanics) -> None:
        self.profile = profile
        self.mechanics = mechanics
        words = [word for word, does in mechanics.plays.items() if does.splits]
        self.split = words[0] if words else None

    # --- rows

    def round(self, parts: Parts, get: Get, document: Any, made: Pieces) -> None:
        """A row of a whole round, with lists in it if it is nested."""
        self._table_cards(parts, get, made)
        self._bets(parts, get, (document,), made, None)
        if parts.rows is not None:
            assert parts.rows.list is not None
            for scopes in listed(parts.rows.list, (document,)):
                self.row(parts.rows, inside(*scopes), scopes, made)
        if parts.events is not None:
            assert parts.events.list is not None
            for number, scopes in enumerate(listed(parts.events.list, (document,))):
                one = event_of(self.profile, parts.events.fields, inside(*scopes))
                if one is not None:
                    made.ordered.append((number, one))

    def row(self, parts: Parts, get: Get, scopes: tuple[Any, ...], made: Pieces) -> None:
        """A row of one wager or hand."""
        self._table_cards(parts, get, made)
        fields = parts.fields
        player = read(fields["player"], get) if "player" in fields else ""
        box = self._box(parts, get, player, made)
        hand = self._value(parts, "hand", "whole", get)
        player = player or (f"box {box}" if box is not None else "")
        where = {"box": box, "player": player}
        if not player and fields.keys() & {"stake", "returned"}:
            raise BadValue("it does not say who wagered")
        bet = read(fields["bet"], get) if "bet" in fields else self.mechanics.main
        stake = self._value(parts, "stake", "money", get)
        on_hand = bet == self.mechanics.main and self.mechanics.main != ""
        if stake is not None and on_hand and (hand or 1) > 1 and box is not None:
            made.split_hands.append((box, player, stake))
        elif stake:
            more = {
                key: self._value(parts, key, holds, get)
                for key, holds in (("control", "flag"), ("seated", "flag"), ("player_card", "text"))
                if key in fields
            }
            made.wagers.append(check(event("wager", **where, bet=bet, stake=stake, **more)))
        back = self._value(parts, "returned", "money", get)
        if back is not None:
            at = hand if on_hand else None
            made.settles.append(
                check(event("settle", box=box, hand=at, player=player, bet=bet, returned=back))
            )
        if "cards" in fields and box is not None:
            self._hand_cards(parts, get, box, hand or 1, made)
        self._plays(parts, get, scopes, made, box, hand or 1, player)
        self._bets(parts, get, scopes, made, where)

    def _value(self, parts: Parts, name: str, holds: str, get: Get) -> Any:
        found = parts.fields.get(name)
        return None if found is None else value_of(self.profile, found, holds, get)

    def _box(self, parts: Parts, get: Get, player: str, made: Pieces) -> int | None:
        box: int | None = self._value(parts, "box", "whole", get)
        if box is not None:
            if box < 0:
                raise BadValue(f"{told(parts.fields['box'])}: {box} is not a box")
            return box
        if self.mechanics.game.hands or "box" in parts.fields:
            return None
        return made.seats.setdefault(player, len(made.seats) + 1)

    def _cards(self, found: Field, get: Get) -> Cards:
        try:
            return self.profile.cards.cards(read(found, get))
        except BadValue as error:
            raise BadValue(f"{told(found)}: {error}") from None

    def _table_cards(self, parts: Parts, get: Get, made: Pieces) -> None:
        if "dealer" in parts.fields:
            cards = self._cards(parts.fields["dealer"], get)
            if cards and made.dealer not in (None, cards):
                raise BadRound("its rows disagree about the dealer's cards")
            made.dealer = cards or made.dealer
        for name, found in parts.dealt.items():
            cards = self._cards(found, get)
            if cards and made.named.get(name, cards) != cards:
                raise BadRound(f"its rows disagree about the cards of `{name}`")
            if cards:
                made.named[name] = cards

    def _hand_cards(self, parts: Parts, get: Get, box: int, hand: int, made: Pieces) -> None:
        cards = self._cards(parts.fields["cards"], get)
        if not cards:
            return
        if box == r.DEALER:
            made.dealer = cards
        elif made.cards.setdefault((box, hand), cards) != cards:
            raise BadRound(f"its rows disagree about the cards of hand {hand} on box {box}")

    def _plays(
        self,
        parts: Parts,
        get: Get,
        scopes: tuple[Any, ...],
        made: Pieces,
        box: int | None,
        hand: int,
        player: str,
    ) -> None:
        for one in parts.plays:
            for inner in self._each(one, get, scopes):
                stake = self._value(one, "stake", "money", inner)
                at = self._value(one, "hand", "whole", inner) or hand
                who = read(one.fields["player"], inner) if "player" in one.fields else player
                if "do" not in one.fields or ("stake" in one.fields and not stake and not one.list):
                    continue
                for word in read_list(one.fields["do"], inner):
                    if word == "skip":
                        continue
                    does = self.mechanics.plays.get(word)
                    if does is not None and does.splits:
                        made.splits[box or 0, who] = made.splits.get((box or 0, who), 0) + 1
                        first = next((key for key in made.splits if key[0] == box), None)
                        if first == (box, who):  # the others only cover what was split
                            made.split_at.append((box or 0, at))
                    play = event("play", box=box, hand=at, player=who, do=word, stake=stake or None)
                    made.plays.append(check(play))

    def _bets(
        self,
        parts: Parts,
        get: Get,
        scopes: tuple[Any, ...],
        made: Pieces,
        where: dict[str, Any] | None,
    ) -> None:
        """Further wagers of the row, each with what came back."""
        for one in parts.bets:
            for inner in self._each(one, get, scopes):
                own = dict(where or {})
                if "player" in one.fields:
                    own["player"] = read(one.fields["player"], inner)
                if "box" in one.fields:
                    own["box"] = self._value(one, "box", "whole", inner)
                bet = read(one.fields["bet"], inner) if "bet" in one.fields else ""
                stake = self._value(one, "stake", "money", inner)
                back = self._value(one, "returned", "money", inner)
                if bet in ("", "skip"):
                    if stake or back:
                        raise BadValue("it does not say what was wagered on")
                    continue
                placed = self.mechanics.game.bets.get(bet)
                only_paid = placed is not None and placed.placed.when in ("by play", "never")
                if stake and not only_paid:
                    made.wagers.append(check(event("wager", **own, bet=bet, stake=stake)))
                if back is not None:
                    settle = event("settle", **own, bet=bet, returned=back)
                    made.settles.append(check(settle))

    def _each(self, parts: Parts, get: Get, scopes: tuple[Any, ...]) -> Iterator[Get]:
        if parts.list is None:
            yield get
        else:
            for inner in listed(parts.list, scopes):
                yield inside(*inner)

    # --- the round

    def deal(self, made: Pieces) -> None:
        """The cards of whole hands as deals: a hand of a split began with a card of the first."""
        for box, player, stake in made.split_hands:
            recorded = made.splits.get((box, player), 0)
            if recorded:
                made.splits[box, player] = recorded - 1
            elif self.split is None:
                raise BadRound("a second hand on a box, and the game knows no split")
            else:
                play = event("play", box=box, hand=1, player=player, do=self.split, stake=stake)
                made.plays.append(check(play))
        boxes: dict[int, list[int]] = {}
        for box, hand in sorted(made.cards):
            boxes.setdefault(box, []).append(hand)
        for box, hands in boxes.items():
            self._deal_box(box, hands, made)
        made.deals += self._dealt(made.dealer or (), box=r.DEALER)
        self._deal_named(made)

    def _deal_box(self, box: int, hands: list[int], made: Pieces) -> None:
        """A card that began a hand of a split was the second of the hand that was split."""
        if hands != list(range(1, len(hands) + 1)):
            raise BadRound(f"the hands on box {box} are numbered {', '.join(map(str, hands))}")
        split = [hand for at, hand in made.split_at if at == box]
        moved: dict[int, list[str]] = {}
        for hand in hands[1:]:
            parent = split[hand - 2] if len(split) >= hand - 1 else 1
            moved.setdefault(parent, []).append(made.cards[box, hand][0])
        for hand in hands:
            own = made.cards[box, hand]
            begun = own[:1] if hand == 1 else ()
            cards = (*begun, *moved.get(hand, ()), *own[1:])
            made.deals += self._dealt(cards, box=box, hand=hand)

    def _dealt(self, cards: Iterable[str], **where: Any) -> list[Event]:
        return [check(event("deal", **where, card=card)) for card in cards]

    def _deal_named(self, made: Pieces) -> None:
        """Cards of hands with names, in the order of the game's deal, then hand by hand."""
        left = {name: list(cards) for name, cards in made.named.items()}
        for step in self.mechanics.opening.steps:
            own = left.get(step.to, [])
            made.deals += self._dealt(own[: step.cards], to=step.to)
            del own[: step.cards]
        for name, cards in left.items():
            made.deals += self._dealt(cards, to=name)
