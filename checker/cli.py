"""The command `rulespec`: find the command that is meant, run it, and end in an orderly way.

Only the module of the command that is called is imported, so `rulespec --version` is immediate.
"""

from __future__ import annotations

import argparse
import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import NoReturn

from checker.commands import available, module_of
from checker.commands.output import CannotWrite, UsageError, say
from rulespec.base.errors import WrongCall
from rulespec.base.version import __version__

WRONG_CALL, FAULT, INTERRUPTED = 2, 70, 130


class Parser(argparse.ArgumentParser):
    """argparse, but a wrong call is one clear line, and options are never guessed from a part."""

    def __init__(self, **settings: object) -> None:
        settings.setdefault("allow_abbrev", False)
        settings.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(**settings)  # type: ignore[arg-type]
        self._given: dict[str, list[str]] = {}

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> object:
        """No option is passed over in silence: not an empty one, nor the first of two."""
        if action.option_strings and isinstance(action, argparse._StoreAction):
            if self._given.setdefault(action.dest, arg_strings) != arg_strings:
                raise argparse.ArgumentError(action, "it is given twice")
            # that an empty name stands for no rulebook is told as everywhere
            if action.dest != "rules" and not all(text.strip() for text in arg_strings):
                raise argparse.ArgumentError(action, "what is given is empty")
        return super()._get_values(action, arg_strings)

    def error(self, message: str) -> NoReturn:
        unknown = message.removeprefix("unrecognized arguments: ")
        if unknown == message:
            raise UsageError(self.prog, message)
        word = unknown.split()[0].partition("=")[0]
        if not word.startswith("-"):
            raise UsageError(self.prog, f"`{unknown}` is more than this command takes")
        options = [o for action in self._actions for o in action.option_strings]
        raise UsageError(self.prog, f"there is no option `{word}`", _did_you_mean(word, options))


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status (see the contract: 0, 1, 2, 3, 70)."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    gc.set_threshold(500_000, 10, 10)  # a command makes many objects that live to its end
    try:
        with _ending_in_order():
            return _run(arguments)
    except UsageError as error:
        say(f"{error.prog}: {error}")
        say(f"help: {error.help}")
        return WRONG_CALL
    except SystemExit as stop:  # how argparse ends after --help and --version
        return stop.code if isinstance(stop.code, int) else 0
    except KeyboardInterrupt:
        say("rulespec: interrupted")
        return INTERRUPTED
    except _Terminated as ended:
        say("rulespec: terminated")
        return ended.status
    except CannotWrite as error:
        say(f"rulespec: {error}")
        say(f"help: {error.help}")
        return WRONG_CALL
    except MemoryError:
        say("rulespec: there is not enough memory for this")
        say("help: a round or a file may be far larger than any real one")
        return WRONG_CALL
    except Exception as error:
        return _fault(error)


def _run(arguments: list[str]) -> int:
    commands = available()
    top = _top_parser(commands)
    if not arguments:
        top.print_help(sys.stderr)
        return WRONG_CALL
    name = arguments[0]
    if name.startswith("-"):
        top.parse_args(arguments[:1])  # --help and --version end here, anything else is an error
        raise UsageError("rulespec", f"a command comes before `{name}`")
    if name not in commands:
        advice = _did_you_mean(name, commands) or "`rulespec --help` lists the commands"
        raise UsageError("rulespec", f"there is no command `{name}`", advice)
    module = import_module(f"checker.commands.{module_of(name)}")
    subparsers = top.add_subparsers(prog="rulespec", parser_class=Parser)
    module.register(subparsers)
    parser, words = subparsers.choices[name], _names_kept(arguments[1:])
    if hasattr(module, "completed"):
        words = module.completed(parser, words)
    # Not through `top`: only so may options stand between and after the arguments.
    args = parser.parse_intermixed_args(words)
    try:
        status: int = module.run(args)
    except WrongCall as error:
        raise UsageError(f"rulespec {name}", error.message, error.help) from None
    return status


def _names_kept(arguments: list[str]) -> list[str]:
    """What stands behind `--` is a name, also where it looks like an option."""
    if "--" not in arguments:
        return arguments
    at = arguments.index("--")
    names = arguments[at + 1 :]
    return arguments[:at] + [f"./{n}" if n.startswith("-") and n != "-" else n for n in names]


class _Terminated(BaseException):
    """Somebody else ends the process. What is half written is removed on the way out."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.status = 128 + number


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """A signal that asks the process to end is an exception, as Ctrl-C is."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    process = os.getpid()

    def end(number: int, _: object) -> None:
        if os.getpid() == process:
            raise _Terminated(number)
        signal.signal(number, signal.SIG_DFL)  # a worker has nothing to put away
        os.kill(os.getpid(), number)

    names = ("SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    caught = [n for n in numbers if signal.getsignal(n) == signal.SIG_DFL]
    try:
        for number in caught:
            signal.signal(number, end)
        yield
    finally:
        for number in caught:
            signal.signal(number, signal.SIG_DFL)


def _top_parser(commands: dict[str, str]) -> Parser:
    width = max((len(name) for name in commands), default=0)
    listed = "\n".join(f"  {name:<{width}}  {text}" for name, text in commands.items())
    top = Parser(
        prog="rulespec",
        usage="rulespec COMMAND [options]",
        description="Check the written rules of casino table games, and what was played by them.",
        epilog=f"commands:\n{listed}\n\n`rulespec COMMAND --help` says more about a command.",
    )
    version = f"rulespec {__version__}"
    top.add_argument("--version", action="version", version=version, help="print the version")
    return top


def _did_you_mean(word: str, known: Sequence[str] | dict[str, str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word.lower(), list(known), n=1, cutoff=0.6)
    return f"did you mean `{near[0]}`?" if near else ""


def _fault(error: Exception) -> int:
    """Nothing that a user writes should lead here: the tool itself is broken."""
    if os.environ.get("RULESPEC_TRACEBACK"):
        import traceback

        traceback.print_exc()
    what = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    say(f"rulespec: a fault in rulespec itself: {what} (RULESPEC_TRACEBACK=1 shows where)")
    return FAULT


if __name__ == "__main__":
    raise SystemExit(main())
