"""The impact of a change of text, for a terminal: what it comes to, by clause and table, hands."""

from __future__ import annotations

from collections.abc import Iterator

from checker.diff.classes import ChangeClass
from checker.impact.data import Cause, Example
from checker.impact.run import NeverSeen, Sum, Totals
from checker.log.model import NO_BOX
from checker.render.lines import Line, View, line, wrapped
from checker.render.to_text import count
from rulespec.base.money import money_text
from rulespec.resolve.question import bet_and_what

PREMISE = (
    "Both texts are applied to every round, whatever its date and its own rulebook. Cards and "
    "plays stay as recorded; what each text gives back is worked out, not read from the log."
)
SHOWN = 12


def impact_text(
    totals: Totals, names: tuple[str, str], unseen: NeverSeen | None, view: View
) -> Iterator[Line]:
    if not view.quiet:
        yield from wrapped(
            line(
                (
                    f"{count(totals.rounds, 'round')} under {names[0]} (old) and {names[1]} (new).",
                    "strong",
                )
            ),
            view.width,
        )
        yield from wrapped(line((PREMISE, "faint")), view.width, indent=0)
        yield ()
    yield from _result(totals, view)
    yield from _causes(totals, view)
    yield from _tables(totals)
    yield from _not_settled(totals, view)
    yield from _left_out(totals, view)
    if unseen is not None:
        yield from _unseen(unseen, view)


def verdict(totals: Totals) -> str:
    """The answer in one sentence."""
    different = totals.different.wagers
    if not different:
        left = sum(totals.undecided.values()) + totals.not_settled
        rest = f", but {left:,} could not be settled" if left else ""
        return f"None of {count(totals.wagers, 'wager')} settles differently{rest}."
    verb = "settles" if different == 1 else "settle"
    return (
        f"{different:,} of {count(totals.wagers, 'wager')} {verb} differently: "
        f"{count(totals.rounds_different, 'round')}, "
        f"{count(totals.players_different, 'player')}."
    )


def balance(totals: Totals) -> str:
    gain, loss = totals.different.players_gain, totals.different.house_gains
    net = gain - loss
    side = (
        "nobody gains on the whole"
        if not net
        else (
            f"on the whole the {'players gain' if net > 0 else 'house gains'} "
            f"{money_text(abs(net))}"
        )
    )
    return f"Players get {money_text(gain)} more and {money_text(loss)} less: {side}."


def _result(totals: Totals, view: View) -> Iterator[Line]:
    style = "warning" if totals.different.wagers else "good"
    yield from wrapped(line((verdict(totals), style)), view.width)
    if totals.different.wagers:
        yield line(balance(totals))
    if totals.dealer_differs:
        yield from wrapped(
            line(
                f"In {count(totals.dealer_differs, 'round')} a hand draws by one text and stops by "
                "the other; a card is left out under a text that does not ask for it and burns it."
            ),
            view.width,
            indent=2,
        )
    yield ()


def _causes(totals: Totals, view: View) -> Iterator[Line]:
    causes = totals.causes
    if not causes:
        return
    yield line(("By clause", "strong"))
    shown = causes if view.full else causes[:SHOWN]
    for cause, sums in shown:
        yield from wrapped(
            line(f"  {cause.bet}: ", (cause.was, "strong"), " → ", (cause.becomes, "strong")),
            view.width,
        )
        yield line(("    clauses ", "faint"), clauses_text(cause))
        yield line(f"    {_sums(sums)}")
        for example in totals.examples.get(cause, ())[: None if view.full else 1]:
            yield from wrapped(line("    ", (example_text(example), "faint")), view.width, 6)
    if len(shown) < len(causes):
        yield line(f"  and {len(causes) - len(shown)} more (--full shows them)")
    yield ()


def clauses_text(cause: Cause) -> str:
    return " → ".join(", ".join(side) or "none" for side in (cause.old_clauses, cause.new_clauses))


def _sums(sums: Sum) -> str:
    return (
        f"{count(sums.wagers, 'wager')}, players gain {money_text(sums.players_gain)}, "
        f"house gains {money_text(sums.house_gains)}"
    )


def example_text(one: Example) -> str:
    """`round T1-42 (line 3), P3 on box 2: A♠ K♥ 21 against 9♦ 9: $10 staked, $25 → $20`"""
    place = f" on box {one.box}" + (f" hand {one.hand}" if one.hand > 1 else "")
    place = "" if one.box == NO_BOX else place
    against = f" against {_tight(one.dealer)}" if one.dealer else ""
    return (
        f"round {one.round} (line {one.line}), {one.player}{place}: {_tight(one.cards)}"
        f"{against}; {money_text(one.stake)} staked, "
        f"{money_text(one.old)} → {money_text(one.new)}"
    )


def _tight(hand: str) -> str:
    cards, _, total = hand.partition("   ")
    return f"{cards} ({total})" if total else cards


def _tables(totals: Totals) -> Iterator[Line]:
    if not totals.by_table:
        return
    width = max(len(name) for name in (*totals.by_table, "table"))
    yield line(("By table", "strong"))
    yield line(
        (f"  {'table':<{width}}  {'wagers':>8}  {'players gain':>14}  {'house gains':>14}", "faint")
    )
    for name, sums in sorted(totals.by_table.items()):
        yield line(
            f"  {name:<{width}}  {sums.wagers:>8,}  {money_text(sums.players_gain):>14}  "
            f"{money_text(sums.house_gains):>14}"
        )
    yield ()


def _not_settled(totals: Totals, view: View) -> Iterator[Line]:
    """Plays that one text forbids are counted apart."""
    for new, which in ((True, "new"), (False, "old")):
        plays = {k: n for k, n in totals.forbidden.items() if k[0] is new}
        if not plays:
            continue
        yield line(
            (f"{count(sum(plays.values()), 'play')} that only the {which} text forbids", "warning")
        )
        ranked = sorted(plays.items(), key=lambda x: (-x[1], x[0]))
        for (_, action, clause), n in ranked if view.full else ranked[:SHOWN]:
            yield line(f"  {n:>7,}  {action}  (clause {clause})")
        if len(ranked) > SHOWN and not view.full:
            yield line(f"           and {len(ranked) - SHOWN} more (--full shows them)")
    if totals.forbidden:
        yield from wrapped(
            line(
                f"  {count(totals.not_settled, 'wager')} of "
                f"{count(totals.forbidden_rounds, 'round')} that rest on such a play are not "
                "settled and not in the sums above."
            ),
            view.width,
        )
        yield ()


def _left_out(totals: Totals, view: View) -> Iterator[Line]:
    if totals.undecided:
        yield line(
            (f"{count(sum(totals.undecided.values()), 'wager')} undecided", "warning"),
            ": not in the sums above.",
        )
        for (which, why), n in totals.undecided.most_common(None if view.full else 8):
            yield from wrapped(line(f"  {n:>7,}  under {which}: {why}"), view.width, indent=11)
        if len(totals.undecided) > 8 and not view.full:
            yield line(f"           and {len(totals.undecided) - 8} more reasons (--full)")
        yield ()
    if totals.copies:
        yield line(f"{count(totals.copies, 'round')} stood in the logs before: settled once.")
    if totals.clashes:
        yield line(
            (f"{count(totals.clashes, 'round')} clashing", "warning"),
            ": the same round with different content; both are settled.",
        )
        for one in totals.clashing[: None if view.full else 5]:
            yield from wrapped(
                line(
                    f"  R570 round {one.round}, table {one.table}, line {one.line} "
                    f"of {one.log}: {one.message}"
                ),
                view.width,
            )
    if totals.misplaced:
        yield line(
            (f"{count(totals.misplaced, 'round')} out of order", "warning"),
            ": what the shoe tells is not carried across.",
        )
        for place in totals.out_of_order[: None if view.full else 5]:
            here, before = (f"line {x['line']} of {x['log']}" for x in (place, place["after"]))
            told = f"  table {place['table']}: {here} is earlier than {before}"
            yield from wrapped(line(told), view.width)
    if totals.quarantined:
        yield line(
            (f"{count(totals.quarantined, 'line')} quarantined", "warning"),
            ": not a valid round, and not settled.",
        )
        for bad in totals.bad_lines[: None if view.full else 5]:
            yield from wrapped(line(f"  line {bad.line}: {bad.reason}"), view.width)
    if totals.cut_off:
        yield line(("The log is cut off.", "error"))


def _unseen(unseen: NeverSeen, view: View) -> Iterator[Line]:
    left = unseen.classes
    yield line((never_seen(unseen), "strong" if left or not unseen.decided else "good"))
    for one in left if view.full else left[:SHOWN]:
        yield from wrapped(line("  " + class_text(one)), view.width, indent=6)
    if len(left) > SHOWN and not view.full:
        yield line(f"  and {len(left) - SHOWN} more (--full shows them)")


def never_seen(unseen: NeverSeen) -> str:
    open_ = "" if unseen.decided else " The diff does not decide every question: there may be more."
    if not unseen.known:
        return f"The diff has no class in which a wager settles differently.{open_}"
    what = "class" if unseen.known == 1 else "classes"
    if not unseen.classes:
        return f"Every class of the diff occurred in the log ({unseen.known:,} {what}).{open_}"
    left = f"{len(unseen.classes):,} of {unseen.known:,} {what} of the diff"
    return f"{left} never occurred in the log{'.' if open_ else ''}{open_}"


def class_text(one: ChangeClass) -> str:
    shown = f"; for example {one.witness.describe()}" if one.witness is not None else ""
    bet, what = bet_and_what(one.question)
    wager = bet if what == "result" else one.question
    return f"{wager}: {one.was.text} → {one.becomes.text}{shown}"
