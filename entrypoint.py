"""The image's way in: without arguments the action, with arguments the command line. 0 to 3, and nothing else."""

from __future__ import annotations

import sys


def main() -> None:
    """Run it, and exit with a code of guardgate's own even where guardgate cannot be imported."""
    code = 3
    if len(sys.argv) == 1:
        sys.argv.append("ci")
    try:
        from guardgate.__main__ import main as guardgate  # noqa: PLC0415 - a failing import is 3, not 1

        guardgate()
    except SystemExit as end:
        code = end.code if end.code in (0, 1, 2, 3) else 3
    except ImportError as problem:
        print(f"guardgate: the image is broken: {problem}", file=sys.stderr)  # noqa: T201 - no door is there yet
    finally:
        sys.exit(code)


if __name__ == "__main__":
    main()
