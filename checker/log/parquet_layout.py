"""The Parquet that `rulespec convert` writes: the columns of a log, readable by other tools.

What the plain form of a line says stands in the columns. A line that says more (an event that
is seldom, a field of the casino's own, another alphabet) is kept whole in the column `line`.
`clock` and `ahead` are the time on the casino's clock and the minutes it is ahead of universal
time, `player_cards` says whether a wager of the round names one: they are there so that row groups
can be passed over.

An event has few columns and none of them is ever null: a file is read as fast as it has columns.
`box` -1, `hand` 0, `cents` -1 and an empty text say that the event has no such thing. `what` is the
bet (of a wager also who decides and who sits), the play, or the word of the event; `card` is the
card that is dealt or burned, and the player card of a wager; `cents` is the stake or what was
returned.
"""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import Any, Final

from checker.log.model import Round

FORM: Final = b"rulespec-rounds/2"
KEY: Final = b"rulespec"
GROUP: Final = 8_192  # rounds to a row group
CODED: Final = ("table", "shoe", "rulebook", "options", "limits")
CODED_IN_EVENTS: Final = ("e", "player", "what", "card")
IN_EVENTS: Final = ("e", "box", "hand", "player", "what", "card", "cents")
NO_BOX, NO_HAND, NO_CENTS = -1, 0, -1
CONTROL: Final = "control"
SEATED: Final = {True: "seated", False: "standing"}
_WHAT: Final = {"play": "do", "settle": "bet"}
_MONEY: Final = {"wager": "stake", "play": "stake", "settle": "returned"}


@cache
def schema() -> Any:
    """Texts that recur are codes in memory; in the file they are texts with a dictionary."""
    import pyarrow as pa

    code = pa.dictionary(pa.int32(), pa.string())
    kinds = {"box": pa.int8(), "hand": pa.int8(), "cents": pa.int64()}
    event = pa.struct([pa.field(name, kinds.get(name, code), False) for name in IN_EVENTS])
    return pa.schema(
        [
            ("round", pa.string()),
            ("table", code),
            ("shoe", code),
            ("at", pa.string()),
            ("clock", pa.timestamp("us")),
            ("ahead", pa.int16()),
            ("rulebook", code),
            ("decks", pa.int8()),
            ("options", code),
            ("limits", code),
            ("player_cards", pa.bool_()),
            ("events", pa.list_(pa.field("element", event, False))),
            ("line", pa.string()),
        ]
    )


def writer(path: Any) -> Any:
    import pyarrow.parquet as pq

    coded = [*CODED, "decks", *(f"events.list.element.{name}" for name in IN_EVENTS)]
    made = pq.ParquetWriter(
        path,
        schema(),
        compression="zstd",
        use_dictionary=coded,
        store_schema=False,
        column_encoding={"round": "DELTA_BYTE_ARRAY", "at": "DELTA_BYTE_ARRAY"},
    )
    made.add_key_value_metadata({KEY: FORM})
    return made


def is_ours(file: Any) -> bool:
    """Whether a ParquetFile has this layout."""
    named = (file.metadata.metadata or {}).get(KEY) == FORM
    there = file.schema_arrow
    return named and has_our_events(there) and set(schema().names) <= set(there.names)


def has_our_events(schema: Any) -> bool:
    """Whether the events of a table are laid out as here."""
    import pyarrow as pa

    kind = schema.field("events").type if "events" in schema.names else None
    if kind is None or not pa.types.is_list(kind) or not pa.types.is_struct(kind.value_type):
        return False
    return tuple(field.name for field in kind.value_type) == IN_EVENTS


def event_of(row: dict[str, Any]) -> dict[str, Any]:
    """An event as a line would have it, keys in the order of the format."""
    kind, what, cents = row["e"], row["what"], row["cents"]
    found: dict[str, Any] = {"e": kind}
    if row["box"] != NO_BOX:
        found["box"] = row["box"]
    if row["hand"] != NO_HAND:
        found["hand"] = row["hand"]
    if row["player"]:
        found["player"] = row["player"]
    marks: dict[str, Any] = {}
    if kind == "wager":
        what, marks = wager_words(what)
        if row["card"]:
            marks["player_card"] = row["card"]
    elif row["card"]:
        found["card"] = row["card"]
    if what and kind not in ("offer", "warn"):
        found["bet" if kind == "wager" else _WHAT.get(kind, "what")] = what
    if cents != NO_CENTS:
        found[_MONEY.get(kind, "cents")] = Decimal(cents).scaleb(-2)
    found.update(marks)
    if what and kind in ("offer", "warn"):
        found["what"] = what
    return found


def wager_words(what: str) -> tuple[str, dict[str, Any]]:
    """The bet of a wager, and what its words say beyond it."""
    bet, *words = what.split(" ")
    marks: dict[str, Any] = {}
    if words and words[0] == CONTROL:
        marks["control"] = True
        del words[0]
    for seated, word in SEATED.items():
        if words == [word]:
            return bet, {**marks, "seated": seated}
    return (what, {}) if words else (bet, marks)


def texts_only(lines: list[tuple[Round, bytes]]) -> Any:
    """Rounds whose lines are kept as text, with what is needed to find them."""
    import pyarrow as pa

    rows = [_text_row(round_, raw) for round_, raw in lines]
    columns = [
        pa.array([row.get(field.name) for row in rows], field.type)
        if field.name != "events"
        else pa.nulls(len(rows), field.type)
        for field in schema()
    ]
    return pa.Table.from_arrays(columns, schema=schema())


def _text_row(round_: Round, raw: bytes) -> dict[str, Any]:
    offset = round_.at.utcoffset()
    return {
        "round": round_.id,
        "table": round_.table,
        "shoe": round_.shoe,
        "at": round_.at.isoformat(),
        "clock": round_.at.replace(tzinfo=None),
        "ahead": int(offset.total_seconds() // 60) if offset is not None else 0,
        "rulebook": round_.rulebook,
        "decks": round_.decks,
        "line": raw.decode(),
    }
