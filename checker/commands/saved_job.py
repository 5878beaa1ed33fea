"""`rulespec.toml`: a saved job, as if its lines stood on the command line behind what stands there.

A checkout may bring such a file along. So it can only name what is read, and files to write below
its own folder; a key to sign with and a cluster are named on the command line.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import stat
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from glob import has_magic
from pathlib import Path
from typing import Any, Final

from checker.commands.output import UsageError, say, wrong_call

NAME: Final = "rulespec.toml"
_LARGEST: Final = 2**20
_WRITTEN: Final = ("output", "also", "quarantine", "store")
_NOT_HERE: Final = ("config", "no-config", "sign", "master", "results", "help")
_SECTIONS: Final = ("replay", "filters", "store")


@dataclass(frozen=True, slots=True)
class SavedJob:
    path: Path
    sha256: str
    lines: Mapping[str, Any]  # by the name of the option, without its dashes

    def as_json(self) -> dict[str, str]:
        return {"path": str(self.path), "sha256": self.sha256}


def with_saved_job(
    parser: argparse.ArgumentParser, words: list[str], register: Callable[[Any], None]
) -> tuple[list[str], SavedJob | None]:
    """The words of the command line, and behind them what a saved job says beyond them."""
    given = _given(type(parser), words, register)
    if given.get("no_config"):
        return words, None
    path = Path(given["config"]) if "config" in given else _found(Path.cwd())
    if path is None:
        return words, None
    job = _read(path, named="config" in given)
    if job is None:
        return words, None
    try:
        more = list(_words(job, parser, set(given)))
        _given(type(parser), more, register)  # a wrong value is told with the file it stands in
        return [*words, *more], job
    except UsageError as error:
        raise UsageError(error.prog, f"`{path}`: {error}", error.help) from None


def _given(
    kind: type[argparse.ArgumentParser], words: list[str], register: Callable[[Any], None]
) -> dict[str, Any]:
    """What stands on the command line itself."""
    subparsers = kind().add_subparsers(prog="rulespec", parser_class=kind)
    register(subparsers)
    (parser,) = subparsers.choices.values()
    for action in parser._actions:
        action.default = argparse.SUPPRESS
    given = vars(parser.parse_intermixed_args(words))
    return {name: value for name, value in given.items() if value not in ([], None)}


def _found(folder: Path) -> Path | None:
    """Upwards from the folder where the call is made."""
    for place in (folder, *folder.parents):
        path = place / NAME
        if path.is_file():
            return Path(os.path.relpath(path, folder))
    return None


def _read(path: Path, named: bool) -> SavedJob | None:
    """None where it belongs to another account and nobody named it."""
    try:
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            state = os.fstat(file.fileno())
            if not stat.S_ISREG(state.st_mode) or state.st_size > _LARGEST:
                wrong_call("replay", f"`{path}` is no saved job", "see docs/jobs.md")
            if not named and hasattr(os, "getuid") and state.st_uid not in (0, os.getuid()):
                say(f"`{path}` belongs to another account and is not used (--config {path})")
                return None
            content = file.read(state.st_size)
        document = tomllib.loads(content.decode())
    except OSError as error:
        wrong_call("replay", f"`{path}` cannot be read: {(error.strerror or '').lower()}")
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        wrong_call("replay", f"`{path}` is not TOML: {' '.join(str(error).split())[:200]}")
    return SavedJob(path, hashlib.sha256(content).hexdigest(), _flat(path, document))


def _flat(path: Path, document: Mapping[str, Any]) -> dict[str, Any]:
    lines: dict[str, Any] = {}
    for section, found in document.items():
        if section not in _SECTIONS or not isinstance(found, dict):
            advice = "it has the sections " + ", ".join(f"[{one}]" for one in _SECTIONS)
            wrong_call("replay", f"`{path}`: there is no section `{section}`", advice)
        for key, value in found.items():
            name = "store" if (section, key) == ("store", "file") else key
            if name in lines:
                wrong_call("replay", f"`{path}`: `{key}` stands there twice")
            lines[name] = value
    return lines


def _words(job: SavedJob, parser: argparse.ArgumentParser, given: set[str]) -> Iterator[str]:
    options = {
        option.removeprefix("--"): action
        for action in parser._actions
        for option in action.option_strings
        if option.startswith("--") and option[2:] not in _NOT_HERE
    }
    for key, value in job.lines.items():
        if key == "logs":
            if "logs" not in given:
                yield from _logs(job, value)
            continue
        action = options.get(key)
        if action is None:
            from rulespec.resolve.typecheck import did_you_mean

            known = ", ".join(sorted(["logs", *options]))
            advice = did_you_mean(key, ["logs", *options], f"one of {known}")
            wrong_call("replay", f"there is no key `{key}` here", advice)
        words = list(_option(job, key, value, action))
        if action.dest not in given:
            yield from words


def _option(job: SavedJob, key: str, value: Any, action: argparse.Action) -> Iterator[str]:
    if action.nargs == 0:
        if not isinstance(value, bool):
            wrong_call("replay", f"`{key}` is true or false")
        yield from [f"--{key}"] if value else []
        return
    several = isinstance(value, list)
    texts = [_text(key, one) for one in (value if several else [value])]
    if key in _WRITTEN:
        texts = [_below(job, key, one) for one in texts]
    elif key == "rules":
        texts = [_rules(job, one) for one in texts]
    if several and not isinstance(action, argparse._AppendAction):
        if key != "fail-on":
            wrong_call("replay", f"`{key}` takes one value")
        texts = [",".join(texts)]
    for text in texts:
        yield f"--{key}={text}"


def _text(key: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | date | datetime):
        help = "write it in quotes" if isinstance(value, float) else ""
        wrong_call("replay", f"`{key}` is no text, number or date", help)
    text = value.isoformat() if isinstance(value, date) else str(value)
    if "\0" in text:
        wrong_call("replay", f"`{key}` holds a zero byte")
    return text


def _logs(job: SavedJob, value: Any) -> Iterator[str]:
    names: Sequence[Any] = value if isinstance(value, list) else [value]
    for name in names:
        path = _text("logs", name)
        path = path if path == "-" else str(job.path.parent / path)
        yield f"./{path}" if path.startswith("-") and path != "-" else path  # no option


def _rules(job: SavedJob, name: str) -> str:
    """An id, or a path from the folder of the job."""
    path = job.path.parent / name
    there = path.exists() or name.endswith(".rules") or has_magic(name)
    return str(path) if there else name


def _below(job: SavedJob, key: str, name: str) -> str:
    """A file to write: only below the folder of the job."""
    folder = job.path.parent
    path = folder / name
    home = os.path.realpath(folder)
    if os.path.commonpath([home, os.path.realpath(path)]) != home:
        wrong_call(
            "replay",
            f"`{key}` names `{name}`, which is not below the folder of the job",
            f"--{key} on the command line may name any file",
        )
    return str(path)
