"""What can be said of a rulebook without a hand being dealt."""
