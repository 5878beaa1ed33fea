"""The layout of random texts keeps their meaning."""

import random
import re
from collections.abc import Callable

import pytest

from rulespec.syntax.comments import scan
from rulespec.syntax.parse import parse
from tests.syntax.fmt_support import laid_out, too_long


class Author(random.Random):
    """Writes rule files that can be parsed, as lists of words."""

    def some(self, make: Callable[[], list[str]], most: int, joint: str = "") -> list[str]:
        words = make()
        for _ in range(self.randrange(most)):
            words += ([joint] if joint else []) + make()
        return words

    def string(self) -> list[str]:
        length = self.choice((1, 2, 5, 14))
        said = ("21", "the", "Dealer's", "# no comment", "{", "pays $1,000")
        words = self.choices(said, k=length)
        return [f'"{" ".join(words)}"']

    def clause_id(self) -> list[str]:
        return [self.choice(("14.1(d)", "62", "22#2", "A:Box", '"A:Double/double down"', "13.1.4"))]

    def name(self) -> list[str]:
        return [self.choice(("double", "suited", "hand_is_short", "T", "a_long_defined_term"))]

    def number(self) -> list[str]:
        return [self.choice(("1", "11", "007", "21"))]

    def fact(self) -> list[str]:
        return [self.choice(("hand.total", "dealer.first", "wager.stands_for_original", "x.y"))]

    def sum(self, depth: int = 2) -> list[str]:
        kinds = [
            self.fact,
            self.name,
            self.number,
            lambda: ["$25"],
            lambda: ["$1000.5"],
            lambda: ["6-7-8"],
            lambda: ["$1,000,000"],
        ]
        if depth:
            kinds.append(lambda: [*self.sum(0), self.choice("+-*/"), *self.sum(depth - 1)])
        return self.choice(kinds)()

    def condition(self, depth: int = 4) -> list[str]:
        leaf = depth == 0 or self.random() < 0.25
        if leaf:
            return self.choice(
                (
                    lambda: self.fact(),
                    lambda: [
                        *self.sum(),
                        self.choice(("=", "!=", "<", "<=", ">", ">=")),
                        *self.sum(),
                    ],
                    lambda: [*self.fact(), "in", "(", *self.some(self.listed, 12, ","), ")"],
                    lambda: [*self.fact(), "in", *self.number(), "to", *self.number()],
                    lambda: [self.choice(("option", "approved", "recorded")), *self.name()],
                )
            )()
        inner = lambda: self.condition(depth - 1)  # noqa: E731
        return self.choice(
            (
                lambda: self.some(inner, 4, "and"),
                lambda: self.some(inner, 4, "or"),
                lambda: ["not", *inner()],
                lambda: ["(", *inner(), ")"],
            )
        )()

    def listed(self) -> list[str]:
        return self.choice((self.name, self.number, lambda: ["$2500"]))()

    def when(self) -> list[str]:
        return ["when", *self.condition()] if self.random() < 0.7 else []

    def bet(self) -> str:
        return self.choice(("main", "insurance", "perfect_pairs", "super_sevens", "super_bonus"))

    def payout(self) -> list[str]:
        return self.choice((["3", "to", "2"], ["$5000"], ["50", "to", "1"]))

    def reference(self) -> list[str]:
        words = self.clause_id()
        words += ["to", *self.clause_id()] if self.random() < 0.2 else []
        words += ["as", "payout"] if self.random() < 0.3 else []
        return words + (["read", "as", *self.clause_id()] if self.random() < 0.3 else [])

    def rows(self) -> list[str]:
        words = self.some(lambda: [*self.condition(2), "->", *self.payout()], 5)
        return ["{", *words, *self.choice(([], ["otherwise", "->", "1", "to", "1"])), "}"]

    def statement(self) -> list[str]:
        bet, text, when = self.bet(), self.string, self.when
        references = lambda: self.some(self.reference, 9, ",")  # noqa: E731
        names = lambda: self.some(self.name, 5, ",")  # noqa: E731
        interim = self.choice(([], ["interim"]))
        return self.choice(
            (
                lambda: ["not", "checkable", "because", *text()],
                lambda: ["introduces", "its", "parts"],
                lambda: [self.choice(("uses", "defines")), *self.some(text, 9, ",")],
                lambda: ["cites", *references()],
                lambda: ["cites", "outside", *text()],
                lambda: ["subject", "to", *references()],
                lambda: ["despite", *references()],
                lambda: ["applies", "when", *self.condition()],
                lambda: ["does", "not", "apply", "when", *self.condition()],
                lambda: ["define", *self.choice((self.fact, self.name))(), "as", *self.condition()],
                lambda: ["define", *self.name(), "as", "false", *when()],
                lambda: ["cards", "2", "to", "9", ",", "T", "count", "face", *when()],
                lambda: ["cards", "A", "count", "1", "or", "11", *when()],
                lambda: [
                    *interim,
                    bet,
                    *self.choice((["wins"], ["loses", "half"], ["is", "void"])),
                    *when(),
                ],
                lambda: [*interim, bet, "is", "undecided", "because", *text(), *when()],
                lambda: [bet, "pays", *self.payout(), *when()],
                lambda: [bet, "pays", *when(), *self.rows()],
                lambda: [bet, "pays", "only", "the", "highest", *when()],
                lambda: [bet, "counts", "up", "to", *self.sum(), *when()],
                lambda: [bet, "settles", "at", "the", "end", *when()],
                lambda: ["payments", "round", "up", "to", *self.sum(), *when()],
                lambda: [
                    *self.choice(([], ["dealer"], ["casino"])),
                    self.choice(("may", "must")),
                    *self.choice(([], ["not"])),
                    *names(),
                    *when(),
                ],
                lambda: ["may", *names(), "undecided", "because", *text(), *when()],
                lambda: ["at", *self.name(), "require", *self.condition(), *when()],
            )
        )()

    def about(self) -> list[str]:
        return ["about", *self.some(self.name, 3, ",")] if self.random() < 0.3 else []

    def clause(self) -> list[str]:
        inside = self.some(self.statement, 4) if self.random() < 0.9 else []
        # after a date the grammar takes `casino` for the property of a rulebook
        dated = self.random() < 0.2 and inside[:1] != ["casino"]
        force = ["in", "force", "from", "2024-08-19"] if dated else []
        return [
            "clause",
            *self.clause_id(),
            *self.string(),
            *self.about(),
            "{",
            *force,
            *inside,
            "}",
        ]

    def section(self) -> list[str]:
        rules = ["despite", "12"] if self.random() < 0.3 else []
        clauses = self.some(self.clause, 3)
        return [
            "section",
            *self.clause_id(),
            *self.string(),
            *self.about(),
            "{",
            *rules,
            *clauses,
            "}",
        ]

    def reading(self) -> list[str]:
        # a line that begins with a number stands first: after `pays 50 to 1` the grammar takes it
        # for the row of a table
        prevails = lambda: [  # noqa: E731
            *self.clause_id(),
            "prevails",
            "over",
            *self.some(self.clause_id, 4, ","),
        ]
        under = lambda: ["under", *self.clause_id(), ":", *self.statement()]  # noqa: E731
        return [
            "reading",
            "a-b",
            *self.choice(([], ["inactive"])),
            "{",
            "because",
            *self.string(),
            *self.some(prevails, 3),
            *self.some(under, 3),
            "}",
        ]

    def accept(self) -> list[str]:
        at = ["at", *self.some(self.clause_id, 9, ",")] if self.random() < 0.5 else []
        return [
            "accept",
            "R201",
            *at,
            "because",
            *self.string(),
            *self.choice(([], ["until", "2030-01-01"])),
        ]

    def header(self) -> list[str]:
        return [
            "rulebook",
            "a-b",
            "{",
            "title",
            *self.string(),
            "game",
            "pontoon",
            "zone",
            self.choice(("UTC", "Australia/Sydney", "Etc/GMT+10")),
            "undated",
            "because",
            *self.string(),
            "}",
        ]

    def document(self) -> list[str]:
        def item() -> list[str]:
            kinds = (self.section, self.clause, self.reading, self.accept, include)
            return self.choice(kinds)()

        def include() -> list[str]:
            return ["include", '"x.rules"']

        return [*self.header(), *self.some(item, 6)]

    # --- white space and comments

    def scattered(self, words: list[str]) -> tuple[str, list[str]]:
        """The words with odd white space, and comments at any place between them."""
        comments: list[str] = []
        often = self.choice((0.0, 0.05, 0.5))
        text = self.gap(comments, often, "")
        for before, after in zip(words, [*words[1:], ""], strict=True):
            text += before
            tight = before[-1] in '{},("' or (after and after[0] in '{},)"')
            if before[-1] == "," or after == ",":
                tight = not re.match(r"\$", before)  # `$1,000,` would be another amount
            space = "" if tight and self.random() < 0.3 else self.choice((" ", " ", "\n", "\t  "))
            text += space + self.gap(comments, often, space)
        return text, comments

    def gap(self, comments: list[str], often: float, space: str) -> str:
        text = ""
        while self.random() < often:
            comments.append(
                self.choice(("#", "# ")) + f"{len(comments)}" + self.choice((" why", "{", '"', "#"))
            )
            text += self.choice((" ", "\n", "\n\n\n  ")) + comments[-1]
            text += self.choice(("\n", "  \n", "\n\n"))
        return text + self.choice(("", "", "\n", "\n\n  \n"))


def repaired(words: list[str]) -> list[str]:
    """Amounts before a comma without commas of their own, which the grammar cannot tell apart."""
    following = [*words[1:], ""]
    return [
        w.replace(",", "") if w.startswith("$") and after == "," else w
        for w, after in zip(words, following, strict=True)
    ]


@pytest.mark.parametrize("seed", range(80))
def test_random_texts(seed: int) -> None:
    author = Author(seed)
    words = repaired(author.document())
    text, comments = author.scattered(words)
    plain, wrong = parse(" ".join(words), "")
    assert wrong == []
    new = laid_out(text)
    assert parse(new, "")[0] == plain
    assert list(scan(new).comments) == comments
    if not comments:
        assert too_long(new) == []
        assert laid_out("\n".join(words)) == re.sub(r"\n\n(?= )", "\n", laid_out(" ".join(words)))


def test_the_random_texts_are_not_trivial() -> None:
    texts = [Author(seed).scattered(Author(seed).document())[0] for seed in range(40)]
    assert sum(text.count("#") for text in texts) > 1_000
    written = (" ".join(repaired(Author(seed).document())) for seed in range(40))
    kinds = {word.kind for text in written for word in scan(text).words}
    assert {"PAYMENTS", "OTHERWISE", "UNDECIDED", "PREVAILS", "UNTIL", "REQUIRE"} <= kinds
