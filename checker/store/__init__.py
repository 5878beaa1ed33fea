"""The audit store: runs, their findings, and what people made of them, in one SQLite file.

`store.py` is all that others call: a run is added once and never changed, a review is added and
never taken back. `selection.py` says which findings are meant; `trend.py` compares two runs.
"""
