"""One round to a verdict: what was done, held against what the rules say."""
