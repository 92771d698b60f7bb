"""What a results file says of its run beside the attempts. Whatever is missing or odd there is left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from guardgate.family import family


@dataclass(frozen=True, slots=True)
class Identity:
    """A target or judge as it was recorded. `note`: what its backend found it to be."""

    name: str
    backend: str = ""
    model: str = ""
    version: str = ""
    family: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class About:
    """The file, when and by what it was written, and who was asked. `seconds`: from start to end.

    `folder`: where the project lies in its repository; it stands before the names of files, as in `bots/care/`.
    """

    results: str
    started: str = ""
    seconds: int | None = None
    guardgate: str = ""
    commit: str = ""
    targets: tuple[Identity, ...] = ()
    judges: tuple[Identity, ...] = ()
    allow_quotes: bool = False
    folder: str = ""


def about(head: Mapping[str, Any], results: str, end: Mapping[str, Any] | None = None) -> About:
    """The facts in the `run` and the `end` line of a results file."""
    return About(
        results,
        _text(head.get("started")),
        _seconds(head.get("started"), (end or {}).get("ended")),
        _text(head.get("guardgate")),
        _text(head.get("git")),
        _identities(head.get("targets")),
        _identities(head.get("judges")),
        head.get("allow_quotes") is True,
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _identities(value: object) -> tuple[Identity, ...]:
    if not isinstance(value, Mapping):
        return ()
    return tuple(_identity(str(name), one if isinstance(one, Mapping) else {}) for name, one in value.items())


def _identity(name: str, one: Mapping[Any, Any]) -> Identity:
    keys = ("backend", "model", "version", "family", "note")
    backend, model, version, declared, note = (_text(one.get(key)) for key in keys)
    return Identity(name, backend, model, version, family(backend, model, declared), note)


def _seconds(started: object, ended: object) -> int | None:
    try:
        passed = datetime.fromisoformat(_text(ended)) - datetime.fromisoformat(_text(started))
    except (ValueError, TypeError):  # no time, or one with a zone and one without
        return None
    return max(0, round(passed.total_seconds()))
