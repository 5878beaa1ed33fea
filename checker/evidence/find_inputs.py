"""Where the logs and rule files of a saved report are on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from hashlib import file_digest
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, Final

from checker.evidence.saved_report import SavedReport
from checker.log.find import log_files
from rulespec.base.errors import LogError, WrongCall
from rulespec.base.regular_files import open_regular

NOT_NAMED: Final = "not named"  # a rule file of which the report does not tell


def last_name(path: str) -> str:
    """The name of a file, as either kind of system writes paths."""
    return PureWindowsPath(path).name if "\\" in path else PurePosixPath(path).name


def sha256_of(path: str | Path) -> str | None:
    try:
        with open_regular(path) as file:
            return file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):
        return None


def find_logs(saved: SavedReport, given: Sequence[str]) -> dict[str, str | None]:
    """Each recorded log, and where it is here; None where it is not."""
    recorded = {one["path"]: one["sha256"] for one in saved.inputs("log")}
    try:
        at_hand = {name: sha256_of(name) for name in log_files(given)}
    except LogError as error:
        raise WrongCall(error.message, error.help) from None
    found: dict[str, str | None] = {}
    for path, sha256 in recorded.items():
        same = (name for name, other in at_hand.items() if other == sha256)
        found[path] = next(same, None)
    left = [name for name in at_hand if name not in found.values()]
    for path in recorded:
        if found[path] is None:
            found[path] = next((x for x in left if last_name(x) == last_name(path)), None)
            left = [name for name in left if name != found[path]]
    named = [name for name in left if name in given]  # what else lies in a folder is no matter
    lost = [path for path in recorded if found[path] is None]
    if len(named) == len(lost) == 1:
        found[lost[0]] = named.pop()
    if named:
        if at_hand[named[0]] is None:
            raise WrongCall(f"the log `{named[0]}` cannot be read", "check the name and the rights")
        raise WrongCall(
            f"`{named[0]}` is no log of this report, by its content or its name",
            "its logs are " + ", ".join(f"`{path}`" for path in list(recorded)[:8]),
        )
    for path, sha256 in recorded.items():
        if found[path] is None and path != "-":
            found[path] = _nearby(saved, path, sha256)
    return found


def _nearby(saved: SavedReport, path: str, sha256: str | None) -> str | None:
    """At its recorded place from the report or from here, or beside the report; where there are
    several, the one that is as it was."""
    there = [one for one in _places(saved, path) if os.path.isfile(one)]
    for one in there if len(there) > 1 else ():
        if sha256_of(one) == sha256:
            return one
    return there[0] if there else None


def _places(saved: SavedReport, path: str) -> Iterator[str]:
    for one in (saved.folder / path, Path(path), saved.folder / last_name(path)):
        yield os.fspath(one)


def find_rules(saved: SavedReport) -> str | None:
    """What `--rules` has to name here; None where the report named none."""
    asked = saved.document["options"]["rules"]
    ids = {one["id"] for one in saved.document["rulebooks"]}
    if asked is None or asked.partition("@")[0] in ids:
        return None if asked is None else str(asked)
    recorded = {last_name(one["path"]): one["sha256"] for one in saved.inputs("rules")}
    there = [one for one in _places(saved, asked) if os.path.exists(one)]
    for one in there:
        if sha256_of(one) == recorded.get(last_name(one)):
            return one
    return there[0] if there else str(asked)


def compared_rules(
    saved: SavedReport, now: Sequence[dict[str, Any]]
) -> Iterator[tuple[str, str | None, str | None]]:
    """Each rule file that is another now: its name, its hash then and now (None: it has none)."""
    before = [(last_name(one["path"]), one["sha256"]) for one in saved.inputs("rules")]
    after = [(last_name(one["path"]), one["sha256"]) for one in now if one["kind"] == "rules"]
    for one in list(before):
        if one in after:
            before.remove(one)
            after.remove(one)
    for name, sha256 in before:
        yield name, sha256, next((other for there, other in after if there == name), None)
    gone = {name for name, _ in before}
    for name, sha256 in after:
        if name not in gone:
            yield name, NOT_NAMED, sha256
