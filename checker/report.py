"""The result document: every view of a result, whatever the format, reads this one thing."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from rulespec.base.codes import Severity
from rulespec.base.diagnostics import Diagnostic, Related
from rulespec.base.errors import RulesError, WrongCall
from rulespec.base.regular_files import size_of
from rulespec.base.spans import Span
from rulespec.base.version import __version__

if TYPE_CHECKING:
    import pandas
    import pyarrow

    from rulespec.load.named import Book  # with the parser, which `rulespec docs` does without

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
    kind: Literal["rules", "log", "profile", "export"]
    sha256: str | None

    more: Mapping[str, Any] = field(default_factory=dict)  # what else is told of a log

    def as_json(self) -> dict[str, object]:
        return {"path": self.path, "sha256": self.sha256, "kind": self.kind, **self.more}


def input_of(
    path: Path, kind: Literal["rules", "log", "profile", "export"], data: bytes | None = None
) -> Input:
    """A file with the hash of its raw bytes; `data` when they are at hand (standard input)."""
    if data is not None:
        return Input(str(path), kind, hashlib.sha256(data).hexdigest())
    try:
        if not size_of(path):
            return Input(str(path), kind, hashlib.sha256().hexdigest())
        with path.open("rb") as file:
            return Input(str(path), kind, hashlib.file_digest(file, "sha256").hexdigest())
    except OSError:
        return Input(str(path), kind, None)


def inputs_of(books: Sequence[Book]) -> list[Input]:
    """Every rule file that went in, each once."""
    files = {str(f): f for book in books for f in book.loaded.files}
    texts = texts_of(books)
    return [input_of(f, "rules", texts.get(name)) for name, f in files.items()]


def texts_of(books: Sequence[Book]) -> dict[str, bytes]:
    """The texts that are in no file on the disk, for the report that shows lines of them."""
    return {name: text for book in books for name, text in book.texts.items()}


def log_inputs(logs: Iterable[str]) -> Iterator[Input]:
    for log in logs:
        if log == "-" or os.path.isdir(log):
            yield Input(log, "log", None)
        else:
            yield input_of(Path(log), "log")


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
    status: int | None = None  # of a result whose findings alone do not tell it
    filtered: str | None = None  # what narrows the result, and what that leaves out
    code: str | None = None  # the hash of the code that made it
    config: Mapping[str, str] | None = None  # the saved job that asked for it: path and hash

    @property
    def exit_status(self) -> int:
        """0 clean, 1 findings, 2 an input cannot be used or nothing matched, 3 undecided."""
        if self.status is not None:
            return self.status
        return exit_status(self.findings, undecided=self.undecided, matched=self.matched)

    def as_json(self) -> dict[str, object]:
        """The envelope of the contract."""
        more: dict[str, object] = {}
        first = {} if self.filtered is None else {"filtered": self.filtered}
        tool = {"name": "rulespec", "version": __version__}
        if self.code is not None:
            tool["sha256"] = self.code
        if self.options is not None:
            more["options"] = dict(self.options)
        if self.rulebooks is not None:
            more["rulebooks"] = list(self.rulebooks)
        if self.config is not None:
            more["config"] = dict(self.config)
        return {
            **first,
            "schema": SCHEMA,
            "command": self.command,
            "tool": tool,
            **more,
            "inputs": [i.as_json() for i in self.inputs],
            "findings": [f.as_json() for f in self.findings],
            "accepted": [f.as_json() for f in self.accepted],
            "summary": dict(self.summary),
        }

    def to_arrow(self) -> pyarrow.Table:
        """The findings as a table, a row each. The columns are the same for every command; money
        is exact, and what has no column of its own stands in `details` as JSON."""
        pa = _needed("pyarrow", "parquet")
        kinds = {
            "text": pa.string(),
            "number": pa.int64(),
            "money": pa.decimal128(38, 2),
            "texts": pa.list_(pa.string()),
        }
        schema = pa.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()])
        return pa.Table.from_pylist([_row(f.as_json()) for f in self.findings], schema=schema)

    def to_pandas(self) -> pandas.DataFrame:
        """The same for pandas: numbers that are absent stay so, and money stays exact."""
        pd, table = _needed("pandas", "spark"), self.to_arrow()
        numbers = {table.schema.field("line").type: pd.Int64Dtype()}
        return table.to_pandas(types_mapper=numbers.get)


class UnusableRules(RulesError):
    """The same, with the result document that a command shows of it."""

    def __init__(self, report: Report) -> None:
        super().__init__(d for d in report.findings if isinstance(d, Diagnostic))
        self.report = report


COLUMNS: Mapping[str, Literal["text", "number", "money", "texts"]] = {
    "code": "text",
    "slug": "text",
    "severity": "text",
    "kind": "text",
    "message": "text",
    "rulebook": "text",
    "clause": "text",
    "related": "texts",
    "readings": "texts",
    "help": "text",
    "file": "text",
    "start_line": "number",
    "start_column": "number",
    "end_line": "number",
    "end_column": "number",
    "log": "text",
    "line": "number",
    "round": "text",
    "table": "text",
    "at": "text",
    "event": "number",
    "box": "number",
    "hand": "number",
    "player": "text",
    "bet": "text",
    "expected": "money",
    "actual": "money",
    "difference": "money",
    "fingerprint": "text",
    "details": "text",
}
"""The columns of `to_arrow`."""


def _row(shown: dict[str, Any]) -> dict[str, Any]:
    """A finding as JSON has it, laid flat."""
    span = shown.pop("span", None)
    if span is not None:
        shown["file"] = span["file"]
        for end in ("start", "end"):
            shown |= {f"{end}_{what}": number for what, number in span[end].items()}
    shown["related"] = [f"{one['clause']} ({one['role']})" for one in shown["related"]]
    details = {name: shown.pop(name) for name in list(shown) if name not in COLUMNS}
    for name in ("expected", "actual", "difference"):
        if name in shown:
            shown[name] = Decimal(shown[name])
    if details:
        shown["details"] = json.dumps(details, ensure_ascii=False, default=str)
    return shown


def _needed(package: str, extra: str) -> Any:
    """An optional package, imported when it is asked for."""
    try:
        return import_module(package)
    except ImportError:
        raise WrongCall(
            f"a table of findings needs the package `{package}`", f"pip install 'rulespec[{extra}]'"
        ) from None


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
