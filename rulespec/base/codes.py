"""The stable codes of everything that a check can report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Code:
    code: str
    slug: str
    severity: Severity
    title: str

    @property
    def unusable(self) -> bool:
        """The rule file cannot be used until this is mended (exit status 2)."""
        return self.code < "R200"


STILL_CHECKED = frozenset({"R114"})
"""A reading or acceptance names a clause that is gone: what else its loss does is told as well."""

_CODES: tuple[tuple[str, str, Severity, str], ...] = (
    # The file itself
    ("R001", "file-not-found", "error", "A rule file cannot be read"),
    ("R002", "not-text", "error", "A rule file is not UTF-8 text"),
    ("R003", "empty-file", "error", "A rule file is empty"),
    ("R004", "file-too-large", "error", "A rule file is too large"),
    ("R005", "syntax", "error", "The file is not written as the language asks"),
    ("R006", "circular-include", "error", "Files include each other in a circle"),
    ("R007", "nested-too-deeply", "error", "A condition is nested too deeply"),
    ("R008", "unknown-rulebook", "error", "No rulebook of this name"),
    ("R009", "no-rulebook", "error", "The file names no rulebook"),
    ("R010", "clause-list", "error", "The clause list beside a rulebook cannot be used"),
    ("R011", "scenario-file", "error", "A scenario file cannot be used"),
    ("R012", "include-elsewhere", "error", "A file is included that is no part of the rulebook"),
    # Names and types
    ("R101", "unknown-fact", "error", "A condition asks for a fact that does not exist"),
    ("R102", "unknown-name", "error", "A name is neither a listed value nor a defined term"),
    ("R103", "wrong-type", "error", "Two things are compared that cannot be compared"),
    ("R104", "outside-domain", "error", "A value can never occur"),
    ("R105", "unknown-option", "error", "A table option or recorded event is not known"),
    ("R106", "unknown-action", "error", "An action is not known for this person"),
    ("R107", "unknown-topic", "error", "A topic is not on the list"),
    ("R108", "fact-not-available", "error", "A fact cannot be known at this moment"),
    ("R109", "duplicate-clause", "error", "One clause stands twice in the rulebook"),
    ("R110", "duplicate-name", "error", "A name is given twice"),
    ("R111", "impossible-date", "error", "A date does not exist, or an end comes first"),
    ("R112", "impossible-value", "error", "Odds or card points make no sense"),
    ("R113", "unknown-code", "error", "An acceptance names a code that does not exist"),
    ("R114", "unknown-clause", "error", "A reading, acceptance or `pays as` names no clause"),
    ("R115", "circular-definition", "error", "A term is defined by itself"),
    ("R116", "precedence-cycle", "error", "Clauses prevail over each other in a circle"),
    ("R117", "idle-amendment", "error", "An amendment changes nothing"),
    ("R118", "amends-nothing", "error", "An amendment names what the rulebook does not have"),
    ("R119", "changed-twice", "error", "A clause is changed twice on one day"),
    ("R120", "number-taken", "error", "An amendment inserts a number that is there already"),
    ("R121", "amendment-date", "error", "The day of an amendment is missing or makes no sense"),
    ("R122", "amendment-file", "error", "An amendment stands with another text than it amends"),
    ("R123", "pays-as", "error", "A clause cannot pay as the clause that it names"),
    ("R124", "unknown-zone", "error", "The header names a time zone that does not exist"),
    ("R125", "unknown-bet", "error", "A clause is about a bet that the game does not have"),
    ("R126", "fact-in-rulebook", "error", "A rulebook declares a fact"),
    ("R127", "misplaced-declaration", "error", "Something belongs into another kind of file"),
    ("R128", "unknown-game", "error", "The header names a game that does not exist"),
    ("R129", "cells-and-columns", "error", "A row has other cells than its table has columns"),
    ("R130", "impossible-effect", "error", "A declaration says what cannot happen"),
    ("R131", "unreached-stage", "error", "A stage of the round is never reached"),
    ("R132", "unknown-word", "error", "A declaration names what the game does not have"),
    # The printed text
    ("R201", "dangling-reference", "warning", "A clause cites a number that is not printed"),
    ("R202", "stale-reference", "warning", "A clause cites a clause on another subject"),
    ("R203", "reference-offset", "warning", "References are off by a constant number"),
    ("R204", "duplicate-number", "warning", "A clause number is printed twice"),
    ("R205", "numbering-gap", "warning", "A number is missing from a sequence"),
    ("R206", "misplaced-number", "warning", "A clause's number belongs to another section"),
    ("R207", "undefined-term", "warning", "A term is used as defined but nowhere defined"),
    ("R208", "unused-term", "note", "A term is defined but never used"),
    ("R209", "outside-reference", "note", "A clause relies on a text that is not at hand"),
    ("R210", "dates-overlap", "warning", "Two versions of a clause are in force together"),
    ("R211", "dates-hole", "warning", "A clause is in force, lapses, and returns"),
    ("R212", "missing-clause", "error", "A clause of the printed text is not accounted for"),
    ("R213", "unlisted-clause", "warning", "A clause is not on the list of the printed text"),
    ("R214", "silent-clause", "error", "A clause block says nothing"),
    ("R215", "unused-acceptance", "warning", "An acceptance matches no finding"),
    ("R216", "not-encoded", "error", "A checkable clause is called not checkable"),
    ("R217", "circular-reference", "warning", "Clauses yield to each other, or to themselves"),
    ("R218", "term-defined-twice", "warning", "One term has two definitions"),
    ("R219", "expired-acceptance", "warning", "An acceptance has passed its end date"),
    ("R220", "dates-outside", "warning", "A clause is in force when its rulebook is not"),
    ("R221", "reading-of-replaced-clause", "note", "A reading was made for words now replaced"),
    ("R222", "left-open", "note", "The text leaves a case open"),
    ("R223", "read-not-printed", "note", "A clause is applied as a reading says"),
    ("R224", "noted-flaw", "note", "The list of clauses remarks a flaw of the print"),
    ("R225", "unnumbered-text", "note", "Text after a clause or its parts has no number"),
    ("R226", "terms-differ", "warning", "A clause and the list of clauses name other terms"),
    ("R227", "terms-not-listed", "note", "The list of clauses does not say what terms are used"),
    ("R228", "lone-part", "note", "A clause is divided into one part only"),
    ("R229", "set-aside-reference", "warning", "A clause cites what does not apply where it does"),
    ("R230", "vague-acceptance", "warning", "An acceptance does not say what it is for"),
    ("R231", "unused-declaration", "note", "The rulebook declares a word that no clause uses"),
    # What the rules come to
    ("R232", "undefined-word", "warning", "A clause asks for a word that no clause defines"),
    ("R301", "player-edge", "warning", "A bet gives the player the edge over the house"),
    # What a hand shows
    ("R310", "contradiction", "warning", "The text gives one question two answers on one hand"),
    ("R311", "permission-meets-ban", "note", "One clause allows what another forbids"),
    ("R312", "gap", "warning", "The text gives no answer where one is owed"),
    ("R313", "dead-rule", "warning", "A rule applies to no hand that can be dealt"),
    ("R314", "redundant-rule", "note", "Without this rule every hand comes out the same"),
    ("R315", "override-without-effect", "warning", "A precedence takes a rule its effect"),
    ("R316", "overlapping-rows", "warning", "Two rows of a payout table name other odds"),
    ("R317", "decides-only-in-conflict", "note", "A clause decides only where another differs"),
    ("R318", "needless-order", "note", "No hand needs one clause to prevail over another"),
    ("R319", "definitions-differ", "warning", "Two definitions of one term do not agree"),
    ("R320", "card-not-in-pack", "warning", "A clause names a card that is not in the pack"),
    # Recorded rounds
    ("R501", "wrong-settlement", "error", "A wager got back another amount than was due"),
    ("R502", "untimely-settlement", "error", "A wager was settled too early or too late"),
    ("R503", "never-settled", "error", "A wager was never settled"),
    ("R504", "settled-twice", "error", "A wager was settled more than once"),
    ("R505", "nothing-to-settle", "error", "Money went out for a wager that is not logged"),
    ("R510", "forbidden-play", "error", "A player did what a clause forbids"),
    ("R511", "play-without-right", "error", "A player did what no clause allows"),
    ("R512", "hand-left-short", "error", "A hand was left that had to draw"),
    ("R520", "improper-dealer-card", "error", "The dealer drew a card that was not due"),
    ("R521", "dealer-stopped-early", "error", "The dealer stopped when a card was due"),
    ("R530", "requirement-not-kept", "error", "A requirement on cards, wagers or boxes failed"),
    ("R540", "duty-not-done", "error", "The casino did not do what a clause asks for"),
    ("R550", "undecided", "warning", "The text or the log leaves something open"),
    ("R560", "no-text-in-force", "error", "No approved text was in force at the time"),
    ("R561", "no-such-rulebook", "error", "A round names a rulebook that is not at hand"),
    ("R570", "round-stands-twice", "error", "Two rounds that should be one say different things"),
    ("R580", "act-without-right", "error", "The casino did what no clause allows"),
    ("R590", "scenario-fails", "error", "A scenario does not come out as it says"),
    ("R591", "unnoticed-rule", "warning", "No scenario notices this change to a rule"),
    ("R592", "idle-reason", "warning", "A reason is given for a change that is noticed"),
    # What two texts differ in
    ("R601", "changed-result", "warning", "A wager is won, lost or returned otherwise"),
    ("R602", "changed-payout", "warning", "A win or a bonus is paid another amount"),
    ("R603", "changed-play", "warning", "Players or the dealer may or must do something else"),
    ("R604", "changed-requirement", "warning", "What one text allows, the other does not"),
    ("R605", "changed-duty", "warning", "Dealer or casino have another duty"),
    ("R606", "changed-terms", "warning", "Wagers settle, count or round otherwise"),
    ("R607", "undecided-change", "note", "Two wordings of which it was not decided what they do"),
    ("R608", "changed-dates", "warning", "A clause is in force on other days"),
    # Layout
    ("R901", "layout", "warning", "A rule file is not in the canonical layout"),
)

CODES = {row[0]: Code(*row) for row in _CODES}

FAMILIES: dict[str, tuple[str, str]] = {
    "R0": ("The file itself", "The rule file cannot be used until it is mended (status 2)."),
    "R1": ("Names and types", "The same: something in the file cannot be meant so (status 2)."),
    "R2": ("The printed text", "Flaws of the text that show without a hand being dealt."),
    "R30": ("What the rules come to", "What the payouts give in the long run."),
    "R3": ("What a hand shows", "Contradictions, gaps and dead rules, each with a hand."),
    "R59": ("Scenarios", "Hands beside a rulebook, and what they do not notice."),
    "R5": ("Recorded rounds", "What `rulespec replay` finds in a log."),
    "R6": ("What two texts differ in", "What `rulespec diff` finds, each with a hand."),
    "R9": ("Layout", "How a rule file is laid out."),
}
"""By how a code begins; of two that fit the longer one counts."""


def family(code: str) -> str:
    """The key of the family that a code belongs to."""
    return max((start for start in FAMILIES if code.startswith(start)), key=len)


def codes_page() -> str:
    """The page `docs/diagnostics/index.md`: every code by family."""
    lines = [
        "# Diagnostic codes",
        "",
        "Made from `rulespec/base/codes.py` by `make docs`; `rulespec docs CODE` prints a page. A",
        "code keeps its meaning for good. Exit status: 2 for the first two families, 3 for what is",
        "undecided (R550, R607), else 1 for errors and warnings, and 0 for notes.",
    ]
    for start in dict.fromkeys(family(code) for code in CODES):
        title, meaning = FAMILIES[start]
        lines += [
            "",
            f"## {title}",
            "",
            meaning,
            "",
            "| code | name | severity | what it says |",
            "| --- | --- | --- | --- |",
        ]
        lines += [
            f"| [{c.code}]({c.code}.md) | `{c.slug}` | {c.severity} | {c.title} |"
            for c in CODES.values()
            if family(c.code) == start
        ]
    return "\n".join(lines) + "\n"
