"""What takes long: the ordinary command in a process of its own, followed, stopped, remembered."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

State = Literal["running", "done", "stopped", "failed"]
MOST_KEPT = 40  # results that are remembered
MOST_RESULT = 64 << 20  # bytes of a result
_ROOT = Path(__file__).parents[2]


@dataclass(slots=True)
class Job:
    """One command. `progress` is what it told last, `result` all that it wrote at its end."""

    number: int
    title: str
    words: tuple[str, ...]
    state: State = "running"
    progress: dict[str, Any] = field(default_factory=dict)
    result: bytes = b""
    status: int | None = None
    complaint: str = ""
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    process: asyncio.subprocess.Process | None = None

    @property
    def over(self) -> bool:
        return self.state != "running"

    async def tell(self) -> None:
        async with self.changed:
            self.changed.notify_all()


class Work:
    """All jobs of a workbench. Two equal questions about unchanged files are one job."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.jobs: OrderedDict[int, Job] = OrderedDict()
        self._by_question: dict[tuple[Any, ...], int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._next = 1
        self._room = asyncio.Semaphore(2)

    def ask(self, title: str, *words: str, about: tuple[Any, ...] = ()) -> Job:
        """A rulespec command whose result is kept; `about` says what else it depends on."""
        question = (words, about)
        known = self.jobs.get(self._by_question.get(question, 0))
        if known is not None and known.state in ("running", "done"):
            return known
        job = self.start(title, "rulespec", *words)
        self._by_question[question] = job.number
        return job

    def start(self, title: str, module: str, *words: str) -> Job:
        job = Job(self._next, title, (module, *words))
        self._next += 1
        self.jobs[job.number] = job
        while len(self.jobs) > MOST_KEPT:
            oldest = next((n for n, one in self.jobs.items() if one.over), None)
            if oldest is None:
                break
            del self.jobs[oldest]
        task = asyncio.get_running_loop().create_task(self._run(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return job

    async def stop(self, job: Job) -> None:
        if job.process is not None and not job.over:
            job.state = "stopped"
            with contextlib.suppress(ProcessLookupError):
                job.process.terminate()
        elif not job.over:
            job.state = "stopped"
        await job.tell()

    async def close(self) -> None:
        for job in self.jobs.values():
            await self.stop(job)
        for task in list(self._tasks):
            with contextlib.suppress(asyncio.CancelledError, asyncio.TimeoutError):
                await asyncio.wait_for(task, 5)

    async def _run(self, job: Job) -> None:
        async with self._room:
            if job.over:
                return
            try:
                await self._follow(job)
            except Exception as error:  # the page has to say something, whatever happened
                job.state, job.complaint = "failed", f"{type(error).__name__}: {error}"
            await job.tell()

    async def _follow(self, job: Job) -> None:
        # -P: nothing in the folder that is shown may pass for a module and run
        path = os.pathsep.join(p for p in (str(_ROOT), os.environ.get("PYTHONPATH", "")) if p)
        process = job.process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            *job.words,
            cwd=self.folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path, "NO_COLOR": "1"},
            limit=MOST_RESULT,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        said = asyncio.ensure_future(process.stderr.read(1 << 16))
        parts: list[bytes] = []
        size = 0
        while line := await process.stdout.readline():
            if line.startswith(b'{"progress":'):
                job.progress = json.loads(line)["progress"]
                await job.tell()
                continue
            size += len(line)
            if size > MOST_RESULT:
                process.kill()
                raise ValueError("the result is too large to be shown")
            parts.append(line)
        job.status = await process.wait()
        job.result, job.complaint = b"".join(parts), (await said).decode("utf-8", "replace")
        if job.state == "running":
            job.state = "done" if job.status in (0, 1, 2, 3) else "failed"
