"""What was said of findings, by whom, and when."""

from __future__ import annotations

from checker.workbench.desk import Desk, NotHere
from checker.workbench.page import Asked, Page


def review(desk: Desk, asked: Asked) -> Page:
    said = []
    if desk.has_store:
        with desk.store() as store:
            said = store.history(asked.one("fingerprint") or None, limit=500)
    return Page("review.html", {"title": "Reviews", "said": said})


def say(desk: Desk, asked: Asked) -> int:
    """Add a review to one or many findings; how many it was."""
    if not desk.has_store:
        raise NotHere("no log was replayed here yet")
    with desk.store() as store:
        made = store.set_state(
            asked.all("fingerprint"), asked.one("state"), asked.one("reason"), asked.one("person")
        )
    return len(made)
