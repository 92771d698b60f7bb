"""Every format of `guardgate report` over 100,000 attempts, and over a tenth of them: memory must not grow."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from gate_100000 import REPLY, results
from measure import Cost, cost, guardgate, say
from project import write

FORMATS = ("html", "json", "junit", "redacted", "sarif")


def costs(folder: Path, path: Path) -> dict[str, Cost]:
    """What each format costs."""
    return {
        form: cost(guardgate("report", str(path), "--format", form, "--out", f"{path.stem}.{form}"), folder)
        for form in FORMATS
    }


def main() -> None:
    """1,000 cases, 100 repeats; and 10 repeats for comparison."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "project"
        write(folder, 20, 50, "{backend: scripted, script: script.yaml}", turns=1)
        (folder / "script.yaml").write_text(json.dumps([{"say": REPLY}]), encoding="utf-8")
        played = folder / "1.jsonl"
        cost(guardgate("run", "--quiet", "--out", str(played)), folder)
        tenth = costs(folder, results(folder, played, 10))
        whole = costs(folder, results(folder, played, 100))
        sizes = {form: (folder / f"100.{form}").stat().st_size / 1e6 for form in FORMATS}
    said: dict[str, float] = {}
    for form in FORMATS:
        growth = whole[form].rss_mb - tenth[form].rss_mb
        said |= {f"{form}_s": whole[form].wall, f"{form}_cpu_s": whole[form].cpu, f"{form}_mb": sizes[form]}
        said[f"{form}_rss_growth_mb"] = growth
    said["seconds"] = max(one.wall for one in whole.values())
    said["rss_growth_mb"] = max(said[f"{form}_rss_growth_mb"] for form in FORMATS)
    say("report_100000", {"seconds": 15.0, "rss_growth_mb": 10.0}, said)


if __name__ == "__main__":
    main()
