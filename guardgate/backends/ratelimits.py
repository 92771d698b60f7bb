"""What the headers of an answer say about the calls that are left: how long to wait until there is one again. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

#: Headers with the calls (or tokens) left, and the one that says when there are more. One of OpenAI and those that
#: speak as it does, Anthropic, Kong, GitHub, and the draft of the IETF.
PAIRS = (
    ("x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
    ("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"),
    ("anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset"),
    ("anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset"),
    ("anthropic-ratelimit-input-tokens-remaining", "anthropic-ratelimit-input-tokens-reset"),
    ("anthropic-ratelimit-output-tokens-remaining", "anthropic-ratelimit-output-tokens-reset"),
    ("x-ratelimit-remaining", "x-ratelimit-reset"),
    ("ratelimit-remaining", "ratelimit-reset"),
)
#: A number from here on is a moment in seconds since 1970, and from there on one in milliseconds.
_MOMENT, _MILLISECONDS = 1e9, 1e12
_UNITS = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001, "us": 1e-6, "µs": 1e-6}
_SPAN = re.compile(r"(\d+(?:\.\d+)?)(ms|us|µs|d|h|m|s)")
_POLICY = re.compile(r";\s*([rt])=(\d{1,12})")


def wait_of(headers: Mapping[str, str], now: datetime) -> float:
    """Seconds until another call may go out; 0 where calls are left, or where nothing usable is said."""
    return max([0.0, *_waits(headers, now)])


def _waits(headers: Mapping[str, str], now: datetime) -> Iterator[float]:
    for remaining, reset in PAIRS:
        left = headers.get(remaining)
        if left is not None and _none_left(left):
            yield seconds(headers.get(reset, ""), now) or 0.0
    policies = headers.get("ratelimit")
    if policies is not None:
        for policy in policies.split(","):
            said = dict(_POLICY.findall(policy))
            if said.get("r") == "0":
                yield float(said.get("t", 0))


def _none_left(text: str) -> bool:
    try:
        return float(text) <= 0
    except ValueError:
        return False


def seconds(text: str, now: datetime) -> float | None:
    """`12`, `6m0s`, `120ms`, a moment since 1970, or an ISO date, as seconds from now; None for anything else."""
    said = text.strip()
    if re.fullmatch(r"\d{1,15}(\.\d{1,15})?", said):
        number = float(said)
        if number < _MOMENT:
            return number
        return max(0.0, number / (1000 if number >= _MILLISECONDS else 1) - now.timestamp())
    if said and _SPAN.sub("", said) == "":
        return sum(float(amount) * _UNITS[unit] for amount, unit in _SPAN.findall(said))
    try:
        moment = datetime.fromisoformat(said)
    except ValueError:
        return None
    return max(0.0, ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - now).total_seconds())
