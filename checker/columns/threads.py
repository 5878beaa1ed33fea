"""Reading, scanning and judging side by side, for several pieces of a log."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Condition, Lock, Thread
from typing import Any, Final, Generic, TypeAlias, TypeVar

Read = TypeVar("Read")
Scanned = TypeVar("Scanned")
Ordered = TypeVar("Ordered")
Judged = TypeVar("Judged")

_TURN: Final = 0.0001  # seconds
_AHEAD: Final = 3  # pieces that may be done before an earlier one is
Pause: TypeAlias = tuple[Callable[[], bool], Callable[[], None]]
_NO_PAUSE: Final[Pause] = (lambda: False, lambda: None)


def side_by_side(
    source: Iterator[Read],
    scan: Callable[[Read], Scanned],
    order: Callable[[Scanned], Ordered],
    judge: Callable[[Ordered], Judged],
    jobs: int,
    pause: Pause = _NO_PAUSE,
    between: Callable[[], None] = lambda: None,
) -> Iterator[Judged]:
    """`judge(order(scan(piece)))` for each piece. Only reading and `order` are done in the order of
    the log, and so is all that comes out. A few pieces are held at a time. `between` is called
    after each of them. When the first of `pause` says so, the second is called while no piece is
    worked on."""
    crew = _Crew(source, scan, order, judge, jobs, pause[0], between)
    with _often_in_turn():
        try:
            while not crew.over:
                crew.start()
                yield from crew.results()
                if not crew.over:
                    pause[1]()
        finally:
            crew.stop()


@contextmanager
def _often_in_turn() -> Iterator[None]:
    """A thread that comes back from machine code goes on soon: by itself Python lets it wait for as
    long as a thousand rounds are judged."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_TURN)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


@dataclass(frozen=True, slots=True)
class _Trouble:
    error: BaseException


class _Crew(Generic[Read, Scanned, Ordered, Judged]):
    """As many threads as there are cores, each of which takes a piece from the log to the end: so
    none of them waits for another one to hand it work, and what it works on stays near its core."""

    def __init__(
        self,
        source: Iterator[Read],
        scan: Callable[[Read], Scanned],
        order: Callable[[Scanned], Ordered],
        judge: Callable[[Ordered], Judged],
        jobs: int,
        behind: Callable[[], bool],
        between: Callable[[], None],
    ) -> None:
        self.over = False
        self._source = source
        self._steps: Any = (scan, order, judge)
        self._jobs = jobs
        self._behind = behind
        self._between = between
        self._reading = Lock()
        self._changed = Condition(Lock())  # guards what follows
        self._threads: list[Thread] = []
        self._at_work = 0
        self._halt = False
        self._read = 0  # pieces
        self._ordered = 0
        self._told = 0
        self._judged: dict[int, Judged | _Trouble] = {}
        self._broken: BaseException | None = None  # between two pieces

    def start(self) -> None:
        self._halt = False
        self._threads = []
        for _ in range(self._jobs):
            thread = Thread(target=self._work, daemon=True)
            with self._changed:
                self._at_work += 1
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        with self._changed:
            self._halt = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def results(self) -> Iterator[Judged]:
        """In the order of the log, until its end or a pause."""
        while True:
            with self._changed:
                while self._told not in self._judged and self._at_work:
                    self._changed.wait()
                if self._told not in self._judged:
                    break
                result = self._judged.pop(self._told)
                self._told += 1
                self._changed.notify_all()
            if isinstance(result, _Trouble):
                raise result.error
            yield result
            del result  # which is large
        if self._broken is not None:
            raise self._broken

    # --- in each thread

    def _work(self) -> None:
        scan, order, judge = self._steps
        result: Judged | _Trouble
        try:
            while (found := self._next()) is not None:
                number, piece = found
                try:
                    result = judge(self._in_turn(number, partial(order, scan(piece))))
                except BaseException as error:
                    self._in_turn(number, lambda: None)  # the next one waits for it
                    result = _Trouble(error)
                self._tell(number, result)
                del piece, found, result
                self._between()
        except BaseException as error:
            self._broken = error
        finally:
            with self._changed:
                self._at_work -= 1
                self._changed.notify_all()

    def _next(self) -> tuple[int, Read] | None:
        with self._changed:
            while self._read - self._told >= self._jobs + _AHEAD and not self._halt:
                self._changed.wait()
        with self._reading:
            if self._halt or self.over:
                return None
            if self._behind():
                self._halt = True
                return None
            number = self._read
            try:
                piece = next(self._source)
            except StopIteration:
                self.over = True
                return None
            except BaseException as error:
                self.over = True
                self._tell(number, _Trouble(error))
                return None
            self._read += 1
            return number, piece

    def _in_turn(self, number: int, do: Callable[[], Any]) -> Any:
        """Only once for a piece; what comes later does nothing."""
        with self._changed:
            while self._ordered < number:
                self._changed.wait()
            if self._ordered > number:
                return None
        try:
            return do()
        finally:
            with self._changed:
                self._ordered += 1
                self._changed.notify_all()

    def _tell(self, number: int, result: Judged | _Trouble) -> None:
        with self._changed:
            self._judged[number] = result
            self._changed.notify_all()
