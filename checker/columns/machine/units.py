"""Functions that are compiled by themselves and called by address.

Machine code that is linked into each of its callers is compiled again with each of them; a unit is
compiled once. Where the units stand is noted in the working memory.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any, Final, TypeVar

from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from checker.columns.desk import UNITS
from checker.columns.machine.compile import BARE, kept

F = TypeVar("F", bound=Callable[..., Any])
_KINDS: Final = {
    "n": types.CPointer(types.int64),
    "s": types.CPointer(types.int32),
    "i": types.int64,
}
_WAITING: Final[list[tuple[Any, Callable[..., Any]]]] = []  # what is compiled when it is needed
_ADDRESSES: Final[list[int]] = []
_LOCK: Final = Lock()


def unit(arguments: str) -> Callable[[F], F]:
    """`arguments`: n for numbers, s for small numbers, i for one number; the third is the desk."""
    kinds = [_KINDS[letter] for letter in arguments]
    signature = types.int64(*kinds)

    def made(function: F) -> F:
        if config.DISABLE_JIT:
            return function
        place = UNITS + len(_WAITING)
        _WAITING.append((signature, function))

        def call(typingctx: Any, *given: Any) -> Any:
            def build(context: Any, builder: Any, _: Any, values: Any) -> Any:
                from llvmlite import ir

                packed = [builder.extract_value(values[0], k) for k in range(len(kinds))]
                slot = builder.gep(packed[2], [ir.Constant(ir.IntType(64), place)])
                kind = context.call_conv.get_function_type(types.int64, kinds)
                target = builder.inttoptr(builder.load(slot), kind.as_pointer())
                found = cgutils.alloca_once(builder, kind.args[0].pointee)
                trouble = cgutils.alloca_once(builder, kind.args[1].pointee)
                builder.call(target, [found, trouble, *packed])  # no unit raises
                return builder.load(found)

            return types.int64(types.StarArgTuple(kinds)), build

        found: F = intrinsic(call)
        return found

    return made


def _address(signature: Any, function: Callable[..., Any]) -> int:
    """Where the bare function stands: the wrappers that numba puts around it cost time."""
    made = kept(function, **BARE)
    made.compile(signature)
    compiled = made.overloads[signature.args]
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def note_units(desk: Any) -> None:
    """Tell the working memory where the units stand; the first time they are compiled."""
    with _LOCK:  # two threads that make them side by side would number them otherwise
        while len(_ADDRESSES) < len(_WAITING):
            _ADDRESSES.append(_address(*_WAITING[len(_ADDRESSES)]))
    desk[UNITS : UNITS + len(_ADDRESSES)] = _ADDRESSES
