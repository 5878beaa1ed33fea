"""Rounds into a log in the order of time, whatever the order of the export."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import IO

from checker.imports.rounds import Made


def write_log(made: Iterator[Made], scratch: IO[bytes], write: Callable[[bytes], object]) -> bool:
    """The rounds in the order of time; rounds of one time as they come. Whether any was moved."""
    times = array("d")
    places = array("Q", [0])
    for one in made:
        data = one.line.encode() + b"\n"
        scratch.write(data)
        times.append(one.at.timestamp())
        places.append(places[-1] + len(data))
    order = sorted(range(len(times)), key=times.__getitem__)
    scratch.seek(0)
    moved = any(place != number for number, place in enumerate(order))
    if not moved:
        while part := scratch.read(1 << 20):
            write(part)
        return False
    for place in order:
        scratch.seek(places[place])
        write(scratch.read(places[place + 1] - places[place]))
    return True
