"""A side bet, and the edges of it."""

from rulespec.load.load import load, shipped
from rulespec.resolve.rulebook import Rulebook


def decks(words: str) -> str:
    return f'clause 5.1 "Decks" {{ at round require round.decks {words} }}\n'


def shipped_book(name: str) -> Rulebook:
    book = load(shipped()[name]).rulebook
    assert book is not None
    return book
