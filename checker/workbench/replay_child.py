"""A replay for the workbench, in a process of its own: progress on standard output, the result in
the audit store. When it is told to end it leaves no half run behind."""

from __future__ import annotations

import json
import signal
import sys
import time
from typing import Any

EVERY = 0.2  # seconds


def main(words: list[str]) -> int:
    from checker.replay_logs import Replay
    from rulespec.base.errors import RulespecError

    store, rules, *logs = words
    signal.signal(signal.SIGTERM, _stop)
    try:
        replay = Replay(logs, rules=rules or None, store=store)
        told = 0.0

        def tick() -> None:
            nonlocal told
            now = time.monotonic()
            if now - told > EVERY:
                told = now
                summary = replay.summary
                _tell({"rounds": summary.rounds, "findings": summary.findings})

        for _ in replay.shown(_ticking(replay.judged(tick), tick)):
            pass
        told = 0.0
        tick()
    except RulespecError as error:
        print(f"{error}\nhelp: {error.help}" if error.help else error, file=sys.stderr)
        return 2
    return replay.status


def _ticking(results: Any, tick: Any) -> Any:
    for result in results:
        tick()
        yield result


def _tell(progress: dict[str, Any]) -> None:
    print(json.dumps({"progress": progress}), flush=True)


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
