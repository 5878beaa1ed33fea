"""`python -m rulespec`: the same as the command `rulespec`."""

from __future__ import annotations

import os
import signal

INTERRUPTED = 130


def main() -> int:
    """Ctrl-C ends quietly even while the first modules are still being read."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if usual:
        signal.signal(signal.SIGINT, _interrupted)
    from checker import cli

    try:
        if usual:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        status = cli.main()
    except KeyboardInterrupt:  # between here and there
        status = INTERRUPTED
    if status == INTERRUPTED:
        # An interrupt inside `exec`, as of a dataclass, has Python end by the signal after all,
        # unless another `exec` has come to its end since.
        exec("")
    return status


def _interrupted(*_: object) -> None:
    os.write(2, b"rulespec: interrupted\n")
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    raise SystemExit(main())
