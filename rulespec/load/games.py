"""Game files: which game a rulebook is of, looked for beside it and among those that ship."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from rulespec.base.diagnostics import Diagnostic
from rulespec.base.regular_files import read_regular
from rulespec.base.resources import folder
from rulespec.resolve.games import game_of_file
from rulespec.resolve.typecheck import did_you_mean
from rulespec.syntax.parse import MAX_BYTES, parse, read_text
from rulespec.tree import nodes as t
from rulespec.tree.game import Game
from rulespec.tree.kinds import FactInfo

_OPENING = re.compile(r'\bgame\s+(\w+)\s*""\s*\{([^}]*)\}')
_ALSO = re.compile(r"\balso\s+called\s+(\w+(?:\s*,\s*\w+)*)")
_USUAL = re.compile(r"\bcalled\s+(\w+)\s+where\b")


@dataclass(slots=True)
class Shelf:
    """The game files of a folder by all their names, and the name of the usual game."""

    files: dict[str, Path] = field(default_factory=dict)
    usual: str = ""


@cache
def _shipped() -> Shelf:
    return _shelf(folder("grammar") / "games")


def _shelf(place: Path) -> Shelf:
    """Files are not parsed for their names: a folder may hold many, and one is wanted."""
    found = Shelf()
    with suppress(OSError):
        for path in sorted(place.glob("*.game")):
            with suppress(OSError, UnicodeDecodeError):
                text = re.sub(r'"[^"\n]*"|#[^\n]*', _blank, read_regular(path, MAX_BYTES).decode())
                if opening := _OPENING.search(text):
                    also = (re.split(r"\s*,\s*", m[1]) for m in _ALSO.finditer(opening[2]))
                    for name in (opening[1], *(n for names in also for n in names)):
                        found.files.setdefault(name, path)
                    if usual := _USUAL.search(opening[2]):
                        found.usual = usual[1]
    return found


def _blank(match: re.Match[str]) -> str:
    return '""' if match.group().startswith('"') else ""


def usual_name() -> str:
    """What the game of a rulebook is called that names none."""
    return _shipped().usual


@cache
def shipped_game(name: str) -> Game:
    """A game that comes with rulespec, by one of its names."""
    game, wrong = _read(_shipped().files[name])
    assert game is not None, [d.message for d in wrong]
    return replace(game, called=name)


def shipped_files() -> list[Path]:
    """The game files that come with rulespec."""
    return sorted(set(_shipped().files.values()))


def shipped_games() -> list[Game]:
    """The games that come with rulespec, each once."""
    found = {path: name for name, path in reversed(_shipped().files.items())}
    return [shipped_game(name) for _, name in sorted(found.items())]


def ordinary_game() -> Game:
    """The game of a rulebook that names none."""
    return shipped_game(usual_name())


def game_for(
    rules: Path, documents: Sequence[t.Document]
) -> tuple[Game | None, list[Path], tuple[Diagnostic, ...]]:
    """The game of a rulebook, and the game file if it stands beside the rulebook."""
    items = (item for document in documents for item in document.items)
    header = next((item for item in items if isinstance(item, t.Header)), None)
    said = [p for p in header.properties if isinstance(p, t.Game)] if header else []
    if not said:
        return ordinary_game(), [], ()
    name = said[0].name
    own = _shelf(rules.parent).files
    if name in own:
        game, wrong = _read(own[name], _unreadable)
        return game and replace(game, called=name), [own[name]], wrong
    if name in _shipped().files:
        return shipped_game(name), [], ()
    known = list(dict.fromkeys((*own, *_shipped().files)))
    advice = did_you_mean(name, known, "put its game file beside the rulebook")
    message = f"there is no game `{name}`"
    advice = f"{advice}; games are {', '.join(known)}"
    return None, [], (Diagnostic("R128", message, said[0].span, help=advice),)


Checks = Callable[[Game, t.Document], Iterator[Diagnostic]]


def _read(path: Path, more: Checks | None = None) -> tuple[Game | None, tuple[Diagnostic, ...]]:
    text, wrong = read_text(path)
    if text is None:
        return None, tuple(wrong)
    document, wrong = parse(text, str(path))
    if document is None:
        return None, tuple(wrong)
    game, found = game_of_file(document, hashlib.sha256(text.encode()).hexdigest())
    return game, (*found, *(more(game, document) if game and more else ()))


def _unreadable(game: Game, document: t.Document) -> Iterator[Diagnostic]:
    """Facts that cannot be read off a round: the games that ship have all that can."""
    known: dict[str, FactInfo] = {}
    for other in shipped_games():
        if bool(other.hands) == bool(game.hands):
            for name, info in other.facts.items():
                hand, _, rest = name.partition(".")
                names = [f"{mine}.{rest}" for mine in game.hands] if hand in other.hands else [name]
                known.update(dict.fromkeys(names, info))
    for item in document.items:
        match item:
            case t.Declaration(what=FactInfo(definable=False) as info):
                if info.name not in known:
                    advice = did_you_mean(info.name, known, "`docs/vocabulary.md` lists the facts")
                    message = f"`{info.name}` cannot be read off a round"
                    yield Diagnostic("R132", message, item.span, help=advice)
                elif (read := known[info.name].kind).name != info.kind.name:
                    message = f"`{info.name}` is not {info.kind.describe()}"
                    advice = f"what is read off a round is {read.describe()}"
                    yield Diagnostic("R104", message, item.span, help=advice)
