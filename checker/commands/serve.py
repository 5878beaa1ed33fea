"""`rulespec serve`: the workbench in a browser, on this machine only."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from checker.commands.output import add_command, emit, note, wrong_call

if TYPE_CHECKING:
    from checker.commands.output import Subparsers

PORT = 8750
_NEEDED = ("starlette", "uvicorn", "jinja2", "xlsxwriter")


def register(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "serve",
        "Open the audit in a browser: logs, findings, rounds, clauses, changes, reviews.\nOnly "
        "this machine can reach it, and nothing outside FOLDER is read.",
    )
    parser.add_argument(
        "folder", nargs="?", default=".", metavar="FOLDER", help="logs, results, rule files"
    )
    parser.add_argument(
        "--port", type=_port, default=PORT, metavar="N", help=f"the port ({PORT}; 0: any)"
    )
    parser.add_argument("--no-open", action="store_true", help="do not open a browser")
    parser.add_argument(
        "--export", type=Path, metavar="DIR", help="write the pages of a run to DIR, serve nothing"
    )
    parser.add_argument(
        "--run", type=int, metavar="N", help="with --export: this run, not the newest"
    )


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text) < 65536:
        return int(text)
    raise argparse.ArgumentTypeError(f"`{text}` is no port; give a number from 0 to 65535")


def run(args: argparse.Namespace) -> int:
    from importlib.util import find_spec

    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        wrong_call(
            "serve",
            f"the workbench needs the package `{missing[0]}`",
            "pip install 'rulespec[web]'",
        )
    if not Path(args.folder).is_dir():
        wrong_call("serve", f"there is no folder `{args.folder}`")
    return _export(args) if args.export is not None else _serve(args)


def _export(args: argparse.Namespace) -> int:
    from checker.render.lines import line
    from checker.report import Report
    from checker.workbench.export import Export
    from checker.workbench.folder import Folder

    if args.export.exists() and (not args.export.is_dir() or any(args.export.iterdir())):
        wrong_call(
            "serve", f"`{args.export}` is there already", "name a folder that is new or empty"
        )
    made = Export(Folder(args.folder), args.export, args.run)
    count = made.write()
    begin = args.export / "index.html"
    if made.left_out:
        note(args, f"{made.left_out:,} links lead to pages that were left out")
    summary = {"pages": count, "open": str(begin), "left_out": made.left_out}
    report = Report("serve", [], [], (), summary)
    return emit(args, report, lambda view: [line(f"{count:,} pages; open {begin}")])


def _serve(args: argparse.Namespace) -> int:
    import socket
    import webbrowser

    import uvicorn

    from checker.render.lines import line
    from checker.report import Report
    from checker.workbench.folder import Folder
    from checker.workbench.server import application

    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", args.port))
        listening.listen(128)  # who opens the address at once is kept waiting, not turned away
    except OSError:
        wrong_call("serve", f"port {args.port} is taken", "--port 0 takes any that is free")
    port = listening.getsockname()[1]
    app = application(Folder(args.folder), port, ahead=True)
    address = f"http://127.0.0.1:{port}/?token={app.token}"
    report = Report("serve", [], [], (), {"address": address})
    emit(args, report, lambda view: [line(address)])
    note(args, "the workbench is open at this address, on this machine only; Ctrl-C ends it")
    if not args.no_open:
        webbrowser.open(address)
    config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False)
    uvicorn.Server(config).run([listening])
    return 0
