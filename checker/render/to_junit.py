"""Findings as a JUnit report: a rulebook is a suite, a finding a failed test."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence

from checker.render.lines import View
from checker.render.to_text import shown_path
from checker.report import Finding, Report

# What XML 1.0 cannot carry, even escaped.
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(report: Report, view: View) -> str:
    root = ET.Element("testsuites", name=f"rulespec {report.command}")
    suites: dict[str, list[Finding]] = {name: [] for name in report.summary.get("checked", ())}
    for finding in (*report.findings, *report.accepted):
        where = finding.rulebook or (finding.span.file if finding.span else "") or report.command
        suites.setdefault(where, []).append(finding)
    for name, findings in suites.items():
        root.append(_suite(name, findings, report.command))
    for what in ("tests", "failures", "errors", "skipped"):
        root.set(what, str(sum(int(suite.get(what, "0")) for suite in root)))
    ET.indent(root)
    body = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _suite(name: str, findings: Sequence[Finding], command: str) -> ET.Element:
    suite = ET.Element("testsuite", name=_xml(name))
    if not findings:
        ET.SubElement(suite, "testcase", classname=_xml(name), name=f"rulespec {command}")
    for finding in findings:
        suite.append(_case(name, finding))
    suite.set("tests", str(len(suite)))
    for what, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(what, str(len(suite.findall(f"testcase/{tag}"))))
    return suite


def _case(suite: str, finding: Finding) -> ET.Element:
    clause = f" clause {finding.clause}" if finding.clause else ""
    title = _xml(f"{finding.code} {finding.slug}{clause}: {finding.message}")
    case = ET.Element("testcase", classname=_xml(suite), name=title)
    where = ""
    if finding.span is not None and finding.span.file:
        file = shown_path(finding.span.file)
        case.set("file", _xml(file))
        case.set("line", str(finding.span.start_line))
        where = f"{file}:{finding.span.start_line}:{finding.span.start_column}\n"
    details = where + (f"help: {finding.help}\n" if finding.help else "")
    if finding.accepted is not None:
        ET.SubElement(case, "skipped", message=_xml(f"accepted: {finding.accepted}"))
    elif finding.severity == "note":
        ET.SubElement(case, "system-out").text = _xml(f"note: {finding.message}\n{details}")
    else:
        tag = "error" if finding.unusable else "failure"
        told = ET.SubElement(case, tag, message=_xml(finding.message), type=finding.severity)
        told.text = _xml(details)
    return case


def _xml(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
