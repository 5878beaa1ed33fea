"""The one style sheet of all pages."""

from __future__ import annotations

from functools import cache
from importlib import resources


@cache
def style_sheet() -> str:
    place = resources.files("checker.render").joinpath("templates", "style.css")
    return place.read_text(encoding="utf-8")
