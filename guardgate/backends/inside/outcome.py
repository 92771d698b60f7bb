"""What an ask came to, as plain data: an answer or a failure."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

Outcome = dict[str, Any]

_INSIDE = os.path.dirname(os.path.abspath(__file__))
_LONGEST = 2000


def answer(text: str, tools: list[Any], state: Any = None, *, traced: bool, about: Outcome | None = None) -> Outcome:
    """A reply; `tools` are {name, arguments, result}, and all that there were if it is `traced`.

    about: `model`, and tokens as `input` and `output`, where the messages tell them.
    """
    return {"text": text, "tools": tools, "state": state, "traced": traced, "about": about or {}}


def failure(kind: str, detail: str, partial: Outcome | None = None) -> Outcome:
    """A failure of one of guardgate's kinds, with what was received before it."""
    return {"kind": kind, "detail": detail, "partial": partial}


def raised(error: BaseException) -> Outcome:
    """The failure for an exception that the app raised."""
    return failure("app_error", explain(error))


def explain(error: BaseException) -> str:
    """`TypeName: message (at file:line)`, with the last place in the project where that is another."""
    try:
        message = str(error)
    except Exception as other:  # noqa: BLE001  (an exception of the app whose own text fails)
        message = f"(its message could not be read: {type(other).__name__})"
    if len(message) > _LONGEST:
        message = message[:_LONGEST] + "..."
    head = type(error).__name__ + (f": {message}" if message else "")
    where = _where(error)
    return f"{head} (at {where})" if where else head


def _where(error: BaseException) -> str:
    if isinstance(error, SyntaxError) and error.filename:
        return f"{_short(error.filename)}:{error.lineno}"
    places = list(_places(error))
    if not places:
        return ""
    ours = [place for place in places if not os.path.isabs(place)]
    if ours and ours[-1] != places[-1]:
        return f"{places[-1]}, called from {ours[-1]}"
    return places[-1]


def _places(error: BaseException) -> Iterator[str]:
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if os.path.dirname(os.path.abspath(name)) != _INSIDE and not name.startswith("<"):
            yield f"{_short(name)}:{trace.tb_lineno}"
        trace = trace.tb_next


def _short(name: str) -> str:
    root = os.getcwd() + os.sep
    inside = name.startswith(root) and "site-packages" not in name
    return name[len(root) :] if inside else name
