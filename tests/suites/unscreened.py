"""Writes the lists of documents in which the scanner finds nothing: python -m tests.suites.unscreened."""

from __future__ import annotations

from tests.suites.test_documents import UNSCREENED, unscreened
from tests.suites.test_unscreened import MISSED, missed

if __name__ == "__main__":
    UNSCREENED.write_text(unscreened(), encoding="utf-8")
    MISSED.write_text(missed(), encoding="utf-8")
