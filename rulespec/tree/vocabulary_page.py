"""The page `docs/vocabulary.md`, made from the game files (`make docs` writes it)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulespec.tree.game import Action, Declared, Game
from rulespec.tree.kinds import FactInfo


def vocabulary_page(games: Iterable[Game]) -> str:
    lines = [
        "# The vocabulary",
        "",
        "Every fact, option, action and topic that a rule may name, game by game, as the game",
        "files say (`grammar/games/`). It is closed: anything else is an error with a proposal. A",
        "rulebook may [declare](declarations.md) more words for itself, but no facts. *May be",
        "unknown* marks facts that a log need not give.",
    ]
    for game in games:
        lines += ["", *_game(game)]
    return "\n".join(lines) + "\n"


def _game(game: Game) -> list[str]:
    names = ", ".join(f"`game {name}`" for name in (game.name, *game.also))
    lines = [f"## {game.title[0].upper()}{game.title[1:]}", "", f"In a rulebook: {names}."]
    groups: dict[str, list[FactInfo]] = {}
    for info in game.facts.values():
        groups.setdefault(info.name.partition(".")[0], []).append(info)
    for group, facts in groups.items():
        lines += ["", f"### Facts: {group}", "", "| fact | is | meaning |", "| --- | --- | --- |"]
        for info in facts:
            marks = " *May be unknown.*" if info.optional else ""
            marks += " *Defined by the rulebook.*" if info.definable else ""
            lines.append(f"| `{info.name}` | {info.kind.describe()} | {info.meaning}.{marks} |")
    lines += ["", "### What is known when", "", "| moment | groups of facts |", "| --- | --- |"]
    lines += [f"| {moment} | {', '.join(known)} |" for moment, known in game.moments.items()]
    actors = dict.fromkeys(action.actor for action in game.actions.values())
    actions: dict[str, Mapping[str, Action]] = {
        f"What the {actor} may or must do": game.actions_of(actor) for actor in actors
    }
    tables: dict[str, Mapping[str, Declared]] = {
        "Bets": game.bets,
        "Table options (`option …`)": game.options,
        "Choices of the house (`choice …`)": game.choices,
        "Meters (`meter …`)": game.meters,
        "Approvals (`approved …`)": game.approvals,
        "Recorded events (`recorded …`)": game.records,
        **actions,
        "Stages of a round": game.stages,
        "Topics (`about …`, `as …`)": game.topics,
    }
    for title, words in tables.items():
        if words:
            lines += ["", f"### {title}", "", "| word | meaning |", "| --- | --- |"]
            lines += [f"| `{name}` | {word.title} |" for name, word in words.items()]
    return lines
