"""Which row groups of a Parquet file have to be read for what is asked: seen from its statistics.

Rounds that nobody asks for still tell about the shoes of their table, and whether a log records
player cards and warnings at all. So a group is passed over only if it is about other tables and
adds nothing to that, or if everything from it on is later than what is asked for.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from checker.columns.parquet.read import Group, as_written
from checker.log.parquet_footer import statistics
from checker.log.parquet_layout import is_ours
from checker.log.parquet_rows import open_parquet

if TYPE_CHECKING:
    from checker.replay.replay import Filter

_CARD: Final = "player_cards"
_KIND: Final = "events.list.element.e"


def groups(path: str, damaged: bool, wanted: Filter | None) -> list[Group]:
    """The row groups to read, in order; `wanted` None: all of them."""
    with open_parquet(path, damaged) as file:
        found, first = [], 0
        ours = is_ours(file) and as_written(file.schema_arrow)
        for number in range(file.num_row_groups):
            rows = file.metadata.row_group(number).num_rows
            found.append(Group(path, number, first, file.metadata, ours))
            first += rows
        if wanted is None or not ours or (wanted.end is None and wanted.table is None):
            return found
        told = [statistics(file.metadata, group.number) for group in found]
    if wanted.end is not None:
        while found and _later(told[len(found) - 1], wanted):
            found.pop()
    return found if wanted.table is None else _of_table(found, told, wanted.table)


def _of_table(found: list[Group], told: list[dict[str, Any]], table: str) -> list[Group]:
    kept = []
    cards = warnings = False  # a group that is read has some
    for group, told_of in zip(found, told, strict=False):
        if not {"table", "line", _KIND, _CARD} <= set(told_of):
            kept.append(group)
            continue
        names, kinds, card, line = (told_of[n] for n in ("table", _KIND, _CARD, "line"))
        has_cards, has_warnings = card[1] is not False, kinds[1] is not None and kinds[1] >= "warn"
        other = names[0] is not None and not names[0] <= table <= names[1] and line[2] == 0
        if other and (cards or not has_cards) and (warnings or not has_warnings):
            continue
        kept.append(group)
        cards |= has_cards
        warnings |= has_warnings
    return kept


def _later(told: dict[str, Any], wanted: Filter) -> bool:
    """Whether all rounds of a group are at or after the end of what is asked for."""
    none = (None, None, 0)
    clock, ahead = told.get("clock", none)[0], told.get("ahead", none)[1]
    if wanted.end is None or clock is None or ahead is None:
        return False
    if wanted.end.tzinfo is None:
        return bool(clock >= wanted.end)
    offset = wanted.end.utcoffset() or timedelta()
    earliest = clock - timedelta(minutes=ahead)
    return bool(earliest >= wanted.end.replace(tzinfo=None) - offset)
