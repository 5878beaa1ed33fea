"""A diagnostic is data; drawing it is the business of the renderers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rulespec.base.codes import CODES, Severity
from rulespec.base.spans import Span

A_DATE = "write a day of the calendar as YYYY-MM-DD"


@dataclass(frozen=True, slots=True)
class Related:
    """Another clause that a finding is about, and its part in it."""

    clause: str
    role: str
    span: Span | None = field(default=None, compare=False)

    def as_json(self) -> dict[str, object]:
        shown: dict[str, object] = {"clause": self.clause, "role": self.role}
        if self.span:
            shown["span"] = self.span.as_json()
        return shown


class Coded:
    """What the table of codes says of a finding that has a code."""

    __slots__ = ()

    if TYPE_CHECKING:  # at run time it would be taken for the default of a field

        @property
        def code(self) -> str: ...

    @property
    def slug(self) -> str:
        return CODES[self.code].slug

    @property
    def severity(self) -> Severity:
        return CODES[self.code].severity

    @property
    def unusable(self) -> bool:
        return CODES[self.code].unusable


def said_of(finding: Any) -> dict[str, object]:
    """What the report says of every finding that points into a text."""
    return {
        "code": finding.code,
        "slug": finding.slug,
        "severity": finding.severity,
        "message": finding.message,
        "rulebook": finding.rulebook,
        "clause": finding.clause,
        "related": [r.as_json() for r in finding.related],
        "help": finding.help,
        "fingerprint": finding.fingerprint,
    }


def fingerprint_of(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode(errors="surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Diagnostic(Coded):
    code: str
    message: str
    span: Span | None = field(default=None, compare=False)
    rulebook: str | None = None
    clause: str | None = None
    related: tuple[Related, ...] = ()
    help: str | None = None
    witness: dict[str, Any] | None = None
    accepted: str | None = None
    about: tuple[str, ...] = ()
    """What an acceptance has to name beside the clause: states, stakes, decks, references."""
    settled: bool = True
    """No reading leaves it open."""

    @property
    def fingerprint(self) -> str:
        """Stable when the file is laid out anew: places do not count, what is said does."""
        parts = [self.code, self.rulebook or "", self.clause or "", self.message]
        parts += [f"{r.clause}|{r.role}" for r in self.related]
        return fingerprint_of(parts)

    def as_json(self) -> dict[str, object]:
        shown = said_of(self)
        if self.span:
            shown["span"] = self.span.as_json()
        if self.witness is not None:
            shown["witness"] = self.witness
        if self.about:
            shown["about"] = list(self.about)
            shown["settled"] = self.settled
        if self.accepted is not None:
            shown["accepted"] = self.accepted
        return shown


def ordered(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """By file and place, then code: the same order on every machine."""
    nowhere = Span("", 0, 0, 0, 0)
    return sorted(diagnostics, key=lambda d: (d.span or nowhere, d.code, d.clause or "", d.message))
