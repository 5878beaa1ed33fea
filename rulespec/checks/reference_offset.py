"""References that are off by one constant number throughout a document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rulespec.base.diagnostics import Diagnostic, Related
from rulespec.checks.printed_text import Citation, PrintedText

MAX_OFFSET = 5


@dataclass(frozen=True, slots=True)
class Offset:
    """Every reference is `by` too low; `part` says which number of it is to be raised."""

    part: Literal["section", "rule"]
    by: int

    def apply(self, number: str) -> str | None:
        first, last = r"()(\d{1,9})(.*)", r"((?:.*?\.)?)(\d{1,9})((?:\([^)]*\))*)"
        match = re.fullmatch(first if self.part == "section" else last, number)
        raised = int(match[2]) + self.by if match else 0
        return f"{match[1]}{raised}{match[3]}" if match and raised > 0 else None

    def meant(self, citation: Citation) -> tuple[str, str | None] | None:
        target = self.apply(citation.target)
        up_to = self.apply(citation.up_to) if citation.up_to else None
        if target is None or (citation.up_to and up_to is None):
            return None
        return target, up_to

    def __str__(self) -> str:
        count = "one" if abs(self.by) == 1 else str(abs(self.by))
        plural = "" if abs(self.by) == 1 else "s"
        return f"{count} {self.part}{plural} {'higher' if self.by > 0 else 'lower'}"


def infer_offset(
    text: PrintedText, citations: list[Citation], wrong: dict[int, str]
) -> Offset | None:
    """The constant that puts most wrong references right, judged by numbers and topics only.

    A section that was put in moves only what comes after it, so the references that are right
    count against it from the lowest wrong one on. Where neighbours are on one subject many look
    right as printed; then nearly all have to be right when they are moved.
    """
    flawed = [i for i, flaw in wrong.items() if flaw != "read otherwise"]
    if len(flawed) < 3:
        return None
    best: tuple[int, Offset] = 0, Offset("rule", 0)
    for by in sorted((n for n in range(-MAX_OFFSET, MAX_OFFSET + 1) if n), key=abs):
        parts = [Offset("section", by), Offset("rule", by)]
        # Where clauses are counted through the text, a plain number is that of a rule.
        for offset in parts if any(s.isdigit() for s in text.sections) else parts[::-1]:
            mended = sum(_mends(text, citations[i], offset) for i in flawed)
            if mended > best[0]:
                best = mended, offset
    if best[0] < 3 or 3 * best[0] < 2 * len(flawed):
        return None
    low = min(leading(citations[i]) for i in flawed)
    reached = [i for i, c in enumerate(citations) if c.reference.about and leading(c) >= low]
    typed = sum(i in wrong for i in reached)
    fitting = sum(_mends(text, citations[i], best[1]) for i in reached)
    many = 2 * typed >= len(reached)
    some = 4 * typed >= len(reached) and 10 * fitting >= 9 * len(reached)
    return best[1] if typed >= 3 and (many or some) else None


def _mends(text: PrintedText, citation: Citation, offset: Offset) -> bool:
    meant = offset.meant(citation)
    if meant is None or meant[0] == citation.owner:
        return False
    target, up_to = meant
    return (
        text.exists(target)
        and text.exists(up_to or target)
        and text.fits(target, up_to, citation.reference.about)
    )


def leading(citation: Citation) -> int:
    match = re.match(r"\d{1,9}", citation.target)
    return int(match[0]) if match else 0


def explained(
    text: PrintedText, citations: list[Citation], wrong: dict[int, str], offset: Offset
) -> list[int]:
    """What the offset mends, and what is read as if it did."""
    return [
        i
        for i, flaw in wrong.items()
        if (flaw != "read otherwise" and _mends(text, citations[i], offset))
        or (citations[i].read_as == (offset.meant(citations[i]) or ("",))[0])
    ]


def offset_finding(
    rulebook: str, shifted: list[Citation], offset: Offset, start: int | None
) -> Diagnostic:
    related = []
    for citation in shifted:
        target, up_to = offset.meant(citation) or ("", None)
        meant = f"{target} to {up_to}" if up_to else target
        role = f"{citation.kind} {citation.as_printed}, meant {meant}"
        related.append(Related(citation.owner, role, citation.reference.span))
    which = "every reference" if start is None else f"every reference to `{start}` and beyond"
    return Diagnostic(
        "R203",
        f"{len(shifted)} references are off by a constant: each means {offset} than printed",
        shifted[0].reference.span,
        rulebook,
        related=tuple(related),
        help=f"read {which} as {offset}",
        about=(f"{len(shifted)} references, {offset.by:+} {offset.part}",),
    )


def against_the_offset(
    rulebook: str, shifted: list[Citation], offset: Offset
) -> Iterator[Diagnostic]:
    """Each reference that is applied as something else than the constant makes of it."""
    followed = any(c.read_as == (offset.meant(c) or ("",))[0] for c in shifted)
    for citation in shifted:
        target, _ = offset.meant(citation) or ("", None)
        if citation.read_as not in (None, target):
            applied = f"read as `{citation.read_as}`"
        elif citation.read_as is None and citation.kind != "cites" and followed:
            applied = "applied so"
        else:
            continue
        yield Diagnostic(
            "R202",
            f"{citation}, {applied}, but by the constant offset it means `{target}`",
            citation.reference.span,
            rulebook,
            citation.owner,
            help=f"read as `{target}`",
            about=(citation.named,),
        )
