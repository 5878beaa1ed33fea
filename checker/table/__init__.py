"""Rounds to boxes, hands and shoes: what happened at the table. Knows no rule."""
