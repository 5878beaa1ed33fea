"""A comparison on a terminal: topics downwards, rulebooks across, differences marked by a sign."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from checker.compare.compare import Compared, Matrix
from checker.compare.compare import Line as Answers
from checker.compare.values import CANNOT_ARISE, NOT_CHECKABLE, SEE_CLAUSE, Cell
from checker.render.lines import Line, Piece, View, cells, line, visible, wrapped

WIDTH = 120  # where no terminal sets one
NARROWEST = 13
MARKS = {True: "≠", False: "=", None: "?"}
LEGEND = (
    "≠ the texts differ; = they say the same; ? the rules cannot tell.",
    "– the text has nothing on it; open: the text leaves it open, and why stands below.",
    "cannot arise: the text forbids a play on the way there; undecided: it could not be asked.",
    f"{SEE_CLAUSE} the clause that speaks of it, by its title in our own words; "
    f"{NOT_CHECKABLE} the same, where no log can show it.",
)


def compare_text(matrix: Matrix, view: View) -> Iterator[Line]:
    width = view.width or WIDTH
    group = None
    column = _column(matrix, width)
    label = width - 2 - len(matrix.names) * (column + 1)
    for compared in matrix.compared:
        if compared.topic.group != group:
            group = compared.topic.group
            yield line((group.upper(), "strong"))
            yield from _row(
                " ",
                "",
                [n.replace("-", "- ") for n in matrix.names],
                label,
                column,
                "faint",
                glue=True,
            )
        yield from _topic(matrix, compared, label, column, width, view)
        yield ()
    if not view.quiet:
        yield from summary(matrix, view)


def _column(matrix: Matrix, width: int) -> int:
    """As wide as five rulebooks allow beside a label of a quarter of the width."""
    return max(NARROWEST, min(30, (width - width // 4 - 2) // len(matrix.names) - 1))


def _topic(
    matrix: Matrix, compared: Compared, label: int, column: int, width: int, view: View
) -> Iterator[Line]:
    mark = MARKS[compared.differs] if len(matrix.names) > 1 else " "
    style = "warning" if compared.differs else ""
    alone = len(compared.lines) == 1
    if not alone or compared.lines[0].label in _VAGUE:
        yield line((f"{mark} ", style), (compared.topic.label, "strong"))
    for answers in compared.lines:
        named = alone and answers.label not in _VAGUE
        title = f"{compared.topic.label}: {answers.label}" if named else f"  {answers.label}"
        sign = MARKS[answers.differs] if len(matrix.names) > 1 else " "
        yield from _answers(answers, title, sign, label, column)
    lists = [_shortened(compared.clauses(n), view.full) for n in range(len(matrix.names))]
    if any(lists):
        yield from _row(" ", "  clauses", lists, label, column, "faint")
    yield from _open(matrix, compared, width)


_VAGUE = frozenset({"what the text says", "the wager", "wagers", "hands", "decks", "boxes"})


def _answers(answers: Answers, title: str, sign: str, label: int, column: int) -> Iterator[Line]:
    texts = [cell.text for cell in answers.cells]
    style = "warning" if answers.differs else ""
    if len(texts) > 1 and answers.differs is False:
        yield from _row(sign, title, [f"all: {texts[0]}"], label, len(texts) * (column + 1) - 1)
    else:
        yield from _row(sign, title, texts, label, column, sign_style=style)


def _row(
    sign: str,
    title: str,
    texts: Sequence[str],
    label: int,
    column: int,
    style: str = "",
    sign_style: str = "",
    glue: bool = False,
) -> Iterator[Line]:
    """A row of cells, each folded within its column."""
    folded = [_folded(title, label - 1, hang=4)]
    folded += [_folded(text, column, glue=glue) for text in texts]
    for n in range(max(len(part) for part in folded)):
        pieces = [Piece(f"{sign if n == 0 else ' '} ", sign_style)]
        for place, part in enumerate(folded):
            text = part[n] if n < len(part) else ""
            space = (label if place == 0 else column + 1) - cells(text)
            pieces.append(Piece(text + " " * max(space, 0), style))
        yield tuple(pieces)


def _folded(text: str, width: int, hang: int = 0, glue: bool = False) -> list[str]:
    clean = visible(text)
    indent = " " * (len(clean) - len(clean.lstrip(" ")))
    parts = textwrap.wrap(
        clean,
        max(width, 4),
        subsequent_indent=indent + " " * hang,
        break_on_hyphens=False,
        initial_indent="",
    )
    parts = [part if n or not indent else indent + part.lstrip() for n, part in enumerate(parts)]
    return [part.replace("- ", "-") for part in parts] if glue else parts or [""]


def _shortened(clauses: Sequence[str], full: bool) -> str:
    shown = clauses if full or len(clauses) <= 8 else clauses[:7]
    more = f" +{len(clauses) - len(shown)}" if len(shown) < len(clauses) else ""
    return ", ".join(c for c in shown) + more


def _open(matrix: Matrix, compared: Compared, width: int) -> Iterator[Line]:
    """Why something is open, once for each reason."""
    told: dict[tuple[str, str, str], list[str]] = {}
    for answers in compared.lines:
        for name, cell in zip(matrix.names, answers.cells, strict=True):
            if cell.note and (cell.standing in ("open", "undecided") or cell.value == CANNOT_ARISE):
                key = (cell.text, name, _reason(cell))
                told.setdefault(key, []).append(answers.label)
    for (standing, name, reason), labels in told.items():
        what = f" ({labels[0]})" if len(labels) == 1 and len(compared.lines) > 1 else ""
        because = "because " if standing == "undecided" else ""
        why = line((f"    {standing} in ", "faint"), f"{name}{what}: {because}{reason}")
        yield from wrapped(why, width, 6)


def _reason(cell: Cell) -> str:
    return f"{cell.note} [{', '.join(cell.clauses)}]" if cell.clauses else cell.note or ""


def summary(matrix: Matrix, view: View) -> Iterator[Line]:
    yield from wrapped(line((matrix.counted(), "strong")), view.width, indent=0)
    for sentence in LEGEND:
        yield from wrapped(line((sentence, "faint")), view.width, indent=0)
