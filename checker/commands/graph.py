"""`rulespec graph`: the rule graph of a rulebook, to look at or to work with."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from checker.commands.output import add_command, emit, note, say, write_result, wrong_call

if TYPE_CHECKING:
    from checker.commands.output import Subparsers
    from checker.graph import Edge, Graph, Node
    from checker.report import Report
    from rulespec.load.named import Book

FORMATS = ("dot", "mermaid", "json", "svg", "text")
UNUSABLE = 2
MERMAID_EDGES = 500  # what mermaid draws unless the page that shows it allows more

# kind of node: shape and fill colour
_NODES = {
    "clause": ("box", "#ffffff"),
    "section": ("tab", "#e8e8e8"),
    "term": ("ellipse", "#fff4cc"),
    "question": ("hexagon", "#d9ecff"),
    "table": ("cylinder", "#e2f5e2"),
    "reading": ("note", "#f3e6ff"),
    "outside": ("folder", "#eeeeee"),
    "missing": ("box", "#ffd6d6"),
}
# kind of edge: colour and style; references and precedence carry their name, the rest a tooltip
_EDGES = {
    "part-of": ("#bbbbbb", "dotted"),
    "cites": ("#333333", "solid"),
    "subject-to": ("#b35900", "solid"),
    "despite": ("#a00000", "solid"),
    "pays-as": ("#2e7d32", "solid"),
    "defines": ("#997a00", "solid"),
    "uses": ("#ccb366", "dashed"),
    "decides": ("#3377bb", "solid"),
    "prevails": ("#7733aa", "bold"),
    "reads": ("#7733aa", "dotted"),
    "amends": ("#006644", "bold"),
    "circle": ("#ff0000", "bold"),
}
_NAMED = frozenset({"subject-to", "despite", "pays-as", "prevails", "amends", "circle"})


def register(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "graph",
        "Draw how the clauses of a rulebook hang together: clauses, terms, questions, payout "
        "tables and\nreadings, with what they cite, yield to, define, use and decide.",
        FORMATS,
    )
    parser.add_argument(
        "rules", metavar="RULES", help="an id, a .rules file or a folder; `-` is standard input"
    )
    parser.add_argument(
        "--clause", metavar="ID", help="only this clause or section, and its neighbours"
    )
    parser.add_argument(
        "--depth",
        type=_depth,
        default=1,
        metavar="N",
        help="with --clause: how many steps away (without this option: 1)",
    )
    parser.add_argument("--edges", type=_kinds, metavar="KIND,…", help="only edges of these kinds")


def _depth(text: str) -> int:
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"`{text}` is not a number of steps")


def _kinds(text: str) -> list[str]:
    from checker.graph import EDGE_KINDS

    kinds = [kind.strip() for kind in text.split(",") if kind.strip()]
    for kind in kinds:
        if kind not in EDGE_KINDS:
            listed = ", ".join(EDGE_KINDS)
            raise argparse.ArgumentTypeError(f"there is no kind of edge `{kind}`, only {listed}")
    if not kinds:
        raise argparse.ArgumentTypeError("no kind of edge is named")
    return kinds


def run(args: argparse.Namespace) -> int:
    from checker.graph import graph
    from rulespec.load.named import load_named

    books, wrong = load_named([args.rules])
    if len(books) > 1:
        ids = ", ".join(b.loaded.rulebook.id for b in books if b.loaded.rulebook is not None)
        wrong_call("graph", f"`{args.rules}` holds {len(books)} rulebooks", f"name one: {ids}")
    report = _report(books, wrong)
    rulebook = books[0].loaded.rulebook if books else None
    # Part of a graph would look like the whole; a circle is in the whole one.
    if rulebook is None or any(found.code != "R116" for found in report.findings):
        return _fail(args, report)
    whole = graph(rulebook, books[0].loaded.diagnostics)
    shown = _selected(args, whole)
    if args.format == "mermaid" and len(shown.edges) > MERMAID_EDGES:
        note(
            args,
            f"rulespec graph: mermaid draws {MERMAID_EDGES} edges unless told otherwise, and these "
            f"are {len(shown.edges):,}; narrow them by --clause or --edges",
        )
    draw: dict[str, Callable[[Graph], str]] = {
        "dot": to_dot,
        "mermaid": to_mermaid,
        "svg": to_svg,
        "text": to_text,
        "json": lambda shown: to_json(shown, report),
    }
    write_result(draw[args.format](shown), args.output, None if args.format == "text" else "utf-8")
    if report.findings:
        _complain(report)
    return report.exit_status


def _selected(args: argparse.Namespace, whole: Graph) -> Graph:
    shown = whole
    centre: list[str] = []
    if args.clause is not None:
        centre = whole.named(args.clause)
        if not centre:
            _no_such_clause(args.clause, whole)
    if args.edges:
        shown = shown.only(args.edges)
    if centre:
        from dataclasses import replace

        shown = shown.around(centre, args.depth)
        kept = {*centre, *(n.id for n in shown.nodes)}
        shown = replace(shown, nodes=tuple(n for n in whole.nodes if n.id in kept))
    return shown


def _no_such_clause(clause: str, whole: Graph) -> None:
    from rulespec.resolve.typecheck import did_you_mean

    known = [n.id.partition(":")[2] for n in whole.nodes if n.kind in ("clause", "section")]
    listed = f"`rulespec coverage {whole.rulebook} --clauses` lists them"
    advice = did_you_mean(clause, known, listed)
    wrong_call("graph", f"`{whole.rulebook}` has no clause `{clause}`", advice)


# --- what went wrong


def _report(books: list[Book], wrong: Iterable[object]) -> Report:
    """The errors of the rulebook; flaws of the text are for `rulespec check`."""
    from checker.report import Report, inputs_of, texts_of
    from rulespec.base.diagnostics import Diagnostic, ordered

    found = [d for d in wrong if isinstance(d, Diagnostic)]
    found += [d for book in books for d in book.loaded.diagnostics if d.unusable]
    return Report(
        "graph",
        inputs_of(books),
        ordered(found),
        matched=bool(books),
        texts=texts_of(books),
    )


def _fail(args: argparse.Namespace, report: Report) -> int:
    """No graph at all: the report says why, on stderr, for stdout is for the graph."""
    if args.format == "json":
        return emit(args, report)
    _complain(report)
    return report.exit_status


def _complain(report: Report) -> None:
    from checker.render.lines import View, plain
    from checker.render.to_text import finding_lines

    say(plain(finding_lines(report, View())).rstrip("\n"))


# --- formats


def to_json(shown: Graph, report: Report) -> str:
    """The keys of every report, and the graph beside them."""
    import json

    from checker.graph import SCHEMA

    document = report.as_json() | {
        "schema": SCHEMA,
        "rulebook": shown.rulebook,
        "title": shown.title,
        "nodes": [n.as_json() for n in shown.nodes],
        "edges": [e.as_json() for e in shown.edges],
        "summary": shown.counts(),
    }
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def to_dot(shown: Graph) -> str:
    """Sections are boxes around their clauses, so being part of one needs no arrow."""
    lines = [
        f"digraph {_quoted(shown.rulebook)} {{",
        f"  label={_quoted(shown.title)}; labelloc=t; rankdir=LR; compound=true; newrank=true;",
        '  node [fontname="Helvetica", fontsize=10, style=filled];',
        '  edge [fontname="Helvetica", fontsize=8];',
    ]
    for section, members in _clusters(shown):
        indent = "  "
        if section is not None:
            label = _quoted(shown.headings[section])
            lines.append(f"  subgraph {_quoted(f'cluster {section}')} {{")
            lines.append(f'    label={label}; style=rounded; color="#999999";')
            indent = "    "
        for node in members:
            shape, colour = _NODES[node.kind]
            lines.append(
                f"{indent}{_quoted(node.id)} [label={_quoted(node.label)}, "
                f'shape={shape}, fillcolor="{colour}"];'
            )
        if section is not None:
            lines.append("  }")
    for edge in _arrows(shown):
        colour, style = _EDGES[edge.kind]
        label = _label(edge)
        named = f", label={_quoted(label)}" if label else ""
        lines.append(
            f"  {_quoted(edge.source)} -> {_quoted(edge.target)} "
            f'[color="{colour}", style={style if edge.applied else "dashed"}{named}, '
            f"tooltip={_quoted(_sentence(edge))}];"
        )
    return "\n".join([*lines, "}"]) + "\n"


def _clusters(shown: Graph) -> Iterator[tuple[str | None, list[Node]]]:
    """Each section with what is drawn in it, and at last what stands in no section. A section is
    a node of its own only where an arrow points to it, or where nothing else is in it."""
    aimed = {end for edge in _arrows(shown) for end in (edge.source, edge.target)}
    filled = {n.section for n in shown.nodes if n.kind != "section"}
    inside: dict[str | None, list[Node]] = {}
    for node in shown.nodes:
        if node.kind != "section" or node.id in aimed or node.section not in filled:
            inside.setdefault(node.section, []).append(node)
    alone = inside.pop(None, [])
    yield from inside.items()
    if alone:
        yield None, alone


def _arrows(shown: Graph) -> Iterator[Edge]:
    sections = {n.id: n.section for n in shown.nodes}
    for edge in shown.edges:
        is_cluster = edge.target.startswith("section:") and edge.kind == "part-of"
        if not (is_cluster and sections.get(edge.source) == sections.get(edge.target)):
            yield edge


def _label(edge: Edge) -> str:
    """What is written beside an arrow."""
    words = [edge.kind] if edge.kind in _NAMED else []
    if edge.read_as is not None:
        words.append(f"{edge.printed} read as {edge.read_as}" if edge.applied else "as printed")
    if edge.reading is not None:
        words.append(f"by {edge.reading}")
    if edge.when is not None:
        words.append(f"when {edge.when}")
    return " ".join(words)


def _sentence(edge: Edge) -> str:
    from checker.graph import EDGE_KINDS

    source, target = (end.partition(":")[2] for end in (edge.source, edge.target))
    read = f" (printed {edge.printed}, read as {edge.read_as})" if edge.read_as else ""
    return f"{source} {EDGE_KINDS[edge.kind]} {target}{read}"


def _quoted(text: str) -> str:
    """A string of the dot language; a backslash would begin an escape such as \\N."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{" ".join(escaped.split())}"'


_MERMAID = str.maketrans(
    {
        "#": "#35;",
        '"': "#quot;",
        "<": "#lt;",
        ">": "#gt;",
        "&": "#amp;",
        "`": "#96;",
        "\\": "#92;",
    }
)


def to_mermaid(shown: Graph) -> str:
    def text(words: str) -> str:
        return '"' + " ".join(words.split()).translate(_MERMAID) + '"'

    names = {node.id: f"n{number}" for number, node in enumerate(shown.nodes)}
    shapes = {
        "term": "([{}])",
        "question": "{{{{{}}}}}",
        "table": "[({})]",
        "reading": ">{}]",
        "outside": "[/{}/]",
    }
    lines = ["flowchart LR"]
    for number, (section, members) in enumerate(_clusters(shown)):
        indent = "  "
        if section is not None:
            lines.append(f"  subgraph s{number}[{text(shown.headings[section])}]")
            indent = "    "
        for node in members:
            shape = shapes.get(node.kind, "[{}]").format(text(node.label))
            lines.append(f"{indent}{names[node.id]}{shape}:::{node.kind}")
        if section is not None:
            lines.append("  end")
    for edge in _arrows(shown):
        arrow = "-->" if edge.applied and edge.kind not in ("uses", "reads", "part-of") else "-.->"
        label = f"|{text(_label(edge) or edge.kind)}|"
        lines.append(f"  {names[edge.source]} {arrow}{label} {names[edge.target]}")
    for kind, (_, colour) in _NODES.items():
        lines.append(f"  classDef {kind} fill:{colour},stroke:#666666,color:#000000")
    return "\n".join(lines) + "\n"


def to_svg(shown: Graph) -> str:
    import shutil
    import subprocess

    program = shutil.which("dot")
    if program is None:
        wrong_call(
            "graph",
            "svg needs the program `dot`, which is not installed",
            "install Graphviz, or take --format dot or mermaid",
        )
    drawn = subprocess.run([program, "-Tsvg"], input=to_dot(shown).encode(), capture_output=True)
    if drawn.returncode != 0:
        complaint = " ".join(drawn.stderr.decode("utf-8", "replace").split())[:200]
        wrong_call(
            "graph",
            f"`dot` could not draw the graph: {complaint}",
            "narrow it by --clause or --edges, or take --format dot",
        )
    return drawn.stdout.decode("utf-8")


def to_text(shown: Graph) -> str:
    """Every node with the edges that leave it."""
    from checker.graph import EDGE_KINDS
    from checker.render.lines import visible

    labels = {node.id: node.label for node in shown.nodes}
    leaving: dict[str, list[Edge]] = {}
    for edge in shown.edges:
        leaving.setdefault(edge.source, []).append(edge)
    lines: list[str] = []
    for node in shown.nodes:
        lines.append(f"{node.kind} {node.label}")
        for edge in leaving.get(node.id, ()):
            extra = f" (printed {edge.printed}, read as {edge.read_as})" if edge.read_as else ""
            when = f" when {edge.when}" if edge.when else ""
            extra += f" (by {edge.reading}{when})" if edge.reading else ""
            lines.append(f"  {EDGE_KINDS[edge.kind]} {labels[edge.target]}{extra}")
    return "".join(f"{visible(line)}\n" for line in lines)
