"""Interpreter 2: batches of rounds as columns of numbers, for speed. Needs numba and numpy."""
