"""The workbench in a real browser: Chromium without a window, driven by Selenium.

Left out, and said so, where there is no Chromium; `.ci/run` fails there."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checker.store.store import Store

pytest.importorskip("selenium")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")
DRIVER = shutil.which("chromedriver")
if CHROMIUM is None or DRIVER is None:
    pytest.skip("no Chromium: the browser tests are left out", allow_module_level=True)

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    call = [
        sys.executable,
        "-m",
        "rulespec",
        "serve",
        str(folder),
        "--no-open",
        "--port",
        str(port),
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(call, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.terminate()
        server.wait(10)


@pytest.fixture(scope="module")
def browser(address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    for word in ("--headless=new", "--no-sandbox", "--window-size=1300,1000"):
        options.add_argument(word)
    options.binary_location = str(CHROMIUM)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    taken = tmp_path_factory.mktemp("taken")
    options.add_experimental_option("prefs", {"download.default_directory": str(taken)})
    with webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER)) as made:
        made.taken = taken
        made.get(address)
        yield made


def go(browser: Any, address: str, where: str) -> None:
    browser.get(address.split("/?")[0] + where)


def until(browser: Any, what: Any, seconds: int = 180) -> Any:
    gone = [StaleElementReferenceException]  # the page is being put together anew
    return WebDriverWait(browser, seconds, ignored_exceptions=gone).until(what)


def text_of(browser: Any, selector: str) -> str:
    return str(browser.find_element(By.CSS_SELECTOR, selector).text)


def no_complaint(browser: Any, address: str) -> None:
    """No error in the console, and nothing asked of another host."""
    told = [row for row in browser.get_log("browser") if row["level"] == "SEVERE"]
    assert told == []
    own = address.split("/?")[0]
    for row in browser.get_log("performance"):
        message = json.loads(row["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            asked = message["params"]["request"]["url"]
            assert asked.startswith((own, "data:", "chrome:")), asked


PAGES = [
    "/",
    "/findings",
    "/round?log=september.jsonl.gz&line=3",
    "/rulebook?rules=nz-pontoon",
    "/clause?rules=nz-pontoon&clause=9.3",
    "/change?old=nz-pontoon&new=amendments/new-zealand-odds.rules",
    "/compare?rules=nz-pontoon&rules=act-pontoon",
    "/review",
    "/try?rules=nz-pontoon&play=bet 1 P1 10",
]


@pytest.mark.parametrize("where", PAGES)
def test_every_page_opens_without_complaint_and_is_accessible(
    browser: Any, address: str, where: str
) -> None:
    go(browser, address, where)
    waiting = "[hx-trigger^=load]:not(td), td[hx-trigger] .faint"
    until(browser, lambda b: not b.find_elements(By.CSS_SELECTOR, waiting), 300)
    no_complaint(browser, address)
    axe = pytest.importorskip("axe_core_python.selenium").Axe()
    found = axe.run(browser)["violations"]
    serious = [
        (one["id"], [node["html"][:120] for node in one["nodes"]][:3])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []


def test_findings_are_filtered_paged_and_taken_along(browser: Any, address: str) -> None:
    go(browser, address, "/findings")
    whole = text_of(browser, ".totals")
    browser.find_element(By.CSS_SELECTOR, ".facets input[name=clause]").click()
    until(browser, lambda b: text_of(b, ".totals") != whole)
    assert " of " in text_of(browser, ".totals")
    assert "clause=" in browser.current_url
    browser.find_element(By.LINK_TEXT, "CSV").click()
    until(browser, lambda b: (b.taken / "findings.csv").exists())
    assert "settlement" in (browser.taken / "findings.csv").read_text(encoding="utf-8")
    no_complaint(browser, address)


def test_a_finding_is_reviewed(browser: Any, address: str, folder: Path) -> None:
    go(browser, address, "/findings")
    browser.find_element(By.CSS_SELECTOR, "td input[name=fingerprint]").click()
    form = browser.find_element(By.CSS_SELECTOR, "form.many")
    form.find_element(By.CSS_SELECTOR, "select[name=state] option:nth-child(4)").click()
    form.find_element(By.NAME, "reason").send_keys("seen in the browser")
    form.find_element(By.NAME, "person").send_keys("B. Jones", Keys.ENTER)
    until(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".state.dismissed"))
    with Store(folder / "audit.sqlite") as store:
        assert store.history()[0].reason == "seen in the browser"


def test_the_slider_goes_through_the_events_by_keyboard(browser: Any, address: str) -> None:
    go(browser, address, "/round?log=september.jsonl.gz&line=3")
    slider = browser.find_element(By.CSS_SELECTOR, "input.frames")
    last = text_of(browser, "#what-happened")
    slider.send_keys(Keys.ARROW_LEFT)
    assert text_of(browser, "#what-happened") != last
    shown = [f for f in browser.find_elements(By.CSS_SELECTOR, ".frame") if f.is_displayed()]
    assert len(shown) == 1


def test_a_replay_is_started_and_cancelled(browser: Any, address: str, folder: Path) -> None:
    with gzip.open(folder / "september.jsonl.gz") as file:
        rows = file.read()
    with (folder / "long.jsonl").open("wb") as file:
        for copy in range(150):
            file.write(rows.replace(b'"round": "', b'"round": "%d-' % copy))
    with Store(folder / "audit.sqlite") as store:
        before = len(store.runs())
    go(browser, address, "/")
    browser.find_element(By.CSS_SELECTOR, "input[name=log][value='long.jsonl']").click()
    browser.find_element(By.XPATH, "//button[text()='Replay']").click()
    until(browser, lambda b: b.find_elements(By.XPATH, "//button[text()='Cancel']"))
    browser.find_element(By.XPATH, "//button[text()='Cancel']").click()
    until(browser, lambda b: "cancelled" in text_of(b, ".job"))
    time.sleep(1)
    (folder / "long.jsonl").unlink()
    with Store(folder / "audit.sqlite") as store:
        assert len(store.runs()) == before


def test_a_hand_is_laid_by_clicking(browser: Any, address: str) -> None:
    go(browser, address, "/try?rules=nz-pontoon")
    area = browser.find_element(By.CSS_SELECTOR, "textarea")
    while area.get_attribute("value").strip():
        browser.find_element(By.CSS_SELECTOR, "[data-lay=undo]").click()
    browser.find_element(By.CSS_SELECTOR, "[data-lay=bet]").click()
    for card in ("KS", "KD"):
        browser.find_element(By.CSS_SELECTOR, f"[data-card={card}]").click()
    browser.find_element(By.CSS_SELECTOR, "[data-word=stand]").click()
    assert area.get_attribute("value") == "bet 1 P1 10\ndeal 1:KS 1:KD\n1 P1 stand"
    until(browser, lambda b: b.find_elements(By.CSS_SELECTOR, "#result .judged .felt"))
    no_complaint(browser, address)
