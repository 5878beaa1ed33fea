"""The same replay on a cluster."""
