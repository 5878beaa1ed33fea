"""A replay with an audit store beside it: every finding is kept, and shown with its state."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from checker.judge.findings import ReplayFinding
from checker.report import Report
from checker.store.store import STATES, NewRun, Store
from rulespec.base.errors import WrongCall

T = TypeVar("T")


class Audit:
    """Without a store it lets everything through as it is."""

    def __init__(self, path: str | os.PathLike[str] | None = None, only: str | None = None) -> None:
        if only is not None and path is None:
            raise WrongCall("`--only` asks for a state of review, and no store is named", "--store")
        if only is not None and only not in STATES:
            raise WrongCall(f"there is no state `{only}`", "one of " + ", ".join(STATES))
        self.store = None if path is None else Store(path, create=True)
        self.only = only
        self.hidden = 0  # findings of other states
        self.run: NewRun | None = None
        self._states = {} if self.store is None else self.store.states()

    def seen(self, finding: ReplayFinding) -> ReplayFinding | None:
        """The finding with what a review said of it; None if only other states are asked for."""
        if self.store is None:
            return finding
        if self.run is not None:
            self.run.add(finding.as_json())
        state = self._states.get(finding.fingerprint, "open")
        if self.only not in (None, state):
            self.hidden += 1
            return None
        return replace(finding, state=state)

    def keeping(self, results: Iterable[T], report: Callable[[], Report]) -> Iterator[T]:
        """The results as they come; at their end the run stands in the store."""
        if self.store is None:
            yield from results
            return
        with self.store.new_run() as run:
            self.run = run
            yield from results
            ended = report()
            run.finish(ended.as_json(), ended.exit_status)
