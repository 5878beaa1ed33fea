"""The findings of a run: facets, totals that follow the filter, charts, pages of a list."""

from __future__ import annotations

import csv
import io
from decimal import Decimal, InvalidOperation
from typing import Any

from checker.render.charts import bars_svg
from checker.store.schema import FACETS
from checker.store.selection import ORDERS, Order, Selection
from checker.store.store import STATES, Store, Stored
from checker.workbench.page import Asked, Page
from checker.workbench.workspace import NotHere, Workspace

SIZE = 50
TITLES = {
    "rulebook": "rulebook",
    "casino_table": "table",
    "player": "player",
    "day": "day",
    "clause": "clause",
    "code": "code",
    "kind": "kind",
    "log": "log",
    "state": "state",
}
COLUMNS = (
    "fingerprint",
    "state",
    "rulebook",
    "clause",
    "code",
    "kind",
    "table",
    "round",
    "at",
    "player",
    "box",
    "hand",
    "bet",
    "expected",
    "actual",
    "difference",
    "message",
    "log",
    "line",
)


def findings(workspace: Workspace, asked: Asked) -> Page:
    with _open(workspace) as store:
        run = store.run(asked.number("run") or None)
        workspace.expect(run.logs)
        chosen = selection(asked, run.id)
        order = _order(asked)
        totals = store.totals(chosen)
        pages = max(1, -(-totals.findings // SIZE))
        page = min(max(asked.number("page", 1), 1), pages)
        rows = store.findings(chosen, order=order, start=(page - 1) * SIZE, limit=SIZE)
        facets = [
            (name, TITLES[name], _marked(store.facet(chosen, name, 12), chosen, name))
            for name in (*FACETS, "state")
        ]
        charts = [
            (title, bars_svg(store.by(chosen, facet), title=title))
            for facet, title in (
                ("day", "findings per day"),
                ("clause", "per clause"),
                ("casino_table", "per table"),
            )
        ]
    return Page(
        "findings.html",
        {
            "title": f"Findings of run {run.id}",
            "run": run,
            "chosen": chosen,
            "asked": {name: asked.all(name) for name in asked.values if name != "page"},
            "order": order,
            "orders": list(ORDERS),
            "totals": totals,
            "page": page,
            "pages": pages,
            "rows": rows,
            "facets": [f for f in facets if len(f[2]) > 1 or any(on for *_, on in f[2])],
            "charts": charts,
            "states": STATES,
        },
        sign=workspace.sign(run),
        part="findings_list.html",
    )


def _marked(
    values: list[tuple[str, int]], chosen: Selection, name: str
) -> list[tuple[str, int, bool]]:
    on = chosen.states if name == "state" else chosen.values.get(name, ())
    listed = [(value, count, value in on) for value, count in values]
    seen = {value for value, _ in values}
    return listed + [(value, 0, True) for value in on if value not in seen]


def selection(asked: Asked, run: int) -> Selection:
    values = {name: asked.all(name) for name in FACETS if asked.all(name)}
    states = tuple(state for state in asked.all("state") if state in STATES)
    return Selection(run, values, states, _least(asked.one("least")), asked.one("words"))


def _least(text: str) -> int | None:
    """An amount as people write it, in minor units; what is none does not narrow anything."""
    try:
        amount = Decimal(text.replace(",", "").lstrip("$€£"))
    except InvalidOperation:
        return None
    return int(amount * 100) if amount.is_finite() and 0 < amount < 10**12 else None


def _order(asked: Asked) -> Order:
    wanted = asked.one("order", "place")
    return next((order for order in ORDERS if order == wanted), "place")


def _open(workspace: Workspace) -> Store:
    if not workspace.has_store:
        raise NotHere("no log was replayed here yet", "replay one on the start page")
    return workspace.store()


# --- what is shown, as a file


def rows_of(workspace: Workspace, asked: Asked) -> list[list[Any]]:
    """Every finding of the selection, with the head first."""
    with _open(workspace) as store:
        run = store.run(asked.number("run") or None)
        found = store.findings(selection(asked, run.id), order=_order(asked))
    return [list(COLUMNS), *map(_cells, found)]


def _cells(one: Stored) -> list[Any]:
    return [one.state if name == "state" else _plain(one.finding.get(name)) for name in COLUMNS]


def _plain(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula is marked as a text."""
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return "'" + value
    return "" if value is None else value


def as_csv(rows: list[list[Any]]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(rows)
    return out.getvalue().encode()


def as_excel(rows: list[list[Any]]) -> bytes:
    import xlsxwriter

    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True, "strings_to_formulas": False}) as book:
        sheet = book.add_worksheet("findings")
        money = book.add_format({"num_format": "0.00"})
        for at, row in enumerate(rows):
            for column, value in enumerate(row):
                if isinstance(value, int | Decimal):
                    named = COLUMNS[column] in ("expected", "actual", "difference")
                    sheet.write_number(at, column, value, money if named else None)
                else:
                    sheet.write_string(at, column, str(value))
        sheet.freeze_panes(1, 0)
    return out.getvalue()
