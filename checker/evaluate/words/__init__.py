"""What the engine says, in plain words: conditions, hands, why nothing was answered."""
