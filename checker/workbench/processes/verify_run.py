"""`rulespec verify` for the workbench, in a process of its own: of a run that the audit store
keeps, or of a saved result. What comes out goes to standard output as JSON."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from checker.workbench.processes.progress import Progress, end_orderly

if TYPE_CHECKING:
    from checker.evidence.saved_report import SavedReport


def main(words: list[str]) -> int:
    from checker.evidence.saved_report import load_report
    from checker.evidence.verify import verify
    from checker.log.exact_json import dumps
    from rulespec.base.errors import RulespecError

    kind, name = words
    end_orderly()
    try:
        saved = load_report(name, keep_text=True) if kind == "result" else _of_run(int(name))
        found = verify(saved, tick=Progress())
    except RulespecError as error:
        print(f"{error}\nhelp: {error.help}" if error.help else error, file=sys.stderr)
        return 2
    print(dumps({**found.as_json(), "rounds": saved.summary.get("rounds")}))
    return found.status


def _of_run(number: int) -> SavedReport:
    """The report as it stands in the store: all that was found, whatever a screen showed of it."""
    from checker.evidence.saved_report import SavedReport, check_shape
    from checker.store.selection import Selection
    from checker.store.store import Store
    from checker.workbench.workspace import STORE

    with Store(STORE) as store:
        run = store.run(number)
        limit = (run.envelope.get("options") or {}).get("limit")
        found = [one.finding for one in store.findings(Selection(run.id), limit=limit)]
    document = {**run.envelope, "findings": found}
    check_shape(f"run {number}", document)
    return SavedReport(STORE, document)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
