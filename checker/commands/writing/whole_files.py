"""Files that appear only when they are complete."""

from __future__ import annotations

import atexit
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from rulespec.base.errors import CannotWrite


class WholeFile:
    """A file in the making beside its place, which it takes with `keep`; else it was never there.

    Whoever reads the place sees the old file or the new one, never a part."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._made: Path | None = None
        with self._told():
            if path.exists() and not path.is_file():  # /dev/stdout, a named pipe
                self.file: IO[bytes] = path.open("wb")
                return
            self._place = path.resolve()  # a link keeps pointing to its file
            there = self._place.exists()
            self._mode = self._place.stat().st_mode & 0o777 if there else 0o666 & ~_umask()
            name = f".{self._place.name[:100]}.{os.urandom(6).hex()}"
            self._made = self._place.with_name(name)
            atexit.register(self._remove)  # a signal may come before anyone can close this
            self.file = open(self._made, "xb", opener=_for_this_account)  # noqa: SIM115

    def write(self, data: bytes) -> None:
        with self._told():
            self.file.write(data)

    def keep(self) -> None:
        with self._told():
            self.file.close()
            if self._made is not None:
                os.chmod(self._made, self._mode)
                os.replace(self._made, self._place)
                self._made = None
        atexit.unregister(self._remove)

    def __enter__(self) -> WholeFile:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # what is not kept need not be written to its end
            self.file.close()
        self._remove()
        atexit.unregister(self._remove)

    def _remove(self) -> None:
        if self._made is not None:
            self._made.unlink(missing_ok=True)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:  # the reader of a pipe has seen enough
            raise
        except OSError as error:
            raise CannotWrite(self._path, error) from None


def replace_file(path: Path, data: bytes) -> None:
    """All or nothing."""
    with WholeFile(path) as whole:
        whole.write(data)
        whole.keep()


def copy_into(path: Path, source: IO[bytes]) -> None:
    """The same for a result that is too large to hold."""
    with WholeFile(path) as whole:
        while chunk := source.read(1 << 20):
            whole.write(chunk)
        whole.keep()


def _for_this_account(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


class Writer:
    """UTF-8 to standard output, or to a file that appears only when it is complete."""

    def __init__(self, output: Path | None) -> None:
        self.output = output
        self.open = True
        if output is None:
            sys.stdout.flush()
            self.raw: IO[bytes] = sys.stdout.buffer
        else:
            self.raw = tempfile.TemporaryFile(dir=output.resolve().parent)  # noqa: SIM115

    def write(self, text: str) -> None:
        if not self.open:
            return
        try:
            self.raw.write(text.encode("utf-8", "backslashreplace"))
        except BrokenPipeError:  # the reader has seen enough
            self.open = False
        except OSError as error:
            raise self._cannot(error) from None

    def close(self) -> None:
        try:
            if self.output is None:
                if self.open:
                    self.raw.flush()
                return
            self.raw.seek(0)
            copy_into(self.output, self.raw)
            self.raw.close()
        except BrokenPipeError:
            self.open = False
        except OSError as error:
            raise self._cannot(error) from None
        finally:
            if not self.open:
                leave_stdout()

    def _cannot(self, error: OSError) -> CannotWrite:
        if self.output is None:
            leave_stdout()
        return CannotWrite(self.output or "the result", error)


def leave_stdout() -> None:
    leave(sys.stdout)


def leave(stream: IO[str] | None) -> None:
    """Nothing more can be written there, and Python's own last flush must not complain."""
    with suppress(AttributeError, OSError, ValueError):  # it is closed, or no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # type: ignore[union-attr]
