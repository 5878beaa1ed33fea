"""A saved replay as one page: HTML that needs nothing else, Markdown, or printed as PDF."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from html import escape
from importlib import import_module
from typing import Any, Final

from checker.evidence.find_inputs import last_name
from checker.render.charts import bars_svg
from checker.render.lines import visible
from checker.render.report_data import NO_CLAUSE, Page
from checker.render.report_verdict import amount, counted, moment
from checker.render.style import style_sheet
from rulespec.base.errors import WrongCall

_CARD: Final = re.compile(r"(10|[2-9AJQK])([♠♥♦♣])")
_MARKED: Final = re.compile(r"([\\`*_{}\[\]#|~])")
_BARS: Final = 25
BROKEN: Final = "CHANGED: the report behind this page was changed after it was written"


def report_html(page: Page) -> str:
    return _written("report.html.jinja", page)


def report_markdown(page: Page) -> str:
    return _written("report.md.jinja", page)


def report_pdf(page: Page) -> bytes:
    weasyprint = _needed("weasyprint", "pdf")

    def no_other_file(url: str, *_: Any, **__: Any) -> Any:
        raise ValueError(f"a report needs no other file: {url}")

    text = report_html(page).encode("utf-8", "replace").decode()
    made = weasyprint.HTML(string=text, url_fetcher=no_other_file)
    pdf: bytes = made.write_pdf()
    return pdf


def _written(template: str, page: Page) -> str:
    jinja2 = _needed("jinja2", "report")
    markup = import_module("markupsafe").Markup
    html = template.endswith(".html.jinja")
    room = jinja2.Environment(
        loader=jinja2.PackageLoader("checker.render", "templates"),
        autoescape=html,
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    room.filters.update(
        amount=amount,
        moment=moment,
        counted=counted,
        thousands=lambda number: f"{number:,}",
        cards=lambda line: markup(_cards(line)),
        md=_marked_down,
    )
    written: str = room.get_template(template).render(
        page=page,
        title=title_of(page),
        style=markup(style_sheet()),
        numbers=list(numbers(page)),
        charts=[(name, markup(chart)) for name, chart in _charts(page)] if html else (),
        partly=_partly(page),
        provenance=list(provenance(page)),
        no_clause=NO_CLAUSE,
        broken=BROKEN,
        source=visible(last_name(page.saved.path)),
    )
    return written


def title_of(page: Page) -> str:
    books = ", ".join(one["id"] for one in page.texts) or "no rulebook"
    one = last_name(page.logs[0]["name"]) if len(page.logs) == 1 else f"{len(page.logs):,} logs"
    return f"Audit of {one} by {books}"


def numbers(page: Page) -> Iterator[tuple[str, str, bool]]:
    """Name, value, and whether it is a bad sign."""
    summary = page.summary
    yield "rounds", f"{summary['rounds']:,}", False
    yield "findings", f"{summary['findings']:,}", bool(summary["findings"])
    yield "paid too much", amount(summary["overpaid"]) or "", bool(summary["overpaid"])
    yield "paid too little", amount(summary["underpaid"]) or "", bool(summary["underpaid"])
    yield "undecided", f"{summary['undecided']:,}", False
    yield "lines not valid", f"{summary['quarantined']:,}", False


def _partly(page: Page) -> str:
    shown, all_ = len(page.saved.findings), page.summary["findings"] + page.summary["undecided"]
    return "" if shown == all_ else f"Of the {shown:,} of {all_:,} findings that the report holds."


def _charts(page: Page) -> Iterator[tuple[str, str]]:
    """Findings by day, clause and table, and the amounts."""
    several = len({one.rulebook for one in page.clauses}) > 1

    def named(rulebook: str) -> str:
        return f"{rulebook} " if several else ""

    if len(page.days) > 0:
        month = len(page.days[0][0]) == 7
        name = "Findings by month" if month else "Findings by day"
        if any(undecided for _, _, undecided in page.days):
            yield name, bars_svg(page.days, ("findings", "undecided"), most=_BARS)
        else:
            yield name, bars_svg([(day, found) for day, found, _ in page.days], most=_BARS)
    clauses = sorted(page.breaches, key=lambda one: -len(one.findings))
    if clauses:
        rows = [(f"{named(one.rulebook)}{one.clause}", len(one.findings)) for one in clauses]
        yield "Findings by clause", bars_svg(rows, most=_BARS)
    tables = [(f"{named(book)}{table}", found) for book, table, found, _, _ in page.tables if found]
    if tables:
        yield "Findings by table", bars_svg(tables, most=_BARS)
    paid = [one for one in page.breaches if one.overpaid or one.underpaid]
    paid.sort(key=lambda one: -(one.overpaid + one.underpaid))
    if paid:
        bars = [
            (f"{named(one.rulebook)}{one.clause}", _cents(one.overpaid), _cents(one.underpaid))
            for one in paid
        ]
        told = [(amount(one.overpaid) or "", amount(one.underpaid) or "") for one in paid]
        name = "Amounts by clause"
        yield name, bars_svg(bars, ("too much", "too little"), shown=told, most=_BARS // 2)


def _cents(value: Decimal) -> int:
    return int(value.scaleb(2))


def provenance(page: Page) -> Iterator[tuple[str, str]]:
    """All that the report says about how it came about."""
    document = page.saved.document
    tool = document["tool"]
    yield "report", visible(last_name(page.saved.path))
    if "seal" in document:
        yield "seal of the report", document["seal"]
    if "signature" in document:
        yield "signed with key", f"{document['signature']['key']} (not checked here)"
    yield "made by", visible(f"rulespec {tool['version']}")
    if "sha256" in tool:
        yield "hash of its code", tool["sha256"]
    if "config" in document:
        job = document["config"]
        yield visible(f"saved job {last_name(job['path'])}"), job["sha256"]
    for name, value in document["options"].items():
        told = ", ".join(map(str, value)) if isinstance(value, list) else value
        if told not in (None, "", False):
            yield f"asked: {visible(name)}", visible("yes" if told is True else str(told))
    for one in document["rulebooks"]:
        day = f", in force from {one['day']}" if one["day"] else ""
        yield visible(f"text {one['id']}"), visible(f"{one['sha256'] or 'no hash'}{day}")
    for one in document["inputs"]:
        kind = "rule file" if one["kind"] == "rules" else "log"
        yield visible(f"{kind} {last_name(one['path'])}"), one["sha256"] or "no hash"
        if one.get("sha256_content") not in (None, one["sha256"]):
            yield "… decompressed", one["sha256_content"]
        if one.get("merkle_root"):
            lines = "" if one.get("lines") is None else f" ({one['lines']:,} lines)"
            yield "… Merkle root of its lines", one["merkle_root"] + lines
    if page.summary.get("engine"):
        yield "engine", visible(page.summary["engine"])


def _marked_down(text: object) -> str:
    """A text that Markdown shows as it is."""
    return _MARKED.sub(r"\\\1", escape(visible(str(text)), quote=False))


def _cards(line: str) -> str:
    """A line of a drawn round, with its cards as cards."""

    def card(found: re.Match[str]) -> str:
        red = " red" if found[2] in "♥♦" else ""
        return f'<span class="card{red}">{found[1]}{found[2]}</span>'

    return _CARD.sub(card, escape(line))


def _needed(package: str, extra: str) -> Any:
    try:
        return import_module(package)
    except (ImportError, OSError) as error:  # weasyprint needs libraries of the system
        told = " ".join(str(error).split())[:120]
        missing = isinstance(error, ImportError)
        raise WrongCall(
            f"this format needs the package `{package}`" + ("" if missing else f": {told}"),
            f"pip install 'rulespec[{extra}]'",
        ) from None
