"""Runs that hang, get lost, run wild or call home: ours is bounded, kept, and asks the target alone."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from tests.support.crowd import Crowd
from tests.support.project import (
    HELLO,
    bot,
    case,
    ended,
    forbids,
    gated,
    guardgate,
    http,
    lines,
    openai,
    put,
    run,
    start,
    turn_of,
    write,
)
from tests.support.server import PATIENCE, Answer, Server, free_port


def many(count: int) -> list[dict[str, Any]]:
    return [case(f"c{number:03}") for number in range(count)]


def test_d01_a_wrong_address_is_found_at_once(tmp_path: Path) -> None:
    ran = run(write(tmp_path, openai(f"http://127.0.0.1:{free_port()}"), cases=many(3)))
    assert ran.code == 3
    assert ran.file is None
    assert "nothing listens" in ran.err


@pytest.mark.parametrize("kind", [http, openai])
def test_d01_retries_are_counted(tmp_path: Path, kind: Any) -> None:
    with Server(bot(lambda _: Answer("busy", 503, {"Retry-After": "0"}))) as server:
        ran = run(write(tmp_path, kind(server.url)))
    assert (ran.code, ran.kinds) == (3, {"c1": "http_error"})
    assert len(server.seen) == 1 + 5
    assert ran.attempts[0]["failure"]["tries"] == 5


def test_d01_retries_end_with_the_time_of_the_attempt(tmp_path: Path) -> None:
    with Server(bot(lambda _: Answer("busy", 503, {"Retry-After": "3600"}))) as server:
        ran = run(write(tmp_path, openai(server.url)))
    assert (ran.code, ran.kinds) == (3, {"c1": "http_error"})
    assert len(server.seen) == 1 + 1


def test_d01_the_run_ends_when_its_minutes_are_over(tmp_path: Path) -> None:
    with Server(bot(lambda _: Answer(hang=True))) as server:
        root = write(tmp_path, http(server.url), cases=many(20), run={"limits": {"run_minutes": 0.01}})
        ran = run(root)
    assert ran.code == 3
    assert "run_minutes" in ran.first
    assert "undecided (target 0, judge 0, guardgate 20)" in ran.first
    assert len(server.seen) == 1 + 8


def test_d02_a_refused_turn_is_sent_again(tmp_path: Path) -> None:
    met: set[str] = set()

    def first_refused(turn: str) -> Answer | str:
        if turn in met:
            return "No."
        met.add(turn)
        return Answer("busy", 503) if turn == "c000" else Answer("slow down", 429, {"Retry-After": "0"})

    with Server(bot(first_refused)) as server:
        ran = run(write(tmp_path, http(server.url), cases=many(4)))
    assert (ran.code, set(ran.verdicts.values())) == (0, {"held"})
    assert len(server.seen) == 1 + 2 * 4


@pytest.mark.parametrize(("of_run", "of_target"), [(4, None), (9, 3)])
def test_d03_never_more_in_flight_than_asked(tmp_path: Path, of_run: int, of_target: int | None) -> None:
    limit = of_target or of_run
    with Crowd(bot(lambda _: "No."), crowd=limit) as server:
        more = {} if of_target is None else {"concurrency": of_target}
        ran = run(write(tmp_path, http(server.url, **more), cases=many(4 * limit), run={"concurrency": of_run}))
    assert ran.code == 0
    assert server.most == limit


CRASH = """
import guardgate.results as results

def crash(attempt, whole=results.attempt_to):
    if attempt.n == 3:
        raise ValueError("invalid string length")
    return whole(attempt)

results.attempt_to = crash
"""


def test_d04_a_crash_while_saving_loses_nothing_that_was_saved(tmp_path: Path) -> None:
    ran = run(write(tmp_path, [{"say": "It is ZEBRA."}], cases=many(9), run={"concurrency": 1}), before=CRASH)
    assert ran.code == 3
    assert "invalid string length" in ran.err
    assert ran.verdicts == {"c000": "broke", "c001": "broke", "c002": "broke"}
    assert "a hard rule broke: R1" in guardgate(tmp_path, "gate", "results.jsonl").first


def test_d12_other_code_pages_change_nothing(tmp_path: Path) -> None:
    words = "ça – 你好 🦓 Straße"
    rules = [forbids("你好")]
    with Server(bot(lambda turn: f"«{turn}» ZEBRA 你好")) as server:
        root = write(tmp_path, http(server.url), cases=[case("c1", words)], rules=rules)
        odd = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "cp1252"}
        ran = run(root, env=odd)
    assert ran.code == 2
    assert turn_of(server.seen[1]) == words
    assert words in ran.out
    assert ran.attempts[0]["replies"][0]["text"] == f"«{words}» ZEBRA 你好"


TEMPLATES = [
    "{{ 7*7 }} {% if x %} {# comment #} ${HOME} %s %(name)s $USER `id`",
    "{turn} {messages} {session} {system} {0} {}",
    "{{turn}} \\{turn} {'turn': 1} <%= x %> #{x} \\n \\u0041",
]


@pytest.mark.parametrize("kind", [http, openai])
def test_d13_attack_text_is_no_template(tmp_path: Path, kind: Any) -> None:
    with Server(bot(lambda _: "No.")) as server:
        cases = [case(f"c{number}", *TEMPLATES[number:], "end") for number in range(len(TEMPLATES))]
        ran = run(write(tmp_path, kind(server.url), cases=cases, run={"concurrency": 1}))
    assert ran.code == 0
    sent = [turn_of(seen) for seen in server.seen]
    assert sent == [HELLO, *TEMPLATES, "end", *TEMPLATES[1:], "end", *TEMPLATES[2:], "end"]


def test_d14_a_case_reaches_no_environment(tmp_path: Path) -> None:
    secret = "s3cret-9f8e7d6c5b"
    words = "{{env.MY_SECRET}} ${MY_SECRET} $MY_SECRET {{ process.env.MY_SECRET }} %MY_SECRET%"
    with Server(bot(lambda _: "No.")) as server:
        root = write(tmp_path, http(server.url), cases=[case("c1", words, wants=words, note="${MY_SECRET}")])
        ran = run(root, env={"MY_SECRET": secret})
    assert ran.code == 0
    assert turn_of(server.seen[1]) == words
    everything = b"".join(seen.body for seen in server.seen) + (root / "results.jsonl").read_bytes()
    assert secret.encode() not in everything


#: What no command may do that contacts no model, as the interpreter's audit events name it.
WATCH = """
import os, sys

def watch(event, arguments, log=os.environ["WATCHED"]):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname", "socket.bind",
                 "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "urllib.Request"):
        with open(log, "a") as file:
            print(event, arguments[1:] if event.startswith("socket.c") else arguments, file=file)

sys.addaudithook(watch)
"""
EVERY_MODULE = """
import importlib, pkgutil, guardgate
for module in pkgutil.walk_packages(guardgate.__path__, "guardgate."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""


def watched(root: Path, *arguments: str, before: str = "") -> tuple[int, list[str]]:
    """The code of a command, and what it did that only a run may do."""
    log = root / "watched.log"
    log.write_text("")
    ran = guardgate(root, *arguments, before=WATCH + before, env={"WATCHED": str(log)})
    return ran.code, log.read_text().splitlines()


def test_d18_the_watch_sees_what_it_should(tmp_path: Path) -> None:
    root = write(tmp_path, [{"say": "No."}])
    do = "import socket, subprocess\nsocket.create_server(('127.0.0.1', 0))\nsubprocess.run([sys.executable, '-c', ''])"
    _, seen = watched(root, "--version", before=do)
    assert {line.split()[0] for line in seen} >= {"socket.bind", "subprocess.Popen"}


def test_d18_import_and_check_touch_no_network(tmp_path: Path) -> None:
    put(tmp_path, "app.py", "open('app was imported', 'w')\n")
    target = {"backend": "python", "entry": "app:reply"}
    urls = {"a": http("http://localhost:9"), "b": openai("http://example.com")}
    root = write(tmp_path, target, targets=urls, run={"targets": ["bot", "a", "b"]})
    assert watched(root, "--version", before=EVERY_MODULE) == (0, [])
    assert watched(root, "check") == (0, [])
    assert watched(root, "run", "--plan") == (0, [])
    assert not (root / "app was imported").exists()


def test_d20_a_run_connects_to_its_target_alone(tmp_path: Path) -> None:
    with Server(bot(lambda _: "No.")) as server:
        root = write(tmp_path, http(server.url), cases=many(3))
        code, seen = watched(root, "run", "--out", "results.jsonl")
        address = ("127.0.0.1", server.port)
    assert code == 0
    assert seen
    assert set(seen) == {f"socket.connect ({address!r},)"}


@pytest.mark.parametrize("arguments", [["--version"], ["--help"]])
def test_d19_help_and_version_load_nothing_heavy(tmp_path: Path, arguments: list[str]) -> None:
    show = "import atexit, sys\natexit.register(lambda: print(*sys.modules, file=sys.stderr))"
    ran = guardgate(tmp_path, *arguments, before=show)
    loaded = {name.partition(".")[0] for name in ran.err.split()}
    assert "click" in loaded
    assert not loaded & {"pydantic", "yaml", "jsonschema", "jsonschema_rs", "aiohttp", "httpx", "litellm", "re2"}


def test_d22_runs_side_by_side_write_apart(tmp_path: Path) -> None:
    """Nobody's preflight is answered before all are there, so all want their file at the same moment."""
    with Server(bot(lambda turn: f"No, {turn}."), crowd=4) as server:
        root = write(tmp_path, http(server.url), cases=many(5))
        processes = [start(root, "run", "--quiet") for _ in range(4)]
        assert [ended(process).code for process in processes] == [0] * 4
    files = list((root / "guardgate-results").iterdir())
    assert len(files) == 4
    for file in files:
        assert gated(file) == 0
        assert sorted(one["n"] for one in lines(file, "attempt")) == list(range(5))


@pytest.mark.parametrize("kind", [http, openai])
def test_d23_the_pool_is_as_large_as_the_limit(tmp_path: Path, kind: Any) -> None:
    with Crowd(bot(lambda _: "No."), crowd=128) as server:
        ran = run(write(tmp_path, kind(server.url), cases=many(130), run={"concurrency": 128}))
    assert ran.code == 0
    assert server.most == 128


LOOP = """
import os, socket, subprocess, sys

def hold(port):
    line = socket.create_connection(("127.0.0.1", port))
    line.sendall(b"here")
    return line

def reply(turn, *, session, port):
    if turn == "loop":
        subprocess.Popen([sys.executable, "-c", f"import app; app.hold({port}).recv(1)"], cwd=os.path.dirname(__file__))
        hold(port)
        while True:
            pass
    return "No."
"""


def test_d11_a_busy_loop_is_killed_with_its_children(tmp_path: Path) -> None:
    """The loop holds a connection, and so does a child of its own: both ends are seen."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(PATIENCE)
        put(tmp_path, "app.py", LOOP)
        target = {"backend": "python", "entry": "app:reply", "params": {"port": listener.getsockname()[1]}}
        cases = [case("before"), case("loop"), case("after")]
        root = write(tmp_path, target, cases=cases, run={"concurrency": 1, "limits": {"call_seconds": 2}})
        process = start(root, "run", "--out", "results.jsonl")
        held = [listener.accept()[0] for _ in range(2)]
        ran = ended(process, root / "results.jsonl")
        for line in held:
            line.settimeout(PATIENCE)
            assert line.recv(4) == b"here"
            assert line.recv(1) == b""
            line.close()
    assert ran.code == 3
    assert ran.verdicts == {"before": "held", "loop": "undecided", "after": "held"}
    assert ran.kinds["loop"] == "timeout"
