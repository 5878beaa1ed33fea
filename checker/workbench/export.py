"""The pages of one run as files that open without a server.

A page is written when another one links to it, beginning with the start page."""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from importlib.resources import files
from pathlib import Path
from typing import Any

from checker.workbench.folder import Folder
from checker.workbench.links import PAGES
from checker.workbench.page import Asked
from checker.workbench.query import query
from checker.workbench.templating import Templates
from checker.workbench.workspace import NotHere, Workspace
from rulespec.base.money import in_currency

MOST_PAGES = 5000
_LEFT_OUT = "left-out.html"
_STATIC = ("workbench.css", "workbench.js", "mark.svg")


class Export:
    """Writes pages, and remembers what is still to be written."""

    def __init__(self, folder: Folder, target: Path, run: int | None = None) -> None:
        self.workspace, self.target, self.run = Workspace(folder, wait=True), target, run
        self.waiting: OrderedDict[str, tuple[str, dict[str, Any]]] = OrderedDict()
        self.known: set[str] = set()
        self.left_out = 0
        self.templates = Templates(self.link, live=False, static="static/")

    def link(self, name: str, **values: Any) -> str:
        given = {k: v for k, v in values.items() if v not in (None, "", (), [])}
        if name in ("findings", "clause") and self.run is not None:
            given.setdefault("run", self.run)
        file = _file(name, given)
        if file not in self.known:
            if len(self.known) >= MOST_PAGES:
                self.left_out += 1
                return _LEFT_OUT
            self.known.add(file)
            self.waiting[file] = (name, given)
        return file

    def write(self) -> int:
        """All pages; how many."""
        (self.target / "static").mkdir(parents=True, exist_ok=True)
        for name in _STATIC:
            content = files("checker.workbench").joinpath("static", name).read_bytes()
            (self.target / "static" / name).write_bytes(content)
        self.link("start")
        count = 0
        while self.waiting:
            file, (name, values) = self.waiting.popitem(last=False)
            self._write(file, name, values)
            count += 1
        if self.left_out:
            told = f"only the first {MOST_PAGES:,} pages were written; this one was left out"
            self._draw(_LEFT_OUT, "wrong.html", {"title": "Left out", "message": told, "help": ""})
        return count

    def _write(self, file: str, name: str, values: dict[str, Any]) -> None:
        asked = Asked(
            {}, {k: [*v] if isinstance(v, tuple) else [str(v)] for k, v in values.items()}
        )
        try:
            page = PAGES[name](self.workspace, asked)
        except NotHere as error:
            data = {"title": "Not here", "message": error.message, "help": error.help}
            self._draw(file, "wrong.html", data)
        else:
            with in_currency(page.sign):
                self._draw(file, page.template, {**page.data, "jobs": ()})

    def _draw(self, file: str, template: str, data: dict[str, Any]) -> None:
        (self.target / file).write_text(self.templates.render(template, data), encoding="utf-8")


def _file(name: str, values: dict[str, Any]) -> str:
    """`clause-nz-pontoon-9.1-3f2a.html`: readable, and never the same for two pages."""
    if name == "start":
        return "index.html"
    asked = query(dict(sorted(values.items())))
    words = "-".join(
        re.sub(r"[^A-Za-z0-9.]+", "-", str(v))[:40].strip("-.") for v in values.values()
    )
    mark = hashlib.sha256(asked.encode()).hexdigest()[:8]
    return f"{name}-{words}-{mark}.html" if words else f"{name}.html"
