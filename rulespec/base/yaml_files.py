"""YAML files that people write beside rule files, read without trust."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rulespec.base.regular_files import read_regular

MAX_BYTES = 8 * 1024 * 1024
MAX_DEPTH = 40
MAX_PARTS = 1_000_000


class YamlError(ValueError):
    """The file cannot be used, and where."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.line, self.column = line, column


def yaml_text(path: Path) -> str:
    """The text of a file; YamlError where it is none that can be read."""
    try:
        return read_regular(path, MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise YamlError("it is not UTF-8 text") from None
    except OSError as error:
        raise YamlError((error.strerror or "it cannot be read").lower()) from None


def load_yaml(text: str) -> Any:
    """One document, of a size and depth that people write."""
    return with_places(text)[0]


def with_places(text: str) -> tuple[Any, Any]:
    """The document, and its nodes, which know where they stand."""
    import yaml

    kind = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        _check_size(yaml.parse(text, kind))
        loader = kind(text)
        try:
            root = loader.get_single_node()
            return (loader.construct_document(root) if root is not None else None), root
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise _wrong(f"it is not YAML: {reason}", mark) from None
    except YamlError:
        raise
    except (ValueError, RecursionError) as error:  # a day that does not exist, an endless number
        reason = str(error).partition(";")[0]
        raise YamlError(f"a value in it cannot be read: {reason}") from None


def _check_size(events: Iterator[Any]) -> None:
    """A few lines of aliases can stand for gigabytes: each counts as all that it stands for."""
    from yaml import events as e

    open_: list[tuple[str | None, int]] = []  # the anchors of what is not complete, what was before
    sizes: dict[str | None, int] = {}
    total = 0
    for event in events:
        if isinstance(event, e.AliasEvent):
            if event.anchor in [anchor for anchor, _ in open_]:
                raise _wrong("a part of it contains itself", event.start_mark)
            total += sizes.get(event.anchor, 1)
        elif isinstance(event, e.CollectionStartEvent):
            open_.append((event.anchor, total))
            total += 1
        elif isinstance(event, e.CollectionEndEvent):
            anchor, before = open_.pop()
            if anchor:
                sizes[anchor] = total - before
        elif isinstance(event, e.ScalarEvent):
            total += 1
            if event.anchor:
                sizes[event.anchor] = 1
        if len(open_) > MAX_DEPTH:
            raise _wrong(f"it is nested more than {MAX_DEPTH} deep", event.start_mark)
        if total > MAX_PARTS:
            raise _wrong(f"it stands for more than {MAX_PARTS:,} values", event.start_mark)


def _wrong(message: str, mark: Any) -> YamlError:
    return YamlError(message, mark.line + 1, mark.column + 1) if mark else YamlError(message)
