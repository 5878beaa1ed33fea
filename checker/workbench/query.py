"""What stands behind the question mark of an address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode


def query(values: Mapping[str, Any]) -> str:
    """What stands behind the question mark; what is not given is left out."""
    pairs = [(name, value) for name, value in values.items() if value not in (None, "", (), [])]
    return urlencode(pairs, doseq=True, quote_via=quote)
