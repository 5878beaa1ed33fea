"""The pictures of the docs, taken of the workbench on the shipped logs by Chromium.

make pictures
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
LOG = "nsw-star-pontoon.jsonl.gz"
PAGES = {
    "findings": "/findings",
    "round": f"/round?log={LOG}&line=73",
    "change": "/change?old=nsw-star-pontoon&new=amendments/star-bands.rules",
    "try": "/try?rules=nz-pontoon&rules=act-blackjack&play=bet 1 P1 10%0Adeal 1:KS 0:9H 1:KD%0A"
    "1 P1 stand%0Adealer 9S%0Asettle 1 P1 main 10",
}


def browser() -> Any:
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for word in ("--headless=new", "--no-sandbox", "--window-size=1200,900"):
        options.add_argument(word)
    options.binary_location = shutil.which("chromium") or ""
    return webdriver.Chrome(
        options=options, service=webdriver.ChromeService(shutil.which("chromedriver"))
    )


def main() -> None:
    target = ROOT / "docs" / "pictures"
    target.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "audit"
        shutil.copytree(ROOT / "examples", folder)
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        rulespec = [sys.executable, "-m", "rulespec"]
        subprocess.run(
            [*rulespec, "replay", LOG, "--store", "audit.sqlite", "--quiet", "--limit", "0"],
            cwd=folder,
            env=environment,
            stdout=subprocess.DEVNULL,
        )
        call = [*rulespec, "serve", str(folder), "--no-open", "--port", "0", "--quiet"]
        with subprocess.Popen(call, stdout=subprocess.PIPE, text=True, env=environment) as server:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            with browser() as window:
                window.get(address)
                for name, page in PAGES.items():
                    window.get(address.split("/?")[0] + page)
                    time.sleep(1)
                    while window.find_elements("css selector", "[hx-trigger^=load]"):
                        time.sleep(0.5)
                    window.save_screenshot(str(target / f"{name}.png"))
            server.terminate()


if __name__ == "__main__":
    main()
