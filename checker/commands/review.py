"""`rulespec review`: what became of the findings in an audit store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from checker.commands.output import add_command, emit, wrong_call

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from checker.commands.output import Subparsers
    from checker.render.lines import Line, View
    from checker.store.store import Review, Store, Stored

SHOWN = 50


def register(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "review",
        "List the findings of an audit store with their state, or set the state of some: open,\n"
        "confirmed, explained or dismissed. What was said before is kept: a review is added, "
        "never changed.",
    )
    parser.add_argument("store", metavar="STORE", help="the file that `replay --store` wrote")
    parser.add_argument(
        "fingerprints", nargs="*", metavar="FINGERPRINT", help="the findings; none: list them"
    )
    parser.add_argument("--set", dest="state", metavar="STATE", help="give them this state")
    parser.add_argument("--reason", default="", metavar="TEXT", help="why")
    parser.add_argument("--person", default="", metavar="NAME", help="who says so")
    parser.add_argument("--run", type=int, metavar="N", help="of this run (else the newest)")
    parser.add_argument("--only", metavar="STATE", help="list only findings of this state")
    parser.add_argument("--clause", metavar="ID", help="list only findings of this clause")
    parser.add_argument("--table", metavar="ID", help="list only findings at this table")
    parser.add_argument("--player", metavar="ID", help="list only findings of this player")
    parser.add_argument("--history", action="store_true", help="list what was said, newest first")
    parser.add_argument(
        "--limit", type=int, default=SHOWN, metavar="N", help=f"list at most N ({SHOWN})"
    )
    parser.add_argument("--full", action="store_true", help="list all")


def run(args: argparse.Namespace) -> int:
    from checker.report import Report
    from checker.store.store import STATES, Store

    if args.state is None and (args.reason or args.person):
        wrong_call("review", "`--reason` and `--person` go with `--set STATE`")
    if args.state is not None and not args.fingerprints:
        wrong_call(
            "review", "`--set` names no finding", "give fingerprints, as the list shows them"
        )
    if args.only is not None and args.only not in STATES:
        wrong_call("review", f"there is no state `{args.only}`", "one of " + ", ".join(STATES))
    with Store(args.store) as store:
        if args.state is not None:
            said = store.set_state(args.fingerprints, args.state, args.reason, args.person)
            return _said(args, said)
        if args.history:
            one = args.fingerprints[0] if len(args.fingerprints) == 1 else None
            return _said(args, store.history(one, -1 if args.full else args.limit))
        found, total, number = _listed(args, store)
    summary = {"run": number, "findings": total, "listed": [_as_json(one) for one in found]}
    report = Report("review", [], [], (), summary, status=0)
    return emit(args, report, lambda view: _text(found, total, number, view))


def _listed(args: argparse.Namespace, store: Store) -> tuple[Sequence[Stored], int, int]:
    from checker.store.selection import Selection

    run = store.run(args.run)
    asked = {"clause": args.clause, "casino_table": args.table, "player": args.player}
    values = {name: (value,) for name, value in asked.items() if value is not None}
    chosen = Selection(run.id, values, () if args.only is None else (args.only,))
    found = store.findings(chosen, limit=None if args.full else args.limit)
    if args.fingerprints:
        found = [
            one for one in store.findings(chosen) if one.finding["fingerprint"] in args.fingerprints
        ]
        return found, len(found), run.id
    return found, store.totals(chosen).findings, run.id


def _as_json(one: Stored) -> dict[str, Any]:
    return {**one.finding, "state": one.state}


def _said(args: argparse.Namespace, said: Sequence[Review]) -> int:
    from dataclasses import asdict

    from checker.report import Report

    report = Report("review", [], [], (), {"reviews": [asdict(one) for one in said]}, status=0)
    return emit(args, report, lambda view: _reviews(said, view))


def _reviews(said: Sequence[Review], view: View) -> Iterator[Line]:
    from checker.render.lines import line, wrapped

    if not said:
        yield line("Nothing was said of any finding.")
    for one in said:
        why = f": {one.reason}" if one.reason else ""
        yield from wrapped(
            line(one.fingerprint, "  ", (one.state, "strong"), f" by {one.person}, {one.at}{why}"),
            view.width,
        )


def _text(found: Sequence[Stored], total: int, run: int, view: View) -> Iterator[Line]:
    from checker.render.lines import line, wrapped

    if not view.quiet:
        yield line((f"{total:,} findings", "strong"), f" of run {run}")
    for one in found:
        finding = one.finding
        yield from wrapped(
            line(
                finding["fingerprint"],
                "  ",
                (f"{one.state:<9}", "note" if one.state == "open" else "good"),
                f"  {finding['rulebook']} clause {finding['clause']}, round {finding['round']}, "
                f"table {finding['table']}: {finding['message']}",
            ),
            view.width,
            indent=4,
        )
    if len(found) < total:
        yield line(f"{total - len(found):,} more are not shown (--full, --limit)")
