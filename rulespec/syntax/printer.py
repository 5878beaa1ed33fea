"""The canonical layout of a rule file: text in, text out.

The tree says where statements begin; the words and comments come from the text itself, so nothing
can get lost on the way. What comes out is read again and compared with what went in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from rulespec.base.diagnostics import Diagnostic
from rulespec.base.spans import Span
from rulespec.syntax.comments import Comment, Gap, Scanned, Word, behind, scan
from rulespec.syntax.line_breaks import WIDTH, Break, Column, Doc, Group, flat_width, render
from rulespec.syntax.parse import parse
from rulespec.tree import nodes as t

LEVEL = 2
CONTINUED = 4

# Comments before these are put right behind them.
_HOLD_ON = frozenset({"COMMA", "COLON", "LBRACE"})
_NO_SPACE_BEFORE = frozenset({"COMMA", "COLON", "RPAR"})
# A long statement is broken before these.
_PARTS = frozenset({"WHEN", "BECAUSE", "UNTIL", "ABOUT", "MEANS"})
# A long fact is broken before its meaning, and before what is remarked of it.
_PARTS_OF_A_FACT = frozenset(
    {"STRING", "MAY", "DEFINED", "NEEDS", "COMES", "ENDS", "ORDINARILY", "COUNTS"}
)


# Words that are followed by others of their kind without an empty line between.
_ONE_LINERS = frozenset(
    {
        *("INCLUDE", "ACCEPT", "OPTION", "CHOICE", "METER", "RECORD", "APPROVAL", "TOPIC_WORD"),
        *("MOMENT", "FACT_WORD", "BET", "ACTION"),
    }
)


class FormatError(Exception):
    """The new layout would not say the same; nothing may be written. A fault of this module."""


def format_text(text: str, file: str = "") -> tuple[str | None, list[Diagnostic]]:
    """The text in canonical layout, or its syntax errors."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    try:
        document, wrong = parse(text, file)
        if document is None:
            return None, wrong
        scanned = scan(text)
        laid_out = Printer(behind(scanned, _HOLD_ON), document).text()
        verify(document, scanned, laid_out, file)
    except RecursionError:
        place = Span(file, 1, 1, 1, 1)
        return None, [
            Diagnostic(
                "R007",
                "a condition is nested too deeply",
                place,
                help="give parts of it a name with `define`",
            )
        ]
    return laid_out, []


def verify(document: t.Document, scanned: Scanned, laid_out: str, file: str = "") -> None:
    """Refuse a layout that changes the tree, a word or a comment."""
    again, wrong = parse(laid_out, file)
    name = f"`{file}`" if file else "the text"
    if again is None:
        complaint = wrong[0].message if wrong else "no tree"
        raise FormatError(f"{name} is left as it is: its new layout cannot be read ({complaint})")
    if again != document:
        raise FormatError(f"{name} is left as it is: its new layout would change the tree")
    after = scan(laid_out)
    if after.words != scanned.words:
        raise FormatError(f"{name} is left as it is: its new layout would change a word")
    if after.comments != scanned.comments:
        raise FormatError(f"{name} is left as it is: its new layout would change the comments")


# --- from words to documents


@dataclass(frozen=True, slots=True)
class Line:
    """The words of one statement, heading, table row or closing brace."""

    first: int
    end: int
    depth: int


class Printer:
    def __init__(self, scanned: Scanned, document: t.Document) -> None:
        self.words: tuple[Word, ...] = scanned.words
        self.gaps: tuple[Gap, ...] = scanned.gaps
        self.starts = {(n.span.start_line, n.span.start_column) for n in statements(document)}

    def text(self) -> str:
        lines = list(self.lines())
        columns = self.columns(lines)
        printed: list[str] = []
        before: Line | None = None
        for line in lines:
            printed += self.between(before, line)
            doc = Group((self.document(line, columns.get(line.first)), *self.behind(line)))
            printed += render(doc, LEVEL * line.depth)
            before = line
        printed += self.between(before, None)
        return "".join(f"{line}\n" for line in printed)

    # --- lines

    def lines(self) -> Iterator[Line]:
        first = depth = 0
        for place, word in enumerate(self.words):
            begins = word.kind == "RBRACE" or (word.line, word.column) in self.starts
            if place > first and (begins or self.kind(place - 1) in ("LBRACE", "RBRACE")):
                yield Line(first, place, depth)
                depth += self.kind(place - 1) == "LBRACE"
                first = place
            depth -= word.kind == "RBRACE"
        if self.words:
            yield Line(first, len(self.words), depth)

    def between(self, before: Line | None, line: Line | None) -> Iterator[str]:
        """Comments on lines of their own, and empty lines, between two lines."""
        gap = self.gaps[line.first if line else len(self.words)]
        depth = line.depth if line else 0
        closes = line is not None and self.kind(line.first) == "RBRACE"
        comments = [c for n, c in enumerate(gap.comments) if n or c.own_line or before is None]
        blanks = [c.after_blank for c in comments]
        if line is not None:
            blanks.append(gap.blank and not closes)
        if before is None or self.kind(before.end - 1) == "LBRACE":
            blanks[:1] = [False] * len(blanks[:1])
        elif line is not None and self.apart(before, line) and not any(blanks):
            blanks[0] = True
        for blank, comment in zip(blanks, comments, strict=False):
            if blank:
                yield ""
            yield " " * LEVEL * (depth + closes) + comment.text
        if len(blanks) > len(comments) and blanks[-1]:
            yield ""

    def apart(self, before: Line, line: Line) -> bool:
        """An empty line parts blocks on the top level; includes and acceptances are no blocks."""
        kind = self.kind(line.first)
        opens = self.kind(line.end - 1) == "LBRACE"
        alike = self.kind(before.first) == kind and kind in _ONE_LINERS and not opens
        return line.depth == 0 and self.kind(line.first) != "RBRACE" and not alike

    def behind(self, line: Line) -> Iterator[Comment]:
        """The comment at the end of a line."""
        comments = self.gaps[line.end].comments
        if comments and not comments[0].own_line:
            yield comments[0]

    # --- words

    def kind(self, place: int) -> str:
        return self.words[place].kind

    def word(self, place: int) -> str:
        word = self.words[place]
        if word.kind == "MONEY" and self.kind(place + 1) == "COMMA":
            return word.text.replace(",", "")  # the grammar would take in the comma that follows
        return word.text

    def joint(self, place: int) -> Iterator[Doc]:
        """What stands between a word of a line and the word before it."""
        yield from self.gaps[place].comments
        if self.kind(place) not in _NO_SPACE_BEFORE and self.kind(place - 1) != "LPAR":
            yield " "

    def cuts(self, first: int, end: int, kinds: frozenset[str]) -> list[int]:
        """Where words of these kinds stand outside of brackets."""
        found: list[int] = []
        depth = 0
        for place in range(first, end):
            depth -= self.kind(place) == "RPAR"
            if depth == 0 and self.kind(place) in kinds:
                found.append(place)
            depth += self.kind(place) == "LPAR"
        return found

    # --- statements

    def document(self, line: Line, column: int | None) -> Doc:
        if column is not None:
            arrow = self.arrow(line)
            return Group(
                (
                    self.condition(line.first, arrow),
                    *self.gaps[arrow].comments,
                    Column(column),
                    *self.plain(arrow, line.end),
                ),
                CONTINUED,
            )
        end = line.end
        opens = end - line.first > 1 and self.kind(end - 1) == "LBRACE"
        body = end - 1 if opens else end
        edges = [line.first, *self.cuts(line.first + 1, body, self.parts_of(line)), body]
        keeps_when = len(edges) == 3 and not self.cuts(line.first, edges[1], frozenset({"REQUIRE"}))
        parts: list[Doc] = []
        for first, stop in pairwise(edges):
            if first > line.first:
                joint = Break("fill")
                if self.kind(first) == "WHEN":
                    joint = Break("last" if keeps_when else "always")
                parts += [*self.gaps[first].comments, joint]
            parts += self.part(first, stop)
        if opens:
            parts += [*self.joint(body), "{"]
        return Group(tuple(parts), CONTINUED)

    def parts_of(self, line: Line) -> frozenset[str]:
        return _PARTS_OF_A_FACT if self.kind(line.first) == "FACT_WORD" else _PARTS

    def part(self, first: int, end: int) -> Iterator[Doc]:
        """A part of a statement: words, and then perhaps a condition or a list."""
        heads = frozenset({"WHEN", "REQUIRE"})
        if self.cuts(first, end, frozenset({"DEFINE"})):
            heads = frozenset({"AS"})
        for head in self.cuts(first, end, heads):
            yield from self.plain(first, head + 1)
            yield from self.joint(head + 1)
            yield self.condition(head + 1, end)
            return
        yield self.listed(first, end)

    def plain(self, first: int, end: int) -> Iterator[Doc]:
        for place in range(first, end):
            if place > first:
                yield from self.joint(place)
            yield self.word(place)

    def listed(self, first: int, end: int) -> Doc:
        parts: list[Doc] = []
        edges = [first, *(c + 1 for c in self.cuts(first, end, frozenset({"COMMA"}))), end]
        for start, stop in pairwise(edges):
            if start > first:
                parts += [*self.gaps[start].comments, Break("fill")]
            parts += self.operand(start, stop)
        return Group(tuple(parts))

    # --- conditions

    def condition(self, first: int, end: int, by: int = 0) -> Doc:
        """Broken before every `or`, or else before `and` where needed; parts that are still too
        long are broken in turn."""
        for kind in ("OR", "AND"):
            edges = [first, *self.cuts(first, end, frozenset({kind})), end]
            if len(edges) == 2:
                continue
            parts: list[Doc] = []
            for start, stop in pairwise(edges):
                if start > first:
                    joint = Break("fill" if kind == "AND" else "always")
                    parts += [*self.gaps[start].comments, joint, self.word(start)]
                    start += 1
                    parts += self.joint(start)
                parts.append(self.condition(start, stop, LEVEL))
            return Group(tuple(parts), by)
        return Group(tuple(self.operand(first, end)), by)

    def operand(self, first: int, end: int) -> Iterator[Doc]:
        place = first
        while place < end:
            if place > first:
                yield from self.joint(place)
            yield self.word(place)
            if self.kind(place) == "LPAR":
                close = self.closing(place)
                yield from self.bracketed(place + 1, close)
                yield self.word(close)
                place = close
            place += 1

    def bracketed(self, first: int, close: int) -> Iterator[Doc]:
        yield from self.joint(first)
        if self.cuts(first, close, frozenset({"COMMA"})):
            yield Group((self.listed(first, close),), LEVEL)
        else:
            yield self.condition(first, close, LEVEL)
        yield from self.joint(close)

    def closing(self, opening: int) -> int:
        depth = 0
        for place in range(opening, len(self.words)):
            depth += (self.kind(place) == "LPAR") - (self.kind(place) == "RPAR")
            if depth == 0:
                return place
        raise FormatError("a bracket is not closed")

    # --- payout tables

    def arrow(self, line: Line) -> int:
        """The place of the arrow in a row of a payout table, -1 in other lines."""
        arrows = (p for p in range(line.first, line.end) if self.words[p].text == "->")
        return next(arrows, -1)

    def columns(self, lines: Sequence[Line]) -> dict[int, int]:
        """The column of the arrow for each row of each payout table, by the row's first word."""
        columns: dict[int, int] = {}
        for is_row, run in groupby(lines, key=lambda line: self.arrow(line) >= 0):
            rows = list(run) if is_row else []
            widths: list[int] = [0]
            for row in rows:
                arrow = self.arrow(row)
                tail = sum(len(self.word(p)) + 1 for p in range(arrow, row.end))
                width = flat_width(self.condition(row.first, arrow))
                if width is not None and LEVEL * row.depth + width + tail <= WIDTH:
                    widths.append(width)
            columns |= {row.first: LEVEL * row.depth + max(widths) + 1 for row in rows}
        return columns


def statements(document: t.Document) -> Iterator[t.Node]:
    """All that begins on a line of its own, apart from closing braces."""
    for item in document.items:
        yield item
        match item:
            case t.Header():
                yield from item.properties
            case t.Section():
                yield from item.rules
                for clause in item.clauses:
                    yield clause
                    yield from _with_rows(clause.statements)
            case t.Clause():
                yield from _with_rows(item.statements)
            case t.Reading():
                yield from item.lines
                inner = (line.statement for line in item.lines if isinstance(line, t.Under))
                yield from (row for said in inner for row in _rows(said))
            case t.Amend():
                yield from item.lines
                yield from statements(_parts_of(item))
            case t.GameFile() | t.Declaration():
                yield from (t.Node(span=line) for line in item.lines)
            case t.Include() | t.Accept() | t.Moment():
                pass


def _parts_of(amend: t.Amend) -> t.Document:
    """The clauses, sections and readings of an amendment: laid out as they are elsewhere."""
    parts: list[t.Item] = []
    for line in amend.lines:
        match line:
            case t.ReplaceClause():
                # `replace` begins the line, not the clause after it
                parts.append(replace(line.clause, span=line.span))
            case t.InsertClause():
                parts.append(line.clause)
            case t.InsertSection():
                parts.append(line.section)
            case t.Reading() | t.Accept():
                parts.append(line)
            case _:
                pass
    return t.Document(tuple(parts))


def _with_rows(inside: tuple[t.Statement, ...]) -> Iterator[t.Node]:
    for statement in inside:
        yield statement
        yield from _rows(statement)


def _rows(statement: t.Statement) -> tuple[t.Node, ...]:
    tables = t.PayTable | t.DefineNumber | t.ConductTable
    rows = statement.rows if isinstance(statement, tables) else ()
    # a number that is defined without a table is its own row
    return tuple(row for row in rows if row.span != statement.span)
