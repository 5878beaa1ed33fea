"""Reading, scanning and judging side by side, for several pieces of a log."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from queue import Queue
from threading import Thread
from typing import Final, Generic, TypeAlias, TypeVar

Read = TypeVar("Read")
Scanned = TypeVar("Scanned")
Ordered = TypeVar("Ordered")
Judged = TypeVar("Judged")

_TURN: Final = 0.0005  # seconds
Pause: TypeAlias = tuple[Callable[[], bool], Callable[[], None]]
_NO_PAUSE: Final[Pause] = (lambda: False, lambda: None)


def side_by_side(
    source: Iterator[Read], scan: Callable[[Read], Scanned], order: Callable[[Scanned], Ordered],
    judge: Callable[[Ordered], Judged], jobs: int, pause: Pause = _NO_PAUSE,
) -> Iterator[Judged]:  # fmt: skip
    """`judge(order(scan(piece)))` for each piece. Only `order` is done in the order of the log, and
    so is all that comes out. A few pieces are held at a time. When the first of `pause` says so,
    the second is called while no piece is worked on."""
    scans: deque[Future[Scanned]] = deque()
    judged: deque[Future[Judged]] = deque()
    trouble: BaseException | None = None
    with _often_in_turn(), ThreadPoolExecutor(jobs) as pool, _Ahead(source) as read:
        while True:
            item = read.next()
            if isinstance(item, BaseException):
                trouble, item = item, None
            if item is not None:
                scans.append(pool.submit(scan, item))
            while scans and (item is None or len(scans) > jobs):
                judged.append(pool.submit(judge, order(scans.popleft().result())))
                while judged and (len(judged) > jobs + 1 or judged[0].done()):
                    yield judged.popleft().result()
            if item is None:
                break
            if pause[0]():
                wait(scans)
                wait(judged)
                pause[1]()
        while judged:
            yield judged.popleft().result()
    if trouble is not None:
        raise trouble


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


class _Ahead(Generic[Read]):
    """Reads the log in a thread of its own, a little ahead of those who work on it."""

    def __init__(self, source: Iterator[Read]) -> None:
        self._queue: Queue[Read | BaseException | None] = Queue(2)
        self._source = source
        self._stop = False
        self._thread = Thread(target=self._read, daemon=True)

    def __enter__(self) -> _Ahead[Read]:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop = True
        while self._thread.is_alive():
            try:
                self._queue.get(timeout=0.05)
            except Exception:
                continue

    def next(self) -> Read | BaseException | None:
        return self._queue.get()

    def _read(self) -> None:
        last: BaseException | None = None
        try:
            for item in self._source:
                if self._stop:
                    return
                self._queue.put(item)
        except BaseException as error:
            last = error
        self._queue.put(last)
