"""A report as bytes of which there is only one writing, and the seal over them.

Canonical: the keys of every object in order, no space, UTF-8, numbers as they are written. The seal
is the SHA-256 of that, of a report without its seal and signature.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

from checker.log.exact_json import dumps

OUTSIDE: Final = ("seal", "signature")
_GAP: Final = b'"findings":[]'


def canonical(value: Any) -> bytes:
    text = dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "backslashreplace")  # half of a character is written as \udXXX


def seal_of(report: Mapping[str, Any]) -> str:
    return sha256(canonical({k: v for k, v in report.items() if k not in OUTSIDE})).hexdigest()


def written(report: Mapping[str, Any]) -> str:
    """A sealed report as the command line writes it, to the last space."""
    body = {k: v for k, v in report.items() if k not in OUTSIDE}
    head, tail = dumps({**body, "findings": []}).split('"findings": []', 1)
    findings = ",\n".join(canonical(one).decode() for one in report["findings"])
    ends = dumps({name: report[name] for name in OUTSIDE if name in report})
    return f'{head}"findings": [{findings}]{tail[:-1]}, {ends[1:]}\n'


class Seal:
    """The same for a report whose findings come piece by piece."""

    def __init__(self, report: Mapping[str, Any]) -> None:
        """`report` has no finding yet."""
        head, self._tail = canonical(report).split(_GAP, 1)
        self._hash = sha256(head + _GAP[:-1])

    def add(self, written: bytes) -> None:
        """Canonical findings, with a comma between two of them; line ends between them do not
        count."""
        self._hash.update(written.replace(b"\n", b""))

    def value(self) -> str:
        self._hash.update(_GAP[-1:] + self._tail)
        return self._hash.hexdigest()
