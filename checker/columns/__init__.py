"""Interpreter 2: batches of rounds as columns of numbers, for speed. Needs numba and numpy.

How a log goes through it (`run.py` holds the steps together):

    bytes of a log
      |  read/source.py        pieces of a few thousand lines; parquet/ reads row groups instead
      |  read/scan.py          machine code: each line to rows of numbers, or handed to the strict
      |                        decoder of `checker.log`, whose rounds `read/flatten.py` lays beside
      v
    Batch (batch.py)           rounds, events, amounts, limits, players: one array of numbers each
      |  gather.py             copies and clashes of rounds, tables whose order is broken
      |  shoe/follow.py        machine code, in the order of the log: what the shoe tells each round
      v
    the judge (judge_batch.py) asks for each round where its text stands, then runs
      |  judge/round.py        machine code: the events of a round in order, on the working memory
      |                        (desk.py), with a question wherever `checker.judge` asks one:
      |                        deals.py, played.py, dealer_draw.py, plain_wagers.py, money.py
      |  rules/lookup.py       facts -> classes -> key -> answer; no rule is known there
      v
    a reason for each round    0: nothing to find. Anything else (judge/reasons.py) sends the
                               round, or the money of some boxes, to the plain evaluator

Where the answers come from: `prepare.py` makes a text ready once, for each set of options and
choices where the rulebook has words of its own (`rules/settings.py`). `rules/looked_at.py` finds
the facts that a question looks at (`rules/looker.py`), `rules/program.py` the values that no
condition tells apart. An answer that is missing is asked of the plain evaluator
(`rules/answers.py`) on the facts in the working memory (`rules/column_scene.py`), told in numbers
(`rules/said.py`) and kept by its key (`rules/learn.py`), on disk too (`rules/saved_answers.py`).

What a question would need and the columns do not hold raises NotColumnar while it is made ready:
rounds that come to it go to the plain evaluator, and so does every round of a text that requires
something which nobody asks here (`looked_at.left_out`). Nothing is passed because it was not asked.
"""
