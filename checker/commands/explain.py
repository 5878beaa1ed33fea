"""`rulespec explain`: why a round settles as it does, clause by clause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from checker.commands.output import add_command, emit, say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from checker.commands.output import Subparsers
    from checker.evaluate.engine import Engine
    from checker.judge.explanation import Explained
    from checker.judge.findings import Verdict
    from checker.log.model import Round
    from checker.render.lines import Line, View
    from checker.table.shoes import ShoeView


def register(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "explain",
        "Draw one round as people read it and say, for every decision, which clauses made it, what "
        "beat what,\nand which readings it rests on.",
    )
    parser.add_argument("log", metavar="LOG", help="a round log; `-` is standard input")
    parser.add_argument("--round", required=True, metavar="ID", help="the round to explain")
    parser.add_argument("--table", metavar="ID", help="its table, if the id is not unique")
    parser.add_argument("--rules", metavar="RULES", help="judge it by this rulebook")
    parser.add_argument("--full", action="store_true", help="also what was asked and not contested")


def run(args: argparse.Namespace) -> int:
    from checker.log.read import LogError
    from checker.replay.find_round import find_round
    from checker.replay_logs import judge_to_explain, load_library
    from checker.report import UNUSABLE, Report, UnusableRules, log_inputs
    from rulespec.base.money import in_currency
    from rulespec.load.load import shipped

    try:
        found = find_round(args.log, args.round, args.table)
        rules = args.rules
        if rules is None and found is not None and found[0].rulebook in shipped():
            rules = found[0].rulebook  # the others need not be read
        library, read = load_library(rules, command="explain")
    except LogError as error:
        say(f"rulespec explain: {error}\nhelp: {error.help}")
        return UNUSABLE
    except UnusableRules as error:
        return emit(args, error.report)
    if found is None:
        say(f"rulespec explain: no round `{args.round}` in `{args.log}`")
        say("help: `rulespec replay` lists the rounds with findings")
        return UNUSABLE
    # its hash takes longer than all the rest, and a drawing does not show it
    hashed = log_inputs([args.log]) if args.format != "text" else ()
    inputs = [*read.inputs, *hashed]
    round_, view = found
    engine, verdict = judge_to_explain(round_, library, view)
    if engine is None:
        return emit(args, Report("explain", inputs, verdict.findings))
    findings = [f for f in verdict.findings if f.kind != "undecided"]
    undecided = len(verdict.findings) - len(findings)
    with in_currency(verdict.sign):
        summary = _summary(engine, round_, verdict, view) if args.format == "json" else {}
        report = Report("explain", inputs, findings, summary=summary, undecided=undecided)
        return emit(args, report, lambda v: _text(v, engine, round_, verdict, view))


def _summary(engine: Engine, round_: Round, verdict: Verdict, shoe: ShoeView) -> dict[str, Any]:
    from checker.judge.drawing import drawing
    from checker.judge.explanation import explain, settlements

    return {
        "round": round_.id,
        "rulebook": engine.rulebook.id,
        "unknown": [
            {"part": part, "name": name} for part, name in sorted(engine.words.unknown(round_))
        ],
        "decisions": [e.as_json() for e in explain(engine, verdict)],
        "settlements": settlements(round_, verdict),
        "hands": [one.as_json() for one in drawing(engine, round_, shoe)],
    }


def _text(
    view: View, engine: Engine, round_: Round, verdict: Verdict, shoe: ShoeView
) -> Iterator[Line]:
    from checker.commands.writing.replay_report import finding_paragraph
    from checker.judge.explanation import explain, settlements
    from checker.render.lines import line

    yield line(
        (f"Round {round_.id}", "strong"),
        f"  table {round_.table}, {round_.at}, ",
        f"{engine.rulebook.id}, {round_.decks} decks",
    )
    yield from drawn_round(engine, round_, shoe)
    yield ()
    marks = {True: ("right  ", "good"), False: ("WRONG  ", "error"), None: ("open   ", "note")}
    for row in settlements(round_, verdict):
        yield line(marks[row["right"]], row["text"])
    yield ()
    for explained in explain(engine, verdict):
        yield from _decision(explained, view, view.full or _worth_showing(explained))
    for part, name in sorted(engine.words.unknown(round_)):
        yield line(("Not checked", "warning"), f": {part} `{name}`, which is not known here.")
    if verdict.findings:
        yield line(("What was found", "strong"))
        for finding in verdict.findings:
            yield from finding_paragraph(finding, view)
    else:
        yield line(("Nothing in this round is against the text.", "good"))


def _worth_showing(explained: Explained) -> bool:
    from rulespec.resolve.question import is_act_of

    return (
        explained.of_hand
        or not is_act_of(explained.question, "player")
        or explained.answer != "yes"
        or any(r.beaten_by or r.reading for r in explained.reasons)
    )


def drawn_round(engine: Engine, round_: Round, shoe: ShoeView) -> Iterator[Line]:
    """The table at the end of the round."""
    from checker.judge.drawing import drawing, stakes_told
    from checker.render.lines import line

    hands = drawing(engine, round_, shoe)
    several = {one.box for one in hands if one.hand > 1 and not one.name}
    main = engine.mechanics.main
    for one in hands:
        label = f"  box {one.box}" if one.box else f"  {one.name or 'dealer'}"
        label += f" hand {one.hand}" if one.box in several else ""
        told = [", ".join(one.marks)]
        told += [", ".join(stakes_told(some, main)) for some in (one.stakes, one.side_bets)]
        shown = "   ".join([one.text, *filter(None, told)])
        yield line((f"{label:<16}", "faint"), shown)


def _decision(explained: Explained, view: View, reasons: bool) -> Iterator[Line]:
    from checker.render.lines import line, wrapped
    from rulespec.resolve.question import bet_and_what

    question = explained.question
    label = bet_and_what(question)[1] or question
    if not explained.of_hand:
        label = label.replace("player", "may")
    of_play = not bet_and_what(question)[1]  # of what was settled the drawing shows the cards
    yield from wrapped(
        line(
            (label, "strong"),
            f", {explained.subject}: ",
            (explained.answer, "note"),
            (f"   with {explained.seen.told()}" if explained.seen and of_play else "", "faint"),
        ),
        view.width,
    )
    if not reasons:
        return
    for reason in explained.reasons:
        read = f" [reading {reason.reading}]" if reason.reading else ""
        says = f"clause {reason.clause} says {reason.says}"
        says += f" as clause {reason.pays_as} does" if reason.pays_as else ""
        if reason.beaten_by:
            text = f"{says}, but {reason.beaten_by} prevails"
        else:
            text = f"{says}: {reason.title}"
        yield from wrapped(line(f"    {text}{read}"), view.width, indent=6)
    for text in explained.why_not:
        yield from wrapped(line((f"    {text}", "faint")), view.width, indent=6)
