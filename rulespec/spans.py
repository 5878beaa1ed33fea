"""Where something stands in a rule file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of text; lines and columns count from 1, the end column is exclusive."""

    file: str
    start_line: int
    start_column: int
    end_line: int
    end_column: int

    def to(self, other: Span) -> Span:
        return Span(
            self.file, self.start_line, self.start_column, other.end_line, other.end_column
        )

    def as_json(self) -> dict[str, object]:
        return {
            "file": self.file,
            "start": {"line": self.start_line, "column": self.start_column},
            "end": {"line": self.end_line, "column": self.end_column},
        }


NOWHERE = Span("", 1, 1, 1, 1)
