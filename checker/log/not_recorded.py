"""The words of `not_recorded`: what a log may say that it does not tell, and what follows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any


@dataclass(frozen=True, slots=True)
class Untold:
    """One word. Facts are names, or `group.*`; the comments of `not_recorded.yaml` say the rest."""

    word: str
    told: str
    also: tuple[str, ...]
    includes: tuple[str, ...]
    facts: tuple[str, ...]
    told_where: dict[str, tuple[str, Any]]
    settings: tuple[str, ...]
    judged: tuple[str, ...]
    order: str | None
    as_absent: bool
    terms: tuple[str, ...]

    @property
    def hides(self) -> bool:
        """Whether rules are asked otherwise; who asked for a card is found out by the way."""
        return bool(self.facts or self.settings or set(self.judged) - {"asks"})


@cache
def words() -> dict[str, Untold]:
    """By word, other words for the same too."""
    from importlib.resources import files

    from rulespec.base.yaml_files import load_yaml

    text = files("checker.log").joinpath("not_recorded.yaml").read_text(encoding="utf-8")
    found: dict[str, Untold] = {}
    for word, said in load_yaml(text).items():
        one = Untold(
            word,
            said["told"],
            tuple(said.get("also", ())),
            tuple(said.get("includes", ())),
            tuple(said.get("facts", ())),
            {fact: next(iter(where.items())) for fact, where in said.get("told_where", {}).items()},
            tuple(said.get("settings", ())),
            tuple(said.get("judged", ())),
            said.get("order"),
            said.get("as_absent", False),
            tuple(said.get("terms", ())),
        )
        for name in (word, *one.also):
            found[name] = one
    return found


@cache
def untold_by(said: frozenset[str]) -> tuple[Untold, ...]:
    """What words come to, with all that follows from them; words that nobody knows are left out."""
    found: dict[str, Untold] = {}
    waiting = sorted(said)
    while waiting:
        one = words().get(waiting.pop(0))
        if one is not None and one.word not in found:
            found[one.word] = one
            waiting.extend(one.includes)
    return tuple(found.values())


def unknown_words(said: Iterable[str]) -> set[str]:
    return {word for word in said if word not in words()}
