"""`rulespec docs CODE`: the page of a diagnostic code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checker.commands.output import UsageError, add_command, emit

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from checker.commands.output import Subparsers
    from checker.render.lines import Line, View


def register(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers, "docs", "Print the page of a diagnostic code, or list all codes."
    )
    parser.add_argument(
        "code", nargs="?", metavar="CODE", help="a code or its name: `R201`, `dangling-reference`"
    )


def run(args: argparse.Namespace) -> int:
    from checker.report import Report
    from rulespec.base.codes import CODES

    if args.code is None:
        listed = [
            {"code": c.code, "slug": c.slug, "severity": c.severity, "title": c.title}
            for c in CODES.values()
        ]
        return emit(args, Report("docs", (), (), summary={"codes": listed}), _list)
    code = CODES[_meant(args.code)]
    text = page(code.code)
    summary = {
        "code": code.code,
        "slug": code.slug,
        "severity": code.severity,
        "title": code.title,
        "page": text,
    }
    return emit(args, Report("docs", (), (), summary=summary), lambda view: _as_it_is(text))


def page(code: str) -> str:
    """The page as it is written."""
    from rulespec.base.resources import folder

    return (folder("diagnostics") / f"{code}.md").read_text(encoding="utf-8")


def _meant(word: str) -> str:
    """The code that a word stands for, be it a code or a slug."""
    from rulespec.base.codes import CODES

    if word.upper() in CODES:
        return word.upper()
    slugs = {c.slug: c.code for c in CODES.values()}
    if word.lower() in slugs:
        return slugs[word.lower()]
    from difflib import get_close_matches

    digits = word.upper().translate(str.maketrans("OIL", "011"))  # letters that look like digits
    near = [digits] if digits in CODES else []
    near += get_close_matches(word.upper(), CODES, n=1, cutoff=0.7)
    near += get_close_matches(word.lower(), slugs, n=1, cutoff=0.6)
    advice = f"did you mean `{near[0]}`?" if near else "`rulespec docs` lists the codes"
    raise UsageError("rulespec docs", f"there is no code `{word}`", advice)


def _as_it_is(text: str) -> list[Line]:
    from checker.render.lines import line

    lines = text.rstrip("\n").split("\n")
    return [line((t, "strong")) if t.startswith("#") else line(t) for t in lines]


def _list(view: View) -> Iterator[Line]:
    from checker.render.lines import line
    from rulespec.base.codes import CODES

    slugs = max(len(c.slug) for c in CODES.values())
    for code in CODES.values():
        yield line(
            (code.code, "strong"),
            f"  {code.slug:<{slugs}}  ",
            (f"{code.severity:<7}", code.severity),
            f"  {code.title}",
        )
