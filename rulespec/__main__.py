"""`python -m rulespec`: the same as the command `rulespec`."""

from __future__ import annotations

import os
import signal
from typing import NoReturn

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
        return cli.main()
    except KeyboardInterrupt:  # between here and there
        _interrupted()


def _interrupted(*_: object) -> NoReturn:
    os.write(2, b"rulespec: interrupted\n")
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    raise SystemExit(main())
