"""What the plain evaluator learnt is kept between runs, and never changes an answer."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from checker.evaluate.answer import Answer
from checker.evaluate.dealer_draw import FINALS
from checker.evaluate.memory.answer_trees import Fork
from checker.evaluate.memory.remembering import memory_of
from checker.evaluate.ready import new_engine
from checker.judge.judge import judge
from checker.log.model import Round
from checker.log.read import Quarantined
from checker.replay import saved_trees as learnt
from checker.replay.replay import Filter, Judged, Library, Summary, replay
from checker.replay.saved_trees import Learnt, Memory
from checker.replay.text_place import Text
from checker.simulate.simulate import simulate
from rulespec.base import cache
from rulespec.load.load import load, shipped
from rulespec.resolve.rulebook import Rulebook
from tests.support import with_boxes


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "rulespec"


def book_of(name: str) -> Rulebook:
    book = load(shipped()[name]).rulebook
    assert book is not None
    return book


def log_of(tmp_path: Path, book: Rulebook, rounds: int = 30, seed: int = 5) -> Path:
    path = tmp_path / f"{book.id}-{seed}.jsonl"
    path.write_text("".join(f"{m.text}\n" for m in simulate(book, rounds, seed, faults=0.4)))
    return path


def told(log: Path, library: Library, jobs: int = 1) -> tuple[list[object], dict[str, object]]:
    summary = Summary()
    found: list[object] = []
    for one in replay([log], library, Filter(), summary, jobs):
        assert isinstance(one, Judged)
        found.append((one.round.id, one.shown, one.verdict.expected))
    return found, summary.as_json()


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("learnt-*"))


def kept_in(file: Path) -> Learnt | None:
    return cache.read(file, Learnt, (Learnt,))


def learnt_by(library: Library) -> int:
    """The answers that a replay had to work out."""
    return sum(memory_of(engine).recall.learnt for engine in library._engines.values())


def answers_in(node: object) -> Iterator[Answer]:
    if isinstance(node, Fork):
        for branch in node.branches.values():
            yield from answers_in(branch)
    elif isinstance(node, Answer):
        yield node


@pytest.mark.parametrize("name", with_boxes())
def test_the_report_is_the_same_with_what_was_learnt(
    name: str, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = book_of(name)
    log = log_of(tmp_path, book)
    first = told(log, Library([book]))
    assert len(files(folder)) == 1
    library = Library([book])
    assert told(log, library) == first
    assert learnt_by(library) == 0  # nothing had to be asked again
    assert told(log, Library([book]), jobs=2) == first
    monkeypatch.setattr(cache, "cache_folder", lambda: None)
    alone = Library([book])
    assert told(log, alone) == first
    assert learnt_by(alone) > 100


@pytest.mark.parametrize("name", with_boxes())
def test_an_answer_comes_back_whole(name: str, tmp_path: Path) -> None:
    book = book_of(name)
    library = Library([book])
    told(log_of(tmp_path, book, rounds=60, seed=8), library)
    compared = 0
    for engine in library._engines.values():
        other = new_engine(engine.rulebook)
        Memory(other, Text(other.rulebook).place("learnt")).read_all()
        assert FINALS.of(engine) == FINALS.of(other) != {}
        for question, node in memory_of(engine).recall.trees.items():
            mine = list(answers_in(node))
            back = list(answers_in(memory_of(other).recall.trees.get(question)))
            assert mine == back, question
            assert [a.clauses for a in mine] == [a.clauses for a in back]
            compared += len(mine)
    assert compared > 300


def test_what_was_learnt_of_another_text_is_not_used(tmp_path: Path, folder: Path) -> None:
    book = book_of("act-pontoon")
    log = log_of(tmp_path, book)
    told(log, Library([book]))
    turned = tuple(
        replace(r, value={"wins": "loses", "loses": "wins"}.get(r.value, r.value))
        if r.question == "main.result" and isinstance(r.value, str)
        else r
        for r in book.rules
    )
    changed = replace(book, rules=turned)
    found, _ = told(log, Library([changed]))
    assert len(files(folder)) == 2
    Text(book).place("learnt").unlink()  # type: ignore[union-attr]
    Text(changed).place("learnt").unlink()  # type: ignore[union-attr]
    assert told(log, Library([changed]))[0] == found


def test_what_other_code_learnt_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    book = book_of("act-pontoon")
    before = Text(book).place("learnt")
    monkeypatch.setattr(cache, "made_by", lambda: b"another version")
    assert Text(book).place("learnt") != before


@pytest.mark.parametrize("damage", ["empty", "cut", "bit", "other", "tests", "places", "leaves"])
def test_a_broken_file_is_no_file(damage: str, tmp_path: Path, folder: Path) -> None:
    book = book_of("nz-pontoon")
    log = log_of(tmp_path, book)
    first = told(log, Library([book]))
    (file,) = files(folder)
    content = file.read_bytes()
    kept = kept_in(file)
    assert isinstance(kept, Learnt)
    match damage:
        case "empty":
            file.write_bytes(b"")
        case "cut":
            file.write_bytes(content[: len(content) // 2])
        case "bit":
            at = len(content) - 200
            file.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        case "other":
            cache.write(file, {"something": "else"})
        case "tests":
            cache.write(file, replace(kept, tests=["no such test", *kept.tests[1:]]))
        case "places":
            places = (10**6,)
            broken = [(leaf[0], places, (), ()) if len(leaf) == 4 else leaf for leaf in kept.leaves]
            cache.write(file, replace(kept, leaves=broken))
        case _:
            cache.write(file, replace(kept, leaves=kept.leaves[:3]))
    library = Library([book])
    assert told(log, library) == first
    assert isinstance(kept_in(file), Learnt)  # written anew
    again = Library([book])
    assert told(log, again) == first
    assert learnt_by(again) == 0


def test_a_file_of_somebody_else_is_not_read(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = book_of("nz-pontoon")
    told(log_of(tmp_path, book), Library([book]))
    (file,) = files(folder)
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert kept_in(file) is None


def test_what_two_runs_learnt_is_put_together(tmp_path: Path) -> None:
    book = book_of("nsw-star-pontoon")
    logs = [log_of(tmp_path, book, seed=seed) for seed in (1, 2)]
    libraries = [Library([book]), Library([book])]
    reports = []
    for library, log in zip(libraries, logs, strict=True):
        keep, library.keep = library.keep, lambda: None  # type: ignore[method-assign]
        reports.append(told(log, library))
        library.keep = keep  # type: ignore[method-assign]
    for library in libraries:
        library.keep()
    for log, report in zip(logs, reports, strict=True):
        library, apart = Library([book]), Library([book])
        assert told(log, library) == report
        apart._memories = _NoMemories()
        told(log, apart)
        assert learnt_by(library) < learnt_by(apart) / 4


def test_what_a_second_process_learnt_is_kept_too(tmp_path: Path) -> None:
    book = book_of("nz-pontoon")
    log = log_of(tmp_path, book)
    told(log, Library([book]), jobs=2)
    library = Library([book])
    told(log, library)
    assert learnt_by(library) == 0


class _NoMemories(dict[int, Memory]):
    def __contains__(self, engine: object) -> bool:
        return True


def test_a_file_does_not_grow_without_bound(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("checker.replay.saved_trees", "checker.evaluate.memory.answer_trees"):
        monkeypatch.setattr(f"{module}.KEPT", 500)
    book = book_of("nz-pontoon")
    logs = [log_of(tmp_path, book, seed=seed) for seed in (1, 2)]
    first = [told(log, Library([book])) for log in logs]
    (file,) = files(folder)
    kept = kept_in(file)
    assert isinstance(kept, Learnt)
    assert 400 < sum(map(_forks, kept.trees.values())) <= 500
    assert [told(log, Library([book])) for log in logs] == first


def _forks(tree: learnt.Tree | int) -> int:
    return 0 if isinstance(tree, int) else 1 + sum(_forks(b) for b in tree[1].values())


def test_the_names_of_tests_are_the_same_in_every_process(tmp_path: Path) -> None:
    code = (
        "from rulespec.load.load import load, shipped\n"
        "from checker.evaluate.ready import have_ready, new_engine\n"
        "book = load(shipped()['sa-adelaide-pontoon']).rulebook\n"
        "engine = new_engine(book)\n"
        "for question in engine.by_question:\n"
        "    have_ready(engine, question)\n"
        "names = engine.memory.recall.names()\n"
        "assert len(names) > 50\n"
        "print([repr(name) for name in names])\n"
    )
    told_by = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told_by) == 1


def test_a_round_that_was_judged_leaves_nothing_to_the_garbage_collector(tmp_path: Path) -> None:
    import gc

    from checker.log.read import read_log
    from checker.table.shoes import ShoeTracker

    book = book_of("act-blackjack")
    rounds = [r for r in read_log(log_of(tmp_path, book)) if not isinstance(r, Quarantined)]
    engine = new_engine(book.on(date(2024, 1, 1)))
    shoes = ShoeTracker()

    def all_of(rounds: list[Round]) -> None:
        for round_ in rounds:
            judge(engine, round_, shoes.view(round_), share=True)

    all_of(rounds)
    with cache.without_collecting():
        gc.collect()
        all_of(rounds)
        assert gc.collect() < len(rounds)
