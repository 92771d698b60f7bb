"""What went wrong with a call to GitHub, as a value: no call raises for what a server does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: settings: ours are wrong. permission: the token may not. missing: not there, or not for this token. refused: GitHub
#: will not do it. rate_limited, unavailable: not now. redirected: it is elsewhere. too_large, malformed: not read.
Kind = Literal[
    "settings",
    "permission",
    "missing",
    "refused",
    "rate_limited",
    "unavailable",
    "redirected",
    "too_large",
    "malformed",
]


@dataclass(frozen=True, slots=True)
class ApiFailure:
    """A call that gave nothing. `text`: one line that is safe to print and holds no secret.

    `maybe_done`: the answer was lost, so GitHub may have done what was asked; look before asking again.
    """

    kind: Kind
    text: str
    status: int | None = None
    maybe_done: bool = False
