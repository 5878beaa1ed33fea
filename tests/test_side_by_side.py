"""Pieces of a log that are worked on side by side, and the memory that they share."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from checker.findings import Verdict
from checker.workers import Workers

pytest.importorskip("numba")
np = pytest.importorskip("numpy")

from checker.columns import memory  # noqa: E402
from checker.columns.ahead import side_by_side  # noqa: E402
from checker.columns.found import Unchecked  # noqa: E402


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
