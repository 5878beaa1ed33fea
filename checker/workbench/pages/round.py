"""One round: the table event by event, what was asked of the text, what should have been paid."""

from __future__ import annotations

from typing import Any

from checker.judge.explanation import explain, settlements
from checker.replay_logs import judge_to_explain
from checker.workbench.drawings.frames import frames
from checker.workbench.page import Asked, Page
from checker.workbench.workspace import NotHere, Workspace
from rulespec.base.money import in_currency


def round_(workspace: Workspace, asked: Asked) -> Page:
    log, line = asked.one("log"), asked.number("line")
    run, n = asked.number("run"), asked.number("n", -1)
    found = workspace.round(log, line)
    stored: list[Any] = []
    changed = False
    logs_of_run = 1
    if run and workspace.has_store:
        with workspace.store() as store:
            one = store.finding(run, n) if n >= 0 else None
            logs_of_run = len(store.run(run).logs)
            if one is not None:
                changed = one.finding["round"] != found.round.id
                history = store.history(one.finding["fingerprint"])
                stored = [(one, history)]
    name = asked.one("rules") or found.round.rulebook or ""
    if not name:
        raise NotHere("this round names no rulebook", "add `rules=` with the name of one")
    engine, verdict = judge_to_explain(found.round, workspace.library(name), found.view)
    if engine is None:
        why = verdict.findings[0].message if verdict.findings else "no text is in force"
        raise NotHere(f"round `{found.round.id}` cannot be judged: {why}")
    with in_currency(verdict.sign):
        drawn = frames(engine, found.round)
    return Page(
        "round.html",
        {
            "title": f"Round {found.round.id}",
            "found": found,
            "round": found.round,
            "book": engine.rulebook,
            "rules": name,
            "frames": drawn,
            "event": asked.number("event", -1),
            "decisions": [one.as_json() for one in explain(engine, verdict)],
            "settlements": settlements(found.round, verdict),
            "findings": verdict.findings,
            "not_checked": verdict.not_checked,
            "stored": stored,
            "changed": changed,
            "run": run,
            "logs_of_run": logs_of_run,
        },
        sign=verdict.sign,
    )
