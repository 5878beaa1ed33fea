"""The topics of a comparison: data files that say what to ask of every rulebook."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any, get_args

from checker.compare.values import Kind
from rulespec.base.yaml_files import load_yaml

OTHER_BOX = ("KC", "9S")  # keeps the dealer drawing when the first box is done


class TopicError(Exception):
    """A topic file that cannot be used; only whoever writes such a file meets it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One question of a topic with the round on which it is asked."""

    label: str
    kind: Kind
    subject: str
    script: str
    options: tuple[str, ...] = ()
    decks: int = 6
    limits: dict[str, Any] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    player: str = "P1"
    box: int = 1
    hand: int = 1
    part: str | None = None
    stake: str = "10"  # of the play that is asked about
    question: str = ""  # where the subject is a fact: the question whose rules bound it
    mentions: tuple[str, ...] = ()  # only rules that look at one of these facts or settings
    about: tuple[str, ...] = ()
    words: dict[str, str] = field(default_factory=dict)  # how this row says an answer
    unless_as: str = ""  # left out where it says the same as this row
    needs: str = ""  # a play of the script that the rules must allow, or an event they must know
    shoe: dict[str, Any] = field(default_factory=dict)  # what earlier rounds tell


@dataclass(frozen=True, slots=True)
class Topic:
    id: str
    label: str
    group: str
    rows: tuple[Row, ...]


@cache
def topics() -> tuple[Topic, ...]:
    """All topics, in the order of the files and of what stands in them."""
    from importlib.resources import files

    found: list[Topic] = []
    folder = files("checker.compare").joinpath("topics")
    for path in sorted(folder.iterdir(), key=lambda p: p.name):
        if path.name.endswith(".yaml"):
            document = load_yaml(path.read_text(encoding="utf-8"))
            for group in document:
                found += [_topic(entry, group["group"]) for entry in group["topics"]]
    names = [topic.id for topic in found]
    if len(names) != len(set(names)):
        raise TopicError("two topics have one name")
    return tuple(found)


def _topic(entry: dict[str, Any], group: str) -> Topic:
    kinds = set(get_args(Kind))
    rows: list[Row] = []
    for row in entry["rows"]:
        own = bool(kinds & set(row))  # what is asked in a row takes the place of what is shared
        shared = {k: v for k, v in entry.get("all", {}).items() if not own or k not in kinds}
        rows.append(_row({**shared, **row}, entry["topic"]))
    return Topic(entry["topic"], entry["label"], group, tuple(rows))


_GIVEN = {
    "label",
    "hand_cards",
    "dealer_cards",
    "before",
    "then",
    "after",
    "bet",
    "options",
    "decks",
    "limits",
    "facts",
    "player",
    "box",
    "hand",
    "part",
    "stake",
    "in",
    "mentions",
    "about",
    "words",
    "unless_as",
    "alone",
    "script",
    "needs",
    "shoe",
}


def _row(entry: dict[str, Any], topic: str) -> Row:
    kinds = [key for key in entry if key in get_args(Kind)]
    wrong = set(entry) - _GIVEN - set(kinds)
    if len(kinds) != 1 or wrong or "label" not in entry:
        raise TopicError(f"a row of topic `{topic}` cannot be read: {sorted(entry)}")
    (kind,) = kinds
    return Row(
        label=str(entry["label"]),
        kind=kind,  # type: ignore[arg-type]  # it is one of them, as was just seen
        subject=str(entry[kind]),
        script=_script(entry),
        options=tuple(entry.get("options", ())),
        decks=entry.get("decks", 6),
        limits=entry.get("limits", {}),
        facts=entry.get("facts", {}),
        player=entry.get("player", "P1"),
        box=entry.get("box", 1),
        hand=entry.get("hand", 1),
        part=entry.get("part"),
        stake=str(entry.get("stake", entry.get("bet", 10))),
        question=entry.get("in", ""),
        mentions=tuple(str(entry.get("mentions", "")).replace("|", " ").split()),
        about=tuple(str(entry.get("about", "")).split()),
        words={str(k): str(v) for k, v in entry.get("words", {}).items()},
        unless_as=entry.get("unless_as", ""),
        needs=entry.get("needs", ""),
        shoe=entry.get("shoe", {}),
    )


def _script(entry: dict[str, Any]) -> str:
    """The round in the short way of writing of a scenario."""
    if "script" in entry:
        return "\n".join(_lines(entry["script"])) + "\n"
    cards = str(entry.get("hand_cards", "KS 6H")).split()
    dealer = str(entry.get("dealer_cards", "9D")).split()
    lines = _lines(entry.get("before"))
    lines.append(f"bet 1 P1 {entry.get('bet', 10)}")
    lines.sort(key=lambda text: text.startswith("bet ") and not text.startswith("bet 1 P1"))
    other = len(dealer) > 1 and not entry.get("alone", False)
    if other:
        lines.append("bet 2 P9 10")
    if cards and cards != ["none"]:
        boxes = [(1, *cards[:2]), *([(2, *OTHER_BOX)] if other else [])]
        dealt = [f"{b}:{one}" for b, one, _ in boxes]
        dealt.append(f"0:{dealer[0]}")
        dealt += [f"{b}:{two}" for b, _, two in boxes]
        lines.append("deal " + " ".join(dealt))
        lines += [f"1 P1 hit {card}" for card in cards[2:]]
    lines += _lines(entry.get("then"))
    if other:
        lines.append("2 P9 stand")
    if dealer[1:]:
        lines.append("dealer " + " ".join(dealer[1:]))
    lines += _lines(entry.get("after"))
    return "\n".join(lines) + "\n"


def _lines(text: str | None) -> list[str]:
    return [part.strip() for part in (text or "").split(";") if part.strip()]
