"""The templates, and the few words that they may use."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from checker.workbench.query import query
from rulespec.base.money import in_currency, money_text
from rulespec.base.version import __version__


class Templates:
    """Everything is escaped; what is HTML already says so by its type."""

    def __init__(self, link: Callable[..., str], *, live: bool, static: str = "/static/") -> None:
        self.environment = Environment(
            loader=PackageLoader("checker.workbench"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.environment.filters |= {
            "money": amount_text,
            "units": units_text,
            "svg": Markup,  # our own drawings, which escape what they show
            "size": size_text,
            "when": when_text,
            "query": query,
        }
        self.environment.globals |= {
            "link": link,
            "live": live,
            "static": static,
            "version": __version__,
        }

    def render(self, name: str, data: dict[str, Any]) -> str:
        return str(self.environment.get_template(name).render(data))


def amount_text(cents: int, sign: str | None = None) -> str:
    """Minor units; with the sign of the page unless another one is given."""
    if sign is None:
        return money_text(cents)
    with in_currency(sign):
        return money_text(cents)


def units_text(amount: int | Decimal | None) -> str:
    """Currency units as a finding has them."""
    return "" if amount is None else money_text(int(Decimal(amount).scaleb(2)))


def size_text(size: int) -> str:
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size = size // 1000
    return f"{size:,} GB"


def when_text(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
