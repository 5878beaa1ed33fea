"""Names, types and domains of conditions, against the closed vocabulary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import assert_never

from rulespec.base.diagnostics import Diagnostic
from rulespec.base.spans import Span
from rulespec.tree import nodes as t
from rulespec.tree.cards import POKER_RANKS, SAME, TRAITS, card_fact, card_positions, group_of
from rulespec.tree.game import DEALER, Game
from rulespec.tree.kinds import BOOL, CARDS, MONEY, RANK_LIST, Kind, one_of, whole


def did_you_mean(word: str, known: Iterable[str], else_say: str) -> str:
    near = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"did you mean `{near[0]}`?" if near else else_say


def _is_nothing(node: t.Expression) -> bool:
    match node:
        case t.Number():
            return node.value == 0
        case t.Money():
            return node.cents == 0
        case _:
            return False


class Checker:
    """Checks conditions of one rulebook; `terms` are the words that its clauses define."""

    def __init__(
        self, terms: Mapping[str, set[str]], game: Game, numbers: Mapping[str, Kind] | None = None
    ) -> None:
        self.terms = terms  # term -> groups of facts that it needs
        self.game = game
        self.numbers = numbers or {}  # terms that stand for a number or an amount
        self.found: list[Diagnostic] = []
        self.clause: str | None = None

    def report(self, code: str, message: str, span: Span, advice: str | None = None) -> None:
        self.found.append(Diagnostic(code, message, span, clause=self.clause, help=advice))

    def condition(self, node: t.Expression, moment: str) -> None:
        kind = self.kind_of(node, moment)
        if kind is not None and kind.name != "bool":
            self.report(
                "R103",
                f"this is {kind.describe()}, not a condition",
                node.span,
                "compare it with something",
            )

    def money(self, node: t.Expression, moment: str) -> None:
        kind = self.kind_of(node, moment)
        if kind is not None and kind.name != "money":
            self.report("R103", f"this is {kind.describe()}, not an amount of money", node.span)

    def kind_of(self, node: t.Expression, moment: str) -> Kind | None:
        """The type of an expression, or None when something in it was reported already."""
        match node:
            case t.Always():
                return BOOL
            case t.Either() | t.Both():
                for part in node.parts:
                    self.condition(part, moment)
                return BOOL
            case t.Negated():
                self.condition(node.part, moment)
                return BOOL
            case t.Fact():
                return self._fact(node, moment)
            case t.Name():
                return self._term(node, moment)
            case t.Setting():
                self._setting(node)
                return BOOL
            case t.Number():
                return whole(node.value, node.value)
            case t.Money():
                return MONEY
            case t.Ranks():
                return RANK_LIST
            case t.Compare():
                self._compare(node.left, node.operator, node.right, moment)
                return BOOL
            case t.OneOf():
                for value in node.values:
                    self._compare(node.left, "=", value, moment)
                return BOOL
            case t.Between():
                self._compare(node.left, ">=", node.low, moment)
                self._compare(node.left, "<=", node.high, moment)
                return BOOL
            case t.Arithmetic():
                return self._arithmetic(node, moment)
            case t.Chosen():
                return self._chosen(node)
            case t.MeterAmount():
                self._known("meter", node.name, self.game.meters, node.span)
                return MONEY
            case t.Times():
                plays = self.game.actions_of("player")
                if node.action not in plays:
                    advice = did_you_mean(node.action, plays, "one of " + ", ".join(plays))
                    self.report("R106", f"there is no action `{node.action}`", node.span, advice)
                return whole(0, 22)
            case t.Same():
                if node.trait not in SAME:
                    advice = did_you_mean(node.trait, SAME, "one of " + ", ".join(SAME))
                    self.report("R104", f"cards have no `{node.trait}`", node.span, advice)
                return self._cards(node, BOOL)
            case t.Consecutive():
                return self._cards(node, BOOL)
            case t.PokerRank():
                return self._cards(node, one_of(*POKER_RANKS))
            case t.PointsOf():
                return self._cards(node, whole(0, 400))
            case t.CardsOf():
                return self._cards(node, CARDS)
            case t.CountOf():
                for trait in node.traits:
                    self._trait(trait, moment)
                return self._cards(node, whole(0, 22))
            case _:
                assert_never(node)

    def _known(self, kind: str, name: str, known: Mapping[str, object], span: Span) -> bool:
        if name in known:
            return True
        advice = did_you_mean(name, known, f'declare it: `{kind} {name} "…"`')
        self.report("R105", f"nothing is called `{kind} {name}`", span, advice)
        return False

    def _chosen(self, node: t.Chosen) -> Kind | None:
        choices = self.game.choices
        if not self._known("choice", node.name, choices, node.span):
            return None
        choice = choices[node.name]
        match choice.kind:
            case "money":
                return MONEY
            case "cards":
                return CARDS
            case "number":
                return whole(0, 10**6)
        if not node.amount:
            return one_of(*choice.values)
        if not all(value.isdigit() for value in choice.values):
            self.report("R103", f"`choice {node.name}` is no number", node.span)
            return None
        numbers = [int(value) for value in choice.values]
        return whole(min(numbers), max(numbers))

    def _cards(self, node: t.CardQuestion, kind: Kind) -> Kind | None:
        known = (*card_positions(self.game.hands), "hand", DEALER, *self.game.hands)
        for card in node.cards:
            if card not in known:
                advice = did_you_mean(card, known, "such as `first`, `second`, `dealer.first`")
                self.report("R101", f"no card is called `{card}`", node.span, advice)
                return None
        return kind

    def _trait(self, trait: t.Trait, moment: str) -> None:
        kind = TRAITS.get(trait.name)
        if kind is None or kind is BOOL:
            advice = did_you_mean(trait.name, TRAITS, "rank, suit, colour or points")
            self.report("R104", f"a card has no `{trait.name}`", trait.span, advice)
            return
        operator = "=" if trait.operator == "in" else trait.operator
        for value in trait.values:
            if kind.name == "enum":
                self._listed_value(kind, operator, value, moment)
            else:
                self.kind_of(value, moment)

    def _fact(self, node: t.Fact, moment: str) -> Kind | None:
        hands = self.game.hands
        info = self.game.facts.get(node.name) or card_fact(node.name, hands)
        if info is None:
            if node.name in self.terms:
                return BOOL
            known = [*self.game.facts, *self.terms]
            advice = did_you_mean(node.name, known, "`docs/vocabulary.md` lists the facts")
            self.report("R101", f"there is no fact `{node.name}`", node.span, advice)
            return None
        known_now = self.game.moments.get(moment, ())
        if group_of(node.name, hands) not in known_now:
            advice = f"a statement about `{moment}` may ask about {', '.join(known_now)}"
            if not known_now:
                said = "bet" if moment in self.game.bets else moment
                said = "player" if moment in self.game.actions_of("player") else said
                advice = f"the game says nothing of it: declare `moment {said} knows …` there"
            self.report("R108", f"`{node.name}` is not known at this moment", node.span, advice)
            return None
        return info.kind

    def _term(self, node: t.Name, moment: str) -> Kind | None:
        groups = self.terms.get(node.name)
        if groups is None:
            advice = did_you_mean(node.name, self.terms, "define it with `define … as …`")
            self.report("R102", f"`{node.name}` is not a defined term", node.span, advice)
            return None
        missing = sorted(groups - set(self.game.moments.get(moment, ())))
        if missing:
            self.report(
                "R108",
                f"`{node.name}` is not known at this moment",
                node.span,
                f"its definition asks about {', '.join(missing)}",
            )
            return None
        return self.numbers.get(node.name, BOOL)

    def _setting(self, node: t.Setting) -> None:
        game = self.game
        tables: dict[str, Mapping[str, object]] = {
            "option": game.options,
            "approved": game.approvals,
            "recorded": game.records,
            "player has": game.bets,
            "anybody has": game.bets,
        }
        known = tables[node.kind]
        if node.name not in known:
            advice = did_you_mean(node.name, known, "`docs/vocabulary.md` lists them")
            self.report("R105", f"nothing is called `{node.kind} {node.name}`", node.span, advice)

    def _arithmetic(self, node: t.Arithmetic, moment: str) -> Kind | None:
        left, right = self.kind_of(node.left, moment), self.kind_of(node.right, moment)
        if left is None or right is None:
            return None
        names = {left.name, right.name}
        if not names <= {"int", "money"}:
            self.report("R103", "only numbers and money can be reckoned with", node.span)
            return None
        if node.operator in ("/", "modulo") and _is_nothing(node.right):
            self.report(
                "R112", "nothing can be divided by 0", node.span, "divide by a number from 1 up"
            )
            return None
        if names == {"int"}:
            return whole(-(10**6), 10**6)
        if node.operator == "modulo" and len(names) > 1:
            message = "what is left of money is told by money, of a number by a number"
            self.report("R103", message, node.span, "as in `wager.stake modulo $5 = $0`")
            return None
        if node.operator == "*" and names == {"money"}:
            self.report("R103", "money times money makes no sense", node.span)
            return None
        if node.operator in "+-" and len(names) > 1:
            self.report(
                "R103",
                "money and a plain number cannot be added",
                node.span,
                "write amounts with `$`",
            )
            return None
        if node.operator == "/" and right.name == "money":
            self.report("R103", "only a plain number can divide", node.span)
            return None
        return MONEY

    def _compare(self, left: t.Expression, operator: str, right: t.Expression, moment: str) -> None:
        if isinstance(left, t.Name) and isinstance(right, t.Fact):
            left, right = right, left
        kind = self.kind_of(left, moment)
        if kind is None:
            return
        if kind.name == "bool":
            self.report(
                "R103",
                "a yes-or-no fact is not compared",
                left.span,
                "write it alone, or with `not` before it",
            )
            return
        if kind.name in ("rank", "enum"):
            self._listed_value(kind, operator, right, moment)
            return
        if kind.values and isinstance(right, t.Name) and right.name in kind.values:
            if operator not in ("=", "!="):
                message = f"`{right.name}` cannot be compared with `{operator}`"
                self.report("R103", message, right.span)
            return
        other = self.kind_of(right, moment)
        if other is None:
            return
        if other.name != kind.name:
            self.report(
                "R103",
                f"{kind.describe()} cannot be compared with {other.describe()}",
                right.span,
                "write amounts with `$`" if {kind.name, other.name} == {"int", "money"} else None,
            )
            return
        if kind.name == "ranks" and operator not in ("=", "!="):
            self.report("R103", f"ranks cannot be compared with `{operator}`", right.span)
        if kind.name == "int" and isinstance(right, t.Number) and isinstance(left, t.Fact):
            self._domain(left.name, kind, operator, right)

    def _domain(self, fact: str, kind: Kind, operator: str, number: t.Number) -> None:
        value, low, high = number.value, kind.low, kind.high
        never = {
            "=": not low <= value <= high,
            "!=": not low <= value <= high,
            "<": value <= low or value > high + 1,
            "<=": value < low or value > high,
            ">": value >= high or value < low - 1,
            ">=": value > high or value < low,
        }[operator]
        if never:
            self.report(
                "R104",
                f"`{fact}` is {kind.describe()}: `{operator} {value}` tells nothing",
                number.span,
            )

    def _listed_value(self, kind: Kind, operator: str, right: t.Expression, moment: str) -> None:
        if operator not in ("=", "!="):
            self.report(
                "R103", f"{kind.describe()} cannot be compared with `{operator}`", right.span
            )
            return
        match right:
            case t.Name():
                value = "T" if right.name == "10" else right.name
            case t.Number():
                value = "T" if right.value == 10 else str(right.value)
            case t.Fact():
                other = self._fact(right, moment)
                if other is not None and not set(other.values) & set(kind.values):
                    self.report("R103", f"`{right.name}` has none of these values", right.span)
                return
            case _:
                self.report("R103", f"expected {kind.describe()}", right.span)
                return
        if value not in kind.values:
            advice = did_you_mean(value, kind.values, f"it is {kind.describe()}")
            self.report("R104", f"`{value}` is not a value of this fact", right.span, advice)
