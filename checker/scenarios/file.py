"""A scenario file as written: YAML with places, and nothing in it that is not understood."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from checker.log.decode import DecodeError, decode_round, short
from checker.log.known_words import KnownWords, is_value
from checker.log.model import Round, Unknown
from checker.log.script import ScriptError, numbered_events
from rulespec.base.diagnostics import Diagnostic
from rulespec.base.spans import Span
from rulespec.base.yaml_files import YamlError, with_places, yaml_text
from rulespec.resolve.rulebook import Rulebook
from rulespec.resolve.typecheck import did_you_mean

ADVICE = "`docs/scenarios.md` shows how scenarios are written"
NONE = "none"  # stands for findings without a clause


class ScenarioError(Exception):
    """A scenario file that cannot be used: all that is wrong with it, with the places."""

    def __init__(self, path: Path, found: list[Diagnostic]) -> None:
        super().__init__(f"`{path}`: {found[0].message}")
        self.found = found


class _Wrong(Exception):
    def __init__(self, reason: str, span: Span, help: str = ADVICE) -> None:
        super().__init__(reason)
        self.span = span
        self.help = help


@dataclass(slots=True)
class ScenarioFile:
    """The entries of a file and where each of their keys stands."""

    path: Path
    document: dict[str, Any]
    root: Any = field(repr=False, default=None)  # the node of the document, if it is a file's

    @property
    def entries(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.document["scenarios"]
        return found

    def span(self, *keys: str | int, line: int = 0) -> Span:
        """Where something stands; `line` of a text over several lines, from 1."""
        node = self.root
        if node is None:
            return Span(str(self.path), 1, 1, 1, 1)
        for key in keys:
            inner = _inner(node, key)
            if inner is None:
                break
            node = inner
        return _span(self.path, node, line)


def _inner(node: Any, key: str | int) -> Any:
    if isinstance(key, int):
        return node.value[key] if isinstance(node.value, list) and key < len(node.value) else None
    if node.id == "mapping":
        return next((value for name, value in node.value if name.value == str(key)), None)
    return None


def _span(path: Path, node: Any, line: int = 0) -> Span:
    start, end = node.start_mark, node.end_mark
    if line and node.id == "scalar" and node.style == "|":
        return Span(str(path), start.line + 1 + line, 1, start.line + 1 + line, 1)
    if node.id == "mapping" and node.value:
        start, end = node.value[0][0].start_mark, node.value[0][1].end_mark
    if end.line != start.line:
        return Span(str(path), start.line + 1, start.column + 1, start.line + 1, start.column + 2)
    return Span(str(path), start.line + 1, start.column + 1, end.line + 1, end.column + 1)


# --- the file


def read_scenarios(path: Path, rulebook: Rulebook) -> ScenarioFile:
    """The file, sound in its shape; ScenarioError says all that is not."""
    nowhere = Span(str(path), 1, 1, 1, 1)

    def refuse(reason: str, span: Span = nowhere, help: str = ADVICE) -> ScenarioError:
        return ScenarioError(path, [Diagnostic("R011", reason, span, rulebook.id, help=help)])

    try:
        document, root = with_places(yaml_text(path))
    except YamlError as error:
        place = Span(str(path), error.line, error.column, error.line, error.column + 1)
        raise refuse(f"cannot read `{path}`: {error}", place) from None
    if root is None or not isinstance(document, dict):
        raise refuse("this is no mapping with `rulebook` and `scenarios`")
    found = ScenarioFile(path, document, root)
    twice = [
        Diagnostic(
            "R011",
            f"`{key.value}` is given twice",
            _span(path, key),
            rulebook.id,
            help="leave one of them out",
        )
        for key in _twice(root, set())
    ]
    if twice:
        raise ScenarioError(path, twice)
    _check_shape(found, rulebook)
    if document["rulebook"] != rulebook.id:
        raise refuse(
            f"this is about `{document['rulebook']}`, not `{rulebook.id}`", found.span("rulebook")
        )
    return found


def _twice(node: Any, seen: set[int]) -> Iterator[Any]:
    """Keys that stand twice in one mapping, of which YAML would silently take the last."""
    if id(node) in seen or not isinstance(node.value, list):
        return
    seen.add(id(node))
    names: set[object] = set()
    for part in node.value:
        if isinstance(part, tuple):
            key, value = part
            name = (key.tag, key.value) if key.id == "scalar" else id(key)
            if name in names:
                yield key
            names.add(name)
            yield from _twice(value, seen)
        else:
            yield from _twice(part, seen)


def _check_shape(file: ScenarioFile, rulebook: Rulebook) -> None:
    import json
    from importlib.resources import files

    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    written = files("checker.scenarios").joinpath("scenario_schema.json").read_text("utf-8")
    schema = json.loads(written)
    try:
        error = best_match(Draft202012Validator(schema).iter_errors(file.document))
    except (ArithmeticError, RecursionError, ValueError):
        reason = "a number is out of range, or the file refers to itself"
        raise ScenarioError(
            file.path,
            [
                Diagnostic(
                    "R011",
                    reason,
                    file.span(),
                    rulebook.id,
                    help=ADVICE,
                )
            ],
        ) from None
    if error is None:
        return
    place = error.json_path.removeprefix("$").removeprefix(".") or "the file"
    message = " ".join(error.message.split())[:200]
    advice = ADVICE
    if error.validator == "additionalProperties":
        unknown = sorted(set(error.instance) - set(error.schema.get("properties", {})))
        message = f"`{unknown[0]}` is not known here"
        advice = did_you_mean(str(unknown[0]), error.schema["properties"], ADVICE)
    elif error.validator == "type" and "string" in str(error.validator_value):
        advice = "put it in quotes, so that it is read as it is written"
    span = file.span(*error.absolute_path)
    raise ScenarioError(
        file.path,
        [
            Diagnostic(
                "R011",
                f"{place}: {message}",
                span,
                rulebook.id,
                help=advice,
            )
        ],
    )


# --- one scenario


@dataclass(slots=True)
class Reader:
    """Reads the entries of one file for one rulebook, and gathers what is wrong with them."""

    file: ScenarioFile
    rulebook: Rulebook
    found: list[Diagnostic] = field(default_factory=list)
    _clauses: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        texts = self.rulebook.texts
        self._clauses = frozenset(clause.id for text in texts for clause in text.clauses)

    def complain(self, number: int, reason: str, key: str, help: str = ADVICE) -> None:
        span = self.file.span("scenarios", number, key)
        self.found.append(Diagnostic("R011", reason, span, self.rulebook.id, help=help))

    def rounds(self, number: int, at: datetime) -> tuple[Round, ...] | None:
        """The rounds of an entry, or None when something in it cannot be used."""
        entry = self.file.entries[number]
        try:
            self._check(number, entry)
            return tuple(self._rounds(number, entry, at))
        except _Wrong as wrong:
            self.found.append(
                Diagnostic(
                    "R011",
                    f"scenario `{entry['name']}`: {wrong}",
                    wrong.span,
                    self.rulebook.id,
                    help=wrong.help,
                )
            )
            return None

    def time(self, number: int, ordinary: datetime) -> datetime | None:
        entry = self.file.entries[number]
        if "at" not in entry:
            return ordinary
        at: datetime | None
        try:
            at = datetime.fromisoformat(entry["at"])
        except ValueError:
            at = None
        if at is None or at.tzinfo is None or "T" not in entry["at"]:
            reason = f"scenario `{entry['name']}`: `{entry['at']}` is not a time with its zone"
            self.complain(number, reason, "at", "such as 2024-08-20T21:00:00+10:00")
            return None
        return at

    def _check(self, number: int, entry: dict[str, Any]) -> None:
        for place, option in enumerate(entry.get("options", ())):
            game = self.rulebook.game
            name, chosen, value = option.partition("=")
            known: Collection[str] = game.choices if chosen else game.options
            span = self.file.span("scenarios", number, "options", place)
            if name not in known:
                advice = did_you_mean(name, known, "`docs/vocabulary.md` lists the options")
                raise _Wrong(f"there is no option `{option}`", span, advice)
            if chosen and not is_value(game.choices[name], value):
                values = game.choices[name].values
                advice = f"one of {', '.join(values)}" if values else "see its declaration"
                raise _Wrong(f"`{value}` is not a value of the choice `{name}`", span, advice)
        for key in ("clauses", "breaches", "undecided", "decides"):
            for place, clause in enumerate(entry.get(key, ())):
                if str(clause) in self._clauses or (clause == NONE and key != "decides"):
                    continue
                span = self.file.span("scenarios", number, key, place)
                advice = did_you_mean(str(clause), self._clauses, "name a clause of this rulebook")
                raise _Wrong(f"{key}: there is no clause `{clause}`", span, advice)
        for wager, amount in entry.get("returns", {}).items():
            bet, bets = wager.split()[-1], self.rulebook.game.bets
            if bet not in bets:
                span = self.file.span("scenarios", number, "returns", wager)
                advice = did_you_mean(bet, bets, "one of " + ", ".join(bets))
                raise _Wrong(f"there is no bet `{bet}`", span, advice)
            if amount != "undecided" and not _is_money(amount):
                span = self.file.span("scenarios", number, "returns", wager)
                raise _Wrong(
                    f"`{amount}` is not an amount of money",
                    span,
                    "at most two decimals, or `undecided`",
                )

    def _rounds(self, number: int, entry: dict[str, Any], at: datetime) -> Iterator[Round]:
        several = isinstance(entry["play"], list)
        scripts = entry["play"] if several else [entry["play"]]
        for place, script in enumerate(scripts):
            document: dict[str, Any] = {
                "format": 1,
                "round": f"{entry['name']} {place + 1}",
                "table": "T1",
                "at": (at + timedelta(minutes=place)).isoformat(),
                "rulebook": self.rulebook.id,
                "decks": entry.get("decks", 6),
                "options": entry.get("options", []),
                "limits": self._exact(entry.get("limits", {}), number),
            }
            if "meters" in entry:
                document["meters"] = self._exact(entry["meters"], number)
            if len(scripts) > 1 or "shoe" in entry:
                document["shoe"] = entry.get("shoe", "S1")
            keys = ("scenarios", number, "play", *((place,) if several else ()))
            try:
                lines = numbered_events(script, self.rulebook.game)
                document["events"] = [event for _, event in lines]
                round_ = decode_round(document, place + 1)
            except ScriptError as error:
                span = self.file.span(*keys, line=error.line)
                raise _Wrong(str(error), span, error.help or ADVICE) from None
            except DecodeError as error:
                raise self._not_a_round(str(error), lines, number, keys) from None
            for reason in _slips(round_, KnownWords(self.rulebook.game)):
                raise self._not_a_round(reason, lines, number, keys)
            self._check_hands(round_, lines, keys)
            yield round_

    def _not_a_round(
        self, reason: str, lines: list[tuple[int, Any]], number: int, keys: tuple[str | int, ...]
    ) -> _Wrong:
        """What the decoder says, with the line of the script that it is about."""
        if reason.startswith("events["):
            index, _, rest = reason.removeprefix("events[").partition("].")
            line = lines[int(index)][0]
            return _Wrong(f"line {line}: {rest}", self.file.span(*keys, line=line))
        key = reason.partition(":")[0].partition(".")[0]
        return _Wrong(reason, self.file.span("scenarios", number, key))

    def _check_hands(
        self, round_: Round, lines: list[tuple[int, Any]], keys: tuple[str | int, ...]
    ) -> None:
        """A hand that no split has made cannot be dealt to, played or declared void."""
        from checker.log import model as r
        from checker.table.state import Table

        table = Table(round_)
        for event in round_.events:
            if isinstance(event, r.Deal | r.Play | r.Void | r.Withdraw) and event.box:
                hand = event.hand or 1
                if hand > 1 and hand not in table.box(event.box).hands:
                    line = lines[event.n][0]
                    raise _Wrong(
                        f"line {line}: box {event.box} has no hand {hand} then",
                        self.file.span(*keys, line=line),
                        "a split makes the next hand of a box",
                    )
            table.apply(event)

    def _exact(self, value: Any, number: int) -> Any:
        """Money of a YAML file: as written, never through a binary float."""
        if isinstance(value, float):
            if not math.isfinite(value):
                raise _Wrong(
                    f"limits: `{value}` is not an amount",
                    self.file.span("scenarios", number, "limits"),
                )
            return Decimal(str(value))
        if isinstance(value, dict):
            return {str(k): self._exact(v, number) for k, v in value.items()}
        return value


def _is_money(amount: object) -> bool:
    """A whole number of cents."""
    if isinstance(amount, float) and not math.isfinite(amount):
        return False
    cents = Decimal(str(amount)) * 100
    return cents == int(cents)


def _slips(round_: Round, words: KnownWords) -> Iterator[str]:
    """A word that is not known is a slip here: nobody else wrote the scenario."""
    keys = {"event": "e", "play": "do", "bet": "bet"}
    for event in words.known(round_).events:
        if isinstance(event, Unknown):
            key = keys.get(event.part, event.part)
            yield f"events[{event.n}].{key}: unknown {key} `{short(event.name)}`"
    for bet in sorted(round_.limits.keys() - words.game.bets.keys()):
        yield f"limits: unknown bet `{short(bet)}`"
