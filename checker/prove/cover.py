"""What the proofs of a rulebook cover, and what they do not: said with every result.

Contradictions and gaps are looked for over all hands, over boxes with several players, or only by
the words of conditions, depending on the question. A fact that a search does not vary stands at its
ordinary value; a rule that asks for it is never called dead, and nothing is said of other values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from checker.evaluate.ready import new_engine
from checker.states.declared_words import NOT_AT_ALL, asked_at_all
from checker.states.grid import NOT_MODELLED, events_of, modelled_in
from checker.states.row_facts import asked_of
from checker.table.mechanics import ordinary
from rulespec.checks.references import not_told_apart
from rulespec.load.games import shipped_games
from rulespec.resolve.question import (
    DEALER_DRAW,
    ROUNDING,
    Question,
    actor_and_act,
    bet_and_what,
    is_act_of,
    is_card_value,
    is_definition,
    is_requirement,
)
from rulespec.resolve.rulebook import Rulebook
from rulespec.tree.game import Game

HANDS, BOXES, WORDS, NOT = "all hands", "boxes of two and three players", "words", "not searched"
NONE = "nothing to miss"


@dataclass(frozen=True, slots=True)
class Search:
    """How far questions of one kind are searched."""

    name: str
    contradictions: str
    gaps: str


RESULTS = Search("results and odds of wagers", HANDS, HANDS)
BONUS = Search("amount of a bonus, for wagers that win it", HANDS, HANDS)
DEALER = Search("the dealer's draw", HANDS, HANDS)
CARDS = Search("what cards count", HANDS, HANDS)
TERMS = Search("defined terms", HANDS, NONE)
CHOICES = Search("choices of players that the game declares", HANDS, NONE)
CONTROL = Search("who decides for a box", BOXES, BOXES)
REQUIRED = Search("requirements (`at … require`)", WORDS, NONE)
DUTIES = Search("duties and powers of dealer and casino", WORDS, NOT)
AMOUNTS = Search("how much of a wager counts", WORDS, NOT)
TIMES = Search("when wagers are settled", WORDS, NOT)
HOW_ROUNDED = Search("rounding of payments", WORDS, NOT)
OTHER_ACTS = Search("other acts of players: withdrawing, placing wagers", NOT, NOT)
LEFT_OPEN = Search("results that are only left open or undecided", NOT, NOT)
SEARCHES = (
    RESULTS,
    BONUS,
    DEALER,
    CARDS,
    TERMS,
    CHOICES,
    CONTROL,
    REQUIRED,
    DUTIES,
    AMOUNTS,
    TIMES,
    HOW_ROUNDED,
    OTHER_ACTS,
    LEFT_OPEN,
)


def search_of(question: Question) -> Search:
    game = ordinary()
    bet, what = bet_and_what(question)
    if is_definition(question):
        return TERMS
    if is_card_value(question):
        return CARDS
    if is_requirement(question):
        return REQUIRED
    if is_act_of(question, "player"):
        action = actor_and_act(question)[1]
        if action == game.deciding:
            return CONTROL
        return CHOICES if action in game.usual_plays else OTHER_ACTS
    if is_act_of(question, "dealer", "casino"):
        return DEALER if question == DEALER_DRAW else DUTIES
    if question == ROUNDING:
        return HOW_ROUNDED
    if what in ("result", "odds", "highest") and bet in game.game.bets.keys() - game.bonuses:
        return RESULTS
    if bet in game.bonuses and what == "odds":
        return BONUS
    return {"settles": TIMES, "counted": AMOUNTS, "deemed": AMOUNTS}.get(what, LEFT_OPEN)


def not_varied(
    question: Question,
    facts: set[str],
    seen: Mapping[tuple[str, str], Collection[object]],
    game: Game,
) -> set[str]:
    """The facts that the search for this question does not vary, at least not by themselves."""
    if search_of(question).contradictions not in (HANDS, BOXES):
        return set()
    found: set[str] = set()
    for fact in (facts & game.facts.keys()) - events_of(game).keys():
        info, values = game.facts[fact], seen.get((question, fact))
        varied = question.startswith(modelled_in().get(fact, ("?",))) or not (
            fact in NOT_MODELLED or info.optional
        )
        if not info.definable and (not varied or (values is not None and len(values) < 2)):
            found.add(fact)
    return found


@dataclass(slots=True)
class Cover:
    """What the proofs of one rulebook leave out, by clause."""

    not_varied: dict[str, list[str]] = field(default_factory=dict)  # fact: clauses that ask for it
    by_kind: dict[Search, list[str]] = field(default_factory=dict)
    without_rules: list[str] = field(default_factory=list)  # clauses that are not checkable
    references: int = 0
    not_told_apart: list[tuple[str, str]] = field(default_factory=list)  # clause, cited number

    def kinds(self, gaps: str) -> Iterator[tuple[Search, list[str]]]:
        yield from ((s, self.by_kind[s]) for s in SEARCHES if s in self.by_kind and s.gaps == gaps)

    @property
    def resting(self) -> list[str]:
        """The clauses of which some rule rests on a fact that is not varied."""
        return list(dict.fromkeys(c for clauses in self.not_varied.values() for c in clauses))

    def as_json(self) -> dict[str, Any]:
        return {
            "facts_not_varied": self.not_varied,
            "clauses_resting_on_them": self.resting,
            "by_words_only": {
                s.name: c for s, c in self.by_kind.items() if s.contradictions == WORDS
            },
            "not_searched": {s.name: c for s, c in self.by_kind.items() if s.contradictions == NOT},
            "not_searched_for_gaps": {s.name: clauses for s, clauses in self.kinds(NOT)},
            "clauses_without_rules": self.without_rules,
            "references": self.references,
            "references_not_told_apart": [list(pair) for pair in self.not_told_apart],
        }


def proof_cover(rulebook: Rulebook, seen: Mapping[tuple[str, str], Collection[object]]) -> Cover:
    """`seen` are values of facts that the search went through, by question and fact."""
    engine = new_engine(rulebook)
    found = Cover()
    order = {entry.id: n for n, entry in enumerate(rulebook.clauses)}
    fixed: dict[str, set[str]] = {}
    kinds: dict[Search, set[str]] = {}
    for rule in rulebook.rules:
        kinds.setdefault(search_of(rule.question), set()).add(rule.clause)
        if is_definition(rule.question):
            continue  # told with the rules that use the term
        for fact in not_varied(
            rule.question, asked_of(engine, rule.condition, set()), seen, rulebook.game
        ):
            fixed.setdefault(fact, set()).add(rule.clause)
        for words in asked_at_all(engine, rule.condition):
            fixed.setdefault(words, set()).add(rule.clause)
    for fact in (name for name in (*rulebook.game.facts, *NOT_AT_ALL) if name in fixed):
        found.not_varied[fact] = sorted(fixed[fact], key=lambda clause: order[clause])
    for search in (s for s in SEARCHES if s in kinds):
        found.by_kind[search] = sorted(kinds[search], key=lambda clause: order[clause])
    ruled = {rule.clause for rule in rulebook.rules}
    found.without_rules = [
        c.id for c in rulebook.clauses if c.standing == "not checkable" and c.id not in ruled
    ]
    blind, found.references = not_told_apart(rulebook)
    found.not_told_apart = [(c.owner, c.as_printed) for c in blind]
    return found


def proofs_page() -> str:
    """The page `docs/proofs.md`, made from the lists that the search goes by."""
    lines = [
        "# What the proofs cover",
        "",
        "`rulespec check` looks for contradictions, gaps and rules that never count. How it looks",
        "depends on the question; this page is made from the code that looks (`make docs`).",
        "`rulespec check --full` names the clauses of a rulebook that are concerned, and so does",
        "`--format json` under `summary.proofs`.",
        "",
        "| questions | contradictions | gaps |",
        "| --- | --- | --- |",
        *(f"| {s.name} | {s.contradictions} | {s.gaps} |" for s in SEARCHES),
        "",
        "- *all hands*: every hand that can be dealt under the rulebook, with every dealer's hand,",
        "  the choices that the rules allow, a second player on the box, and events such as a void",
        "  round. A finding comes with a round that was dealt again.",
        f"- *{BOXES}*: every order of their wagers, with nobody or one of them seated.",
        "- *words*: two rules are compared by their conditions alone, alternative by alternative:",
        "  they clash where one applies wherever the other does, or where both are about the same",
        "  event, and what they say cannot be kept at once. A clash that only a chain of events",
        "  would bring about is not found.",
        "- *not searched*: nothing is said.",
        "- *nothing to miss*: what no clause allows is not allowed, what none requires is free.",
        "",
        "A box is split once; only the choice to split again is asked of more hands. A second",
        "player either does all that the first one does, or nothing; after a split only the",
        "deciding player is looked at, and a Super Bonus is only asked of that player. Clauses",
        "that are not checkable (the cutting of the cards, the papers of a casino) have no",
        "rules, so no proof reaches them: `rulespec coverage` lists them.",
        "",
        "What the rulebook itself offers or leaves to the house to choose (`option`, `choice`) is",
        "gone through: with each duty and ban, and with what a permission asks for. Where the",
        "initial deal gives the dealer a second card, results and the dealer's draw are searched",
        "with it; clauses that ask for it while players choose are named, and so are other deals.",
        "",
        "## Facts that are not varied",
        "",
        "These facts stand at their ordinary value in the search over hands (*not known*, for",
        "those that a log need not give), or change with the hand only and not by themselves. A",
        "rule that asks for one is never called dead or needless. What it says for other values is",
        "not compared with anything, nor taken to close a gap there. The last column says for",
        "which questions a fact is varied all the same. Which facts stand still for a question of",
        "one rulebook is measured by the search itself and told by `check --full`.",
        "",
        "| fact | meaning | varied for |",
        "| --- | --- | --- |",
    ]
    games = [game for game in shipped_games() if game.with_boxes]  # those that are searched so
    events = {name for game in games for name in events_of(game)}
    for name, info in {name: info for game in games for name, info in game.facts.items()}.items():
        if name in NOT_MODELLED or (info.optional and name not in events):
            where = ", ".join(f"`{q.strip()}`" for q in modelled_in().get(name, ()))
            lines.append(f"| `{name}` | {info.meaning} | {where} |")
    lines += [
        "",
        "## References",
        "",
        "A reference is checked by number and by subject (R201, R202). Where the number beside it",
        "is on the same topic, a slip to that number is not noticed; `check --full` counts these",
        "references, and narrower topics (`about cut.offer`) tell them apart.",
        "",
    ]
    return "\n".join(lines)
