"""Simulated rounds as lines of a log: format 1, compact, keys in the order of the contract."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from checker.log import model as r
from checker.simulate.setup import Setup


def money(cents: int) -> str:
    return f"{cents // 100}" if cents % 100 == 0 else f"{cents // 100}.{cents % 100:02d}"


@lru_cache(maxsize=4096)
def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _event(event: r.Event) -> str:
    match event:
        case r.Deal():
            hand = f',"hand":{event.hand}' if event.hand > 1 else ""
            face = ',"face":"down"' if event.down else ""
            return f'{{"e":"deal","box":{event.box}{hand},"card":"{event.card}"{face}}}'
        case r.Play():
            stake = f',"stake":{money(event.stake)}' if event.stake is not None else ""
            on = f',"for":{_quoted(event.bet)}' if event.bet is not None else ""
            return (
                f'{{"e":"play","box":{event.box},"hand":{event.hand},'
                f'"player":{_quoted(event.player)},"do":"{event.do}"{stake}{on}}}'
            )
        case r.Settle():
            hand = f',"hand":{event.hand}' if event.hand is not None else ""
            return (
                f'{{"e":"settle","box":{event.box}{hand},"player":{_quoted(event.player)},'
                f'"bet":"{event.bet}","returned":{money(event.returned)}}}'
            )
        case r.Wager():
            return _wager(event)
        case r.Peek():
            return '{"e":"peek"}'
        case r.Reveal():
            hand = f',"hand":{event.hand}' if event.hand is not None else ""
            return f'{{"e":"reveal","box":{event.box}{hand}}}'
        case r.Burn():
            return f'{{"e":"burn","card":"{event.card}"}}' if event.card else '{"e":"burn"}'
        case r.CutCard():
            return '{"e":"cut_card"}'
        case r.Shuffle():
            return '{"e":"shuffle"}'
        case r.NoMoreBets():
            return '{"e":"no_more_bets"}'
        case r.Offer():
            return f'{{"e":"offer","what":{_quoted(event.what)}}}'
        case r.Warn():
            return f'{{"e":"warn","player":{_quoted(event.player)},"what":{_quoted(event.what)}}}'
        case _:
            raise TypeError(f"not written by a simulation: {event}")


def _wager(event: r.Wager) -> str:
    more = ""
    if event.control:
        more += ',"control":true'
    if event.seated is not None:
        more += f',"seated":{"true" if event.seated else "false"}'
    if event.wins is not None:
        more += f',"wins":{event.wins}'
    if event.player_card is not None:
        more += f',"player_card":{_quoted(event.player_card)}'
    return (
        f'{{"e":"wager","box":{event.box},"player":{_quoted(event.player)},"bet":"{event.bet}",'
        f'"stake":{money(event.stake)}{more}}}'
    )


def limits_text(setup: Setup) -> str:
    parts: list[str] = []
    for bet, limits in setup.limits.items():
        fields = [
            f'"{name}":{money(amount)}'
            for name in ("min", "max", "unit", "smallest_chip")
            if (amount := getattr(limits, name)) is not None
        ]
        if limits.multiples_notice is not None:
            fields.append(f'"multiples_notice":{"true" if limits.multiples_notice else "false"}')
        parts.append(f'"{bet}":{{{",".join(fields)}}}')
    return "{" + ",".join(parts) + "}"


def line(head: dict[str, Any], setup: Setup, limits: str, events: Iterable[r.Event]) -> str:
    """One round. `head` has the round's own fields up to the number of decks."""
    first = json.dumps({"format": r.FORMAT, **head}, ensure_ascii=False, separators=(",", ":"))
    options = ",".join(_quoted(option) for option in setup.options)
    listed = ",".join(_event(event) for event in events)
    meters = ",".join(f"{_quoted(name)}:{money(held)}" for name, held in setup.meters.items())
    more = f'"meters":{{{meters}}},' if meters else ""
    return f'{first[:-1]},"options":[{options}],"limits":{limits},{more}"events":[{listed}]}}'
