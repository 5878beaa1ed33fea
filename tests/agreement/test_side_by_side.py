"""Pieces of a log that are worked on side by side, and the memory that they share."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from checker.judge.findings import Verdict
from checker.replay.workers import Workers

pytest.importorskip("numba")
np = pytest.importorskip("numpy")

from checker.columns.machine import buffers as memory
from checker.columns.piece import Unchecked
from checker.columns.threads import side_by_side


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_what_comes_out_has_the_order_of_the_log(jobs: int) -> None:
    ordered: list[int] = []

    def order(number: int) -> int:
        ordered.append(number)
        return number

    def judge(number: int) -> int:
        time.sleep(0.001 * (number % 3))
        return number

    assert list(side_by_side(iter(range(40)), lambda x: x, order, judge, jobs)) == list(range(40))
    assert ordered == list(range(40))


def test_few_pieces_are_held_at_a_time() -> None:
    held, most, lock = 0, 0, threading.Lock()

    def source() -> Iterator[int]:
        nonlocal held, most
        for number in range(60):
            with lock:
                held += 1
                most = max(most, held)
            yield number

    for _ in side_by_side(source(), lambda x: x, lambda x: x, lambda x: x, 2):
        time.sleep(0.001)
        with lock:
            held -= 1
    assert held == 0
    assert most <= 12


def test_a_pause_comes_while_no_piece_is_worked_on() -> None:
    at_work, paused, lock = 0, [], threading.Lock()

    def work(number: int) -> int:
        nonlocal at_work
        with lock:
            at_work += 1
        time.sleep(0.002)
        with lock:
            at_work -= 1
        return number

    def pause() -> None:
        paused.append(at_work)

    wanted = iter([False, False, True, False, True])
    pauses = (lambda: next(wanted, False), pause)
    found = list(side_by_side(iter(range(30)), work, lambda x: x, work, 3, pauses))
    assert found == list(range(30))
    assert paused == [0, 0]


@pytest.mark.parametrize("step", ["read", "scan", "order", "judge"])
def test_an_error_comes_after_what_was_before_it(step: str) -> None:
    def fail(here: str) -> Any:
        def work(number: int) -> int:
            if number == 7 and step == here:
                raise ValueError(step)
            return number

        return work

    source = map(fail("read"), range(20))
    found: list[int] = []
    with pytest.raises(ValueError, match=step):
        found.extend(side_by_side(source, fail("scan"), fail("order"), fail("judge"), 2))
    assert found == list(range(len(found)))
    assert len(found) <= 7
    if step in ("read", "judge"):
        assert len(found) == 7


def test_an_error_between_two_pieces_ends_the_work() -> None:
    def between() -> None:
        raise ValueError("between")

    found: list[int] = []
    with pytest.raises(ValueError, match="between"):
        found.extend(
            side_by_side(iter(range(20)), *[lambda x: x] * 3, 2, between=between)  # type: ignore[misc]
        )
    assert found == list(range(len(found)))


def test_who_stops_early_leaves_no_thread_behind() -> None:
    before = threading.active_count()
    work = side_by_side(iter(range(1000)), lambda x: x, lambda x: x, lambda x: x, 3)
    assert next(work) == 0
    work.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before


def test_memory_is_used_again_when_nobody_looks_at_it() -> None:
    memory._free.clear()
    first, second = memory.rows(((3, 4), np.int64), ((100,), np.uint8))
    first[:] = 1
    second[:] = 2
    assert (first == 1).all()
    assert first.shape == (3, 4)
    part = second[10:20]
    place = second.ctypes.data
    del first, second
    assert not memory._free, "a part of it is still in use"
    (other,) = memory.rows(((50,), np.int32))
    other[:] = -1
    assert (part == 2).all()
    del part
    assert len(memory._free) == 1
    _, again = memory.rows(((3, 4), np.int64), ((100,), np.uint8))
    assert again.ctypes.data == place
    assert not memory._free


def test_memory_that_is_too_small_does_not_pile_up() -> None:
    memory._free.clear()
    for size in range(1, 12):
        memory.rows(((size << 20,), np.uint8))
    assert len(memory._free) == 1


def test_free_memory_is_kept_from_a_fork_only_while_it_lasts() -> None:
    memory._free.clear()
    made = memory.rows(((1000,), np.int64))
    del made
    with memory.kept_back():
        pass
    (again,) = memory.rows(((1000,), np.int64))
    again[:] = 5
    assert again.sum() == 5000


def test_a_reason_is_forgotten_only_for_an_earlier_round() -> None:
    unchecked = Unchecked()
    key = ("book", "1.2")
    unchecked._tasks[key] = (4, ("round", "view"))  # type: ignore[assignment]
    unchecked.forget(key, 3)
    assert key in unchecked.all()
    unchecked.forget(key, 4)
    assert not unchecked.all()


@pytest.mark.parametrize("jobs", [1, 2])
def test_verdicts_come_in_the_order_of_the_rounds(jobs: int) -> None:
    def judge(number: Any, view: Any) -> Verdict:
        return Verdict(wagers=number)

    tasks: list[Any] = [(number, None) for number in range(200)]
    with Workers(judge, jobs) as workers:
        workers.start()
        found = workers.judge(tasks)
        assert workers.judge([]).all() == []
        assert [verdict.wagers for verdict in found.all()] == list(range(200))
    assert found.done()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that are forked")
def test_threads_judge_few_rounds_and_processes_many() -> None:
    told: list[bool] = []

    def judge(number: Any, view: Any) -> Verdict:
        return Verdict(wagers=os.getpid())

    tasks: list[Any] = [(number, None) for number in range(400)]
    with Workers(judge, 2, lambda: told.append(True), few=True) as workers:
        first = workers.judge(tasks[:10])
        workers.help()
        assert not first.done(), "not worth it yet"
        more = workers.judge(tasks[:20])
        workers.help()
        assert first.done()
        assert more.done()
        many = workers.judge(tasks)
        assert workers.behind()
        workers.start()
        assert not workers.behind()
        last = workers.judge(tasks[:40])
        places = [{verdict.wagers for verdict in one.all()} for one in (first, more, many, last)]
    assert places[:2] == [{os.getpid()}] * 2
    assert os.getpid() not in places[2] | places[3]
    assert not told, "those who judged last tell what there is to keep"


def test_only_one_thread_judges_and_takes_what_the_others_bring() -> None:
    begun, held = threading.Event(), threading.Event()
    at_work: list[int] = []

    def judge(number: Any, view: Any) -> Verdict:
        at_work.append(threading.get_ident())
        begun.set()
        assert held.wait(10)
        return Verdict(wagers=number)

    tasks: list[Any] = [(number, None) for number in range(40)]
    with Workers(judge, 2, few=True) as workers:
        first = workers.judge(tasks)
        helper = threading.Thread(target=workers.help)
        helper.start()
        assert begun.wait(10)
        more = workers.judge(tasks)
        workers.help()  # comes back at once
        held.set()
        helper.join()
        found = [[verdict.wagers for verdict in one.all()] for one in (more, first)]
    assert found == [list(range(40))] * 2
    assert set(at_work) == {helper.ident}


def test_an_error_of_the_evaluator_reaches_who_waits_for_the_verdict() -> None:
    def judge(number: Any, view: Any) -> Verdict:
        raise ValueError(number)

    tasks: list[Any] = [(7, None)]
    with Workers(judge, 2, few=True) as workers:
        found = workers.judge(tasks)
        with pytest.raises(ValueError, match="7"):
            found.all()


def test_what_a_thread_learnt_is_kept_at_the_end() -> None:
    told: list[bool] = []
    tasks: list[Any] = [(1, None)]
    with Workers(lambda number, view: Verdict(), 2, lambda: told.append(True), few=True) as workers:
        found = workers.judge(tasks)
    assert found.done()
    assert told == [True]
