"""No bet, option, play, stage or game is known to Python by name: what they are stands in game
files and rulebooks. Docstrings and comments may give examples; tests may, too."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from checker.log.events import EVENTS
from rulespec.tree.cards import ORDINALS

ROOT = Path(__file__).parent.parent

# Names of the game files that are words of something else first, in any string.
WORDS = {
    **dict.fromkeys(EVENTS, "an event of the log format, which is the same for every game"),
    **dict.fromkeys(ORDINALS, "a card by its position"),
    "player": "who acts, in every rule and every log",
    "draw": "a step of a stage: `dealer draws`",
    "report": "what a command makes",
    "boxes": "where wagers lie, in every game with a dealer",
}
# Verbs and nouns of plain English, in sentences alone.
ENGLISH = {"stand", "decide", "join", "main", "hit", "split", "double", "tie", "banker"}

FACT = re.compile(r"^fact (\w+\.\w+)", re.M)
BET = re.compile(r"^bet (\w+)", re.M)
DECLARED = re.compile(r"^(?:bet|option|choice|action|stage|meter|record|game) (\w+)", re.M)
CALLED = re.compile(r"(?:also called|logged as) ([\w, ]+)")

# What stays, and why: words that are the project's own before they are a game's, and the names of
# facts, which Python reads off a round one by one.
FACT_NAME = "a fact is known by name where it is read: a closed list"
STAYS: dict[str, dict[str, str]] = {
    "checker/commands/edge.py": {
        "main": "`--main` and the report's `main` are the bet that the hands are played for, as a "
        "game may call it",
    },
    "checker/evaluate/facts/of_table.py": {"super_bonus": FACT_NAME},
    "checker/evaluate/facts/of_wagers.py": {
        "perfect_pairs": FACT_NAME,
        "super_bonus": FACT_NAME,
    },
    "checker/imports/profile.py": {"join": "a word of import profiles"},
    "checker/imports/start.py": {"split": "what exports call a column"},
    "checker/simulate/faults_stages.py": {"card_face_up": "the name of a fault"},
    "checker/simulate/faults_wager.py": {"foreign_card": "the name of a fault"},
}
# What is left, with the number of places of each file. It may only shrink.
LEFT: dict[str, int] = {}


@cache
def texts() -> list[str]:
    files = [*ROOT.glob("grammar/games/*.game"), *ROOT.glob("jurisdictions/*/*.rules")]
    return [path.read_text(encoding="utf-8") for path in files]


@cache
def names() -> frozenset[str]:
    """All that game files and rulebooks declare."""
    called = [listed.split(", ") for text in texts() for listed in CALLED.findall(text)]
    declared = {name for text in texts() for name in DECLARED.findall(text)}
    return frozenset(declared.union(*called)) - WORDS.keys()


@cache
def facts() -> dict[str, list[str]]:
    """What a fact is, Python knows: each has its reader. The bets that it names are names."""
    bets = {bet for text in texts() for bet in BET.findall(text)} - WORDS.keys() - ENGLISH
    declared = {fact for text in texts() for fact in FACT.findall(text)}
    return {fact: [bet for bet in bets if bet in fact] for fact in declared}


def named_in(text: str) -> Iterator[str]:
    """The names that a string holds. In a sentence a name with an underscore is one, and so is any
    that stands for itself: between backticks, before or after a dot, after who acts."""
    sentence = len(text.split()) > 2
    pieces = re.findall(r"`[^`]*`|\w+\.\w[\w.]*|\S+", text) if sentence else [text]
    for piece in pieces:
        if piece.strip("`") in facts():
            yield from facts()[piece.strip("`")]
            continue
        quoted = not sentence or piece[0] == "`" or re.fullmatch(r"\w+\.\w[\w.]*", piece)
        for word in re.findall(r"\w+", piece):
            if word in names() and (quoted or word not in ENGLISH):
                yield word


def places(source: str) -> list[tuple[int, str]]:
    """Each line of a module that names something, but for its docstrings."""
    tree = ast.parse(source)
    aside = set()
    texts = []
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as docstring):
                aside.add(id(docstring))
            case ast.JoinedStr(values=parts):
                aside.update(map(id, parts))
                shown = [p.value if isinstance(p, ast.Constant) else "…" for p in parts]
                texts.append((node.lineno, "".join(map(str, shown))))
            case ast.Constant(value=str() as text) if id(node) not in aside:
                texts.append((node.lineno, text))
    return [(line, word) for line, text in texts for word in named_in(text)]


@cache
def found() -> dict[str, list[tuple[int, str]]]:
    """What each module names and may not stay."""
    modules = [*ROOT.glob("rulespec/**/*.py"), *ROOT.glob("checker/**/*.py")]
    by_module = {
        path.relative_to(ROOT).as_posix(): places(path.read_text(encoding="utf-8"))
        for path in sorted(modules)
    }
    left = {
        module: [(line, word) for line, word in named if word not in STAYS.get(module, ())]
        for module, named in by_module.items()
    }
    return {module: named for module, named in left.items() if named}


def test_no_further_place_names_what_a_game_declares() -> None:
    counted = Counter({module: len(named) for module, named in found().items()})
    more = {module: found()[module] for module, n in counted.items() if n > LEFT.get(module, 0)}
    assert not more, "ask the mechanics of the game instead of naming: " + str(more)


def test_what_is_left_is_written_down_as_it_is() -> None:
    counted = {module: len(named) for module, named in found().items()}
    assert {m: n for m, n in LEFT.items() if counted.get(m, 0) < n} == {}, "lower these numbers"


def test_what_stays_is_there() -> None:
    for module, words in STAYS.items():
        named = {word for _, word in places((ROOT / module).read_text(encoding="utf-8"))}
        assert words.keys() <= named, module


def test_words_that_are_let_pass_are_declared_somewhere() -> None:
    declared = names() | WORDS.keys()
    assert declared >= ENGLISH
    assert not ENGLISH & WORDS.keys()


@pytest.mark.parametrize(
    ("source", "word"),
    [
        ("bet = 'super_bonus'", "super_bonus"),
        ("ask('main.result')", "main"),
        ("ask(f'{who} split')", "split"),
        ("say(f'the insurance of {who} is not paid')", "insurance"),
        ("say('no clause lets `double` happen here')", "double"),
        ("x = {'wager.with_perfect_pairs': 1, 'hand.split': 2}", "perfect_pairs"),
    ],
)
def test_a_name_is_found(source: str, word: str) -> None:
    assert [word] == [named for _, named in places(source)]


@pytest.mark.parametrize(
    "source",
    [
        '"""super_bonus is a bet."""',
        "say('the main wager of the player is the first to stand')",
        "event = 'shuffle'",
    ],
)
def test_plain_words_are_no_names(source: str) -> None:
    assert not places(source)
