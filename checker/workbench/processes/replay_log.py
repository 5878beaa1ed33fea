"""A replay for the workbench, in a process of its own: the result goes to the audit store."""

from __future__ import annotations

import sys

from checker.workbench.processes.progress import Progress, end_orderly


def main(words: list[str]) -> int:
    from checker.replay_logs import Replay
    from rulespec.base.errors import RulespecError

    store, rules, *logs = words
    end_orderly()
    tell = Progress()
    try:
        replay = Replay(logs, rules=rules or None, store=store)
        for _ in replay.ticking(tell):
            pass
        tell(replay.summary, now=True)
    except RulespecError as error:
        print(f"{error}\nhelp: {error.help}" if error.help else error, file=sys.stderr)
        return 2
    return replay.status


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
