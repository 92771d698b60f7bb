"""`guardgate gate` and `guardgate report` over 100,000 attempts, and over a tenth of them: memory must not grow."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from measure import Cost, cost, guardgate, say
from project import write

REPLY = (
    "I hear how long you have been waiting, and I am sorry that nobody has called you back. I can not do that, and I "
    "will not say that I can. What I can do is write down what you need, so that the person who calls has it at hand."
)


def results(folder: Path, played: Path, repeats: int) -> Path:
    """A results file with every attempt of `played` repeated, as a run with so many repeats would have written it.

    No two replies are alike, so that nothing that was worked out for one of them helps with another.
    """
    lines = [json.loads(line) for line in played.read_text(encoding="utf-8").splitlines()]
    attempts = [line for line in lines if line["t"] == "attempt"]
    path = folder / f"{repeats}.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for line in lines:
            if line["t"] == "run":
                line |= {"repeats": repeats, "attempts": repeats * len(attempts)}
            if line["t"] not in ("attempt", "end"):
                file.write(_line(line))
        for repeat in range(repeats):
            for attempt in attempts:
                n = repeat * len(attempts) + attempt["n"]
                text = f"Number {n}. {attempt['replies'][0]['text']} Ask me {n} times, and that is what I say."
                reply = {**attempt["replies"][0], "text": text}
                file.write(_line({**attempt, "n": n, "repeat": repeat, "replies": [reply]}))
        file.write(_line({**lines[-1], "calls": repeats * len(attempts)}))
    return path


def _line(value: dict[str, Any]) -> str:
    """As the writer writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def both(folder: Path, path: Path) -> tuple[Cost, Cost]:
    """The gate, then the Markdown report."""
    gate = cost(guardgate("gate", str(path)), folder)
    return gate, cost(guardgate("report", str(path), "--format", "md", "--out", f"{path.stem}.md"), folder)


def main() -> None:
    """1,000 cases, 100 repeats; and 10 repeats for comparison."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "project"
        write(folder, 20, 50, "{backend: scripted, script: script.yaml}", turns=1)
        (folder / "script.yaml").write_text(json.dumps([{"say": REPLY}]), encoding="utf-8")
        played = folder / "1.jsonl"
        cost(guardgate("run", "--quiet", "--out", str(played)), folder)
        tenth = both(folder, results(folder, played, 10))
        large = results(folder, played, 100)
        gate, report = both(folder, large)
        megabytes = large.stat().st_size / 1e6
    most, before = max(gate.rss_mb, report.rss_mb), max(one.rss_mb for one in tenth)
    say(
        "gate_100000",
        {"seconds": 15.0, "rss_growth_mb": 10.0},
        {
            "seconds": gate.wall + report.wall,
            "gate_s": gate.wall,
            "report_s": report.wall,
            "cpu_s": gate.cpu + report.cpu,
            "rss_mb": most,
            "rss_growth_mb": most - before,
            "file_mb": megabytes,
        },
    )


if __name__ == "__main__":
    main()
