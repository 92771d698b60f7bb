"""`guardgate check` on 60 cases, in a cold process."""

from __future__ import annotations

import tempfile
from pathlib import Path

from measure import cost, guardgate, least, say
from project import write


def main() -> None:
    """Seven processes, one after the other; the first has warmed the disk."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        size = write(project, 6, 10, "{backend: scripted, script: script.yaml}")
        cost(guardgate("check"), project)
        costs = [cost(guardgate("check"), project) for _ in range(7)]
    say(
        "check_60",
        {"wall_s": 0.5},
        {
            "wall_s": least(costs, "wall"),
            "cpu_s": least(costs, "cpu"),
            "rss_mb": least(costs, "rss_mb"),
            "suite_bytes": size,
        },
    )


if __name__ == "__main__":
    main()
