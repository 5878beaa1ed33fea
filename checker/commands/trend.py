"""`rulespec trend`: what is new, gone and still there between two runs of an audit store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checker.commands.output import add_command, emit, write_result, wrong_call

if TYPE_CHECKING:
    import argparse
    from collections import Counter
    from collections.abc import Iterator, Sequence

    from checker.commands.output import Subparsers
    from checker.render.lines import Line, View
    from checker.store.store import Run
    from checker.store.trend import Trend


def register(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "trend",
        "Compare two runs of an audit store finding by finding: what is new, what is gone, what is "
        "still there,\nby clause and by table. With one run, or --runs: the list of runs.",
        ("text", "json", "svg"),
    )
    parser.add_argument("store", metavar="STORE", help="the file that `replay --store` wrote")
    parser.add_argument("old", nargs="?", type=int, metavar="OLD", help="the earlier run's number")
    parser.add_argument("new", nargs="?", type=int, metavar="NEW", help="the later run's number")
    parser.add_argument("--runs", action="store_true", help="list the runs")
    parser.add_argument("--full", action="store_true", help="every clause and table")


def run(args: argparse.Namespace) -> int:
    from checker.render.charts import bars_svg
    from checker.report import Report
    from checker.store.store import Store
    from checker.store.trend import trend

    if args.old is not None and args.new is None:
        wrong_call("trend", "one run is named, and two are compared", "OLD NEW, or neither")
    with Store(args.store) as store:
        runs = store.runs()
        if not runs:
            wrong_call("trend", f"`{args.store}` has no run yet", "`rulespec replay … --store`")
        if args.runs or (len(runs) == 1 and args.old is None):
            if args.format == "svg":
                wrong_call("trend", "a list of runs is no chart", "--format text or json")
            summary = {"runs": [_run_json(one) for one in runs]}
            report = Report("trend", [], [], (), summary, status=0)
            return emit(args, report, lambda view: _runs(runs))
        old, new = (
            (runs[1], runs[0]) if args.old is None else (store.run(args.old), store.run(args.new))
        )
        found = trend(store, old, new)
    status = 1 if found.counts["appeared"] else 0
    if args.format == "svg":
        rows = [(name, count["appeared"], count["gone"]) for name, count in found.by_clause.items()]
        write_result(bars_svg(rows, ("new", "gone")), args.output, "utf-8")
        return status
    report = Report("trend", [], [], (), found.as_json(), status=status)
    return emit(args, report, lambda view: _text(found, view))


def _run_json(run: Run) -> dict[str, object]:
    return {
        "run": run.id,
        "made_at": run.made_at,
        "status": run.status,
        "rounds": run.rounds,
        "findings": run.findings,
        "logs": run.logs,
    }


def _runs(runs: Sequence[Run]) -> Iterator[Line]:
    from checker.render.lines import line

    for one in runs:
        yield line(
            (f"run {one.id}", "strong"),
            f"  {one.made_at}  {one.rounds:,} rounds, {one.findings:,} findings  "
            + ", ".join(one.logs),
        )


def _text(found: Trend, view: View) -> Iterator[Line]:
    from checker.render.lines import line, wrapped

    counts = found.counts
    yield line(
        (f"Run {found.old.id} ({found.old.made_at}) to run {found.new.id}", "strong"),
        f" ({found.new.made_at}): ",
        (f"{counts['appeared']:,} new", "error" if counts["appeared"] else "good"),
        f", {counts['gone']:,} gone, {counts['still']:,} still there",
    )
    if not found.same_logs:
        told = "The two runs read different logs: what is gone may not have been looked at."
        yield from wrapped(line((told, "warning")), view.width)
    if found.old.envelope.get("options") != found.new.envelope.get("options"):
        told = "The two runs were asked for with different options."
        yield from wrapped(line((told, "warning")), view.width)
    yield from _bars("by clause", found.by_clause, view)
    yield from _bars("by table", found.by_table, view)


def _bars(title: str, rows: dict[str, Counter[str]], view: View) -> Iterator[Line]:
    from checker.render.lines import line

    if not rows:
        return
    yield ()
    yield line((title, "strong"), "  (+ new, - gone, = still there)")
    ranked = sorted(rows.items(), key=lambda row: (-row[1]["appeared"] - row[1]["gone"], row[0]))
    shown = ranked if view.full else ranked[:15]
    most = max(count.total() for _, count in ranked)
    width = max(len(name) for name, _ in shown)
    for name, count in shown:
        marks = ((count["appeared"], "+"), (count["gone"], "-"), (count["still"], "="))
        bar = "".join(mark * -(-n * 30 // most) for n, mark in marks)
        told = f"{count['appeared']:>6,} {count['gone']:>6,} {count['still']:>6,}"
        yield line(f"  {name:<{width}}  {told}  {bar}")
    if len(shown) < len(ranked):
        yield line(f"  and {len(ranked) - len(shown)} more (--full)")
