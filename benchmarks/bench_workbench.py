"""How long the pages of the workbench take with a large run, and how much memory it holds.

    python benchmarks/bench_workbench.py [FINDINGS] [ROUNDS]

The run is a simulated log with its real findings, repeated with other fingerprints until it has so
many; the log has so many rounds. Times are of the whole answer, the slowest of five after the
first. A long log is indexed in a process of its own once its findings or a round are looked at.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import ExitStack
from pathlib import Path

ROOT = Path(__file__).parent.parent


def fill(folder: Path, findings: int, rounds: int) -> None:
    from checker.replay_logs import Replay
    from checker.store.store import Store

    with gzip.open(ROOT / "examples" / "nz-pontoon.jsonl.gz") as file:
        lines = file.read().splitlines()
    with gzip.open(folder / "log.jsonl.gz", "wb", compresslevel=1) as file:
        for number in range(rounds):
            file.write(lines[number % len(lines)] + b"\n")
    source = Replay([str(ROOT / "examples" / "nz-pontoon.jsonl.gz")])
    found = [one.as_json() for one in source.to_end().findings]
    with Store(folder / "audit.sqlite", create=True) as store, store.new_run() as run:
        for number in range(findings):
            one = dict(found[number % len(found)])
            one["fingerprint"] = f"{number:016x}"
            one["line"] = 1 + (one["line"] - 1 + len(lines) * number) % rounds
            one["log"] = "log.jsonl.gz"
            one["at"] = f"2024-{number % 12 + 1:02d}-{number % 28 + 1:02d}T12:00:00+12:00"
            one["player"] = f"P{number % 4000}"
            run.add(one)
        envelope = source.report().as_json()
        envelope["summary"] = {**dict(envelope["summary"]), "rounds": rounds}  # type: ignore
        run.finish(json.loads(json.dumps(envelope, default=str)), 1)


def memory(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) // 1024  # type: ignore[index]


def main() -> None:
    findings = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 200_000
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        fill(folder, findings, rounds)
        cache = {"XDG_CACHE_HOME": str(folder / ".cache")}  # as on the first day
        call = [sys.executable, "-m", "rulespec", "serve", made, "--no-open", "--port", "0"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), **cache}
        with (
            subprocess.Popen(call, stdout=subprocess.PIPE, text=True, env=environment) as server,
            ExitStack() as finish,
        ):
            assert server.stdout is not None
            finish.callback(server.terminate)
            address, _, token = server.stdout.readline().strip().partition("/?token=")
            port = address.rpartition(":")[2]
            pages = {
                "start": "/",
                "findings": "/findings",
                "findings, one clause": "/findings?clause=9.3",
                "findings, by amount": "/findings?order=amount&state=open",
                "findings, last page": "/findings?page=999999",
                "findings, words": "/findings?words=overpaid",
                "a late round": f"/round?log=log.jsonl.gz&line={rounds - 9}&run=1&n=3",
                "a round in the middle": f"/round?log=log.jsonl.gz&line={rounds // 2}&run=1&n=3",
                "clause": "/clause?rules=nz-pontoon&clause=9.3",
                "rulebook": "/rulebook?rules=nz-pontoon",
                "reviews": "/review",
                "try": "/try?rules=nz-pontoon&play=bet%201%20P1%2010",
            }
            print(f"{findings:,} findings, {rounds:,} rounds")

            def ask(page: str) -> tuple[int, float]:
                asked = urllib.request.Request(
                    address + page, headers={"Cookie": f"rulespec-{port}={token}"}
                )
                begun = time.perf_counter()
                with urllib.request.urlopen(asked, timeout=60) as answer:
                    answer.read()
                return answer.status, time.perf_counter() - begun

            late = f"/round?log=log.jsonl.gz&line={rounds - 5}&run=1&n=3"
            ask("/")  # the server has begun
            begun, slowest = time.perf_counter(), 0.0
            while True:
                status, took = ask(late)
                if status == 200:
                    break
                slowest = max(slowest, took)
                time.sleep(0.5)
            indexed = time.perf_counter() - begun
            print(f"  indexed after          {indexed:7.1f} s, meanwhile {slowest * 1000:.0f} ms")
            print(f"  a late round           {took * 1000:7.0f} ms, the first one")
            for name, page in pages.items():
                times = [ask(page)[1] for _ in range(6)]
                slowest = max(times[1:])
                print(f"  {name:<22} {slowest * 1000:7.0f} ms")
            print(f"  memory                 {memory(server.pid):7,} MB")


if __name__ == "__main__":
    main()
