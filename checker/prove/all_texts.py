"""The proofs of several rulebooks: what was proven before is recalled, the rest is shared out
among the processors."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from checker.prove.record import Record, place_of, recall, remember
from checker.table.other_games import played_otherwise
from rulespec.load.load import Loaded
from rulespec.resolve.rulebook import Rulebook

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor


def prove_all(
    texts: Sequence[tuple[Loaded, Rulebook]], phases: str, deadline: float | None
) -> list[Record]:
    """For each text what was found, in the order of the texts."""
    places = [place_of(loaded, text, phases) for loaded, text in texts]
    records = [recall(place) for place in places]
    # the longest work first, so that no processor is left with it at the end
    due = sorted(
        (n for n, record in enumerate(records) if record is None),
        key=lambda n: -len(texts[n][1].rules),
    )
    for n, record in zip(due, _proven([texts[n][1] for n in due], phases, deadline), strict=True):
        records[n] = record
        if not record.undecided:
            remember(places[n], record)
    return [record for record in records if record is not None]


def _proven(texts: list[Rulebook], phases: str, deadline: float | None) -> Iterable[Record]:
    pool = _pool(len(texts))
    if pool is None:
        return [proven(text, phases, deadline) for text in texts]
    with pool:
        return list(pool.map(proven, texts, [phases] * len(texts), [deadline] * len(texts)))


def _pool(wanted: int) -> ProcessPoolExecutor | None:
    """Workers for the proofs; None where one process does as well, or no other can be made."""
    among = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    workers = min(wanted, among or 1)
    # A fork is cheap, and safe as long as there is one thread; elsewhere a start costs too much.
    if workers < 2 or sys.platform != "linux" or threading.active_count() > 1:
        return None
    try:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        return ProcessPoolExecutor(workers, get_context("fork"))
    except (ImportError, OSError, ValueError):
        return None  # a system without shared semaphores


def proven(text: Rulebook, phases: str, deadline: float | None) -> Record:
    """All proofs of one text; the deadline is a moment of the monotonic clock of the machine."""
    if text.game.hands:
        from checker.prove.named_hands import prove_named

        return prove_named(text, deadline)
    if why := played_otherwise(text.game):
        from checker.prove.cover import Cover

        undecided = (f"whatever hangs on hands, for this is not modelled: {why}",)
        return Record((), undecided, (), 0, Cover().as_json())
    from checker.prove.cover import proof_cover
    from checker.prove.findings import proof_findings
    from checker.prove.prove import prove

    budget = None if deadline is None else max(0.0, deadline - time.monotonic())
    proofs = prove(text, budget, phases)
    return Record(
        tuple(proof_findings(text, proofs)),
        tuple(proofs.undecided),
        tuple(proofs.not_dealt),
        proofs.states,
        proof_cover(text, proofs.seen).as_json(),
    )
