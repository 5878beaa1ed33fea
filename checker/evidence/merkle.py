"""A Merkle tree over the lines of a log, as RFC 6962 builds it: one line can be shown to belong to
a log of which only the root is known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final

_LEAF: Final = b"\0"
_NODE: Final = b"\1"
_BLOCK: Final = 12  # levels that are worked out at once: 4,096 lines


def leaf(line: bytes) -> bytes:
    return sha256(_LEAF + line).digest()


def node(left: bytes, right: bytes) -> bytes:
    return sha256(_NODE + left + right).digest()


class Tree:
    """The root of leaves that come one after another; it remembers a few dozen hashes."""

    def __init__(self) -> None:
        self.size = 0
        self._waiting: list[bytes] = []
        self._whole: list[tuple[int, bytes]] = []  # subtrees of 2^level leaves, largest first

    def add(self, leaves: Iterable[bytes]) -> None:
        before = len(self._waiting)
        self._waiting += leaves
        self.size += len(self._waiting) - before
        done = 0
        while len(self._waiting) - done >= 1 << _BLOCK:
            level = self._waiting[done : done + (1 << _BLOCK)]
            while len(level) > 1:
                pairs = zip(level[::2], level[1::2], strict=True)
                level = [sha256(_NODE + left + right).digest() for left, right in pairs]
            self._push(_BLOCK, level[0])
            done += 1 << _BLOCK
        del self._waiting[:done]

    def _push(self, level: int, root: bytes) -> None:
        while self._whole and self._whole[-1][0] == level:
            root = node(self._whole.pop()[1], root)
            level += 1
        self._whole.append((level, root))

    def root(self) -> bytes:
        """The tree is done with."""
        for one in self._waiting:
            self._push(0, one)
        self._waiting = []
        roots = [root for _, root in self._whole]
        if not roots:
            return sha256().digest()
        found = roots.pop()
        while roots:
            found = node(roots.pop(), found)
        return found


def path(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """What has to be joined to one leaf, from the leaf up, to come to the root."""
    if len(leaves) == 1:
        return []
    half = _half(len(leaves))
    left, right = leaves[:half], leaves[half:]
    if index < half:
        return [*path(left, index), _root(right)]
    return [*path(right, index - half), _root(left)]


def root_by(found: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """The root to which a path leads from a leaf; None where it cannot be such a path."""
    if not 0 <= index < size:
        return None
    first, last = index, size - 1
    for other in path:
        if last == 0:
            return None
        if first % 2 or first == last:
            found = node(other, found)
            while not first % 2 and first:
                first, last = first >> 1, last >> 1
        else:
            found = node(found, other)
        first, last = first >> 1, last >> 1
    return found if last == 0 else None


def _half(size: int) -> int:
    """The largest power of two below it."""
    return 1 << ((size - 1).bit_length() - 1)


def _root(leaves: Iterable[bytes]) -> bytes:
    tree = Tree()
    tree.add(leaves)
    return tree.root()
