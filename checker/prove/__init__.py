"""Proofs about a rulebook: contradictions, gaps, and rules that never apply."""
