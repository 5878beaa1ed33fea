"""Tree to rulebook: amendments, lowering, precedence, names and types."""
