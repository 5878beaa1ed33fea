"""What the plain evaluator says to a question on the facts in the working memory of the judge.

Called once for each key that turns up in a log. The numbers that come out are all that machine
code needs to go on; the clauses tell what the question put to the test.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Final

from checker.columns.batch import BETS
from checker.columns.known_game import MAIN_BET, MECHANICS, WINS_BONUS
from checker.columns.rules.column_scene import ColumnScene
from checker.columns.rules.formulas import Formulas
from checker.columns.rules.looker import NotColumnar
from checker.columns.rules.questions import DUTIES, QUESTIONS, RESULTS, TIMINGS, Asked, asked_of
from checker.columns.rules.said import (
    ANSWER_WIDTH,
    BOUNDED,
    CAP_SHIFT,
    DECIDED,
    DENOMINATOR_PLACE,
    EITHER,
    ELEVEN,
    FLAGS,
    FORMULA,
    INTERIM,
    LARGEST_ODDS,
    ODDS,
    OK,
    OPEN,
    PAID_EARLY,
    PRICED,
    SAYS_VOID,
    TIME_SHIFT,
    UNCHECKED,
    VALUE,
    VALUES,
    Said,
)
from checker.columns.rules.settings import Settings
from checker.columns.slots import SLOTS, UNKNOWN, decoded
from checker.evaluate.answer import BANS
from checker.evaluate.dealer_draw import card_due, dealer_chooses
from checker.evaluate.deals import ending
from checker.evaluate.engine import Answer, Engine
from checker.judge.bonus_due import says_who_wins
from checker.judge.payouts import winning_odds
from checker.log.model import RANKS
from rulespec.resolve.question import (
    DEALER_DRAW,
    ROUNDING,
    Question,
    about_bet,
    requiring,
    value_of_card,
    whether,
)
from rulespec.resolve.rule_value import as_expression, as_points, as_rounding, as_word
from rulespec.resolve.rulebook import Rule
from rulespec.tree import game as g
from rulespec.tree import nodes as t
from rulespec.tree.walk import asked_words

DECIDED_BY: Final = {does.action for does in MECHANICS.plays.values() if does.decides}
"""What whoever decides for the box does."""


class Answers:
    """The answers of one rulebook, with the numbers that stand for sets of values."""

    def __init__(self, engine: Engine, formulas: Formulas) -> None:
        self.engine = engine
        self.formulas = formulas
        self.sets: dict[frozenset[str], int] = {}
        self.warns_early = False  # warnings are asked with the main wagers
        self.settings: Settings | None = None

    def say(self, place: int, scene: ColumnScene) -> Said:
        own = self.settings.bets if self.settings is not None else ()
        asked = asked_of(QUESTIONS[place], own)
        assert asked is not None
        self.engine.lacking.clear()
        scene.bet = asked.subject
        said: Said = getattr(self, "_" + asked.kind.replace(" ", "_"))(asked, scene)
        said.lacking = tuple(self.engine.lacking)
        self.engine.lacking.clear()
        return said

    def _numbers(
        self, ok: bool, answer: Answer | None = None, value: int = 0, flags: int = 0
    ) -> list[int]:
        found = [0] * ANSWER_WIDTH
        found[FLAGS] = OK * ok
        found[FORMULA] = -1
        if answer is not None:
            words = frozenset(value for value in answer.values if isinstance(value, str))
            if len(words) == len(answer.values):
                found[VALUES] = self.sets.setdefault(words, len(self.sets))
            interim = any(rule.interim for rule in answer.rules)
            found[FLAGS] |= (
                OPEN * bool(answer.unknown)
                | INTERIM * interim
                | SAYS_VOID * ("void" in answer.values)
                | PAID_EARLY * (interim and "wins" in answer.values)
                | UNCHECKED * bool(answer.unchecked)
                | DECIDED * answer.decided
            )
        found[VALUE] = value
        found[FLAGS] |= flags
        return found

    def _settled(self, asked: Asked, scene: ColumnScene) -> Said:
        return self._required([requiring(f"{asked.subject} settlement")], scene)

    def _require(self, asked: Asked, scene: ColumnScene) -> Said:
        said = self._required([requiring(moment) for moment in asked.subject.split()], scene)
        if asked.subject == f"wager {MAIN_BET}" and self.warns_early:
            warned = self._duty(Asked("duty", "warn", done="told"), scene)
            said = Said(
                self._numbers(said.ok and warned.ok),
                (*said.tested, *warned.tested),
                (*said.unchecked, *warned.unchecked),
            )
        return said

    def _required(self, questions: list[Question], scene: ColumnScene) -> Said:
        """As `Judge.require` goes about it."""
        engine = self.engine
        tested: list[str] = []
        missed: list[Rule] = []
        ok = True
        for question in questions:
            answer = engine.ask(question, scene)
            missed += [*answer.unknown, *answer.unchecked]
            for rule in answer.rules:
                met = engine.requirement(rule)[0](scene)
                if met is None or (met and engine.lacks(rule, scene)):
                    missed.append(rule)
                else:
                    tested.append(rule.clause)
                    ok &= met
        return Said(self._numbers(ok), tuple(tested), _clauses(missed))

    def _play(self, asked: Asked, scene: ColumnScene) -> Said:
        """As `Judge._judge_play`: whether it is allowed, by whom, and how."""
        action = asked.subject
        allowed, answer = self.engine.allowed(whether("player", action), scene)
        ok = allowed is True
        tested = [*answer.clauses]
        unchecked = [*_clauses(answer.unchecked)]
        if action == MECHANICS.acts.stand:
            ok &= self._left(asked, scene).ok
        if action in DECIDED_BY and self.engine.has(whether("player", MECHANICS.deciding)):
            may, answer = self.engine.allowed(whether("player", MECHANICS.deciding), scene)
            refused = any(x.value in ("may not", "must not") for x in answer.rules)
            ok &= not ((may is False and refused) or (may is None and bool(answer.values)))
            tested += answer.clauses
        required = self._require(asked, scene)
        ok &= required.ok
        return Said(
            self._numbers(ok), (*tested, *required.tested), (*unchecked, *required.unchecked)
        )

    def _left(self, asked: Asked, scene: ColumnScene) -> Said:
        answer = self.engine.ask(whether("player", "draw"), scene)
        ok = answer.demands is False and not self._contested(answer.unknown, scene)
        return Said(self._numbers(ok))

    def _opening(self, asked: Asked, scene: ColumnScene) -> Said:
        said = [self._require(asked, scene)]
        for action, shown in DUTIES.items():
            if self.engine.has(whether("casino", action)):
                number = scene.memory_numbers[SLOTS[shown[0]]] if shown else 0
                done = None if number == UNKNOWN else shown is not None and number >= shown[1]
                said.append(self._done(whether("casino", action), done, scene))
        return Said(
            self._numbers(all(one.ok for one in said)),
            tuple(clause for one in said for clause in one.tested),
            tuple(clause for one in said for clause in one.unchecked),
        )

    def _duty(self, asked: Asked, scene: ColumnScene) -> Said:
        assert asked.done is not None
        done = decoded(asked.done, scene.memory_numbers[SLOTS[asked.done]])
        return self._done(whether("casino", asked.subject), done, scene)

    def _done(self, question: Question, done: bool | None, scene: ColumnScene) -> Said:
        answer = self.engine.ask(question, scene)
        due = answer.demands is not False or self._contested(answer.unknown, scene)
        missing = (*answer.unknown, *answer.unchecked)
        clauses = {rule.clause for rule, _ in self.engine.by_question[question]}
        tested = clauses - {rule.clause for rule in (*missing, *answer.rules)}
        unchecked = set(_clauses(missing))
        if due and done is None:
            unchecked |= set(answer.clauses)
        elif due:
            tested |= set(answer.clauses)
        ok = not due or done is None or (answer.demands is True and done)
        ok &= done is False or not BANS.intersection(answer.values)
        return Said(self._numbers(ok), tuple(sorted(tested)), tuple(sorted(unchecked)))

    def _over(self, asked: Asked, scene: ColumnScene) -> Said:
        """As `Stages.after` has it of stages in which the dealer looks."""
        assert self.settings is not None
        tests = [
            (self.engine.compile(stage.condition), self.engine.compile(step.condition))
            for stage in self.settings.looking
            for step in ending(stage)
        ]
        over = any(comes(scene) and ends(scene) for comes, ends in tests)
        return Said(self._numbers(True, value=int(over)))

    def _offers(self, asked: Asked, scene: ColumnScene) -> Said:
        """As `casino.offers` has it, of rounds in which nothing was offered."""
        assert self.settings is not None
        said = [self._done(question, False, scene) for question in self.settings.offers]
        return Said(
            self._numbers(all(one.ok for one in said)),
            tuple(clause for one in said for clause in one.tested),
            tuple(clause for one in said for clause in one.unchecked),
        )

    def _draw(self, asked: Asked, scene: ColumnScene) -> Said:
        answer = self.engine.ask(DEALER_DRAW, scene)
        due = card_due(answer)
        value = UNKNOWN if due is None else int(due)
        if dealer_chooses(answer) or not self.engine.has(DEALER_DRAW):
            value = EITHER
        return Said(self._numbers(True, answer, value=value), answer.clauses)

    def _result(self, asked: Asked, scene: ColumnScene) -> Said:
        answer = self.engine.ask(about_bet(asked.subject, "result"), scene)
        value = RESULTS.index(answer.value) if answer.value in RESULTS else UNKNOWN
        ok = answer.decided and value != UNKNOWN
        return Said(
            self._numbers(ok, answer, value=value), answer.clauses, _clauses(answer.unchecked)
        )

    def _odds(self, asked: Asked, scene: ColumnScene) -> Said:
        answer, ratio = winning_odds(scene)  # type: ignore[arg-type]
        said = Said(self._numbers(False, answer), answer.clauses, _clauses(answer.unchecked))
        shared = about_bet(asked.subject, "together")
        if self.engine.has(shared) and self.engine.ask(shared, scene).rules:
            return said  # what others win has a say in it
        if ratio is not None and _is_plain(ratio):
            said.numbers[FLAGS] |= OK
            said.numbers[ODDS] = _packed(ratio)
        elif ratio is None and asked.subject != BETS[0]:
            self._bounds(said, answer)
        return said

    def _bounds(self, said: Said, answer: Answer) -> None:
        """Odds that the house may choose from some up, or from some to others."""
        value = answer.value
        if answer.unknown or len(answer.values) != 1 or not isinstance(value, t.PayoutRange):
            return
        least, most = value.least, value.most
        if not isinstance(least, t.Odds) or not isinstance(most, t.Odds | None):
            return
        if _is_plain(least.ratio) and (most is None or _is_plain(most.ratio)):
            said.numbers[FLAGS] |= OK | BOUNDED
            said.numbers[ODDS] = _packed(least.ratio)
            if most is not None:
                said.numbers[VALUE] = _packed(most.ratio)

    def _counted(self, asked: Asked, scene: ColumnScene) -> Said:
        deeming = self.engine.ask(about_bet(asked.subject, "deemed"), scene)
        capping = self.engine.ask(about_bet(asked.subject, "counted"), scene)
        ok = not self._contested((*deeming.unknown, *capping.unknown), scene)
        numbers = self._numbers(ok)
        both = [a for a in (deeming, capping) if a.rules]
        if both:
            terms = [as_expression(rule.value) for rule in (*deeming.rules, *capping.rules)]
            numbers[FORMULA] = self.formulas.add(terms)
            numbers[FLAGS] |= len(capping.rules) << CAP_SHIFT
        tested = tuple(clause for a in both for clause in a.clauses)
        return Said(numbers, tested, _clauses([x for a in both for x in a.unchecked]))

    def _contested(self, rules: Iterable[Rule], scene: ColumnScene) -> bool:
        """It is not known whether rules apply, and that for a defined word in them."""
        return any(
            not isinstance(word, t.Setting)
            and self.engine.has(self.engine.definition(word.name)[0])
            and self.engine.term(word)(scene) is None
            for rule in rules
            for word in asked_words(rule.condition)
        )

    def _rounding(self, asked: Asked, scene: ColumnScene) -> Said:
        answer = self.engine.ask(ROUNDING, scene)
        numbers = self._numbers(len(answer.values) < 2 and not answer.unknown, answer)
        if len(answer.values) == 1:
            direction, unit = as_rounding(answer.values[0])
            numbers[VALUE] = 2 if direction == "up" else 1
            numbers[FORMULA] = self.formulas.add([unit])
        return Said(numbers)

    def _settles(self, asked: Asked, scene: ColumnScene) -> Said:
        answer = self.engine.ask(about_bet(asked.subject, "settles"), scene)
        bits = 0
        for rule in answer.rules:
            bits |= 1 << TIME_SHIFT + TIMINGS.index(
                self._timing(as_word(rule.value), asked.subject)
            )
        return Said(self._numbers(True, flags=bits), answer.clauses)

    def _timing(self, said: str, bet: str) -> str:
        """As machine code knows it, which may be stricter: then the round is passed on."""
        game = self.engine.rulebook.game
        if said.startswith(t.BEFORE_STAGE):
            stage = game.stages.get(said.removeprefix(t.BEFORE_STAGE))
            if stage is not None and any(isinstance(step, g.Looks) for step in stage.steps):
                return "before the dealer looks"
        own = bet in game.bets and game.bets[bet].own
        if said not in TIMINGS or (own and said == TIMINGS[0]):
            raise NotColumnar(said)
        return said

    def _bonus(self, asked: Asked, scene: ColumnScene) -> Said:
        """As `settle.bonus_due`: value -1 when nothing is due, else the amount."""
        open_ = self.engine.ask(about_bet(asked.subject, "result"), scene)
        answer = self.engine.ask(about_bet(asked.subject, "odds"), scene)
        if open_.values or open_.unknown or says_who_wins(self.engine, asked.subject):
            return Said(self._numbers(False, flags=PRICED * bool(answer.values)))
        if not answer.values and not answer.unknown:
            wins = self.engine.holds(WINS_BONUS, scene)
            return Said(self._numbers(wins is False, value=-1))
        flags = PRICED * bool(answer.values)
        amounts = {v.cents for v in answer.values if isinstance(v, t.Amount)}
        said = Said(self._numbers(False, flags=flags), answer.clauses, _clauses(answer.unchecked))
        named = all(isinstance(v, t.Amount) for v in answer.values)
        if len(amounts) == 1 and named and not answer.unknown:
            said.numbers = self._numbers(True, value=amounts.pop(), flags=flags)
        return said

    def _term(self, asked: Asked, scene: ColumnScene) -> Said:
        holds = self.engine.holds(asked.subject, scene)
        return Said(self._numbers(True, value=UNKNOWN if holds is None else int(bool(holds))))

    def _dealer_term(self, asked: Asked, scene: ColumnScene) -> Said:
        holds = self.engine.term(t.Fact(asked.subject))(scene)
        return Said(self._numbers(True, value=UNKNOWN if holds is None else int(bool(holds))))

    def _points(self, asked: Asked, scene: ColumnScene) -> Said:
        rank = RANKS[int(asked.subject)]
        value = self.engine.ask(value_of_card(rank), scene).value
        match value and as_points(value):
            case (low, _):
                return Said(self._numbers(True, value=low, flags=ELEVEN))
            case points:
                return Said(self._numbers(points is not None, value=points or 0))


def _is_plain(ratio: Fraction) -> bool:
    return 0 <= ratio.numerator <= LARGEST_ODDS and ratio.denominator <= 10


def _packed(ratio: Fraction) -> int:
    return DENOMINATOR_PLACE * ratio.numerator + ratio.denominator


def _clauses(rules: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rule.clause for rule in rules))
