"""One round, judged in machine code."""
