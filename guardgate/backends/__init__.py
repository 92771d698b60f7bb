"""The table of backends: one row and one file each, imported when a run names it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from guardgate.backends.base import Backend, Surroundings
from guardgate.errors import Unavailable
from guardgate.model.project import Target

#: Where the class of each backend stands.
TABLE: Mapping[str, str] = MappingProxyType(
    {
        "scripted": "guardgate.backends.scripted:Scripted",
        "python": "guardgate.backends.python:Python",
        "http": "guardgate.backends.http:Http",
        "openai": "guardgate.backends.openai:OpenAI",
        "litellm": "guardgate.backends.litellm:LiteLLM",
        "claude_cli": "guardgate.backends.claude_cli:ClaudeCli",
        "codex_cli": "guardgate.backends.codex_cli:CodexCli",
        "command": "guardgate.backends.command:Command",
    }
)


def open_backend(name: str, settings: Target, around: Surroundings) -> Backend:
    """The backend for these settings. Raises Unavailable for a kind that this version does not have."""
    place = TABLE.get(settings.backend)
    if place is None:
        raise Unavailable(name, f"the backend {settings.backend!r} is not part of this version", "use another backend")
    module, attribute = place.split(":")
    backend: Backend = getattr(import_module(module), attribute)(name, settings, around)
    return backend
