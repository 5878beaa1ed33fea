"""Machine code that is kept on disk is used again, unless it is damaged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

numba = pytest.importorskip("numba")

from checker.columns.machine.compile import kept


def count(n: int) -> int:
    return 2 * n + 1


def called() -> Any:
    made = kept(count)
    assert made(4) == 9
    return sum(made.stats.cache_hits.values()), sum(made.stats.cache_misses.values())


@pytest.mark.parametrize("kind", ["*.nbc", "*.nbi"])
@pytest.mark.parametrize("how", ["changed", "cut", "empty"])
def test_damaged_machine_code_is_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, how: str
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    assert called() == (0, 1)
    assert called() == (1, 0)
    (path,) = tmp_path.rglob(kind)
    raw = path.read_bytes()
    at = len(raw) // 2
    changed = raw[:at] + bytes([raw[at] ^ 255]) + raw[at + 1 :]
    path.write_bytes({"changed": changed, "cut": raw[:at], "empty": b""}[how])
    assert called() == (0, 1)
    assert called() == (1, 0)
