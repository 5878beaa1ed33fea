"""The house edge of the main wager under the best play that the rules allow.

Every choice is valued by the settlements that the rules give, against every hand with which the
dealer can end. The cards are drawn as from an endless shoe, a box is split once, and there is no
side bet and no bonus. Where the text leaves a settlement open there are two figures, one for the
worst and one for the best that it may mean for the player. Where a rule that could decide rests on
what is not modelled, or where no clause decides, there is no figure, and the clause is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from checker.edge.cards import names_in, reachable
from checker.edge.choices import Chosen, chosen_rules, combinations
from checker.edge.main_models import check_play, counts_matter, partly_followed, seen_rules
from checker.edge.models import Missing, ModelEngine, options_of
from checker.evaluate.dealer_draw import ask_draw, must_draw
from checker.evaluate.engine import Answer
from checker.evaluate.scene import SeenScene
from checker.evaluate.words.why_not import nearest
from checker.judge.payouts import winning_odds
from checker.log import model as r
from checker.states.lines_of_play import SHOE, STAKE, Line, round_of, scene_of
from checker.states.reachable import MIXED, States
from checker.table.mechanics import Mechanics
from checker.table.other_games import played_otherwise
from checker.table.state import TENS, Dealt, Table
from rulespec.resolve.question import (
    CARD_VALUES,
    DEALER_DRAW,
    about_bet,
    actor_and_act,
    asks_about_bet,
    is_act_of,
    requiring,
    whether,
)
from rulespec.resolve.rulebook import Rulebook
from rulespec.tree import nodes as t

ASSUMED = (
    "best play of the hand by its cards",
    "cards drawn as from an endless shoe",
    "a box is split once",
    "the dealer takes the second card when the players are done, and draws to the end",
    "one player alone on one box, a wager within the limits and paid to the cent",
    "no other bet, no bonus, nothing claimed early, no option in use, nothing irregular",
)
LOST, EVEN = Fraction(-1), Fraction(1)
Values = tuple[Fraction, ...]  # won per unit of the original wager, by the dealer's first card


def _questions(mechanics: Mechanics) -> tuple[str, ...]:
    acts = mechanics.acts
    choices = (acts.draw, acts.double, acts.split, acts.leave, acts.give_up)
    return (
        f"{mechanics.main}.",
        CARD_VALUES,
        requiring("card"),
        requiring("deal"),
        DEALER_DRAW,
        *(f"{asked} {action}" for asked in ("player", "require") for action in choices if action),
    )


@dataclass(frozen=True, slots=True)
class MainEdge:
    """What the house keeps of each unit of original wagers. Both are the same for a clear text."""

    least: Fraction | None
    most: Fraction | None  # both None where it cannot be said
    open: tuple[str, ...] = ()  # clauses that leave a settlement or a choice open
    missing: tuple[Missing, ...] = ()  # why it cannot be said
    options: tuple[tuple[str, tuple[str, ...]], ...] = ()  # taken to be off, with their clauses


class _OpenDraw(Exception):
    """The text does not tell whether the dealer draws to a hand."""

    def __init__(self, cards: tuple[str, ...], answer: Answer) -> None:
        held = " ".join(card[0] for card in cards)
        super().__init__(f"whether the dealer draws to {held}: {answer.why_undecided()}")
        self.clauses = answer.clauses


def main_choices(rulebook: Rulebook) -> list[Chosen]:
    """What the house may choose of all that the main wager hangs on."""
    asked = reachable(rulebook, _questions(Mechanics(rulebook.game)))
    return combinations(asked, rulebook.game)


def main_edge(rulebook: Rulebook, chosen: Chosen = ()) -> MainEdge | None:
    """For a house that has `chosen` so. None for a text that does not say how the dealer draws or
    what the main wager gets."""
    if why := played_otherwise(rulebook.game):
        return MainEdge(None, None, missing=(Missing(rulebook.id, f"is not modelled: {why}"),))
    mechanics = Mechanics(rulebook.game)
    asked = reachable(rulebook, _questions(mechanics))
    rules, unseen = seen_rules(chosen_rules(asked, chosen), rulebook.game)
    engine = ModelEngine(replace(rulebook, rules=tuple(rules)), unseen, partly_followed(rules))
    if not engine.has(DEALER_DRAW) or not engine.has(about_bet(mechanics.main, "result")):
        return None
    options = tuple((name, tuple(clauses)) for name, clauses in options_of(rules).items())
    try:
        valuer = _Valuer(engine)
    except _OpenDraw as draw:
        clauses = ", ".join(draw.clauses or sorted(engine.clauses_of(DEALER_DRAW)))
        gap = Missing(clauses, f"leave open {draw}")
        return MainEdge(None, None, (), engine.all_missing() or (gap,), options)
    check_play(engine, valuer.empty, valuer.firsts)
    most = -valuer.edge()
    least = most
    if valuer.open:
        valuer.best = True
        valuer.values.clear()
        least = -valuer.edge()
    missing = (*engine.all_missing(), *_not_followed(rulebook))
    if missing:
        return MainEdge(None, None, tuple(sorted(valuer.open)), missing, options)
    return MainEdge(least, most, tuple(sorted(valuer.open)), (), options)


def _not_followed(rulebook: Rulebook) -> Iterator[Missing]:
    """What can happen at the table and is not gone through here."""
    game = rulebook.game
    for rule in rulebook.rules:
        action = game.action("player", actor_and_act(rule.question)[1])
        if action is not None and action.own and is_act_of(rule.question, "player"):
            yield Missing(rule.clause, f"allows or forbids `{action.name}`, which is not followed")
    for deal in game.deals:
        if isinstance(deal.condition, t.Always) and deal.own:
            yield Missing("the deal", "is one of the rulebook's own, which is not followed")


class _Valuer:
    def __init__(self, engine: ModelEngine) -> None:
        self.engine = engine
        self.acts, self.main = engine.mechanics.acts, engine.mechanics.main
        self.over = engine.mechanics.limit
        self.best = False  # what the text leaves open is taken to be for, or against, the player
        self.open: set[str] = set()
        self.states = States(engine, lambda: None)
        self.firsts = self.states.all_ranks
        self._ends: dict[object, dict[tuple[str, ...], Fraction]] = {}
        self._alike: dict[object, tuple[str, ...]] = {}
        self._left: dict[object, tuple[Values, Values]] = {}
        self.values: dict[object, Values] = {}
        empty = Table(round_of("bet 1 P1 10\n"))
        self.empty = SeenScene(engine, empty, SHOE, no_effect=False)
        rules = reachable(engine.rulebook, (f"{self.main}.", CARD_VALUES))
        facts = engine.rulebook.game.facts
        asked = sorted({name for rule in rules for name in names_in(rule) if name in facts})
        looks = {name: engine.term(t.Fact(name)) for name in asked}
        self._seen_of_dealer = [looks[n] for n in asked if n.startswith("dealer.")]
        self._seen_of_hand = [looks[n] for n in asked if not n.startswith("dealer.")]
        self._parts: dict[object, tuple[Values, Values]] = {}
        self.against = [self._dealer((rank + "D",)) for rank in self.firsts]
        self.dealt = sorted({cards for ends in self.against for cards in ends})
        self._counts = counts_matter(engine.rulebook.rules)
        self.as_dealt = {
            cards: tuple(Dealt(c, n, False) for n, c in enumerate(cards)) for cards in self.dealt
        }

    # --- cards

    def weight(self, rank: str) -> Fraction:
        """The share of cards that a rank stands for: one rank does for all that count ten."""
        merged = rank in TENS and self.states.tens_alike
        alike = sum(one in TENS for one in self.firsts) if merged else 1
        return Fraction(alike, len(self.firsts))

    def _dealer(self, cards: tuple[str, ...]) -> dict[tuple[str, ...], Fraction]:
        """The hands with which the dealer can end, each with its probability."""
        states = self.states
        dealt = tuple(Dealt(c, n, False) for n, c in enumerate(cards))
        scene = self.empty.but(dealer=dealt)
        total = scene.fact("dealer.total")
        second = states._named(cards[1]) if cards[1:] else None
        size = min(len(cards), states.want.dealer_cards + 1)
        key = (states._named(cards[0]), second, total, scene.fact("dealer.hard_total"), size)
        over = not isinstance(total, int) or total > self.over
        due = must_draw(scene) if len(cards) > 1 and not over else not over
        if due is None:
            raise _OpenDraw(cards, ask_draw(scene))
        if not due:
            # hands between which the rules on settlement see no difference are one
            seen = tuple(look(scene) for look in self._seen_of_dealer)
            return {self._alike.setdefault(seen, cards): Fraction(1)}
        if key not in self._ends:
            found: dict[tuple[str, ...], Fraction] = {}
            ranks = self.firsts if len(cards) == 1 else states.ranks
            for rank in ranks:
                share = Fraction(1, len(self.firsts)) if len(cards) == 1 else self.weight(rank)
                for end, part in self._dealer((*cards, rank + "CHSD"[len(cards) % 4])).items():
                    found[end] = found.get(end, Fraction(0)) + share * part
            self._ends[key] = found
        return self._ends[key]

    def _next(self, line: Line) -> Iterator[tuple[str, Fraction]]:
        """The cards that may come next, each with its probability."""
        cards = list(self.states.more(line.cards))
        for card in cards:
            twins = [c for c in cards if c[0] == card[0]]
            share = self.weight(card[0])
            if len(twins) == 2:  # one of them keeps the hand in one suit
                share *= Fraction(1, 4) if card == twins[1] else Fraction(3, 4)
            yield card, share

    def _deals(self) -> Iterator[tuple[Line, Fraction]]:
        lines = self.states.first_two()
        for line in lines:
            one, other = line.cards
            share = self.weight(one[0]) * self.weight(other[0]) * (1 if one[0] == other[0] else 2)
            suited = Line((one[0] + MIXED[0], other[0] + MIXED[0])) in lines
            if one[1] == other[1]:
                share *= Fraction(1, 16)
            elif suited:
                share *= Fraction(3, 4)
            yield line, share

    def _key(self, line: Line) -> object:
        """What stands for all hands that the rules do not tell from this one."""
        scene = self.states.scene(line)
        total = scene.fact("hand.total")
        over = (
            (total, scene.fact("hand.hard_total"))
            if not isinstance(total, int) or (total > self.over)
            else None
        )
        counts = (scene.fact("hand.aces"), scene.fact("hand.ten_cards")) if self._counts else None
        return self.states.key(line), over, counts

    # --- choices

    def _moment(self, action: str, line: Line, first: str) -> SeenScene:
        scene = self.states.scene(line)
        do = self.engine.mechanics.word_for(action)
        moment = scene.but(
            play=r.Play(1, line.number, line.player, do, STAKE),
            dealer=(Dealt(first + "D", 0, False),),
        )
        moment.memory["totals"] = scene.memory["totals"]
        return moment

    def _may(self, action: str, line: Line, first: str = "9") -> bool:
        """Whether a choice is allowed and keeps what is required of it."""
        if not self.engine.has(whether("player", action)):
            return bool(action) and self.states.may(action, line, first)
        moment = self._moment(action, line, first)
        allowed, answer = self.engine.allowed(whether("player", action), moment)
        if allowed is None:
            self.open.update(rule.clause for rule in answer.rules)
            allowed = self.best
        required = requiring(action)
        if not allowed or not self.engine.has(required):
            return bool(allowed)
        for rule in self.engine.ask(required, moment).rules:
            kept = self.engine.requirement(rule)[0](moment)
            if kept is False:
                return False
            if kept is None and rule.id in self.engine.unseen:
                self.engine.miss(rule.clause, f"rests on {self.engine.unseen[rule.id]}")
        return True

    def _must_draw(self, line: Line) -> bool:
        question = whether("player", self.acts.draw)
        if not self.engine.has(question):
            return False
        answer = self.engine.ask(question, self.states.scene(line))
        values = set(answer.values)
        if values & {"may not", "must not"}:
            return False
        if "undecided must" in values:
            self.open.update(rule.clause for rule in answer.rules)
            return not self.best
        return "must" in values

    # --- values

    def edge(self) -> Fraction:
        total = Fraction(0)
        dealt = Fraction(0)
        for line, share in self._deals():
            dealt += share
            total += share * sum(self._first_choice(line)) / len(self.firsts)
        assert dealt == 1
        return total

    def _first_choice(self, line: Line) -> Values:
        found = [self._value(line)]
        if self.states.scene(line).fact("hand.equal_value") and self._may(self.acts.split, line):
            one, other = line.cards
            hands = [
                self._value(Line((one,), pair=(one, other), sibling=self.states._stood(other))),
                self._value(
                    Line((other,), number=2, pair=(one, other), sibling=self.states._stood(one))
                ),
            ]
            found.append(tuple(map(sum, zip(*hands, strict=True))))  # type: ignore[arg-type]
        if self.engine.has(whether("player", self.acts.leave)):
            given = self._settled(line.but(surrendered=True))
            found.append(
                tuple(
                    value if self._may(self.acts.leave, line, first) else LOST * 9
                    for value, first in zip(given, self.firsts, strict=True)
                )
            )
        return _best(found)

    def _value(self, line: Line) -> Values:
        """What a hand is worth when it is played on as well as can be."""
        key = self._key(line)
        if key in self.values:
            return self.values[key]
        if len(line.cards) < 2:
            return self._mean(line, line)
        total = self.states.scene(line).fact("hand.total")
        over = not isinstance(total, int) or total > self.over
        choices: list[Values] = []
        if over or not self._must_draw(line):
            choices.append(self._settled(line))
        if not over and line.doubled_with is None:
            if self._may(self.acts.draw, line):
                choices.append(self._mean(line, line))
            if self._may(self.acts.double, line):
                choices.append(self._mean(line, line.but(doubled_with=len(line.cards))))
        if line.doubled_with is not None and self._may(self.acts.give_up, line):
            choices.append(self._settled(line.but(forfeited=True)))
        self.values[key] = _best(choices or [self._settled(line)])
        return self.values[key]

    def _mean(self, line: Line, then: Line) -> Values:
        total = [Fraction(0)] * len(self.firsts)
        for card, share in self._next(line):
            made = then.but(cards=(*line.cards, card))
            value = self._value(made) if made.doubled_with is None else self._doubled(made)
            for n, part in enumerate(value):
                total[n] += share * part
        return tuple(total)

    def _doubled(self, line: Line) -> Values:
        found = [self._settled(line)]
        if self._may(self.acts.give_up, line):
            found.append(self._settled(line.but(forfeited=True)))
        return _best(found)

    def _settled(self, line: Line) -> Values:
        """What the hand wins when it is left, for each first card of the dealer."""
        key = (self._key(line), line.surrendered, line.forfeited)
        if key not in self._left:
            table = self.states.table(line)
            ends = len(self.dealt)
            worst, best = [Fraction(0)] * ends, [Fraction(0)] * ends
            for part in line.parts():
                scene = scene_of(self.engine, table, line, part, STAKE)
                for n, (least, most) in enumerate(zip(*self._against_all(scene), strict=True)):
                    worst[n] += least
                    best[n] += most
            self._left[key] = self._by_first(worst), self._by_first(best)
        return self._left[key][self.best]

    def _against_all(self, scene: SeenScene) -> tuple[Values, Values]:
        """One part of the money against every end; the same for hands that the rules see alike."""
        seen: list[object] = [look(scene) for look in self._seen_of_hand]
        patterns = {"-".join(p) for p in self.states.want.patterns}
        key = (
            scene.part,
            *("" if isinstance(x, str) and "-" in x and x not in patterns else x for x in seen),
        )
        if key not in self._parts:
            means = [self._part(scene.but(dealer=self.as_dealt[cards])) for cards in self.dealt]
            self._parts[key] = tuple(map(min, means)), tuple(map(max, means))
        return self._parts[key]

    def _by_first(self, won: list[Fraction]) -> Values:
        place = {cards: n for n, cards in enumerate(self.dealt)}
        return tuple(
            sum((share * won[place[cards]] for cards, share in ends.items()), Fraction(0))
            for ends in self.against
        )

    def _part(self, scene: SeenScene) -> list[Fraction]:
        """What one part of the money wins; several amounts where the text leaves it open."""
        result = self.engine.ask(about_bet(self.main, "result"), scene)
        worth = {"loses": LOST, "loses half": LOST / 2, "wins": EVEN}
        if not result.decided:
            self._leaves_open(result, scene)
            means = [worth.get(str(v), Fraction(0)) for v in result.values if v != "undecided"]
            return means if len(means) > 1 else [LOST, EVEN]
        if result.value != "wins":
            return [worth.get(str(result.value), Fraction(0))]
        odds, ratio = winning_odds(scene)
        if ratio is not None:
            return [ratio]
        self._leaves_open(odds, scene)
        return [v.ratio for v in odds.values if isinstance(v, t.Odds)] or [Fraction(0), EVEN]

    def _leaves_open(self, answer: Answer, scene: SeenScene) -> None:
        """Note who leaves a settlement open. Where nobody says anything there is no figure."""
        if answer.values:
            self.open.update(rule.clause for rule in (*answer.rules, *answer.unknown))
            return
        assert scene.hand is not None
        hand = " ".join(d.rank for d in scene.hand.cards)
        dealer = " ".join(d.rank for d in scene.dealer)
        near = nearest(self.engine, answer.question, scene)[:1]
        clause = near[0].rule.clause if near else "no clause"
        what = (
            "what a win pays on" if asks_about_bet(answer.question, "odds") else "what becomes of"
        )
        self.engine.miss(clause, f"does not say, nor does another, {what} {hand} against {dealer}")


def _best(choices: list[Values]) -> Values:
    return tuple(map(max, zip(*choices, strict=True)))
