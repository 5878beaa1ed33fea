"""Find the folders of data that belong to rulespec: grammar, rulebooks, diagnostic pages.

A wheel carries them inside the package, in `_data`. A checkout, an unpacked sdist and an editable
install have them beside the package, where people edit them.
"""

from pathlib import Path
from typing import Literal

FolderName = Literal["grammar", "jurisdictions", "diagnostics"]

# Where each folder stands in a checkout. pyproject.toml copies the same three into the wheel.
_IN_CHECKOUT: dict[FolderName, str] = {
    "grammar": "grammar",  # the files of the grammar (.lark)
    "jurisdictions": "jurisdictions",  # the rulebooks, their clause lists and scenarios
    "diagnostics": "docs/diagnostics",  # one page per diagnostic code
}


class MissingFolderError(RuntimeError):
    """A folder of data is neither in the package nor beside it: the installation is broken."""


def folder(name: FolderName) -> Path:
    """The folder `name`: the one in the installed package, else the one of the checkout."""
    package = Path(__file__).parent.parent
    candidates = (package / "_data" / name, package.parent / _IN_CHECKOUT[name])
    for candidate in candidates:
        if candidate.is_dir():
            return candidate
    looked_in = " and ".join(f"`{candidate}`" for candidate in candidates)
    raise MissingFolderError(
        f"the folder `{name}` of rulespec is missing (looked in {looked_in}); "
        "install rulespec again, or run it from a complete checkout"
    )
