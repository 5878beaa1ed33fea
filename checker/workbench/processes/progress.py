"""What a process of the workbench tells of its work while it goes on, on standard output."""

from __future__ import annotations

import json
import signal
import time

from checker.replay.summary import Summary

EVERY = 0.2  # seconds


class Progress:
    def __init__(self) -> None:
        self._told = 0.0

    def __call__(self, summary: Summary, now: bool = False) -> None:
        if now or time.monotonic() - self._told > EVERY:
            self._told = time.monotonic()
            findings = summary.findings + summary.undecided  # as the store counts them
            progress = {"rounds": summary.rounds, "findings": findings}
            print(json.dumps({"progress": progress}), flush=True)


def end_orderly() -> None:
    """Told to end, the process leaves nothing half done behind."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)
