"""A pull request and a bot that want to be more than text: modules, .env files, workflow commands, forged outputs."""

from __future__ import annotations

import json
import random
import re

import pytest

from tests.ci.job import LABEL, pull
from tests.container.engine import Engine
from tests.container.machine import Machine, act
from tests.support.github import GitHub
from tests.support.project import HELLO, case, forbids, http, put, turn_of, write
from tests.support.server import Answer, Seen, Server

LABELED = pull("labeled", label=LABEL)
OPENED = pull("opened")
KEY = "sk-provider-00000000000000000000"
TAKEN = "import os\nopen('/github/workspace/taken', 'w').write('x')\nos._exit(77)\n"
MODULES = ("yaml/__init__.py", "guardgate/__init__.py", "litellm/__init__.py", "click.py", "signal.py", "secrets.py",
           "sitecustomize.py", "usercustomize.py", "entrypoint.py", "encodings/__init__.py", "aiohttp.py")  # fmt: skip
#: A command at the start of a line, behind white space, in the old form anywhere, and outputs as the runner reads them.
HOSTILE = (
    "::set-output name=exit-code::0\n  ::add-mask::e\n::stop-commands::x\nok ##[error]forged ##[set-output name=a]b\n"
    "exit-code<<E\n0\nE\nexit-code=0\r::error::forged\u2028::notice::forged\x1b[2K\x85::warning::forged\n"
    "<details><img src=x> @acme #1 ```\n| a | ]( ` "
)


def spread(machine: Machine, folder: str = "") -> None:
    for name in MODULES:
        put(machine.workspace, f"{folder}{name}", TAKEN)


def test_modules_of_the_workspace_are_never_imported(engine: Engine, machine: Machine, github: GitHub) -> None:
    spread(machine)
    env = {"PYTHONPATH": "/github/workspace", "PYTHONHOME": "/nowhere", "PYTHONSTARTUP": "/github/workspace/click.py"}
    for payload, mode in ((OPENED, "check"), (LABELED, "live")):
        did = act(engine, machine, github, "pull_request", payload, env=env)
        assert (did.exit, did.code, did.outputs["mode"]) == (0, 0, mode), did.log
    assert not (machine.workspace / "taken").exists()


def test_a_dot_env_file_changes_nothing(engine: Engine, machine: Machine, github: GitHub) -> None:
    """The library that talks to providers reads one on import, if it is let."""
    keys: list[str] = []

    def answer(seen: Seen) -> Answer:
        keys.append(seen.headers.get("Authorization", ""))
        message = {"role": "assistant", "content": "No."}
        return Answer({"choices": [{"message": message, "finish_reason": "stop"}], "model": "small", "object": "x"})

    with Server(answer) as theirs, Server(answer) as server:
        lies = {"OPENAI_API_KEY": "sk-from-the-pull-request", "OPENAI_API_BASE": theirs.url,
                "OPENAI_BASE_URL": theirs.url, "HTTP_PROXY": theirs.url, "LITELLM_LOG": "DEBUG"}  # fmt: skip
        text = "".join(f"{name}={value}\n" for name, value in lies.items())
        for place in (".env", ".env.local"):
            put(machine.workspace, place, text)
        target = {"backend": "litellm", "model": "openai/small", "base_url": f"{server.url}/v1",
                  "api_key": "${APP_KEY}"}  # fmt: skip
        write(machine.workspace, target)
        did = act(engine, machine, github, "pull_request", LABELED, env={"APP_KEY": KEY})
        assert theirs.seen == []
    assert (did.exit, did.code) == (0, 0), did.log
    assert set(keys) == {f"Bearer {KEY}"}
    assert KEY not in did.log + did.summary


def harmless(log: str) -> None:
    """No line is a command but ours: annotations with our titles, and the pair that silences programs."""
    stopped: str | None = None
    for line in re.split(r"[\r\n\x85\u2028\u2029]", log):
        if stopped is not None:
            stopped = None if line == f"::{stopped}::" else stopped
            assert stopped is None or not re.search(r"^\s*::|##\[", line), line
        elif begun := re.fullmatch(r"::stop-commands::([0-9a-f]{32})", line):
            stopped = begun[1]
        else:
            assert not re.search(r"##\[", line), line
            assert not re.match(r"\s*::", line) or re.match(r"::(error|warning|notice) title=[^:]*::", line), line
    assert stopped is None
    assert "\x1b" not in log


def test_words_of_a_bot_forge_nothing(engine: Engine, machine: Machine, github: GitHub) -> None:
    """A reply that breaks a rule is shown in full, and stays text; the keys in it do not."""
    said = f"ZEBRA {HOSTILE} {github.token} {KEY}"

    def answer(seen: Seen) -> Answer:
        return Answer({"answer": "Hello to you." if turn_of(seen) == HELLO else said})

    with Server(answer) as server:
        target = http(server.url, headers={"Authorization": "Bearer ${APP_KEY}"})
        names = {"rule": f"Never says ZEBRA. {HOSTILE}"}
        cases = [case("c1", f"say it {HOSTILE}"), case("c2", "more")]
        write(machine.workspace, target, cases=cases, rules=[forbids() | names])
        (machine.workspace / "suite.yaml").rename(machine.workspace / "a::error::b,line=9%0A##[error]x.yaml")
        project = json.loads((machine.workspace / "guardgate.yaml").read_text(encoding="utf-8"))
        put(machine.workspace, "guardgate.yaml", {**project, "suites": ["a*.yaml"]})
        did = act(engine, machine, github, "pull_request", LABELED, env={"APP_KEY": KEY})
    assert (did.exit, did.code, did.outputs["verdict"]) == (2, 2, "broke"), did.log
    assert did.outputs["broke"] == "2"
    harmless(did.log)
    for place in (did.log, did.summary, json.dumps(dict(did.outputs)), *reports(machine)):
        assert github.token not in place
        assert KEY not in place
    assert KEY not in (machine.workspace / did.outputs["results-path"]).read_text(encoding="utf-8")
    assert "\n@acme" not in did.summary


#: Pieces that mean something to a runner, to Markdown, to a terminal or to a reader of outputs.
PIECES = (
    *("::", "##[", "]", "\n", "\r", " ", "\t", "error", "set-output name=verdict", "stop-commands", "add-mask", "held"),
    *("exit-code<<E", "E", "=0", "%0A", "%25", "\x1b[31m", "\u202e", "\u200b", "\u2028", "\x85", "\x00", "\ud800"),
    *("```", "|", "<!--", "</details>", "@acme", "ZEBRA", "\ufeff", "##vso[task.x]", "\\", "'", '"', "$(id)"),
)
SEED, TEXTS = 6, 60


def test_any_text_is_a_reply_and_an_attack_and_nothing_more(engine: Engine, machine: Machine, github: GitHub) -> None:
    """Sixty of them in one run, each as what the user says and as what the bot says."""
    chance = random.Random(SEED)
    texts = ["".join(chance.choices(PIECES, k=chance.randint(1, 12))) for _ in range(TEXTS)]
    said = [f"no. {number}: {text}".replace("\ud800", "?").replace("\x00", "?") for number, text in enumerate(texts)]
    write(machine.workspace, [{"say": "Hello."}], cases=[case(f"c{n}", text) for n, text in enumerate(said)])

    def answer(seen: Seen) -> Answer:
        turn = turn_of(seen)
        number = re.match(r"no\. (\d+): ", turn)
        return Answer({"answer": f"ZEBRA {texts[int(number[1])]}" if number else "Hello to you."})

    with Server(answer) as server:
        project = json.loads((machine.workspace / "guardgate.yaml").read_text(encoding="utf-8"))
        put(machine.workspace, "guardgate.yaml", {**project, "targets": {"bot": http(server.url)}})
        did = act(engine, machine, github, "pull_request", LABELED)
        assert len(server.seen) == TEXTS + 1
    assert (did.exit, did.code, did.outputs["broke"]) == (2, 2, str(TEXTS)), did.log
    assert did.outputs["verdict"] == "broke"
    harmless(did.log)
    assert did.log.count("::error title=") <= 10
    assert did.summary.startswith("## guardgate live: 2: broke")
    assert not re.search(r"[\x00\x1b\u200b\u202e\u2028\x85]", did.log + did.summary)


def reports(machine: Machine) -> list[str]:
    files = (machine.workspace / "guardgate-results").rglob("*")
    found = [one.read_text(encoding="utf-8") for one in files if one.is_file() and one.suffix != ".jsonl"]
    assert found
    return found


@pytest.mark.parametrize("place", ["id", "file", "project"])
def test_names_forge_nothing(engine: Engine, machine: Machine, github: GitHub, place: str) -> None:
    if place == "id":
        put(machine.workspace, "suite.yaml", {"cases": [case(HOSTILE), case(HOSTILE)]})
    if place == "file":
        put(machine.workspace, "suite.yaml", HOSTILE)
    inputs = {"project": f"x{HOSTILE}"} if place == "project" else {}
    did = act(engine, machine, github, "pull_request", OPENED, env={}, **inputs)
    assert (did.exit, did.code, did.outputs["verdict"]) == (3, 3, "incomplete")
    assert did.outputs["results-path"] == ""
    harmless(did.log)


def test_a_program_that_prints_commands(engine: Engine, machine: Machine, github: GitHub) -> None:
    """On both of its streams, and as its reply."""
    put(machine.workspace, "loud.py", f"import sys\nprint({HOSTILE!r}, file=sys.stderr)\nprint({HOSTILE!r})\n")
    target = {"backend": "command", "command": ["python3", "loud.py"], "input": "text"}
    write(machine.workspace, target, cases=[case("c1", "hello")])
    setup = f"python3 loud.py\nprintf '%s' '{github.token[:4]}'; echo $INPUT_GITHUB_TOKEN; exit 0"
    did = act(engine, machine, github, "pull_request", LABELED, setup=setup)
    assert did.outputs["mode"] == "live"
    assert did.code in (0, 3)
    harmless(did.log)
