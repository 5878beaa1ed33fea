"""The audit store: runs are kept whole, reviews are never lost, selections count right."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from checker.report import Report
from checker.store.audit import Audit
from checker.store.selection import Selection
from checker.store.store import Store, StoreError
from checker.store.trend import trend
from rulespec.base.errors import WrongCall


def finding(number: int, **changed: Any) -> dict[str, Any]:
    return {
        "fingerprint": f"{number:016x}",
        "code": "R501",
        "kind": "settlement",
        "rulebook": "nz-pontoon",
        "clause": "9.1" if number % 2 else "10.2",
        "table": f"T{number % 3}",
        "player": f"P{number % 5}",
        "at": f"2024-09-{number % 28 + 1:02d}T12:00:00+12:00",
        "round": f"R{number}",
        "line": number,
        "message": f"wrong by {number}",
        "difference": number - 10,
        **changed,
    }


def add(store: Store, numbers: range, **envelope: Any) -> int:
    whole = {"summary": {"rounds": 100}, "inputs": [], "findings": [], **envelope}
    with store.new_run() as run:
        for number in numbers:
            run.add(finding(number))
        run.finish(whole, 1)
    assert run.number is not None
    return run.number


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "audit.sqlite", create=True)


def test_a_run_keeps_findings_totals_and_envelope(store: Store) -> None:
    number = add(store, range(20), options={"clause": None})
    run = store.run()
    assert (run.id, run.rounds, run.findings, run.status) == (number, 100, 20, 1)
    assert (run.overpaid, run.underpaid) == (sum(range(10)) * 100, sum(range(11)) * 100)
    assert run.envelope["options"] == {"clause": None}
    assert store.findings(Selection(number))[3].finding == finding(3)


def test_a_run_that_breaks_off_leaves_nothing(store: Store) -> None:
    def broken_off() -> None:
        with store.new_run() as run:
            for number in range(1200):
                run.add(finding(number))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken_off()
    assert store.runs() == []
    assert store.db.execute("SELECT count(*) FROM findings").fetchone() == (0,)


def test_a_run_is_not_seen_before_it_is_finished(store: Store) -> None:
    with store.new_run() as run:
        run.add(finding(1))
        assert store.runs() == []
        run.finish({"summary": {}, "inputs": []}, 1)
    assert [one.findings for one in store.runs()] == [1]


def test_selections_count_pages_and_facets(store: Store) -> None:
    run = add(store, range(60))
    odd = Selection(run, {"clause": ("9.1",)})
    assert store.totals(odd).findings == 30
    assert [s.finding["line"] for s in store.findings(odd, start=2, limit=2)] == [5, 7]
    assert dict(store.facet(odd, "clause")) == {"9.1": 30, "10.2": 30}  # its own filter aside
    assert dict(store.facet(odd, "casino_table")) == {"T0": 10, "T1": 10, "T2": 10}
    assert store.totals(Selection(run, least=4500)).findings == 5  # 55 to 59 are $45 and more off
    largest = store.findings(Selection(run), order="amount", limit=1)
    assert largest[0].finding["line"] == 59
    assert store.totals(Selection(run, words="by 7")).findings == 1
    with pytest.raises(ValueError, match="no facet"):
        store.facet(odd, "n; DROP TABLE runs")


def test_a_review_is_added_and_never_changed(store: Store) -> None:
    run = add(store, range(4))
    one = f"{2:016x}"
    store.set_state([one], "dismissed", "a test", "Ann")
    store.set_state([one], "confirmed", "it was not", "Bob")
    assert store.states() == {one: "confirmed"}
    assert [(r.state, r.person) for r in store.history(one)] == [
        ("confirmed", "Bob"),
        ("dismissed", "Ann"),
    ]
    assert store.totals(Selection(run, states=("open",))).findings == 3
    assert dict(store.facet(Selection(run), "state")) == {"open": 3, "confirmed": 1}
    for statement in ("UPDATE reviews SET reason = ''", "DELETE FROM reviews"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            store.db.execute(statement)


@pytest.mark.parametrize(
    ("state", "reason", "person"),
    [("gone", "why", "Ann"), ("dismissed", " ", "Ann"), ("dismissed", "why", "")],
)
def test_a_review_that_says_too_little_is_refused(
    store: Store, state: str, reason: str, person: str
) -> None:
    add(store, range(2))
    with pytest.raises(WrongCall):
        store.set_state([f"{1:016x}"], state, reason, person)
    with pytest.raises(WrongCall, match="fingerprint"):
        store.set_state([f"{1:016x}", "ff"], "dismissed", "why", "Ann")
    assert store.history() == []


def test_two_runs_are_compared_by_fingerprint(store: Store) -> None:
    log = {"path": "a", "kind": "log", "sha256": "1"}
    old = add(store, range(10), inputs=[log])
    new = add(store, range(5, 12), inputs=[{**log, "path": "b"}])
    found = trend(store, store.run(old), store.run(new))
    assert found.counts == {"appeared": 2, "gone": 5, "still": 5}
    assert found.same_logs  # by content, not by name
    assert found.by_clause["nz-pontoon 9.1"] == {"appeared": 1, "gone": 2, "still": 3}


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE t (x)")
    text = tmp_path / "text"
    text.write_text("no database at all, but long enough to be looked at\n" * 40)
    for path in (other, text, tmp_path, tmp_path / "absent"):
        with pytest.raises(StoreError):
            Store(path)
    assert not (tmp_path / "absent").exists()


@pytest.mark.parametrize(
    "change",
    [
        "CREATE TRIGGER t AFTER INSERT ON reviews BEGIN DELETE FROM runs; END",
        "DROP TRIGGER reviews_stay",
        "DROP TRIGGER reviews_are_kept",
        "ALTER TABLE reviews ADD COLUMN more",
        "CREATE VIEW v AS SELECT 1",
        "DROP INDEX findings_fingerprint",
        "DROP TABLE documents",
    ],
)
def test_a_store_that_was_made_otherwise_is_refused(store: Store, change: str) -> None:
    add(store, range(3))
    store.db.execute("ANALYZE")
    assert Store(store.path).run().findings == 3
    store.db.execute(change)
    with pytest.raises(StoreError, match="is not made like one: "):
        Store(store.path)


def test_a_store_of_a_later_version_is_refused(store: Store) -> None:
    store.db.execute("PRAGMA user_version = 3")
    with pytest.raises(StoreError, match="of version 3, and this is 2"):
        Store(store.path)


WRITER = """
import sys
from tests.store.test_store import add
from checker.store.store import Store
store = Store(sys.argv[1], create=True)
for _ in range(5):
    add(store, range(700))
"""
KILLED = """
import os, signal, sys
from tests.store.test_store import finding
from checker.store.store import Store
store = Store(sys.argv[1], create=True)
with store.new_run() as run:
    for number in range(1200):
        run.add(finding(number))
    with store.together():
        run._pending.write_to(store.db, 99)
        os.kill(os.getpid(), signal.SIGKILL)
"""


def _started(code: str, path: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", code, str(path)], cwd=Path(__file__).parents[2])


def test_processes_that_write_at_once_all_come_through(tmp_path: Path) -> None:
    path = tmp_path / "audit.sqlite"
    writers = [_started(WRITER, path) for _ in range(3)]
    assert [one.wait(60) for one in writers] == [0, 0, 0]
    runs = Store(path).runs()
    assert [(run.id, run.findings) for run in runs] == [(n, 700) for n in range(15, 0, -1)]


def test_a_process_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "audit.sqlite"
    assert _started(KILLED, path).wait(60) == -9
    store = Store(path)
    for table in ("runs", "findings", "documents"):
        assert store.db.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
    assert add(store, range(3)) == 1


def test_only_needs_a_store_and_a_state(tmp_path: Path) -> None:
    with pytest.raises(WrongCall, match="no store"):
        Audit(None, "open")
    with pytest.raises(WrongCall, match="no state"):
        Audit(tmp_path / "a.sqlite", "closed")


def test_results_pass_an_absent_store_unchanged() -> None:
    audit = Audit()
    assert list(audit.keeping([1, 2], lambda: Report("replay", [], []))) == [1, 2]


def test_columns_count_what_the_rows_say(store: Store) -> None:
    run = add(store, range(60))
    add(store, range(30, 70))
    store.set_state([f"{n:016x}" for n in range(0, 60, 7)], "dismissed", "a test", "Ann")
    store.set_state([f"{n:016x}" for n in range(0, 60, 14)], "open", "", "Ann")
    dismissed = "coalesce(state, 'open') IN ('dismissed', 'confirmed')"
    for chosen, where, *bound in (
        (Selection(run), "1"),
        (
            Selection(run, {"clause": ("9.1",)}, states=("open",), words="by 1"),
            f"clause = '9.1' AND NOT {dismissed} AND instr(message, 'by 1')",
        ),
        (
            Selection(run, least=500, states=("dismissed", "confirmed")),
            f"size >= 500 AND {dismissed}",
        ),
        (
            Selection(run, {"casino_table": ("T0", "T1"), "clause": ("9.1", "none")}, words="R4"),
            "casino_table <> 'T2' AND clause = '9.1' AND instr(round, 'R4')",
        ),
    ):
        source = f"FROM findings LEFT JOIN states USING (fingerprint) WHERE run = {run} AND {where}"
        rows = store.db.execute(
            f"SELECT count(*), sum(max(difference, 0)), sum(max(-difference, 0)) {source}", bound
        )
        assert store.totals(chosen) == rows.fetchone()
        for facet in ("clause", "casino_table", "player", "day"):
            counted = store.db.execute(f"SELECT {facet}, count(*) {source} GROUP BY 1 ORDER BY 1")
            assert store.by(chosen, facet) == counted.fetchall()
        for order, key in (
            ("place", "n"),
            ("at", "at, n"),
            ("amount", "size DESC, n"),
            ("clause", "rulebook, clause, n"),
            ("player", "player, n"),
            ("state", "coalesce(state, 'open'), n"),
        ):
            wanted = [n for (n,) in store.db.execute(f"SELECT n {source} ORDER BY {key}")]
            assert [one.n for one in store.findings(chosen, order=order)] == wanted
