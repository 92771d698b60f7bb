"""A small project in a folder, and guardgate run on it as a process that knows nothing of this machine."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from guardgate.cli import run_command_line
from tests.support.server import Answer, Reaction, Seen

ROOT = Path(__file__).resolve().parents[2]
RESULTS = "results.jsonl"
#: No process of a test lives longer than this, in seconds.
PATIENCE = 90.0
#: What the preflight says to a target.
HELLO = "Hello."

_PREFIXES = ("GUARDGATE_", "GITHUB_", "RUNNER_", "OPENAI_", "ANTHROPIC_", "LANGSMITH_", "LC_", "PYTHON")
_ENDINGS = ("_API_KEY", "_PROXY", "_TOKEN")


@dataclass(frozen=True)
class Ran:
    """What one process left: its code, both streams, and the results file it wrote (None: it wrote none)."""

    code: int
    out: str
    err: str
    file: Path | None = None

    @property
    def first(self) -> str:
        """The first lines of standard output, up to the first empty one."""
        return self.out.partition("\n\n")[0]

    @property
    def attempts(self) -> list[dict[str, Any]]:
        """The attempts of the results file in the order of the plan."""
        return sorted(lines(self.file, "attempt"), key=lambda one: one["n"])

    @property
    def verdicts(self) -> dict[str, str]:
        """Verdict by case."""
        return {one["case"]: one["verdict"] for one in self.attempts}

    @property
    def kinds(self) -> dict[str, str | None]:
        """Kind of the failure by case; None where there is none."""
        return {one["case"]: one["failure"] and one["failure"]["kind"] for one in self.attempts}


def lines(file: Path | None, kind: str) -> list[dict[str, Any]]:
    """The lines of one type of a results file."""
    assert file is not None, "no results file was written"
    every = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [line for line in every if line["t"] == kind]


def forbids(word: str = "ZEBRA", *, rule: str = "R1", severity: str = "hard", **more: Any) -> dict[str, Any]:
    """A rule that a reply with this word breaks."""
    promise = {"id": rule, "severity": severity, "rule": f"Never says {word}."}
    checks = {"not_contains": {"any": [word]}}
    return {**promise, "checks": checks, "samples": {"held": ["No."], "broke": [f"It is {word}."]}, **more}


def case(name: str, *turns: str, rule: str = "R1", **more: Any) -> dict[str, Any]:
    """An attack; without turns its id is what the user says."""
    return {"id": name, "attack": "persona_drift", "rule": rule, "turns": list(turns or [name]), **more}


def http(url: str, **more: Any) -> dict[str, Any]:
    """A target at `url` that takes {"message", "session"} and gives {"answer"}."""
    request = {"message": "{turn}", "session": "{session}"}
    return {"backend": "http", "url": f"{url}/chat", "request": request, "reply": "$.answer", **more}


def openai(url: str, **more: Any) -> dict[str, Any]:
    """A target that speaks chat completions at `url`."""
    return {"backend": "openai", "base_url": f"{url}/v1", "model": "small", **more}


def turn_of(seen: Seen) -> str:
    """The user's words in a request that a target of this module was sent."""
    body = seen.json
    return str(body["message"] if "message" in body else body["messages"][-1]["content"])


def bot(say: Callable[[str], Answer | str]) -> Reaction:
    """A server's answer: it greets back, and `say` gets every other turn."""

    def reaction(seen: Seen) -> Answer:
        turn = turn_of(seen)
        said = "Hello to you." if turn == HELLO else say(turn)
        if isinstance(said, Answer):
            return said
        if "messages" in seen.json:
            return Answer({"choices": [{"message": {"role": "assistant", "content": said}, "finish_reason": "stop"}]})
        return Answer({"answer": said})

    return reaction


def write(
    root: Path,
    target: Mapping[str, Any] | Sequence[Mapping[str, Any]],
    *,
    cases: Sequence[Mapping[str, Any]] | None = None,
    rules: Sequence[Mapping[str, Any]] | None = None,
    run: Mapping[str, Any] | None = None,
    targets: Mapping[str, Any] | None = None,
    **more: Any,
) -> Path:
    """Write a project whose target `bot` is `target` (a list: its script). More `targets` and keys are added."""
    named: dict[str, Any] = {"bot": target, **(targets or {})}
    if isinstance(target, Sequence):
        named["bot"] = {"backend": "scripted", "script": "script.yaml"}
        put(root, "script.yaml", target)
    project = {
        "version": 1,
        "constraints": "constraints.yaml",
        "suites": ["suite.yaml"],
        "targets": named,
        "runs": {"default": {"targets": ["bot"], **(run or {})}},
        **more,
    }
    put(root, "guardgate.yaml", project)
    put(root, "constraints.yaml", {"rules": rules or [forbids()]})
    put(root, "suite.yaml", {"cases": [case("c1")] if cases is None else cases})
    return root


def put(root: Path, name: str, content: Any) -> None:
    """Write a file: text as it is, anything else as JSON, which is YAML too."""
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content, indent=1)
    (root / name).write_text(text, encoding="utf-8")


def environment(env: Mapping[str, str] | None = None) -> dict[str, str]:
    """This process's environment without anything that could change what guardgate does, and with `env`."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.upper().startswith(_PREFIXES) and not name.upper().endswith(_ENDINGS)
    }
    return {**kept, "PYTHONPATH": str(ROOT), **(env or {})}


def start(
    root: Path, *arguments: str, env: Mapping[str, str] | None = None, before: str | None = None, **popen: Any
) -> subprocess.Popen[bytes]:
    """Start guardgate in a project's folder; the Python text `before` runs first in its process."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    program = (
        ["-m", "guardgate"] if before is None else ["-c", f"{before}\nfrom guardgate.__main__ import main\nmain()"]
    )
    command = [sys.executable, *program, *arguments]
    return subprocess.Popen(command, cwd=root, env=environment(env), **{**streams, **popen})


def ended(process: subprocess.Popen[bytes], file: Path | None = None) -> Ran:
    """Wait for the process. Whatever it did, its code is one of four, and nobody is shown a traceback."""
    try:
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    wrote = file if file is not None and file.exists() else None
    ran = Ran(process.returncode, (out or b"").decode(), (err or b"").decode(), wrote)
    assert ran.code in (0, 1, 2, 3), ran
    assert "Traceback" not in ran.err or "--debug" in process.args, ran.err  # type: ignore[operator]
    return ran


def guardgate(root: Path, *arguments: str, **more: Any) -> Ran:
    """Run guardgate in a project's folder to its end; `more` as for `start`."""
    return ended(start(root, *arguments, **more))


def run(root: Path, *arguments: str, out: str = RESULTS, **more: Any) -> Ran:
    """`guardgate run` into the file `out`. The gate of what it wrote gives the same code, without a call."""
    process = start(root, "run", *arguments, "--out", out, **more)
    return same_gate(ended(process, root / out))


def same_gate(ran: Ran) -> Ran:
    """The run, once it is proved that the gate of its file gives its code."""
    if ran.file is not None:
        assert gated(ran.file) == ran.code, ran
    return ran


def gated(file: Path) -> int:
    """The code of `guardgate gate`, in this process."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return run_command_line(["gate", str(file), "--json"])


def refused(ran: Ran, *words: str) -> Ran:
    """It is 3, nothing is on standard output, and standard error says in one line, with these words, why."""
    assert ran.code == 3, ran
    assert ran.out == "", ran.out
    said = ran.err.splitlines()
    assert said[0].startswith("guardgate: "), ran.err
    assert len(said) == 2, ran.err
    missing = [word for word in words if word not in said[0]]
    assert not missing, (missing, ran.err)
    return ran
