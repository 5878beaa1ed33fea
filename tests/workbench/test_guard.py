"""Who may ask, what may be read: everybody else is turned away."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from checker.workbench.folder import Folder, Outside
from tests.workbench.conftest import PORT, TOKEN

OWN = f"http://127.0.0.1:{PORT}"


def test_the_token_in_the_address_becomes_a_cookie_of_this_browser_alone(client: Any) -> None:
    client.cookies.clear()
    assert client.get("/").status_code == 403
    assert client.get("/?token=wrong").status_code == 403
    assert client.get("/?token=" + "ä" * 40).status_code == 403
    answer = client.get(f"/findings?token={TOKEN}&clause=9.1")
    assert (answer.status_code, answer.headers["location"]) == (303, "/findings?clause=9.1")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", f"evil.example:{PORT}", ""])
def test_a_foreign_host_is_refused(client: Any, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": OWN, "sec-fetch-site": "cross-site"},
    ],
)
@pytest.mark.parametrize("address", ["/say", "/replay", "/jobs/1/stop"])
def test_only_own_pages_may_change_something(
    client: Any, headers: dict[str, str], address: str
) -> None:
    assert client.post(address, data={"log": "x"}, headers=headers).status_code == 403


def test_too_much_is_refused(client: Any) -> None:
    headers = {"origin": OWN, "content-length": "99999999"}
    assert client.post("/say", content=b"x", headers=headers).status_code == 413


def test_every_answer_is_strict(client: Any) -> None:
    for address in ("/", "/nothing", "/static/workbench.js", "/static/../server.py"):
        headers = client.get(address).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"


NAMES = [
    "../secret.jsonl",
    "amendments/../../secret.jsonl",
    "/etc/passwd",
    "out.jsonl",
    "",
    "a\0b",
    "amendments",
    "%2e%2e/secret.jsonl",
]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_outside_the_folder_is_read(client: Any, folder: Path, name: str) -> None:
    with pytest.raises(Outside):
        Folder(folder).file(name)
    for address in ("/round", "/rulebook", "/clause", "/worked/check", "/worked/impact"):
        asked = {"log": name, "line": 1, "rules": name, "old": name, "new": name, "clause": "1"}
        answer = client.get(address, params=asked)
        assert answer.status_code == 404
        assert "root:" not in answer.text
    posted = client.post("/replay", data={"log": name}, headers={"origin": OWN})
    assert posted.status_code == 404


def test_a_form_returns_only_to_own_pages(client: Any) -> None:
    from checker.workbench.server import _back

    assert _back("/findings?run=1") == "/findings?run=1"
    for address in ("//evil.example", "/\\evil.example", "http://evil.example", "/a\r\nb: c", ""):
        assert _back(address) == "/"
