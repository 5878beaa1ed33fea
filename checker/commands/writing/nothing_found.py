"""Why a replay that asked for certain rounds found none."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from itertools import islice

LOOKED_AT = 20_000  # lines: enough to know the tables and times of a log
_NAMED = 12


def say_why_nothing(
    command: str, logs: Sequence[str], quarantined: int = 0, asked: Sequence[str] = ()
) -> None:
    """`asked` are the options that leave rounds out. Said even with --quiet: the status is 2."""
    from checker.log.open import WHAT_A_LOG_IS

    name = f"`{logs[0]}`" if len(logs) == 1 else "these logs"
    options = " and ".join(f"`{option}`" for option in asked)
    advice = _looked_at(logs, options) if asked else ""
    if advice:
        told = f"no round of {name} is left by {options}", advice
    elif quarantined:
        told = f"no line of {name} is a valid round", WHAT_A_LOG_IS
    else:
        told = f"there is no round in {name}", WHAT_A_LOG_IS
    from checker.commands.output import say

    say(f"rulespec {command}: {told[0]}\nhelp: {told[1]}")


def _looked_at(logs: Sequence[str], options: str) -> str:
    """The tables and times of the logs, so far as they can be read again; empty without rounds."""
    from checker.log.decode import short
    from checker.log.model import Round
    from checker.log.read import LogError, read_log
    from checker.render.lines import visible

    unknown = f"look at it without {options}"
    if not all(os.path.isfile(log) for log in logs):
        return unknown
    tables: dict[str, None] = {}
    times: list[datetime] = []
    left = LOOKED_AT
    for log in logs:
        try:
            for line in islice(read_log(log), left):
                left -= 1
                if isinstance(line, Round):
                    tables[line.table] = None
                    times = [min([*times, line.at]), max([*times, line.at])]
        except LogError:
            return unknown
    if not tables:
        return ""
    shown = [visible(short(table)) for table in sorted(tables)[:_NAMED]]
    more = f" and {len(tables) - len(shown)} more" if len(tables) > len(shown) else ""
    begin = "its rounds" if left else f"its first {LOOKED_AT:,} lines"
    return (
        f"{begin} are of table{'s' if len(tables) > 1 else ''} {', '.join(shown)}{more}, "
        f"from {times[0].isoformat()} to {times[-1].isoformat()}"
    )
