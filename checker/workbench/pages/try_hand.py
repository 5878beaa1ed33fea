"""Try a hand: cards, wagers and plays laid by clicking, and what each rulebook says to them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from checker.judge.explanation import explain, settlements
from checker.log.decode import DecodeError, decode_round
from checker.log.script import ScriptError, events_of
from checker.replay_logs import judge_to_explain
from checker.workbench.drawings.frames import frames
from checker.workbench.page import Asked, Page
from checker.workbench.workspace import NotHere, Workspace
from rulespec.base.money import in_currency
from rulespec.resolve.rulebook import Rulebook
from rulespec.tree.game import AddsStake, PlacesBet

EXAMPLE = """bet 1 P1 10
deal 1:6S 0:9H 1:5D
1 P1 hit 9C
1 P1 stand
dealer JS
settle 1 P1 main 20"""
MOST_SCRIPT = 20_000


def try_hand(workspace: Workspace, asked: Asked) -> Page:
    known = list(workspace.known())
    chosen = [name for name in asked.all("rules") if name in known]
    script = asked.one("play")[:MOST_SCRIPT]
    decks = asked.number("decks", 6)
    options = asked.one("options").replace(",", " ").split()
    given = bool(script)
    bets, plays = _words(workspace, (chosen or known)[0])
    results = [_judged(workspace, name, script, decks, options) for name in chosen] if given else []
    return Page(
        "try.html",
        {
            "title": "Try a hand",
            "rulebooks": known,
            "chosen": chosen or known[:1],
            "play": script or EXAMPLE,
            "decks": decks,
            "options": " ".join(options),
            "results": results,
            "bets": bets,
            "plays": plays,
            "scenario": scenario(script, decks, options) if given else "",
        },
        part="try_result.html",
    )


def _words(workspace: Workspace, name: str) -> tuple[list[str], list[tuple[str, bool]]]:
    """The bets and the decisions of a game, and whether a decision takes a stake."""
    text = workspace.book(name).loaded.rulebook
    assert text is not None
    game = text.game
    plays = [
        (word, act.effect(AddsStake) is not None or act.effect(PlacesBet) is not None)
        for word, act in game.plays.items()
    ]
    return list(game.bets), plays


def _judged(
    workspace: Workspace, name: str, script: str, decks: int, options: list[str]
) -> dict[str, Any]:
    """What one rulebook says, or why it can say nothing."""
    book: dict[str, Any] = {"name": name}
    try:
        text = workspace.book(name).loaded.rulebook
        assert text is not None
        round_ = decode_round(
            {
                "format": 1,
                "round": "TRY",
                "table": "TRY",
                "at": _time(text),
                "decks": decks,
                "options": options,
                "rulebook": text.id,
                "events": events_of(script, text.game),
            }
        )
        engine, verdict = judge_to_explain(round_, workspace.library(name))
    except ScriptError as error:
        return {**book, "wrong": str(error), "help": error.help}
    except DecodeError as error:
        return {**book, "wrong": error.reason, "help": ""}
    except NotHere as error:
        return {**book, "wrong": error.message, "help": error.help}
    if engine is None:
        return {**book, "wrong": "no text is in force on the day", "help": ""}
    with in_currency(verdict.sign):
        last = frames(engine, round_)[-1]
    return {
        **book,
        "title": engine.rulebook.title,
        "svg": last.svg,
        "settlements": settlements(round_, verdict),
        "findings": verdict.findings,
        "decisions": [one.as_json() for one in explain(engine, verdict)],
    }


def _time(text: Rulebook) -> str:
    """A moment at which the whole text is in force: now, or the last day that it was."""
    if text.end is not None:
        return datetime.combine(text.end, datetime.min.time()).isoformat() + "+00:00"
    return datetime.now().astimezone().isoformat(timespec="seconds")


def scenario(script: str, decks: int, options: list[str]) -> str:
    """The hand as an entry of a scenario file, to be kept beside a rulebook."""
    lines = ["- name: tried by hand", "  clauses: []"]
    if decks != 6:
        lines.append(f"  decks: {decks}")
    if options:
        lines.append(f"  options: [{', '.join(options)}]")
    lines += ["  play: |", *(f"    {line}" for line in script.splitlines())]
    return "\n".join(lines) + "\n"
