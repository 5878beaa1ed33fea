"""A comparison as one page that needs nothing else: no script, no font, no network."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from checker.compare.compare import Compared, Matrix
from checker.compare.compare import Line as Answers
from checker.compare.values import Cell
from checker.render.compare_text import LEGEND, MARKS
from checker.render.style import style_sheet


def compare_html(matrix: Matrix) -> str:
    return "\n".join(_page(matrix)) + "\n"


def _page(matrix: Matrix) -> Iterator[str]:
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>Rulebooks compared</title>\n<style>{style_sheet()}</style>\n</head>"
    yield '<body class="compare">'
    yield "<h1>Rulebooks compared</h1>"
    yield f"<p>{escape(matrix.counted())}</p>"
    for sentence in LEGEND:
        yield f"<p>{escape(sentence)}</p>"
    yield '<input type="checkbox" id="only"> <label for="only">only differences</label>'
    yield '<table>\n<colgroup><col style="width:2.2rem"><col class="topic"></colgroup>\n<thead><tr>'
    yield '<th class="mark"></th><th>topic</th>'
    for name, title in zip(matrix.names, matrix.titles, strict=True):
        yield f'<th scope="col">{escape(name)}<small>{escape(title)}</small></th>'
    yield "</tr></thead>\n<tbody>"
    yield from _body(matrix)
    yield "</tbody>\n</table>\n</body>\n</html>"


def _body(matrix: Matrix) -> Iterator[str]:
    span = len(matrix.names) + 2
    groups: dict[str, list[Compared]] = {}
    for compared in matrix.compared:
        groups.setdefault(compared.topic.group, []).append(compared)
    for group, members in groups.items():
        alike = "" if any(c.differs for c in members) else " alike"
        yield f'<tr class="group{alike}"><th colspan="{span}">{escape(group)}</th></tr>'
        for compared in members:
            alike = "" if compared.differs else " alike"
            yield (
                f'<tr class="topic{alike}" id="{escape(compared.topic.id)}"><th></th>'
                f'<th colspan="{span - 1}">{escape(compared.topic.label)}</th></tr>'
            )
            for answers in compared.lines:
                yield _row(answers)


def _row(answers: Answers) -> str:
    kind = "differs" if answers.differs else "alike"
    told = "".join(_cell(cell) for cell in answers.cells)
    return (
        f'<tr class="{kind}"><td class="mark">{MARKS[answers.differs]}</td>'
        f'<td class="label">{escape(answers.label)}</td>{told}</tr>'
    )


def _cell(cell: Cell) -> str:
    clauses = f"<small>{escape(', '.join(cell.clauses))}</small>" if cell.clauses else ""
    note = f"<small>{escape(cell.note)}</small>" if cell.note else ""
    return f"<td>{escape(cell.text)}{note}{clauses}</td>"
