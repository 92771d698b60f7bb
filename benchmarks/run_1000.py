"""`guardgate run`: 1,000 one-turn cases, 100 ms a reply, 64 in flight, beside a bare aiohttp client.

The two take turns within the same minute; whole processes are compared, from start to exit.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from measure import Cost, cost, guardgate, least, say
from project import write

CASES = 1_000
IN_FLIGHT = 64
ROUNDS = 5
HERE = Path(__file__).resolve().parent


@contextmanager
def bot() -> Iterator[tuple[str, list[int]]]:
    """The URL of a server in a process of its own; afterwards the list holds the most requests in flight."""
    most: list[int] = []
    with subprocess.Popen(
        [sys.executable, str(HERE / "server.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}/chat", most
        finally:
            process.stdin.close()
            most.append(int(process.stdout.readline()))


def play(url: str, folder: Path, number: int) -> tuple[Cost, Cost]:
    """One bare client, then one guardgate."""
    bare = cost([sys.executable, str(HERE / "bare_client.py"), url, str(CASES), str(IN_FLIGHT)])
    if f"{CASES} answers" not in bare.out:
        raise RuntimeError(f"the bare client lost answers: {bare.out}")
    return bare, cost(guardgate("run", "--quiet", "--out", f"results-{number}.jsonl"), folder)


def main() -> None:
    """Five rounds; of the ratios the one in the middle, of all else the least."""
    with tempfile.TemporaryDirectory() as folder, bot() as (url, most):
        project = Path(folder) / "project"
        target = f'{{backend: http, url: "{url}", request: {{message: "{{turn}}"}}, reply: $.answer}}'
        write(project, 20, CASES // 20, target, turns=1)
        rounds = [play(url, project, number) for number in range(ROUNDS)]
    bares, ours = [bare for bare, _ in rounds], [own for _, own in rounds]
    ratios = sorted(own.wall / bare.wall for bare, own in rounds)
    say(
        "run_1000",
        {"ratio": 1.3, "cpu_ms_a_case": 1.5, "rss_mb": 120.0, "most_in_flight": IN_FLIGHT},
        {
            "ratio": ratios[len(ratios) // 2],
            "wall_s": least(ours, "wall"),
            "bare_wall_s": least(bares, "wall"),
            "cpu_ms_a_case": least(ours, "cpu") * 1000 / CASES,
            "bare_cpu_ms_a_call": least(bares, "cpu") * 1000 / CASES,
            "rss_mb": least(ours, "rss_mb"),
            "most_in_flight": most[0],
        },
    )


if __name__ == "__main__":
    main()
