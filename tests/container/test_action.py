"""The action in its container: codes, outputs, summary, annotations, signals, and what later steps find."""

from __future__ import annotations

import json
import signal
import time

import pytest
import yaml

from tests.ci.job import HEAD, LABEL, pull
from tests.container.engine import Engine
from tests.container.machine import SECONDS, Machine, act, begin, finish
from tests.docs.pages import ROOT
from tests.support.github import GitHub
from tests.support.project import HELLO, bot, case, http, put, turn_of, write
from tests.support.server import PATIENCE, Answer, Seen, Server

LABELED = pull("labeled", label=LABEL)
OPENED = pull("opened")


def declared() -> set[str]:
    read = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    return set(read["outputs"])


def attack(machine: Machine, *turns: str, rule: str = "R1") -> None:
    cases = [case(f"c{number}", turn, rule=rule) for number, turn in enumerate(turns)]
    put(machine.workspace, "suite.yaml", {"cases": cases})


def test_check_is_green_and_writes_every_output(engine: Engine, machine: Machine, github: GitHub) -> None:
    did = act(engine, machine, github, "pull_request", OPENED)
    assert (did.exit, did.code, did.outputs["verdict"], did.outputs["mode"]) == (0, 0, "valid", "check")
    assert set(did.outputs) == declared()
    assert did.summary.startswith("## guardgate check: 0: valid")
    assert "::error" not in did.log
    assert machine.foreign() == []


def test_check_is_red_at_the_lines_that_are_wrong(engine: Engine, machine: Machine, github: GitHub) -> None:
    suite = "cases:\n  - id: c1\n    attack: persona_drift\n    rule: R9\n    turns: [hello]\n"
    put(machine.workspace, "suite.yaml", suite)
    did = act(engine, machine, github, "pull_request", OPENED)
    assert (did.exit, did.code, did.outputs["verdict"]) == (3, 3, "incomplete")
    (error,) = [line for line in did.log.splitlines() if line.startswith("::error")]
    assert "file=suite.yaml,line=4,col=" in error
    assert "R9" in error
    assert set(did.outputs) == declared()
    assert "suite.yaml:4:" in did.summary


@pytest.mark.parametrize(
    ("turn", "rule", "code", "exit_code", "verdict"),
    [("calm", "R1", 0, 0, "held"), ("soft", "S1", 1, 0, "below"), ("hard", "R1", 2, 2, "broke")],
    ids=["held", "below", "broke"],
)
def test_live(
    engine: Engine, machine: Machine, github: GitHub, turn: str, rule: str, code: int, exit_code: int, verdict: str
) -> None:
    attack(machine, turn, rule=rule)
    did = act(engine, machine, github, "pull_request", LABELED)
    assert (did.exit, did.code, did.outputs["verdict"], did.outputs["mode"]) == (exit_code, code, verdict, "live")
    assert set(did.outputs) == declared()
    assert did.summary.startswith(f"## guardgate live: {code}: {verdict}")
    for name in ("results-path", "report-path", "redacted-path"):
        assert (machine.workspace / did.outputs[name]).is_file()
    assert ("file=suite.yaml,line=" in did.log) is (code != 0)
    assert [one["given"]["state"] for one in github.statuses[HEAD]][-1] == ("success" if code == 0 else "failure")
    assert github.token not in did.log + did.summary
    assert machine.foreign() == []


def test_live_that_could_not_complete(engine: Engine, machine: Machine, github: GitHub) -> None:
    write(machine.workspace, http("http://127.0.0.1:9"))
    did = act(engine, machine, github, "pull_request", LABELED)
    assert (did.exit, did.code, did.outputs["verdict"]) == (3, 3, "incomplete")
    assert set(did.outputs) == declared()
    assert machine.foreign() == []


def test_inputs_with_dashes_arrive(engine: Engine, machine: Machine, github: GitHub) -> None:
    attack(machine, "soft", rule="S1")
    more = {"fail_on": "soft", "results_dir": "out/live", "status_context": "bot/live", "max_calls": "5"}
    did = act(engine, machine, github, "pull_request", LABELED, **more)
    assert (did.exit, did.code) == (1, 1)
    assert did.outputs["results-path"].startswith("out/live/")
    assert github.statuses[HEAD][-1]["given"]["context"] == "bot/live"
    limits = json.loads((machine.workspace / did.outputs["results-path"]).read_text().splitlines()[0])["limits"]
    assert limits["calls"] == 5
    assert machine.foreign() == []


@pytest.mark.parametrize("inputs", [{"fail_onn": "soft"}, {"project": "../x"}])
def test_outputs_are_there_when_nothing_could_be_done(
    engine: Engine, machine: Machine, github: GitHub, inputs: dict[str, str]
) -> None:
    did = act(engine, machine, github, "pull_request", OPENED, **inputs)
    assert (did.exit, did.code, did.outputs["verdict"]) == (3, 3, "incomplete")
    assert set(did.outputs) == declared()
    assert ": 3: incomplete" in did.summary.splitlines()[0]
    assert "::error" in did.log


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_cancelled_job_keeps_what_it_has(
    engine: Engine, machine: Machine, github: GitHub, number: signal.Signals
) -> None:
    def slow(seen: Seen) -> Answer:
        return Answer(hang=True) if turn_of(seen) == "wait" else plain(seen)

    plain = bot(lambda _turn: "No.")
    with Server(slow) as server:
        write(machine.workspace, http(server.url), cases=[case("c1"), case("c2", "wait")], run={"concurrency": 1})
        process = begin(engine, machine, github, "pull_request", LABELED)
        until_asked(server, "wait")
        process.send_signal(number)
        asked = time.monotonic()
        did = finish(process, machine)
        assert time.monotonic() - asked < SECONDS
    assert (did.exit, did.code, did.outputs["verdict"]) == (3, 3, "incomplete")
    assert (did.outputs["held"], did.outputs["mode"]) == ("1", "live")
    results = machine.workspace / did.outputs["results-path"]
    assert '"verdict":"held"' in results.read_text(encoding="utf-8").replace(": ", ":")
    assert did.summary.startswith("## guardgate live: 3: incomplete")
    assert github.statuses[HEAD][-1]["given"]["state"] == "error"
    assert machine.foreign() == []


def until_asked(server: Server, turn: str) -> None:
    """Wait until the bot is asked this."""
    end = time.monotonic() + 2 * PATIENCE
    while not any(turn_of(seen) == turn for seen in list(server.seen)):
        assert time.monotonic() < end, [turn_of(seen) for seen in server.seen]
        server.busy.wait(0.05)
        time.sleep(0.01)


def test_the_bot_may_run_on_the_host(engine: Engine, machine: Machine, github: GitHub) -> None:
    with Server(bot(lambda turn: f"You said {turn}.")) as server:
        write(machine.workspace, http("${BOT_URL}"), cases=[case("c1", "calm")])
        did = act(engine, machine, github, "pull_request", LABELED, env={"BOT_URL": server.url})
        assert [turn_of(seen) for seen in server.seen] == [HELLO, "calm"]
    assert (did.exit, did.code, did.outputs["held"]) == (0, 0, "1")
