"""Shoes followed through a whole batch at once, with what was known before every STEP rounds.

Python hands its lock to another thread whenever machine code or numpy lets go of it, and gets it
back late. So a long way is gone in one call, and a short one without letting go.
"""

from __future__ import annotations

from typing import Final

from checker.columns.machine.compile import brief, bytes_at, compiled, numbers_at
from checker.columns.shoe.follow import track_rows

STEP: Final = 512
"""Rounds."""


@compiled
def track_steps(
    rounds,
    events,
    players,
    text,
    shoes,
    seen,
    places,
    tables,
    copies,
    people,
    warned,
    names,
    totals,
    scratch,
    kept,
    start,
    stop,
):
    """As `track_rows`; `kept` has room for what was known before each step."""
    at = start
    while at < stop:
        step = at // STEP
        if at == step * STEP:
            kept_places, kept_tables, kept_copies, kept_people, kept_warned, kept_names = kept[:6]
            _keep(numbers_at(places), numbers_at(kept_places), places.size, step)
            _keep(numbers_at(tables), numbers_at(kept_tables), tables.size, step)
            _keep(numbers_at(copies), numbers_at(kept_copies), copies.size, step)
            _keep(numbers_at(people), numbers_at(kept_people), people.size, step)
            _keep(numbers_at(warned), numbers_at(kept_warned), warned.size, step)
            _keep(bytes_at(names), bytes_at(kept_names), names.size, step)
            _keep(numbers_at(totals), numbers_at(kept[6]), totals.size, step)
        end = min(stop, (step + 1) * STEP)
        at = track_rows(
            rounds,
            events,
            players,
            text,
            shoes,
            seen,
            places,
            tables,
            copies,
            people,
            warned,
            names,
            totals,
            scratch,
            at,
            end,
        )
        if at < end:
            break
    return at


@compiled
def _keep(now, kept, size, step):
    for k in range(size):
        kept[step * size + k] = now[k]


@brief
def track_few(
    rounds,
    events,
    players,
    text,
    shoes,
    seen,
    places,
    tables,
    copies,
    people,
    warned,
    names,
    totals,
    scratch,
    start,
    stop,
):
    return track_rows(
        rounds,
        events,
        players,
        text,
        shoes,
        seen,
        places,
        tables,
        copies,
        people,
        warned,
        names,
        totals,
        scratch,
        start,
        stop,
    )


@brief
def copied(places, tables, copies, people, warned, names, totals):
    return (
        places.copy(),
        tables.copy(),
        copies.copy(),
        people.copy(),
        warned.copy(),
        names.copy(),
        totals.copy(),
    )
