"""How the sections of a rulebook refer to each other, drawn as arcs beside their list."""

from __future__ import annotations

from collections import Counter
from html import escape

from checker.graph import Graph

_ROW, _LABEL, _ARC = 26, 320, 260
_REFERRING = frozenset({"cites", "subject-to", "despite", "pays-as", "prevails", "amends"})


def sections_svg(drawn: Graph) -> str:
    """An arc for each pair of sections of which one refers to the other, the thicker the more."""
    order = list(drawn.headings)
    place = {section: at for at, section in enumerate(order)}
    home = {node.id: node.section for node in drawn.nodes}
    pairs: Counter[tuple[str, str]] = Counter()
    for edge in drawn.edges:
        one, other = home.get(edge.source), home.get(edge.target)
        if edge.kind in _REFERRING and one in place and other in place and one != other:
            assert one is not None
            assert other is not None
            pairs[one, other] += 1
    high = len(order) * _ROW + 10
    parts = []
    for (one, other), count in sorted(pairs.items()):
        top, bottom = (place[s] * _ROW + _ROW // 2 + 5 for s in (one, other))
        reach = _LABEL + min(_ARC - 10, 20 + abs(top - bottom) // 2)
        told = f"{drawn.headings[one]} refers to {drawn.headings[other]}: {count}"
        parts.append(
            f'<path class="edge" stroke-width="{min(1 + count // 2, 6)}" '
            f'd="M{_LABEL} {top} C{reach} {top} {reach} {bottom} {_LABEL} {bottom}">'
            f"<title>{escape(told)}</title></path>"
        )
    for section in order:
        y = place[section] * _ROW + 5
        label = drawn.headings[section]
        short = label if len(label) <= 44 else label[:43] + "…"
        parts.append(
            f'<rect class="node" x="2" y="{y}" width="{_LABEL - 2}" height="{_ROW - 4}" rx="4"/>'
            f'<text x="10" y="{y + 15}">{escape(short)}<title>{escape(label)}</title></text>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="graph" role="img" '
        f'viewBox="0 0 {_LABEL + _ARC} {high}" width="{_LABEL + _ARC}" height="{high}">'
        f"<title>sections and their references</title>{''.join(parts)}</svg>"
    )
