"""The request template of the `http` backend: a JSON structure with `{placeholders}`, filled exactly once.

Values are put in and never looked at again, so attack text is never a template.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from guardgate.record import Talk

#: The names that guardgate fills in; every other placeholder is a param.
BUILT_IN = frozenset({"turn", "messages", "session", "system", "task", "document"})

_PLACE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_.-]*)\}")
_LEFT_OUT = object()


def placeholders(structure: Any) -> set[str]:
    """The names of all placeholders in the values of a structure; keys are never templates."""
    if isinstance(structure, str):
        return set(_PLACE.findall(structure))
    if isinstance(structure, Mapping):
        return set().union(*map(placeholders, structure.values()))
    if isinstance(structure, list | tuple):
        return set().union(*map(placeholders, structure))
    return set()


def unknown(structure: Any, params: Iterable[str]) -> set[str]:
    """Placeholders that are neither built in nor a param: nothing would ever fill them."""
    return placeholders(structure) - BUILT_IN - set(params)


def unused(structure: Any, params: Iterable[str]) -> set[str]:
    """Params that the template never mentions. `system` is not one: it arrives as `{system}`, if at all."""
    return set(params) - placeholders(structure) - {"system"}


def fill(structure: Any, values: Mapping[str, Any]) -> Any:
    """The structure with its placeholders replaced by `values`; raises KeyError for a missing name.

    A string that is one placeholder becomes the value itself, and with None its key is left out.
    Inside a longer string the value is text: None is nothing, other values are their JSON.
    """
    if isinstance(structure, str):
        return _fill_text(structure, values)
    if isinstance(structure, Mapping):
        filled = ((key, fill(value, values)) for key, value in structure.items())
        return {key: value for key, value in filled if value is not _LEFT_OUT}
    if isinstance(structure, list | tuple):
        return [value for item in structure if (value := fill(item, values)) is not _LEFT_OUT]
    return structure


def _fill_text(text: str, values: Mapping[str, Any]) -> Any:
    alone = _PLACE.fullmatch(text)
    if alone:
        value = values[alone[1]]
        return _LEFT_OUT if value is None else value
    return _PLACE.sub(lambda place: as_text(values[place[1]]), text)


def as_text(value: Any) -> str:
    """A JSON value as text: text is itself, null is nothing, the rest is its compact JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def conversation(talk: Talk) -> list[dict[str, str]]:
    """The turns and replies so far as chat messages, without the system text; the last one is the user's."""
    messages = []
    for turn, reply in zip(talk.turns, talk.replies, strict=False):
        messages += [{"role": "user", "content": turn}, {"role": "assistant", "content": reply.text}]
    return [*messages, {"role": "user", "content": talk.turn}]
