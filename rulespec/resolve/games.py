"""The game of a rulebook: what its game file and the rulebook itself declare."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from rulespec.base.diagnostics import Diagnostic
from rulespec.resolve.declarations import check_game_file
from rulespec.tree import game as g
from rulespec.tree import nodes as t
from rulespec.tree.kinds import FactInfo

_TABLES: dict[type, str] = {
    g.Bet: "bets",
    g.Option: "options",
    g.Choice: "choices",
    g.Meter: "meters",
    g.Record: "records",
    g.Approval: "approvals",
    g.Topic: "topics",
    g.Action: "actions",
    g.Stage: "stages",
    FactInfo: "facts",
}


def game_of_file(
    document: t.Document, made_from: str
) -> tuple[g.Game | None, tuple[Diagnostic, ...]]:
    """The game that a game file declares; `made_from` stands for its text."""
    openings = [item for item in document.items if isinstance(item, t.GameFile)]
    found: list[Diagnostic] = []
    if len(openings) != 1:
        message = f"a game file begins with one `game`, here are {len(openings)}"
        place = openings[1].span if openings else document.span
        found.append(Diagnostic("R127", message, place, help='`game NAME "title" { … }`'))
        return None, tuple(found)
    opening = openings[0]
    tables: Any = {table: {} for table in _TABLES.values()}
    deals: list[g.Deal] = []
    moments: dict[str, tuple[str, ...]] = {}
    for item in document.items:
        match item:
            case t.Declaration():
                word = item.what
                if isinstance(word, g.Deal):
                    deals.append(word)
                    continue
                known, key = tables[_TABLES[type(word)]], _key(word)
                if key in known:
                    found.append(_twice(word, item, f"the game `{opening.name}`"))
                known[key] = word
            case t.Moment():
                if item.name in moments:
                    message = f"the moment `{item.name}` is given already"
                    found.append(Diagnostic("R110", message, item.span))
                moments[item.name] = item.groups
            case t.GameFile():
                pass
            case _:
                message = "this belongs to a rulebook, not to a game file"
                found.append(Diagnostic("R127", message, item.span))
    game = g.Game(
        name=opening.name,
        title=opening.title,
        called=opening.name,
        also=opening.also,
        hands=opening.hands,
        total=opening.total,
        deals=tuple(deals),
        moments=moments,
        requirable=opening.requirable,
        made_from=made_from,
        **tables,
    )
    game = _with_moments(game)
    return game, (*found, *check_game_file(game, document))


def _with_moments(game: g.Game) -> g.Game:
    """Each bet and each action of a player is a moment too, at which something can be required."""
    knows = game.moments
    acts = tuple(dict.fromkeys(a.name for a in game.actions.values() if a.actor == "player"))
    return replace(
        game,
        moments={
            **dict.fromkeys(game.bets, knows.get("bet", ())),
            **dict.fromkeys(acts, knows.get("player", ())),
            **knows,
        },
        requirable=tuple(dict.fromkeys((*game.requirable, *game.bets, *acts))),
    )


def game_of(game: g.Game, items: Iterable[t.Item], found: list[Diagnostic]) -> g.Game:
    """The game with what the rulebook declares beside it."""
    tables: dict[str, Any] = {}
    deals: list[g.Deal] = []
    for item in items:
        if isinstance(item, t.GameFile | t.Moment):
            message = "this belongs to a game file, not to a rulebook"
            advice = "a rulebook names its game in its header: `game NAME`"
            found.append(Diagnostic("R127", message, item.span, help=advice))
        if not isinstance(item, t.Declaration):
            continue
        word = item.what
        if isinstance(word, g.Deal):
            deals.append(replace(word, own=True))
            continue
        if isinstance(word, FactInfo):
            message = f"the fact `{word.name}` is declared in a rulebook"
            advice = "a fact belongs to a game file; `define` gives a rulebook its own terms"
            found.append(Diagnostic("R126", message, item.span, help=advice))
            continue
        table, key = _TABLES[type(word)], _key(word)
        known = tables.setdefault(table, dict(getattr(game, table)))
        if key in known:
            whose = "this rulebook" if known[key].own else f"the game `{game.name}`"
            found.append(_twice(word, item, whose, known[key].title))
            continue
        known[key] = replace(word, own=True)
    if not tables and not deals:
        return game
    if "stages" in tables:
        tables["stages"] = _in_order(tables["stages"])
    plain = any(isinstance(deal.condition, t.Always) for deal in deals)
    kept = [d for d in game.deals if not (plain and isinstance(d.condition, t.Always))]
    return _with_moments(replace(game, **tables, deals=(*deals, *kept)))


def _in_order(stages: dict[str, g.Stage]) -> dict[str, g.Stage]:
    """A stage of the rulebook's own comes right after the one that it names, before what the game
    has there."""
    order = [stage for stage in stages.values() if not stage.own]
    waiting = [stage for stage in stages.values() if stage.own]
    while waiting:
        names = [None, *(stage.name for stage in order)]
        ready = [stage for stage in waiting if stage.after in names] or waiting
        for stage in reversed(ready):
            place = names.index(stage.after) if stage.after in names else len(order)
            order.insert(place, stage)
            names.insert(place + 1, stage.name)
        waiting = [stage for stage in waiting if stage not in ready]
    return {stage.name: stage for stage in order}


def _twice(word: g.Word | FactInfo, item: t.Declaration, whose: str, title: str = "") -> Diagnostic:
    message = f"`{word.name}` is declared already"
    advice = f"by {whose}: {title}" if title else f"by {whose}"
    return Diagnostic("R110", message, item.span, help=advice)


def _key(word: g.Word | FactInfo) -> Any:
    return (word.actor, word.name) if isinstance(word, g.Action) else word.name
