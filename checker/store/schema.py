"""The tables of an audit store. What people said of a finding stays: triggers hold it."""

from __future__ import annotations

import sqlite3
from functools import cache

APPLICATION = 0x52554C45  # marks the file as an audit store
VERSION = 2

TABLES = """
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  made_at TEXT NOT NULL,
  status INTEGER,
  rounds INTEGER NOT NULL DEFAULT 0,
  findings INTEGER NOT NULL DEFAULT 0,
  overpaid INTEGER NOT NULL DEFAULT 0,
  underpaid INTEGER NOT NULL DEFAULT 0,
  envelope TEXT NOT NULL
);
CREATE TABLE findings (
  run INTEGER NOT NULL REFERENCES runs (id),
  n INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  code TEXT NOT NULL,
  kind TEXT NOT NULL,
  rulebook TEXT NOT NULL,
  clause TEXT NOT NULL,
  casino_table TEXT NOT NULL,
  player TEXT NOT NULL,
  day TEXT NOT NULL,
  at TEXT NOT NULL,
  round TEXT NOT NULL,
  log TEXT NOT NULL,
  line INTEGER NOT NULL,
  bet TEXT NOT NULL,
  message TEXT NOT NULL,
  difference INTEGER,
  size INTEGER NOT NULL,
  PRIMARY KEY (run, n)
) WITHOUT ROWID;
CREATE TABLE documents (run INTEGER, n INTEGER, whole TEXT NOT NULL, PRIMARY KEY (run, n));
CREATE INDEX findings_fingerprint ON findings (fingerprint, run);
CREATE TABLE columns (
  run INTEGER NOT NULL REFERENCES runs (id),
  name TEXT NOT NULL,
  texts TEXT NOT NULL,
  numbers BLOB NOT NULL,
  PRIMARY KEY (run, name)
);
CREATE TABLE reviews (
  id INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'confirmed', 'explained', 'dismissed')),
  reason TEXT NOT NULL,
  person TEXT NOT NULL,
  at TEXT NOT NULL
);
CREATE INDEX reviews_fingerprint ON reviews (fingerprint);
CREATE TABLE states (fingerprint TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID;
CREATE TRIGGER review_sets_state AFTER INSERT ON reviews BEGIN
  INSERT INTO states VALUES (new.fingerprint, new.state)
    ON CONFLICT (fingerprint) DO UPDATE SET state = new.state;
END;
CREATE TRIGGER reviews_stay BEFORE UPDATE ON reviews BEGIN
  SELECT RAISE(ABORT, 'a review is never changed');
END;
CREATE TRIGGER reviews_are_kept BEFORE DELETE ON reviews BEGIN
  SELECT RAISE(ABORT, 'a review is never removed');
END;
CREATE TRIGGER findings_stay BEFORE UPDATE ON findings BEGIN
  SELECT RAISE(ABORT, 'a finding is never changed');
END;
"""

FACETS = ("rulebook", "casino_table", "player", "day", "clause", "code", "kind", "log")
"""The columns by which findings are counted and filtered (`columns.py`)."""

Part = tuple[str, str, str, str]
"""Something that a database is made of: its kind, its name, its table, how it was made."""


def statements() -> list[str]:
    found, text = [], ""
    for line in TABLES.strip().splitlines(keepends=True):
        text += line
        if sqlite3.complete_statement(text):
            found.append(text)
            text = ""
    return found


def made_of(db: sqlite3.Connection) -> frozenset[Part]:
    """All but what SQLite makes by itself: indexes of keys, and counts for its planner."""
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
    return frozenset(
        (kind, name, table, " ".join((sql or "").split()))
        for kind, name, table, sql in rows
        if not (name.startswith("sqlite_autoindex_") and sql is None)
        and name not in ("sqlite_stat1", "sqlite_stat4")
    )


@cache
def expected() -> frozenset[Part]:
    """What a store of this version is made of."""
    db = sqlite3.connect(":memory:")
    for statement in statements():
        db.execute(statement)
    return made_of(db)
