"""The start: what is in the folder, the runs so far, the jobs that are under way."""

from __future__ import annotations

from checker.workbench.desk import STORE, Desk
from checker.workbench.page import Asked, Page


def start(desk: Desk, asked: Asked) -> Page:
    contents = desk.folder.contents()
    runs = []
    if desk.has_store:
        with desk.store() as store:
            runs = store.runs()
    return Page(
        "start.html",
        {
            "title": "Workbench",
            "folder": desk.folder.path.name or str(desk.folder.path),
            "contents": contents,
            "runs": [(run, desk.sign(run)) for run in runs],
            "rulebooks": desk.known(),
            "judged": {text["id"] for run in runs for text in run.envelope.get("rulebooks") or ()},
            "store": STORE,
        },
    )
