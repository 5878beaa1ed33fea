"""Parts of pages that take long: which command they are, and how its result is shown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from markupsafe import Markup

from checker.workbench.folder import Outside
from checker.workbench.page import Asked, Page
from checker.workbench.workspace import NotHere, Workspace

_BODY = re.compile(r"<body[^>]*>(.*)</body>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Worked:
    """A command by its words, and the template that shows what it wrote."""

    title: str
    words: Callable[[Workspace, Asked], list[str]]
    shown: Callable[[bytes, Asked], Page]

    def about(self, workspace: Workspace, asked: Asked) -> tuple[Any, ...]:
        """What its result depends on beside its words: the texts and logs as they stand."""
        names = [value for values in asked.values.values() for value in values]
        return tuple(workspace.stamp_of(name) for name in names)


def _rules(workspace: Workspace, asked: Asked, name: str = "rules") -> str:
    given = asked.one(name)
    if not given:
        raise NotHere("no rulebook is named")
    return workspace.rules_name(given)


def _log(workspace: Workspace, asked: Asked) -> str:
    name = asked.one("log")
    try:
        workspace.folder.file(name)
    except Outside:
        raise NotHere(f"there is no log `{name}` in this folder") from None
    return f"./{name}"


def _json(result: bytes) -> Any:
    return json.loads(result, parse_float=Decimal)


def _check(result: bytes, asked: Asked) -> Page:
    report = _json(result)
    data = {"findings": report["findings"], "accepted": report["accepted"]}
    return Page("worked_check.html", {**data, "rules": asked.one("rules")})


def _edge(result: bytes, asked: Asked) -> Page:
    return Page("worked_edge.html", {"summary": _json(result)["summary"]})


def _diff(result: bytes, asked: Asked) -> Page:
    found = _BODY.search(result.decode("utf-8", "replace"))
    if found is None:
        raise NotHere("the comparison of the two texts is no page")
    body = found[1]
    return Page("worked_diff.html", {"body": Markup(body)})  # made and escaped by diff_html


def _impact(result: bytes, asked: Asked) -> Page:
    return Page("worked_text.html", {"text": result.decode("utf-8", "replace")})


def _compare(result: bytes, asked: Asked) -> Page:
    summary = _json(result)["summary"]
    words = asked.one("words").casefold()
    if words:
        summary["topics"] = [
            topic
            for topic in summary["topics"]
            if words in json.dumps(topic, default=str).casefold()
        ]
    return Page("worked_compare.html", {"summary": summary, "words": words})


def _compared(workspace: Workspace, asked: Asked) -> list[str]:
    names = [workspace.rules_name(name) for name in asked.all("rules")]
    more = ["--differences"] if asked.one("differences") == "1" else []
    return ["compare", "--format", "json", *more, "--", *names]


WORKED: dict[str, Worked] = {
    "check": Worked(
        "looking for contradictions, gaps and dead rules over all hands",
        lambda workspace, asked: ["check", "--format", "json", "--", _rules(workspace, asked)],
        _check,
    ),
    "edge": Worked(
        "working out the house edge",
        lambda workspace, asked: ["edge", "--format", "json", "--", _rules(workspace, asked)],
        _edge,
    ),
    "diff": Worked(
        "comparing the two texts over all hands",
        lambda workspace, asked: [
            *("diff", "--format", "html", "--"),
            *(_rules(workspace, asked, "old"), _rules(workspace, asked, "new")),
        ],
        _diff,
    ),
    "impact": Worked(
        "settling the log under both texts",
        lambda workspace, asked: [
            *("impact", "--full", "--"),
            *(
                _rules(workspace, asked, "old"),
                _rules(workspace, asked, "new"),
                _log(workspace, asked),
            ),
        ],
        _impact,
    ),
    "compare": Worked("asking every rulebook the same questions", _compared, _compare),
}
