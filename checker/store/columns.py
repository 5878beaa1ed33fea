"""The findings of a run by columns: a page that counts and filters goes through numbers, not rows.

Each column is kept as one value in the store. Of a column of texts the different ones are kept in
order, and for each finding the place of its own; a finding is known by its number in the run."""

from __future__ import annotations

import json
import sqlite3
import sys
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from checker.store.schema import FACETS
from checker.store.selection import ORDERS, Order, Selection

TEXTS = (*FACETS, "at")
_CODES, _AMOUNTS = "I", "q"
_END = "\0"  # of what words are looked for in; no log may hold it


class Columns:
    """Of one run. What is not asked for is not read."""

    def __init__(self, db: sqlite3.Connection, run: int, count: int) -> None:
        self._db, self._run, self.count = db, run, count
        self._texts: dict[str, tuple[list[str], array[int]]] = {}
        self._rows: dict[object, Sequence[int]] = {}

    def rows(self, chosen: Selection) -> Sequence[int]:
        """The numbers of the findings that are meant, in order."""
        key = chosen.key
        if key not in self._rows:
            self._rows[key] = self._chosen(chosen)
        return self._rows[key]

    def _chosen(self, chosen: Selection) -> Sequence[int]:
        rows: Sequence[int] = range(self.count)
        if chosen.values:
            *others, name = chosen.values
            rows = self.rows(chosen.without(name)) if others else self.rows(chosen.of_all_facets)
            texts, codes = self._text(name)
            wanted = {texts.index(one) for one in chosen.values[name] if one in texts}
            return [n for n in rows if codes[n] in wanted]
        if chosen.words:
            rows = self._with_words(chosen.words)
        if chosen.least is not None:
            least, amounts = chosen.least, self.amounts
            rows = [n for n in rows if abs(amounts[n]) >= least]
        if chosen.states:
            states = self.states
            rows = [n for n in rows if states.get(n, "open") in chosen.states]
        return rows

    def counts(self, chosen: Selection, name: str) -> list[tuple[str, int]]:
        """The values of a facet with their counts, in order of the values."""
        rows = self.rows(chosen)
        if name == "state":
            states = Counter(map(self.states.get, rows)) if self.states else {None: len(rows)}
            told = Counter({state or "open": count for state, count in states.items() if state})
            told["open"] += states.get(None, 0)
            return sorted((state, count) for state, count in told.items() if count)
        if name not in FACETS:
            raise ValueError(f"there is no facet `{name}`")
        texts, codes = self._text(name)
        found = Counter(codes if len(rows) == self.count else map(codes.__getitem__, rows))
        return [(texts[code], count) for code, count in sorted(found.items())]

    def ordered(self, chosen: Selection, order: Order) -> Sequence[int]:
        rows = self.rows(chosen)
        if order == "amount":
            amounts = self.amounts
            return sorted(rows, key=lambda n: -abs(amounts[n]))
        if order == "state":
            states = self.states
            return sorted(rows, key=lambda n: states.get(n, "open"))
        for name in reversed(ORDERS[order]):
            rows = sorted(rows, key=self._text(name)[1].__getitem__)
        return rows

    @cached_property
    def amounts(self) -> array[int]:
        """How much was given too much, in minor units; 0 where it is not about money."""
        return _numbers(_AMOUNTS, self._read("difference")[1], self.count)

    @cached_property
    def states(self) -> dict[int, str]:
        """Of the findings that were ever reviewed."""
        return dict(
            self._db.execute(
                "SELECT n, state FROM states CROSS JOIN findings USING (fingerprint) WHERE run = ?",
                (self._run,),
            )
        )

    def _text(self, name: str) -> tuple[list[str], array[int]]:
        if name not in self._texts:
            texts, codes = self._read(name)
            self._texts[name] = (json.loads(texts), _numbers(_CODES, codes, self.count))
        return self._texts[name]

    def _with_words(self, words: str) -> list[int]:
        text, ends = self._read("words")
        places = _numbers(_AMOUNTS, ends, self.count)
        found: list[int] = []
        at = text.find(words)
        while at >= 0:
            n = bisect_right(places, at)
            found.append(n)
            at = text.find(words, places[n])
        return found

    def _read(self, name: str) -> tuple[str, bytes]:
        found: tuple[str, bytes] = self._db.execute(
            "SELECT texts, numbers FROM columns WHERE run = ? AND name = ?", (self._run, name)
        ).fetchone()
        return found


def _numbers(kind: str, content: bytes, count: int) -> array[int]:
    found = array(kind)
    found.frombytes(content)
    if sys.byteorder == "big":
        found.byteswap()
    if len(found) != count:
        raise sqlite3.DatabaseError("the columns of a run are not as long as it")
    return found


def _content(numbers: array[int]) -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def texts_as_column(values: Sequence[str]) -> tuple[str, bytes]:
    texts = sorted(set(values))
    place = {text: n for n, text in enumerate(texts)}
    codes = array(_CODES, map(place.__getitem__, values))
    return json.dumps(texts), _content(codes)


def amounts_as_column(values: Iterable[int | None]) -> tuple[str, bytes]:
    return "", _content(array(_AMOUNTS, (value or 0 for value in values)))


def words_as_column(values: Iterable[tuple[str, ...]]) -> tuple[str, bytes]:
    """What words are looked for in, and where that of each finding ends."""
    parts = [_END.join(one) + _END for one in values]
    return "".join(parts), _content(array(_AMOUNTS, _ends(parts)))


def _ends(parts: Iterable[str]) -> Iterator[int]:
    end = 0
    for part in parts:
        end += len(part)
        yield end
