"""Writes the list of documents in which the scanner finds nothing: python -m tests.suites.unscreened."""

from __future__ import annotations

from tests.suites.test_documents import UNSCREENED, unscreened

if __name__ == "__main__":
    UNSCREENED.write_text(unscreened(), encoding="utf-8")
