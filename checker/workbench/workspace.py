"""What the pages work with: the folder, the audit store, rulebooks that are loaded, rounds."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from checker.graph import Graph, graph
from checker.log.indexed import IndexedLog
from checker.log.model import Round
from checker.log.read import LogLine, Quarantined, read_log
from checker.replay.find_round import shoe_before
from checker.replay.replay import Library
from checker.replay_logs import load_library
from checker.store.store import Run, Store
from checker.table.shoes import ShoeView
from checker.workbench.folder import Folder, Outside
from checker.workbench.logs import Logs
from rulespec.base.errors import LogError, RulespecError
from rulespec.base.money import common_sign
from rulespec.base.yaml_files import YamlError, load_yaml, yaml_text
from rulespec.load.find import shipped
from rulespec.load.named import Book, load_one

T = TypeVar("T")
STORE = "audit.sqlite"
SCENARIOS, CLAUSES = ".scenarios.yaml", ".clauses.yaml"
MOST_BOOKS = 64
MOST_OF_A_SHOE = 500  # rounds that are read to know what a shoe told
_NEAR = 20  # lines of a table in which its next round is looked for


class NotHere(RulespecError):
    """What an address names is not here."""


@dataclass(frozen=True, slots=True)
class Found:
    """A round of a log, and the lines of the rounds before and after it in its shoe."""

    round: Round
    log: str
    line: int
    before: int | None = None
    after: int | None = None
    view: ShoeView | None = None  # what its shoe told before; None where it was not followed
    indexed: bool = True


class Workspace:
    """One for a workbench. Pages are made one at a time, so nothing here is shared."""

    def __init__(self, folder: Folder, *, wait: bool = False) -> None:
        """`wait`: until a log is indexed, however long it is."""
        self.folder = folder
        self.lock = Lock()
        self.logs = Logs(wait=wait)
        self._books: OrderedDict[tuple[str, Any], Book] = OrderedDict()
        self._libraries: OrderedDict[tuple[str, Any], Library] = OrderedDict()
        self._made: OrderedDict[Any, Any] = OrderedDict()

    # --- the audit store

    @property
    def store_path(self) -> Path:
        return self.folder.path / STORE

    def store(self) -> Store:
        """The audit store, which a first replay makes."""
        return Store(self.store_path)

    @property
    def has_store(self) -> bool:
        return self.store_path.is_file()

    # --- rulebooks

    def known(self) -> dict[str, str]:
        """Every rulebook that can be named, with where it comes from."""
        found = dict.fromkeys(shipped(), "shipped")
        contents = self.folder.contents()
        found |= {one.name: "in the folder" for one in contents.rules}
        found |= {one.name: "an amendment in the folder" for one in contents.amendments}
        return found

    def rules_name(self, name: str) -> str:
        """The name as a command may take it: an id that ships (`id@day` too), or a file of the
        folder; never a path that leads elsewhere."""
        ident, _, day = name.partition("@")
        if ident in shipped() and (not day or day.replace("-", "").isdigit()):
            return name
        try:
            self.folder.file(name)
        except Outside:
            raise NotHere(f"there is no rulebook `{name}` here") from None
        if not name.endswith(".rules"):
            raise NotHere(f"`{name}` is no rule file")
        return f"./{name}"

    def stamp_of(self, name: str) -> Any:
        """Changes when the text does."""
        try:
            found = self.folder.file(name).stat()
        except Outside:
            return None
        return (found.st_mtime_ns, found.st_size)

    def book(self, name: str) -> Book:
        key = (name, self.stamp_of(name))
        if key not in self._books:
            asked = self.rules_name(name)
            path = str(self.folder.path / name) if asked.startswith("./") else asked
            book, found = load_one(path)
            if book is None or book.loaded.rulebook is None:
                why = found[0].message if found else "it cannot be used"
                raise NotHere(f"`{name}` cannot be loaded: {why}")
            self._keep(self._books, key, book)
        return self._books[key]

    def library(self, name: str) -> Library:
        key = (name, self.stamp_of(name))
        if key not in self._libraries:
            library, _ = load_library(self.book(name), force=True)
            self._keep(self._libraries, key, library)
        return self._libraries[key]

    def likely(self) -> list[str]:
        """Every rulebook, those first by which the newest run was judged."""
        named: list[str] = []
        if self.has_store:
            with suppress(RulespecError), self.store() as store:
                named = [text["id"] for text in store.run().envelope.get("rulebooks") or ()]
        known = self.known()
        return list(dict.fromkeys([*(one for one in named if one in known), *known]))

    def steps_to(self, name: str) -> list[Callable[[], object]]:
        """What loads all of a rulebook, in pieces for which a page can wait."""
        return [
            partial(self.library, name),
            partial(self.graph, name),
            partial(self.beside, name, SCENARIOS),
            partial(self.beside, name, CLAUSES),
        ]

    def graph(self, name: str) -> Graph:
        """How the clauses of a rulebook hang together."""
        return self._once(("graph", name, self.stamp_of(name)), lambda: self._graph(name))

    def _graph(self, name: str) -> Graph:
        text = self.book(name).loaded.rulebook
        assert text is not None
        return graph(text)

    def beside(self, name: str, ending: str) -> dict[str, Any]:
        """The YAML file of this ending beside a rule file; empty where there is none to use."""
        path = self.book(name).loaded.path
        file = path.with_name(path.stem + ending)
        stamp = file.stat().st_mtime_ns if file.is_file() else None
        return self._once((ending, str(file), stamp), lambda: _yaml(file) if stamp else {})

    def _once(self, key: Any, make: Callable[[], T]) -> T:
        if key not in self._made:
            self._keep(self._made, key, make())
        found: T = self._made[key]
        return found

    def sign(self, run: Run) -> str:
        """The sign of the money of a run: none where its texts speak of different money."""
        named = [text["id"] for text in run.envelope.get("rulebooks") or ()]
        texts = [self.book(name).loaded.rulebook for name in named if name in shipped()]
        return common_sign(text.currency for text in texts if text is not None)

    @staticmethod
    def _keep(kept: OrderedDict[Any, Any], key: Any, value: Any) -> None:
        kept[key] = value
        while len(kept) > MOST_BOOKS:
            kept.popitem(last=False)

    # --- rounds

    def round(self, log: str, line: int) -> Found:
        """The round on a line of a log."""
        try:
            path = self.folder.file(log)
        except Outside:
            raise NotHere(f"there is no log `{log}` in this folder") from None
        known = self.logs.of(path)
        if known is None:
            return self._searched(path, log, line)
        row = line - 1
        found = known.line(row) if 0 <= row < len(known.places) else None
        if not isinstance(found, Round):
            raise _no_round(found, log, line)
        before = _beside(known, found, known.places.before(row))
        after = _beside(known, found, known.places.after(row))
        view = shoe_before(known, row, found, most=MOST_OF_A_SHOE)
        return Found(found, log, line, before, after, view)

    def expect(self, logs: Iterable[str]) -> None:
        """Rounds of these logs will be looked at."""
        paths = []
        for log in logs:
            with suppress(Outside):
                paths.append(self.folder.file(log))
        self.logs.expect(paths)

    def _searched(self, path: Path, log: str, line: int) -> Found:
        """Where a log has no index, it is read up to the round."""
        before: dict[tuple[str, str | None], int] = {}
        try:
            for one in read_log(path):
                if one.line == line and isinstance(one, Round):
                    return Found(one, log, line, before.get((one.table, one.shoe)), indexed=False)
                if one.line >= line:
                    raise _no_round(one, log, line)
                if isinstance(one, Round):
                    before[one.table, one.shoe] = one.line
        except LogError as error:
            raise NotHere(str(error)) from None
        raise _no_round(None, log, line)


def _no_round(found: LogLine | None, log: str, line: int) -> NotHere:
    if isinstance(found, Quarantined):
        return NotHere(f"line {line} of `{log}` is no valid round: {found.reason}")
    return NotHere(f"`{log}` has no round on line {line}")


def _beside(log: IndexedLog, round_: Round, rows: Iterator[int]) -> int | None:
    """The line of the next round on the way that is of the same shoe."""
    for row in islice(rows, _NEAR):
        one = log.round(row)
        if one is not None and (one.rulebook, one.table) == (round_.rulebook, round_.table):
            return row + 1 if one.shoe == round_.shoe else None
    return None


def _yaml(path: Path) -> dict[str, Any]:
    try:
        found = load_yaml(yaml_text(path))
    except YamlError:
        return {}  # `rulespec check` says what is wrong with it
    return found if isinstance(found, dict) else {}
