"""What stands beside a clause in files of the user's own: scenarios, and the printed source. These
files may be of any content and any size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from checker.workbench.folder import Outside
from checker.workbench.workspace import CLAUSES, SCENARIOS, Workspace
from rulespec.base.regular_files import read_regular

LARGEST = 16 << 20  # bytes of a printed source
MOST_SHOWN = 400  # lines of it
_SHORT = 12  # lines, where nobody says how many
_NAMES = ("clauses", "decides", "breaches")


@dataclass(frozen=True, slots=True)
class Printed:
    place: str
    text: str | None  # None of a file that is no text


def scenarios(workspace: Workspace, name: str, number: str) -> list[dict[str, Any]]:
    """Those that name a clause."""
    return [
        one
        for one in _dicts(workspace.beside(name, SCENARIOS).get("scenarios"))
        if any(number in map(str, _list(one.get(part))) for part in _NAMES)
    ]


def printed(workspace: Workspace, name: str, number: str) -> Printed | None:
    """Where the clause list says where in a file the clause stands, and the user has the file."""
    for one in _dicts(workspace.beside(name, CLAUSES).get("clauses")):
        place = one.get("source")
        if str(one.get("id")) == number and isinstance(place, dict):
            return _printed(workspace, place)
    return None


def _printed(workspace: Workspace, place: dict[str, Any]) -> Printed | None:
    file = str(place.get("file", ""))
    page, line, to = (_number(place.get(key)) for key in ("page", "line", "to"))
    where = ", ".join([file, *(f"{key} {n}" for key, n in (("page", page), ("line", line)) if n)])
    try:
        content = read_regular(workspace.folder.file(file), LARGEST)
    except Outside:
        return None
    except OSError as error:
        return Printed(f"{where}: {error.strerror}", None)
    if b"\0" in content[:4096] or content.startswith(b"%PDF"):
        return Printed(where, None)
    text = content.decode("utf-8", "replace")
    if page is not None:
        pages = text.split("\f")  # as `pdftotext` and printers part them
        text = pages[page - 1] if page <= len(pages) else ""
    lines = text.splitlines()
    first = (line or 1) - 1
    end = to or (first + _SHORT if line else len(lines))
    return Printed(where, "\n".join(lines[first : min(end, first + MOST_SHOWN)]))


def _dicts(given: Any) -> Iterator[dict[str, Any]]:
    return (one for one in _list(given) if isinstance(one, dict))


def _list(given: Any) -> list[Any]:
    return given if isinstance(given, list) else []


def _number(given: Any) -> int | None:
    return given if isinstance(given, int) and not isinstance(given, bool) and given > 0 else None
