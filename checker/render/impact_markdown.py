"""The impact of a change of text as markdown, for a comment on a proposal."""

from __future__ import annotations

from collections.abc import Iterator

from checker.impact.run import NeverSeen, Totals
from checker.render.compare_markdown import safe
from checker.render.impact_text import (
    PREMISE,
    balance,
    class_text,
    clauses_text,
    example_text,
    never_seen,
    verdict,
)
from rulespec.base.money import money_text


def impact_markdown(totals: Totals, names: tuple[str, str], unseen: NeverSeen | None) -> str:
    return "\n".join(_lines(totals, names, unseen)) + "\n"


def _lines(totals: Totals, names: tuple[str, str], unseen: NeverSeen | None) -> Iterator[str]:
    yield f"# Impact: `{names[0]}` → `{names[1]}`"
    yield from ("", f"**{safe(verdict(totals))}**")
    if totals.different.wagers:
        yield from ("", safe(balance(totals)))
    yield from ("", PREMISE)
    if totals.by_cause:
        yield from ("", "## By clause", "")
        yield "| wager | was | becomes | clauses | wagers | players gain | house gains |"
        yield "| --- | --- | --- | --- | ---: | ---: | ---: |"
        for cause, sums in totals.causes:
            cells = (
                cause.bet,
                cause.was,
                cause.becomes,
                clauses_text(cause),
                f"{sums.wagers:,}",
                money_text(sums.players_gain),
                money_text(sums.house_gains),
            )
            yield "| " + " | ".join(safe(cell) for cell in cells) + " |"
        yield from ("", "## Examples", "")
        for cause, _ in totals.causes:
            for one in totals.examples.get(cause, ())[:1]:
                yield f"- {safe(cause.text)}: {safe(example_text(one))}"
        yield from ("", "## By table", "")
        yield "| table | wagers | players gain | house gains |\n| --- | ---: | ---: | ---: |"
        for table, sums in sorted(totals.by_table.items()):
            yield (
                f"| {safe(table)} | {sums.wagers:,} | {money_text(sums.players_gain)} | "
                f"{money_text(sums.house_gains)} |"
            )
    yield from _apart(totals)
    if unseen is not None:
        yield from ("", "## Differences that never occurred", "", never_seen(unseen), "")
        yield from (f"- {safe(class_text(one))}" for one in unseen.classes)


def _apart(totals: Totals) -> Iterator[str]:
    if totals.forbidden:
        yield from ("", "## Plays that only one text forbids", "")
        yield "| forbidden by | play | clause | plays |\n| --- | --- | --- | ---: |"
        for (new, action, clause), n in sorted(totals.forbidden.items(), reverse=True):
            yield f"| {'new' if new else 'old'} text | {action} | {safe(clause)} | {n:,} |"
        yield from ("", f"{totals.not_settled:,} wagers that rest on such plays are not settled.")
    if totals.undecided:
        yield from ("", "## Undecided", "", "| under | reason | wagers |\n| --- | --- | ---: |")
        for (which, why), n in sorted(totals.undecided.items()):
            yield f"| {which} | {safe(why)} | {n:,} |"
    if totals.clashes:
        yield from (
            "",
            f"{totals.clashes:,} rounds stand twice with different content: both are settled.",
        )
    if totals.misplaced:
        yield from (
            "",
            f"{totals.misplaced:,} rounds are out of order: what the shoe tells is not "
            "carried across.",
        )
    if totals.quarantined:
        yield from ("", f"{totals.quarantined:,} lines of the log are no valid round.")
