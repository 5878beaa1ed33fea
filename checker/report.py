"""The result document: every view of a result, whatever the format, reads this one thing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from rulespec import __version__
from rulespec.base.codes import Severity
from rulespec.base.diagnostics import Related
from rulespec.base.spans import Span

SCHEMA = "rulespec-report/1"

CLEAN, FINDINGS, UNUSABLE, UNDECIDED = 0, 1, 2, 3


class Finding(Protocol):
    """What a renderer may ask of a finding. `rulespec.base.diagnostics.Diagnostic` is one; a
    command with findings of another shape (with money, rounds, tables) brings its own class."""

    @property
    def code(self) -> str: ...
    @property
    def slug(self) -> str: ...
    @property
    def severity(self) -> Severity: ...
    @property
    def message(self) -> str: ...
    @property
    def span(self) -> Span | None: ...
    @property
    def rulebook(self) -> str | None: ...
    @property
    def clause(self) -> str | None: ...
    @property
    def related(self) -> tuple[Related, ...]: ...
    @property
    def help(self) -> str | None: ...
    @property
    def accepted(self) -> str | None: ...
    @property
    def unusable(self) -> bool: ...
    @property
    def fingerprint(self) -> str: ...
    def as_json(self) -> dict[str, object]: ...


@dataclass(frozen=True, slots=True)
class Input:
    """A file that went in. It has no hash when it could not be read."""

    path: str
    kind: Literal["rules", "log"]
    sha256: str | None

    def as_json(self) -> dict[str, object]:
        return {"path": self.path, "sha256": self.sha256, "kind": self.kind}


def input_of(path: Path, kind: Literal["rules", "log"], data: bytes | None = None) -> Input:
    """A file with the hash of its raw bytes; `data` when they are at hand (standard input)."""
    if data is not None:
        return Input(str(path), kind, hashlib.sha256(data).hexdigest())
    if not path.is_file():  # a pipe would be waited for
        return Input(str(path), kind, None)
    try:
        with path.open("rb") as file:
            return Input(str(path), kind, hashlib.file_digest(file, "sha256").hexdigest())
    except OSError:
        return Input(str(path), kind, None)


@dataclass(frozen=True, slots=True)
class Report:
    command: str
    inputs: Sequence[Input]
    findings: Sequence[Finding]
    accepted: Sequence[Finding] = ()
    summary: Mapping[str, Any] = field(default_factory=dict)
    undecided: int = 0  # questions that were asked and could not be decided
    matched: bool = True  # False: the call was right, but it was about nothing
    texts: Mapping[str, bytes] = field(default_factory=dict)  # inputs that are no file on the disk
    options: Mapping[str, Any] | None = None  # what was asked for that can change the result
    rulebooks: Sequence[Mapping[str, Any]] | None = None  # those that judged a round

    @property
    def exit_status(self) -> int:
        return exit_status(self.findings, undecided=self.undecided, matched=self.matched)

    def as_json(self) -> dict[str, object]:
        """The envelope of the contract."""
        more: dict[str, object] = {}
        if self.options is not None:
            more["options"] = dict(self.options)
        if self.rulebooks is not None:
            more["rulebooks"] = list(self.rulebooks)
        return {
            "schema": SCHEMA,
            "command": self.command,
            "tool": {"name": "rulespec", "version": __version__},
            **more,
            "inputs": [i.as_json() for i in self.inputs],
            "findings": [f.as_json() for f in self.findings],
            "accepted": [f.as_json() for f in self.accepted],
            "summary": dict(self.summary),
        }


def exit_status(findings: Iterable[Finding], *, undecided: int = 0, matched: bool = True) -> int:
    """The exit status of every command and every format.

    2 when an input could not be used (a finding R0xx or R1xx) or nothing matched; else 1 when there
    is an open finding of severity error or warning; else 3 when something stayed undecided; else 0.
    A note never makes 1: it tells of something that the text leaves to others (a term that is not
    used, a document that is not at hand), which is no fault of the text. Findings that the rule
    file accepts with a reason are not handed in here at all.
    """
    found = list(findings)
    if not matched or any(f.unusable for f in found):
        return UNUSABLE
    if any(f.severity != "note" for f in found):
        return FINDINGS
    return UNDECIDED if undecided else CLEAN


def count_by(findings: Iterable[Finding], what: Literal["code", "severity"]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for finding in findings:
        key = str(getattr(finding, what))
        counts[key] = counts.get(key, 0) + 1
    return dict(sorted(counts.items()))


def severity_counts(findings: Iterable[Finding]) -> dict[str, int]:
    """How many errors, warnings and notes; always all three, so that a reader need not guess."""
    counts = count_by(findings, "severity")
    return {f"{name}s": counts.get(name, 0) for name in ("error", "warning", "note")}
