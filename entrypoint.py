"""The action's way in: inputs -> one command -> its outputs and exit code, 0 to 3 and nothing else."""

from __future__ import annotations

import os
import secrets
import signal
import sys
from collections.abc import Mapping

#: Every input of action.yml, with its default.
INPUTS = {"mode": "check", "project": "."}
#: The command of each mode, and the word for each of its exit codes.
COMMANDS = {"check": ("check", "--format", "github")}
WORDS = {"check": {0: "valid"}}
INCOMPLETE = 3


def given(environ: Mapping[str, str]) -> dict[str, str]:
    """The inputs as the runner passes them: `INPUT_` and the name in capitals; empty ones count as not given."""
    return {name: environ.get(f"INPUT_{name.upper()}", "").strip() or default for name, default in INPUTS.items()}


def run(inputs: Mapping[str, str]) -> int:
    """Run the command of the mode and return its exit code."""
    command = COMMANDS.get(inputs["mode"])
    if command is None:
        from guardgate.report.escape import terminal  # noqa: PLC0415 - only for a mistake

        expected = ", ".join(COMMANDS)
        say(f"input mode: found {terminal(inputs['mode'])}; expected {expected}")
        return INCOMPLETE
    from guardgate.__main__ import main as guardgate  # noqa: PLC0415 - a failing import must still leave outputs

    sys.argv = ["guardgate", *command, f"--project={inputs['project']}"]
    try:
        guardgate()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else INCOMPLETE
    return INCOMPLETE


def told(code: int, mode: str, environ: Mapping[str, str]) -> int:
    """Write every output; the code, or 3 where they could not be written."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    outputs = {"exit-code": str(code), "verdict": WORDS.get(mode, {}).get(code, "incomplete")}
    path = environ.get("GITHUB_OUTPUT")
    if not path:  # another CI: the exit code says it all
        return code
    end = f"end-{secrets.token_hex(16)}"
    try:
        with open(path, "a", encoding="utf-8") as file:
            file.writelines(f"{name}<<{end}\n{value}\n{end}\n" for name, value in outputs.items())
    except OSError as error:
        say(f"the outputs could not be written: {error.strerror}")
        return INCOMPLETE
    return code


def say(text: str) -> None:
    """One line for whoever reads the log."""
    print(f"guardgate: {text}", file=sys.stderr)  # noqa: T201 - before and after the door of the command line


def main() -> None:
    """Inputs, command, outputs; always an exit code of guardgate's own."""
    code = INCOMPLETE
    inputs = given(os.environ)
    try:
        code = run(inputs)
    finally:
        sys.exit(told(code, inputs["mode"], os.environ))


if __name__ == "__main__":
    main()
