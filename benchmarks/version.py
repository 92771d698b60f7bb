"""CPU of `guardgate --version`, and that it stays away from the heavy packages."""

from __future__ import annotations

import sys

from measure import cost, guardgate, least, say

HEAVY = ("pydantic", "litellm", "jsonschema")
LOADED = (
    "import sys; from guardgate.cli import run_command_line; run_command_line(['--version']); "
    f"print('loaded', [name for name in {HEAVY!r} if name in sys.modules])"
)


def main() -> None:
    """Nine runs, and one that looks at what was imported."""
    costs = [cost(guardgate("--version")) for _ in range(9)]
    heavy = cost([sys.executable, "-c", LOADED]).out.splitlines()[-1]
    if heavy != "loaded []":
        raise RuntimeError(f"--version imports heavy packages: {heavy}")
    bare = [cost([sys.executable, "-c", "pass"]) for _ in range(9)]
    say(
        "version",
        {"cpu_s": 0.15},
        {"cpu_s": least(costs, "cpu"), "wall_s": least(costs, "wall"), "bare_python_cpu_s": least(bare, "cpu")},
    )


if __name__ == "__main__":
    main()
