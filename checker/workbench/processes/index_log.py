"""Indexes a log for the workbench, in a process of its own: the index goes to standard output."""

from __future__ import annotations

import os
import sys

from checker.log.places import places_of
from checker.replay.find_round import marks
from rulespec.base.errors import LogError


def main(name: str) -> int:
    os.nice(5)
    try:
        places = places_of(name, marks())
    except (LogError, OSError):
        return 2
    if places is None:
        return 2
    sys.stdout.buffer.write(places.content())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
