"""The workbench as a server: addresses to pages, and what pages may ask to be done."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from decimal import Decimal
from importlib.resources import files
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlencode

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from checker.workbench.folder import Folder, Outside
from checker.workbench.guard import Guard
from checker.workbench.links import ADDRESSES, PAGES, live_link
from checker.workbench.logs import NotYet
from checker.workbench.page import Asked, Page
from checker.workbench.pages.findings import as_csv, as_excel, rows_of
from checker.workbench.pages.review import say
from checker.workbench.pages.worked import WORKED
from checker.workbench.processes.jobs import Job, Work
from checker.workbench.templating import Templates
from checker.workbench.workspace import STORE, NotHere, Workspace
from rulespec.base.errors import RulespecError
from rulespec.base.money import in_currency

STATIC = {"htmx.min.js": "text/javascript", "workbench.js": "text/javascript"}
STATIC |= {"workbench.css": "text/css", "mark.svg": "image/svg+xml"}
_PAUSE = 0.02  # seconds in which a page has its turn
_EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def application(folder: Folder, port: int, token: str | None = None, ahead: bool = False) -> Guard:
    """The whole of it, behind its guard. `ahead`: rulebooks are loaded before they are needed."""
    bench = Workbench(folder, ahead)
    routes = [
        *(Route(ADDRESSES[name], bench.page(name)) for name in PAGES),
        Route("/findings/export", bench.exported),
        Route("/worked/{what}", bench.worked),
        Route("/replay", bench.replay, methods=["POST"]),
        Route("/verify", bench.verify, methods=["POST"]),
        Route("/jobs/{job:int}", bench.job),
        Route("/jobs/{job:int}/events", bench.events),
        Route("/jobs/{job:int}/stop", bench.stop, methods=["POST"]),
        Route("/say", bench.said, methods=["POST"]),
        Route("/static/{name}", _static),
    ]
    handlers: Any = dict.fromkeys((RulespecError, Outside, 404, 500), bench.wrong)
    app = Starlette(routes=routes, lifespan=bench.lifespan, exception_handlers=handlers)
    return Guard(app, port, token)


class Workbench:
    def __init__(self, folder: Folder, ahead: bool) -> None:
        self.workspace = Workspace(folder)
        self.ahead, self.closing = ahead, False
        self.work = Work(folder.path)
        self.templates = Templates(live_link, live=True)

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        if self.ahead:
            steps = self._made_ready()
            next(steps, None)  # the first rulebook brings along what all of them need
            Thread(target=lambda: list(steps), daemon=True).start()
        yield
        self.closing = True
        self.workspace.logs.close()
        await self.work.close()

    def _made_ready(self) -> Iterator[None]:
        """Rulebooks are loaded before they are asked for: it takes longer than a page may."""
        for name in self.workspace.likely():
            for step in self.workspace.steps_to(name):
                if self.closing:
                    return
                with self.workspace.lock, suppress(RulespecError):
                    step()
                yield
                time.sleep(_PAUSE)

    # --- pages

    def page(self, name: str) -> Any:
        async def answer(request: Request) -> Response:
            asked = asked_of(request)
            made = await run_in_threadpool(self._made, name, asked)
            return self._drawn(request, made)

        return answer

    def _made(self, name: str, asked: Asked) -> Page:
        with self.workspace.lock:
            return PAGES[name](self.workspace, asked)

    def _drawn(self, request: Request, made: Page, status: int = 200) -> Response:
        in_place = made.part is not None and "hx-request" in request.headers
        template = made.part if in_place and made.part else made.template
        jobs = [job for job in self.work.jobs.values() if job.words[0] != "rulespec"]
        with in_currency(made.sign):
            text = self.templates.render(template, {**made.data, "jobs": jobs})
        return HTMLResponse(text, status)

    async def wrong(self, request: Request, error: Exception) -> Response:
        match error:
            case NotYet():
                data = {"title": "In a moment", "message": error.message, "help": error.help}
                return self._drawn(request, Page("not_yet.html", data), 202)
            case RulespecError():
                told, advice = error.message, error.help
                status = 404 if isinstance(error, NotHere) else 400
            case Outside() | HTTPException():
                told, advice, status = "there is nothing here", "", 404
            case _:
                told, advice, status = "a fault in the workbench itself", repr(error), 500
        data = {"title": "Not here", "message": told, "help": advice}
        return self._drawn(request, Page("wrong.html", data), status)

    # --- what takes long

    async def worked(self, request: Request) -> Response:
        """A part of a page that is a command of its own: its result, or that it is under way."""
        asked = asked_of(request)
        kind = WORKED.get(request.path_params["what"])
        if kind is None:
            raise NotHere("there is nothing here")
        words = kind.words(self.workspace, asked)
        job = self.work.ask(kind.title, *words, about=kind.about(self.workspace, asked))
        if not job.over:
            query = urlencode([(k, v) for k, vs in asked.values.items() for v in vs])
            again = f"{request.url.path}?{query}"
            data = {"title": kind.title, "again": again, "job": job}
            return self._drawn(request, Page("worked_wait.html", data))
        if not job.result or job.state != "done" or job.status == 2:
            data = {"title": kind.title, "complaint": job.complaint or "nothing came of it"}
            return self._drawn(request, Page("worked_failed.html", data))
        return self._drawn(request, await run_in_threadpool(kind.shown, job.result, asked))

    async def replay(self, request: Request) -> Response:
        form = await _form(request)
        logs = form.all("log")
        if not logs:
            raise NotHere("no log was chosen", "tick one or more")
        for log in logs:
            self.workspace.folder.file(log)
        rules = form.one("rules")
        named = self.workspace.rules_name(rules) if rules else ""
        title = f"replay of {', '.join(logs)}"
        module = "checker.workbench.processes.replay_log"
        job = self.work.start(title, module, STORE, named, *logs)
        return RedirectResponse(f"/jobs/{job.number}", 303)

    async def verify(self, request: Request) -> Response:
        """Of a run or a saved result: is it what this tool, these rules and these logs give?"""
        form = await _form(request)
        run, result = form.number("run"), form.one("result")
        if result:
            self.workspace.folder.file(result)
            words, title = ("result", f"./{result}"), result
        else:
            words, title = ("run", str(run)), f"run {run}"
        job = self.work.start(
            f"verification of {title}", "checker.workbench.processes.verify_run", *words
        )
        return RedirectResponse(f"/jobs/{job.number}", 303)

    def _job(self, request: Request) -> Job:
        job = self.work.jobs.get(request.path_params["job"])
        if job is None:
            raise NotHere("this job is over and forgotten")
        return job

    async def job(self, request: Request) -> Response:
        job = self._job(request)
        verified = None
        if job.words[0].endswith("verify_run") and job.state == "done" and job.result:
            verified = json.loads(job.result, parse_float=Decimal)
        data = {"title": job.title, "job": job, "verified": verified}
        return self._drawn(request, Page("job.html", data))

    async def events(self, request: Request) -> Response:
        """Progress as it comes (server-sent events)."""
        job = self._job(request)

        async def told() -> AsyncIterator[str]:
            while True:
                yield f"data: {json.dumps({'state': job.state, **job.progress})}\n\n"
                if job.over or await request.is_disconnected():
                    return
                async with job.changed:
                    try:
                        await asyncio.wait_for(job.changed.wait(), 5)
                    except TimeoutError:
                        continue

        return StreamingResponse(told(), media_type="text/event-stream")

    async def stop(self, request: Request) -> Response:
        job = self._job(request)
        await self.work.stop(job)
        return RedirectResponse(f"/jobs/{job.number}", 303)

    # --- reviews and files

    async def said(self, request: Request) -> Response:
        form = await _form(request)
        await run_in_threadpool(self._say, form)
        return RedirectResponse(_back(form.one("back")), 303)

    def _say(self, form: Asked) -> None:
        with self.workspace.lock:
            say(self.workspace, form)

    async def exported(self, request: Request) -> Response:
        asked = asked_of(request)
        rows = await run_in_threadpool(rows_of, self.workspace, asked)
        excel = asked.one("format") == "xlsx"
        content = await run_in_threadpool(as_excel if excel else as_csv, rows)
        name = f"findings.{'xlsx' if excel else 'csv'}"
        kind = _EXCEL if excel else "text/csv; charset=utf-8"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(content, media_type=kind, headers=headers)


def asked_of(request: Request) -> Asked:
    values = {name: request.query_params.getlist(name) for name in request.query_params}
    return Asked({k: str(v) for k, v in request.path_params.items()}, values)


async def _form(request: Request) -> Asked:
    text = (await request.body()).decode("utf-8", "replace")
    return Asked({}, parse_qs(text, max_num_fields=5000))


def _back(address: str) -> str:
    """Where a form wants to return to: a page of ours, never another site."""
    ours = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if ours and "\n" not in address and "\r" not in address else "/"


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in STATIC:
        return Response("there is nothing here", 404)
    content = files("checker.workbench").joinpath("static", name).read_bytes()
    return Response(content, media_type=STATIC[name])
