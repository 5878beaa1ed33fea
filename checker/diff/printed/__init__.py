"""What two texts print and declare, compared without a hand being dealt."""
