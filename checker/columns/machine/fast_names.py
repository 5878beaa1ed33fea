"""`hashing` as machine code, which reads the secret where this run keeps it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import binding
from numba import types
from numba.extending import intrinsic

from checker.columns.machine.compile import inlined, load64
from checker.columns.machine.names import SECRET

# Machine code that is kept on disk knows the secret by name only.
_NAME = "rulespec_secret"
binding.add_symbol(_NAME, SECRET.buffer_info()[0])


def _secret(builder: Any, index: int) -> Any:
    from llvmlite import ir

    word = ir.IntType(64)
    module = builder.module
    kept = module.globals.get(_NAME)
    if kept is None:
        kept = ir.GlobalVariable(module, ir.ArrayType(word, len(SECRET)), _NAME)
        kept.global_constant = True
    place = builder.gep(kept, [ir.Constant(ir.IntType(32), k) for k in (0, index)])
    return builder.load(place)


def _begin(typingctx: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _secret(builder, 0)

    return types.uint64(), build


def _following(typingctx: Any, h: Any, word: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        single, double = ir.IntType(64), ir.IntType(128)
        mixed = builder.zext(builder.xor(*arguments), double)
        product = builder.mul(mixed, builder.zext(_secret(builder, 1), double))
        high = builder.trunc(builder.lshr(product, ir.Constant(double, 64)), single)
        return builder.xor(high, builder.trunc(product, single))

    return types.uint64(types.uint64, types.uint64), build


_beginning: Callable[[], int] = intrinsic(_begin)
_next: Callable[[Any, Any], Any] = intrinsic(_following)


@inlined
def _signed(h: Any) -> int:
    found: int = np.int64(h) if h != np.uint64(0) else np.int64(1)
    return found


@inlined
def name_hash(data: int, start: int, length: int) -> int:
    """As `hashing.text_hash`, of bytes in memory."""
    h = _next(_beginning(), np.uint64(length))
    at = 0
    while at < length:
        word = load64(data, start + at)
        if length - at < 8:
            word &= (np.uint64(1) << np.uint64(8 * (length - at))) - np.uint64(1)
        h = _next(h, word)
        at += 8
    return _signed(h)


@inlined
def fast_table_hash(rulebook: int, table: int) -> int:
    """As `hashing.table_hash`."""
    return _signed(_next(_next(_beginning(), np.uint64(rulebook)), np.uint64(table)))
