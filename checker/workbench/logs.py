"""The logs that pages look into, each indexed first: a short one at once, a long one beside."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Condition, Thread
from typing import NamedTuple

from checker.log.indexed import IndexedLog, indexed
from checker.log.places import Places
from checker.replay.find_round import marks
from rulespec.base.errors import LogError, RulespecError

SHORT = 1 << 22  # bytes of a log that is indexed while the page waits
_PACKED = 8  # a compressed one is so many times as long
MOST = 6  # logs
_ROOT = Path(__file__).parents[2]


class NotYet(RulespecError):
    """What is asked for is being made ready."""


class Stamp(NamedTuple):
    """What tells one state of a file from another."""

    size: int
    changed: int
    touched: int
    inode: int


def stamp(path: Path) -> Stamp:
    found = path.stat()
    return Stamp(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


@dataclass(slots=True)
class _Known:
    stamp: Stamp
    asked: float = field(default_factory=time.monotonic)
    ready: bool = False
    log: IndexedLog | None = None  # none that could be indexed, once it is ready


class Logs:
    """Each as long as its file does not change. One thread asks, another one makes ready."""

    def __init__(self, *, wait: bool = False) -> None:
        self._wait = wait
        self._known: OrderedDict[Path, _Known] = OrderedDict()
        self._changed = Condition()
        self._thread: Thread | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._closed = False

    def of(self, path: Path) -> IndexedLog | None:
        """None where a log cannot be indexed; NotYet where it is not by now."""
        known = self._asked(path)
        if not known.ready:
            seconds = round(time.monotonic() - known.asked)
            raise NotYet(
                f"`{path.name}` is being indexed, so that every round of it is found at once",
                f"{seconds} seconds so far; this page comes back by itself",
            )
        return known.log

    def expect(self, paths: list[Path]) -> None:
        """These will be asked for."""
        for path in paths:
            with suppress(OSError):
                if not _is_short(path):
                    self._asked(path)

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            if self._child is not None:
                self._child.kill()

    def _asked(self, path: Path) -> _Known:
        now = stamp(path)
        with self._changed:
            known = self._known.get(path)
            if known is None or known.stamp != now:
                known = self._known[path] = _Known(now)
            self._known.move_to_end(path)
            while len(self._known) > MOST:
                self._known.popitem(last=False)
            if not known.ready and not (self._wait or _is_short(path)):
                if self._thread is None:
                    self._thread = Thread(target=self._work, daemon=True)
                    self._thread.start()
                self._changed.notify_all()
                return known
        if not known.ready:
            with suppress(OSError, LogError):
                known.log = indexed(str(path), marks())
            known.ready = True
        return known

    # --- beside

    def _work(self) -> None:
        while True:
            with self._changed:
                while (found := self._next()) is None and not self._closed:
                    self._changed.wait()
                if self._closed or found is None:
                    return
            path, known = found
            log = None
            with suppress(OSError, LogError, ValueError):
                log = indexed(str(path), marks(), make=False) or self._made(path)
                if log is not None:
                    log.go_through()
            known.log, known.ready = log, True

    def _next(self) -> tuple[Path, _Known] | None:
        """The one that was asked for last."""
        return next((one for one in reversed(self._known.items()) if not one[1].ready), None)

    def _made(self, path: Path) -> IndexedLog | None:
        """In a process of its own: pages do not wait for it."""
        call = [sys.executable, "-P", "-m", "checker.workbench.processes.index_log", str(path)]
        search = os.pathsep.join(p for p in (str(_ROOT), os.environ.get("PYTHONPATH", "")) if p)
        with self._changed:
            if self._closed:
                return None
            self._child = subprocess.Popen(
                call,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": search},
            )
        content, _ = self._child.communicate()
        places = Places.of_content(content) if self._child.returncode == 0 else None
        return None if places is None else IndexedLog(str(path), places)


def _is_short(path: Path) -> bool:
    packed = path.name.endswith((".gz", ".zst", ".parquet"))
    return path.stat().st_size * (_PACKED if packed else 1) <= SHORT
