"""One row of a casino's export: its cells, and where it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class Row:
    """One row of an export: where it stands, and its cells."""

    __slots__ = ("_cells", "columns", "file", "number", "order", "problem", "source", "values")

    def __init__(
        self,
        source: int,
        file: int,
        number: int,
        columns: Sequence[str],
        values: Sequence[str],
        order: tuple[str, ...] = (),
        problem: str | None = None,
        cells: Mapping[str, Any] | None = None,
    ) -> None:
        self.source, self.file, self.number = source, file, number
        self.columns, self.values = columns, values
        self.order, self.problem = order, problem
        self._cells = cells

    @property
    def cells(self) -> Mapping[str, Any]:
        """By column, or as the document has them."""
        if self._cells is None:
            self._cells = dict(zip(self.columns, self.values, strict=False))
        return self._cells
