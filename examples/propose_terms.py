"""Propose the `terms` of a clause list from the printed text.

    python examples/propose_terms.py corner.rules corner.txt --also "Shift Manager" > terms.yaml

The text is cut at the numbers of the clause list that lies beside the rulebook, in their order. A
clause gets every term that the rulebook defines and that its words use in any inflection, and every
term given with `--also`. What the print marks (underlined, in bold or italics, in quotation marks,
with a capital letter inside a sentence) and nobody has named is listed on standard error, for a
person to decide on. Nothing of the text is written but these words.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

from rulespec.checks.ledger import ListedClause, load_clause_list
from rulespec.load.load import load
from rulespec.tree import nodes as t

MARKS = re.compile(r"</?u>|\*+|[“”\"‘’]")
MARKED = re.compile(r"<u>(.+?)</u>|\*{1,3}([^*\n]+?)\*{1,3}|[“\"]([^“”\"\n]{3,40})[”\"]", re.DOTALL)
HEADING = re.compile(r"(?m)^ *(?:\d+\.(?:0\b|(?!\d))[^\n]{0,60}|[^a-z\n]{4,})$(?=\s*\Z)")
CAPITALS = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+(?:[ /-][A-Z][a-z]+)*")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("rules", type=Path, help="the rule file, with its clause list beside it")
    parser.add_argument("text", type=Path, help="the printed text, as plain text")
    parser.add_argument(
        "--also",
        action="append",
        default=[],
        metavar="TERM",
        help="a term that the text does not define",
    )
    parser.add_argument(
        "--marked",
        action="append",
        default=[],
        metavar="TERM",
        help="the same, but only where the print marks it",
    )
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="NAME",
        help="a name that is no use of the terms in it",
    )
    args = parser.parse_args()
    book = load(args.rules).rulebook
    clause_list, _ = load_clause_list(args.rules)
    if book is None or clause_list is None:
        parser.error("the rule file or its clause list cannot be used")
    defined: dict[str, str | None] = dict.fromkeys(args.also)
    dictionary: str | None = None
    for entry in book.clauses:
        for statement in entry.tree.statements:
            if isinstance(statement, t.Defines):
                # the first definitions are for the whole text, later ones for their own section
                dictionary = dictionary or entry.section
                own = None if entry.section == dictionary else entry.section
                defined |= dict.fromkeys(statement.terms, own)
    text = clean(args.text.read_text(encoding="utf-8"))
    for name in args.name:
        text = re.sub(rf"\b{re.escape(name)}\b", "_", text)
    words = cut(text, clause_list.clauses)
    unknown: Counter[str] = Counter()
    for clause in clause_list.clauses:
        mine = words.get(clause.id)
        if mine is None:
            print(f"no text found for `{clause.id}`", file=sys.stderr)
            continue
        known = [term for term, own in defined.items() if own in (None, clause.section)]
        used = terms_in(MARKS.sub("", mine), known)
        used += [term for term in args.marked if term in marked_in(mine, known)]
        listed = ", ".join("'" + term.replace("'", "''") + "'" for term in used)
        print(f"'{clause.id}': [{listed}]")
        unknown.update(marked_in(mine, [*known, *args.marked]))
    for word, count in unknown.most_common():
        print(f"marked, not defined: `{word}`, {count} times", file=sys.stderr)
    return 0


def clean(text: str) -> str:
    text = re.sub(r"<\|[^|]*\|>", "\n", text)
    text = re.sub(r"</u>(\s*)<u>", r"\1", text)  # one word, underlined in two pieces
    return re.sub(r"[ \t]+", " ", text)


def cut(text: str, clauses: tuple[ListedClause, ...]) -> dict[str, str]:
    """The words of each clause: from its number to that of the next."""
    starts: list[tuple[int, ListedClause]] = []
    place = 0
    for n, clause in enumerate(clauses):
        if unnumbered(clause.id):
            starts.append((-1, clause))
            continue
        # a label that was left out in print is not looked for beyond the next rule
        later = (c.id for c in clauses[n + 1 :] if not re.search(r"[(:#]", c.id))
        end = next((m.start() for c in later if (m := heading(c).search(text, place))), len(text))
        match = heading(clause.id).search(text, place, end)
        if match is not None:
            place = match.end()
            starts.append((match.start(), clause))
    found: dict[str, str] = {}
    for n, (start, clause) in enumerate(starts):
        if start < 0:
            continue
        end = next((s for s, _ in starts[n + 1 :] if s >= 0), len(text))
        after: list[ListedClause] = []
        for begin, later in starts[n + 1 :]:
            if begin >= 0:
                break
            after.append(later)
        found |= shared_out(HEADING.sub("", text[start:end]), clause, after)
    return found


def unnumbered(clause: str) -> bool:
    return re.search(r"#\D", clause) is not None


def shared_out(words: str, clause: ListedClause, after: list[ListedClause]) -> dict[str, str]:
    """The first paragraph is that of the clause, the others are those of its unnumbered text."""
    if not after:
        return {clause.id: words}
    first, *others = [part for part in re.split(r"\n\s*\n", words) if part.strip()]
    found = {clause.id: first}
    for n, later in enumerate(after):
        mine = others[n : n + 1] if n + 1 < len(after) else others[n:]
        found[later.id] = "\n".join(mine)
    return found


def heading(clause: str) -> re.Pattern[str]:
    """What a clause begins with in print."""
    number = re.sub(r"#\d+$", "", clause)
    start = r"(?m)^[\s>*-]*"
    if ":" in number:
        term = re.escape(number.partition(":")[2]).replace(r"\ ", r"\s+")
        return re.compile(rf"(?i){start}[“\"*]*{term}[”\"*]*(?=\s)")
    label = re.search(r"\(([a-z]+|\d+)\)$", number)
    if label:
        return re.compile(rf"{start}\(?{label[1]}\)")
    return re.compile(rf"{start}{re.escape(number)}\.?(?=\s)")


def terms_in(words: str, known: list[str]) -> list[str]:
    """The terms that the words use, in order; the longest first, so that a new shoe is no shoe."""
    left = " ".join(words.split())
    for one in known:  # a hard or soft total is two terms
        *kind, noun = one.split(" ")
        for other in known:
            *second, same = other.split(" ")
            if kind and second and noun == same and one != other:
                pattern = rf"(?i)\b{' '.join(kind)} (or|and) {' '.join(second)} {noun}"
                left = re.sub(pattern, f"{one} {other}", left)
    found: dict[str, int] = {}
    for term in sorted(known, key=len, reverse=True):
        pattern = inflected(term)
        match = pattern.search(left)
        if match is not None:
            found[term] = match.start()
            left = pattern.sub(lambda m: "_" * len(m[0]), left)
    return sorted(found, key=lambda term: found[term])


def inflected(term: str) -> re.Pattern[str]:
    """A term in the forms that its words take; one in small letters is not a name."""
    flags = re.IGNORECASE if term != term.lower() or " " not in term else 0
    spellings = []
    for spelling in term.split("/"):
        *before, last = re.sub(r"\(s\)$", "", spelling).split(" ")
        last = last[:-1] if last.endswith("s") and before else last
        stem = re.escape(last)
        ending = rf"(?:s|es|d|ed|t|ing|{re.escape(last[-1])}ing|{re.escape(last[-1])}ed)?"
        if last.endswith("e"):
            ending = r"(?:e|es|ed|ing)"
            stem = re.escape(last[:-1])
        plural = [rf"{re.escape(word)}s?" for word in before]
        spellings.append(r"[\s-]+".join([*plural, stem + ending]))
    return re.compile(rf"\b(?:{'|'.join(spellings)})\b(?!\))", flags)


def marked_in(words: str, known: list[str]) -> set[str]:
    """What the print marks as a term, and nobody has named."""
    marked = {" ".join((m[1] or m[2] or m[3]).split()) for m in MARKED.finditer(words)}
    marked |= set(CAPITALS.findall(MARKS.sub("", words)))
    return {word.strip(" ,.;:") for word in marked if word and not terms_in(word, known)}


if __name__ == "__main__":
    sys.exit(main())
