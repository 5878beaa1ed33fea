"""`rulespec coverage`: the clause ledger, which accounts for every clause of the printed text."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from checker.commands.output import add_command, day, emit, wrong_call

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from checker.commands.output import Subparsers
    from checker.coverage import BookCoverage, Coverage
    from checker.render.lines import Line, View
    from checker.report import Report


def register(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "coverage",
        "Account for every clause of the printed text: encoded, not checkable and why, or missing."
        "\nA clause is decided by one round of a log, by the rounds of a shoe, by a report, or by "
        "something\noutside (external).",
    )
    parser.add_argument(
        "rules",
        nargs="*",
        metavar="RULES",
        help="ids, .rules files or folders; `-` is standard input (without any: all that ship)",
    )
    parser.add_argument("--clauses", action="store_true", help="list every clause")
    parser.add_argument(
        "--mutate",
        action="store_true",
        help="lose each rule and move each number by one; list what no scenario notices (slow)",
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help="with --mutate: put proposed scenarios for it at the end of the scenario file",
    )
    parser.add_argument(
        "--full", action="store_true", help="show every related clause, and the accepted findings"
    )
    parser.add_argument(
        "--today", type=day, metavar="DATE", help="judge end dates of acceptances as on this day"
    )


def run(args: argparse.Namespace) -> int:
    if args.write and not args.mutate:
        wrong_call("coverage", "`--write` needs `--mutate`")
    if args.mutate:
        from checker.commands import coverage_mutate

        return coverage_mutate.run(args)
    from checker.coverage import coverage
    from checker.report import Report, inputs_of, texts_of
    from rulespec.base.diagnostics import ordered
    from rulespec.load.named import load_named

    books, wrong_names = load_named(args.rules, whole=True)
    covered = coverage((book.loaded for book in books), args.today or date.today())
    report = Report(
        "coverage",
        inputs_of(books),
        ordered([*wrong_names, *covered.findings]),
        covered.accepted,
        covered.summary(),
        undecided=len(covered.unlisted),
        matched=bool(books),
        texts=texts_of(books),
    )
    return emit(args, report, lambda view: _text(report, covered, view, args.clauses))


def _text(report: Report, covered: Coverage, view: View, clauses: bool) -> Iterator[Line]:
    from checker.render.lines import line, wrapped
    from checker.render.to_text import finding_lines

    if clauses:
        for book in covered.books:
            yield from _ledger(book, view)
    yield from finding_lines(report, view)
    if view.quiet:
        return
    if covered.books:
        yield from _table(covered)
        yield ()
    for sentence, style in _sentences(report, covered):
        yield from wrapped(line((sentence, style)), view.width, indent=0)


def _ledger(book: BookCoverage, view: View) -> Iterator[Line]:
    """Every clause of a rulebook, a line each."""
    from checker.render.lines import line, wrapped

    ids = min(24, max((len(row.id) for row in book.rows), default=0))
    yield line((f"{book.rulebook}: {book.title}", "strong"))
    for row in book.rows:
        reason = f" ({row.reason})" if row.reason else ""
        style = {"encoded": "good", "not checkable": "faint"}.get(row.standing, "error")
        head = f"  {row.id:<{ids}}  {row.clause_class:<8}  "
        one = line(head, (f"{row.standing:<13}", style), f"  {row.title}{reason}")
        yield from wrapped(one, view.width, indent=ids + 29)
    yield ()


def _table(covered: Coverage) -> Iterator[Line]:
    from checker.coverage import count, totals
    from checker.render.lines import line

    standings = ["encoded", "not checkable", "missing", "total"]
    if totals(covered.rows)["silent"]:
        standings.insert(2, "silent")
    groups = [(book.rulebook, book.counts, totals(book.rows)) for book in covered.books]
    if len(groups) > 1:
        groups.append(("together", count(covered.rows), totals(covered.rows)))
    names = max(len("rulebook"), *(len(name) for name, _, _ in groups))
    heading = f"{'rulebook':<{names}}  {'class':<8}" + "".join(f"  {s:>13}" for s in standings)
    yield line((heading, "strong"))
    for name, by_class, total in groups:
        rows = [(c, n) for c, n in by_class.items() if n["total"]]
        for number, (label, counts) in enumerate([*rows, ("all", total)]):
            left = f"{name if number == 0 else '':<{names}}  {label:<8}"
            cells = "".join(f"  {counts[s]:>13,}" for s in standings)
            yield line((left + cells, "strong" if label == "all" else ""))


def _sentences(report: Report, covered: Coverage) -> Iterator[tuple[str, str]]:
    """What it comes to, for somebody who reads nothing else."""
    from checker.coverage import totals
    from checker.render.to_text import clauses_are, unusable_sentence

    yield from unusable_sentence(report)
    rows, total = covered.rows, totals(covered.rows)
    listed = [row for row in rows if row.clause_class != "unlisted"]
    gone = total["missing"] + total["silent"]
    if listed and not gone:
        yield f"{clauses_are(len(listed))} accounted for.", "good"
    elif gone:
        yield f"{clauses_are(gone)} not accounted for.", "error"
    decided = [row for row in rows if row.clause_class == "log"]
    left = sum(row.standing != "encoded" for row in decided)
    if decided and not left:
        yield f"Every clause that a log of rounds can decide is encoded ({len(decided):,}).", "good"
    elif left:
        them = "it" if left == 1 else "them"
        yield f"{clauses_are(left)} not encoded although a log can decide {them}.", "error"
    for name in covered.unlisted:
        yield (
            f"Whether a clause of {name} is missing cannot be told: no clause list stands beside "
            f"its rule file.",
            "warning",
        )
    if report.accepted:
        yield f"{len(report.accepted):,} of the gaps are accepted with a written reason.", ""
