"""A folder as an auditor has it: a log that was replayed, rule files, names that mean harm."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

from starlette.testclient import TestClient

from checker.replay_logs import Replay
from checker.workbench.folder import Folder
from checker.workbench.server import application

ROOT = Path(__file__).parents[2]
HARM = "</script><img src=x onerror=alert(1)>"
PORT = 8759
TOKEN = "a-token-for-the-tests"


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("audit")
    with gzip.open(ROOT / "examples" / "nz-pontoon.jsonl.gz", "rt", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    wrong = lines[2]
    for event in wrong["events"]:
        if "player" in event:
            event["player"] = HARM
        if event["e"] == "settle":
            event["returned"] = 99999
    with gzip.open(path / "september.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines[:600])
    shutil.copy(path / "september.jsonl.gz", path / "a&b <i>.jsonl.gz")
    shutil.copytree(ROOT / "examples" / "amendments", path / "amendments")
    (path.parent / "secret.jsonl").write_text("{}\n")
    (path / "out.jsonl").symlink_to(path.parent / "secret.jsonl")
    replayed(path)
    return path


def replayed(path: Path) -> None:
    import os

    before = os.getcwd()
    os.chdir(path)
    try:
        for _ in Replay(["september.jsonl.gz"], store="audit.sqlite"):
            pass
    finally:
        os.chdir(before)


@pytest.fixture
def client(folder: Path) -> Iterator[Any]:
    app = application(Folder(folder), PORT, TOKEN)
    base = f"http://127.0.0.1:{PORT}"
    with TestClient(app, base_url=base, follow_redirects=False) as made:
        made.cookies.set(f"rulespec-{PORT}", TOKEN)
        yield made
