"""What can be wrong with a call from Python: one line, advice in `help`, and the diagnostics.

The command line shows the same as a message and a status; nothing here prints or ends a process.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Diagnostic


class RulespecError(Exception):
    """Something that was handed in cannot be used."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.help = help

    def __reduce__(self) -> tuple[Any, ...]:
        """Whole, so that a pool of processes can hand it on."""
        return _restored, (type(self), self.message, self.__dict__)


def _restored(kind: type[RulespecError], message: str, state: dict[str, Any]) -> RulespecError:
    error = kind.__new__(kind, message)
    error.__dict__.update(state)
    return error


class RulesError(RulespecError):
    """A rule file cannot be used, or a name stands for none. `diagnostics` says all that is
    wrong, with codes and places; the message is that of the first."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        first = self.diagnostics[0] if self.diagnostics else None
        more = len(self.diagnostics) - 1
        told = "no rulebook is named" if first is None else f"{first.code}: {first.message}"
        if first is not None and first.span is not None:
            told += f" (at {first.span.file}:{first.span.start_line}:{first.span.start_column})"
        super().__init__(
            told + (f", and {more} more" if more > 0 else ""), (first and first.help) or ""
        )


class LogError(RulespecError):
    """A log, or a round, cannot be used at all."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message, help or "check the name and the rights")


class WrongCall(RulespecError):
    """What is asked for does not go together, or is not there: an option, a clause, a package.
    Options are named as on the command line."""


class CannotWrite(RulespecError):
    """The result cannot be written where it should go."""

    def __init__(self, where: str | os.PathLike[str], error: OSError) -> None:
        """`where` is a file, or words for something else."""
        shown = f"`{where}`" if isinstance(where, os.PathLike) else where
        super().__init__(
            f"cannot write {shown}: {(error.strerror or str(error)).lower()}",
            "is there room on the disk, and may this account write there?",
        )
