"""How a report came about, and whether it still comes about so: hashes, proofs, signatures."""
