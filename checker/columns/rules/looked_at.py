"""Which facts the questions of a rulebook look at, alone or together."""

from __future__ import annotations

from checker.columns.known_game import BONUS_WON, MAIN_BET, MECHANICS, PLAYER_WON_BONUS, WINS_BONUS
from checker.columns.rules.answers import DECIDED_BY, Answers
from checker.columns.rules.fact_groups import BOX, LIMITS, OF_A_SEAT, needs
from checker.columns.rules.looker import Looked, Looker, NotColumnar
from checker.columns.rules.lookup import NOT_THERE
from checker.columns.rules.program import PLAIN, Program, compile_program
from checker.columns.rules.questions import (
    ACTIONS,
    DUTIES,
    OF_AN_ENDING,
    Q_BONUS,
    Q_BONUS_TERM,
    QUESTIONS,
    Asked,
    asked_of,
)
from checker.columns.rules.settings import Settings
from checker.evaluate.asked_for import optional_facts
from checker.evaluate.deals import ending as ends_of_stage
from checker.evaluate.engine import Engine
from checker.log.model import RANKS
from rulespec.resolve.question import (
    Question,
    about_bet,
    as_of_dealer,
    defining,
    is_requirement,
    requiring,
    value_of_card,
    whether,
)

_OF_WAGERS = ("limit.", "player.", "box.", "wager.", "option ", "approved ", "round.")
_OF_TABLE = (
    "limit.",
    "option ",
    "approved ",
    "round.decks",
    BONUS_WON,
    "box.hands",
    "play.hands_after",
    "wager.part",
)
_OF_CARDS = {"play.hand_untouched", "hand.pontoon"} | {
    f"hand.{name}"
    for name in (
        "cards",
        "total",
        "hard_total",
        "soft",
        "ten_cards",
        "aces",
        "ranks",
        "suits",
        "equal_value",
        "stood",
        "declined_split",
    )
}


_LATER = {"round.over"}  # which the end of a round tells, too


def questions(asked: Asked) -> list[Question]:
    match asked.kind:
        case "over" | "offers":
            return []
        case "settled":
            return [requiring(f"{asked.subject} settlement")]
        case "require":
            return [requiring(moment) for moment in asked.subject.split()]
        case "opening":
            return [requiring(asked.subject), *(whether("casino", action) for action in DUTIES)]
        case "left":
            return [whether("player", asked.subject)]
        case "play":
            found = [whether("player", asked.subject)]
            if asked.subject in DECIDED_BY:
                found.append(whether("player", MECHANICS.deciding))
            return found + (
                [whether("player", "draw")] if asked.subject == MECHANICS.acts.stand else []
            )
        case "duty":
            return [whether("casino", asked.subject)]
        case "settles" | "result":
            return [about_bet(asked.subject, asked.kind)]
        case "odds":
            return [about_bet(asked.subject, what) for what in ("odds", "highest", "together")]
        case "counted":
            return [about_bet(asked.subject, "deemed"), about_bet(asked.subject, "counted")]
        case "bonus":
            return [about_bet(asked.subject, "result"), about_bet(asked.subject, "odds")]
        case "term":
            return [defining(asked.subject)]
        case "points":
            return [value_of_card(RANKS[int(asked.subject)])]
        case _:
            return [Question(asked.subject)]


def left_out(engine: Engine, own: tuple[str, ...]) -> set[Question]:
    """What a text requires, or has to be done before the first card, and the columns never ask: its
    rounds are not for them. What is required of bets and plays that no round for the columns holds
    need not be asked."""
    put = (asked_of(one, own) for one in QUESTIONS)
    known = {question for one in put if one is not None for question in questions(one)}
    known |= {requiring(action) for action in ACTIONS}
    game = engine.rulebook.game
    bets = [bet.name for bet in game.bets.values() if bet.own and bet.name not in own]
    held = {*bets, *(f"{bet} settlement" for bet in bets)}
    held |= {act for act in game.actions_of("player") if act not in ACTIONS}
    shown = {act.name for act in game.actions_of("casino").values() if act.done is not None}
    duties = {whether("casino", act) for act in shown}
    asked = {q for q in engine.by_question if is_requirement(q) or q in duties}
    return asked - known - {requiring(moment) for moment in held}


def looked(
    engine: Engine,
    asked: Asked,
    given: frozenset[str],
    answers: Answers | None = None,
    settings: Settings | None = None,
) -> Looked:
    if asked.kind == "dealer term":
        looker = Looker(engine, frozenset(), dealer=True, settings=settings)
        twin = defining("hand.pontoon")
        merged = as_of_dealer(twin)
        looker.rules(merged if engine.has(merged) else twin)
        if any(optional(engine, q) for q in (merged, twin)):
            raise NotColumnar(asked.subject)
        return looker.found
    looker = Looker(engine, given - {asked.subject}, settings=settings)
    if asked.kind == "over" and settings is not None:
        for stage in settings.looking:
            looker.condition(stage.condition)
            for step in ends_of_stage(stage):
                looker.condition(step.condition)
        return looker.found
    if asked.kind == "offers" and settings is not None:
        for question in settings.offers:
            looker.rules(question)
        return looker.found
    for question in questions(asked):
        looker.rules(question, values=is_requirement(question))
    if asked.kind == "play":
        looker.rules(requiring(asked.subject), values=True)
    if asked.kind == "opening":
        for action, shown in DUTIES.items():
            if shown is not None and engine.has(whether("casino", action)):
                looker.found.facts.setdefault(shown[0], set()).add((">=", shown[1]))
    if asked.kind == "bonus":
        looker.term(WINS_BONUS)
    if asked.subject == f"wager {MAIN_BET}" and answers is not None and answers.warns_early:
        looker.rules(whether("casino", "warn"))
        looker.found.facts.setdefault("told", set()).add(("=", 0))
    if asked.done is not None:
        looker.found.facts.setdefault(asked.done, set()).add(("=", 0))
    return looker.found


def warns_early(engine: Engine, given: frozenset[str], settings: Settings | None = None) -> bool:
    """Warnings depend on nothing that happens after the wagers, and may be asked with them."""
    if not engine.has(whether("casino", "warn")):
        return False
    looker = Looker(engine, given, settings=settings)
    try:
        looker.rules(whether("casino", "warn"))
    except NotColumnar:
        return False
    looks = {*looker.found.facts, *(name for parts in looker.found.sums for name, _ in parts)}
    changes = {
        "player.next_in_line",
        "box.hands",
        "box.doubled_before",
        "wager.doubled",
        "wager.surrendered",
        "wager.forfeited",
        "wager.even_money",
        "wager.original_bust",
        "wager.another_forfeited",
        "wager.stands_for_original",
        PLAYER_WON_BONUS,
    }
    fixed = ("limit.", "wager.", "player.", "box.", "round.decks", "round.boxes", "option ")
    return not looks & changes and all(name.startswith(fixed) for name in looks)


def moving(
    engine: Engine, given: frozenset[str], found: Looked, settings: Settings | None = None
) -> frozenset[str] | None:
    """The facts of the result that change with the dealer's hand; None when more would."""
    still = {"dealer.first", "dealer.missed_first", "dealer.peeked"}
    looks = {*found.facts, *(name for parts in found.sums for name, _ in parts)}
    changes = {name for name in looks if name.startswith("dealer.")} - still
    if WINS_BONUS in found.terms:
        inside = looked(engine, QUESTIONS[Q_BONUS_TERM], given, settings=settings)
        names = {*inside.facts, *(name for parts in inside.sums for name, _ in parts)}
        if any(name.startswith("dealer.") for name in names - still):
            return None
    if "dealer.only_surrendered" in changes:
        return None
    if settings is not None and any(made.of_dealer > 0 for made in settings.made_in(looks)):
        return None
    for parts in found.sums:
        names = {name for name, _ in parts}
        if names & changes and not names - changes <= {"hand.total", "hand.hard_total"}:
            return None
    return frozenset(changes)


def ending(
    head: list[int], looked: dict[int, Looked]
) -> tuple[Looked, frozenset[str] | None, Program] | None:
    """All that is asked when a plain wager ends as one question, where that can be done; and what
    of it only the cards tell, where the rest is known once the wagers are down."""
    together = Looked()
    for place in OF_AN_ENDING:
        if place not in looked:
            if head[place] == NOT_THERE and not QUESTIONS[place].needed:
                continue
            return None
        _add(together, looked[place], frozenset())
        together.terms.update(looked[place].terms)
        together.left |= looked[place].left
    for found in (together.terms, together.facts):  # it follows from the rest
        found.pop(WINS_BONUS, None)
    # what is not the same in the scenes in which they would be asked one by one
    moments = {name for name in together.facts if name.startswith(("play.", "card.", "deal."))}
    of_a_bet = {"box.side_bets", "player.wagers_on_box"} & set(looked[Q_BONUS].facts)
    others = {"dealer.only_surrendered", "done", "told"} & set(together.facts)
    if moments - {"play.hands_after", "play.hand_untouched"} or of_a_bet or others:
        return None
    cards = told_by_cards(together)
    try:
        return together, cards, compile_program(together, cards or frozenset())
    except NotColumnar:
        return None


def _add(together: Looked, found: Looked, but: frozenset[str]) -> None:
    """Whatever is looked at `but` for these facts."""
    for fact, tests in found.facts.items():
        if fact not in but:
            together.facts.setdefault(fact, set()).update(tests)
    for parts, tests in found.sums.items():
        if not but & {name for name, _ in parts}:
            together.sums.setdefault(parts, set()).update(tests)


def told_by_cards(found: Looked) -> frozenset[str] | None:
    """The facts that only the cards tell; None when some fact is neither theirs nor the wager's."""
    looks = {*found.facts, *(name for parts in found.sums for name, _ in parts)} - set(PLAIN)
    cards = {name for name in looks if not name.startswith(_OF_WAGERS) or name in _LATER}
    cards.discard("play.hands_after")
    if any(
        name not in _OF_CARDS | _LATER and not name.startswith(("dealer.", "made "))
        for name in cards
    ):
        return None
    for parts in found.sums:
        names = {name for name, _ in parts}
        if names & cards and not names <= cards:
            return None
    return frozenset(cards)


def sums_of_marks(found: Looked) -> bool:
    """Whether a hand that is not plain tells more than by facts alone."""
    return any(name in PLAIN for parts in found.sums for name, _ in parts)


def seat(
    wager: Looked | None, box: Looked | None, later: list[tuple[Looked, frozenset[str]]]
) -> Program | None:
    """What is asked of a main wager and its box, and what its seat tells of what is asked `later`,
    as one question: those come with the facts that only the cards tell."""
    together = Looked()
    for found, cards in later:
        _add(together, found, cards | frozenset(PLAIN))
    if "wager.after_call" in together.facts:
        return None  # later nobody asks when it was made
    if wager is not None:
        if wager.terms or needs(wager.facts) & ~OF_A_SEAT:
            return None
        _add(together, wager, frozenset())
    if box is not None:
        _add(together, box, frozenset())
    for name in ("wager.stake", "wager.original", "box.main_total"):  # always known
        if name in together.facts and not together.facts[name]:
            del together.facts[name]
    looks = {*together.facts, *(name for parts in together.sums for name, _ in parts)}
    try:
        return compile_program(
            together, frozenset(name for name in looks if not name.startswith(_OF_TABLE))
        )
    except NotColumnar:
        return None


def told_by_seat(box: Looked) -> bool:
    """Whether what is asked of a box may be asked later, with its wagers."""
    early = {"deal.call_made", "shoe.cut_card_first"} & set(box.facts)
    return not (early or box.terms or needs(box.facts) & ~(LIMITS | BOX))


def optional(engine: Engine, question: Question) -> bool:
    rules = engine.by_question.get(question, ())
    return any(optional_facts(engine, rule.condition) for rule, _ in rules)
