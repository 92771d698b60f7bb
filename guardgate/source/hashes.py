"""What identifies a text or a value: SHA-256, in hexadecimal."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def sha256(data: bytes | str) -> str:
    """SHA-256 of bytes, or of a text as UTF-8, in hexadecimal."""
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    return hashlib.sha256(raw).hexdigest()


def fingerprint(value: Any) -> str:
    """SHA-256 of the value as canonical JSON. Raises on NaN, infinity and what JSON cannot say."""
    text = json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False, default=_as_json
    )
    return sha256(text)


def _as_json(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not JSON")
