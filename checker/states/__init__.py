"""All hands at once, as sets of states: shared by the proofs, `diff` and `edge`."""
