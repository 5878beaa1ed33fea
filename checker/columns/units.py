"""Functions that are compiled by themselves and called by address.

Machine code that is linked into each of its callers is compiled again with each of them; a unit is
compiled once. Where the units stand is noted in the working memory.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any, Final, TypeVar

from numba import cfunc, config, types
from numba.extending import intrinsic

from checker.columns.desk import UNITS

F = TypeVar("F", bound=Callable[..., Any])
_KINDS: Final = {"n": types.CPointer(types.int64), "s": types.CPointer(types.int32),
                 "i": types.int64}  # fmt: skip
_WAITING: Final[list[Callable[[], Any]]] = []  # how each is compiled
_MADE: Final[list[Any]] = []
_LOCK: Final = Lock()


def unit(arguments: str) -> Callable[[F], F]:
    """`arguments`: n for numbers, s for small numbers, i for one number; the third is the desk."""
    kinds = [_KINDS[letter] for letter in arguments]
    signature = types.int64(*kinds)

    def made(function: F) -> F:
        if config.DISABLE_JIT:
            return function
        place = UNITS + len(_WAITING)
        _WAITING.append(lambda: cfunc(signature, nopython=True, cache=True)(function))

        def call(typingctx: Any, *given: Any) -> Any:
            def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
                from llvmlite import ir

                whole = ir.IntType(64)
                parts = [context.get_value_type(kind) for kind in kinds]
                packed = [builder.extract_value(values[0], k) for k in range(len(kinds))]
                desk = packed[2]
                slot = builder.gep(desk, [ir.Constant(whole, place)])
                target = ir.FunctionType(whole, parts).as_pointer()
                return builder.call(builder.inttoptr(builder.load(slot), target), packed)

            return types.int64(types.StarArgTuple(kinds)), build

        found: F = intrinsic(call)
        return found

    return made


def note_units(desk: Any) -> None:
    """Tell the working memory where the units stand; the first time they are compiled."""
    with _LOCK:  # two threads that make them side by side would number them otherwise
        while len(_MADE) < len(_WAITING):
            _MADE.append(_WAITING[len(_MADE)]())
    for place, made in enumerate(_MADE):
        desk[UNITS + place] = made.address
