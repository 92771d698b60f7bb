"""Signals, closed streams and full disks are made in ways that Windows does not have."""

import sys

collect_ignore = ["test_signals.py", "test_streams.py", "test_disk.py"] if sys.platform == "win32" else []
