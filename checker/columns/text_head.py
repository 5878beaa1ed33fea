"""What else the head of a text says: what cards are worth, which bets it knows, what need not be
asked, and which keys are made in parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from checker.columns.batch import BETS, FIRST_OWN
from checker.columns.desk import MOST_CARDS, R_NEVER
from checker.columns.known_game import BONUS_BET, WINS_BONUS
from checker.columns.rules.column_scene import ColumnScene
from checker.columns.rules.head import (
    ALWAYS_SHIFT,
    ASKED_AS,
    BONUS_IDLE,
    BOX_WITH_SEAT,
    COUNTED_IDLE,
    DEALER_POINTS,
    DEEPEST,
    ENDING_IN_PARTS,
    FLEXIBLE,
    FRESH,
    GAME_BETS,
    IF_MARKED,
    IF_PLAIN,
    MOVES,
    OFFERED,
    OFFERED_WITH,
    PLAIN_POINTS,
    POINTS,
    RESULT_IN_PARTS,
    SEAT,
    SETTLEMENT_IDLE,
    WINNER_RANKS,
)
from checker.columns.rules.learn import Period
from checker.columns.rules.looked_at import (
    optional,
    seat,
    sums_of_marks,
    told_by_cards,
    told_by_seat,
)
from checker.columns.rules.looker import Looked
from checker.columns.rules.lookup import UNSAYABLE
from checker.columns.rules.never_applies import (
    NOBODY_WINS,
    NOT_SPLIT,
    PLAIN_HAND,
    WITHIN_LIMITS,
    idle,
)
from checker.columns.rules.program import Program
from checker.columns.rules.questions import (
    Q_BOX,
    Q_ENDING,
    Q_POINTS,
    Q_RESULT,
    Q_SEAT,
    Q_WAGER,
    STAKED,
)
from checker.columns.rules.said import ELEVEN, FLAGS, VALUE
from checker.columns.slots import FACT_COUNT, MOST_OWN, SLOTS
from checker.evaluate.dealer_draw import by_further_cards
from checker.log.model import RANKS
from checker.table.state import TENS
from rulespec.resolve.question import about_bet, defining, requiring, value_of_card
from rulespec.tree.game import Bet

_OF_A_CARD = frozenset(
    {
        "hand.doubled",
        "card.position",
        "card.initial",
        "card.held_when_doubled",
    }
)


def tell_points(code: Any, period: Period) -> None:
    """Card values that are the same on every hand, and what cards are worth to the dealer."""
    kept = period.kept
    if kept.points is None:
        found = [_worth(period, rank) for rank in range(len(RANKS))]
        kept.points = found if _usual(period, found) else [None] * len(RANKS)
        period.learnt += 1
    for rank, worth in enumerate(kept.points):
        if worth is None:
            code[period.start + Q_POINTS + rank] = UNSAYABLE
        always, to_dealer, plain = worth or (-1, -1, -1)
        code[period.start + POINTS + rank] = always
        code[period.start + DEALER_POINTS + rank] = to_dealer
        code[period.start + PLAIN_POINTS + rank] = plain


def _worth(period: Period, rank: int) -> tuple[int, int, int] | None:
    """What a card is worth on every hand, to the dealer, and on every hand that nobody doubled; -1
    where that depends. None when columns cannot tell."""
    assert period.answers is not None
    place = Q_POINTS + rank
    if place not in period.programs:
        return -1, -1, -1
    program = period.programs[place][1]
    if not program.looks <= _OF_A_CARD:
        return None
    worth: tuple[set[int], set[int]] = (set(), set())  # later cards, and those first dealt
    for initial in range(2):
        for position in range(1, MOST_CARDS + 1):
            facts = [0] * FACT_COUNT
            facts[SLOTS["card.position"]] = position
            facts[SLOTS["card.initial"]] = initial
            scene = ColumnScene(
                period.engine,
                facts,
                program.looks,
                {},
                settings=period.settings,
                left=program.left,
            )
            said = period.answers.say(place, scene)
            eleven = FLEXIBLE * bool(said.numbers[FLAGS] & ELEVEN)
            worth[initial].add(said.numbers[VALUE] | eleven if said.ok else -1)
    to_dealer = worth[0].pop() if len(worth[0]) == 1 else -1
    same = to_dealer >= 0 and worth[1] == {to_dealer}
    return -1 if any(program.entries) else to_dealer, to_dealer, to_dealer if same else -1


def _usual(period: Period, worth: list[tuple[int, int, int] | None]) -> bool:
    """Whether tens and pictures count ten, and all other ranks something else each: the columns
    tell pairs and ten-value cards by their rank. Others go to the evaluator."""
    counts = [
        (rank in TENS, told[2])
        for rank, told in zip(RANKS, worth, strict=True)
        if told is not None and period.engine.has(value_of_card(rank))
    ]
    others = [points for ten, points in counts if not ten]
    return all((points == 10) == ten and points >= 0 for ten, points in counts) and len(
        set(others)
    ) == len(others)


def tell_bets(code: Any, period: Period) -> None:
    """Bets by their numbers: which are offered and asked about, and how."""
    engine, head = period.engine, code[period.start :]
    own = period.settings.bets if period.settings is not None else ()
    for number, bet in enumerate(BETS):
        bit = 1 << number
        if bet in engine.rulebook.game.bets:
            head[GAME_BETS] |= bit
        if number >= FIRST_OWN and bet not in own:
            continue
        asked = (about_bet(bet, "result"), about_bet(bet, "odds"), requiring(bet))
        placed = period.settings is None or period.settings.may_be_placed(bet)
        if placed and (bet == BETS[0] or any(map(engine.has, asked))):
            head[OFFERED] |= bit
        place = min(number, FIRST_OWN - 2) if number < FIRST_OWN else len(STAKED) - MOST_OWN
        place += own.index(bet) if number >= FIRST_OWN else 0
        head[ASKED_AS + number] = place
        head[OFFERED_WITH + number] = _offered_with(engine.rulebook.game.bets, bet)
        head[DEEPEST + number] = -1
        made = period.programs.get(Q_RESULT + place)
        beside = 0 < place != FIRST_OWN - 2 and period.settings is not None
        if not beside or not by_further_cards(engine, bet):
            continue
        assert period.settings is not None
        head[DEEPEST + number] = MOST_CARDS
        if made is not None:
            deepest, always = period.settings.deepest(made[1].looks)
            head[DEEPEST + number] = deepest | always << ALWAYS_SHIFT


def _offered_with(bets: Mapping[str, Bet], bet: str) -> int:
    """Bits of the bets that are offered together with one, as `facts.of_offer` has it."""
    own = bets.get(bet)
    same = {name for name, one in bets.items() if own is not None and one.offered == own.offered}
    return sum(1 << number for number, name in enumerate(BETS) if name in same)


def tell_idle(code: Any, period: Period) -> None:
    """What need not be asked of ordinary rounds."""
    engine, start = period.engine, period.start
    settings = period.settings
    bonus = (about_bet(BONUS_BET, "result"), about_bet(BONUS_BET, "odds"))
    code[start + BONUS_IDLE] = idle(engine, bonus, NOBODY_WINS | PLAIN_HAND, settings=settings)
    code[start + SETTLEMENT_IDLE] = idle(
        engine, [requiring("settlement")], NOT_SPLIT, settings=settings
    )
    own = settings.bets if settings is not None else ()
    for k, bet in enumerate((*STAKED[: FIRST_OWN - 1], *own)):
        both = (about_bet(bet, "deemed"), about_bet(bet, "counted"))
        code[start + COUNTED_IDLE + k] = idle(engine, both, WITHIN_LIMITS, settings=settings)
    term = defining(WINS_BONUS)
    tests = {c for op, c in period.ranks if op == "="}
    guarded = len(tests) == 1 and not optional(engine, term)
    guarded = guarded and idle(
        engine, [term], {"hand.ranks": 0}, value=True, settings=period.settings
    )
    code[start + WINNER_RANKS] = tests.pop() if guarded else -1


def in_parts(
    period: Period,
    head: list[int],
    compiled: dict[int, Program],
    looks_at: dict[int, Looked],
    terms_by_place: tuple[str, ...],
) -> None:
    """Keys that may be made of a part that a seat makes and one that the cards make."""
    later = []
    for place, flag in ((Q_ENDING, ENDING_IN_PARTS), (Q_RESULT, RESULT_IN_PARTS)):
        if place not in compiled or (place == Q_RESULT and not head[MOVES]):
            continue
        cards = told_by_cards(looks_at[place])
        terms = compiled[place].terms
        if cards is not None and all(
            head[FRESH + terms_by_place.index(t)] != R_NEVER for t in terms
        ):
            head[flag] = IF_PLAIN if sums_of_marks(looks_at[place]) else IF_MARKED
            later.append((looks_at[place], cards))
    box = looks_at.get(Q_BOX)
    with_box = box is not None and told_by_seat(box)
    if Q_SEAT not in period.kept.programs:
        found = None
        if head[Q_WAGER] != UNSAYABLE:
            found = seat(looks_at.get(Q_WAGER), box if with_box else None, later)
        period.kept.programs[Q_SEAT] = (Looked(), None, found) if found else None
        period.learnt += 1
    head[SEAT] = -1
    known = period.kept.programs[Q_SEAT]
    if known is not None:
        compiled[Q_SEAT] = known[2]
        head[BOX_WITH_SEAT] = with_box
