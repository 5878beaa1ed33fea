"""One log under two texts: who would have got what."""
