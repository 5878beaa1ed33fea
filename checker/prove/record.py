"""Findings of the prover, kept between calls: an unchanged rulebook is not proven again."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulespec.base import cache
from rulespec.base.diagnostics import Diagnostic, Related
from rulespec.base.spans import Span
from rulespec.load.load import Loaded
from rulespec.resolve.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Record:
    """What the proofs of one text came to."""

    found: tuple[Diagnostic, ...]
    undecided: tuple[str, ...] = ()  # questions that the budget did not reach
    not_dealt: tuple[str, ...] = ()  # what clauses seemed to do, without a round that shows it
    states: int = 0
    cover: dict[str, Any] = field(default_factory=dict)  # what the proofs do not cover


def place_of(loaded: Loaded, text: Rulebook, phases: str) -> Path | None:
    """Stands for the rule files, the tool and the clauses in force; None when there is no file."""
    clauses = " ".join(f"{c.id} {c.start} {c.end}" for c in text.clauses)
    try:
        read = [part for path in loaded.files for part in (str(path).encode(), path.read_bytes())]
    except OSError:
        return None
    return cache.place_of("proof", phases.encode(), clauses.encode(), *read)


def recall(place: Path | None) -> Record | None:
    return cache.read(place, Record, (Record, Diagnostic, Related, Span))


def remember(place: Path | None, record: Record) -> None:
    cache.write(place, record)
