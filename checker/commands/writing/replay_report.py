"""How a replay is written out: as it goes for jsonl and csv, summary first for text and json."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from checker.commands.output import emit, jobs_of, say
from checker.commands.writing.nothing_found import say_why_nothing
from checker.commands.writing.replay_files import (
    CSV_COLUMNS,
    Also,
    add_to_list,
    csv_line,
    csv_row,
    spool,
)
from checker.commands.writing.whole_files import WholeFile, Writer
from checker.evidence.canonical import Seal
from checker.evidence.signature import private_key, sign
from checker.judge.findings import ReplayFinding
from checker.log.exact_json import dumps
from checker.log.read import LogError, Quarantined
from checker.render.lines import Line, View, line, wrapped
from checker.render.to_text import count, place_in_text
from checker.replay.provenance import (
    first_lines,
    narrowed,
    options_record,
    readings_left_out,
)
from checker.replay.replay import Judged
from checker.report import UNUSABLE, Report
from rulespec.base.money import common_sign, in_currency, money_text

if TYPE_CHECKING:
    import argparse

    from checker.replay_logs import Replay

SHOWN = 50  # findings in text, unless told
_MEAN = 1500  # bytes of a round, roughly


class Sink:
    """Runs a replay and writes what it finds."""

    def __init__(
        self,
        args: argparse.Namespace,
        replay: Replay,
        pages: Callable[[Path, list[str], Path], None],
    ) -> None:
        """`pages` makes a page of a saved report and its logs."""
        self.args = args
        self.replay = replay
        self.summary = replay.summary
        self.key = None if args.sign is None else private_key(args.sign)
        if args.format != "json" and args.store is None and not args.also:
            self.summary.digests = None  # nobody would see them
        self.also = [Also(path) for path in args.also]
        self._pages = pages
        self.kept: list[ReplayFinding] = []
        self.most = None if args.full or args.limit is not None else SHOWN  # in text
        self.tick: Callable[[], None] = lambda: None

    def run(self) -> int:
        args, replay = self.args, self.replay
        if args.jobs is not None and replay.engine != "spark":
            jobs_of(args, True)  # says when fewer are used
        started = time.monotonic()
        try:
            with ExitStack() as files:
                aside = None
                if args.quarantine is not None:
                    aside = files.enter_context(WholeFile(args.quarantine))
                results = self._progress(replay.judged(lambda: self.tick()))
                first = next(results, None)  # what cannot be opened is told before writing
                rest = results if first is None else chain([first], results)
                for one in self.also:
                    files.enter_context(one.spool)
                self._write(rest, aside)
                for one in sorted(self.also, key=lambda one: one.is_page):
                    one.finish(self)
                if aside is not None:
                    aside.keep()
        except LogError as error:
            say(f"rulespec replay: {error}\nhelp: {error.help}")
            return UNUSABLE
        if not self.summary.rounds:
            options = ("--table", args.table), ("--from", args.start), ("--to", args.end)
            asked = [option for option, value in options if value is not None]
            say_why_nothing("replay", replay.logs, self.summary.quarantined, asked)
        elif not args.quiet:
            seconds = max(time.monotonic() - started, 1e-9)
            rate = f"{self.summary.rounds / seconds:,.0f} a second, engine {replay.engine}"
            if replay.engine == "columns" and self.summary.one_by_one:
                rate += f", {self.summary.one_by_one:,} of them one by one"
            say(f"{self.summary.rounds:,} rounds in {seconds:.1f} s ({rate})")
        return replay.status

    def _write(self, results: Iterator[Judged | Quarantined], quarantine: WholeFile | None) -> None:
        match self.args.format:
            case "jsonl":
                self._stream(results, quarantine, lambda f: dumps(f.as_json()) + "\n", self.record)
            case "csv":
                self._stream(
                    results, quarantine, csv_row, self.csv_head, ",".join(CSV_COLUMNS) + "\n"
                )
            case "json":
                self._json(results, quarantine)
            case _:
                for finding in self._each(results, quarantine):
                    if self.most is None or len(self.kept) < self.most:
                        self.kept.append(finding)
                used = (b for b in self.replay.library.books() if self.summary.rulebooks[b.id])
                with in_currency(common_sign(b.currency for b in used)):
                    emit(self.args, Report("replay", [], []), self._text)

    def options(self) -> Mapping[str, Any]:
        return self.replay.options

    def make_page(self, saved: Path, output: Path) -> None:
        self._pages(saved, [log for log in self.replay.logs if log != "-"], output)

    def record(self) -> str:
        return options_record(self.replay.options, self.replay.filtered(), self.summary)

    def csv_head(self) -> str:
        told = first_lines(self.replay.options, self.replay.filtered())
        return "".join(csv_line([one], only_if_needed=True) for one in told)

    def _each(
        self, results: Iterator[Judged | Quarantined], quarantine: WholeFile | None
    ) -> Iterator[ReplayFinding]:
        """The findings; lines that are no valid round are set aside."""
        for found in self.replay.shown(results):
            if not isinstance(found, Quarantined):
                for one in self.also:
                    one.add(found)
                yield found
            elif quarantine is not None and found.raw:
                quarantine.write(found.raw.removesuffix(b"\n") + b"\n")

    def _progress(self, results: Iterator[Any]) -> Iterator[Any]:
        """The results; on a terminal with how far it is. Whoever waits for machine code is told."""
        if self.args.quiet or sys.stderr is None:
            return results
        if sys.stderr.isatty():
            return self._with_bar(results)
        if self._makes_code():
            say("rulespec replay: no machine code is there yet; making it takes a minute or two")
        return results

    def _with_bar(self, results: Iterator[Any]) -> Iterator[Any]:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        total = _total_size(self.replay.logs)
        columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            making = "making machine code, which the next runs will use too"
            task = bar.add_task(making if self._makes_code() else "replaying", total=total)
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

    def _makes_code(self) -> bool:
        if self.replay.engine != "columns":
            return False
        from checker.columns.machine.code_folder import is_kept

        return not is_kept()

    def _stream(
        self,
        results: Iterator[Any],
        quarantine: WholeFile | None,
        shape: Any,
        told_first: Callable[[], str],
        head: str = "",
    ) -> None:
        """As the replay goes; where something narrows the result, what that leaves out is told
        first, and it is known last."""
        if not narrowed(self.replay.options):
            out = Writer(self.args.output)
            out.write(head)
            for finding in self._each(results, quarantine):
                out.write(shape(finding))
            out.close()
            return
        with spool() as spooled:
            for finding in self._each(results, quarantine):
                spooled.write(shape(finding))
            spooled.seek(0)
            out = Writer(self.args.output)
            out.write(told_first() + head)
            while chunk := spooled.read(1 << 20):
                out.write(chunk)
            out.close()

    def _json(self, results: Iterator[Any], quarantine: WholeFile | None) -> None:
        """The envelope, with the findings spooled so that memory stays flat."""
        with spool() as spooled:
            for finding in self._each(results, quarantine):
                add_to_list(spooled, finding)
            self.write_json(spooled, self.args.output)

    def write_json(self, findings: IO[str], output: Path | None) -> None:
        findings.seek(0)
        document = self.replay.report().as_json()
        seal = Seal(document)
        head, tail = dumps(document).split('"findings": []', 1)
        out = Writer(output)
        out.write(head + '"findings": [')
        while chunk := findings.read(1 << 20):
            seal.add(chunk.encode())
            out.write(chunk)
        ends: dict[str, Any] = {"seal": seal.value()}
        if self.key is not None:
            ends["signature"] = sign(self.key, ends["seal"])
        out.write("]" + tail[:-1] + ", " + dumps(ends)[1:] + "\n")
        out.close()

    # --- text

    def _text(self, view: View) -> Iterator[Line]:
        # text has a limit of its own, which is told below
        told = self.replay.filtered(limit=self.args.limit is not None)
        if told is not None:
            yield from wrapped(line(("FILTERED", "warning"), f": {told}"), view.width)
        if self.replay.config is not None:
            config = self.replay.config
            yield line(f"By the job {config['path']} (SHA-256 {config['sha256']}).")
        without = readings_left_out(self.replay.options)
        if without is not None:
            yield line(without)
        if not view.quiet:
            yield from self._summary(view)
        for finding in self.kept:
            several = len(self.replay.logs) > 1
            shown = finding if several else replace(finding, log=None)
            yield from finding_paragraph(shown, view)
        total = self.summary.findings + self.summary.undecided
        if len(self.kept) < total:
            yield line(
                f"{total - len(self.kept):,} more are not shown (--full, --limit, or "
                "--format csv for all)."
            )

    def _summary(self, view: View) -> Iterator[Line]:
        s = self.summary
        books = ", ".join(f"{b} ({n:,})" for b, n in sorted(s.rulebooks.items()))
        head = f"{count(s.rounds, 'round')} with {count(s.wagers, 'wager')} replayed"
        yield line((head, "strong"), f" under {books}." if books else ".")
        if s.findings:
            kinds = ", ".join(f"{n:,} {k}" for k, n in s.by_kind.items() if k != "undecided")
            yield line((count(s.findings, "finding"), "error"), f": {kinds}")
        elif s.rounds:
            narrowed = self.replay.filtered(limit=False) is not None
            within = " within the filter" if narrowed else ""
            yield line((f"No finding{within}.", "good"))
        if s.overpaid or s.underpaid:
            yield line(f"  overpaid {money_text(s.overpaid)}, underpaid {money_text(s.underpaid)}")
        for (book, clause), n in s.by_clause.most_common(None if view.full else 12):
            yield line(f"  {n:>7,}  {book} clause {clause}")
        if len(s.by_clause) > 12 and not view.full:
            yield line(f"           and {len(s.by_clause) - 12} more clauses (--full)")
        if len(s.by_table) > 1:
            several = len({book for book, _ in s.by_table}) > 1
            worst = ", ".join(
                f"{f'{book} ' if several else ''}{table} ({n:,})"
                for (book, table), n in s.by_table.most_common(8)
            )
            yield line(f"  by table: {worst}")
        if len(self.replay.logs) > 1 and s.by_log:
            worst = ", ".join(f"{log} ({n:,})" for log, n in s.by_log.most_common(8))
            more = f" and {len(s.by_log) - 8} more" if len(s.by_log) > 8 else ""
            yield from wrapped(line(f"  by log: {worst}{more}"), view.width)
        if s.undecided:
            yield line(
                (f"{s.undecided:,} undecided", "warning"),
                ": the text or the log leaves it open; nothing is passed off as right.",
            )
        for one in self.replay.reach():
            yield from wrapped(line(one.told()), view.width)
        yield from self._left_out(view)
        if s.reports:
            yield line((f"{count(len(s.reports), 'wrong settlement')} to be reported", "warning"))
            for report in s.reports[: None if view.full else 10]:
                yield line(
                    f"  {report['month']} round {report['round']}, {report['player']}: "
                    f"{money_text(report['difference'])} "
                    f"(clause {report['clause']})"
                )
        yield ()

    def _left_out(self, view: View) -> Iterator[Line]:
        s = self.summary
        if s.copies:
            yield line(
                f"{count(s.copies, 'round')} stood in the logs before, word for word: judged once."
            )
            for one in s.copied[: None if view.full else 5]:
                first = one["first"]
                here, before = (f"line {x['line']} of {x['log']}" for x in (one, first))
                told = f"  round {one['round']}, table {one['table']}: {here}, first at {before}"
                yield from wrapped(line(told), view.width)
        if s.quarantined:
            yield line(
                (f"{count(s.quarantined, 'line')} quarantined", "warning"),
                ": not a valid round, and not judged.",
            )
            for bad in self.replay.bad_lines[: None if view.full else 5]:
                place = f"line {bad.line}" + (f" of {bad.log}" if len(self.replay.logs) > 1 else "")
                yield from wrapped(line(f"  {place}: {bad.reason}"), view.width)
        if s.misplaced:
            yield line(
                (f"{count(s.misplaced, 'round')} out of order", "warning"),
                ": earlier than the one before at the same table. What a shoe tells from "
                "round to round is not checked across such a place.",
            )
            for one in s.out_of_order[: None if view.full else 5]:
                here, before = (f"line {x['line']} of {x['log']}" for x in (one, one["after"]))
                yield from wrapped(
                    line(f"  table {one['table']}: {here} is earlier than {before}"), view.width
                )
        for one in s.not_known()[: None if view.full else 5]:
            told = f"{one['part']} `{one['name']}` in {count(one['rounds'], 'round')}"
            yield from wrapped(
                line(
                    ("Not checked", "warning"),
                    f": {told}: it is not known here; the rest of the round is judged.",
                ),
                view.width,
            )
        if len(s.unknown) > 5 and not view.full:
            yield line(f"  and {len(s.unknown) - 5} more that are not known (--full)")
        if s.cut_off:
            yield line(("The log is cut off.", "error"))
        for one in s.untold()[: None if view.full else 5]:
            told = f"{one['rulebook']} {one['clause']} in {count(one['rounds'], 'round')}"
            yield from wrapped(
                line(("Not checked", "warning"), f": {told}: {one['reason']}."), view.width
            )
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
        line(
            (finding.kind, style),
            " ",
            (finding.code, style),
            place_in_text(finding),
            ": ",
            (finding.message, "strong"),
        ),
        view.width,
    )
    yield line(("  at ", "faint"), where)
    if finding.state not in (None, "open"):
        yield line(("  reviewed: ", "faint"), str(finding.state))
    if finding.readings:
        yield line(("  rests on reading: ", "faint"), ", ".join(finding.readings))
    if finding.help:
        yield from wrapped(line(("  help: ", "help"), finding.help), view.width)
    if finding.others:
        shown = finding.others if view.full else finding.others[:4]
        text = "; ".join(f"{clause} ({role})" for clause, role in shown)
        yield from wrapped(line(("  related: ", "faint"), text), view.width)
    yield ()


def _total_size(logs: list[str]) -> float | None:
    try:
        plain = [Path(log) for log in logs if log.endswith((".jsonl", ".json"))]
        return float(sum(p.stat().st_size for p in plain)) if len(plain) == len(logs) else None
    except OSError:
        return None
