"""Is a report what this tool, these rules and these logs give? It is made again, and compared."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, Final, Literal

from checker import which_engine
from checker.evidence import signature
from checker.evidence.canonical import OUTSIDE, seal_of
from checker.evidence.find_inputs import (
    NOT_NAMED,
    compared_rules,
    find_logs,
    find_rules,
    last_name,
    sha256_of,
)
from checker.evidence.saved_report import SavedReport
from checker.log.exact_json import dumps
from checker.replay_logs import Replay, Tick
from checker.report import CLEAN, FINDINGS, UNUSABLE, UnusableRules
from rulespec.base.cache import code_hash
from rulespec.base.errors import LogError, RulesError, WrongCall
from rulespec.base.version import __version__

Part = Literal["report", "signature", "log", "rules", "tool", "result"]
_RENAMED: Final = {"from": "start", "to": "end"}  # options whose name is a word of Python
_OF_REVIEW: Final = "state"  # what an audit store said then is no part of the result
_OF_SOME: Final = ("rounds", "from", "to")  # not every engine looks at every round
_FILES: Final = ("path", "log")  # keys under which the place of a log stands


@dataclass(frozen=True, slots=True)
class Change:
    """Something is not as the report says."""

    part: Part
    message: str
    name: str | None = None  # a log, a rule file, a place in the report
    recorded: Any = None
    found: Any = None

    def as_json(self) -> dict[str, Any]:
        return {
            "part": self.part,
            "name": self.name,
            "message": self.message,
            "recorded": self.recorded,
            "found": self.found,
        }


@dataclass(slots=True)
class Verified:
    changes: list[Change] = field(default_factory=list)
    not_told: list[str] = field(default_factory=list)  # why it cannot be told
    notes: list[str] = field(default_factory=list)
    findings: int = 0  # that were compared
    again: bool = False  # whether it could be made again

    @property
    def status(self) -> int:
        """0 yes, 1 no, 2 cannot tell."""
        if self.changes:
            return FINDINGS
        return UNUSABLE if self.not_told else CLEAN

    @property
    def verdict(self) -> str:
        return {CLEAN: "yes", FINDINGS: "no", UNUSABLE: "cannot tell"}[self.status]

    def change(self, part: Part, message: str, *more: Any) -> None:
        self.changes.append(Change(part, message, *more))

    def as_json(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict,
            "changed": sorted({one.part for one in self.changes}),
            "changes": [one.as_json() for one in self.changes],
            "not_told": self.not_told,
            "notes": self.notes,
            "findings_compared": self.findings,
        }


def verify(
    saved: SavedReport,
    logs: Sequence[str] = (),
    key: Any = None,
    jobs: int | None = None,
    tick: Tick | None = None,
) -> Verified:
    """`logs` are those at hand, wherever they are; `key` the one that must have signed it; `tick`
    is called now and then while the rounds are judged again."""
    result = Verified()
    check_seal(saved, result, key)
    _check_tool(saved, result)
    where = find_logs(saved, logs)
    _check_logs(saved, where, result)
    if saved.document["options"].get("only") is not None:
        result.not_told.append("it shows findings of one state of review, which an audit store has")
    if saved.document["options"]["rules"] == "-":
        result.not_told.append("its rules came from standard input")
    if not result.not_told:
        _make_again(saved, {old: new for old, new in where.items() if new}, result, jobs, tick)
    return result


def check_seal(saved: SavedReport, result: Verified, key: Any) -> None:
    document = saved.document
    seal, signed = document.get("seal"), document.get("signature")
    if seal is None:
        result.notes.append("the report has no seal: it was not written by the command line")
    elif seal_of(document) != seal:
        message = "it was changed after it was written: its seal is broken"
        result.change("report", message, None, seal, seal_of(document))
    elif saved.is_written_otherwise:
        message = "it was changed after it was written: it says the same, with other bytes"
        result.change("report", message)
    if signed is None:
        if key is not None:
            result.change("signature", "the report is not signed")
        return
    own = signature.is_good(signed, seal_of(document))
    if key is not None and not signature.is_good(signed, seal_of(document), key):
        other = own and signed["key"] != signature.name_of(key)
        message = "it is signed with another key" if other else "the signature is not good"
        result.change("signature", message, None, signature.name_of(key), signed["key"])
    elif key is not None:
        result.notes.append(f"signed with key {signed['key']}")
    elif not own:
        result.change("signature", "the signature is not good")
    else:
        told = "the signature fits; `--key PUBLIC` tells whether it is of whom you think"
        result.notes.append(told)


def _check_tool(saved: SavedReport, result: Verified) -> None:
    tool = saved.document["tool"]
    if tool["version"] != __version__:
        message = f"it was made by rulespec {tool['version']}, and this is {__version__}"
        result.change("tool", message, None, tool["version"], __version__)
    elif "sha256" not in tool:
        result.notes.append("the report does not say by which code it was made")
    elif tool["sha256"] != code_hash().hex():
        message = f"it was made by other code of rulespec {__version__}"
        result.change("tool", message, None, tool["sha256"], code_hash().hex())


def _check_logs(saved: SavedReport, where: Mapping[str, str | None], result: Verified) -> None:
    if not where:
        result.not_told.append("the report names no log")
    for one in saved.inputs("log"):
        path, here = one["path"], where[one["path"]]
        if here is None:
            told = "standard input" if path == "-" else f"`{path}`"
            result.not_told.append(f"the log {told} is not at hand: name it behind the report")
        elif one["sha256"] is None:
            result.notes.append(f"the report has no hash of the log `{path}`")
        elif (now := sha256_of(here)) != one["sha256"]:
            result.change("log", "it is another file than was judged", path, one["sha256"], now)
        elif last_name(here) != last_name(path):
            result.notes.append(f"the log `{path}` of the report is `{here}` here")


# --- the report made again


def _make_again(
    saved: SavedReport,
    where: Mapping[str, str],
    result: Verified,
    jobs: int | None,
    tick: Tick | None,
) -> None:
    rules = find_rules(saved)
    asked = saved.document["options"]
    inputs: Sequence[Any] = ()
    try:
        replay = Replay(
            [where[one["path"]] for one in saved.inputs("log")],
            **_asked(asked),
            rules=rules,
            engine=_engine(saved.summary.get("engine"), result),
            jobs=jobs,
        )
        inputs = replay.read.inputs
        made = _plain(replay.to_end(tick).as_json())
        result.again = True
    except UnusableRules as error:
        inputs = error.report.inputs
        result.not_told.append(f"the rules cannot be used: {error.message}")
    except (RulesError, WrongCall, LogError) as error:
        result.not_told.append(f"it cannot be made again: {error.message}")
    for name, before, after in compared_rules(saved, [one.as_json() for one in inputs]):
        if not inputs:
            break
        if before == NOT_NAMED:
            result.notes.append(f"the rules here have `{name}` too, which the report does not name")
            continue
        if after is None and not result.again:
            continue  # it is told that it cannot be made again
        if after is None:
            result.change("rules", "it is not among the rules here", name, before, after)
        else:
            result.change("rules", "it is another text than judged then", name, before, after)
    if result.again:
        made["options"]["rules"] = asked["rules"]
        back = {new: old for old, new in where.items()}
        _compare(saved.document, _renamed(made, back), result)


def _asked(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a report as `Replay` takes them."""
    asked = {_RENAMED.get(name, name): value for name, value in options.items() if name != "rules"}
    unknown = sorted(set(asked) - set(Replay.__init__.__kwdefaults__ or {}))
    if unknown:
        raise WrongCall(f"this version does not know the option `{unknown[0][:40]}`")
    try:
        for name in _RENAMED.values():
            if asked.get(name) is not None:
                asked[name] = datetime.fromisoformat(asked[name])
    except (TypeError, ValueError):
        raise WrongCall(f"`{str(asked[name])[:40]}` is no time") from None
    return asked


def _engine(recorded: str | None, result: Verified) -> str:
    if recorded == "columns" and which_engine.columns_at_hand():
        return "columns"
    if recorded not in (None, "plain"):
        result.notes.append(f"it was made by the engine {recorded}, which is not used here")
        return "auto"
    return "plain"


def _plain(document: Any) -> Any:
    """As it is read from a file."""
    return json.loads(dumps(document), parse_float=Decimal)


def _renamed(value: Any, names: Mapping[str, str], key: str = "") -> Any:
    """The same with the logs named as the report names them."""
    if isinstance(value, dict):
        return {name: _renamed(one, names, name) for name, one in value.items()}
    if isinstance(value, list):
        return [_renamed(one, names, key) for one in value]
    if isinstance(value, str) and key in _FILES:
        return names.get(value, value)
    if isinstance(value, str) and key == "message":
        for here, there in names.items():
            value = value.replace(f"`{here}`", f"`{there}`")
    return value


# --- compared


def _compare(recorded: dict[str, Any], made: dict[str, Any], result: Verified) -> None:
    _compare_findings(recorded["findings"], made["findings"], result)
    # `config` is the file from which the options came, and they are compared
    apart = {"findings", "inputs", "tool", "config", *OUTSIDE}
    other_rules = any(one.part == "rules" for one in result.changes)
    for name in [*recorded, *(name for name in made if name not in recorded)]:
        if name in apart:
            continue
        for place, old, new in _differences(recorded.get(name), made.get(name), name):
            if place == "summary.engine" and old in which_engine.ENGINES:
                continue  # they give the same
            if other_rules and name == "rulebooks" and place.endswith(".sha256"):
                continue  # it is told of the file
            was, now = _apart(old, new)
            result.change("result", f"it says {was}, and {now} comes out", place, old, new)
    _compare_logs(recorded, made, result)
    _compare_names(recorded, made, result)


def _compare_names(recorded: dict[str, Any], made: dict[str, Any], result: Verified) -> None:
    """What nobody wrote there but somebody else."""
    rules = [
        (one, {"path", "sha256", "kind"}) for one in recorded["inputs"] if one["kind"] == "rules"
    ]
    for one, known in [*rules, (recorded["tool"], set(made["tool"]))]:
        for name in sorted(set(one) - known):
            result.change("result", f"it says {_short(one[name])}, which is not said here", name)


def _compare_logs(recorded: dict[str, Any], made: dict[str, Any], result: Verified) -> None:
    """What is told of the logs beside their hash, where that is the same."""
    mine, now = ([one for one in x["inputs"] if one["kind"] == "log"] for x in (recorded, made))
    for old, new in zip(mine, now, strict=True):
        if old["sha256"] != new["sha256"]:
            continue
        for name in sorted({*old, *new} - {"path"}):
            was, now = old.get(name), new.get(name)
            if name in _OF_SOME and None in (old.get("rounds"), new.get("rounds")):
                continue
            if name in old and was != now:  # an older report has fewer of them
                said = f"it says {_short(was)}, and {_short(now)} comes out"
                result.change("result", said, f"{old['path']}: {name}", was, now)


def _compare_findings(
    recorded: list[dict[str, Any]], made: list[dict[str, Any]], result: Verified
) -> None:
    waiting: dict[str, list[dict[str, Any]]] = {}
    for one in made:
        waiting.setdefault(one["fingerprint"], []).append(one)
    result.findings = len(recorded)
    changed = False
    for one in recorded:
        same = waiting.get(one["fingerprint"])
        if not same:
            result.change("result", f"does not come out: {_told(one)}", one["fingerprint"])
            changed = True
            continue
        other = same.pop(0)
        known = {name: value for name, value in one.items() if name != _OF_REVIEW}
        apart = list(_differences(known, other))
        for place, old, new in [x for x in apart if x[0] != "message"] or apart:
            was, now = _apart(old, new)
            said = f"{_told(one)}: `{place}` is {was}, and {now} comes out"
            result.change("result", said, one["fingerprint"], old, new)
            changed = True
    for others in waiting.values():
        for one in others:
            result.change("result", f"is not in the report: {_told(one)}", one["fingerprint"])
            changed = True
    if not changed and [f["fingerprint"] for f in recorded] != [f["fingerprint"] for f in made]:
        result.change("result", "the findings come out in another order")


def _differences(old: Any, new: Any, place: str = "") -> Iterator[tuple[str, Any, Any]]:
    if isinstance(old, dict) and isinstance(new, dict):
        for name in [*old, *(name for name in new if name not in old)]:
            inside = f"{place}.{name}" if place else name
            yield from _differences(old.get(name), new.get(name), inside)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _differences(one, other, f"{place}[{number}]")
    elif old != new or isinstance(old, bool) != isinstance(new, bool):
        yield place, old, new


def _told(finding: Mapping[str, Any]) -> str:
    clause = f" clause {finding['clause']}" if finding["clause"] else ""
    return f"{finding['code']}{clause}, round {finding['round']}, table {finding['table']}"


def _apart(old: Any, new: Any) -> tuple[str, str]:
    """The two, or of long texts what is around the first place where they differ."""
    if not (isinstance(old, str) and isinstance(new, str)) or max(len(old), len(new)) < 70:
        return _short(old), _short(new)
    pairs = enumerate(zip(old, new, strict=False))
    at = next((i for i, (a, b) in pairs if a != b), min(len(old), len(new)))
    start = max(at - 25, 0)
    was, now = (
        f"`{'…' * (start > 0)}{x[start : at + 25]}{'…' * (at + 25 < len(x))}`" for x in (old, new)
    )
    return was, now


def _short(value: Any) -> str:
    if isinstance(value, dict | list):
        return f"{len(value)} entries" if len(value) != 1 else "1 entry"
    text = "nothing" if value is None else f"`{value}`"
    return text if len(text) <= 80 else text[:79] + "…"
