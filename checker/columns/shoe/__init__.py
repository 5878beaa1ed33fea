"""The shoes of a table, followed in the order of the log."""
