"""Round logs in Parquet, row by row: nested columns, or texts that hold JSON."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final, TypeAlias, cast

from checker.log.decode import DecodeError, parse_json
from checker.log.model import MOST_EVENTS
from checker.log.open import WHAT_A_LOG_IS, Cut, LogError, said
from checker.log.parquet_footer import survives
from checker.log.parquet_layout import IN_EVENTS, event_of, has_our_events

_NEEDED: Final = ("round", "table", "at", "decks", "events")
_COLUMNS: Final = (
    *_NEEDED,
    "format",
    "shoe",
    "rulebook",
    "options",
    "limits",
    "not_recorded",
    "meters",
    "line",
)
_NESTED: Final = ("options", "limits", "not_recorded", "meters", "events")
ROWS: Final = 8192
"""How many rows are read at once at most; other tools write longer groups than `convert`."""
Row: TypeAlias = dict[str, Any] | DecodeError


def open_parquet(name: str, damaged: bool) -> Any:
    """A ParquetFile; LogError when it cannot be read or is no log."""
    if name == "-":
        raise LogError("a Parquet log cannot come from standard input", "name the file instead")
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise LogError(
            f"`{name}` is Parquet, and the module `pyarrow` is missing",
            "pip install 'rulespec[parquet]'",
        ) from None
    try:
        if not survives(name):
            raise ValueError("its footer contradicts itself")
        file = pyarrow.parquet.ParquetFile(name)
        there = file.schema_arrow.names
        _count_rows(file.metadata)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        what = "is not Parquet" if damaged else "is damaged or cut off"
        raise LogError(f"`{name}` {what}: {said(error)}", WHAT_A_LOG_IS) from None
    lacking = [column for column in _NEEDED if column not in there]
    if lacking:
        file.close()
        raise LogError(f"`{name}` has no column `{lacking[0]}`", WHAT_A_LOG_IS)
    twice = [column for column in _COLUMNS if there.count(column) > 1]
    if twice:
        file.close()
        raise LogError(f"`{name}` has the column `{twice[0]}` twice", WHAT_A_LOG_IS)
    return file


def _count_rows(metadata: Any) -> None:
    """A group that has other rows than it says would be read in part, and nobody would know."""
    paths = [metadata.schema.column(n).path for n in range(metadata.num_columns)]
    if "round" in paths:
        column = paths.index("round")
        for number in range(metadata.num_row_groups):
            group = metadata.row_group(number)
            if group.num_columns != len(paths):
                raise ValueError(f"row group {number} does not have the columns of the schema")
            if group.column(column).num_values != group.num_rows:
                raise ValueError(f"row group {number} does not have the rows that it says")


def rows_of(file: Any) -> Iterator[Row]:
    """The rows as JSON would have held them."""
    import pyarrow

    try:
        with file:
            for group in range(file.num_row_groups):
                for batch in batches(file, group):
                    for index in range(batch.num_rows):
                        yield row_at(batch, index)
    except (pyarrow.ArrowException, OSError) as error:
        raise Cut(damaged_here(error)) from None


def batches(file: Any, group: int, most: int = ROWS) -> Iterator[Any]:
    """The rows of a group, some at a time. Every engine reads them so: where a file is damaged, all
    of them have read as far."""
    import pyarrow

    left = file.metadata.row_group(group).num_rows
    for batch in file.iter_batches(
        most, row_groups=[group], columns=columns_of(file), use_threads=False
    ):
        left -= batch.num_rows
        yield batch
    if left:  # of a column without values Arrow says nothing here
        raise pyarrow.ArrowInvalid(f"row group {group} does not have the rows that it says")


def damaged_here(error: Exception) -> str:
    return f"the Parquet file is damaged here: {said(error)}"


def columns_of(file: Any) -> list[str]:
    """The columns of a log that a file has."""
    there = set(file.schema_arrow.names)
    return [column for column in _COLUMNS if column in there]


def row_at(batch: Any, index: int) -> Row:
    """One row of a record batch or a table."""
    ours = has_our_events(batch.schema)
    try:
        row: dict[str, Any] = {}
        for at, name in enumerate(batch.schema.names):
            value = batch.column(at)[index]
            if name == "events":
                _count_events(value)
            if ours and name == "events":
                row[name] = _our_events(value.values) if value.is_valid else None
            else:
                row[name] = _plain(value.as_py(), name)
        if row.get("line") is not None:
            return cast("Row", parse_json(row["line"]))
        return {name: value for name, value in row.items() if value is not None}
    except DecodeError as error:
        return error
    except (ValueError, OverflowError, KeyError, TypeError) as error:
        return DecodeError(f"a value cannot be read: {said(error)}")


def _count_events(value: Any) -> None:
    events = getattr(value, "values", None)  # a text has none
    if events is not None and len(events) > MOST_EVENTS:
        raise DecodeError(f"events: {len(events):,}, and a round may have {MOST_EVENTS:,}")


def few_events(sizes: Any) -> Any:
    """Which rows have not too many events; `sizes`: the place of the first one of each row, and
    where the last row ends."""
    return sizes[1:] - sizes[:-1] <= MOST_EVENTS


def _our_events(values: Any) -> list[dict[str, Any]]:
    """The events of a round in the layout of `rulespec convert`."""
    columns = []
    for name in IN_EVENTS:
        part = values.field(name)
        if hasattr(part, "dictionary"):
            part = part.dictionary_decode()
        columns.append(part.to_pylist())
    found = []
    for event in zip(*columns, strict=True):
        if None in event:
            raise DecodeError("events: a value is missing")
        found.append(event_of(dict(zip(IN_EVENTS, event, strict=True))))
    return found


def _plain(value: Any, name: str) -> Any:
    """What JSON would have held. A null is how Parquet says that a field is absent."""
    if isinstance(value, dict):
        return {key: _plain(inner, key) for key, inner in value.items() if inner is not None}
    if isinstance(value, list) and name in ("limits", "box_max", "meters"):  # a map comes as pairs
        made = {str(key): _plain(inner, str(key)) for key, inner in value}
        if len(made) != len(value):
            raise DecodeError(f"{name}: a key stands twice")
        return made
    if isinstance(value, list):
        return [_plain(inner, "") for inner in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, str) and name in _NESTED:
        try:
            return parse_json(value)
        except DecodeError as error:
            raise DecodeError(f"{name}: {error.reason}") from None
    return value
