"""Rounds in Parquet as lines of JSON: compact, keys in the order of the format, money exact."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from typing import Any

from checker.log.parquet_layout import IN_EVENTS, event_of


@lru_cache(maxsize=65536)
def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


@lru_cache(maxsize=65536)
def _event(*values: Any) -> str:
    parts = []
    for key, value in event_of(dict(zip(IN_EVENTS, values, strict=True))).items():
        if isinstance(value, Decimal):
            said = f"{value:f}".removesuffix(".00")
        else:
            said = quoted(value) if isinstance(value, str) else json.dumps(value)
        parts.append(f'"{key}":{said}')
    return "{" + ",".join(parts) + "}"


def lines_of(file: Any) -> Iterator[str]:
    """The rounds of a ParquetFile in our own layout."""
    for group in range(file.num_row_groups):
        table = file.read_row_group(group)
        for batch in table.to_batches():
            yield from _lines(batch)


def _lines(batch: Any) -> Iterator[str]:
    names = ("round", "table", "shoe", "at", "rulebook", "decks", "options", "limits", "line")
    columns = [batch.column(batch.schema.get_field_index(name)).to_pylist() for name in names]
    events = batch.column(batch.schema.get_field_index("events"))
    offsets = events.offsets.to_pylist()
    written = list(_events(events.values))
    for row, (*head, line) in enumerate(zip(*columns, strict=True)):
        if line is not None:
            yield line
        else:
            yield _line(head, ",".join(written[offsets[row] : offsets[row + 1]]))


def _line(head: list[Any], events: str) -> str:
    round_id, table, shoe, at, rulebook, decks, options, limits = head
    parts = [f'{{"format":1,"round":{quoted(round_id)},"table":{quoted(table)}']
    if shoe is not None:
        parts.append(f'"shoe":{quoted(shoe)}')
    parts.append(f'"at":{quoted(at)}')
    if rulebook is not None:
        parts.append(f'"rulebook":{quoted(rulebook)}')
    parts.append(f'"decks":{decks}')
    if options is not None:
        parts.append(f'"options":{options}')
    if limits is not None:
        parts.append(f'"limits":{limits}')
    return ",".join(parts) + f',"events":[{events}]}}'


def _events(values: Any) -> Iterator[str]:
    columns = [values.field(name).to_pylist() for name in IN_EVENTS]
    return map(_event, *columns)
