"""A comparison as markdown tables, one for each group of topics."""

from __future__ import annotations

from collections.abc import Iterator

from checker.compare.compare import Matrix
from checker.compare.values import CANNOT_ARISE, Cell
from checker.render.compare_text import LEGEND, MARKS


def compare_markdown(matrix: Matrix) -> str:
    return "\n".join(_lines(matrix)) + "\n"


def _lines(matrix: Matrix) -> Iterator[str]:
    yield "# Rulebooks compared"
    yield ""
    for name, title in zip(matrix.names, matrix.titles, strict=True):
        yield f"- `{name}`: {safe(title)}"
    yield from ("", matrix.counted())
    group = None
    for compared in matrix.compared:
        if compared.topic.group != group:
            group = compared.topic.group
            yield from ("", f"## {group}", "")
            yield "|  | topic | " + " | ".join(f"`{n}`" for n in matrix.names) + " |"
            yield "| --- | --- |" + " --- |" * len(matrix.names)
        for n, answers in enumerate(compared.lines):
            topic = f"**{safe(compared.topic.label)}**<br>" if n == 0 else ""
            cells = " | ".join(_cell(cell) for cell in answers.cells)
            yield f"| {MARKS[answers.differs]} | {topic}{safe(answers.label)} | {cells} |"
    yield ""
    for sentence in LEGEND:
        yield f"_{sentence}_  "


def _cell(cell: Cell) -> str:
    clauses = f" ({', '.join(cell.clauses)})" if cell.clauses else ""
    told = cell.standing in ("open", "undecided") or cell.value == CANNOT_ARISE
    note = f": {cell.note}" if cell.note and told else ""
    return safe(f"{cell.text}{note}{clauses}")


def safe(text: str) -> str:
    """Nothing of a text is taken for markup of a table or for a link."""
    for sign in "\\|*_`[]<>":
        text = text.replace(sign, "\\" + sign)
    return text.replace("\n", " ")
