"""Writes what `check` says now as what is expected of it. Read the difference before you commit it.

python -m tests.check.rewrite
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.check.overlay import CASES, laid_over, lines, named


def main() -> None:
    for case in named("invalid"):
        with tempfile.TemporaryDirectory() as folder:
            said = lines(laid_over(case, Path(folder).resolve()))
        (CASES / "invalid" / f"{case.stem}.txt").write_text("".join(f"{line}\n" for line in said), "utf-8")


if __name__ == "__main__":
    main()
