"""The game whose words the columns know by number; rulebooks of others are judged plainly. What a
rulebook of it declares itself is known by its settings (see `rules.settings`)."""

from __future__ import annotations

from typing import Final

from checker.table.mechanics import Mechanics, bet_named_in, facts_of_winners, won_by
from rulespec.load.games import ordinary_game

GAME: Final = ordinary_game()
MECHANICS: Final = Mechanics(GAME)
FACTS: Final = GAME.facts
OPTIONS: Final = tuple(GAME.options)
RECORDS: Final = tuple(GAME.records)

MAIN_BET: Final = MECHANICS.main
INSURANCE_BET: Final = next(does.places for does in MECHANICS.plays.values() if does.places)
"""The bet that a play places."""
(BONUS_BET,) = MECHANICS.bonuses
"""What is only paid."""
SIDE_BETS: Final = tuple(
    bet for bet in GAME.bets if bet not in (MAIN_BET, INSURANCE_BET, BONUS_BET)
)
"""What else is wagered before the first card."""
WINS_BONUS: Final = won_by(BONUS_BET)
BONUS_WON, BONUS_PRICED, PLAYER_WON_BONUS = facts_of_winners(BONUS_BET)
WITH_SIDE_BET: Final = {
    bet_named_in(fact): fact for fact in FACTS if bet_named_in(fact) in SIDE_BETS
}
"""The facts that tell whether a player has a side bet, too."""
(APPROVED_OPTION,) = MECHANICS.approved_by_option
