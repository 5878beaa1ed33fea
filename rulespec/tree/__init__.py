"""What a rule file says, as data: the nodes, the vocabulary, and how they are written out."""
