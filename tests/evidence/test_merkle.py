"""The tree over the lines of a log, against the definition of RFC 6962 written out."""

from __future__ import annotations

import hashlib

import pytest

from checker.evidence.merkle import Tree, leaf, path, root_by

SIZES = [1, 2, 3, 4, 5, 7, 8, 9, 100, 4095, 4096, 4097, 9000]


def defined(leaves: list[bytes]) -> bytes:
    """MTH of the RFC."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return leaves[0]
    half = 1
    while half * 2 < len(leaves):
        half *= 2
    both = defined(leaves[:half]) + defined(leaves[half:])
    return hashlib.sha256(b"\1" + both).digest()


def some(size: int) -> list[bytes]:
    return [leaf(str(number).encode()) for number in range(size)]


@pytest.mark.parametrize("size", [0, *SIZES])
def test_the_root_is_that_of_the_definition(size: int) -> None:
    leaves = some(size)
    whole, piecewise = Tree(), Tree()
    whole.add(leaves)
    for start in range(0, size, 1000):
        piecewise.add(leaves[start : start + 1000])
    assert whole.size == piecewise.size == size
    assert whole.root() == piecewise.root() == defined(leaves)


@pytest.mark.parametrize("size", SIZES)
def test_a_path_leads_from_a_line_to_the_root_and_from_no_other(size: int) -> None:
    leaves = some(size)
    root = defined(leaves)
    for index in {0, 1, size // 2, size - 2, size - 1} & set(range(size)):
        found = path(leaves, index)
        assert root_by(leaves[index], index, size, found) == root
        assert root_by(leaf(b"another line"), index, size, found) != root
        assert root_by(leaves[index], index + 1, size, found) != root
        assert root_by(leaves[index], index, size, [*found, root]) is None
        if found:
            assert root_by(leaves[index], index, size, found[:-1]) is None
            changed = [*found[:-1], bytes(32)]
            assert root_by(leaves[index], index, size, changed) != root


def test_a_leaf_is_no_node() -> None:
    """Else two hashes could be passed off as a line."""
    left, right = some(2)
    assert leaf(left + right) != defined([left, right])
