"""Rounds judged by the plain evaluator, on one core or on several."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_all_start_methods, get_context
from typing import TypeAlias

from checker.findings import Verdict
from checker.rounds import Round
from checker.scene import ShoeView

Judge: TypeAlias = Callable[[Round, ShoeView], Verdict]
Task: TypeAlias = tuple[Round, ShoeView]

_judge: Judge | None = None  # of a worker: a fork has it, it cannot be sent


class Workers:
    """Judges lists of rounds. The processes begin with the first list."""

    def __init__(self, judge: Judge, jobs: int) -> None:
        self._judge = judge
        self._jobs = jobs if "fork" in get_all_start_methods() else 1
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def start(self) -> None:
        """Fork now, before there are threads that a fork would tear apart."""
        global _judge
        if self._jobs > 1 and self._pool is None:
            _judge = self._judge
            self._pool = ProcessPoolExecutor(
                self._jobs, mp_context=get_context("fork"), initializer=end_with_parent,
                initargs=(os.getpid(),),
            )  # fmt: skip
            self._pool.submit(int).result()

    def judge(self, tasks: list[Task]) -> Future[list[Verdict]]:
        if not tasks or self._jobs == 1:
            done: Future[list[Verdict]] = Future()
            done.set_result([_judged(self._judge, task) for task in tasks])
            return done
        self.start()
        assert self._pool is not None
        return self._pool.submit(_judge_all, tasks)


def end_with_parent(parent: int) -> None:
    """A worker whose parent was killed has nobody to work for."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _judge_all(tasks: list[Task]) -> list[Verdict]:
    assert _judge is not None
    return [_judged(_judge, task) for task in tasks]


def _judged(judge: Judge, task: Task) -> Verdict:
    verdict = judge(*task)
    verdict.decisions.clear()  # only an explanation needs them, and they are large
    return verdict
