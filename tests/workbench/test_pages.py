"""Every page, as HTML: it is there, it tells what the store and the evaluator tell, it escapes."""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path
from typing import Any

import pytest

from checker.store.selection import Selection
from checker.store.store import Store
from checker.workbench import logs, workspace
from checker.workbench.folder import Folder
from checker.workbench.workspace import Workspace
from tests.support import PATIENCE
from tests.workbench.conftest import HARM, PORT

OWN = {"origin": f"http://127.0.0.1:{PORT}"}
PAGES = [
    "/",
    "/findings",
    "/findings?order=amount&state=open&least=10&words=P",
    "/rulebook?rules=nz-pontoon",
    "/rulebook?rules=amendments/star-bands.rules",
    "/clause?rules=nz-pontoon&clause=9.3",
    "/clause?rules=nsw-star-pontoon&clause=11.4",
    "/change?old=nz-pontoon&new=act-pontoon",
    "/compare?rules=nz-pontoon&rules=act-pontoon",
    "/review",
    "/try",
]


@pytest.mark.parametrize("address", PAGES)
def test_a_page_answers_and_escapes(client: Any, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200
    assert "<h1>" in answer.text
    assert HARM not in answer.text
    assert "<i>.jsonl" not in answer.text
    assert "style=" not in answer.text  # the policy would drop it
    assert "<script>" not in answer.text


def test_totals_and_facets_follow_the_filter(client: Any, folder: Path) -> None:
    with Store(folder / "audit.sqlite") as store:
        run = store.run()
        clause, count = store.facet(Selection(run.id), "clause")[0]
    whole = client.get("/findings").text
    assert f"<strong>{run.findings}</strong>" in whole
    part = client.get("/findings", params={"clause": clause}, headers={"hx-request": "true"}).text
    assert part.startswith('<div id="list">')
    assert f"<strong>{count}</strong> of {run.findings}" in part
    none = client.get("/findings", params={"words": "no such words"}).text
    assert f"No finding within the filter: {run.findings} outside it" in none


def test_the_round_of_a_finding_is_drawn_and_judged(client: Any, folder: Path) -> None:
    with Store(folder / "audit.sqlite") as store:
        run = store.run()
        stored = store.findings(Selection(run.id, {"kind": ("settlement",)}))
    for one in stored[:3]:
        asked = {"log": "september.jsonl.gz", "line": one.finding["line"]}
        text = client.get("/round", params={**asked, "run": run.id, "n": one.n}).text
        assert f"Round {one.finding['round']}" in text
        assert 'class="felt"' in text
        assert "wrong" in text
        assert "has changed since" not in text
        assert HARM not in text
    other = client.get("/round", params={**asked, "line": 1, "run": run.id, "n": stored[0].n})
    assert "has changed since" in other.text


def test_the_rounds_before_and_after_are_of_the_same_shoe(client: Any) -> None:
    text = client.get("/round", params={"log": "september.jsonl.gz", "line": 50}).text
    assert 'rel="prev"' in text
    assert 'rel="next"' in text


def test_a_review_is_added_from_a_page(client: Any, folder: Path) -> None:
    with Store(folder / "audit.sqlite") as store:
        mark = store.findings(Selection(store.run().id))[-1].finding["fingerprint"]
    said = {"fingerprint": mark, "state": "explained", "reason": HARM, "person": "A. Smith"}
    answer = client.post("/say", data={**said, "back": "/findings?state=explained"}, headers=OWN)
    assert (answer.status_code, answer.headers["location"]) == (303, "/findings?state=explained")
    told = client.get("/review").text
    assert "A. Smith" in told
    assert HARM not in told
    wrong = client.post("/say", data={**said, "reason": ""}, headers=OWN)
    assert wrong.status_code == 400
    assert "gives a reason" in wrong.text


def test_what_is_shown_can_be_taken_along(client: Any) -> None:
    rows = client.get("/findings/export?format=csv&kind=settlement").text.splitlines()
    assert rows[0].startswith("fingerprint,state,rulebook,clause")
    assert len(rows) > 2
    excel = client.get("/findings/export?format=xlsx").content
    from io import BytesIO

    openpyxl = pytest.importorskip("openpyxl")
    sheet = openpyxl.load_workbook(BytesIO(excel)).active
    assert sheet["A1"].value == "fingerprint"
    assert not any(cell.data_type == "f" for row in sheet.iter_rows() for cell in row)


def test_a_hand_is_tried_under_several_rulebooks(client: Any) -> None:
    play = "bet 1 P1 10\ndeal 1:KS 0:9H 1:KD\n1 P1 stand\ndealer 9S\nsettle 1 P1 main 10"
    asked = {"rules": ["nz-pontoon", "act-blackjack"], "play": play}
    text = client.get("/try", params=asked, headers={"hx-request": "true"}).text
    assert text.count('class="judged"') == 2
    assert "due $20, given $10" in text
    assert "tried by hand" in text
    bad = client.get("/try", params={"rules": "nz-pontoon", "play": "bet one P1"}).text
    assert "line 1" in bad


def finished(client: Any, address: str) -> str:
    for _ in range(10 * PATIENCE):
        text = client.get(address).text
        if "hx-trigger" not in text:
            return str(text)
        time.sleep(0.1)
    raise AssertionError(f"{address} does not come to an end")


def test_what_takes_long_is_worked_out_beside(client: Any) -> None:
    assert "house edge" in finished(client, "/worked/edge?rules=act-pontoon")
    compared = finished(client, "/worked/compare?rules=nz-pontoon&rules=act-pontoon&differences=1")
    assert "topics are shown" in compared
    changed = finished(client, "/worked/diff?old=nz-pontoon&new=nz-pontoon")
    assert "Same meaning" in changed or "same" in changed


def test_a_replay_is_run_from_the_page(client: Any, folder: Path) -> None:
    with Store(folder / "audit.sqlite") as store:
        before = len(store.runs())
    answer = client.post("/replay", data={"log": "a&b <i>.jsonl.gz"}, headers=OWN)
    address = answer.headers["location"]
    for _ in range(10 * PATIENCE):
        text = client.get(address).text
        if "Look at the findings" in text:
            break
        assert "cancelled" not in text
        time.sleep(0.1)
    assert "Look at the findings" in text
    with Store(folder / "audit.sqlite") as store:
        assert len(store.runs()) == before + 1
        assert store.run().logs == ["a&b <i>.jsonl.gz"]


def test_a_round_is_judged_with_its_shoe(client: Any, folder: Path) -> None:
    from checker.replay.find_round import find_round

    with gzip.open(folder / "september.jsonl.gz", "rt") as file:
        line = next(n for n, text in enumerate(file, 1) if '"e": "cut_card"' in text) + 12
        file.seek(0)
        told = [json.loads(text)["round"] for text in file][line - 1]
    wanted = find_round(str(folder / "september.jsonl.gz"), told)
    found = Workspace(Folder(folder)).round("september.jsonl.gz", line)
    assert wanted is not None
    assert (found.round.id, found.view) == (told, wanted[1])
    assert found.view is not None
    assert found.view.cards_out
    text = client.get("/round", params={"log": "september.jsonl.gz", "line": line}).text
    assert "with what the earlier rounds of its shoe tell" in text


def test_a_long_log_is_indexed_beside(
    client: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "SHORT", 0)
    asked = {"log": "september.jsonl.gz", "line": 300}
    seen = set()
    for _ in range(10 * PATIENCE):
        answer = client.get("/round", params=asked)
        seen.add(answer.status_code)
        if answer.status_code == 200:
            break
        assert "is being indexed" in answer.text
        assert 'class="again"' in answer.text
        time.sleep(0.1)
    assert seen == {202, 200}
    assert "with what the earlier rounds of its shoe tell" in answer.text


def test_a_shoe_that_is_too_long_is_told(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace, "MOST_OF_A_SHOE", 0)
    text = client.get("/round", params={"log": "september.jsonl.gz", "line": 50}).text
    assert "Judged by itself: its shoe has too many earlier rounds" in text


def test_a_log_that_changes_is_read_anew(client: Any, folder: Path) -> None:
    path = folder / "changing.jsonl"
    with gzip.open(folder / "september.jsonl.gz") as file:
        path.write_bytes(file.readline())
    asked = {"log": "changing.jsonl", "line": 1}
    assert client.get("/round", params=asked).status_code == 200
    path.write_bytes(b"broken\n")
    answer = client.get("/round", params=asked)
    assert answer.status_code == 404
    assert "no valid round" in answer.text
    path.unlink()
    assert client.get("/round", params=asked).status_code == 404


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("{file: law.txt, line: 2, to: 3}", ["two &lt;b&gt;", "three"]),
        ("{file: law.txt, page: 2}", ["four"]),
        ("{file: law.txt, line: 2, to: 1000000000}", ["two", "five"]),
        ("{file: law.txt, line: [1], to: -4}", ["one"]),
        ("{file: law.pdf, page: 7}", ["law.pdf, page 7", "open it at that place"]),
        ("{file: huge.txt, line: 1}", ["more than the 16,777,216 allowed"]),
        ("{file: ../secret.jsonl, line: 1}", []),
        ("[3]", []),
    ],
)
def test_the_printed_source_stands_beside(
    client: Any, folder: Path, source: str, shown: list[str]
) -> None:
    (folder / "law.txt").write_text("one\ntwo <b>\nthree\n\fpage two: four\nfive\n")
    (folder / "law.pdf").write_bytes(b"%PDF-1.7 \0")
    with (folder / "huge.txt").open("wb") as file:
        file.truncate(1 << 34)
    text = 'rulebook tiny { game pontoon }\nclause 1 "Cards" {\n  cards 2 to 9 count face\n}\n'
    (folder / "tiny.rules").write_text(text)
    (folder / "tiny.clauses.yaml").write_text(f'clauses: [3, {{id: "1", source: {source}}}]\n')
    (folder / "tiny.scenarios.yaml").write_text("scenarios: [3, {name: x, clauses: 1}]\n")
    answer = client.get("/clause", params={"rules": "tiny.rules", "clause": "1"})
    assert answer.status_code == 200
    assert ("As it is printed" in answer.text) == bool(shown)
    for one in shown:
        assert one in answer.text
    for name in ("law.txt", "law.pdf", "huge.txt", "tiny.rules"):
        (folder / name).unlink()
    for ending in ("clauses", "scenarios"):
        (folder / f"tiny.{ending}.yaml").unlink()


def ended(client: Any, answer: Any) -> str:
    assert answer.status_code == 303
    for _ in range(10 * PATIENCE):
        text = str(client.get(answer.headers["location"]).text)
        if 'data-state="running"' not in text:
            return text
        time.sleep(0.1)
    raise AssertionError("it does not come to an end")


def test_a_run_is_made_again_and_compared(client: Any, folder: Path) -> None:
    with Store(folder / "audit.sqlite") as store:
        count = store.run(1).findings
    text = ended(client, client.post("/verify", data={"run": "1"}, headers=OWN))
    assert "<strong>yes</strong>" in text
    assert f"{count} findings of 600 rounds were compared" in text
    log = folder / "september.jsonl.gz"
    kept = log.read_bytes()
    log.write_bytes(
        gzip.compress(gzip.decompress(kept).replace(b'"returned": 99999', b'"returned": 9'))
    )
    text = ended(client, client.post("/verify", data={"run": "1"}, headers=OWN))
    log.write_bytes(kept)
    assert "<strong>no</strong>" in text
    assert "it is another file than was judged" in text
    assert HARM not in text


def test_a_saved_result_is_verified(client: Any, folder: Path) -> None:
    from checker import cli

    result = folder / "result.json"
    call = ["replay", str(folder / "september.jsonl.gz"), "--quiet"]
    assert cli.main([*call, "--format", "json", "--output", str(result)]) == 1
    assert "verify result.json" in client.get("/").text
    sent = {"result": "result.json"}
    assert "<strong>yes</strong>" in ended(client, client.post("/verify", data=sent, headers=OWN))
    result.write_bytes(result.read_bytes().replace(b'"rounds": 600', b'"rounds": 601'))
    assert "<strong>no</strong>" in ended(client, client.post("/verify", data=sent, headers=OWN))
    assert (
        client.post("/verify", data={"result": "../secret.jsonl"}, headers=OWN).status_code == 404
    )
    assert client.post("/verify", data=sent).status_code == 403
    result.unlink()


def test_a_run_says_whether_its_inputs_are_as_they_were(client: Any, folder: Path) -> None:
    asked = {"run": 1}
    assert "the same bytes" in client.get("/unchanged", params=asked).text
    log = folder / "september.jsonl.gz"
    kept = log.read_bytes()
    log.write_bytes(kept + b"\0")
    assert "september.jsonl.gz is another file now" in client.get("/unchanged", params=asked).text
    log.unlink()
    assert "is not in this folder" in client.get("/unchanged", params=asked).text
    log.write_bytes(kept)


def test_the_pages_of_a_run_are_written_as_files(folder: Path, tmp_path: Path) -> None:
    import re

    from checker.workbench.export import Export
    from checker.workbench.folder import Folder

    target = tmp_path / "pages"
    count = Export(Folder(folder), target, 1).write()
    names = {path.name for path in target.glob("*.html")}
    assert "index.html" in names
    assert count == len(names) > 20
    linked = set()
    for path in target.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert HARM not in text
        assert "<form" not in text or path.name.startswith("findings")
        found = re.findall(r'(?:href|src)="([^"#]+)"', text)
        linked |= {one for one in found if not one.startswith("static/")}
    assert linked <= names
