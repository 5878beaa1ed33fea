"""Whether Arrow survives what the footer of a Parquet file says.

Arrow ends the whole process when it is asked about a column of which the footer says what cannot
be: another kind than in the schema, levels that there are not, limits that are too short. So a
child asks all of it first.
"""

from __future__ import annotations

import faulthandler
import os
import warnings
from contextlib import suppress
from multiprocessing import get_all_start_methods, get_context
from typing import Any, Final

from checker.log.open import LogError, said

_KILLED: Final = (-9, -15)  # by somebody else, or for want of memory


def survives(name: str) -> bool:
    """Whether the footer can be asked about; errors that can be caught are left to the caller."""
    kind = "fork" if "fork" in get_all_start_methods() else "spawn"
    child: Any = get_context(kind).Process(target=_ask, args=(name,))  # type: ignore[attr-defined]
    try:
        with warnings.catch_warnings():  # the child does not care for the threads that it lacks
            warnings.filterwarnings("ignore", "This process .* is multi-threaded")
            child.start()
    except OSError as error:
        raise _not_looked_at(name, f"no process could be started, {said(error)}") from None
    child.join()
    if child.exitcode in _KILLED:
        raise _not_looked_at(name, "the process that did it was killed")
    return bool(child.exitcode == 0)


def _not_looked_at(name: str, why: str) -> LogError:
    return LogError(
        f"the footer of `{name}` could not be looked at: {why}",
        "try again when the machine has more room",
    )


def _ask(name: str) -> None:
    from pyarrow.parquet import ParquetFile

    faulthandler.disable()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # where Arrow says what it dies of
    with suppress(Exception), ParquetFile(name) as file:
        for group in range(file.num_row_groups):
            statistics(file.metadata, group)


def statistics(metadata: Any, group: int) -> dict[str, Any]:
    """Of each column of a row group the lowest, the highest, and how many values there are."""
    found, told = {}, metadata.row_group(group)
    for number in range(told.num_columns):
        with suppress(ValueError, OverflowError):  # no text, or no day
            limits = told.column(number).statistics
            if limits is not None and limits.has_null_count:
                bounds = (limits.min, limits.max) if limits.has_min_max else (None, None)
                found[metadata.schema.column(number).path] = (*bounds, limits.num_values)
    return found
