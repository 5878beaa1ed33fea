"""A casino's own export into a round log of format 1, by a profile."""
