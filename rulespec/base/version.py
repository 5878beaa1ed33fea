"""The version of rulespec, as every report names it."""

__version__ = "0.2.0"
