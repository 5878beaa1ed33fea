"""What the proofs of each rulebook do not cover, for people."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from checker.render.lines import Line, View, line, wrapped


def cover_lines(
    proofs: Mapping[str, Mapping[str, Any]], undecided: Collection[str], view: View
) -> Iterator[Line]:
    """`undecided`: each begins with the name of its rulebook."""
    for name, cover in proofs.items():
        yield line((f"What the proofs of {name} do not cover (see docs/proofs.md):", "strong"))
        told = False
        for sentence in _sentences(cover):
            told = True
            yield from wrapped(line(f"  {sentence}"), view.width, indent=4)
        if not told:
            more = any(what.startswith(f"{name}: ") for what in undecided)
            what = "what is named as not decided" if more else "nothing that a rule of it asks for"
            yield line(f"  {what}")
        yield ()


def _sentences(cover: Mapping[str, Any]) -> Iterator[str]:
    for fact, clauses in cover["facts_not_varied"].items():
        yield f"`{fact}` is not varied: {', '.join(clauses)}"
    no_gaps = cover["not_searched_for_gaps"]
    for kind, clauses in cover["by_words_only"].items():
        how = "compared by their words only" + ", gaps not looked for" * (kind in no_gaps)
        yield f"{kind}: {how}: {', '.join(clauses)}"
    for kind, clauses in cover["not_searched"].items():
        yield f"{kind}: not searched: {', '.join(clauses)}"
    without = len(cover["clauses_without_rules"])
    if without:
        be = "clause is" if without == 1 else "clauses are"
        yield f"{without} {be} not checkable and so without rules (`rulespec coverage` lists them)"
    blind = cover["references_not_told_apart"]
    if blind:
        shown = ", ".join(f"{clause} to {target}" for clause, target in blind)
        yield (
            f"in {len(blind)} of {cover['references']} references a slip to the number beside it "
            f"would not be noticed: {shown}"
        )
