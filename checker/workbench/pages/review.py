"""What was said of findings, by whom, and when."""

from __future__ import annotations

from checker.workbench.page import Asked, Page
from checker.workbench.workspace import NotHere, Workspace


def review(workspace: Workspace, asked: Asked) -> Page:
    said = []
    if workspace.has_store:
        with workspace.store() as store:
            said = store.history(asked.one("fingerprint") or None, limit=500)
    return Page("review.html", {"title": "Reviews", "said": said})


def say(workspace: Workspace, asked: Asked) -> int:
    """Add a review to one or many findings; how many it was."""
    if not workspace.has_store:
        raise NotHere("no log was replayed here yet")
    with workspace.store() as store:
        made = store.set_state(
            asked.all("fingerprint"), asked.one("state"), asked.one("reason"), asked.one("person")
        )
    return len(made)
