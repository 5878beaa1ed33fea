"""Two runs held against each other: what is new, what is gone, what is still there."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from checker.store.store import Run, Store


@dataclass(frozen=True, slots=True)
class Trend:
    old: Run
    new: Run
    counts: dict[str, int]  # appeared, gone, still
    by_clause: dict[str, Counter[str]] = field(default_factory=dict)  # by `rulebook clause`
    by_table: dict[str, Counter[str]] = field(default_factory=dict)  # by `rulebook table`

    @property
    def same_logs(self) -> bool:
        """Whether both looked at the same bytes; otherwise `gone` may mean `not looked at`."""
        return _log_sums(self.old) == _log_sums(self.new)

    def as_json(self) -> dict[str, Any]:
        return {
            "old": self.old.id,
            "new": self.new.id,
            **self.counts,
            "same_logs": self.same_logs,
            "by_clause": {k: dict(v) for k, v in self.by_clause.items()},
            "by_table": {k: dict(v) for k, v in self.by_table.items()},
        }


def _log_sums(run: Run) -> list[Any]:
    return sorted(str(one["sha256"]) for one in run.envelope["inputs"] if one["kind"] == "log")


_SIDES = {
    # how findings of two runs are told apart: by fingerprint, which knows no wording
    "appeared": ("new", "old", "NOT EXISTS"),
    "gone": ("old", "new", "NOT EXISTS"),
    "still": ("new", "old", "EXISTS"),
}


def trend(store: Store, old: Run, new: Run) -> Trend:
    counts: dict[str, int] = {}
    by_clause: dict[str, Counter[str]] = {}
    by_table: dict[str, Counter[str]] = {}
    number = {"old": old.id, "new": new.id}
    for name, (of, against, test) in _SIDES.items():
        rows = store.db.execute(
            "SELECT rulebook, clause, casino_table, count(*) FROM findings AS f WHERE run = ? "
            f"AND {test} (SELECT 1 FROM findings AS g "
            "WHERE g.run = ? AND g.fingerprint = f.fingerprint) GROUP BY 1, 2, 3",
            (number[of], number[against]),
        ).fetchall()
        counts[name] = sum(row[-1] for row in rows)
        for rulebook, clause, table, count in rows:
            by_clause.setdefault(f"{rulebook} {clause}", Counter())[name] += count
            by_table.setdefault(f"{rulebook} {table}", Counter())[name] += count
    return Trend(old, new, counts, dict(sorted(by_clause.items())), dict(sorted(by_table.items())))
