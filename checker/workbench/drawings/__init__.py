"""Rounds, tables and rule files as pictures and coloured text."""
