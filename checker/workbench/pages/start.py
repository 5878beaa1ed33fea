"""The start: what is in the folder, the runs so far, the jobs that are under way."""

from __future__ import annotations

from checker.workbench.page import Asked, Page
from checker.workbench.workspace import STORE, Workspace


def start(workspace: Workspace, asked: Asked) -> Page:
    contents = workspace.folder.contents()
    runs = []
    if workspace.has_store:
        with workspace.store() as store:
            runs = store.runs()
    return Page(
        "start.html",
        {
            "title": "Workbench",
            "folder": workspace.folder.path.name or str(workspace.folder.path),
            "contents": contents,
            "runs": [(run, workspace.sign(run)) for run in runs],
            "rulebooks": workspace.known(),
            "judged": {text["id"] for run in runs for text in run.envelope.get("rulebooks") or ()},
            "store": STORE,
        },
    )
