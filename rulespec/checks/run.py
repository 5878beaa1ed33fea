"""All that can be said of a rulebook without a hand being dealt, in the order of the passes."""

from __future__ import annotations

from datetime import date

from rulespec.base.codes import CODES, STILL_CHECKED
from rulespec.base.diagnostics import Diagnostic, ordered
from rulespec.base.spans import Span
from rulespec.checks.acceptance import apply_acceptances
from rulespec.checks.amend_notes import readings_of_replaced_clauses
from rulespec.checks.dates import dates
from rulespec.checks.ledger import ledger, load_clause_list
from rulespec.checks.numbering import numbering
from rulespec.checks.open_words import open_words
from rulespec.checks.references import references
from rulespec.checks.terms import terms
from rulespec.checks.undefined_words import undefined_words
from rulespec.checks.unused_words import unused_words
from rulespec.load.load import Loaded

# What the passes below can report; acceptances of other codes are left to other checks.
STATIC_CODES = frozenset(code for code in CODES if "R200" <= code < "R300")


def static_check(loaded: Loaded, today: date) -> list[Diagnostic]:
    """Findings in the order of the file; the accepted ones carry the reason in `accepted`."""
    found = list(loaded.diagnostics)
    clause_list, broken_list = load_clause_list(loaded.path)
    found += broken_list
    if loaded.rulebook is None or any(d.unusable and d.code not in STILL_CHECKED for d in found):
        return ordered(found)
    # the text as it is, and where it was amended more than once, the texts in between
    texts = [text for text in loaded.rulebook.texts if text.before is not None]
    checked: dict[tuple[str, Span | None], Diagnostic] = {}
    for text in texts or [loaded.rulebook]:
        passes = [*found, *references(text), *numbering(text), *dates(text)]
        passes += terms(text, clause_list)
        passes += ledger(text, clause_list).diagnostics
        passes += readings_of_replaced_clauses(text) + open_words(text, clause_list)
        passes += unused_words(text) + undefined_words(text)
        for results in apply_acceptances(text, passes, today, STATIC_CODES):
            for d in results:
                checked.setdefault((d.fingerprint, d.span), d)
    return ordered(list(checked.values()))
