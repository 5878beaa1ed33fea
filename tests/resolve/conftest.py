"""An amendment beside its rulebook."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulespec.load.load import Loaded, load
from tests.resolve.amend_support import CORNER


@pytest.fixture
def amended(tmp_path: Path) -> Any:
    """A rulebook with an amendment beside it; what is loaded is the amendment."""

    def make(*texts: str, base: str = CORNER) -> Loaded:
        (tmp_path / "corner.rules").write_text(base, encoding="utf-8")
        for number, text in enumerate(texts, 1):
            (tmp_path / f"amendment-{number}.rules").write_text(text, encoding="utf-8")
        return load(tmp_path / "amendment-1.rules")

    return make
