"""How a replay is written out: as it goes for jsonl and csv, summary first for text and json."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, Any

from checker.commands.nothing_found import say_why_nothing
from checker.commands.output import emit, jobs_of, say
from checker.commands.provenance import FILTERS, asked_for, options_record, rulebooks_used
from checker.commands.replay import SHOWN, log_inputs
from checker.commands.whole_files import WholeFile, Writer
from checker.evaluate.engine import money_text
from checker.judge.findings import ReplayFinding
from checker.log.exact_json import dumps
from checker.log.read import LogError, Quarantined
from checker.render.lines import Line, View, line, visible, wrapped
from checker.render.to_text import count, place_in_text
from checker.replay.order import in_time_order
from checker.replay.replay import Filter, Judged, Library, Summary, replay, strangers
from checker.report import FINDINGS, UNDECIDED, UNUSABLE, Input, Report

if TYPE_CHECKING:
    import argparse

_MEAN = 1500  # bytes of a round, roughly
_WORTH_IT = 200_000  # bytes of log, compressed or not
CSV_COLUMNS = (
    "line", "round", "table", "rulebook", "clause", "code", "kind", "box", "hand", "player", "bet",
    "expected", "actual", "difference", "message", "log", "at", "fingerprint",
)  # fmt: skip




class Sink:
    """Runs a replay and writes what it finds."""

    def __init__(
        self, args: argparse.Namespace, library: Library, fail_on: list[str],
        rules: Sequence[Input],
    ) -> None:  # fmt: skip
        self.args = args
        self.library = library
        self.rules = rules
        self.fail_on = set(fail_on)
        self.summary = Summary()
        self.failed = False
        self.kept: list[ReplayFinding] = []
        self.bad_lines: list[Quarantined] = []
        self.tick: Callable[[], None] = lambda: None
        self.limit = args.limit
        if self.limit is None and args.format == "text" and not args.full:
            self.limit = SHOWN

    def run(self) -> int:
        args = self.args
        wanted = Filter(args.table, args.start, args.end, args.clause)
        started = time.monotonic()
        try:
            with ExitStack() as files:
                aside = None
                if args.quarantine is not None:
                    aside = files.enter_context(WholeFile(args.quarantine))
                self.summary.engine = args.engine
                told = strangers(self.library, wanted, self.summary)
                results = self._progress(chain(self._results(wanted), told))
                first = next(results, None)  # what cannot be opened is told before writing
                rest = results if first is None else chain([first], results)
                status = self._write(rest, aside)
                if aside is not None:
                    aside.keep()
        except LogError as error:
            say(f"rulespec replay: {error}\nhelp: {error.help}")
            return UNUSABLE
        if not self.summary.rounds:
            options = ("--table", args.table), ("--from", args.start), ("--to", args.end)
            asked = [option for option, value in options if value is not None]
            say_why_nothing("replay", args.logs, self.summary.quarantined, asked)
        elif not args.quiet:
            seconds = max(time.monotonic() - started, 1e-9)
            rate = f"{self.summary.rounds / seconds:,.0f} a second, engine {args.engine}"
            say(f"{self.summary.rounds:,} rounds in {seconds:.1f} s ({rate})")
            filtered = self._filtered()
            if filtered is not None and args.format != "text":
                say(f"FILTERED: {filtered}")
        return status

    def _results(self, wanted: Filter) -> Iterator[Judged | Quarantined]:
        args = self.args
        logs = in_time_order(args.logs)
        if args.engine == "columns":
            from checker.columns.run import replay_columns

            return replay_columns(
                logs, self.library, wanted, self.summary, _jobs(args), lambda: self.tick()
            )
        if args.engine == "spark":
            from checker.spark.driver import replay_spark

            return replay_spark(
                logs, self.library, wanted, self.summary, args.master or "local[*]",
                args.results,
            )
        return replay(logs, self.library, wanted, self.summary, _jobs(args))

    def _write(self, results: Iterator[Judged | Quarantined], quarantine: WholeFile | None) -> int:
        match self.args.format:
            case "jsonl":
                self._stream(results, quarantine, lambda f: dumps(f.as_json()) + "\n",
                             tail=lambda: options_record(self.args, self.summary))  # fmt: skip
                return self.status
            case "csv":
                self._stream(results, quarantine, _csv_row, ",".join(CSV_COLUMNS) + "\n")
                return self.status
            case "json":
                return self._json(results, quarantine)
            case _:
                for _ in self._each(results, quarantine, keep=True):
                    pass
                report = Report("replay", [], [])
                emit(self.args, report, self._text)
                return self.status

    def _each(
        self, results: Iterator[Judged | Quarantined], quarantine: WholeFile | None,
        keep: bool = False,
    ) -> Iterator[ReplayFinding]:  # fmt: skip
        shown = 0
        for result in results:
            if isinstance(result, Quarantined):
                if quarantine is not None and result.raw:
                    quarantine.write(result.raw if result.raw.endswith(b"\n")
                                     else result.raw + b"\n")  # fmt: skip
                if len(self.bad_lines) < 20:
                    self.bad_lines.append(result)
                continue
            for finding in result.shown:
                finding = replace(finding, log=result.log, at=result.round.at.isoformat())
                self.failed |= finding.kind in self.fail_on
                if self.limit is not None and shown >= self.limit:
                    continue
                shown += 1
                if keep:
                    self.kept.append(finding)
                yield finding

    def _progress(self, results: Iterator[Any]) -> Iterator[Any]:
        if self.args.quiet or sys.stderr is None or not sys.stderr.isatty():
            yield from results
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        total = _total_size(self.args.logs)
        columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(self._first_step(), total=total)
            begun: list[tuple[int, float]] = []  # when the first rounds were done

            def tick() -> None:
                rounds, now = self.summary.rounds, time.monotonic()
                told = f"{rounds:,} rounds"
                if not begun:
                    begun.append((rounds, now))
                elif now > begun[0][1]:
                    rate = (rounds - begun[0][0]) / (now - begun[0][1])
                    told += f", {rate:,.0f} a second"
                bar.update(task, completed=rounds * _MEAN if total else None, description=told)

            self.tick = tick
            for number, result in enumerate(results, 1):
                if number % 200 == 0:
                    tick()
                yield result

    def _first_step(self) -> str:
        if self.args.engine == "columns":
            from checker.columns.machine.code_folder import is_kept

            if not is_kept():
                return "making machine code, which the next runs will use too"
        return "replaying"

    def _stream(self, results: Iterator[Any], quarantine: WholeFile | None, shape: Any,
                head: str = "", tail: Callable[[], str] = str) -> None:  # fmt: skip
        out = Writer(self.args.output)
        out.write(head)
        for finding in self._each(results, quarantine):
            out.write(shape(finding))
        out.write(tail())
        out.close()

    def _json(self, results: Iterator[Any], quarantine: WholeFile | None) -> int:
        """The envelope, with the findings spooled so that memory stays flat."""
        with SpooledTemporaryFile(32 << 20, "w+", encoding="utf-8") as spool:
            first = True
            for finding in self._each(results, quarantine):
                spool.write(("" if first else ",\n") + dumps(finding.as_json()))
                first = False
            spool.seek(0)
            summary = self.summary.as_json()
            summary["quarantined_lines"] = [
                {"line": b.line, "reason": b.reason} for b in self.bad_lines
            ]
            inputs = [*self.rules, *log_inputs(self.args.logs)]
            options = asked_for(self.args)
            books = rulebooks_used(self.library.books(), self.rules, self.summary)
            document = Report(
                "replay", inputs, [], (), summary, options=options, rulebooks=books
            ).as_json()
            head, tail = dumps(document).split('"findings": []', 1)
            out = Writer(self.args.output)
            out.write(head + '"findings": [')
            while chunk := spool.read(1 << 20):
                out.write(chunk)
            out.write("]" + tail + "\n")
            out.close()
        return self.status

    @property
    def status(self) -> int:
        summary = self.summary
        if summary.rounds == 0:
            return UNUSABLE
        if self.failed:
            return FINDINGS
        money = any(part in ("bet", "play") for part, _ in +summary.unknown)
        left = summary.undecided or summary.quarantined or summary.misplaced or money
        return UNDECIDED if left else 0

    # --- text

    def _filtered(self) -> str | None:
        """What narrows the result, and what that leaves out."""
        asked = asked_for(self.args)
        named = [f"{name} {asked[name]}" for name in FILTERS if asked[name] is not None]
        if not named:
            return None
        told = [", ".join(named)]
        if len(named) > (asked["clause"] is not None):
            told.append("rounds outside the filter are not judged")
        if asked["clause"] is not None:
            told.append(f"{count(self.summary.outside, 'finding')} outside the filter")
        return "; ".join(told)

    def _text(self, view: View) -> Iterator[Line]:
        filtered = self._filtered()
        if filtered is not None:
            yield from wrapped(line(("FILTERED", "warning"), f": {filtered}"), view.width)
        if self.args.without_reading:
            yield line(f"Judged without reading {', '.join(self.args.without_reading)}.")
        if not view.quiet:
            yield from self._summary(view)
        for finding in self.kept:
            several = len(self.args.logs) > 1
            shown = finding if several else replace(finding, log=None)
            yield from finding_paragraph(shown, view)
        total = self.summary.findings + self.summary.undecided
        if len(self.kept) < total:
            yield line(f"{total - len(self.kept):,} more are not shown (--full, --limit, or "
                       "--format csv for all).")  # fmt: skip

    def _summary(self, view: View) -> Iterator[Line]:
        s = self.summary
        books = ", ".join(f"{b} ({n:,})" for b, n in sorted(s.rulebooks.items()))
        head = f"{count(s.rounds, 'round')} with {count(s.wagers, 'wager')} replayed"
        yield line((head, "strong"), f" under {books}." if books else ".")
        if s.findings:
            kinds = ", ".join(f"{n:,} {k}" for k, n in s.by_kind.items() if k != "undecided")
            yield line((count(s.findings, "finding"), "error"), f": {kinds}")
        elif s.rounds:
            within = " within the filter" if self._filtered() is not None else ""
            yield line((f"No finding{within}.", "good"))
        if s.overpaid or s.underpaid:
            yield line(f"  overpaid {money_text(s.overpaid)}, underpaid {money_text(s.underpaid)}")
        for (book, clause), n in s.by_clause.most_common(None if view.full else 12):
            yield line(f"  {n:>7,}  {book} clause {clause}")
        if len(s.by_clause) > 12 and not view.full:
            yield line(f"           and {len(s.by_clause) - 12} more clauses (--full)")
        if len(s.by_table) > 1:
            worst = ", ".join(f"{t} ({n:,})" for t, n in s.by_table.most_common(8))
            yield line(f"  by table: {worst}")
        if s.undecided:
            yield line(
                (f"{s.undecided:,} undecided", "warning"),
                ": the text or the log leaves it open; nothing is passed off as right.",
            )
        yield from self._left_out(view)
        if s.reports:
            yield line((f"{count(len(s.reports), 'wrong settlement')} to be reported", "warning"))
            for report in s.reports[: None if view.full else 10]:
                yield line(f"  {report['month']} round {report['round']}, {report['player']}: "
                           f"{money_text(report['difference'])} "
                           f"(clause {report['clause']})")  # fmt: skip
        yield ()

    def _left_out(self, view: View) -> Iterator[Line]:
        s = self.summary
        if s.copies:
            yield line(f"{count(s.copies, 'round')} stood in the logs before, word for word: "
                       "judged once.")  # fmt: skip
            for one in s.copied[: None if view.full else 5]:
                first = one["first"]
                here, before = (f"line {x['line']} of {x['log']}" for x in (one, first))
                told = f"  round {one['round']}, table {one['table']}: {here}, first at {before}"
                yield from wrapped(line(told), view.width)
        if s.quarantined:
            yield line((f"{count(s.quarantined, 'line')} quarantined", "warning"),
                       ": not a valid round, and not judged.")  # fmt: skip
            for bad in self.bad_lines[: None if view.full else 5]:
                yield from wrapped(line(f"  line {bad.line}: {bad.reason}"), view.width)
        if s.misplaced:
            yield line((f"{count(s.misplaced, 'round')} out of order", "warning"),
                       ": earlier than the one before at the same table. What a shoe tells from "
                       "round to round is not checked across such a place.")  # fmt: skip
            for one in s.out_of_order[: None if view.full else 5]:
                here, before = (f"line {x['line']} of {x['log']}" for x in (one, one["after"]))
                yield from wrapped(line(f"  table {one['table']}: {here} is earlier than {before}"),
                                   view.width)  # fmt: skip
        for one in s.not_known()[: None if view.full else 5]:
            told = f"{one['part']} `{one['name']}` in {count(one['rounds'], 'round')}"
            yield from wrapped(line(("Not checked", "warning"), f": {told}: it is not known here; "
                                    "the rest of the round is judged."), view.width)  # fmt: skip
        if len(s.unknown) > 5 and not view.full:
            yield line(f"  and {len(s.unknown) - 5} more that are not known (--full)")
        if s.cut_off:
            yield line(("The log is cut off.", "error"))
        for one in s.untold()[: None if view.full else 5]:
            told = f"{one['rulebook']} {one['clause']} in {count(one['rounds'], 'round')}"
            yield from wrapped(line(("Not checked", "warning"), f": {told}: {one['reason']}."),
                               view.width)  # fmt: skip
        untested = s.untested()
        if untested:
            yield line(f"{count(len(untested), 'clause')} could not be tested by this log:")
            for one in untested[: None if view.full else 5]:
                yield from wrapped(
                    line(f"  {one['rulebook']} {one['clause']}: {one['reason']}"), view.width
                )
            if len(untested) > 5 and not view.full:
                yield line(f"  and {len(untested) - 5} more (--full)")


def finding_paragraph(finding: ReplayFinding, view: View) -> Iterator[Line]:
    style = "warning" if finding.kind == "undecided" else "error"
    where = f"round {finding.round}, table {finding.table}, line {finding.line}"
    where += f" of {finding.log}" if finding.log else ""
    yield from wrapped(
        line((finding.kind, style), " ", (finding.code, style), place_in_text(finding), ": ",
             (finding.message, "strong")), view.width,
    )  # fmt: skip
    yield line(("  at ", "faint"), where)
    if finding.readings:
        yield line(("  rests on reading: ", "faint"), ", ".join(finding.readings))
    if finding.help:
        yield from wrapped(line(("  help: ", "help"), finding.help), view.width)
    if finding.others:
        shown = finding.others if view.full else finding.others[:4]
        text = "; ".join(f"{clause} ({role})" for clause, role in shown)
        yield from wrapped(line(("  related: ", "faint"), text), view.width)
    yield ()


def _csv_row(finding: ReplayFinding) -> str:
    import csv
    import io

    shown = finding.as_json()
    out = io.StringIO()
    cells = [shown.get(column) for column in CSV_COLUMNS]
    row = [visible(cell) if isinstance(cell, str) else cell for cell in cells]
    # A cell that starts like a formula would be run by a spreadsheet.
    safe = [f"'{c}" if isinstance(c, str) and c.lstrip()[:1] in tuple("=+-@") else c for c in row]
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC).writerow(safe)
    return out.getvalue()


def _jobs(args: argparse.Namespace) -> int:
    """All cores for a log that is worth it; for a short one starting them costs more."""
    total = sum(os.path.getsize(log) for log in args.logs if os.path.isfile(log))
    return jobs_of(args, total > _WORTH_IT)


def _total_size(logs: list[str]) -> float | None:

    try:
        plain = [Path(log) for log in logs if log.endswith((".jsonl", ".json"))]
        return float(sum(p.stat().st_size for p in plain)) if len(plain) == len(logs) else None
    except OSError:
        return None
