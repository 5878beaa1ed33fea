"""Contradictions and gaps on bets that certain cards decide, found by dealing these cards.

Every deal that the rules can tell apart is settled, for each choice of the house and each number of
decks that may matter; nothing irregular is recorded, and no option is in use but that of the bet.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from checker.edge.choices import Chosen
from checker.edge.declared_bets import Dealing, dealings, declared_bets
from checker.evaluate.answer import Answer, shown
from checker.evaluate.engine import Engine
from checker.evaluate.ready import new_engine
from checker.evaluate.words.in_words import card_text
from checker.evaluate.words.why_not import where_missing
from rulespec.base.diagnostics import Diagnostic, Related
from rulespec.resolve.question import about_bet
from rulespec.resolve.rule_value import RuleValue
from rulespec.resolve.rulebook import Rule, Rulebook
from rulespec.tree.game import DEALER, Bet

_HELP = {
    "R310": "decide it in a `reading`, or write which clause prevails",
    "R312": "compare with the source; a `reading` can say how such a deal is settled",
    "R316": "name the exception in the wider row, or say that only the highest is paid",
}


@dataclass(slots=True)
class Proofs:
    """What was found, and the bets of which every deal was looked at."""

    found: list[Diagnostic] = field(default_factory=list)
    proven: set[str] = field(default_factory=set)


def declared_proofs(rulebook: Rulebook) -> Proofs:
    proofs = Proofs()
    plain = new_engine(rulebook)
    for bet in declared_bets(rulebook):
        made = list(dealings(rulebook, bet))
        told: dict[object, Diagnostic] = {}
        whole, dealt = True, False
        for dealing in made:
            for cards, result, odds, open_ in dealing.settlements():
                dealt = True
                whole = whole and not open_
                for issue in _issues(dealing, result, odds) if not open_ else ():
                    code, rules, words = issue
                    key = (code, tuple(sorted({rule.clause for rule in rules})), words)
                    if key in told:
                        continue
                    if _dealt_again(plain, dealing, cards) != (set(result.values), _values(odds)):
                        whole = False  # it hangs on what the deals do not tell
                        continue
                    told[key] = _diagnostic(rulebook, dealing, code, rules, words, cards)
        proofs.found += told.values()
        if whole and dealt:
            proofs.proven.add(bet.name)
    return proofs


def _dealt_again(
    plain: Engine, dealing: Dealing, cards: tuple[str, ...]
) -> tuple[set[RuleValue], set[RuleValue]]:
    """What the evaluator says of the wager on these cards, and of its odds if it wins."""
    bet = dealing.bet.name
    scene = dealing.seen_by(plain, cards)
    result = plain.ask(about_bet(bet, "result"), scene)
    won = result.values == ("wins",) and not result.unknown
    odds = plain.ask(about_bet(bet, "odds"), scene) if won else None
    return set(result.values), _values(odds)


def _values(odds: Answer | None) -> set[RuleValue]:
    return set() if odds is None else set(odds.values)


def _issues(
    dealing: Dealing, result: Answer, odds: Answer | None
) -> list[tuple[str, tuple[Rule, ...], str]]:
    bet = dealing.bet
    if len(result.values) > 1 and not result.unknown:
        values = " and ".join(sorted(str(v) for v in result.values))
        return [("R310", result.rules, f"`{bet.name}` {values}")]
    if not result.values and not result.unknown:
        near = where_missing(dealing.engine, about_bet(bet.name, "result"), dealing.scene)
        return [("R312", near[:1], f"no clause says whether `{bet.name}` wins")]
    if odds is None or odds.unknown:
        return []
    if not odds.values:
        near = where_missing(dealing.engine, about_bet(bet.name, "odds"), dealing.scene)
        return [("R312", near[:1] or result.rules[:1], f"no clause says what `{bet.name}` pays")]
    if len(odds.values) > 1 and not dealing.adds_up():
        code = "R316" if len({rule.clause for rule in odds.rules}) == 1 else "R310"
        values = " and ".join(sorted(shown(v) for v in odds.values))
        return [(code, odds.rules, f"`{bet.name}` pays {values}")]
    return []


def _diagnostic(
    rulebook: Rulebook,
    dealing: Dealing,
    code: str,
    rules: tuple[Rule, ...],
    words: str,
    cards: tuple[str, ...],
) -> Diagnostic:
    first = rules[0] if rules else None
    hand = _hand(dealing.bet, cards, dealing.dealer_cards)
    when = _when(dealing.chosen)
    related = {r.clause: Related(r.clause, f"says {shown(r.value)}", r.span) for r in rules[1:]}
    if first is not None:
        related.pop(first.clause, None)
    return Diagnostic(
        code,
        f"{words}{when}: {hand}",
        first.span if first is not None else None,
        rulebook.id,
        first.clause if first is not None else None,
        tuple(related.values()),
        _HELP[code],
        {
            "hand": hand,
            "cards": list(cards[dealing.dealer_cards :]),
            "dealer": list(cards[: dealing.dealer_cards]),
            "options": [f"{name}={value}" for name, value in dealing.chosen],
            "decks": dealing.decks,
        },
        about=(words,),
    )


def _when(chosen: Chosen) -> str:
    return "".join(f", {name}={value}" for name, value in chosen)


def _hand(bet: Bet, cards: tuple[str, ...], dealer: int) -> str:
    own = " ".join(map(card_text, cards[dealer:]))
    if not any(card.startswith(f"{DEALER}.") for card in bet.decided_by):
        return own
    return f"{own}, dealer {' '.join(map(card_text, cards[:dealer]))}".removeprefix(", ")
