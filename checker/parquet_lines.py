"""Rounds in Parquet as lines of JSON: compact, keys in the order of the format, money exact."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

# In the order in which an event is written; those in quotes are texts.
_KEYS: Final = ("box", "hand", "player", "card", "bet", "do", "stake", "returned", "control",
                "seated", "player_card", "what")  # fmt: skip
_MONEY: Final = ("stake", "returned")
_TEXTS: Final = ("player", "card", "bet", "do", "player_card", "what")


@lru_cache(maxsize=65536)
def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


@lru_cache(maxsize=65536)
def _money(amount: Decimal) -> str:
    return f"{amount:f}".removesuffix(".00")


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
    columns = []
    for key in _KEYS:
        found = values.field(key).to_pylist()
        if key in _TEXTS:
            shown = [None if x is None else f',"{key}":{quoted(x)}' for x in found]
        elif key in _MONEY:
            shown = [None if x is None else f',"{key}":{_money(x)}' for x in found]
        else:
            shown = [None if x is None else f',"{key}":{json.dumps(x)}' for x in found]
        columns.append(shown)
    kinds = values.field("e").to_pylist()
    for kind, *fields in zip(kinds, *columns, strict=True):
        yield f'{{"e":"{kind}"{"".join(x for x in fields if x is not None)}}}'
