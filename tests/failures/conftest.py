"""Signals and memory of a process are asked for in ways that Windows does not have."""

import sys

collect_ignore = ["test_unix.py"] if sys.platform == "win32" else []
