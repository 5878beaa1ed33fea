"""What holds for all tests: where they keep things, and which engines they may do without."""

from __future__ import annotations

import os
import shutil
import tempfile
from importlib.util import find_spec

import pytest

ENGINES = (
    *("numba", "numpy", "pandas", "pyarrow", "pyspark", "zstandard"),
    *("starlette", "selenium", "axe_core_python"),
    *("cryptography", "jinja2", "openpyxl", "weasyprint", "xlsxwriter"),
)


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):  # a worker has what the first process has set up
        return
    missing = [name for name in ENGINES if find_spec(name) is None]
    missing += [name for name in ("java", "chromium", "chromedriver") if not shutil.which(name)]
    if missing and os.environ.get("RULESPEC_ALL_ENGINES"):
        raise pytest.UsageError(f"not installed, and tests would be left out: {', '.join(missing)}")
    folder = tempfile.mkdtemp(prefix="rulespec-tests-")
    os.environ["XDG_CACHE_HOME"] = folder
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
