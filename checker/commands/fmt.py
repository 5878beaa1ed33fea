"""`rulespec fmt`: the canonical layout of rule files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from checker.commands.output import add_command, emit, say, write_result, wrong_call
from rulespec.base.diagnostics import Coded, fingerprint_of, said_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from pathlib import Path

    from checker.commands.output import Subparsers
    from checker.render.lines import Line, View
    from checker.report import Report
    from rulespec.base.diagnostics import Diagnostic, Related
    from rulespec.base.spans import Span

FAULT = 70


@dataclass(frozen=True, slots=True)
class LayoutFinding(Coded):
    """A file that `rulespec fmt` would change. No flaw of the text, so `rulespec check` is silent
    about it."""

    file: str
    span: Span | None
    code: str = "R901"
    message: str = "the file is not in the canonical layout"
    rulebook: str | None = None
    clause: str | None = None
    related: tuple[Related, ...] = ()
    accepted: str | None = None

    @property
    def help(self) -> str:
        return f"`rulespec fmt {self.file}` puts it right"

    @property
    def fingerprint(self) -> str:
        return fingerprint_of((self.code, self.file))

    def as_json(self) -> dict[str, object]:
        shown = said_of(self)
        if self.span:
            shown["span"] = self.span.as_json()
        return shown


@dataclass(slots=True)
class Outcome:
    """One file: the bytes that were read, and those that it should have."""

    path: Path
    old: bytes = b""
    new: bytes | None = None
    wrong: list[Diagnostic] = field(default_factory=list)
    refused: str | None = None

    @property
    def changes(self) -> bool:
        return self.new is not None and self.new != self.old


def register(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "fmt",
        "Put rule files into the canonical layout. Comments stay where they are, and a file is "
        "only written\nif it says the same as before.",
    )
    parser.add_argument(
        "rules",
        nargs="*",
        metavar="RULES",
        help="ids, .rules or .game files, or folders (without any: all that ship); "
        "`-` lays out standard input on standard output",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; show what would change, and exit 1 if anything would",
    )


def run(args: argparse.Namespace) -> int:
    outcomes, wrong_names = format_named(args.rules, check=args.check)
    piped = outcomes[0] if args.rules == ["-"] else None
    for outcome in outcomes:
        if outcome.refused:
            say(f"rulespec fmt: {outcome.refused}")
        elif outcome.changes and outcome.new is not None and not args.check and piped is None:
            _save(outcome.path, outcome.new)
    new = piped.new if piped is not None else None
    if new is not None and not args.check and args.format == "text":
        write_result(new.decode("utf-8"), args.output, "utf-8")
        return 0
    report = make_report(outcomes, wrong_names, check=args.check)
    status = emit(args, report, lambda view: _text(report, outcomes, args.check, view))
    return FAULT if any(outcome.refused for outcome in outcomes) else status


def format_named(names: Sequence[str], *, check: bool) -> tuple[list[Outcome], list[Diagnostic]]:
    """Lay out what the names stand for; nothing is written here."""
    from pathlib import Path

    from rulespec.load.games import shipped_files
    from rulespec.load.load import find, shipped
    from rulespec.load.sources import StandardInput

    if "-" in names:
        if len(names) > 1:
            wrong_call("fmt", "`-` stands alone: its layout goes to standard output")
        return [_format(StandardInput.read())], []
    found: list[Diagnostic] = []
    paths: dict[Path, Path] = {}
    for name in names or (*shipped(), *map(str, shipped_files())):
        places, wrong = find(name)
        games = sorted(Path(name).rglob("*.game")) if Path(name).is_dir() else []
        found += wrong if not games else []
        for place in (*(place for place, _ in places), *games):
            if not check and _installed(place) and not _is_path(name):
                wrong_call(
                    "fmt",
                    f"`{place.stem}` came with the installed rulespec and is not rewritten",
                    f"look with `--check`, or name the file: {place}",
                )
            paths.setdefault(place.resolve(), place)
    return [_format(path) for path in paths.values()], found


def _format(path: Path) -> Outcome:
    from rulespec.syntax.parse import read_text
    from rulespec.syntax.printer import FormatError, format_text

    outcome = Outcome(path)
    text, outcome.wrong = read_text(path)
    if text is None:
        return outcome
    outcome.old = path.read_bytes()
    try:
        new, outcome.wrong = format_text(text, str(path))
    except FormatError as error:
        outcome.refused = str(error)
        return outcome
    outcome.new = None if new is None else new.encode("utf-8")
    return outcome


def _is_path(name: str) -> bool:
    from pathlib import Path

    return Path(name).exists() or name.endswith((".rules", ".game"))


def _installed(path: Path) -> bool:
    """Whether a file is part of an installed package, not of somebody's checkout."""
    from rulespec.base.resources import folder

    home = folder("jurisdictions").resolve()
    return home.parent.name == "_data" and path.resolve().is_relative_to(home)


def _save(path: Path, data: bytes) -> None:
    from checker.commands.writing.whole_files import replace_file

    replace_file(path, data)


def make_report(
    outcomes: Sequence[Outcome], wrong_names: list[Diagnostic], *, check: bool
) -> Report:
    from checker.report import Finding, Report, input_of

    findings: list[Finding] = [*wrong_names]
    for outcome in outcomes:
        findings += outcome.wrong
        if check and outcome.changes:
            findings.append(LayoutFinding(str(outcome.path), _first_change(outcome)))
    changed = [str(outcome.path) for outcome in outcomes if outcome.changes]
    summary: dict[str, object] = {
        "files": len(outcomes),
        "changed": len(changed),
        "written": 0 if check or "-" in changed else len(changed),
        "refused": sum(outcome.refused is not None for outcome in outcomes),
        "changed_files": changed,
    }
    piped = next((o for o in outcomes if str(o.path) == "-" and o.new is not None), None)
    if piped is not None and piped.new is not None:
        summary["text"] = piped.new.decode("utf-8")
    return Report(
        "fmt",
        [input_of(outcome.path, "rules", outcome.old or None) for outcome in outcomes],
        findings,
        summary=summary,
        matched=bool(outcomes),
        texts={str(o.path): o.old for o in outcomes if str(o.path) == "-"},
    )


def _lines(outcome: Outcome) -> tuple[list[str], list[str]]:
    """Old and new lines; what cannot be seen is named, so that every change shows."""
    old, new = (text.decode("utf-8").split("\n") for text in (outcome.old, outcome.new or b""))
    for lines in (old, new):
        if not lines[-1]:
            lines.pop()
        else:
            lines[-1] += "  (no line end)"
    shown = [text.replace("\r", "␍").replace("\ufeff", "(byte order mark)") for text in old]
    return shown, new


def _first_change(outcome: Outcome) -> Span:
    from rulespec.base.spans import Span

    old, new = _lines(outcome)
    changed = (n for n, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1])
    number = next(changed, min(len(old), len(new)) - 1)
    return Span(str(outcome.path), number + 1, 1, number + 1, len(old[number].rstrip("␍")) + 1)


# --- text


def _text(report: Report, outcomes: Sequence[Outcome], check: bool, view: View) -> Iterator[Line]:
    from dataclasses import replace

    from checker.render.lines import line
    from checker.render.to_text import count, finding_lines, shown_path

    errors = [f for f in report.findings if not isinstance(f, LayoutFinding)]
    yield from finding_lines(replace(report, findings=errors), view)
    changed = [outcome for outcome in outcomes if outcome.changes]
    for outcome in changed:
        path = shown_path(str(outcome.path))
        if check:
            yield line(("would be laid out anew: ", "warning"), path)
            if not view.quiet:
                yield from _diff(path, outcome)
        elif not view.quiet:
            yield line(("laid out anew: ", "good"), path)
    if view.quiet:
        return
    unusable = sum(bool(o.wrong) or o.refused is not None for o in outcomes)
    if unusable:
        yield line((f"{count(unusable, 'file')} left untouched.", "error"))
    fine = len(outcomes) - len(changed) - unusable
    if fine:
        they = "is laid out as it" if fine == 1 else "are laid out as they"
        yield line((f"{count(fine, 'file')} {they} should be.", "good"))


def _diff(path: str, outcome: Outcome) -> Iterator[Line]:
    from difflib import unified_diff

    from checker.render.lines import line

    styles = {"+": "good", "-": "error", "@": "faint"}
    for text in unified_diff(*_lines(outcome), path, f"{path} (laid out)", lineterm=""):
        yield line((text, styles.get(text[:1], "")))
