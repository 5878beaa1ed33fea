"""The loop of an LALR parser over lark's own tables: the same tree in less than half the time.

lark looks up each step through objects that compare in Python, and makes a full token of every
space. Here both are laid out for reading once. A text with an error is left to lark, which knows
how to describe it, and so is everything when lark's inside is not as it was when this was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lark import Token

if TYPE_CHECKING:
    from lark import Lark

_SKIPPED = re.compile(r"(?:[ \t\f\r\n]+|#[^\n]*)+")  # WS and COMMENT of the grammar
_END = "$END"

# By the next word: the state to go to, or a reduction (what makes the node, of how many parts, for
# which rule).
Steps = dict[str, Any]


class NoMatchError(Exception):
    """The text is not written as the language asks, or this parser cannot tell."""


class QuickParser:
    def __init__(self, lark: Lark) -> None:
        inside: Any = lark.parser
        parser = inside.parser.parser
        self._table = parser.parse_table
        self._callbacks = parser.callbacks
        self._lexers = inside.lexer.lexers
        self._steps: dict[int, Steps] = {}
        self._passed_on: dict[tuple[int, int, str], int] = {}
        self._scans: dict[int, Callable[[str, int], tuple[str, str] | None]] = {}
        if any(isinstance(key, str) for key in self._callbacks):
            raise AttributeError("lark changes tokens as it goes")

    def parse(self, text: str, start: str) -> Any:
        steps, scans, passed_on = self._steps, self._scans, self._passed_on
        state = self._table.start_states[start]
        end_state = self._table.end_states[start]
        states: list[int] = [state]
        values: list[Any] = []
        make = str.__new__
        place, line, line_start, size = 0, 1, 0, len(text)
        while True:
            gap = _SKIPPED.match(text, place)
            if gap is not None:
                last = text.rfind("\n", place, gap.end())
                if last >= 0:
                    line += text.count("\n", place, last) + 1
                    line_start = last + 1
                place = gap.end()
            token: Any = None
            kind = _END
            if place < size:
                scan = scans.get(state) or self._scan_of(state)
                found = scan(text, place)
                if found is None:
                    raise NoMatchError
                word, kind = found
                token = make(Token, word)
                token.type = kind
                token.line = token.end_line = line
                token.column = place - line_start + 1
                place += len(word)
                token.end_column = place - line_start + 1
            while True:
                step = (steps[state] if state in steps else self._steps_of(state)).get(kind)
                if step is None:
                    raise NoMatchError
                if isinstance(step, int):
                    state = step
                    states.append(state)
                    values.append(token)
                    break
                callback, count, origin = step
                if callback is None:
                    way = states[-2], state, kind
                    state = passed_on[way] if way in passed_on else self._pass_on(way)
                    states[-1] = state
                    continue
                if count:
                    made = callback(values[-count:])
                    del states[-count:], values[-count:]
                    values.append(made)
                else:
                    values.append(callback([]))
                above = states[-1]
                state = (steps[above] if above in steps else self._steps_of(above))[origin]
                states.append(state)
                if token is None and state == end_state:
                    return values[-1]

    def _pass_on(self, way: tuple[int, int, str]) -> int:
        """The state behind all rules that only pass on what they are made of: a condition that is
        one fact goes through eight of them."""
        below, state, kind = way
        gotos = self._steps.get(below) or self._steps_of(below)
        while True:
            step = (self._steps.get(state) or self._steps_of(state)).get(kind)
            if not isinstance(step, tuple) or step[0] is not None:
                break
            state = gotos[step[2]]
        self._passed_on[way] = state
        return state

    def _steps_of(self, state: int) -> Steps:
        from lark.parsers.lalr_analysis import Shift

        made: Steps = {}
        for word, (action, argument) in self._table.states[state].items():
            if action is Shift:
                made[word] = argument
            else:
                count = len(argument.expansion)
                passes_on = count == 1 and argument.options.expand1 and not argument.alias
                callback = None if passes_on else self._callbacks[argument]
                made[word] = callback, count, argument.origin.name
        self._steps[state] = made
        return made

    def _scan_of(self, state: int) -> Callable[[str, int], tuple[str, str] | None]:
        """What reads the next word in a state: its pattern, and the keywords among its names."""
        lexer = self._lexers[state]
        try:
            (pattern,) = lexer.scanner._mres
            keywords: dict[str, Callable[[str], str | None]] = {
                kind: callback.scanner.fullmatch for kind, callback in lexer.callback.items()
            }
        except (AttributeError, ValueError):
            raise NoMatchError from None
        match = pattern.match
        known: dict[tuple[str, str], str] = {}

        def scan(text: str, place: int) -> tuple[str, str] | None:
            found = match(text, place)
            if found is None:
                return None
            word, kind = found.group(), found.lastgroup
            if kind in keywords:
                key = kind, word
                if key not in known:
                    known[key] = keywords[kind](word) or kind
                kind = known[key]
            return word, kind

        self._scans[state] = scan
        return scan
