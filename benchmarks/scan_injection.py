"""What share of labelled texts the scanner flags, slice by slice, with intervals clustered by group: one line of JSON.

    python benchmarks/scan_injection.py PATH [--half look|measure]

PATH is a JSON Lines file with `text`, `label` (1 = injection), `slice` and `group` (template or base document) in each
line. A text is flagged if a finding is at least `medium`, which is where `guardgate scan` fails by default; `any`
counts every finding. --half takes groups by their SHA-256: rules were written looking at `look` only.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from guardgate.clusters import rate
from guardgate.scan import Finding, at_least, scan

Row = dict[str, Any]


def half(group: str) -> str:
    """The half of a group: an odd SHA-256 is "measure", an even one "look"."""
    return "measure" if int(sha256(group.encode()).hexdigest(), 16) % 2 else "look"


def flagged(findings: tuple[Finding, ...]) -> bool:
    """Whether `guardgate scan` would fail."""
    return any(at_least(finding.severity, "medium") for finding in findings)


def measured(rows: list[Row]) -> dict[str, Any]:
    """One slice: how many texts and groups, the share that is flagged with its 95 % interval, and with any finding."""
    by_group: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        by_group[row["group"]].append(flagged(row["findings"]))
    interval = rate([(sum(hits), len(hits)) for hits in by_group.values()]).interval
    return {
        "texts": len(rows),
        "groups": len(by_group),
        "flagged": percent(interval.value),
        "ci95": [percent(interval.low), percent(interval.high)],
        "any": percent(sum(bool(row["findings"]) for row in rows) / len(rows)),
    }


def percent(share: float) -> float:
    """A share in per cent, with one decimal."""
    return round(100 * share, 1)


def main() -> None:
    """Scan every text once, and print the slices."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--half", choices=["look", "measure"])
    given = parser.parse_args()
    slices: dict[str, list[Row]] = defaultdict(list)
    with given.path.open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if given.half in (None, half(row["group"])):
                row["findings"] = scan(row["text"])
                slices[f"{row['slice']} ({'injection' if row['label'] else 'innocent'})"].append(row)
    shown = {name: measured(slices[name]) for name in sorted(slices)}
    json.dump({"benchmark": "scan_injection", "half": given.half or "both", "slices": shown}, sys.stdout)
    print()


if __name__ == "__main__":
    main()
