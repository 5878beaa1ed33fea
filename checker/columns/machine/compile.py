"""The one way in which a function of this package becomes machine code."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from numba import config, njit, types
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.runtime.nrt import rtsys
from numba.extending import intrinsic

from checker.columns.machine import code_folder
from rulespec.base.cache import put, trusted

F = TypeVar("F", bound=Callable[..., Any])
BARE: Final = {
    "nogil": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "error_model": "numpy",
}


def _keep_apart() -> bool:
    """Whether there is a folder to keep machine code in."""
    folder = code_folder.code_folder()
    if folder is not None:
        code_folder.remove_older(folder)
    config.CACHE_DIR = str(folder or "")
    return folder is not None


_KEEPS: Final = _keep_apart()


class _Sealed(IndexDataCacheFile):  # type: ignore[misc]
    """Files of machine code under the same rule of trust as all that is kept: what is not as this
    account wrote it counts as not there, and is compiled again."""

    def _save_index(self, overloads: Any) -> None:
        content = self._dump((self._version, self._source_stamp, overloads))
        put(Path(self._index_path), content)

    def _load_index(self) -> Any:
        try:
            version, stamp, overloads = pickle.loads(self._trusted(self._index_path))
        except Exception:  # there is none, or none that can be trusted
            return {}
        return overloads if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_data(self, name: str, data: Any) -> None:
        put(Path(self._data_path(name)), self._dump(data))

    def _load_data(self, name: str) -> Any:
        return pickle.loads(self._trusted(self._data_path(name)))

    @staticmethod
    def _trusted(path: str) -> bytes:
        content = trusted(Path(path))
        if content is None:
            raise OSError("not to be trusted")  # which numba takes for a file that was removed
        return content


class _Kept(FunctionCache):  # type: ignore[misc]
    """Loads machine code without all that numba needs only to compile, which takes longer than the
    loading. What has to be compiled after all, numba makes ready for that itself."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = _Sealed(
            self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)
        return None


def kept(function: Callable[..., Any], **options: Any) -> Any:
    """Machine code that is kept on disk between runs."""
    made = njit(**options)(function)
    if _KEEPS and not config.DISABLE_JIT:
        made._cache = _Kept(function)
    return made


def compiled(function: F) -> F:
    """Machine code, kept on disk between runs; other threads run while it does."""
    made: F = kept(function, nogil=True)
    return made


def brief(function: F) -> F:
    """Machine code that is over at once: other threads wait for so long."""
    made: F = kept(function)
    return made


def inner(function: F) -> F:
    """Machine code for other machine code only: nothing of it is kept, and no way in from Python
    is made, which would take as long to compile as the function itself."""
    made: F = njit(**BARE)(function)
    return made


def inlined(function: F) -> F:
    """As `inner`, and part of whoever calls it."""
    made: F = njit(forceinline=True, **BARE)(function)
    return made


def _reader(bits: int) -> Callable[[int, int], int]:
    """Reads straight from memory: an array in each call would cost more than the reading."""

    def read(typingctx: Any, address: Any, index: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            from llvmlite import ir

            word = ir.IntType(bits)
            place = builder.inttoptr(builder.add(*arguments), word.as_pointer())
            value = builder.load(place)
            value.align = 1
            return builder.zext(value, ir.IntType(64)) if bits < 64 else value

        found = types.uint64 if bits == 64 else types.int64
        return found(types.int64, types.int64), build

    made: Callable[[int, int], int] = intrinsic(read)
    return made


byte = _reader(8)
"""One byte of memory, from an address and an index."""

load64 = _reader(64)
"""Eight bytes of memory as one number, wherever they begin (little endian)."""


def _trailing_zeros(typingctx: Any, word: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), build


trailing_zeros: Callable[[int], int] = intrinsic(_trailing_zeros)
"""How many of the lowest bits of a word are 0."""


def _fetch(typingctx: Any, pointer: Any, index: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        byte_at = ir.IntType(8).as_pointer()
        word = ir.IntType(32)
        place = builder.bitcast(builder.gep(arguments[0], [arguments[1]]), byte_at)
        kind = ir.FunctionType(ir.VoidType(), [byte_at, word, word, word])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [byte_at], kind)
        builder.call(prefetch, [place, *(ir.Constant(word, n) for n in (0, 3, 1))])
        return context.get_dummy_value()

    return types.void(pointer, types.int64), build


def _nothing(pointer: Any, index: int) -> None:
    return None


fetch: Callable[[Any, int], None] = _nothing if config.DISABLE_JIT else intrinsic(_fetch)
"""Tells the processor that what stands there will soon be read."""


def _pointer(kind: Any) -> Callable[[Any], Any]:
    """An array as a bare address: passing it on costs nothing, and no index counts from the end."""
    if config.DISABLE_JIT:
        return lambda array: array.reshape(-1)

    def build_for(typingctx: Any, array: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            made = context.make_array(signature.args[0])(context, builder, arguments[0])
            return made.data

        return types.CPointer(kind)(array), build

    made: Callable[[Any], Any] = intrinsic(build_for)
    return made


numbers_at = _pointer(types.int64)
small_numbers_at = _pointer(types.int32)
bytes_at = _pointer(types.uint8)
