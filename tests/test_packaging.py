"""What we ship works where it is installed: wheel, unpacked sdist and bare checkout.

The wheel is built from the sdist, without a network, and every home is run from another folder.
"""

import gzip
import hashlib
import json
import os
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import pytest

import rulespec
from tests.support import PATIENCE

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VERSION = PROJECT["project"]["version"]
RULEBOOKS = {
    "act-blackjack",
    "act-pontoon",
    "fr-punto-banco",
    "nsw-star-pontoon",
    "nz-pontoon",
    "sa-adelaide-pontoon",
}
HOMES = ("wheel", "sdist", "checkout")

# Folder of the checkout -> name in `_data` of the wheel, and what at least has to be in it.
DATA_FOLDERS = {
    "grammar": ("grammar", "*.lark"),
    "jurisdictions": ("jurisdictions", "*.rules"),
    "docs/diagnostics": ("diagnostics", "*.md"),
}


@dataclass(frozen=True, slots=True)
class Built:
    """The two distributions, and the folders that rulespec can be run from."""

    wheel_files: frozenset[str]
    sdist_files: frozenset[str]
    homes: Mapping[str, Path]


def run(*command: str, cwd: Path, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run this Python with `home` in front of everything that is installed."""
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    environment.pop("PYTHONPATH", None)
    if home is not None:
        environment["PYTHONPATH"] = str(home)
    return subprocess.run(
        [sys.executable, *command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )


def run_or_fail(*command: str, cwd: Path, home: Path | None = None) -> str:
    done = run(*command, cwd=cwd, home=home)
    assert done.returncode == 0, f"{command} failed:\n{done.stdout}{done.stderr}"
    return done.stdout


def files_below(folder: str) -> list[str]:
    """Every file below a folder of the checkout, as paths relative to that folder."""
    return [
        path.relative_to(ROOT / folder).as_posix()
        for path in sorted((ROOT / folder).rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts and path.name != ".DS_Store"
    ]


def rule_files() -> list[Path]:
    """Every shipped rule file; a test that finds none has not looked."""
    found = sorted((ROOT / "jurisdictions").rglob("*.rules"))
    assert found, "there is no .rules file below jurisdictions/"
    return found


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    work = tmp_path_factory.mktemp("packaging")
    dist, site = work / "dist", work / "site"
    # The default of `build`: the sdist from the checkout, then the wheel from that sdist.
    run_or_fail("-m", "build", "--no-isolation", "--outdir", str(dist), str(ROOT), cwd=work)
    (wheel,) = dist.glob("*.whl")
    (sdist,) = dist.glob("*.tar.gz")

    # By its command line: `extractall` wants the argument `filter` from 3.12, and 3.11.2 has none.
    run_or_fail("-m", "tarfile", "-e", str(sdist), str(work / "unpacked"), cwd=work)
    (unpacked,) = (work / "unpacked").iterdir()
    install = ("-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", str(site))
    run_or_fail(*install, str(wheel), cwd=work)

    with zipfile.ZipFile(wheel) as archive:
        wheel_files = frozenset(archive.namelist())
    sdist_files = frozenset(
        path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()
    )
    homes = {"wheel": site, "sdist": unpacked, "checkout": ROOT}
    return Built(wheel_files, sdist_files, homes)


@pytest.fixture(scope="module")
def checks(
    built: Built, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, subprocess.CompletedProcess[str]]:
    """`rulespec check` of all rulebooks in every home, at the same time because it proves much."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")

    def check(home: str) -> subprocess.CompletedProcess[str]:
        command = ("-m", "rulespec", "check", "--no-proofs", "--format", "json")
        return run(*command, cwd=elsewhere, home=built.homes[home])

    with ThreadPoolExecutor() as pool:
        return dict(zip(HOMES, pool.map(check, HOMES), strict=True))


def test_one_version() -> None:
    assert rulespec.__version__ == VERSION


def test_the_five_rulebooks_are_there() -> None:
    assert {path.stem for path in rule_files()} >= RULEBOOKS


def test_every_rulebook_has_a_clause_list() -> None:
    clause_lists = [path for path in files_below("jurisdictions") if "clauses" in path]
    missing = {book for book in RULEBOOKS if not any(book in path for path in clause_lists)}
    assert not missing, f"no clause list for {sorted(missing)}; clause lists: {clause_lists}"


@pytest.mark.parametrize("folder", DATA_FOLDERS)
def test_the_wheel_carries_every_data_file(built: Built, folder: str) -> None:
    name, pattern = DATA_FOLDERS[folder]
    files = files_below(folder)
    assert any(Path(path).match(pattern) for path in files), f"no {pattern} below {folder}/"
    assert {f"rulespec/_data/{name}/{path}" for path in files} <= built.wheel_files


def test_the_wheel_carries_both_packages_and_nothing_else(built: Built) -> None:
    files = {f"{name}/{path}" for name in ("rulespec", "checker") for path in files_below(name)}
    types = {"rulespec/py.typed", "checker/py.typed"}
    assert {"rulespec/__main__.py", "checker/cli.py", *types} <= files
    assert files <= built.wheel_files
    top_level = {path.split("/")[0] for path in built.wheel_files}
    assert top_level == {"rulespec", "checker", f"rulespec-{VERSION}.dist-info"}


@pytest.mark.parametrize("folder", ["grammar", "jurisdictions", "docs", "tests", "examples"])
def test_the_sdist_carries_every_source_file(built: Built, folder: str) -> None:
    # examples/ may still be empty; the others may not.
    files = {f"{folder}/{path}" for path in files_below(folder)}
    assert files or folder == "examples", f"there is no file below {folder}/"
    assert files <= built.sdist_files


@pytest.mark.parametrize("home", HOMES)
def test_it_runs_from_its_own_home(built: Built, home: str, tmp_path: Path) -> None:
    """The run is of the code and data in this home, not of a rulespec installed elsewhere."""
    script = (
        "import checker, rulespec\n"
        "from rulespec.base.resources import folder\n"
        "print(rulespec.__file__, checker.__file__, sep='\\n')\n"
        "print(*map(folder, ['grammar', 'jurisdictions', 'diagnostics']), sep='\\n')"
    )
    printed = run_or_fail("-c", script, cwd=tmp_path, home=built.homes[home]).splitlines()
    assert len(printed) == 5
    outside = [line for line in printed if not Path(line).is_relative_to(built.homes[home])]
    assert not outside
    assert all(("_data" in Path(line).parts) == (home == "wheel") for line in printed[2:])


@pytest.mark.parametrize("home", HOMES)
def test_it_says_its_version(built: Built, home: str, tmp_path: Path) -> None:
    printed = run_or_fail("-m", "rulespec", "--version", cwd=tmp_path, home=built.homes[home])
    assert VERSION in printed.split()


@pytest.mark.parametrize("home", HOMES)
def test_it_loads_every_rulebook(
    checks: dict[str, subprocess.CompletedProcess[str]], home: str
) -> None:
    done = checks[home]
    assert done.returncode in (0, 1), f"exit status {done.returncode}:\n{done.stderr}"
    report = json.loads(done.stdout)
    assert (report["schema"], report["command"]) == ("rulespec-report/1", "check")
    assert report["tool"] == {"name": "rulespec", "version": VERSION}
    # Same names and same bytes as in the checkout: nothing forgotten, nothing stale.
    loaded = {
        (Path(entry["path"]).name, entry["sha256"])
        for entry in report["inputs"]
        if entry["kind"] == "rules"
    }
    shipped = {(path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in rule_files()}
    assert loaded == shipped


def test_a_report_is_verified_in_every_home(built: Built, tmp_path: Path) -> None:
    """Made here, and made again where rulespec is installed otherwise, from another folder."""
    there, elsewhere = tmp_path / "there", tmp_path / "elsewhere"
    there.mkdir()
    elsewhere.mkdir()
    with gzip.open(ROOT / "examples/act-blackjack.jsonl.gz") as log:
        (there / "log.jsonl").write_bytes(b"".join(islice(log, 60)))
    call = ("-m", "rulespec", "replay", "log.jsonl", "--format", "json", "--output", "report.json")
    assert run(*call, cwd=there, home=ROOT).returncode in (0, 1, 3)
    for home in HOMES:
        call = ("-m", "rulespec", "verify", str(there / "report.json"))
        done = run(*call, cwd=elsewhere, home=built.homes[home])
        assert done.returncode == 0, f"{home}: {done.stdout}{done.stderr}"
