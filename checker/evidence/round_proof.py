"""One round shown to stand in a log of which only the root is known: its line, and the hashes that
lead from it to the root. Nothing else of the log is needed, or given away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from checker.evidence.merkle import leaf, path, root_by
from checker.evidence.saved_report import SavedReport, parse, read_text
from checker.log.decode import DecodeError, decode_line
from checker.log.exact_json import dumps
from checker.log.model import Round
from checker.log.open import open_log
from checker.log.read import BOM, MAX_LINE, split_lines
from rulespec.base.errors import WrongCall

SCHEMA: Final = "rulespec-proof/1"
_DEEPEST: Final = 64  # levels of a tree
_TOLD: Final = 5


class NoSuchRound(WrongCall):
    """Perhaps it is in another log."""


@dataclass(frozen=True, slots=True)
class RoundProof:
    log: str
    round: str
    table: str
    number: int  # of the line in the log, empty ones counted
    index: int  # among those that are not empty
    lines: int
    line: bytes
    path: tuple[bytes, ...]

    @property
    def root(self) -> str | None:
        found = root_by(leaf(self.line), self.index, self.lines, self.path)
        return None if found is None else found.hex()

    def as_json(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "log": self.log,
            "round": self.round,
            "table": self.table,
            "number": self.number,
            "index": self.index,
            "lines": self.lines,
            "line": self.line.decode(),
            "path": [one.hex() for one in self.path],
        }

    def written(self) -> bytes:
        return dumps(self.as_json(), indent=1).encode() + b"\n"


def prove_round(log: str, round_id: str, table: str | None, line: int | None) -> RoundProof:
    """From the whole log; LogError if it cannot be read, WrongCall if there is no such round."""
    opened = open_log(log)
    if opened.parquet:
        raise WrongCall(
            f"`{log}` is Parquet, which has no lines", "a proof needs a log of JSON Lines"
        )
    leaves: list[bytes] = []
    found: list[tuple[int, int, bytes, Round]] = []
    name = round_id.encode("utf-8", "surrogatepass")
    for one in split_lines(opened, MAX_LINE):
        if one.size > MAX_LINE:
            raise WrongCall(f"line {one.number} of `{log}` is too long for a proof")
        if one.raw:
            leaves.append(leaf(one.raw))
            # an id may be written with escapes; else the line holds its very bytes
            if line in (None, one.number) and (name in one.raw or b"\\u" in one.raw):
                round_ = _round(one.raw, one.number)
                if round_ and round_.id == round_id and table in (None, round_.table):
                    found.append((one.number, len(leaves) - 1, one.raw, round_))
    if not found:
        raise NoSuchRound(
            f"no round `{round_id}` in `{log}`", "`--table` and `--line` must fit too"
        )
    if len(found) > 1:
        places = ", ".join(f"line {n} (table {r.table})" for n, _, _, r in found[:_TOLD])
        more = f" and {len(found) - _TOLD} more" if len(found) > _TOLD else ""
        raise WrongCall(
            f"round `{round_id}` stands at {places}{more}", "say which with `--table` or `--line`"
        )
    number, index, raw, round_ = found[0]
    way = tuple(path(leaves, index))
    return RoundProof(log, round_.id, round_.table, number, index, len(leaves), raw, way)


def read_proof(file: str) -> RoundProof:
    """A proof that somebody hands in."""
    found = parse(file, read_text(file, 2 * MAX_LINE))
    help = "`rulespec verify RESULT LOG --round ID --proof FILE` writes one"
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise WrongCall(f"`{file}` is no proof of a round", help)
    try:
        texts = [found[name] for name in ("log", "round", "table", "line")]
        numbers = [found[name] for name in ("number", "index", "lines")]
        way = found["path"]
        if not all(isinstance(one, str) for one in (*texts, *way)) or len(way) > _DEEPEST:
            raise ValueError
        if not all(type(one) is int and 0 <= one < 1 << 62 for one in numbers):
            raise ValueError
        hashes = tuple(bytes.fromhex(one) for one in way)
        if any(len(one) != 32 for one in hashes):
            raise ValueError
        (log, round_, table, line), (number, index, lines) = texts, numbers
        return RoundProof(log, round_, table, number, index, lines, line.encode(), hashes)
    except (KeyError, TypeError, ValueError):
        raise WrongCall(f"`{file}` is no proof of a round", help) from None


def against(saved: SavedReport, proof: RoundProof) -> str | None:
    """Why the line is not shown to belong to a log of the report; None where it is."""
    round_ = _round(proof.line, proof.number)
    if round_ is None:
        return "the line of the proof is no valid round"
    if (round_.id, round_.table) != (proof.round, proof.table):
        return f"the line of the proof is of round `{round_.id}` at table `{round_.table}`"
    logs = [one for one in saved.inputs("log") if one.get("merkle_root")]
    if not logs:
        raise WrongCall(f"`{saved.path}` has no Merkle root of a log", "replay it again")
    if not any(
        one["merkle_root"] == proof.root and one.get("lines") == proof.lines for one in logs
    ):
        return "the line does not lead to the Merkle root of any log of the report"
    return None


def log_of(saved: SavedReport, proof: RoundProof) -> str:
    """The log of the report to which the proof leads."""
    logs = saved.inputs("log")
    return next(str(one["path"]) for one in logs if one.get("merkle_root") == proof.root)


def findings_of(saved: SavedReport, proof: RoundProof) -> list[dict[str, Any]]:
    """What the report says about the line."""
    log = log_of(saved, proof)
    return [
        one
        for one in saved.findings
        if (one.get("log", log), one["line"], one["round"]) == (log, proof.number, proof.round)
    ]


def _round(raw: bytes, number: int) -> Round | None:
    try:
        return decode_line(raw.removeprefix(BOM) if number == 1 else raw, number)
    except DecodeError:
        return None
