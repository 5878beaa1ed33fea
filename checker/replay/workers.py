"""Rounds judged by the plain evaluator, on one core or on several."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import islice
from multiprocessing import get_all_start_methods, get_context
from typing import Final, TypeAlias

from checker.judge.findings import Verdict
from checker.log.model import Round
from checker.table.shoes import ShoeView
from rulespec.base.cache import without_collecting

Judge: TypeAlias = Callable[..., Verdict]  # of a Task
Whole: TypeAlias = tuple[Round, ShoeView]
Task: TypeAlias = Whole | tuple[Round, ShoeView, frozenset[int]]  # only the money of these boxes

_LIST: Final = 16  # rounds that are sent at once
_ENOUGH: Final = 64  # rounds that a process has to do before the next one helps
_AT_ONCE: Final = 64  # rounds that one core judges together
_SOME: Final = 16  # that one of several threads does
_MANY: Final = 256  # rounds waiting for the threads: processes are needed
_SELDOM: Final = 100_000  # objects made before garbage is looked for: next to none is made
_judge: Judge | None = None  # of a worker: a fork has it, it cannot be sent
_end: Callable[[], None] | None = None


def useful_jobs(asked: int | None, worth_it: bool) -> int:
    """How many processes share the work: all cores if it is worth it, unless it is told how many.
    More than there are cores would only wait for each other."""
    cores = os.cpu_count() or 1
    if asked is None:
        return cores if worth_it else 1
    return min(asked, max(cores, 2))


class Verdicts:
    """The verdicts of some rounds, once they are there."""

    def __init__(
        self, lists: list[Future[list[Verdict]]], hurry: Callable[[], None] = lambda: None
    ) -> None:
        """`hurry` is called when somebody waits for them."""
        self._lists = lists
        self._hurry = hurry

    def done(self) -> bool:
        return all(one.done() for one in self._lists)

    def all(self) -> list[Verdict]:
        """Waits for them."""
        if not self.done():
            self._hurry()
        return [verdict for one in self._lists for verdict in one.result()]


class Workers:
    """Judges rounds. The processes begin with the first of them, or with `start`.

    A process that is new to a rulebook is slow at first: what is next goes to the first process
    that has not much to do, and the last ones only help when there is more."""

    def __init__(
        self, judge: Judge, jobs: int, end: Callable[[], None] = lambda: None, few: bool = False
    ) -> None:
        """`end` is called in each process that judged, when all is judged. `few`: the threads of
        this process may keep up with the rounds, and there are no others until `start`."""
        self._judge = judge
        self._end = end
        self._jobs = jobs if "fork" in get_all_start_methods() else 1
        self._few = few
        self._at_once = _SOME if few and jobs > 1 else _AT_ONCE
        self._later: list[tuple[list[Task], Future[list[Verdict]]]] = []
        self._judging = threading.Lock()  # one thread at a time: Python would not run two
        self._pools: list[ProcessPoolExecutor] = []
        self._waiting: list[list[tuple[int, Future[list[Verdict]]]]] = []  # rounds of each process
        self._lock = threading.Lock()
        self._collected = gc.get_threshold()

    def __enter__(self) -> Workers:
        # Rulebooks are no garbage; and looking for it writes to every object, so that a process
        # that was forked would copy them all.
        gc.freeze()
        gc.set_threshold(_SELDOM, *self._collected[1:])
        return self

    def behind(self) -> bool:
        """Whether so many rounds wait for the threads that processes are needed."""
        return self._jobs > 1 and self._count() > _MANY

    def __exit__(self, trouble: object, *_: object) -> None:
        if trouble is None and not self._pools:
            self._catch_up()
            self._end()
        ends = [
            threading.Thread(target=_close, args=(pool, trouble is None)) for pool in self._pools
        ]
        for end in ends:
            end.start()
        for end in ends:
            end.join()
        gc.set_threshold(*self._collected)
        gc.unfreeze()

    def start(self) -> None:
        """Fork now, while no thread is at work that a fork would tear apart."""
        global _judge, _end
        if self._jobs > 1 and not self._pools:
            _judge, _end = self._judge, self._end
            self._pools = [
                ProcessPoolExecutor(
                    1,
                    mp_context=get_context("fork"),
                    initializer=end_with_parent,
                    initargs=(os.getpid(),),
                )
                for _ in range(self._jobs)
            ]
            self._waiting = [[] for _ in self._pools]
            with warnings.catch_warnings():  # threads that only wait are no harm
                warnings.filterwarnings("ignore", "This process .* is multi-threaded")
                for pool in self._pools[:-1]:
                    pool.submit(int).result()
                self._pools[-1].submit(int)  # it is forked by now
            waiting, self._later = self._later, []
            for tasks, found in waiting:
                self._send(tasks).add_done_callback(partial(_pass_on, found))

    def judge(self, tasks: Iterable[Task]) -> Verdicts:
        """May be called by several threads, once the processes are there."""
        if self._pools or (self._jobs > 1 and not self._few):
            left = iter(tasks)
            lists = iter(lambda: list(islice(left, _LIST)), [])
            with self._lock:
                self.start()
                return Verdicts([self._send(some) for some in lists])
        found: Future[list[Verdict]] = Future()
        mine = list(tasks)
        if mine:
            with self._lock:
                self._later.append((mine, found))
        else:
            found.set_result([])
        return Verdicts([found], self._catch_up)

    def help(self) -> None:
        """Judge what waits, if it is worth it and no other thread does so: rounds one after the
        other are judged faster than now and then."""
        while self._count() >= self._at_once and self._judging.acquire(blocking=False):
            try:
                self._judge_waiting()
            finally:
                self._judging.release()

    def _catch_up(self) -> None:
        with self._judging:
            self._judge_waiting()

    def _judge_waiting(self) -> None:
        with self._lock:
            waiting, self._later = self._later, []
        for tasks, found in waiting:
            try:
                found.set_result(_judged_all(self._judge, tasks))
            except BaseException as error:
                found.set_exception(error)

    def _count(self) -> int:
        with self._lock:
            return sum(len(some) for some, _ in self._later)

    def _send(self, tasks: list[Task]) -> Future[list[Verdict]]:
        for waiting in self._waiting:
            waiting[:] = [one for one in waiting if not one[1].done()]
        load = [sum(rounds for rounds, _ in waiting) for waiting in self._waiting]
        place = next((k for k, n in enumerate(load) if n < _ENOUGH), load.index(min(load)))
        future = self._pools[place].submit(_judge_all, tasks)
        self._waiting[place].append((len(tasks), future))
        return future


def _pass_on(found: Future[list[Verdict]], done: Future[list[Verdict]]) -> None:
    if error := done.exception():
        found.set_exception(error)
    else:
        found.set_result(done.result())


def _close(pool: ProcessPoolExecutor, judged: bool) -> None:
    if judged:
        with suppress(BrokenExecutor):  # nothing of what was judged is lost
            pool.submit(_end_here).result()
    pool.shutdown(cancel_futures=True)


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


def _judged_all(judge: Judge, tasks: Iterable[Task]) -> list[Verdict]:
    with without_collecting():  # a round that was judged leaves nothing to collect
        return [judge(*task) for task in tasks]
