"""What declarations say, against the game that they are part of: does it exist, can it happen."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from rulespec.base.diagnostics import Diagnostic
from rulespec.base.spans import Span
from rulespec.resolve.typecheck import Checker, did_you_mean
from rulespec.tree import game as g
from rulespec.tree import nodes as t
from rulespec.tree.cards import ORDINALS, card_positions
from rulespec.tree.kinds import FactInfo, Kind

_ANY_MOMENT = "a declaration"
_LIES_ON = ("box", "hand", "table")
_ON_A_HAND = (g.AddsStake, g.TakesBack, g.GivesUp, g.EndsHand, g.Splits, g.PlacesBet, g.Claims)


def check_declarations(
    game: g.Game,
    words: Iterable[g.Word | g.Deal],
    terms: Mapping[str, set[str]],
    numbers: Mapping[str, Kind],
) -> list[Diagnostic]:
    """What is wrong with these words of a game; `terms` are those that the rulebook defines."""
    groups = {name.partition(".")[0] for name in game.facts} | _card_groups(game)
    wide = replace(game, moments={**game.moments, _ANY_MOMENT: tuple(groups)})
    check = _Declarations(game, Checker(terms, wide, numbers))
    for word in words:
        match word:
            case g.Bet():
                check.bet(word)
            case g.Action():
                check.action(word)
            case g.Stage():
                check.stage(word)
            case g.Deal():
                check.deal(word)
            case g.Option():
                check.role(word, "option")
                check.common(word)
            case g.Record():
                check.role(word, "record")
            case _:
                pass
    return check.checker.found


def check_game_file(game: g.Game, document: t.Document) -> list[Diagnostic]:
    """What is wrong with a game file beyond the words that rulebooks declare too."""
    words = [i.what for i in document.items if isinstance(i, t.Declaration)]
    found = check_declarations(game, (w for w in words if not isinstance(w, FactInfo)), {}, {})
    found += [d for item in document.items for d in _about(item, game)]
    plain = [d for d in game.deals if isinstance(d.condition, t.Always)]
    found += [
        Diagnostic(
            "R110", "a second deal without `when` is given", deal.span, help="only one holds"
        )
        for deal in plain[1:]
    ]
    return found


def _about(item: t.Item, game: g.Game) -> Iterator[Diagnostic]:
    match item:
        case t.Moment():
            groups = {name.partition(".")[0] for name in game.facts} | _card_groups(game)
            for group in item.groups:
                if group not in groups:
                    advice = did_you_mean(group, groups, "a group is what stands before the dot")
                    message = f"no fact is of the group `{group}`"
                    yield Diagnostic("R132", message, item.span, help=advice)
        case t.GameFile():
            for moment in item.requirable:
                if moment not in game.moments:
                    advice = f"say what is known then: `moment {moment} knows …`"
                    message = f"there is no moment `{moment}`"
                    yield Diagnostic("R132", message, item.span, help=advice)
        case t.Declaration(what=FactInfo() as info):
            kind, value = info.kind, info.ordinarily
            if kind.low > kind.high:
                message = f"`{info.name}` has no value from {kind.low} to {kind.high}"
                yield Diagnostic("R112", message, item.span, help="the lower number comes first")
            fits = isinstance(value, bool) if kind.name == "bool" else value in kind.values
            if value is not None and not fits:
                message = f"`{info.name}` cannot ordinarily be `{_yes_or_no(value)}`"
                advice = f"it is {kind.describe()}"
                yield Diagnostic("R104", message, item.span, help=advice)
        case _:
            pass


def _yes_or_no(value: bool | str) -> str:
    return value if isinstance(value, str) else "yes" if value else "no"


def _card_groups(game: g.Game) -> set[str]:
    return set(game.hands) or {*ORDINALS, g.DEALER}


class _Declarations:
    def __init__(self, game: g.Game, checker: Checker) -> None:
        self.game = game
        self.checker = checker
        self.players = game.actions_of("player")
        self.parts = game.parts

    def _known(self, kind: str, name: str, known: Collection[str], span: Span) -> bool:
        if name in known:
            return True
        listed = "one of " + ", ".join(known) if known else "the game has none"
        advice = did_you_mean(name, known, listed)
        self.checker.report("R132", f"there is no {kind} `{name}`", span, advice)
        return False

    def _cannot(self, message: str, span: Span, advice: str | None = None) -> None:
        self.checker.report("R130", message, span, advice)

    def _condition(self, node: t.Expression) -> None:
        self.checker.condition(node, _ANY_MOMENT)

    def bet(self, bet: g.Bet) -> None:
        self._condition(bet.offered)
        if bet.with_bet == bet.name:
            self._cannot(f"`{bet.name}` cannot need itself", bet.span)
        elif bet.with_bet is not None:
            self._known("bet", bet.with_bet, self.game.bets, bet.span)
        match bet.placed:
            case g.Placed("at stage", name):
                self._known("stage", name, self.game.stages, bet.span)
            case g.Placed("by play", name):
                if self._known("action", name, self.players, bet.span):
                    placed = (e for e in self.players[name].effects if isinstance(e, g.PlacesBet))
                    if bet.against == 1 and bet.name not in {effect.bet for effect in placed}:
                        advice = f"the action says so with `places {bet.name}`"
                        message = f"`{name}` does not place the bet `{bet.name}`"
                        self._cannot(message, bet.span, advice)
        self._known("place for a bet", bet.lies_on, _LIES_ON, bet.span)
        positions = card_positions(self.game.hands)
        for card in bet.decided_by:
            if card not in positions:
                advice = did_you_mean(card, positions, "such as `first`, `second`, `dealer.first`")
                self.checker.report("R101", f"no card is called `{card}`", bet.span, advice)

    def action(self, action: g.Action) -> None:
        span = action.span
        self.role(action, "action")
        if action.done is not None:
            self._condition(action.done)
            if action.actor not in ("dealer", "casino"):
                message = f"`{action.name}` is no duty of the dealer or the casino"
                self._cannot(message, span, "what players do is in the log by its own word")
        for stage in action.stages:
            self._known("stage", stage, self.game.stages, span)
        if action.at_most == 0:
            self._cannot(f"`{action.name}` can never be done: at most 0 times", span)
        at_the_table = [e for e in action.effects if not isinstance(e, g.Decides)]
        if at_the_table and action.actor == "player" and action.play is None:
            advice = "say `logged`, or `logged as WORD` for another word of the log"
            self._cannot(f"no log can tell of `{action.name}`", span, advice)
        alike = [a for a in self.game.actions.values() if a.play == action.play]
        if action.play is not None and alike[0] != action:
            message = f"`{action.play}` is the log's word for `{alike[0].name}` already"
            self.checker.report("R110", message, span, "write `logged as WORD` with another word")
        for effect in action.effects:
            self._effect(action, effect, span)

    def role(self, word: g.Option | g.Record | g.Action, kind: str) -> None:
        if word.role:
            mine = [role for role, of in g.ROLES.items() if of == kind]
            self._known(
                f"meaning of an {kind}" if kind[0] in "ao" else f"meaning of a {kind}",
                word.role,
                mine,
                word.span,
            )

    def common(self, option: g.Option) -> None:
        common = option.common
        if common is None:
            return
        if not 0 < common.tables <= common.of:
            message = f"`{option.name}` cannot be in use at {common.tables} of {common.of} tables"
            self._cannot(message, option.span, "such as `at 7 of 10 tables`")
        if common.beside is not None:
            self._known("option", common.beside, self.game.options, option.span)

    def _effect(self, action: g.Action, effect: g.Effect, span: Span) -> None:
        if isinstance(effect, _ON_A_HAND) and action.actor in ("dealer", "casino"):
            message = f"`{action.name}` of the {action.actor} moves no money and ends no hand"
            self._cannot(message, span, "only what players do has this effect")
            return
        match effect:
            case g.TakesBack(part) | g.GivesUp(part) if part not in self.parts:
                advice = did_you_mean(
                    part, self.parts, f"an action adds it: `adds a stake as part {part}`"
                )
                self._cannot(f"no action adds a part `{part}`", span, advice)
            case g.Deals(cards=0):
                self._cannot(f"`{action.name}` deals no card", span)
            case g.Splits() if self.game.hands:
                self._cannot("a named hand cannot be split", span)
            case g.PlacesBet(bet):
                self._known("bet", bet, self.game.bets, span)
            case g.Waits(stage):
                self._known("stage", stage, self.game.stages, span)
            case _:
                pass

    def stage(self, stage: g.Stage) -> None:
        self._condition(stage.condition)
        stages, before, seen = self.game.stages, stage.after, {stage.name}
        if before is not None and not self._known("stage", before, stages, stage.span):
            return
        while before is not None and before in stages:
            if before in seen:
                message = f"the stage `{stage.name}` is never reached: it waits for itself"
                self.checker.report("R131", message, stage.span, "begin with `after the deal`")
                return
            seen.add(before)
            before = stages[before].after
        for step in stage.steps:
            match step:
                case g.Looks(who) | g.Reveals(who) | g.Draws(who):
                    self._known("hand", who, self.game.hands or (g.DEALER,), stage.span)
                case g.InTurn() if self.game.hands:
                    self._cannot("a game with named hands has no boxes", stage.span)
                case g.Ends():
                    self._condition(step.condition)
                case _:
                    pass

    def deal(self, deal: g.Deal) -> None:
        self._condition(deal.condition)
        for step in deal.steps:
            self._known("seat", step.to, self.game.seats, deal.span)
            if step.cards == 0:
                self._cannot("a deal of no cards", deal.span)
