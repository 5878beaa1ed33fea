"""`python -m rulespec`: the same as the command `rulespec`."""

from checker.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
