"""Findings as SARIF 2.1.0, which code hosts and editors show beside the rule files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

from checker.render.lines import View
from checker.report import Finding, Report
from rulespec.base.codes import CODES, Code
from rulespec.base.resources import folder
from rulespec.base.spans import Span
from rulespec.base.version import __version__

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def to_sarif(report: Report, view: View) -> str:
    findings = [*report.findings, *report.accepted]
    if view.quiet:
        findings = [f for f in report.findings if f.severity != "note"]
    codes = sorted({finding.code for finding in findings})
    run = {
        "tool": {
            "driver": {
                "name": "rulespec",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [_rule(CODES[code]) for code in codes],
            }
        },
        "invocations": [
            {
                "executionSuccessful": report.exit_status != 2,
                "exitCode": report.exit_status,
            }
        ],
        "artifacts": [_artifact(i.path, i.sha256) for i in report.inputs],
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, codes) for finding in findings],
    }
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _rule(code: Code) -> dict[str, Any]:
    rule = {
        "id": code.code,
        "name": "".join(word.capitalize() for word in code.slug.split("-")),
        "shortDescription": {"text": code.title},
        "fullDescription": {"text": f"{code.title}."},
        "help": _help(code),
        "defaultConfiguration": {"level": code.severity},
        "properties": {"tags": ["rules", "unusable" if code.unusable else "text"]},
    }
    return rule


def _help(code: Code) -> dict[str, str]:
    brief = f"{code.title}. `rulespec docs {code.code}` says more."
    try:
        page = (folder("diagnostics") / f"{code.code}.md").read_text(encoding="utf-8")
    except OSError:
        return {"text": brief}
    return {"text": brief, "markdown": page}


def _artifact(path: str, sha256: str | None) -> dict[str, Any]:
    artifact: dict[str, Any] = {"location": _location_of(path)}
    if sha256 is not None:
        artifact["hashes"] = {"sha-256": sha256}
    return artifact


def _location_of(path: str) -> dict[str, str]:
    """Below the current folder a relative address, which a code host can follow; else a file."""
    whole = Path(os.path.abspath(path))
    here = Path.cwd()
    if whole.is_relative_to(here):
        return {"uri": quote(os.fsencode(whole.relative_to(here).as_posix()))}
    return {"uri": whole.as_uri()}


def _result(finding: Finding, codes: list[str]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": finding.severity,
        "message": {"text": _message(finding)},
        "locations": _locations(finding),
        "partialFingerprints": {"rulespec/v1": finding.fingerprint},
        "suppressions": [],
    }
    related = [
        {
            "id": number,
            "message": {"text": f"clause {other.clause}: {other.role}"},
            "physicalLocation": _physical(other.span),
        }
        for number, other in enumerate(finding.related)
        if other.span is not None and other.span.file
    ]
    if related:
        result["relatedLocations"] = related
    if finding.accepted is not None:
        suppression = {"kind": "inSource", "status": "accepted", "justification": finding.accepted}
        result["suppressions"] = [suppression]
    return result


def _message(finding: Finding) -> str:
    help = f" ({finding.help})" if finding.help else ""
    clause = f"clause {finding.clause}: " if finding.clause else ""
    return f"{clause}{finding.message}{help}"


def _locations(finding: Finding) -> list[dict[str, Any]]:
    location: dict[str, Any] = {}
    if finding.span is not None and finding.span.file:
        location["physicalLocation"] = _physical(finding.span)
    if finding.clause:
        full = f"{finding.rulebook}/{finding.clause}" if finding.rulebook else finding.clause
        location["logicalLocations"] = [
            {"name": finding.clause, "fullyQualifiedName": full, "kind": "clause"}
        ]
    return [location] if location else []


def _physical(span: Span) -> dict[str, Any]:
    region = {
        "startLine": span.start_line,
        "startColumn": span.start_column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
    return {"artifactLocation": _location_of(span.file), "region": region}
