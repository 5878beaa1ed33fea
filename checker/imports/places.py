"""Keys and places in an import profile, for messages that point at them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Keys = tuple[str | int, ...]


def node_at(root: Any, keys: Keys) -> Any:
    node = root
    for key in keys:
        if node is None:
            break
        inner = None
        if isinstance(node.value, list):
            if isinstance(key, int) and node.id == "sequence" and key < len(node.value):
                inner = node.value[key]
            elif node.id == "mapping":
                inner = next((value for name, value in node.value if name.value == str(key)), None)
        if inner is None:
            break
        node = inner
    return node


def place_of(root: Any, keys: Keys) -> tuple[int, int]:
    node = node_at(root, keys)
    if node is None:
        return 1, 1
    return node.start_mark.line + 1, node.start_mark.column + 1


def key_place(root: Any, keys: Keys, key: object) -> tuple[int, int]:
    node = node_at(root, keys)
    for name, _ in node.value if node is not None and node.id == "mapping" else ():
        if name.value == str(key):
            return name.start_mark.line + 1, name.start_mark.column + 1
    return place_of(root, keys)


def scalars(node: Any, text: str) -> Iterator[Any]:
    if node.id == "scalar":
        if node.value == text:
            yield node
    else:
        for part in node.value:
            for inner in part if isinstance(part, tuple) else (part,):
                yield from scalars(inner, text)
