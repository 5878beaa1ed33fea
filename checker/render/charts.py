"""Bar charts as SVG, for reports, trends and the workbench.

Colours are attributes, not a style: a strict Content-Security-Policy would drop a style."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_ROW, _LABEL, _BAR, _NUMBER = 22, 190, 360, 70
_COLOURS = ("#4a7fc1", "#ce8b2a", "#6a8f4e")


def bars_svg(
    rows: Sequence[tuple[str, *tuple[int, ...]]],
    names: Sequence[str] = (),
    *,
    shown: Sequence[Sequence[str]] | None = None,
    most: int = 40,
    title: str = "bar chart",
) -> str:
    """Horizontal bars: a row for each label, in it one bar for each number. `shown` are the words
    for the numbers, where they are not plain counts; `names` says what the bars of a row are."""
    kept = rows[:most]
    largest = max((max(numbers, default=0) for _, *numbers in kept), default=0) or 1
    deep = max((len(numbers) for _, *numbers in kept), default=1)
    height = len(kept) * _ROW * deep + _ROW * (bool(names) + (len(rows) > most)) + 6
    parts: list[str] = []
    y = 4
    if names:
        for i, name in enumerate(names):
            x = _LABEL + i * 120
            parts.append(
                f'<rect fill="{_COLOURS[i % 3]}" x="{x}" y="{y + 4}" width="10" height="10"/>'
            )
            parts.append(f'<text x="{x + 15}" y="{y + 13}">{escape(name)}</text>')
        y += _ROW
    for at, (label, *numbers) in enumerate(kept):
        short = label if len(label) <= 28 else label[:27] + "…"
        parts.append(
            f'<text x="{_LABEL - 8}" y="{y + 15}" text-anchor="end">{escape(short)}'
            f"<title>{escape(label)}</title></text>"
        )
        for i, number in enumerate(numbers):
            wide = max(number * _BAR // largest, 1 if number else 0)
            told = f"{number:,}" if shown is None else shown[at][i]
            parts.append(
                f'<rect fill="{_COLOURS[i % 3]}" x="{_LABEL}" y="{y + 3}" width="{wide}" '
                f'height="{_ROW - 7}"/>'
            )
            parts.append(f'<text x="{_LABEL + wide + 6}" y="{y + 15}">{escape(told)}</text>')
            y += _ROW
    if len(rows) > most:
        parts.append(f'<text x="{_LABEL}" y="{y + 15}">and {len(rows) - most:,} more</text>')
    width = _LABEL + _BAR + _NUMBER
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" fill="currentColor" '
        'font-size="12" font-family="system-ui, sans-serif" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>\n"
    )
