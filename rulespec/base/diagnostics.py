"""A diagnostic is data; drawing it is the business of the renderers."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

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


@dataclass(frozen=True, slots=True)
class Diagnostic:
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
    def slug(self) -> str:
        return CODES[self.code].slug

    @property
    def severity(self) -> Severity:
        return CODES[self.code].severity

    @property
    def unusable(self) -> bool:
        return CODES[self.code].unusable

    @property
    def fingerprint(self) -> str:
        """Stable when the file is laid out anew: places do not count, what is said does."""
        parts = [self.code, self.rulebook or "", self.clause or "", self.message]
        parts += [f"{r.clause}|{r.role}" for r in self.related]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def as_json(self) -> dict[str, object]:
        shown: dict[str, object] = {
            "code": self.code,
            "slug": self.slug,
            "severity": self.severity,
            "message": self.message,
            "rulebook": self.rulebook,
            "clause": self.clause,
            "related": [r.as_json() for r in self.related],
            "help": self.help,
            "fingerprint": self.fingerprint,
        }
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
