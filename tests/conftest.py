"""What holds for all tests: where they keep things, and which engines they may do without."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

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
    if config.pluginmanager.has_plugin("cacheprovider"):
        _share_machine_code(config, Path(folder, "rulespec", "compiled"))


def _share_machine_code(config: pytest.Config, made: Path) -> None:
    """Machine code takes a minute to make and is kept by what it is made from, so the tests begin
    with what the last run has left."""
    kept = Path(config.cache.mkdir("machine-code")) / "compiled"
    made.parent.mkdir(mode=0o700)
    with suppress(OSError):  # there is none yet, or another run is just replacing it
        shutil.copytree(kept, made)

    def leave() -> None:
        if made.is_dir():
            new = tempfile.mkdtemp(dir=kept.parent)
            shutil.copytree(made, Path(new, "compiled"))
            shutil.rmtree(kept, ignore_errors=True)
            with suppress(OSError):  # another run was faster
                os.rename(Path(new, "compiled"), kept)
            shutil.rmtree(new)

    config.add_cleanup(leave)  # before the folder is removed: the last comes first


def pytest_collection_finish() -> None:
    """What lives to the end anyway is neither looked over by the garbage collector, nor copied
    page by page in every process that a test forks."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    gc.unfreeze()  # plugins that are asked now may look for objects


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """What the modules of a folder keep for its tests goes when the folder is done: processes are
    forked faster off a small one."""
    folder = item.path.parent
    if nextitem is not None and nextitem.path.parent == folder:
        return
    for name, module in [*sys.modules.items()]:
        file = getattr(module, "__file__", None)
        if file is not None and Path(file).parent == folder:
            for kept in [*vars(module).values()]:
                if getattr(kept, "__module__", None) == name and hasattr(kept, "cache_clear"):
                    kept.cache_clear()
