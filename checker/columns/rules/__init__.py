"""A rulebook as numbers: programs, keys and answers."""
