"""What earlier rounds of a shoe tell about the next one. Keeps only the current shoe of a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from checker.log import model as r
from checker.table.mechanics import Mechanics, ordinary

LAST_ROUNDS = 3


@r.unchanging
class ShoeView:
    """What the earlier rounds of the shoe tell. None is not known."""

    new: bool | None = None
    cut_card_out: bool | None = None
    no_cut_card: bool | None = None
    not_cut: bool = False
    shuffled: bool | None = None
    cut_card_in_last_rounds: bool = False
    burns: int | None = None
    burns_recorded: bool = False
    cards_out: int = 0
    copies: dict[str, int] = field(default_factory=dict)
    late_entry: dict[str, bool] = field(default_factory=dict)
    late_entry_two: dict[str, bool] = field(default_factory=dict)
    sat_out: dict[str, bool] = field(default_factory=dict)
    idle: dict[str, int] = field(default_factory=dict)
    sat_out_later: dict[str, bool] = field(default_factory=dict)
    warned: frozenset[str] = frozenset()
    warnings_seen: bool = False  # the log records warnings at all
    announced: frozenset[str] = frozenset()
    decisions_seen: bool = False  # the log of the table records what players decide
    player_cards_seen: bool = False  # the log records player cards at all
    known: bool = False
    minimum: dict[str, int] = field(default_factory=dict)
    """The minimum of each bet in the round before, if that was of the same shoe."""


@dataclass(slots=True)
class _Shoe:
    id: str | None
    begun_in_log: bool | None  # True: its first round is in the log; None: not known
    rounds: int = 0
    copies: dict[str, int] = field(default_factory=dict)
    cards_out: int = 0
    cut_card_out: bool = False
    cut_in_last: bool = False  # the cut card came out in one of the last rounds, as announced
    no_cut_card: bool = False
    not_cut: bool = False
    shuffled: bool = False  # the shuffle that began it is in the log
    first_players: set[str] = field(default_factory=set)
    second_players: set[str] = field(default_factory=set)
    wagered: set[str] = field(default_factory=set)
    sat_out: set[str] = field(default_factory=set)
    sat_out_later: set[str] = field(default_factory=set)
    last_seen: dict[str, int] = field(default_factory=dict)
    minimum: dict[str, int] = field(default_factory=dict)


MechanicsOf = Callable[[r.Round], Mechanics]


@dataclass(slots=True)
class TableLog:
    """What is known of one table over the whole log."""

    shoe: _Shoe
    cut_cards_seen: bool = False
    burns_seen: bool = False
    shuffles_seen: bool = False
    shuffles_begin_shoes: bool = False  # one that began a shoe with a name of its own was seen
    decisions_seen: bool = False
    warned: set[str] = field(default_factory=set)
    announced: set[str] = field(default_factory=set)
    rounds: int = 0
    last_rounds_from: int | None = None  # the round in which the last ones were announced

    def in_last_rounds(self, round_: r.Round, mechanics: Mechanics) -> bool:
        begun = self.last_rounds_from
        return mechanics.roles[_LAST_ROUNDS] in round_.options or (
            begun is not None and self.rounds - begun < LAST_ROUNDS
        )


_LAST_ROUNDS = "last rounds"  # what the announcement and the option mean
_OF_A_SHOE = {r.Shuffle, r.Burn, r.CutCard}
_TOLD = {r.Irregularity, r.Warn, r.Announce}


class ShoeTracker:
    """Feed it the rounds of a log in order; before each it says what the shoe tells."""

    def __init__(self, mechanics_of: MechanicsOf | None = None) -> None:
        """`mechanics_of`: what the game of a round lets happen; without it, the ordinary game."""
        self.mechanics_of = mechanics_of or (lambda round_: ordinary())
        self.tables: dict[tuple[str | None, str], TableLog] = {}  # by rulebook and table
        self._broken: set[tuple[str | None, str]] = set()  # tables whose order was broken
        self.player_cards_seen = False
        self.warnings_seen = False

    def view(self, round_: r.Round) -> ShoeView:
        mechanics = self.mechanics_of(round_)
        log = self._table(round_)
        kinds = set(map(type, round_.events))
        before = before_first_card(round_) if kinds & _OF_A_SHOE else []
        shuffled_now = any(isinstance(e, r.Shuffle) for e in before)
        burns_now = sum(isinstance(e, r.Burn) for e in before)
        if r.CutCard in kinds:
            log.cut_cards_seen = True
        if burns_now:
            log.burns_seen = True
        if shuffled_now:
            log.shuffles_seen = True
            before_shuffle = log.shoe
            if before_shuffle.rounds == 0 and round_.shoe is not None:
                log.shuffles_begin_shoes = True
            log.shoe = _Shoe(round_.shoe, True, shuffled=True)
            # the duty was met; the question is still asked
            log.shoe.cut_card_out = before_shuffle.cut_card_out
            log.shoe.cut_in_last = before_shuffle.cut_in_last
            log.shoe.no_cut_card = before_shuffle.no_cut_card
            log.shoe.not_cut = before_shuffle.not_cut
        shoe = log.shoe
        new = shoe.rounds == 0 if shoe.begun_in_log is not None or shoe.rounds else None
        continuous = mechanics.roles["cards go back"] in round_.options
        # a new name stands for a shuffle, but where shoes are told to begin with one
        untold = log.shuffles_begin_shoes and not shoe.shuffled and not continuous
        shuffled: bool | None = shuffled_now or (bool(new) and not untold)
        cut_first = any(isinstance(e, r.CutCard) for e in before) and not continuous
        if round_.shoe is None and not log.shuffles_seen and not shuffled and not cut_first:
            shuffled = None
        known = sorted({*_players(round_, mechanics), *shoe.last_seen})
        view = ShoeView(
            new=new,
            cut_card_out=shoe.cut_card_out if log.cut_cards_seen else None,
            cut_card_in_last_rounds=shoe.cut_in_last and log.in_last_rounds(round_, mechanics),
            no_cut_card=shoe.no_cut_card if shoe.no_cut_card or shoe.begun_in_log else None,
            not_cut=shoe.not_cut,
            shuffled=shuffled,
            burns=burns_now if log.burns_seen or shuffled_now else None,
            burns_recorded=log.burns_seen,
            cards_out=shoe.cards_out,
            copies={} if continuous or round_.shoe is None else dict(shoe.copies),
            late_entry={p: p not in shoe.first_players for p in known} if shoe.rounds > 0 else {},
            late_entry_two=_late_by_two(shoe, known),
            sat_out={p: p in shoe.sat_out for p in known},
            sat_out_later={p: p in shoe.sat_out_later for p in known},
            idle={p: shoe.rounds - n - 1 for p, n in shoe.last_seen.items()},
            warned=frozenset(log.warned),
            # who was told before cannot be known where the order was broken
            warnings_seen=self.warnings_seen
            and (round_.rulebook, round_.table) not in self._broken,
            announced=frozenset(log.announced),
            decisions_seen=log.decisions_seen,
            player_cards_seen=self.player_cards_seen,
            known=bool(shoe.begun_in_log),
            minimum=shoe.minimum,
        )
        return view

    def _table(self, round_: r.Round) -> TableLog:
        log = self.tables.get((round_.rulebook, round_.table))
        if log is None:
            log = TableLog(_Shoe(round_.shoe, None))
            self.tables[round_.rulebook, round_.table] = log
        elif round_.shoe != log.shoe.id:
            shuffled = log.shoe.rounds == 0 and log.shoe.shuffled  # at the end of the round before
            log.shuffles_begin_shoes |= shuffled and round_.shoe is not None
            log.shoe = _Shoe(round_.shoe, True if round_.shoe is not None else None)
            log.shoe.shuffled = shuffled
        return log

    def forget(self, round_: r.Round) -> None:
        """The round does not follow the one before it: nothing is known of its table by then."""
        self.tables.pop((round_.rulebook, round_.table), None)
        self._broken.add((round_.rulebook, round_.table))

    def after(self, round_: r.Round) -> None:
        mechanics = self.mechanics_of(round_)
        telling = mechanics.telling
        if not self.player_cards_seen:
            wagers = [e for e in round_.events if type(e) is r.Wager]
            self.player_cards_seen = any(wager.player_card for wager in wagers)
        log = self.tables[round_.rulebook, round_.table]
        shoe = log.shoe
        players = _players(round_, mechanics)
        shuffled = r.Shuffle in set(map(type, round_.events))
        if shuffled and any(isinstance(e, r.Shuffle) for e in before_first_card(round_)):
            shoe.cut_card_out = shoe.no_cut_card = shoe.cut_in_last = shoe.not_cut = False
        copies = shoe.copies
        for event in round_.events:
            kind = type(event)
            if isinstance(event, r.Deal):
                if event.card != r.JOKER:
                    copies[event.card] = copies.get(event.card, 0) + 1
                    shoe.cards_out += 1
            elif kind in _OF_A_SHOE:
                self._after_shoe_event(event, log, round_, mechanics)
            elif isinstance(event, r.Play):
                log.decisions_seen |= event.do in telling
            elif kind in _TOLD:
                self._after_told(event, log, mechanics)
        if shoe.rounds == 0:
            shoe.first_players = set(players)
        elif shoe.rounds == 1:
            shoe.second_players = set(players)
        shoe.sat_out |= shoe.wagered - players
        if shoe.rounds >= 2:
            shoe.sat_out_later |= (shoe.first_players | shoe.second_players) - players
        shoe.wagered |= players
        for player in players:
            shoe.last_seen[player] = shoe.rounds
        shoe.minimum = {bet: one.min for bet, one in round_.limits.items() if one.min is not None}
        shoe.rounds += 1
        log.rounds += 1
        if shuffled and shuffled_after_last_card(round_):
            log.shoe = _Shoe(round_.shoe, True, shuffled=True)
            log.shuffles_seen = True

    @staticmethod
    def _after_shoe_event(
        event: r.Event, log: TableLog, round_: r.Round, mechanics: Mechanics
    ) -> None:
        shoe = log.shoe
        match event:
            case r.Burn(card=card):
                shoe.cards_out += 1
                if card is not None:
                    shoe.copies[card] = shoe.copies.get(card, 0) + 1
            case r.CutCard():
                shoe.cut_card_out = True
                shoe.cut_in_last = log.in_last_rounds(round_, mechanics)
            case r.Shuffle():
                # within a round the discards are shuffled to finish it, or after it a new shoe
                shoe.copies.clear()
                shoe.cut_card_out = shoe.cut_in_last = shoe.not_cut = False

    def _after_told(self, event: r.Event, log: TableLog, mechanics: Mechanics) -> None:
        match event:
            case r.Irregularity():
                log.shoe.no_cut_card |= event.what == mechanics.roles["no cut card"]
                log.shoe.not_cut |= event.what == mechanics.roles["not cut"]
            case r.Warn():
                log.warned.add(event.player)
                self.warnings_seen = True
            case r.Announce():
                log.announced.add(event.what)
                if event.what == mechanics.roles[_LAST_ROUNDS]:
                    log.last_rounds_from = log.rounds


def _late_by_two(shoe: _Shoe, known: list[str]) -> dict[str, bool]:
    """Who wagered in neither of the first two rounds, as far as these were played."""
    if shoe.rounds > 1:
        return {p: p not in shoe.first_players | shoe.second_players for p in known}
    return dict.fromkeys(sorted(shoe.first_players), False) if shoe.rounds == 1 else {}


def shuffled_after_last_card(round_: r.Round) -> bool:
    """The cards were shuffled at the end of the round: the next one begins a new shoe."""
    for event in reversed(round_.events):
        if isinstance(event, r.Shuffle):
            return True
        if isinstance(event, r.Deal):
            return False
    return False


def _players(round_: r.Round, mechanics: Mechanics) -> set[str]:
    main = mechanics.main
    return {e.player for e in round_.events if type(e) is r.Wager and e.bet == main}


def before_first_card(round_: r.Round) -> list[r.Event]:
    kept: list[r.Event] = []
    for event in round_.events:
        if isinstance(event, r.Deal):
            break
        kept.append(event)
    return kept
