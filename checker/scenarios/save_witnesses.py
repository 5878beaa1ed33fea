"""The witnesses of proofs as scenario files, which `rulespec test` replays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from checker.evaluate.ready import new_engine
from checker.prove.findings import PROOF_CODES
from checker.scenarios.scenarios import as_judged
from rulespec.base.diagnostics import Diagnostic
from rulespec.resolve.rulebook import Rulebook


class _Block(str):
    """Text over several lines."""


def save_witnesses(folder: Path, rulebook: Rulebook, found: list[Diagnostic]) -> Path | None:
    """The witnesses of a rulebook as a scenario file; None when there are none.

    Each says what the evaluator makes of the round now: what is left open, what is broken and what
    is due by the readings. When the text is mended, the scenario tells."""
    import yaml

    engine = new_engine(rulebook)
    scenarios: list[dict[str, Any]] = []
    for diagnostic in found:
        witness = diagnostic.witness
        if diagnostic.code not in PROOF_CODES or not witness or "play" not in witness:
            continue
        clauses = [diagnostic.clause, *(r.clause for r in diagnostic.related)]
        entry: dict[str, Any] = {
            "name": f"{diagnostic.code} {diagnostic.fingerprint} {diagnostic.message}"[:180],
            "play": _Block(witness["play"]),
            "clauses": list(dict.fromkeys(clause for clause in clauses if clause)),
        }
        if witness["options"]:
            entry["options"] = witness["options"]
        scenarios.append(entry | as_judged(engine, entry))
    if not scenarios:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{rulebook.id}.scenarios.yaml"
    document = {"rulebook": rulebook.id, "scenarios": scenarios}

    def block(dumper: Any, text: str) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style="|")

    class Dumper(yaml.SafeDumper):
        pass

    Dumper.add_representer(_Block, block)
    text = yaml.dump(document, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=100)
    path.write_text(text, "utf-8")
    return path
