"""`rulespec verify`: is a saved report what this tool, these rules and these logs give?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from checker.commands.output import add_command, emit, say, wrong_call

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from checker.commands.output import Subparsers
    from checker.evidence.round_proof import RoundProof
    from checker.evidence.saved_report import SavedReport
    from checker.evidence.verify import Verified
    from checker.render.lines import Line, View

_SHOWN = 20


def register(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "verify",
        "Make a saved report again and compare it finding by finding; if it is another one now, "
        "say what changed.\nExit status: 0 it is the same, 1 it is not, 2 it cannot be told.",
    )
    parser.add_argument("result", nargs="?", metavar="RESULT", help="rulespec replay --format json")
    parser.add_argument(
        "logs",
        nargs="*",
        metavar="LOG",
        help="its logs, where they are not where the report says; known by content, then by name",
    )
    parser.add_argument("--key", metavar="PUBLIC", help="it must be signed with this key (PEM)")
    parser.add_argument("--round", metavar="ID", help="only prove that this round stands in a log")
    parser.add_argument("--table", metavar="ID", help="the table of the round")
    parser.add_argument("--line", type=int, metavar="N", help="the line of the round")
    parser.add_argument(
        "--proof",
        metavar="FILE",
        help="with --round and LOG: write the proof to FILE; without LOG: check the one in FILE",
    )
    parser.add_argument("--jobs", type=int, metavar="N", help="judge on N cores")
    parser.add_argument("--full", action="store_true", help="show every difference")
    parser.add_argument(
        "--new-key", metavar="FILE", help="make a key to sign with, and FILE.pub to check with"
    )


def run(args: argparse.Namespace) -> int:
    from checker.evidence import signature

    if args.new_key is not None:
        if args.result is not None:
            wrong_call("verify", "`--new-key` stands alone")
        beside = signature.new_key(Path(args.new_key))
        say(f"`{args.new_key}` signs and stays secret, `{beside}` may be handed on")
        return 0
    if args.result is None:
        wrong_call("verify", "no report is named")
    from checker.evidence.saved_report import DamagedReport, load_report

    key = None if args.key is None else signature.public_key(args.key)
    try:
        saved = load_report(args.result, keep_text=True)
    except DamagedReport as error:
        return _damaged(args, error.message)
    if args.round is not None or args.proof is not None:
        return _of_a_round(args, saved, key)
    from checker.evidence.verify import verify

    found = verify(saved, args.logs, key, args.jobs)
    return _tell(args, saved, found, found.as_json(), lambda view: _text(view, saved, found))


def _damaged(args: argparse.Namespace, told: str) -> int:
    from checker.evidence.verify import Verified
    from checker.render.lines import line
    from checker.report import Report

    found = Verified()
    found.change("report", f"it was changed after it was written: {told}")
    report = Report("verify", [], [], (), found.as_json(), status=found.status)
    said = ": this report is not as it was written"
    return emit(
        args,
        report,
        lambda view: [line(("no", "error"), said), line(("  report", "error"), f": {told}")],
    )


def _of_a_round(args: argparse.Namespace, saved: SavedReport, key: Any) -> int:
    from checker.evidence.round_proof import against, read_proof
    from checker.evidence.verify import Verified, check_seal

    found = Verified()
    check_seal(saved, found, key)
    if args.logs or args.proof is None:
        proof = _from_a_log(args, saved)
    else:
        proof = read_proof(args.proof)
        if args.round not in (None, proof.round) or args.table not in (None, proof.table):
            wrong_call("verify", f"the proof is of round `{proof.round}`, table `{proof.table}`")
    wrong = against(saved, proof)
    if wrong is not None:
        found.change("log", wrong, proof.log)
    elif args.logs and args.proof is not None and not found.changes:
        from checker.commands.writing.whole_files import replace_file

        replace_file(Path(args.proof), proof.written())
    told = {**found.as_json(), "proof": {**proof.as_json(), "root": proof.root}}
    return _tell(args, saved, found, told, lambda view: _round_text(view, saved, proof, found))


def _from_a_log(args: argparse.Namespace, saved: SavedReport) -> RoundProof:
    """From the log that is named, or from those of the report that are at hand."""
    from checker.evidence.find_inputs import find_logs
    from checker.evidence.round_proof import NoSuchRound, prove_round
    from checker.log.open import LogError

    if args.round is None:
        wrong_call("verify", "`--proof` writes the proof of a round", "--round ID")
    logs = args.logs or [one for one in find_logs(saved, ()).values() if one is not None]
    if not logs:
        wrong_call("verify", "no log of the report is at hand", "name the log, or --proof FILE")
    missing: NoSuchRound | None = None
    try:
        for log in logs:
            try:
                return prove_round(log, args.round, args.table, args.line)
            except NoSuchRound as error:
                missing = error
    except LogError as error:
        wrong_call("verify", error.message, error.help)
    assert missing is not None
    raise missing


def _tell(
    args: argparse.Namespace, saved: SavedReport, found: Verified, summary: Any, text: Any
) -> int:
    from checker.report import Input, Report

    inputs = [Input(one["path"], one["kind"], one["sha256"]) for one in saved.document["inputs"]]
    return emit(args, Report("verify", inputs, [], (), summary, status=found.status), text)


def _text(view: View, saved: SavedReport, found: Verified) -> Iterator[Line]:
    from checker.render.lines import line, wrapped

    styles = {"yes": "good", "no": "error", "cannot tell": "warning"}
    said = {
        "yes": "this report is what this tool, these rules and these logs give",
        "no": "this report is not what this tool, these rules and these logs give",
        "cannot tell": "whether this report is what this tool, these rules and these logs give",
    }
    yield line((found.verdict, styles[found.verdict]), f": {said[found.verdict]}")
    for one in found.not_told:
        yield from wrapped(line(("  not told", "warning"), f": {one}"), view.width)
    shown = found.changes if view.full else found.changes[:_SHOWN]
    for change in shown:
        named = f" `{change.name}`" if change.name is not None and change.part != "result" else ""
        if change.part == "result" and change.name is not None and "." in change.name:
            named = f" `{change.name}`"
        yield from wrapped(
            line((f"  {change.part}{named}", "error"), f": {change.message}"), view.width
        )
        if change.part in ("log", "rules", "tool") and isinstance(change.recorded, str):
            hashes = f"then {change.recorded[:16]}…, now {str(change.found)[:16]}…"
            yield line(("    SHA-256 ", "faint"), hashes)
    if len(shown) < len(found.changes):
        yield line(f"  and {len(found.changes) - len(shown):,} more (--full)")
    if view.quiet:
        return
    if found.again:
        rounds = saved.summary["rounds"]
        yield line(f"{found.findings:,} findings of {rounds:,} rounds were compared.")
    for note in found.notes:
        yield from wrapped(line(("note", "note"), f": {note}"), view.width)


def _round_text(
    view: View, saved: SavedReport, proof: RoundProof, found: Verified
) -> Iterator[Line]:
    from checker.evidence.round_proof import findings_of
    from checker.render.lines import line, wrapped

    if found.changes:
        yield line(("no", "error"), f": round {proof.round} is not proven")
        for change in found.changes:
            yield from wrapped(line(f"  {change.part}: {change.message}"), view.width)
        return
    yield line(("yes", "good"), f": round {proof.round}, table {proof.table}, stood in the log")
    yield line(f"  line {proof.number}, Merkle root {proof.root}")
    about = findings_of(saved, proof)
    if not about and saved.document.get("filtered"):
        yield line("  The report, which is filtered, shows no finding about it.")
    elif not about:
        yield line("  The report has no finding about it.")
    for one in about:
        yield from wrapped(line(f"  {one['code']}: {one['message']}"), view.width)
    for note in found.notes:
        yield from wrapped(line(("note", "note"), f": {note}"), view.width)
