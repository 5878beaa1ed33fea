"""Small texts to call the commands on."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support import PATIENCE

ROOT = Path(__file__).resolve().parent.parent.parent

HEADER = 'rulebook example { title "Pontoon" in force from 2024-01-01 }\n'
SOUND = HEADER + 'clause 5.1 "A total of 21" { main wins when hand.total = 21 }\n'
FLAWED = HEADER + 'clause 5.1 "Doubled" { cites 5.9 as payout main wins when hand.doubled }\n'


def command(
    *arguments: str, data: bytes = b"", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """`rulespec …` as a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}
    done = subprocess.run(
        [sys.executable, "-m", "rulespec", *arguments],
        input=data,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
        env=environment,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )
