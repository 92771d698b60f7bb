"""What share of the innocent texts in folders the scanner flags, folder by folder: one line of JSON.

    python benchmarks/scan_folder.py FOLDER ... [--show]

Every file that is text counts, cut to its first 8,000 characters, and scanned without its name, as labelled texts are.
Each content counts once. --show names what is flagged, and why.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from guardgate.scan import Finding, at_least, scan

LONGEST = 8_000
SUFFIXES = {"", ".md", ".mdx", ".mdc", ".rst", ".txt", ".py", ".js", ".html"}


def texts(folder: Path, seen: set[str]) -> Iterator[tuple[Path, str]]:
    """The beginnings of the text files below a folder, each content once."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in SUFFIXES or path.is_symlink() or not path.is_file():
            continue
        try:
            text = path.read_text("utf-8")[:LONGEST]
        except UnicodeDecodeError:
            continue
        if text.strip() and "\0" not in text and text not in seen:
            seen.add(text)
            yield path, text


def flagged(text: str) -> list[Finding]:
    """What `guardgate scan` would fail on."""
    return [finding for finding in scan(text) if at_least(finding.severity, "medium")]


def main() -> None:
    """Scan every text once, and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    seen: set[str] = set()
    shown = {}
    for folder in given.folders:
        alarms = [(path, flagged(text)) for path, text in texts(folder, seen)]
        count = sum(bool(found) for _, found in alarms)
        shown[folder.name] = {
            "texts": len(alarms),
            "flagged": count,
            "percent": round(100 * count / len(alarms), 2) if alarms else None,
        }
        if given.show:
            for path, found in alarms:
                for one in found:
                    print(f"{path}:{one.line}: {one.family}: {one.words!r}", file=sys.stderr)
    json.dump({"benchmark": "scan_folder", "folders": shown}, sys.stdout)
    print()


if __name__ == "__main__":
    main()
