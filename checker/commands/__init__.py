"""The commands, one file each.

To add a command, write `checker/commands/NAME.py` with two functions:

    def register(subparsers: Subparsers) -> None:  # declares the arguments with `add_command`
    def run(args: argparse.Namespace) -> int:      # does the work and returns the exit status

and, if something beside the command line has a say in it, `completed(parser, words)`, which gives
the words to be parsed. Give it a line in `COMMANDS`, if it has none yet. The file is imported when
its command is called and not before, and `register` must stay light: lark, rich, yaml and the like
are imported inside `run`. A line whose file does not exist yet is not offered.
"""

from __future__ import annotations

from keyword import iskeyword
from pathlib import Path

# In the order in which `rulespec --help` lists them.
COMMANDS: dict[str, str] = {
    "check": "look for errors in rule files and for flaws in the printed text",
    "fmt": "put rule files into the canonical layout",
    "coverage": "account for every clause of the printed text",
    "graph": "draw how the clauses of a rulebook hang together",
    "diff": "show what changed between two texts, in structure and in meaning",
    "compare": "set rulebooks side by side, topic by topic",
    "test": "run the scenarios that stand beside the rule files",
    "replay": "judge a log of rounds by the approved rules",
    "review": "list the findings of an audit store, and say what became of them",
    "trend": "compare two runs of an audit store",
    "report": "make one page of a saved replay, to hand over",
    "verify": "make a saved report again: is it what these rules and logs give?",
    "serve": "open the audit in a browser, on this machine only",
    "explain": "say why a round settles as it does, clause by clause",
    "docs": "print the page of a diagnostic code",
    "impact": "settle one log under two texts and count the difference",
    "import": "turn a casino's own export into a log of rounds, by a profile",
    "convert": "turn a log of JSON Lines into Parquet, or back",
    "simulate": "make a log of rounds that obey the rules",
    "edge": "work out the house edge",
}


def available() -> dict[str, str]:
    """The commands that exist, with their summaries."""
    here = Path(__file__).parent
    return {
        name: text for name, text in COMMANDS.items() if (here / f"{module_of(name)}.py").is_file()
    }


def module_of(name: str) -> str:
    """The file of a command; `import` is no name for a module."""
    return f"{name}_" if iskeyword(name) else name
