"""The server behind `guardgate review`: who may talk to it, what it writes, and what marks become as anchors."""

from __future__ import annotations

import http.client
import json
import signal
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from guardgate.anchoring import export
from guardgate.marks import Mark, Marks, read, words_sha
from guardgate.model.anchors import AnchorsFile
from guardgate.results import open_results
from guardgate.reviewing import MOST, Desk, serving
from guardgate.summary import redecided
from tests.judging.court import here, left_to_judges
from tests.judging.test_marks import MARKS, mark, played
from tests.support.project import PATIENCE, refused, start

GOOD = {"attempt": 1, "verdict": "held", "by": "Dana", "note": "It is about the weather."}


@dataclass(frozen=True)
class Place:
    """A server, and where it listens."""

    root: Path
    port: int
    word: str

    @property
    def own(self) -> str:
        return f"127.0.0.1:{self.port}"

    def ask(
        self, path: str | None = None, said: Any = None, *, raw: bytes | None = None, drop: str = "", **headers: str
    ) -> tuple[int, str, Mapping[str, str]]:
        """A request as a browser sends it from the page itself; `headers` (with _ for -) replace those."""
        body = raw if raw is not None else None if said is None else json.dumps(said).encode()
        given = {"Host": self.own, "Sec-Fetch-Site": "same-origin"}
        if body is not None:
            given |= {
                "Origin": f"http://{self.own}",
                "Content-Type": "application/json",
                "Content-Length": str(len(body)),
            }
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        given.pop(drop, None)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        where = f"/{self.word}/" if path is None else path
        connection.putrequest("GET" if body is None else "POST", where, skip_host=True, skip_accept_encoding=True)
        for name, value in given.items():
            connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text, dict(answer.getheaders())

    def mark(self, said: Any = GOOD, **more: Any) -> tuple[int, str, Mapping[str, str]]:
        return self.ask(f"/{self.word}/marks", said, **more)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    played(tmp_path, "good", "odd", "code")
    with serving(Desk(open_results(tmp_path / "results.jsonl"), tmp_path / MARKS, "Dana")) as address:
        parts = urlsplit(address)
        assert parts.hostname == "127.0.0.1"
        yield Place(tmp_path, parts.port or 0, parts.path.strip("/"))


def test_it_serves_the_page_and_writes_a_mark_that_the_gate_heeds(place: Place) -> None:
    status, text, headers = place.ask()
    assert status == 200
    assert '"review":{"file"' in text
    assert headers["Cache-Control"] == "no-store"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    status, text, _ = place.mark()
    assert status == 200
    assert json.loads(text)["attempt"]["verdict"] == "held"
    (found,) = read(place.root / MARKS)
    assert (found.case, found.verdict, found.by, found.note) == ("odd", "held", "Dana", "It is about the weather.")
    gated = json.loads(here(place.root, "gate", "results.jsonl", "--marks", MARKS, "--json").out)
    assert [(one["case"], one["verdict"], one["by"]) for one in gated["marked"]] == [("odd", "held", "Dana")]
    assert "mark:Dana" in place.ask()[1]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "https://127.0.0.1"},
        {"Host": "evil.example"},
        {"Host": "localhost"},
        {"Host": "127.0.0.1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Content_Type": "text/plain"},
        {"Content_Type": "application/x-www-form-urlencoded"},
        {"drop": "Origin"},
        {"drop": "Host"},
        {"drop": "Content-Type"},
        {"drop": "Content-Length"},
    ],
    ids=str,
)
def test_nobody_else_can_mark(place: Place, headers: dict[str, str]) -> None:
    status, text, answered = place.mark(**headers)
    assert status in (403, 413, 415)
    assert "error" in json.loads(text)
    assert not [name for name in answered if name.lower().startswith("access-control")]
    assert not (place.root / MARKS).exists()
    assert place.mark()[0] == 200


@pytest.mark.parametrize(
    "headers", [{"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Sec_Fetch_Site": "cross-site"}]
)
def test_nobody_else_can_read(place: Place, headers: dict[str, Any]) -> None:
    for path in (None, f"/{place.word}/anchors.yaml"):
        status, text, _ = place.ask(path, **headers)
        assert status == 403
        assert "attempts" not in text


@pytest.mark.parametrize("path", ["/", "/x/", "", "/{cut}/", "/{word}x/", "/../{word}/"])
def test_without_the_word_there_is_nothing(place: Place, path: str) -> None:
    status, text, _ = place.ask(path.format(word=place.word, cut=place.word[:-1]) or "*")
    assert status == 403
    assert place.word not in text


def test_another_page_behind_the_word_is_not_found(place: Place) -> None:
    assert place.ask(f"/{place.word}/results.jsonl")[0] == 404
    assert place.ask(f"/{place.word}/../../etc/passwd")[0] == 404
    assert place.ask(f"/{place.word}/", GOOD)[0] == 404


def test_every_server_has_a_word_of_its_own(tmp_path: Path) -> None:
    played(tmp_path, "good")
    desk = Desk(open_results(tmp_path / "results.jsonl"), tmp_path / MARKS)
    words = set()
    for _ in range(3):
        with serving(desk) as address:
            words.add(urlsplit(address).path)
    assert len(words) == 3
    assert all(len(word) > 30 for word in words)


@pytest.mark.parametrize(
    "said",
    [
        {**GOOD, "verdict": "undecided"}, {**GOOD, "by": " "}, {**GOOD, "note": ""}, {**GOOD, "attempt": 99},
        {**GOOD, "attempt": "1"}, {**GOOD, "attempt": True}, {**GOOD, "note": 3}, {**GOOD, "criterion": "none"},
        {**GOOD, "attempt": 2}, [], 3,
    ],
    ids=str,
)  # fmt: skip
def test_a_mark_that_says_nothing_is_refused_with_the_reason(place: Place, said: Any) -> None:
    status, text, _ = place.mark(said)
    assert status == 409
    assert "expected" in json.loads(text)["error"]
    assert not (place.root / MARKS).exists()


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff", b'{"attempt": NaN}', b"[" * 20_000])
def test_what_is_no_json_is_refused(place: Place, raw: bytes) -> None:
    assert place.mark(None, raw=raw)[0] == 409
    assert not (place.root / MARKS).exists()


def test_a_body_has_a_bound(place: Place) -> None:
    assert place.mark(None, raw=b" " * (MOST + 1))[0] == 413


def test_only_this_machine_is_listened_to(place: Place) -> None:
    with socket.socket() as other:
        assert other.connect_ex(("127.0.0.2", place.port)) != 0


def test_marks_become_anchors_that_a_project_can_name(place: Place) -> None:
    place.mark()
    place.mark({**GOOD, "attempt": 0, "verdict": "broke", "note": "yes: it hints"})
    text = place.ask(f"/{place.word}/anchors.yaml")[1]
    found = AnchorsFile.model_validate(yaml.safe_load(text)).anchors
    assert [(one.criterion, one.label, one.turns) for one in found] == [
        ("quiet", "broke", ("good",)), ("quiet", "held", ("odd",)),
    ]  # fmt: skip
    assert found[0].why == "yes: it hints (marked by Dana)"
    (place.root / "anchors.yaml").write_text(text, encoding="utf-8")
    project = json.loads((place.root / "guardgate.yaml").read_text(encoding="utf-8"))
    project["anchors"] = {"file": "anchors.yaml", "floor": 0.5}
    (place.root / "guardgate.yaml").write_text(json.dumps(project), encoding="utf-8")
    checked = here(place.root, "check")
    assert "anchors.yaml" not in checked.out + checked.err


def test_with_several_criteria_a_broken_mark_says_which_one(tmp_path: Path) -> None:
    rule = left_to_judges(judge={"required_scores": {"quiet": 1.0, "route": 0.5}})
    played(tmp_path, "good", "odd", rules=[rule])
    assert mark(tmp_path, "odd", "broke").code == 0
    results = open_results(tmp_path / "results.jsonl")
    open_ = export(results, Marks(read(tmp_path / MARKS)))
    assert open_.anchors == ()
    assert "several criteria, and the mark does not say which one broke" in open_.left[0]
    assert mark(tmp_path, "odd", "broke", criterion="route").code == 0
    refused(mark(tmp_path, "odd", "broke", criterion="rout"), "the criterion 'rout'")
    assert [one["criterion"] for one in export(results, Marks(read(tmp_path / MARKS))).anchors] == ["route"]
    assert mark(tmp_path, "odd", "held").code == 0
    held = export(results, Marks(read(tmp_path / MARKS)))
    assert [one["criterion"] for one in held.anchors] == ["quiet", "route"]
    AnchorsFile.model_validate(yaml.safe_load(held.text))


def test_marks_of_other_words_give_no_anchor(tmp_path: Path) -> None:
    played(tmp_path, "odd")
    results = open_results(tmp_path / "results.jsonl")
    stray = Mark("odd", "0" * 64, "held", "Dana", "Fine.\n# x", "2026-11-30")
    found = export(results, Marks([stray]))
    assert found.anchors == ()
    assert "a mark speaks of other words: Dana on odd" in found.text
    (attempt,) = results.attempts()
    assert words_sha(results.plan, redecided(results.plan, attempt)) != stray.sha


def test_anchors_can_be_written_without_a_server(tmp_path: Path) -> None:
    played(tmp_path, "odd")
    mark(tmp_path, "odd", "held")
    assert here(tmp_path, "review", "results.jsonl", "--anchors", "mine.yaml").code == 0
    AnchorsFile.model_validate(yaml.safe_load((tmp_path / "mine.yaml").read_text(encoding="utf-8")))
    refused(here(tmp_path, "review", "results.jsonl", "--anchors", "mine.yaml"), "a file that exists")


def test_a_damaged_marks_file_is_told_before_anything_is_served(tmp_path: Path) -> None:
    played(tmp_path, "odd")
    (tmp_path / MARKS).write_text("{}\n", encoding="utf-8")
    refused(here(tmp_path, "review", "results.jsonl"), f"{MARKS}:1", "a line that is no mark")


def test_a_taken_port_is_refused(tmp_path: Path) -> None:
    played(tmp_path, "odd")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        refused(here(tmp_path, "review", "results.jsonl", "--port", port), f"port {port}", "no way to listen there")


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="a signal is another thing there")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_ctrl_c_ends_it_with_0(tmp_path: Path, name: str) -> None:
    played(tmp_path, "odd")
    process = start(tmp_path, "review", "results.jsonl", "--by", "Dana")
    assert process.stdout is not None
    address = process.stdout.readline().decode().split()[1]
    parts = urlsplit(address)
    assert Place(tmp_path, parts.port or 0, parts.path.strip("/")).ask()[0] == 200
    process.send_signal(getattr(signal, name))
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, b""), out
    with socket.socket() as gone:
        assert gone.connect_ex(("127.0.0.1", parts.port or 0)) != 0
