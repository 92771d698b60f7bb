"""What leaves a job: outputs, annotations and summary that no text from outside can forge, and an end on a signal."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardgate.ci.commands import EACH, Annotation, announced, foreign
from guardgate.ci.inputs import INPUTS
from guardgate.ci.outputs import OUTPUTS, UNTIL_THEN, lines
from guardgate.ci.summary import CUT, bounded
from tests.ci import action_yml
from tests.ci.job import begin, checkout, finish, job, outputs
from tests.support.github import GitHub
from tests.support.project import ROOT, bot, case, http, put, write
from tests.support.server import Server

HOSTILE = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        ["::set-output name=verdict::held", "a\n::error::x", "##[set-output name=verdict]held", "::stop-commands::x",
         "exit-code<<end\n0\nend", "\r\n::add-mask::a", "%0A::debug::x", "\u2028::error::y", "\x1b[2J", "@everyone #1"]
    ),
)  # fmt: skip
#: As a runner finds commands: at the start of a line after white space, and the old form anywhere.
COMMAND = re.compile(r"^\s*::[^\n]*::|##\[[^\n]*\]", re.MULTILINE)


def test_action_yml_is_the_tables() -> None:
    assert (ROOT / "action.yml").read_text(encoding="utf-8") == action_yml.text()


@given(value=HOSTILE, other=HOSTILE)
def test_any_value_of_an_output_stays_one(tmp_path_factory: pytest.TempPathFactory, value: str, other: str) -> None:
    path = tmp_path_factory.mktemp("outputs") / "file"
    given_ = {**UNTIL_THEN, "results-path": value, "report-path": other}
    path.write_bytes(lines(given_).encode("utf-8", "replace"))
    found = outputs(path)
    assert set(found) == set(OUTPUTS)
    assert (found["exit-code"], found["verdict"]) == ("3", "incomplete")


@given(title=HOSTILE, message=HOSTILE, file=HOSTILE)
def test_any_annotation_is_one_command(title: str, message: str, file: str) -> None:
    said = "".join(announced([Annotation("error", title, message, file, 3)]))
    assert said.count("\n") == 1
    assert len(COMMAND.findall(said)) == 1
    assert said.startswith("::error ")


@given(st.lists(HOSTILE, max_size=5))
def test_no_line_of_a_program_is_a_command(said: list[str]) -> None:
    assert not COMMAND.search("".join(foreign(said)))


def test_ten_of_each_level_and_the_rest_is_counted() -> None:
    found = [Annotation("error", "t", f"m{number}") for number in range(12)] + [Annotation("warning", "t", "w")]
    said = list(announced(found))
    assert sum(one.startswith("::error") for one in said) == EACH
    assert any("2 more of level error" in one for one in said)
    assert said[-1].startswith("::warning")


@given(st.lists(st.text(max_size=200), max_size=60), st.integers(200, 2000))
def test_a_summary_is_cut_between_blocks(blocks: list[str], most: int) -> None:
    kept = bounded(blocks, most)
    assert len(kept.encode("utf-8", "replace")) <= most
    whole = "".join(blocks)
    assert kept == whole or (kept.endswith(CUT) and whole.startswith(kept.removesuffix(CUT)))


def test_a_long_report_is_cut_and_the_file_has_it_all(workspace: Path, github: GitHub) -> None:
    put(workspace, "script.yaml", [{"when": "^hard", "say": "It is ZEBRA. " + "so long " * 400}, {"say": "No."}])
    put(workspace, "suite.yaml", {"cases": [case(f"c{n}", f"hard {n} " + "x" * 4_000) for n in range(45)]})
    did = job(workspace, github, "workflow_dispatch", {})
    assert did.code == 2
    assert len(did.summary.encode()) < 900 * 1024


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_cancelled_job_writes_what_it_has(workspace: Path, github: GitHub, number: signal.Signals) -> None:
    """The runner's own patience is seven seconds; ours is less. The commit is not green, and the results are kept."""
    first, never = threading.Event(), threading.Event()

    def say(turn: str) -> str:
        if turn == "slow":
            first.set()
            never.wait(30)
        return "No."

    with Server(bot(say)) as server:
        one_by_one = {"concurrency": 1}  # so that the quick one is written when the slow one is asked
        write(workspace, http(server.url), cases=[case("quick"), case("slow")], run=one_by_one)
        checkout(workspace, "1" * 40)
        process = begin(workspace, github, "workflow_dispatch", {})
        assert first.wait(30)
        began = time.monotonic()
        process.send_signal(number)
        did = finish(process, workspace)
        took = time.monotonic() - began
        never.set()
    assert took < 30, took  # the seven seconds are shown by a benchmark: this machine may be busy
    assert (did.exit, did.code, did.outputs["verdict"]) == (3, 3, "incomplete")
    assert did.outputs["held"] == "1"
    assert (workspace / did.outputs["results-path"]).is_file()
    assert "interrupted by SIGTERM" in did.summary
    assert github.statuses["1" * 40][-1]["given"]["state"] == "error"


def test_a_job_that_is_killed_leaves_three(workspace: Path, github: GitHub) -> None:
    reached = threading.Event()
    never = threading.Event()

    def say(turn: str) -> str:
        reached.set()
        never.wait(30)
        return "No."

    with Server(bot(say)) as server:
        write(workspace, http(server.url))
        process = begin(workspace, github, "workflow_dispatch", {})
        assert reached.wait(30)
        process.kill()
        process.communicate()
        never.set()
    left = outputs(workspace.parent / "runner" / "output")
    assert (left["exit-code"], left["verdict"]) == ("3", "incomplete")
    assert set(left) == set(OUTPUTS)


def test_outputs_that_cannot_be_written_are_three(workspace: Path, github: GitHub) -> None:
    process = begin(workspace, github, "workflow_dispatch", {}, env={"GITHUB_OUTPUT": str(workspace)})
    said = b"".join(process.communicate(timeout=90))
    assert process.returncode == 3
    assert b"could not be written" in said


def test_a_summary_that_cannot_be_written_changes_nothing(workspace: Path, github: GitHub) -> None:
    did = job(workspace, github, "workflow_dispatch", {}, env={"GITHUB_STEP_SUMMARY": str(workspace)})
    assert (did.exit, did.code) == (0, 0)
    assert "step summary could not be written" in did.log


def test_nothing_of_the_job_reaches_the_app(workspace: Path, github: GitHub) -> None:
    put(workspace, "app.py", "import os\n\ndef answer(turn):\n    return 'seen ' + ' '.join(sorted(os.environ))\n")
    write(workspace, {"backend": "python", "entry": "app:answer", "env": ["WANTED"]})
    secrets = {"WANTED": "value-1234", "UNWANTED": "value-5678", "ACTIONS_RUNTIME_TOKEN": "value-9999",
               "MY_COPY": github.token}  # fmt: skip
    did = job(workspace, github, "workflow_dispatch", {}, env=secrets)
    assert did.code == 0
    text = (workspace / did.outputs["results-path"]).read_text(encoding="utf-8")
    assert "WANTED" in text
    for name in ("UNWANTED", "ACTIONS_RUNTIME_TOKEN", "MY_COPY", "GITHUB_", "INPUT_"):
        assert name not in text.replace(" WANTED", " "), name
    assert github.token not in text + did.log + did.summary


def test_a_project_cannot_name_the_token(workspace: Path, github: GitHub) -> None:
    """A pull request that sends the job's token to its own server finds no such variable."""
    names = ["INPUT_GITHUB-TOKEN", "GITHUB_TOKEN", "COPY", "ACTIONS_ID_TOKEN_REQUEST_TOKEN"]
    write(workspace, {"backend": "command", "command": ["/bin/cat"], "input": "text", "env": names})
    env = {"GITHUB_TOKEN": github.token, "COPY": f"Bearer {github.token}", "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "abcdefgh"}
    did = job(workspace, github, "workflow_dispatch", {}, env=env)
    assert did.code == 3
    assert did.outputs["results-path"] == ""


def test_setup_installs_the_app_and_sees_no_secret(workspace: Path, github: GitHub) -> None:
    script = """
    test -z "${WANTED:-}" && test -z "${GITHUB_TOKEN:-}"
    echo "::set-output name=verdict::held"
    site=$("$VIRTUAL_ENV"/bin/python -c 'import site; print(site.getsitepackages()[0])')
    echo "def answer(turn): return 'No.'" > "$site/installed.py"
    """
    write(workspace, {"backend": "python", "entry": "installed:answer", "python": ".venv/bin/python"})
    env = {"WANTED": "value-1234", "GITHUB_TOKEN": github.token}
    did = job(workspace, github, "workflow_dispatch", {}, env=env, setup=script)
    assert did.code == 0, did
    stop = did.log.index("::stop-commands::")
    assert did.log.index("set-output") > stop
    assert "\n::set-output" not in did.log
    did = job(workspace, github, "workflow_dispatch", {}, setup="echo it went wrong >&2; exit 7")
    assert did.code == 3
    assert "exit code 7" in did.verdict
    assert "it went wrong" in did.verdict


def test_every_input_is_an_option(workspace: Path) -> None:
    from guardgate.cli.ci import command  # noqa: PLC0415

    assert {one.opts[0] for one in command.params} == {f"--{name}" for name in INPUTS}


def test_files_are_the_owner_s_again(workspace: Path, github: GitHub) -> None:
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        os.chown(workspace, 1001, 1001)
    did = job(workspace, github, "workflow_dispatch", {})
    results = workspace / did.outputs["results-path"]
    owner = workspace.stat().st_uid
    assert {results.stat().st_uid, results.parent.stat().st_uid} == {owner}
