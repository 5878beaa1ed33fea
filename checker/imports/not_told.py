"""What an export does not tell, read off its profile: the `not_recorded` of every round."""

from __future__ import annotations

from checker.imports.events import event_fields
from checker.imports.profile import Field, Parts, Profile
from checker.log.not_recorded import words

_OF_DECISIONS = {"decisions", "added_stakes", "control"}


def not_recorded(profile: Profile, named_hands: bool = False) -> list[str]:
    """In the order of the list of words. What the profile says outright has the last word. Nobody
    decides anything in a game with named hands."""
    found = set(_follows(profile)) - (_OF_DECISIONS if named_hands else set())
    found |= set(profile.not_recorded)
    for word in profile.recorded:
        found -= {word, words()[word].word}
    return [word for word in words() if word in found]


def _follows(profile: Profile) -> list[str]:
    parts = [one for source in profile.sources for one in _all_parts(source.parts)]
    kinds = _kinds(profile)
    fields = {name for one in parts for name in one.fields}
    in_rows = [one for one in parts if "e" not in one.fields]
    row_fields = {name for one in in_rows for name in one.fields}
    dealt = any(one.dealt for one in parts)
    cards = "cards" in row_fields or "deal" in kinds
    dealer = "dealer" in row_fields or "deal" in kinds
    missing: list[str] = []
    if "deal" not in kinds and not dealt:
        missing += [] if dealer else ["dealer_cards"]
        missing += [] if cards else ["player_cards"]
    if "deal" not in kinds or "returned" in row_fields:
        missing.append("settlement_time")
    if "deal" not in kinds:
        missing.append("turn_order")
    plays = "play" in kinds or any(one.plays for one in parts)
    if not plays:
        missing += ["decisions", "added_stakes"]
    elif "play" not in kinds and not any(_several(one) for p in parts for one in p.plays):
        missing.append("decisions")  # only what moved money
    if "returned" not in fields:
        missing.append("settlements")
    if "player" not in fields:
        missing.append("players")
    if "control" not in fields and "wager" not in kinds:
        missing.append("control")
    if "shoe" not in profile.head:
        missing.append("shoe")
    if "approve" not in kinds:
        missing.append("approvals")
    if profile.options is None and "options" not in profile.head:
        missing.append("options")
    if not profile.limits:
        missing.append("limits")
    if not any("smallest_chip" in one for one in profile.limits.values()):
        missing.append("chips")
    if not profile.cards.suits:
        missing.append("suits")
    return missing


def _several(parts: Parts) -> bool:
    """A cell that lists all decisions, not one of a kind beside its amount."""
    do = parts.fields.get("do")
    if parts.list is not None:
        return True
    return do is not None and do.value is None and "stake" not in parts.fields


def _all_parts(parts: Parts) -> list[Parts]:
    inner = [
        one for one in (*parts.plays, *parts.bets, parts.rows, parts.events) if one is not None
    ]
    return [parts, *(more for one in inner for more in _all_parts(one))]


def _kinds(profile: Profile) -> set[str]:
    """The kinds of events that rows can come to; all, where the profile takes them as they are."""
    found: set[str] = set()
    for source in profile.sources:
        for one in _all_parts(source.parts):
            said: Field | None = one.fields.get("e")
            if said is None:
                continue
            if said.value is not None:
                found.add(said.value)
            elif said.map is None or said.other == "keep":
                found.update(event_fields())
            else:
                found.update((*said.map.values(), said.other or ""))
    return found
