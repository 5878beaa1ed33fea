"""Whether what a run was made of is still there as it was: the first question of a verification."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from checker.report import input_of
from checker.workbench.folder import Outside
from checker.workbench.page import Asked, Page
from checker.workbench.workspace import NotHere, Workspace


def unchanged(workspace: Workspace, asked: Asked) -> Page:
    if not workspace.has_store:
        raise NotHere("no log was replayed here yet")
    with workspace.store() as store:
        run = store.run(asked.number("run") or None)
    told = [one for given in run.envelope["inputs"] if (one := _told(workspace, given)) is not None]
    return Page("unchanged.html", {"title": "What a run was made of", "told": told, "run": run})


def _told(workspace: Workspace, given: dict[str, Any]) -> str | None:
    """What is no longer as it was, or cannot be looked at."""
    name = given["path"]
    try:
        path = workspace.folder.file(name) if given["kind"] == "log" else Path(name)
    except Outside:
        return f"{name} is not in this folder"
    now = input_of(path, given["kind"]).sha256
    if now is None:
        return f"{name} cannot be read"
    return None if now == given["sha256"] else f"{name} is another file now"
