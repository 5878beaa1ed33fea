"""The meaning of the rules: one question about one moment of a round, and its answer."""
