"""What tests of runs inside this process share."""

from __future__ import annotations

import os

from tests.support.project import Ran


def said(ran: Ran) -> str:
    """The first lines, as one."""
    return " ".join(ran.first.split())


def scrubbed() -> list[str]:
    """Variables of this process that could change a run."""
    return [name for name in os.environ if name.startswith("GUARDGATE_")]
