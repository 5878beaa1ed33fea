"""Any place of a log's text is found, however the log is packed and wherever it is damaged."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from checker.log import text_at
from checker.log.text_at import GzipText, text_of

CONTENT = b"".join(b'{"n": %d, "x": "%s"}\n' % (n, b"y" * (n * 7919 % 700)) for n in range(20_000))


def packed(kind: str) -> bytes:
    if kind == "plain":
        return CONTENT
    if kind == "zst":
        compressed: bytes = pytest.importorskip("zstandard").compress(CONTENT)
        return compressed
    half = len(CONTENT) // 2 + 5  # two members, as when files are joined, with padding between
    return gzip.compress(CONTENT[:half]) + bytes(512) + gzip.compress(CONTENT[half:])


@pytest.mark.parametrize("kind", ["plain", "gz", "zst"])
@pytest.mark.parametrize("first", [True, False])
def test_text_is_found_wherever_it_stands(
    kind: str, first: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_at, "STEP", 1 << 16)
    monkeypatch.setattr(text_at, "_AT_HAND", 3)
    path = tmp_path / "log"
    path.write_bytes(packed(kind))
    text = text_of(path, kind == "plain")
    if first:
        text.go_through(len(CONTENT))
    size = len(CONTENT)
    for start in (size - 900, 0, 1 << 16, size // 2, 17, (1 << 16) - 3, size - 1, size):
        for length in (1, 900, 200_000):
            assert text.at(start, start + length) == CONTENT[start : start + length]
    assert text.at(size + (1 << 20), size + (1 << 21)) == b""


def test_what_stands_before_a_damage_is_found(tmp_path: Path) -> None:
    path = tmp_path / "log.gz"
    whole = gzip.compress(CONTENT)
    path.write_bytes(whole[:-8] + bytes(8))  # all of the text, and a check sum that is not
    assert GzipText(path).at(0, len(CONTENT)) == CONTENT
    path.write_bytes(whole[: len(whole) // 2])
    found = GzipText(path).at(0, len(CONTENT))
    assert len(found) > len(CONTENT) // 4
    assert CONTENT.startswith(found)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="no regular file"):
        GzipText(tmp_path / "pipe").at(0, 1)
