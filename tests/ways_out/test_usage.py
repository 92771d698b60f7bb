"""Mistakes on the command line: always 3, one line that says what and what to do, and nothing was called."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardgate.cli import COMMANDS
from tests.support.project import case, guardgate, put, refused, run, write
from tests.support.server import Answer, Server


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ["Missing command"]),
        (["--nonsense"], ["--nonsense"]),
        (["rnu"], ["'rnu'", "did you mean 'run'?"]),
        (["zzz"], ["'zzz'", "guardgate --help"]),
        (["run", "--nonsense"], ["--nonsense"]),
        (["run", "--repeats", "0"], ["--repeats", "0"]),
        (["run", "--concurrency", "many"], ["--concurrency", "many"]),
        (["run", "default", "nightly"], ["nightly"]),
        (["gate"], ["RESULTS"]),
        (["show", "results.jsonl"], ["ATTEMPT"]),
        (["report", "--format", "zip"], ["--format", "zip"]),
        (["schema", "zip"], ["zip", "suite"]),
        (["check", "--project"], ["--project"]),
    ],
)
def test_a_usage_error_is_3(tmp_path: Path, arguments: list[str], words: list[str]) -> None:
    said = refused(guardgate(write(tmp_path, [{"say": "No."}]), *arguments), *words).err.splitlines()
    assert said[1].startswith("See `guardgate") or said[1].startswith("guardgate: exit 3")


@pytest.mark.parametrize("command", ["check", "run"])
def test_no_project_is_3(tmp_path: Path, command: str) -> None:
    (tmp_path / "folder").mkdir()
    refused(guardgate(tmp_path, command), "guardgate.yaml", "guardgate init")
    refused(guardgate(tmp_path, command, "--project", "folder"), "folder", "guardgate init")
    refused(guardgate(tmp_path, command, "--project", "no/such.yaml"), "such.yaml", "guardgate init")


def test_a_results_folder_is_no_results_file(tmp_path: Path) -> None:
    refused(guardgate(tmp_path, "gate", "no/such.jsonl"), "such.jsonl", "results file")
    refused(guardgate(tmp_path, "gate", "."), "results file")
    refused(guardgate(tmp_path, "report"), "guardgate-results", "guardgate run")
    refused(guardgate(tmp_path, "show", "no/such.jsonl", "0"), "such.jsonl")


FILES = [
    ("suite.yaml", b"cases: [{id: c1\n", "suite.yaml:"),
    ("suite.yaml", b"\xff\xfe\x00cases", "suite.yaml"),
    ("suite.yaml", b"", "suite.yaml"),
    ("suite.yaml", b"cases: 3", "suite.yaml:1:"),
    ("suite.yaml", b"cases: []\ncases: []\n", "suite.yaml:2:"),
    ("constraints.yaml", b"- a list\n", "constraints.yaml:1:"),
    ("constraints.yaml", None, "constraints.yaml"),
    ("guardgate.yaml", b"version: 2\n", "guardgate.yaml:1:"),
    ("guardgate.yaml", b"{{ template }}\n", "guardgate.yaml:1:"),
]


@pytest.mark.parametrize(("name", "content", "place"), FILES)
def test_a_faulty_file_is_3_with_its_place(tmp_path: Path, name: str, content: bytes | None, place: str) -> None:
    """Unreadable: not YAML, not text, empty, of another shape; or a folder where a file should be (None)."""
    root = write(tmp_path, [{"say": "No."}])
    if content is None:
        (root / name).unlink()
        (root / name).mkdir()
    else:
        (root / name).write_bytes(content)
    checked = guardgate(root, "check")
    assert checked.code == 3
    assert place in checked.out
    ran = run(root)
    assert ran.code == 3
    assert ran.file is None
    assert place in ran.err


@pytest.mark.parametrize(
    ("file", "key", "meant"),
    [("guardgate.yaml", "target", "targets"), ("constraints.yaml", "rulez", "rules"), ("suite.yaml", "case", "cases")],
)
def test_a_misspelt_key_is_3_with_a_hint(tmp_path: Path, file: str, key: str, meant: str) -> None:
    root = write(tmp_path, [{"say": "No."}])
    put(root, file, (root / file).read_text().replace(f'"{meant}": ', f'"{key}": ', 1))
    checked = guardgate(root, "check")
    assert checked.code == 3
    assert f"did you mean {meant!r}?" in checked.out
    assert run(root).code == 3


def test_every_problem_of_every_file_is_shown_at_once(tmp_path: Path) -> None:
    root = write(tmp_path, [{"say": "No."}], cases=[case("c1", rule="R9"), case("c1", tagz=[])])
    put(root, "constraints.yaml", "rules: [{id: R1, severity: hardly, rule: Is kind.}]")
    ran = run(root)
    assert ran.code == 3
    for place in ("constraints.yaml:1:", "suite.yaml:"):
        assert place in ran.err
    assert "R9" in ran.err
    assert "tagz" in ran.err


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["--version"], *([name, "--help"] for name in COMMANDS)])
def test_help_and_version_are_0(tmp_path: Path, arguments: list[str]) -> None:
    ran = guardgate(tmp_path, *arguments)
    assert (ran.code, ran.err) == (0, "")
    assert "guardgate" in ran.out


def test_the_help_of_commands_that_decide_says_what_their_codes_mean(tmp_path: Path) -> None:
    for command in ("run", "gate", "check", "diff"):
        said = guardgate(tmp_path, command, "--help").out
        assert "Exits 0" in said
        assert "3" in said


def test_a_plan_makes_no_call(tmp_path: Path) -> None:
    with Server(Answer({"answer": "No."})) as server:
        target = {"backend": "openai", "base_url": server.url, "model": "small", "api_key": "${MY_KEY}"}
        root = write(tmp_path, target, cases=[case("c1", "one", "two"), case("c2")], run={"repeats": 3})
        ran = guardgate(root, "run", "--plan")
        assert (ran.code, ran.err) == (0, "")
        assert server.seen == []
    assert ["attempts", "6"] in [line.split() for line in ran.out.splitlines()]
    assert ["calls", "to", "targets", "9"] in [line.split() for line in ran.out.splitlines()]
    assert not (root / "guardgate-results").exists()


def test_live_switched_off_makes_no_call(tmp_path: Path) -> None:
    with Server(Answer({"answer": "No."})) as server:
        root = write(tmp_path, {"backend": "openai", "base_url": server.url, "model": "small"})
        refused(run(root, env={"GUARDGATE_LIVE": "0"}), "GUARDGATE_LIVE")
        assert server.seen == []
        assert guardgate(root, "check", env={"GUARDGATE_LIVE": "0"}).code == 0


def test_a_variable_that_is_not_set_is_named(tmp_path: Path) -> None:
    with Server(Answer({"answer": "No."})) as server:
        root = write(tmp_path, {"backend": "openai", "base_url": server.url, "model": "m", "api_key": "${MY_KEY}"})
        refused(run(root), "bot is unavailable", "MY_KEY")
        assert server.seen == []


CRASH = "import guardgate.cli.finish as finish\n\ndef gate(_):\n    raise LookupError('lost')\n\nfinish.gate = gate"


def test_a_crash_of_ours_is_3_and_shows_where_only_when_asked(tmp_path: Path) -> None:
    root = write(tmp_path, [{"say": "No."}])
    ran = guardgate(root, "run", before=CRASH)
    assert ran.code == 3
    assert "a fault of guardgate itself: LookupError: lost" in ran.err
    assert "--debug" in ran.err
    debugged = guardgate(root, "--debug", "run", before=CRASH)
    assert debugged.code == 3
    assert "Traceback" in debugged.err
    assert "in gate" in debugged.err


@pytest.mark.parametrize("error", ["SystemExit(0)", "KeyboardInterrupt()", "MemoryError()", "EOFError()"])
def test_no_exception_gives_another_code(tmp_path: Path, error: str) -> None:
    crash = f"import guardgate.cli.finish as finish\n\ndef gate(_):\n    raise {error}\n\nfinish.gate = gate"
    assert guardgate(write(tmp_path, [{"say": "No."}]), "run", before=crash).code == 3


FAULT = """
import guardgate.engine as engine

def no_answer(decider, reply, turn, whole=engine.no_answer):
    if reply.text == "fault":
        raise LookupError("lost")
    return whole(decider, reply, turn)

engine.no_answer = no_answer
"""


def test_a_fault_of_ours_in_one_attempt_costs_that_attempt(tmp_path: Path) -> None:
    script = [{"when": "c2", "say": "fault"}, {"say": "No."}]
    ran = run(write(tmp_path, script, cases=[case(f"c{number}") for number in range(5)]), before=FAULT)
    assert ran.code == 3
    assert ran.verdicts == {"c0": "held", "c1": "held", "c2": "undecided", "c3": "held", "c4": "held"}
    assert ran.kinds["c2"] == "crash"
    assert "guardgate 1" in ran.first
