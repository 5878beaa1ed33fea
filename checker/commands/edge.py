"""`rulespec edge`: the house edge of the side bets and of insurance, exactly."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from checker.commands.output import add_command, emit, note, wrong_call

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence
    from datetime import date

    from checker.commands.output import Subparsers
    from checker.edge.main_wager import MainEdge
    from checker.edge.side_bets import BetEdges, Edge
    from checker.render.lines import Line, View
    from checker.report import Report
    from rulespec.load.named import Book

    Text = tuple[str, date | None, list[BetEdges]]  # rulebook, in force from, its bets

MAIN = "worked out only on request (--main): it hangs on how every hand is played"
SIGN = (
    "Positive: the house keeps so much of each unit staked, on average. "
    "Negative: the player gains so much."
)
_BESIDE = 3  # bets in a table
FRESH = "The first round out of a fresh shoe, no other option in use, a wager within the limits."


def register(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "edge",
        "Work out the house edge of the bets beside the main wager, exactly, for every number of "
        "decks that\nthe rules permit. It ends with status 1 where the player has the edge and "
        "the rule file does not\naccept it, and with 3 where the text leaves a settlement open.",
    )
    parser.add_argument(
        "rules",
        nargs="+",
        metavar="RULES",
        help="ids, id@day, .rules files or folders; `-` is standard input",
    )
    parser.add_argument("--bet", metavar="BET", help="only this bet")
    parser.add_argument("--decks", metavar="N", help="only this number of decks")
    parser.add_argument(
        "--main",
        action="store_true",
        help="the main wager too, under best play from an endless shoe (up to a minute a text)",
    )


def run(args: argparse.Namespace) -> int:
    from datetime import date

    from checker.report import Report, inputs_of, texts_of
    from rulespec.load.named import load_named

    if args.decks is not None and not (args.decks.isascii() and args.decks.isdecimal()):
        wrong_call("edge", f"`--decks` takes a number, not `{args.decks}`")
    books, found = load_named(args.rules)
    for book in books:
        found += [d for d in book.loaded.diagnostics if d.unusable]
    if found or not books:
        return emit(args, Report("edge", inputs_of(books), found, matched=bool(books)))
    priced = dict.fromkeys(bet for book in books for bet in _priced(book))
    if args.bet is not None and args.bet not in priced:
        wrong_call(
            "edge", f"the edge of `{args.bet}` is not worked out", "only of " + ", ".join(priced)
        )
    bets = tuple(priced) if args.bet is None else (args.bet,)
    decks = None if args.decks is None else int(args.decks)
    texts: list[Text] = []
    counts: set[int] = set()
    for book in books:
        made = _texts(book, bets, decks)
        if decks is not None and _has_named_hands(book):
            _tell_permitted(args, book, decks)
        counts |= {edge.decks for _, _, found_ in made for bet in found_ for edge in bet.edges}
        if decks is not None:
            made = [(name, day, _only(shown, decks)) for name, day, shown in made]
        texts += made
        found += _player_edges(book, made, date.today())
    if decks is not None and counts and decks not in counts:
        listed_counts = ", ".join(str(n) for n in sorted(counts))
        wrong_call(
            "edge", f"the rules do not permit {decks} decks here", f"permitted: {listed_counts}"
        )
    listed = [edge for _, _, made in texts for bet in made for edge in bet.edges]
    with_boxes = [book for book in books if not _has_named_hands(book)]
    mains = _mains(with_boxes, texts) if args.main else []
    report = Report(
        "edge",
        inputs_of(books),
        [d for d in found if d.accepted is None],
        [d for d in found if d.accepted is not None],
        _summary(texts, listed, mains),
        undecided=sum(edge.house is None for edge in listed)
        + sum(main is not None and bool(main.open or main.missing) for _, main in mains),
        matched=bool(listed) or any(main is not None for _, main in mains),
        texts=texts_of(books),
    )
    return emit(
        args, report, lambda view: _text(report, texts, bets, mains, view, bool(with_boxes))
    )


def _priced(book: Book) -> Sequence[str]:
    """The bets that cards decide: of the game, and those that a rulebook declares for itself."""
    from checker.edge.declared_bets import declared_bets
    from checker.edge.side_bets import edge_bets

    rulebook = book.loaded.rulebook
    if rulebook is None:
        return ()
    if rulebook.game.hands:
        return tuple(rulebook.game.bets)
    return [*edge_bets(rulebook.game), *(bet.name for bet in declared_bets(rulebook))]


def _texts(book: Book, bets: Sequence[str], decks: int | None) -> list[Text]:
    """The edges of a rulebook; several times where texts with other edges follow each other."""
    from checker.edge.declared_bets import declared_bets, declared_edges
    from checker.edge.side_bets import all_edges, edge_bets, versions
    from checker.evaluate.ready import new_engine

    rulebook = book.loaded.rulebook
    assert rulebook is not None
    followed = [(book.day, rulebook)] if book.day is not None else versions(rulebook)
    texts: list[Text] = []
    for day, text in followed:
        if text.game.hands:
            from checker.edge.named_hands import named_edges

            made = named_edges(new_engine(text), bets, decks)
        else:
            made = all_edges(text, [bet for bet in edge_bets(text.game) if bet in bets])
            for bet in declared_bets(text):
                made += declared_edges(text, bet) if bet.name in bets else []
        if not texts or [b.edges for b in texts[-1][2]] != [b.edges for b in made]:
            texts.append((rulebook.id, day, made))
    return texts


def _has_named_hands(book: Book) -> bool:
    return book.loaded.rulebook is not None and bool(book.loaded.rulebook.game.hands)


def _tell_permitted(args: argparse.Namespace, book: Book, decks: int) -> None:
    """Named hands are priced at any number of decks; that the text does not permit it is said."""
    from checker.evaluate.ready import new_engine
    from checker.states.named_deals import permitted_decks

    assert book.loaded.rulebook is not None
    permitted, rules = permitted_decks(new_engine(book.loaded.rulebook))
    if decks not in permitted:
        clauses = ", ".join(dict.fromkeys(rule.clause for rule in rules))
        note(args, f"{decks} decks are not what {book.loaded.rulebook.id} permits ({clauses})")


def _mains(books: Sequence[Book], texts: Sequence[Text]) -> list[tuple[str, MainEdge | None]]:
    """The main wager of each text in force last, or on the day that was asked for."""
    from checker.edge.main_wager import main_choices, main_edge
    from rulespec.resolve.in_force import text_in_force

    found: list[tuple[str, MainEdge | None]] = []
    for book in books:
        rulebook = book.loaded.rulebook
        assert rulebook is not None
        text = text_in_force(rulebook, book.day)
        for chosen in main_choices(text):
            name = " ".join((rulebook.id, *(f"{one}={value}" for one, value in chosen)))
            found.append((name, main_edge(text, chosen)))
    return found


def _player_edges(book: Book, texts: Sequence[Text], today: date) -> list[Any]:
    """What `rulespec check` finds, but only of the bets that are shown."""
    from checker.edge.player_edges import player_edges_of
    from rulespec.checks.acceptance import apply_acceptances

    rulebook = book.loaded.rulebook
    assert rulebook is not None
    found = dict.fromkeys(d for _, _, made in texts for d in player_edges_of(rulebook.id, made))
    still_open, accepted = apply_acceptances(rulebook, list(found), today, {"R301"})
    return [d for d in (*still_open, *accepted) if d.code == "R301"]


def _only(made: Sequence[BetEdges], decks: int) -> list[BetEdges]:
    return [replace(bet, edges=tuple(e for e in bet.edges if e.decks == decks)) for bet in made]


# --- json


def _summary(
    texts: Sequence[Text], listed: Sequence[Edge], mains: Sequence[tuple[str, MainEdge | None]]
) -> dict[str, Any]:
    from checker.edge.main_wager import ASSUMED

    return {
        "rulebooks": [
            {
                "rulebook": name,
                "from": str(day) if day is not None else None,
                "bets": [_bet_json(bet) for bet in made],
            }
            for name, day, made in texts
        ],
        "unit": "per unit staked; positive: the house has the edge, negative: the player",
        "assumptions": [FRESH],
        "main": [
            {
                "rulebook": name,
                "percent_least": None if main.least is None else _percent(main.least),
                "percent_most": None if main.most is None else _percent(main.most),
                "left_open_by": list(main.open),
                "undecided": [{"clause": m.clause, "why": m.why} for m in main.missing],
                "options_off": {name: list(clauses) for name, clauses in main.options},
                "assumptions": list(ASSUMED),
            }
            for name, main in mains
            if main is not None
        ],
        "not_computed": {} if mains else {"main": MAIN},
        "edges": len(listed),
        "player_edges": sum(e.house is not None and e.house < 0 for e in listed),
        "undecided": sum(e.house is None for e in listed),
    }


def _bet_json(bet: BetEdges) -> dict[str, Any]:
    return {
        "bet": bet.bet,
        "chosen": dict(bet.chosen),
        "clauses": list(dict.fromkeys(rule.clause for rule in bet.odds)),
        "deck_clauses": list(dict.fromkeys(rule.clause for rule in bet.bounds)),
        "cards_per_deck": 4 * len(bet.ranks),
        "assumptions": list(_assumptions(bet)),
        "decks": [_edge_json(edge, bool(bet.third_matters)) for edge in bet.edges],
    }


def _edge_json(edge: Edge, third: bool) -> dict[str, Any]:
    if edge.house is None:
        return {"decks": edge.decks, "edge": None, "percent": None, "undecided": edge.why}
    shown: dict[str, Any] = {
        "decks": edge.decks,
        "edge": str(edge.house),
        "percent": _percent(edge.house),
        "favours": "house" if edge.house > 0 else "player" if edge.house < 0 else "nobody",
        "outcomes": [{"wins": str(won), "probability": str(p)} for won, p in edge.outcomes],
    }
    if third and edge.without_third is not None:
        shown["edge_without_third_card"] = str(edge.without_third)
    return shown


# --- text


def _text(
    report: Report,
    texts: Sequence[Text],
    bets: Sequence[str],
    mains: Sequence[tuple[str, MainEdge | None]],
    view: View,
    with_boxes: bool,
) -> Iterator[Line]:
    from checker.render.lines import line, wrapped
    from checker.render.to_text import finding_lines

    yield from finding_lines(report, view)
    for name, day, made in texts:
        several = sum(other == name for other, _, _ in texts) > 1
        since = f" from {day}" if several else ""
        yield line((f"{name}{since}: house edge per unit staked", "strong"))
        if not any(bet.edges for bet in made):
            what = (
                "no number of decks that is asked for is permitted"
                if made
                else (f"no clause offers {' or '.join(bets)}")
            )
            yield line(f"  {what}")
            yield ()
            continue
        for first in range(0, len(made), _BESIDE):
            yield from _table(made[first : first + _BESIDE])
        if not view.quiet:
            for sentence in _sentences(made):
                yield from wrapped(line("  " + sentence), view.width, indent=4)
        yield ()
    for name, main in mains:
        yield from wrapped(line(_main_sentence(name, main)), view.width, indent=2)
    if view.quiet:
        return
    about = [SIGN, FRESH]
    if with_boxes and not mains:
        about.append(f"The main wager is {MAIN}.")
    for sentence in about:
        yield from wrapped(line(sentence), view.width, indent=0)
    for finding in report.accepted:
        known = f"{finding.message} (clause {finding.clause}): accepted, {finding.accepted}."
        yield from wrapped(line((known, "good")), view.width, indent=0)


def _main_sentence(name: str, main: MainEdge | None) -> str:
    from checker.edge.main_wager import ASSUMED
    from checker.edge.side_bets import percent

    if main is None:
        return f"{name}, main wager: the text does not say how it is settled."
    if main.least is None or main.most is None:
        why = "; ".join(str(missing) for missing in main.missing)
        return f"{name}, main wager: undecided, because {why}."
    share = percent(main.most)
    if main.open:
        share = f"between {percent(main.least)} and {share}, as {', '.join(main.open)} leave it"
    off = ""
    if main.options:
        listed = ", ".join(f"{option} ({', '.join(clauses)})" for option, clauses in main.options)
        off = f"; options that the rules ask about, all off: {listed}"
    return f"{name}, main wager: {share} ({'; '.join(ASSUMED)}{off})."


def _table(made: Sequence[BetEdges]) -> Iterator[Line]:
    """A row for each deck count, two columns for each bet."""
    from checker.edge.side_bets import percent
    from checker.render.lines import line

    shown = [bet for bet in made if bet.edges]
    columns: list[list[tuple[str, str, str]]] = []
    counts = sorted({edge.decks for bet in shown for edge in bet.edges})
    for bet in shown:
        column = []
        for decks in counts:
            edge = bet.at(decks)
            if edge is None:
                column.append(("not permitted", "", "faint"))
            elif edge.house is None:
                column.append(("undecided", "", "warning"))
            else:
                style = "error" if edge.house < 0 else ""
                column.append((percent(edge.house), str(edge.house), style))
        columns.append(column)
    widths = [(max(len(p) for p, _, _ in c), max(len(x) for _, x, _ in c)) for c in columns]
    heads = [
        f"{bet.name:>{max(one, len(bet.name))}}  {'':<{other}}"
        for bet, (one, other) in zip(shown, widths, strict=True)
    ]
    yield line((f"  decks  {'  '.join(heads)}", "faint"))
    for n, decks in enumerate(counts):
        cells: list[tuple[str, str]] = []
        for bet, column, (one, other) in zip(shown, columns, widths, strict=True):
            share, exact, style = column[n]
            cells.append((f"  {share:>{max(one, len(bet.name))}}  {exact:<{other}}", style))
        yield line(f"  {decks:>5}", *cells)


def _sentences(made: Sequence[BetEdges]) -> Iterator[str]:
    for bet in made:
        clauses = ", ".join(dict.fromkeys(rule.clause for rule in bet.odds))
        about = [f"odds of {clauses}"] if clauses else []
        about += _assumptions(bet)
        if about:
            yield f"{bet.name}: {'; '.join(about)}."
        for what, counts in (
            ("gives the player the edge", [e.decks for e in bet.edges if (e.house or 0) < 0]),
            ("is even", [e.decks for e in bet.edges if e.house == 0]),
        ):
            if counts:
                listed = ", ".join(str(n) for n in counts)
                yield f"{bet.name} {what} at {listed} deck{'s' * (counts != [1])}."
        why = next((edge.why for edge in bet.edges if edge.house is None), None)
        if why is not None:
            yield f"{bet.name} is undecided {why}.".replace(" : ", ": ")


def _assumptions(bet: BetEdges) -> Iterator[str]:
    from checker.edge.side_bets import percent

    if bet.ranks:
        yield f"{4 * len(bet.ranks)} cards in a deck"
    if bet.bounded:
        yield "where the text leaves the odds to the house, the bound that it names is paid"
    if bet.third_taken:
        yield "a third card is always taken"
    if bet.dealer_shows:
        shown = " or ".join(bet.dealer_shows)
        yield f"the dealer's first card is {shown}, and nothing else is known"
    if bet.third_matters:
        few = len(bet.third_matters) <= 4 and "some hands" not in bet.third_matters
        pairs = ", ".join(bet.third_matters) if few else "some hands"
        edge = bet.edges[-1]
        never = ""
        if edge.without_third is not None:
            never = f" (never taking it: {percent(edge.without_third)} at {edge.decks} decks)"
        yield f"a third card is always taken after {pairs}, the only case where one matters{never}"


def _percent(share: Fraction) -> Decimal:
    """In percent to four decimals, exact from the fraction."""
    return Decimal(round(share * 1_000_000)).scaleb(-4)
