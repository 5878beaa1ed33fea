"""Rounds judged by the plain evaluator, on one core or on several."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_all_start_methods, get_context
from typing import Final, TypeAlias

from checker.cache_files import without_collecting
from checker.findings import Verdict
from checker.rounds import Round
from checker.scene import ShoeView

Judge: TypeAlias = Callable[[Round, ShoeView], Verdict]
Task: TypeAlias = tuple[Round, ShoeView]

_ENOUGH: Final = 2  # lists that a process has to do before the next one helps
_judge: Judge | None = None  # of a worker: a fork has it, it cannot be sent
_end: Callable[[], None] | None = None


class Workers:
    """Judges lists of rounds. The processes begin with the first list.

    A process that is new to a rulebook is slow at first: the next list goes to the first process
    that has not much to do, and the last ones only help when there is more."""

    def __init__(
        self, judge: Judge, jobs: int, end: Callable[[], None] = lambda: None
    ) -> None:
        """`end` is called in each process that judged, when all is judged."""
        self._judge = judge
        self._end = end
        self._jobs = jobs if "fork" in get_all_start_methods() else 1
        self._pools: list[ProcessPoolExecutor] = []
        self._waiting: list[list[Future[list[Verdict]]]] = []

    def __enter__(self) -> Workers:
        gc.freeze()  # what is there already stays: no use in looking at it again and again
        return self

    def __exit__(self, trouble: object, *_: object) -> None:
        if trouble is None and self._jobs == 1:
            self._end()
        for pool in self._pools:
            if trouble is None:
                with suppress(BrokenExecutor):  # all is judged: nothing of it is lost
                    pool.submit(_end_here).result()
            pool.shutdown(cancel_futures=True)
        gc.unfreeze()

    def start(self) -> None:
        """Fork now, before there are threads that a fork would tear apart."""
        global _judge, _end
        if self._jobs > 1 and not self._pools:
            _judge, _end = self._judge, self._end
            self._pools = [
                ProcessPoolExecutor(
                    1, mp_context=get_context("fork"), initializer=end_with_parent,
                    initargs=(os.getpid(),),
                )
                for _ in range(self._jobs)
            ]  # fmt: skip
            self._waiting = [[] for _ in self._pools]
            for pool in self._pools:
                pool.submit(int).result()

    def judge(self, tasks: list[Task]) -> Future[list[Verdict]]:
        if not tasks or self._jobs == 1:
            done: Future[list[Verdict]] = Future()
            done.set_result(_judged_all(self._judge, tasks))
            return done
        self.start()
        for waiting in self._waiting:
            waiting[:] = [future for future in waiting if not future.done()]
        load = [len(waiting) for waiting in self._waiting]
        place = next((k for k, n in enumerate(load) if n < _ENOUGH), load.index(min(load)))
        future = self._pools[place].submit(_judge_all, tasks)
        self._waiting[place].append(future)
        return future


def end_with_parent(parent: int) -> None:
    """A worker whose parent was killed has nobody to work for. Ctrl-C is for the parent to see."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _end_here() -> None:
    if _end is not None:
        _end()


def _judge_all(tasks: list[Task]) -> list[Verdict]:
    assert _judge is not None
    return _judged_all(_judge, tasks)


def _judged_all(judge: Judge, tasks: list[Task]) -> list[Verdict]:
    with without_collecting():  # a round that was judged leaves nothing to collect
        return [_judged(judge, task) for task in tasks]


def _judged(judge: Judge, task: Task) -> Verdict:
    verdict = judge(*task)
    verdict.decisions.clear()  # only an explanation needs them, and they are large
    return verdict
