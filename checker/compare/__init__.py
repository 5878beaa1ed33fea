"""Rulebooks side by side, topic by topic."""
