"""One recorded round under two texts: what each of them gives back, and where they part.

Cards and plays stay as they were recorded, and both texts are applied to every round, whatever its
date and its own rulebook: the question is what would have been. What a text gives back is worked
out by the evaluator; what was paid at the table plays no part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from checker.diff.classes import ChangeClass, Outcome
from checker.diff.diff import Difference
from checker.diff.settlements import asked
from checker.evaluate.engine import Engine
from checker.evaluate.named_scene import NamedScene, named_hands_text
from checker.evaluate.scene import SeenScene
from checker.evaluate.words.in_words import card_text
from checker.impact.data import Cause, Change, Example, Forbidden, RoundImpact
from checker.judge.explanation import hand_text
from checker.judge.findings import Decision, ReplayFinding, Verdict
from checker.judge.judge import judge
from checker.log import model as r
from checker.states.named_deals import hangs_on_first_deal
from checker.table.shoes import ShoeView
from rulespec.resolve.question import ROUNDING, Question, about_bet, whether
from rulespec.resolve.rulebook import Rule

Key = tuple[int, int, str, str]  # box, hand, player, bet

FORBIDDEN = frozenset({"R510", "R511", "R512", "R530"})
STOPPED_TOO_EARLY = "R521"
DREW_TOO_MUCH = "R520"
NO_CARD = "{who} would have drawn a further card, and the log has none"
ONE_TOO_MANY = "{who} would have stopped before the last card that the log has"
OPEN_DRAW = "the text leaves open whether {who} draws"


@dataclass(frozen=True, slots=True)
class _Side:
    """The verdict of one text."""

    engine: Engine
    verdict: Verdict
    parts: dict[tuple[Key, str], Decision]
    odds: dict[tuple[Key, str], tuple[Any, ...]]
    returned: dict[Key, int | None]
    reasons: dict[Key, str]

    def is_bonus(self, key: Key) -> bool:
        """It is only paid, to a player, whichever of the wagers it is for."""
        return key[3] in self.engine.mechanics.bonuses

    def is_main(self, key: Key) -> bool:
        return key[3] == self.engine.mechanics.main


def impact_of(
    old: Engine, new: Engine, round_: r.Round, shoe: ShoeView, diff: Difference | None = None
) -> RoundImpact:
    """What two texts make of a round; with their diff, also which of its classes it shows."""
    found = RoundImpact(round_.table, round_.rulebook)
    sides = (_settled(old, round_, shoe), _settled(new, round_, shoe))
    left_out = _forbidden(round_, sides, found)
    _open_plays(round_, sides)
    _draws(sides, found)
    for key in _keys(sides):
        amounts = [_returned(key, side) for side in sides]
        if diff is not None:
            numbers = (diff.classes.index(one) for one in _classes(key, sides, diff))
            found.occurred.update(numbers)
        if key in left_out:
            found.not_settled += 1
            continue
        if amounts[0] is None or amounts[1] is None:
            found.undecided.append(_undecided(key, sides))
            continue
        found.wagers += 1
        found.old_returned += amounts[0]
        found.new_returned += amounts[1]
        if amounts[0] != amounts[1]:
            found.changes.append(_change(key, sides, round_, amounts[0], amounts[1]))
    return found


def _returned(key: Key, side: _Side) -> int | None:
    """What a text gives back; only a bonus that it does not speak of is none at all."""
    return side.returned.get(key, 0 if side.is_bonus(key) else None)


def _keys(sides: tuple[_Side, _Side]) -> list[Key]:
    return sorted({*sides[0].returned, *sides[1].returned})


# --- one text


def _settled(engine: Engine, round_: r.Round, shoe: ShoeView) -> _Side:
    verdict = judge(engine, round_, shoe, share=True)
    parts: dict[tuple[Key, str], Decision] = {}
    odds: dict[tuple[Key, str], tuple[Any, ...]] = {}
    for d in verdict.decisions:
        if d.box is None or d.bet is None:
            continue
        place = (d.box, d.hand or 1, d.player or "", d.bet), d.part or "original"
        if d.subject in ("result", "bonus"):
            parts[place] = d
        elif d.subject == "odds":
            odds[place] = d.answer.values
    side = _Side(engine, verdict, parts, odds, {}, {})
    returned, reasons = side.returned, side.reasons
    for key, amount in verdict.expected.items():
        returned[_place(key, side)] = amount
    for finding in verdict.findings:
        if finding.code == "R550" and finding.bet and finding.player and finding.box:
            key = _place((finding.box, finding.hand or 1, finding.player, finding.bet), side)
            reasons[key] = finding.why or finding.message
            if side.is_bonus(key):
                returned[key] = None
    for (key, _), decision in parts.items():
        if returned.get(key, 0) is None and key not in reasons and not decision.answer.decided:
            reasons[key] = decision.answer.why_undecided()
    return side


def _place(key: Key, side: _Side) -> Key:
    return (0, 1, key[2], key[3]) if side.is_bonus(key) else key


# --- what cannot be settled


Play = tuple[int, int, str, str]  # box, hand, player, what is done


def _forbidden(round_: r.Round, sides: tuple[_Side, _Side], found: RoundImpact) -> set[Key]:
    """Plays that one text allows and the other forbids: their wagers are not settled."""
    by = [
        _plays(
            round_,
            (f for f in side.verdict.findings if f.kind == "play" and f.code in FORBIDDEN),
            side,
        )
        for side in sides
    ]
    left_out: set[Key] = set()
    for n, (mine, others) in enumerate(((by[0], by[1]), (by[1], by[0]))):
        for play, finding in mine.items():
            if play not in others:
                clause = finding.clause or "no clause"
                found.forbidden.append(Forbidden(play[3], clause, by_new=n == 1))
                left_out.update(key for key in _keys(sides) if _rests_on(key, play, sides[0]))
    return left_out


def _open_plays(round_: r.Round, sides: tuple[_Side, _Side]) -> None:
    """Plays that only one text leaves open: so it does with what the wagers on them get."""
    by = [
        _plays(
            round_,
            (f for f in side.verdict.findings if f.code == "R550" and f.player and not f.bet),
            side,
        )
        for side in sides
    ]
    for side, mine, others in ((sides[0], by[0], by[1]), (sides[1], by[1], by[0])):
        for play, finding in mine.items():
            why = finding.why or ""
            for key in list(side.returned) if play not in others else ():
                if _rests_on(key, play, side):
                    side.returned[key] = None
                    side.reasons[key] = f"it leaves open whether to {play[3]}: {why}"


def _rests_on(key: Key, play: Play, side: _Side) -> bool:
    box, _, player, action = play
    does = side.engine.mechanics.plays.get(action)
    if does is not None and does.places is not None:
        return key == (box, 1, player, does.places)
    if side.is_bonus(key):
        return _rides(side, box, key[2])
    return side.is_main(key) and key[0] == box


def _plays(
    round_: r.Round, findings: Iterable[ReplayFinding], side: _Side
) -> dict[Play, ReplayFinding]:
    mechanics = side.engine.mechanics
    made: dict[Play, ReplayFinding] = {}
    for finding in findings:
        if not finding.box:
            continue
        action = mechanics.standing
        if finding.code != "R512" and finding.event is not None:
            event = round_.events[finding.event]
            action = event.do if isinstance(event, r.Play) else mechanics.drawing
        place = (finding.box, finding.hand or 1, finding.player or "", action)
        made.setdefault(place, finding)
    return made


def _rides(side: _Side, box: int, player: str) -> bool:
    return any(key[0] == box and key[2] == player and side.is_main(key) for key in side.returned)


def _draws(sides: tuple[_Side, _Side], found: RoundImpact) -> None:
    """A hand that draws by one text and stops by the other, or of which one leaves that open: the
    dealer's, or one that has a name."""
    told = [{f.code for f in side.verdict.findings if _on_a_draw(f)} for side in sides]
    found.dealer_differs = told[0] != told[1] and "R550" not in told[0] | told[1]
    for side, mine, other in ((sides[0], told[0], told[1]), (sides[1], told[1], told[0])):
        why = {STOPPED_TOO_EARLY: NO_CARD, "R550": OPEN_DRAW}
        if not side.engine.clauses_of(whether("dealer", "burn")):
            why[DREW_TOO_MUCH] = ONE_TOO_MANY  # nothing takes the card away again
        who = "a hand" if side.engine.rulebook.game.hands else "the dealer"
        for code in (mine - other) & why.keys():
            for (key, _), decision in side.parts.items():
                early = any(rule.interim for rule in decision.answer.rules)
                if not side.is_bonus(key) and not early and not _by_first_cards(side, key[3]):
                    side.returned[key] = None
                    side.reasons[key] = why[code].format(who=who)


def _on_a_draw(finding: ReplayFinding) -> bool:
    draws = finding.code in (DREW_TOO_MUCH, STOPPED_TOO_EARLY, "R550")
    return draws and not finding.box and finding.bet is None


def _by_first_cards(side: _Side, bet: str) -> bool:
    """The first cards decide a bet, whatever is drawn."""
    if side.engine.rulebook.game.hands:
        return hangs_on_first_deal(side.engine, bet)
    return bool(side.engine.mechanics.first_cards(bet))


def _undecided(key: Key, sides: tuple[_Side, _Side]) -> tuple[str, str]:
    open_ = [_returned(key, side) is None for side in sides]
    which = "both texts" if all(open_) else "the new text" if open_[1] else "the old text"
    side = sides[1] if open_[1] else sides[0]
    if key not in side.returned:
        return which, f"it has no wager {key[3]}"
    return which, side.reasons.get(key, "it cannot be paid exactly and no clause rounds it")


# --- what differs


def _parts(key: Key, sides: tuple[_Side, _Side]) -> Iterator[tuple[Decision, Decision]]:
    """The parts of a wager that both texts were asked about."""
    if sides[0].is_bonus(key):
        return
    for (place, part), old in sides[0].parts.items():
        if place == key and (place, part) in sides[1].parts:
            yield old, sides[1].parts[place, part]


def _outcomes(
    old: Decision, new: Decision, sides: tuple[_Side, _Side]
) -> tuple[tuple[Outcome, tuple[str, ...]], ...]:
    told: list[tuple[Outcome, tuple[str, ...]]] = []
    for decision, side in ((old, sides[0]), (new, sides[1])):
        outcome, answers = asked(side.engine, str(decision.bet), decision.scene)
        told.append((outcome, tuple(dict.fromkeys(c for a in answers for c in _deciding(a)))))
    return tuple(told)


def _deciding(answer: Any) -> Iterator[str]:
    rules: tuple[Rule, ...] = answer.rules or answer.unknown
    yield from dict.fromkeys(rule.clause for rule in rules)


def _classes(key: Key, sides: tuple[_Side, _Side], diff: Difference) -> Iterator[ChangeClass]:
    """The classes of the diff in which this wager lies, one for each part that differs."""
    question = about_bet(key[3], "result")
    for was, becomes, scene in _pairs(key, sides):
        one = diff.class_with(question, was, becomes, scene)
        if one is not None:
            yield one


def _pairs(
    key: Key, sides: tuple[_Side, _Side]
) -> Iterator[tuple[Outcome, Outcome, SeenScene | None]]:
    if sides[0].is_bonus(key):
        yield from _bonus_pairs(key, sides)
        return
    if (key in sides[0].returned) != (key in sides[1].returned):
        known, unknown = Outcome(("offered",)), Outcome(("not offered",))
        pair = (known, unknown) if key in sides[0].returned else (unknown, known)
        yield *pair, None
    for old, new in _parts(key, sides):
        odds = [side.odds.get((key, old.part or "original")) for side in sides]
        if old.answer.values == new.answer.values and odds[0] == odds[1]:
            continue
        (was, _), (becomes, _) = _outcomes(old, new, sides)
        if was != becomes:
            yield was, becomes, old.scene


def _bonus_pairs(
    key: Key, sides: tuple[_Side, _Side]
) -> Iterator[tuple[Outcome, Outcome, SeenScene | None]]:
    """The bonus is asked of each wager of the player, though it is paid once."""
    places = {p for side in sides for p in side.parts if p[0][2:] == key[2:]}
    for place in sorted(places):
        scene = next(side.parts[place].scene for side in sides if place in side.parts)
        told = [asked(side.engine, key[3], _under(side, scene))[0] for side in sides]
        if told[0] != told[1]:
            yield told[0], told[1], scene


def _under(side: _Side, scene: SeenScene) -> SeenScene:
    return scene if scene.engine is side.engine else scene.but(engine=side.engine)


def _change(key: Key, sides: tuple[_Side, _Side], round_: r.Round, old: int, new: int) -> Change:
    cause, decision = _cause(key, sides)
    return Change(key[2], cause, old, new, _example(key, decision, round_, old, new))


def _cause(key: Key, sides: tuple[_Side, _Side]) -> tuple[Cause, Decision | None]:
    """The first part on which the texts part; else what surrounds it (limits, rounding)."""
    bet = key[3]
    if sides[0].is_bonus(key):
        return _bonus_cause(key, sides)
    seen: Decision | None = None
    for before, after in _parts(key, sides):
        seen = seen or before
        (was, old_clauses), (becomes, new_clauses) = _outcomes(before, after, sides)
        if was != becomes:
            return Cause(bet, was.text, becomes.text, old_clauses, new_clauses), before
    counted = [_counted(key, side) for side in sides]
    if counted[0] != counted[1]:
        told = ["counts up to a limit" if clauses else "counts in full" for clauses in counted]
        return Cause(bet, told[0], told[1], counted[0], counted[1]), seen
    rounding = [_clauses_of(side, ROUNDING) for side in sides]
    told = ["is rounded" if clauses else "is not rounded" for clauses in rounding]
    return Cause(bet, told[0], told[1], rounding[0], rounding[1]), seen


def _counted(key: Key, side: _Side) -> tuple[str, ...]:
    """The clauses that let only a part of the wager count."""
    answers = [
        d.answer
        for d in side.verdict.decisions
        if d.subject == "counted" and (d.box, d.hand, d.player, d.bet) == key
    ]
    return tuple(dict.fromkeys(c for answer in answers for c in answer.clauses))


def _clauses_of(side: _Side, question: Question) -> tuple[str, ...]:
    rules = side.engine.by_question.get(question, ())
    return tuple(dict.fromkeys(rule.clause for rule, _ in rules))


def _bonus_cause(bonus: Key, sides: tuple[_Side, _Side]) -> tuple[Cause, Decision | None]:
    told: list[str] = []
    clauses: list[tuple[str, ...]] = []
    seen: Decision | None = None
    for side in sides:
        made = [d for (key, _), d in side.parts.items() if key[2:] == bonus[2:]]
        amount = next((a for key, a in side.returned.items() if key[2:] == bonus[2:]), 0)
        told.append(_money(amount or 0))
        clauses.append(tuple(dict.fromkeys(c for d in made for c in d.answer.clauses)))
        seen = seen or (made[0] if made else None)
    return Cause(bonus[3], told[0], told[1], clauses[0], clauses[1]), seen


def _money(cents: int) -> str:
    from rulespec.base.money import money_text

    return money_text(cents) if cents else "nothing"


def _example(
    key: Key, decision: Decision | None, round_: r.Round, old: int, new: int
) -> Example | None:
    if decision is None:
        return None
    scene: SeenScene = decision.scene
    hand, box = scene.hand, scene.box
    cards = hand_text(scene, hand.cards, hand) if hand is not None else "no cards"
    if isinstance(scene, NamedScene):
        cards = named_hands_text(scene)
    mechanics = scene.engine.mechanics
    count = mechanics.first_cards(key[3])
    if count and box is not None:  # it lies on the box, whatever became of the hand
        first = box.received[:count]
        cards = " ".join(card_text(dealt.card) for dealt in first)
    stake = 0
    if box is not None and hand is not None and key[3] == mechanics.main:
        stake = sum(part[1] for part in hand.money.get(key[2], ()))
    else:
        stake = scene.stake
    return Example(
        round_.id,
        round_.table,
        round_.line,
        key[2],
        decision.box or 0,
        decision.hand or 1,
        stake,
        cards,
        "" if isinstance(scene, NamedScene) else hand_text(scene, list(scene.dealer)),
        old,
        new,
    )
