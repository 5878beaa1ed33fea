"""What is done with a rulebook: replaying logs, proving, comparing, reporting."""
