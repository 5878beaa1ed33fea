"""The Parquet that `rulespec convert` writes: the columns of a log, readable by other tools.

What the plain form of a line says stands in the columns. A line that says more (an event that
is seldom, a field of the casino's own, another alphabet) is kept whole in the column `line`.
`clock` and `ahead` are the time on the casino's clock and the minutes it is ahead of universal
time: they are there so that row groups can be passed over.
"""

from __future__ import annotations

from typing import Any, Final

FORM: Final = b"rulespec-rounds/1"
KEY: Final = b"rulespec"
GROUP: Final = 8_192  # rounds to a row group
CODED: Final = ("table", "shoe", "rulebook", "options", "limits")
CODED_IN_EVENTS: Final = ("e", "player", "bet", "card", "do", "player_card", "what")


def schema() -> Any:
    """Texts that recur are codes in memory; in the file they are texts with a dictionary."""
    import pyarrow as pa

    money, code = pa.decimal128(18, 2), pa.dictionary(pa.int32(), pa.string())
    event = pa.struct(
        [
            ("e", code), ("box", pa.int8()), ("hand", pa.int8()), ("player", code), ("bet", code),
            ("card", code), ("do", code), ("stake", money), ("returned", money),
            ("control", pa.bool_()), ("seated", pa.bool_()), ("player_card", code), ("what", code),
        ]
    )  # fmt: skip
    return pa.schema(
        [
            ("round", pa.string()), ("table", code), ("shoe", code), ("at", pa.string()),
            ("clock", pa.timestamp("us")), ("ahead", pa.int16()), ("rulebook", code),
            ("decks", pa.int8()), ("options", code), ("limits", code),
            ("events", pa.list_(pa.field("element", event))), ("line", pa.string()),
        ]
    )  # fmt: skip


def writer(path: Any) -> Any:
    import pyarrow.parquet as pq

    coded = [*CODED, *(f"events.list.element.{name}" for name in CODED_IN_EVENTS)]
    made = pq.ParquetWriter(
        path, schema(), compression="zstd", use_dictionary=coded, store_schema=False,
        store_decimal_as_integer=True,
        column_encoding={"round": "DELTA_BYTE_ARRAY", "at": "DELTA_BYTE_ARRAY"},
    )  # fmt: skip
    made.add_key_value_metadata({KEY: FORM})
    return made


def is_ours(file: Any) -> bool:
    """Whether a ParquetFile has this layout."""
    return (file.metadata.metadata or {}).get(KEY) == FORM
