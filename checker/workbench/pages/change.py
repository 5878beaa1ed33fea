"""Two texts, or several: what a change means, and rulebooks side by side."""

from __future__ import annotations

from checker.workbench.page import Asked, Page
from checker.workbench.workspace import Workspace


def change(workspace: Workspace, asked: Asked) -> Page:
    old, new, log = asked.one("old"), asked.one("new"), asked.one("log")
    return Page(
        "change.html",
        {
            "title": "What a change means",
            "old": old,
            "new": new,
            "log": log,
            "rulebooks": list(workspace.known()),
            "logs": [one.name for one in workspace.folder.contents().logs],
        },
    )


def compare(workspace: Workspace, asked: Asked) -> Page:
    chosen = asked.all("rules")
    known = list(workspace.known())
    return Page(
        "compare.html",
        {
            "title": "Rulebooks side by side",
            "rulebooks": known,
            "chosen": chosen,
            "differences": asked.one("differences") == "1",
            "words": asked.one("words"),
        },
    )
