"""Logs that obey a rulebook, and faults put into them."""
