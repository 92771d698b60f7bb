"""No proxy and no certificate of this machine reaches a test."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def _plain_network(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.upper().endswith("_PROXY") or name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
            monkeypatch.delenv(name)
