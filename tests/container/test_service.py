"""The app as a service of the job: in a container of its own, found by its name, as GitHub's runner has it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.ci.job import BASE, HEAD, LABEL, pull
from tests.container.engine import Engine
from tests.container.machine import Machine, act
from tests.container.network import Network, network
from tests.support.github import GitHub
from tests.support.project import bot, case, http, write
from tests.support.server import Server

LABELED = pull("labeled", label=LABEL)
SERVICE = """
import json
from http.server import BaseHTTPRequestHandler, HTTPServer


class Bot(BaseHTTPRequestHandler):
    def do_POST(self):
        turn = json.loads(self.rfile.read(int(self.headers["content-length"])))["message"]
        body = json.dumps({"answer": "It is ZEBRA." if turn == "hard" else "No."}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = HTTPServer(("0.0.0.0", 8000), Bot)
print("ready", flush=True)
server.serve_forever()
"""


@pytest.fixture(scope="module")
def job(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Network]:
    """The network of a job whose service is called bot."""
    with network(engine, tmp_path_factory.mktemp("network")) as made, made.service("bot", SERVICE):
        yield made


@pytest.fixture
def github(job: Network) -> Iterator[GitHub]:
    """As ever, but at the address by which containers of the job reach the runner."""
    with GitHub(listener=job.listener()) as found:
        found.add_pull(7, head=HEAD, base=BASE, labels=["guardgate:live"])
        found.roles["dave"] = ("write", "write")
        yield found


@pytest.mark.parametrize(
    ("url", "turn", "code"),
    [("http://bot:8000", "calm", 0), ("http://bot:8000", "hard", 2), ("${BOT_URL}", "calm", 0)],
    ids=["held", "broke", "by a variable"],
)
def test_a_service_is_found_by_its_name(
    machine: Machine, job: Network, github: GitHub, url: str, turn: str, code: int
) -> None:
    write(machine.workspace, http(url), cases=[case("c1", turn)])
    did = act(job.engine, machine, github, "pull_request", LABELED, env={"BOT_URL": "http://bot:8000"})
    assert (did.exit, did.code) == (code, code), did.log
    assert github.statuses[HEAD][-1]["given"]["state"] == ("failure" if code else "success")
    assert machine.foreign() == []


def test_the_runner_is_found_at_the_gateway(machine: Machine, job: Network, github: GitHub) -> None:
    """An app that a step started, in a job that has services too."""
    with Server(bot(lambda turn: f"You said {turn}."), listener=job.listener()) as server:
        assert server.host != "127.0.0.1"
        write(machine.workspace, http("${BOT_URL}"), cases=[case("c1", "calm")])
        did = act(job.engine, machine, github, "pull_request", LABELED, env={"BOT_URL": server.url})
    assert (did.exit, did.code, did.outputs["held"]) == (0, 0, "1"), did.log


def test_a_name_that_no_service_has_is_3(machine: Machine, job: Network, github: GitHub) -> None:
    write(machine.workspace, http("http://bat:8000"), cases=[case("c1", "hard")])
    did = act(job.engine, machine, github, "pull_request", LABELED)
    assert (did.exit, did.code, did.outputs["verdict"], did.outputs["broke"]) == (3, 3, "incomplete", "0"), did.log
    assert "bot is unavailable: nothing listens at bat:8000" in did.summary
    assert github.statuses[HEAD][-1]["given"]["state"] == "error"
