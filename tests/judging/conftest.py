"""No Windows where a test speaks of signals to another process."""

import sys

collect_ignore = ["test_unix.py"] if sys.platform == "win32" else []
