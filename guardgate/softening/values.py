"""Values as one line of text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

#: So many characters of a value are shown.
MOST = 300


def shown(value: Any) -> str:
    """A text as it is, nothing for None, a number or anything else as JSON; never long."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=_as_json)
    return text if len(text) <= MOST else f"{text[:MOST]} [... {len(text) - MOST} more characters]"


def _as_json(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_unset=True)
    return dict(value) if isinstance(value, Mapping) else str(value)
