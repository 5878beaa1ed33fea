"""All that can be said of a rulebook without a hand being dealt, in the order of the passes."""

from __future__ import annotations

from datetime import date

from rulespec.acceptance import apply_acceptances
from rulespec.codes import CODES
from rulespec.dates import dates
from rulespec.diagnostics import Diagnostic, ordered
from rulespec.ledger import ledger, load_clause_list
from rulespec.load import Loaded
from rulespec.numbering import numbering
from rulespec.references import references
from rulespec.terms import terms

# What the passes below can report; acceptances of other codes are left to other checks.
STATIC_CODES = frozenset(code for code in CODES if "R200" <= code < "R300")


def static_check(loaded: Loaded, today: date) -> list[Diagnostic]:
    """Findings in the order of the file; the accepted ones carry the reason in `accepted`."""
    found = list(loaded.diagnostics)
    clause_list, broken_list = load_clause_list(loaded.path)
    found += broken_list
    if loaded.rulebook is None or any(d.unusable for d in found):
        return ordered(found)
    rulebook = loaded.rulebook
    found += references(rulebook)
    found += numbering(rulebook)
    found += terms(rulebook)
    found += dates(rulebook)
    found += ledger(rulebook, clause_list).diagnostics
    still_open, accepted = apply_acceptances(rulebook, found, today, STATIC_CODES)
    return ordered([*still_open, *accepted])
