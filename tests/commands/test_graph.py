"""The rule graph: what is in it, what can be cut out of it, and how it is written."""

import json
import os
import re
import stat
from pathlib import Path

import pytest

from checker.cli import main
from checker.commands.graph import to_dot, to_mermaid, to_text
from checker.graph import EDGE_KINDS, Edge, Graph, graph
from rulespec.load.load import load, shipped

SAMPLE = r"""
rulebook sample { title "Sample \N" game pontoon in force from 2020-01-01 }
section 12 "Doubling" about doubling {
  despite 14
  clause 12.1 "When to double" {
    uses "Doubles", "Chip"
    may double when hand.cards = 2 and not dealer.pontoon
    subject to 12.2
  }
  clause 12.2 "Never on a natural" { may not double when hand.pontoon cites 14.1 to 14.2 }
  clause 12.7 "Doubled pay evens" {
    main pays 1 to 1 when hand.doubled
    despite 14.4 as payout read as 14.2
    cites 99, 14
    cites outside "the Act"
  }
}
section 14 "Final settlement" about settlement, payout {
  clause 14.1 "Results" { introduces its parts }
  clause 14.1(d) "Any 21 wins" { main wins when hand.total = 21 }
  clause 14.1(g) "Dealer's natural" { main loses when dealer.pontoon }
  clause 14.2 "Odds" {
    main pays { hand.pontoon -> 3 to 2  otherwise -> 1 to 1 }
    define hand.pontoon as hand.cards = 2 and hand.total = 21
    defines "Double", "Pontoon & <natural> `x`"
  }
}
reading paid-first { because "so" 14.1(d) prevails over 14.1(g) under 14.1(g): main wins }
reading other inactive { because "not so" 14.1(g) prevails over 14.1(d) }
"""

CIRCLE = """
rulebook circle { title "Circle" in force from 2020-01-01 }
clause 1 "One" { despite 2 main wins }
clause 2 "Two" { despite 3 main loses }
clause 3 "Three" { main is void }
clause 4 "Four" { main stands off subject to 3 despite 1 }
clause 5 "Five" { main wins despite 4 }
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "sample.rules"
    path.write_text(SAMPLE)
    return path


@pytest.fixture
def sample(path: Path) -> Graph:
    loaded = load(path)
    assert loaded.diagnostics == ()
    assert loaded.rulebook is not None
    return graph(loaded.rulebook)


def ends(shown: Graph, kind: str) -> list[tuple[str, str]]:
    return [(e.source, e.target) for e in shown.edges if e.kind == kind]


# --- what is in it


def test_counts(sample: Graph) -> None:
    assert sample.counts() == {
        "nodes": {
            "section": 2,
            "clause": 7,
            "missing": 3,
            "outside": 1,
            "term": 3,
            "table": 1,
            "question": 3,
            "reading": 2,
        },
        "edges": {
            "part-of": 8,
            "despite": 3,
            "subject-to": 1,
            "cites": 5,
            "defines": 3,
            "uses": 6,
            "decides": 8,
            "reads": 4,
            "prevails": 1,
        },
    }


def test_every_edge_joins_two_nodes(sample: Graph) -> None:
    ids = [node.id for node in sample.nodes]
    assert len(ids) == len(set(ids))
    assert {end for e in sample.edges for end in (e.source, e.target)} <= set(ids)
    assert {e.kind for e in sample.edges} <= set(EDGE_KINDS)


def test_part_of(sample: Graph) -> None:
    part_of = dict(ends(sample, "part-of"))
    assert part_of["clause:14.1(d)"] == "clause:14.1"
    assert part_of["clause:14.1"] == "section:14"
    assert part_of["table:14.2/1"] == "clause:14.2"


def test_a_reference_as_printed_and_as_read(sample: Graph) -> None:
    assert [e for e in sample.edges if e.source == "clause:12.7" and e.kind == "despite"] == [
        Edge("clause:12.7", "missing:14.4", "despite", "14.4", "14.2", applied=False),
        Edge("clause:12.7", "clause:14.2", "despite", "14.4", "14.2"),
    ]


def test_references_to_nothing_to_sections_and_to_ranges(sample: Graph) -> None:
    assert ends(sample, "cites") == [
        ("clause:12.2", "clause:14.1"),
        ("clause:12.2", "clause:14.2"),
        ("clause:12.7", "missing:99"),
        ("clause:12.7", "section:14"),
        ("clause:12.7", "outside:the Act"),
    ]
    assert ("section:12", "section:14") in ends(sample, "despite")
    labels = {n.label for n in sample.nodes if n.kind == "missing"}
    assert labels == {"99 (not printed)", "14.4 (not printed)", "Chip (not defined)"}


def test_terms(sample: Graph) -> None:
    assert ends(sample, "uses") == [
        ("clause:12.1", "term:Double"),  # a plural is the same term
        ("clause:12.1", "missing:term Chip"),
        ("clause:12.1", "term:hand.pontoon"),  # the dealer's twin follows the same definition
        ("clause:12.2", "term:hand.pontoon"),
        ("clause:14.1(g)", "term:hand.pontoon"),
        ("clause:14.2", "term:hand.pontoon"),  # a row of its table
    ]
    assert ("clause:14.2", "term:hand.pontoon") in ends(sample, "defines")


def test_readings(sample: Graph) -> None:
    assert [e for e in sample.edges if e.kind == "prevails"] == [
        Edge("clause:14.1(d)", "clause:14.1(g)", "prevails", reading="paid-first")
    ]
    assert ("reading:paid-first", "question:main.result") in ends(sample, "decides")
    assert ("reading:other", "clause:14.1(d)") in ends(sample, "reads")
    assert "other (inactive)" in {n.label for n in sample.nodes}


def test_a_number_without_a_clause_of_its_own_stands_for_its_parts(tmp_path: Path) -> None:
    path = tmp_path / "x.rules"
    path.write_text(
        'rulebook x { title "X" in force from 2020-01-01 }\nclause 1 "One" { cites 2, 3 to 5 }\n'
        'clause 2(a) "A" { main wins }\nclause 2(b) "B" { main wins }\n'
        'clause 2(b)(i) "B1" { main wins }\nclause 3 "C" { main wins }\n'
    )
    rulebook = load(path).rulebook
    assert rulebook is not None
    assert [b for _, b in ends(graph(rulebook), "cites")] == [
        "clause:2(a)",
        "clause:2(b)",
        "clause:3",
        "missing:5",
    ]


@pytest.mark.parametrize("name", list(shipped()))
def test_shipped_rulebooks(name: str) -> None:
    loaded = load(shipped()[name])
    assert loaded.rulebook is not None
    shown = graph(loaded.rulebook, loaded.diagnostics)
    ids = {node.id for node in shown.nodes}
    assert {f"clause:{c.id}" for c in loaded.rulebook.clauses} <= ids
    assert {end for e in shown.edges for end in (e.source, e.target)} <= ids
    counts = shown.counts()
    assert min(counts["edges"][k] for k in ("part-of", "cites", "defines", "uses", "decides")) > 5
    assert_dot(to_dot(shown))
    assert_mermaid(to_mermaid(shown))


# --- a part of it


def test_around_a_clause(sample: Graph) -> None:
    near = sample.around(["clause:14.1(d)"])
    assert {n.id for n in near.nodes} == {
        "clause:14.1(d)",
        "clause:14.1",
        "clause:14.1(g)",
        "question:main.result",
        "reading:paid-first",
        "reading:other",
    }
    assert all("clause:14.1(d)" in (e.source, e.target) for e in near.edges)
    further = sample.around(["clause:14.1(d)"], 2)
    assert len(near.nodes) < len(further.nodes) < len(sample.nodes)


def test_only_some_edges(sample: Graph) -> None:
    shown = sample.only(["subject-to"])
    assert [n.id for n in shown.nodes] == ["clause:12.1", "clause:12.2"]
    assert len(shown.edges) == 1


def test_a_number_on_the_command_line(sample: Graph) -> None:
    assert sample.named("14.1") == ["clause:14.1"]
    assert sample.named("14") == ["section:14"]
    assert sample.named("77") == []


# --- how it is written


def assert_dot(text: str) -> None:
    """Strings are closed, brackets balance, and every statement is one of the three we write."""
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', "S", text)
    assert '"' not in bare
    assert "\\" not in bare
    assert bare.count("{") == bare.count("}")
    assert bare.count("[") == bare.count("]")
    statement = r"  (  )?(S( -> S)? \[.*\];|subgraph S \{|label=S; .*;|(node|edge) \[.*\];|\})"
    lines = bare.splitlines()
    assert lines[0] == "digraph S {"
    assert lines[-1] == "}"
    assert all(re.fullmatch(statement, line) for line in lines[1:-1])


def assert_mermaid(text: str) -> None:
    bare = re.sub(r'"[^"\n]*"', "S", text)
    assert '"' not in bare
    lines = bare.splitlines()
    assert lines[0] == "flowchart LR"
    assert bare.count("subgraph ") == len(re.findall(r"^  end$", bare, re.MULTILINE))
    node = r"  (  )?n\d+(\[S\]|\(\[S\]\)|\{\{S\}\}|\[\(S\)\]|>S\]|\[/S/\]):::\w+"
    edge = r"  n\d+ (-->|-\.->)\|S\| n\d+"
    other = r"  subgraph s\d+\[S\]|  end|  classDef \w+ \S+"
    assert all(re.fullmatch(f"{node}|{edge}|{other}", line) for line in lines[1:])
    drawn = set(re.findall(r"(n\d+)\S*:::", bare))
    assert set(re.findall(r"^  (n\d+) -", bare, re.MULTILINE)) <= drawn
    assert set(re.findall(r"\| (n\d+)$", bare, re.MULTILINE)) <= drawn
    for said in re.findall(r'"([^"\n]*)"', text):
        assert not re.search(r"[<>&`\\]", said)
        assert not re.search(r"#(?!35;|quot;|lt;|gt;|amp;|96;|92;)", said)


def test_dot(sample: Graph) -> None:
    text = to_dot(sample)
    assert_dot(text)
    assert 'label="Sample \\\\N"' in text
    assert '"clause:14.1(d)" [label="14.1(d) Any 21 wins", shape=box' in text
    assert 'subgraph "cluster 14" {\n    label="14 Final settlement"' in text
    assert 'label="despite 14.4 read as 14.2"' in text
    assert '"clause:14.1" -> "section:14"' not in text, "a clause stands in the box of its section"


def test_mermaid(sample: Graph) -> None:
    text = to_mermaid(sample)
    assert_mermaid(text)
    assert '["14.1(d) Any 21 wins"]:::clause' in text
    assert '"Pontoon #amp; #lt;natural#gt; #96;x#96;"' in text


def test_quotes_are_escaped() -> None:
    from checker.graph import Node

    odd = Graph("a", "b", (Node("clause:1", "clause", 'say "#quot;" \\ now'),), ())
    assert r'[label="say \"#quot;\" \\ now"' in to_dot(odd)
    assert_dot(to_dot(odd))
    assert '"say #quot;#35;quot;#quot; #92; now"' in to_mermaid(odd)
    assert_mermaid(to_mermaid(odd))


def test_text(sample: Graph) -> None:
    text = to_text(sample)
    assert "clause 14.1(d) Any 21 wins\n  is part of 14.1 Results\n" in text
    assert "  stands despite 14.2 Odds (printed 14.4, read as 14.2)\n" in text


# --- the command


def test_json(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", str(path), "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "rulespec-report/1"
    assert document["command"] == "graph"
    assert document["inputs"][0]["path"] == str(path)
    assert len(document["nodes"]) == sum(document["summary"]["nodes"].values())
    assert {"id", "kind", "label", "section"} == set(document["nodes"][0])
    assert {"from", "to", "kind", "printed", "read_as"} < set(document["edges"][0])


def test_selection(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["graph", str(path), "--format", "json", "--clause", "12.7", "--edges", "cites,despite"]
    assert main(call) == 0
    document = json.loads(capsys.readouterr().out)
    assert {n["id"] for n in document["nodes"]} == {
        "clause:12.7",
        "missing:14.4",
        "clause:14.2",
        "missing:99",
        "section:14",
        "outside:the Act",
    }
    assert main(["graph", str(path), "--clause", "14.1(d)", "--edges", "amends"]) == 0
    assert "14.1(d) Any 21 wins" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--clause", "14.9"], "no clause `14.9`"),
        (["--edges", "cites,likes"], "no kind of edge `likes`"),
        (["--depth", "0"], "`0` is not a number of steps"),
        (["--format", "png"], "no format `png`"),
    ],
)
def test_wrong_calls(
    options: list[str], complaint: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["graph", str(path), *options]) == 2
    said = capsys.readouterr()
    assert complaint in said.err
    assert said.out == ""


def test_a_folder_of_several_rulebooks(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path.parent / "circle.rules").write_text(CIRCLE)
    assert main(["graph", str(path.parent)]) == 2
    assert "holds 2 rulebooks" in capsys.readouterr().err


def test_a_file_that_cannot_be_read(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path.write_text('clause 1 "x" { main win }')
    assert main(["graph", str(path)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "R005" in said.err
    assert main(["graph", str(path), "--format", "json"]) == 2
    assert json.loads(capsys.readouterr().out)["findings"][0]["code"] == "R005"


def test_output(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", str(path), "--output", str(tmp_path / "g.dot")]) == 0
    assert capsys.readouterr().out == ""
    assert_dot((tmp_path / "g.dot").read_text())


def test_a_circle_of_precedence_is_shown_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "circle.rules"
    path.write_text(CIRCLE)
    loaded = load(path)
    (found,) = [d for d in loaded.diagnostics if d.code == "R116"]
    assert found.message.endswith("in a circle: 1 over 2 over 3 over 4 over 1")
    assert main(["graph", str(path), "--format", "json"]) == 2
    document = json.loads(capsys.readouterr().out)
    assert [(e["from"], e["to"]) for e in document["edges"] if e["kind"] == "circle"] == [
        ("clause:1", "clause:2"),
        ("clause:2", "clause:3"),
        ("clause:3", "clause:4"),
        ("clause:4", "clause:1"),
    ]
    assert [f["code"] for f in document["findings"]] == ["R116"]
    assert main(["graph", str(path)]) == 2
    said = capsys.readouterr()
    assert 'label="circle"' in said.out
    assert "1 over 2 over 3 over 4 over 1" in said.err


# --- svg


def test_svg_without_graphviz(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert main(["graph", str(path), "--format", "svg"]) == 2
    assert "needs the program `dot`, which is not installed" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for dot is a shell script")
@pytest.mark.parametrize(("script", "status"), [("cat", 0), ("echo sorry >&2; exit 3", 2)])
def test_svg_is_drawn_by_dot(
    script: str,
    status: int,
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    stand_in = tmp_path / "bin" / "dot"
    stand_in.parent.mkdir()
    stand_in.write_text(f"#!/bin/sh\n{script}\n")
    stand_in.chmod(stand_in.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", f"{stand_in.parent}{os.pathsep}{os.environ['PATH']}")
    assert main(["graph", str(path), "--format", "svg"]) == status
    said = capsys.readouterr()
    if status == 0:
        assert_dot(said.out)
    else:
        assert "`dot` could not draw the graph: sorry" in said.err
