"""Answers as records: one, or all pages of a list. What does not have the form is a failure, never left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeVar
from urllib.parse import urlencode

import httpx
from pydantic import TypeAdapter, ValidationError

from guardgate.github.exchange import Answer, Request, same_origin
from guardgate.github.failure import ApiFailure
from guardgate.github.wire import Wire

PAGE = 100
#: 10,000 comments are read; of more, none: a list that was cut would be taken for whole.
MAX_PAGES = 100
T = TypeVar("T")
P = TypeVar("P")

_LINK = re.compile(r"\s*<([^<>]*)>\s*;(.*)", re.DOTALL)
_NEXT = re.compile(r"\brel=\"?next\"?")


def read(wire: Wire, asked: str, answer: Answer | ApiFailure, form: TypeAdapter[T]) -> T | ApiFailure:
    """The answer in its form, or a failure."""
    if isinstance(answer, ApiFailure):
        return answer
    try:
        return form.validate_json(answer.body)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        place = ".".join(str(step) for step in first["loc"]) or "the body"
        text = f"{asked}: the answer is not what GitHub answers: {place}: {first['msg']}"
        return wire.safe(ApiFailure("malformed", text, answer.status))


def many(form: type[T]) -> TypeAdapter[tuple[T, ...]]:
    """The form of a list of such entries."""
    return TypeAdapter(tuple[form, ...])  # type: ignore[valid-type]


def every(
    wire: Wire,
    path: str,
    query: Mapping[str, str],
    form: TypeAdapter[P],
    entries: Callable[[P], tuple[T, ...]],
    keep: Callable[[T], bool] | None,
) -> tuple[T, ...] | ApiFailure:
    """The entries of all pages that `keep` wants, in their order; whole or a failure."""
    url: str | None = f"{wire.settings.base}{path}?{urlencode({**query, 'per_page': str(PAGE)})}"
    asked = f"GET {path}"
    kept: list[T] = []
    seen: set[str] = set()
    while url is not None:
        if url in seen or not _at_home(url, wire.settings.base):
            text = f"{asked}: the link to the next page leads elsewhere or round in a circle; no page was used"
            return wire.safe(ApiFailure("malformed", text))
        if len(seen) == MAX_PAGES:
            text = f"{asked}: there are more than {MAX_PAGES * PAGE:,} entries; none was used"
            return wire.safe(ApiFailure("too_large", text))
        seen.add(url)
        answer = wire.send(Request("GET", url))
        if isinstance(answer, ApiFailure):
            return answer
        page = read(wire, asked, answer, form)
        if isinstance(page, ApiFailure):
            return page
        kept += [one for one in entries(page) if keep is None or keep(one)]
        url = _next_page(answer.headers.get("link", ""))
    return tuple(kept)


def _at_home(url: str, base: str) -> bool:
    try:
        return same_origin(url, base)
    except httpx.InvalidURL:
        return False


def _next_page(header: str) -> str | None:
    for part in header.split(","):
        match = _LINK.fullmatch(part)
        if match and _NEXT.search(match[2]):
            return match[1]
    return None
