"""`guardgate check` on 10,000 cases in 200 files (about 11 MB), schema validation included."""

from __future__ import annotations

import tempfile
from pathlib import Path

from measure import cost, guardgate, least, say
from project import write


def main() -> None:
    """Five processes, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        size = write(project, 200, 50, "{backend: scripted, script: script.yaml}")
        costs = [cost(guardgate("check"), project) for _ in range(5)]
    if "10000 cases" not in costs[0].out:
        raise RuntimeError(f"not every case was checked: {costs[0].out[-500:]}")
    say(
        "check_10000",
        {"wall_s": 3.0, "rss_mb": 300.0},
        {
            "wall_s": least(costs, "wall"),
            "cpu_s": least(costs, "cpu"),
            "rss_mb": least(costs, "rss_mb"),
            "suite_bytes": size,
        },
    )


if __name__ == "__main__":
    main()
