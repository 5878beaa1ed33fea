"""A saved replay as an Excel file: every finding, what they add up to, and how it came about."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from importlib import import_module
from typing import Any, Final

from checker.render.lines import visible
from checker.render.report_data import UNDECIDED, Page
from checker.render.report_page import BROKEN, numbers, provenance, title_of
from rulespec.base.errors import WrongCall

COLUMNS: Final = (
    ("code", 7),
    ("kind", 11),
    ("rulebook", 18),
    ("clause", 12),
    ("at", 26),
    ("table", 9),
    ("round", 16),
    ("box", 6),
    ("hand", 6),
    ("player", 14),
    ("bet", 14),
    ("expected", 12),
    ("actual", 12),
    ("difference", 12),
    ("message", 90),
    ("readings", 24),
    ("related", 40),
    ("help", 40),
    ("state", 11),
    ("log", 30),
    ("line", 9),
    ("fingerprint", 18),
)
_MONEY: Final = ("expected", "actual", "difference")
_MOST_ROWS: Final = 1_000_000  # of a sheet
_MOST_SIGNS: Final = 32_000  # of a cell


def report_excel(page: Page) -> bytes:
    try:
        xlsxwriter = import_module("xlsxwriter")
    except ImportError:
        raise WrongCall(
            "an Excel file needs the package `xlsxwriter`", "pip install 'rulespec[report]'"
        ) from None
    out = io.BytesIO()
    # a text is a text, whatever it looks like: no formula, no link, no number
    options = {
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
        "in_memory": True,
    }
    with xlsxwriter.Workbook(out, options) as book:
        book.set_properties({"title": _whole(title_of(page))[:200]})
        sheets = _Sheets(book)
        sheets.add("Summary", (("", 26), ("", 100)), _summary(page))
        for number, rows in enumerate(_parts(_findings(page)), 1):
            name = "Findings" if number == 1 else f"Findings {number}"
            sheets.add(name, COLUMNS, rows, filtered=True)
        sheets.add("By clause", _BY_CLAUSE, _by_clause(page), filtered=True)
        sheets.add("By table", _BY_TABLE, _by_table(page), filtered=True)
        sheets.add("Not checked", _NOT_CHECKED, _not_checked(page), filtered=True)
        sheets.add("Provenance", (("what", 40), ("value", 90)), provenance(page))
    return out.getvalue()


_BY_CLAUSE: Final = (
    ("rulebook", 18),
    ("clause", 12),
    ("title", 50),
    ("undecided", 11),
    ("findings", 10),
    ("paid too much", 15),
    ("paid too little", 15),
)
_BY_TABLE: Final = (
    ("rulebook", 18),
    ("table", 12),
    ("findings", 10),
    ("paid too much", 15),
    ("paid too little", 15),
)
_NOT_CHECKED: Final = (("rulebook", 18), ("clause", 14), ("rounds", 10), ("reason", 90))


class _Sheets:
    def __init__(self, book: Any) -> None:
        self.book = book
        self.head = book.add_format({"bold": True, "bottom": 1, "valign": "top"})
        self.money = book.add_format({"num_format": "#,##0.00"})
        self.quoted = book.add_format({"quote_prefix": True})

    def add(
        self,
        name: str,
        columns: Sequence[tuple[str, int]],
        rows: Iterable[Sequence[Any]],
        filtered: bool = False,
    ) -> None:
        sheet = self.book.add_worksheet(name)
        first = 0
        for at, (title, width) in enumerate(columns):
            sheet.set_column(at, at, width)
            if title:
                sheet.write_string(0, at, title, self.head)
                first = 1
        last = first
        for last, row in enumerate(rows, first):
            for at, cell in enumerate(row):
                self._write(sheet, last, at, cell)
        if first:
            sheet.freeze_panes(1, 0)
        if filtered:
            sheet.autofilter(0, 0, max(last, 1), len(columns) - 1)

    def _write(self, sheet: Any, row: int, column: int, cell: Any) -> None:
        if cell is None or cell == "":
            return
        if isinstance(cell, Decimal) and _is_exact(cell):
            sheet.write_number(row, column, cell, self.money)
        elif isinstance(cell, int) and abs(cell) < 10**15:
            sheet.write_number(row, column, cell)
        else:
            text = _whole(visible(str(cell)))[:_MOST_SIGNS]
            looks = text.lstrip()[:1] in tuple("=+-@")
            sheet.write_string(row, column, text, self.quoted if looks else None)


def _whole(text: str) -> str:
    """Without halves of characters, which no file can hold."""
    return text.encode("utf-8", "replace").decode()


def _is_exact(value: Decimal) -> bool:
    """Whether the number of a spreadsheet, which has sixteen digits, is this very amount."""
    return Decimal(f"{value:.16G}") == value  # so it is written, and never through a float


def _parts(rows: Iterable[Sequence[Any]]) -> Iterator[list[Sequence[Any]]]:
    """As many as a sheet holds; at least one, if it is empty."""
    part: list[Sequence[Any]] = []
    for row in rows:
        if len(part) == _MOST_ROWS:
            yield part
            part = []
        part.append(row)
    yield part


def _summary(page: Page) -> Iterator[Sequence[Any]]:
    if page.broken:
        yield BROKEN.split(": ", 1)
    if page.filtered:
        yield "FILTERED", page.filtered
    yield "audit", title_of(page)
    if page.readings_left_out:
        yield "readings", page.readings_left_out
    yield "verdict", " ".join(page.verdict)
    summary = page.summary
    known = {"paid too much": "overpaid", "paid too little": "underpaid"}
    for name, value, _ in numbers(page):
        key = known.get(name)
        plain = Decimal(summary[key]) if key else int(value.replace(",", ""))
        yield name, plain
    if page.money_note:
        yield "money", page.money_note
    for one in page.logs:
        yield "log", f"{one['name']}: {one['rounds']} rounds, from {one['from']} to {one['to']}"
    for one in page.texts:
        about = " ".join(part for part in (one["title"], one["about"]) if part)
        yield "text", f"{one['id']} {about} (in force from {one['day']})"
    for day, found, undecided in page.days:
        yield f"findings {day}", f"{found:,}, and {undecided:,} undecided"


def _findings(page: Page) -> Iterator[Sequence[Any]]:
    for one in page.saved.findings:
        shown: dict[str, Any] = dict(one)
        shown["readings"] = ", ".join(one.get("readings", ()))
        shown["related"] = "; ".join(f"{x['clause']} ({x['role']})" for x in one["related"])
        for name in _MONEY:
            if name in shown:
                shown[name] = Decimal(shown[name])
        yield [shown.get(name) for name, _ in COLUMNS]


def _by_clause(page: Page) -> Iterator[Sequence[Any]]:
    for one in page.clauses:
        undecided = UNDECIDED if one.undecided else None
        names = (one.rulebook, one.clause, one.title, undecided)
        yield (*names, len(one.findings), one.overpaid, one.underpaid)


def _by_table(page: Page) -> Iterator[Sequence[Any]]:
    yield from page.tables


def _not_checked(page: Page) -> Iterator[Sequence[Any]]:
    for one in page.not_checked:
        yield one["rulebook"], one["clause"], one["rounds"], one["reason"]
    for told in (*page.reach, *page.left_out):
        yield None, None, None, told
