"""A log to verdicts and a summary."""
