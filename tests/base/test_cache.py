"""What is kept between runs: nothing of it is run, and nothing that others wrote is believed."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from rulespec.base import cache, plain_data

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "rulespec"


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    inside: Part | None = None


@dataclass(slots=True)
class Whole:
    parts: tuple[Part, ...]
    words: dict[tuple[str, int], frozenset[str]]


WHOLE = Whole((Part("a"), Part("b", Part("c"))), {("x", 1): frozenset({"y", "z"})})


def test_a_value_comes_back_as_it_was() -> None:
    values = ([1, "two", None, True], {"a": (1, 2)}, {3, 4}, Fraction(3, 2), date(2024, 8, 19))
    assert plain_data.loads(plain_data.dumps(values), ()) == values
    assert plain_data.loads(plain_data.dumps(WHOLE), (Whole, Part)) == WHOLE


def test_only_the_classes_that_are_expected_are_made() -> None:
    with pytest.raises(ValueError, match="Part"):
        plain_data.loads(plain_data.dumps(WHOLE), (Whole,))
    with pytest.raises(TypeError):
        plain_data.dumps(object())


@pytest.mark.parametrize("change", ["a field less", "another kind", "no such class", "no JSON"])
def test_another_shape_is_refused(change: str) -> None:
    names, data = json.loads(plain_data.dumps(Part("a")))
    match change:
        case "a field less":
            data = data[:-1]
        case "another kind":
            data[1] = 7
        case "no such class":
            data[0] += 1
    written = json.dumps([names, data]).encode() if change != "no JSON" else b"["
    with pytest.raises(ValueError, match="not what was written"):
        plain_data.loads(written, (Part,))


def test_deep_nesting_is_refused_and_not_a_crash() -> None:
    with pytest.raises(ValueError, match="not what was written"):
        plain_data.loads(b"[[]," + b"[0," * 20_000 + b"0" + b"]" * 20_001, ())


def test_what_is_written_is_found_again(folder: Path) -> None:
    place = cache.place_of("kind", b"made from this")
    assert place is not None
    assert cache.read(place, Whole, (Whole, Part)) is None
    cache.write(place, WHOLE)
    assert cache.read(place, Whole, (Whole, Part)) == WHOLE
    assert cache.read(place, Part, (Whole, Part)) is None
    assert [file.name for file in folder.iterdir()] == [place.name]
    assert not place.stat().st_mode & 0o077
    assert cache.place_of("kind", b"made from", b"this") != place


@pytest.mark.parametrize("flaw", ["readable", "link", "not sealed", "folder open", "pipe"])
def test_what_is_not_private_is_not_read(flaw: str, folder: Path) -> None:
    place = cache.place_of("kind", b"")
    assert place is not None
    cache.write(place, WHOLE)
    match flaw:
        case "readable":  # as a checkout or an archive leaves it
            place.chmod(0o644)
        case "link":
            other = place.rename(place.with_name("other"))
            place.symlink_to(other)
        case "not sealed":
            place.write_bytes(place.read_bytes()[:-1] + b" ")
        case "folder open":
            folder.chmod(0o755)
            assert cache.place_of("kind", b"") is None
            return
        case "pipe":
            place.unlink()
            os.mkfifo(place, 0o600)
    assert cache.read(place, Whole, (Whole, Part)) is None


def test_the_oldest_go_when_there_are_too_many(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_KEPT", 3)
    for number in range(5):
        place = cache.place_of("kind", bytes([number]))
        assert place is not None
        cache.write(place, number)
        os.utime(place, (number, number))
    assert len(list(folder.iterdir())) == 3
    assert place.exists()


def test_any_changed_byte_of_the_code_changes_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("rulespec", "checker", "grammar"):
        shutil.copytree(ROOT / name, tmp_path / name)
    code = "from rulespec.base.cache import made_by; print(made_by().hex())"

    def key() -> str:
        ran = subprocess.run(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            text=True,
            capture_output=True,
            check=True,
            env={"PATH": ""},
        )
        return ran.stdout

    before = key()
    changed = (
        "checker/columns/run.py",
        "rulespec/tree/nodes.py",
        "checker/render/lines.py",
        "grammar/4_words.lark",
        "checker/compare/topics/2-money.yaml",
    )
    for name in changed:
        path = tmp_path / name
        content = path.read_bytes()
        path.write_bytes(content + b"\n")
        assert key() != before, name
        path.write_bytes(content)
    assert key() == before


def call(cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rulespec", "check", "act-pontoon"],
        cwd=cwd,
        text=True,
        capture_output=True,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **env},
    )


def test_without_a_home_nothing_is_kept_and_no_folder_here_is_taken_for_it(tmp_path: Path) -> None:
    ran = call(tmp_path, HOME="", XDG_CACHE_HOME="kept-here")
    assert ran.returncode == 0, ran.stderr
    assert [path.name for path in tmp_path.iterdir()] == []


class Runs:
    def __reduce__(self) -> object:
        return os.mkdir, ("it-ran",)


def test_nothing_is_run_that_a_checkout_puts_into_the_cache(tmp_path: Path) -> None:
    """Every file that a run leaves, replaced by one that would make a folder if it was run."""
    home = tmp_path / "home"
    assert call(tmp_path, HOME=str(home)).returncode == 0
    files = [path for path in home.rglob("*") if path.is_file()]
    assert files
    for path in files:
        path.write_bytes(pickle.dumps(Runs()))
    assert call(tmp_path, HOME=str(home)).returncode == 0
    assert not list(tmp_path.rglob("it-ran"))
