"""A starting profile, from the columns of a file: a guess to be looked over, never more."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from checker.imports.documents import documents
from checker.imports.files import FileError, kind_of
from checker.imports.profile import Read
from checker.imports.tables import Tables
from checker.imports.values import BadValue, CardFormat, MoneyFormat, TimeFormat, number

# What columns tend to be called, by field; the first that fits is taken.
_NAMES: dict[str, str] = {
    "id": r"(round|game|hand|coup)[ _]?(id|no|num|number|nr)?|gameround|round",
    "table": r"(table)[ _]?(id|no|num|number|name|code)?|pit.*table",
    "shoe": r"shoe[ _]?(id|no|num|number)?",
    "at": r"date([ _]?time)?|timestamp|at|start(ed)?[ _]?(at|time)?|settled([ _]?at)?"
    r"|.*[ _](time|at)|time",
    "clock": r"time([ _]of[ _]day)?",
    "box": r"(box|seat|position|spot)([ _]?(id|no|num|number))?",
    "hand": r"(hand|split)[ _]?(no|num|number|index)",
    "player": r"(player|patron|member|customer|account|guest)([ _]?(id|no|num|number|card))?",
    "bet": r"(bet|wager)[ _]?(type|kind|code)",
    "stake": r"(bet|wager|stake)([ _]?(amount|amt))?|stake|amount[ _]?bet|buy[ _]?in",
    "returned": r"(return(ed)?|payout|paid|pay|win(nings)?)([ _]?(amount|amt))?|payoff|collected",
    "dealer": r"(dealer|bank(er)?|house)([ _]?(cards?|hand))?",
    "cards": r"(player|hand|patron|box)?[ _]?cards?|player[ _]?hand",
    "card": r"card",
    "e": r"(event|action|type|kind)([ _]?(type|kind|code|name))?",
    "decks": r"(decks|number[ _]?of[ _]?decks)",
    "order": r"(seq|sequence|order|line|event[ _]?(no|num|number|id))",
}
_HEAD = ("id", "table", "shoe", "at", "decks")
_SAMPLE = 200
_USUAL = MoneyFormat(symbols=("$", "€", "£"))


def starting_profile(path: Path, read: Read) -> str:
    """The text of a profile, with what could not be guessed left to be filled in."""
    if kind_of(path, read) in ("json", "jsonl"):
        columns, values = _document_columns(path, read)
    else:
        columns, values = _table_columns(path, read)
    guessed = _guess(columns)
    nested = any("[]" in name for name in columns)
    events = not nested and "e" in guessed and ("card" in guessed or "order" in guessed)
    each = "round" if nested else "event" if events else "hand"
    lines = [
        f"# A starting profile for {_plain(path.name)}, guessed from its columns: look it over.",
        f"# Columns: {', '.join(_plain(name) for name in columns)}"[:2000],
        "profile: 1",
        "# the id of the rulebook that the rounds were played by",
        "#rulebook: ",
    ]
    if "decks" not in guessed:
        lines.append("decks: 6                # look it up: nothing in the file says so")
    lines += ["# what the table offers; an empty list says that it is nothing", "#options: []"]
    days = values.get(guessed.get("at", ""), [])
    clocks = values.get(guessed.get("clock", ""), [""] * len(days))
    lines += _time_lines(f"{one} {other}".strip() for one, other in zip(days, clocks, strict=False))
    lines += _money_lines(values.get(guessed.get("stake", ""), ()))
    lines += _card_lines(values.get(guessed.get("cards", guessed.get("card", "")), ()))
    if read.table or read.sheet:
        what = "table" if read.table else "sheet"
        lines.append(f"read: {{{what}: {_yaml(read.table or read.sheet or '')}}}")
    lines.append("round:")
    for name in _HEAD:
        if name == "at" and "clock" in guessed:
            lines.append(f"  at: {{columns: [{_yaml(guessed['at'])}, {_yaml(guessed['clock'])}]}}")
        elif name in guessed:
            lines.append(f"  {name}: {_yaml(guessed[name])}")
        elif name in ("id", "table", "at"):
            lines.append(f"  {name}: FILL IN       # which column?")
    lines += [f"each: {each}               # event, wager, hand or round", "columns:"]
    left_out = {*_HEAD, "clock", "e", *(("cards", "dealer") if events else ("card", "order"))}
    fields = {name: column for name, column in guessed.items() if name not in left_out}
    lines += _nested_lines(fields) if nested else [f"  {n}: {_yaml(c)}" for n, c in fields.items()]
    if events:
        kinds = sorted({value for value in values.get(guessed["e"], ()) if value})[:30]
        lines += ["  e:", f"    column: {_yaml(guessed['e'])}"]
        lines += ["    map:                # to wager, deal, play, settle, …, or skip"]
        lines += [f"      {_yaml(kind)}: skip" for kind in kinds]
    used = set(guessed.values())
    rest = [name for name in columns if name not in used]
    if rest:
        lines.append(f"# not used: {', '.join(_plain(name) for name in rest)}"[:2000])
    return "\n".join(lines) + "\n"


def _guess(columns: Iterable[str]) -> dict[str, str]:
    guessed: dict[str, str] = {}
    left = list(columns)
    for field, pattern in _NAMES.items():
        for name in left:
            whole = name.replace("[]", "").replace(".", " ")
            if any(
                re.fullmatch(pattern, one.strip(), re.IGNORECASE)
                for one in (whole, name.rpartition(".")[2])
            ):
                guessed[field] = name
                left.remove(name)
                break
    return guessed


def _nested_lines(fields: dict[str, str]) -> list[str]:
    """What stands in lists, as rows of the innermost of them."""
    lists = [name.rpartition("[].")[0] for name in fields.values() if "[]." in name]
    deepest = max(lists, key=lambda one: (one.count("[]"), lists.count(one)), default="")
    lines = [f"  {n}: {_yaml(c)}" for n, c in fields.items() if "[]" not in c]
    if deepest:
        lines += ["  rows:", f"    list: {_yaml(deepest + '[]')}"]
    for name, column in fields.items():
        before, _, own = column.rpartition("[].")
        if before and (deepest == before or deepest.startswith(f"{before}[].")):
            lines.append(f"    {name}: {_yaml(own)}")
    return lines


def _table_columns(path: Path, read: Read) -> tuple[list[str], dict[str, list[str]]]:
    with TemporaryDirectory(prefix="rulespec-import-") as folder:
        tables = Tables([path.resolve()], Path(folder))
        try:
            table = tables.open(path.resolve(), read)
            tables.keep(f"SELECT * FROM ({table.sql}) LIMIT {_SAMPLE}", table.given)
            rows = list(tables.kept())
        finally:
            tables.close()
    columns = {name: [str(row[n] or "") for row in rows] for n, name in enumerate(table.columns)}
    return table.columns, columns


def _document_columns(path: Path, read: Read) -> tuple[list[str], dict[str, list[str]]]:
    values: dict[str, list[str]] = {}

    def collect(inner: Any, before: str) -> None:
        for name, value in inner.items():
            place = f"{before}{name}"
            if isinstance(value, dict):
                collect(value, f"{place}.")
            elif isinstance(value, list) and value and isinstance(value[0], dict):
                collect(value[0], f"{place}[].")
            else:
                values.setdefault(place, []).append(str(value))

    for number_, one in enumerate(documents(path, read)):
        if isinstance(one, dict):
            collect(one, "")
        if number_ > _SAMPLE:
            break
    if not values:
        raise FileError(path, "there is no document in it")
    return list(values), values


def _time_lines(values: Iterable[str]) -> list[str]:
    from datetime import UTC

    sample = [value for value in values if value.strip()][:_SAMPLE]
    formats = (
        "iso",
        "%d/%m/%Y %H:%M:%S",
        "%m/%d/%Y %H:%M:%S",
        "%d/%m/%Y %H:%M",
        "%d.%m.%Y %H:%M:%S",
        "%d.%m.%Y %H:%M",
        "%Y%m%d%H%M%S",
        "%d-%b-%Y %H:%M:%S",
        "%m/%d/%Y %I:%M:%S %p",
        "milliseconds",
        "seconds",
    )
    fitting = [one for one in formats if sample and _all_times(sample, one, UTC)]
    if not fitting:
        return [
            "# how times are written, and where",
            "#time: {format: '%d/%m/%Y %H:%M:%S', zone: …}",
        ]
    said = "" if fitting[0] == "iso" else f"format: {_yaml(fitting[0])}, "
    note = f"      # or {', '.join(fitting[1:])}" if len(fitting) > 1 else ""
    return [f"time: {{{said}zone: UTC}}   # the zone of the casino{note}"]


def _all_times(sample: list[str], how: str, zone: Any) -> bool:
    try:
        return all(TimeFormat((how,), zone).time(value) for value in sample)
    except BadValue:
        return False


def _money_lines(values: Iterable[str]) -> list[str]:
    sample = [value for value in values if value.strip()]
    if any(re.fullmatch(r"[^,]*,\d{1,2}", value.strip()) for value in sample):
        return ["money: {decimal: ',', thousands: '.'}"]
    if any(re.search(r"\d,\d{3}(\D|$)", value) for value in sample):
        return ["money: {thousands: ','}"]
    try:
        for value in sample:
            number(value, _USUAL)
    except BadValue:
        return ["# how amounts are written", "#money: {decimal: '.', symbols: ['$']}"]
    return []


def _card_lines(values: Iterable[str]) -> list[str]:
    sample = [value for value in values if value.strip()]
    try:
        for value in sample:
            CardFormat().cards(value)
        return []
    except BadValue:
        pass
    try:
        for value in sample:
            CardFormat(suits=False).cards(value)
        return ["cards: {suits: false}       # ranks alone"]
    except BadValue:
        return [
            "# cards are written in a way that is not known; numbers need their order",
            "#cards: {order: …, first: 0}",
        ]


def _plain(text: str) -> str:
    return re.sub(r"[^\w .,()/\[\]#%&+-]", "?", text)


def _yaml(text: str) -> str:
    """A word as YAML reads it back."""
    import json

    plain = re.fullmatch(r"[A-Za-z_][\w ./\[\]()-]*(?<! )", text) and text.lower() not in (
        "yes",
        "no",
        "on",
        "off",
        "true",
        "false",
        "null",
        "y",
        "n",
    )
    return text if plain else json.dumps(text, ensure_ascii=False)
