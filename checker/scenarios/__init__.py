"""Hands that stand beside a rulebook with what must come of them, and changes that they must
notice.
"""
