"""`rulespec compare`: rulebooks side by side, topic by topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checker.commands.output import add_command, emit, note, write_result, wrong_call

if TYPE_CHECKING:
    import argparse

    from checker.commands.output import Subparsers
    from rulespec.load.named import Book


def register(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "compare",
        "Set rulebooks side by side, topic by topic: what each of them says, by which clauses, and "
        "where they\ndiffer. Everything is asked of the rules themselves. It ends with status 3 "
        "where a question could\nnot be put to a text.",
        ("text", "json", "markdown", "html"),
    )
    parser.add_argument(
        "rules",
        nargs="*",
        metavar="RULES",
        help="ids, id@day, .rules files, folders or REV:path (without any: all that ship)",
    )
    parser.add_argument(
        "--topic", metavar="WORD", help="only topics whose name or group holds WORD"
    )
    parser.add_argument("--differences", action="store_true", help="only where the texts differ")
    parser.add_argument("--full", action="store_true", help="list every clause")


def run(args: argparse.Namespace) -> int:
    from checker.compare.compare import compare, wanted_topics
    from checker.compare.topics import topics
    from checker.report import Report, inputs_of, texts_of
    from rulespec.load.named import load_named
    from rulespec.resolve.in_force import text_in_force
    from rulespec.resolve.typecheck import did_you_mean

    chosen = wanted_topics(args.topic)
    books, found = load_named(args.rules)
    for book in books:
        found += [d for d in book.loaded.diagnostics if d.unusable]
    inputs = inputs_of(books)
    if found or not books:
        if args.format in ("markdown", "html"):
            args.format = "text"  # what is wrong with the rules is no table
        texts = texts_of(books)
        return emit(args, Report("compare", inputs, found, matched=bool(books), texts=texts))
    named = [
        (name, text_in_force(book.loaded.rulebook, book.day))
        for name, book in zip(_names(books, args.rules), books, strict=True)
        if book.loaded.rulebook is not None
    ]
    if not args.rules:  # all that ships: those of one kind of game go side by side
        left = [name for name, text in named if text.game.hands]
        named = [(name, text) for name, text in named if not text.game.hands]
        for name in left:
            note(args, f"{name} is of another game: `rulespec compare {name}` shows it")
    by_hands = all(text.game.hands for _, text in named)
    if not chosen and not by_hands:
        words = {topic.group.lower() for topic in topics()} | {topic.id for topic in topics()}
        advice = did_you_mean(args.topic.lower(), words, "`rulespec compare` shows them all")
        wrong_call("compare", f"no topic is called `{args.topic}`", advice)
    if by_hands:
        from checker.compare.named_hands import compare_named

        matrix = compare_named(named, args.topic)
    else:
        matrix = compare(named, chosen)
    if args.differences:
        matrix = matrix.only_differences()
    report = Report("compare", inputs, [], (), matrix.as_json(), undecided=matrix.undecided)
    match args.format:
        case "markdown":
            from checker.render.compare_markdown import compare_markdown

            write_result(compare_markdown(matrix), args.output, "utf-8")
            return report.exit_status
        case "html":
            from checker.render.compare_html import compare_html

            write_result(compare_html(matrix), args.output, "utf-8")
            return report.exit_status
        case _:
            from checker.render.compare_text import compare_text

            return emit(args, report, lambda view: compare_text(matrix, view))


def _names(books: list[Book], typed: list[str]) -> list[str]:
    """What each column is called: the id, or as it was typed where two texts have one id."""
    ids = [book.loaded.rulebook.id if book.loaded.rulebook else "" for book in books]
    pairs = zip(ids, books, strict=True)
    days = [f"{name}@{book.day}" if book.day else name for name, book in pairs]
    if len(set(days)) == len(days):
        return days
    names = list(dict.fromkeys(typed))
    if len(names) == len(books) and "-" not in names:
        return names
    return [f"{name} ({n})" if days.count(name) > 1 else name for n, name in enumerate(days, 1)]
