"""JSON and JSON Lines: documents with exact numbers, and flat rows out of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from checker.imports.fields import inside, text_of
from checker.imports.files import NOT_READ, FileError, kind_of
from checker.imports.packed import open_unpacked
from checker.imports.profile import Read
from checker.log.read import MAX_LINE
from checker.log.strict_json import DecodeError, parse_json

Document = dict[str, Any]
MOST_BYTES = 1 << 29  # of a document that is read whole


class BadDocument:
    """Something that stands where a document should."""

    def __init__(self, reason: str, text: str) -> None:
        self.reason, self.text = reason, text


def documents(path: Path, read: Read) -> Iterator[Document | BadDocument]:
    """Each round or row of a file, in order."""
    if kind_of(path, read) == "jsonl":
        yield from _lines(path)
        return
    with open_unpacked(path) as file:
        raw = file.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise FileError(
            path,
            f"it has more than {MOST_BYTES:,} bytes, and a document is read whole",
            "export it as JSON Lines, one document to a line, or in parts",
        )
    try:
        whole = parse_json(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise FileError(path, f"it is not UTF-8: byte {error.start + 1}") from None
    except DecodeError as error:
        help = "if each line is a document of its own, say `read: {kind: jsonl}`"
        raise FileError(path, f"it is not JSON: {error}", help) from None
    found = inside(whole)(read.path) if read.path else whole
    if isinstance(found, dict) and not read.path:
        lists = [name for name, value in found.items() if isinstance(value, list)]
        if len(lists) != 1:
            help = f"say `read: path`, one of {', '.join(lists) or 'its keys'}"
            raise FileError(path, "it is one object, not a list", help)
        found = found[lists[0]]
    if not isinstance(found, list):
        raise FileError(
            path, f"`{read.path}` is no list in it", "`read: path` names the list of rows"
        )
    for one in found:
        yield one if isinstance(one, dict) else BadDocument("it is no object", text_of(one))


def _lines(path: Path) -> Iterator[Document | BadDocument]:
    with open_unpacked(path) as file:
        while line := file.readline(MAX_LINE + 1):
            if len(line) <= MAX_LINE:
                if line.strip():
                    yield _parsed(line.strip())
                continue
            yield BadDocument(
                f"its line has more than {MAX_LINE:,} bytes", line[:1000].decode(errors="replace")
            )
            while line and not line.endswith(b"\n"):
                line = file.readline(MAX_LINE)


def _parsed(line: bytes) -> Document | BadDocument:
    text = line.decode("utf-8-sig", "replace")
    try:
        found = parse_json(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return BadDocument("it is not UTF-8 text", text)
    except DecodeError as error:
        return BadDocument(f"it is not JSON: {error}", text)
    return found if isinstance(found, dict) else BadDocument("it is no object", text)


def flat_rows(
    path: Path, read: Read, wanted: Sequence[str] | None
) -> tuple[list[str], Iterator[list[str]]]:
    """The columns that are asked for, or all that the first documents have."""
    if wanted is None:
        names: dict[str, None] = {}
        for number, one in enumerate(documents(path, read)):
            if isinstance(one, dict):
                names.update(dict.fromkeys(one))
            if number > 100:
                break
        wanted = list(names)
    columns = list(wanted)

    def rows() -> Iterator[list[str]]:
        for one in documents(path, read):
            if isinstance(one, BadDocument):
                yield [NOT_READ + one.reason] * max(len(columns), 1)
            else:
                get = inside(one)
                yield [text_of(get(name)) for name in columns]

    return columns, rows()
