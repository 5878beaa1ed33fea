"""The house edge of each wager."""
