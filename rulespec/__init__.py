"""rulespec: a language for the rules of casino table games.

This package turns the text of a rule file into a checked rulebook; it knows no logs, no solver
and no terminal. What is done with a rulebook stands in the package `checker`.
"""

__version__ = "0.1.0"
