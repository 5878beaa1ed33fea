"""JSON with exact decimals: json itself would send them through a binary float."""

from __future__ import annotations

import json
import re
import secrets
from decimal import Decimal
from typing import Any

# A text that no input can hold stands in for a number until the document is written.
_MARK = secrets.token_hex(16)
_NUMBER = re.compile(f'"{_MARK}([-0-9.]+)"')


def dumps(value: Any, **options: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=_stand_in, **options)
    return _NUMBER.sub(r"\1", text) if _MARK in text else text


def _stand_in(value: object) -> str:
    if isinstance(value, Decimal):
        return f"{_MARK}{value:f}"
    raise TypeError(f"{type(value).__name__} has no place in a report")
