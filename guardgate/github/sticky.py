"""One comment and one issue of our own, found by a marker and by who wrote them. Nobody else's is ever touched."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from guardgate.github.api import Api
from guardgate.github.failure import ApiFailure
from guardgate.github.records import Comment, Issue

#: The label of our issues, by which they are found among all others.
LABEL = "guardgate"
TITLE_CHARS = 255


@dataclass(frozen=True, slots=True)
class Posted:
    """What stands there now. `notes`: what could not be tidied up."""

    url: str
    notes: tuple[str, ...] = ()


def comment(api: Api, number: int, author: str, marker: str, body: str) -> Posted | ApiFailure:
    """Write the comment, in place where there is one; own duplicates, of two jobs at once, are removed."""
    found = _comments(api, number, author, marker)
    if isinstance(found, ApiFailure):
        return found
    if found:
        done = api.update_comment(found[0].id, body)
        return done if isinstance(done, ApiFailure) else _tidy(api, done.html_url, found[1:])
    made = api.create_comment(number, body)
    if isinstance(made, ApiFailure) and not made.maybe_done:
        return made
    # Whether another job, or a request whose answer was lost, made one too: the oldest stays, with what we say.
    again = _comments(api, number, author, marker)
    if isinstance(again, ApiFailure):
        return made if isinstance(made, ApiFailure) else Posted(made.html_url)
    if not again:
        return made if isinstance(made, ApiFailure) else Posted(made.html_url)
    first = again[0]
    done = first if first.body == body else api.update_comment(first.id, body)
    return done if isinstance(done, ApiFailure) else _tidy(api, done.html_url, again[1:])


def _comments(api: Api, number: int, author: str, marker: str) -> tuple[Comment, ...] | ApiFailure:
    return api.comments(number, lambda one: _is_own(one.author, author) and _marked(one.body, marker))


def _tidy(api: Api, url: str, others: Iterable[Comment]) -> Posted:
    failed = [done.text for one in others if isinstance(done := api.delete_comment(one.id), ApiFailure)]
    return Posted(url, tuple(f"an older comment of ours could not be removed: {text}" for text in failed[:1]))


def issue(api: Api, author: str, marker: str, title: str, body: str, *, bad: bool) -> Posted | ApiFailure | None:
    """Open or renew the issue while things are bad, and close it when they are not. None where there is nothing to do.

    The same issue is opened again later, so that its history stays in one place.
    """
    found = api.issues(
        state="all", labels=[LABEL],
        keep=lambda one: not one.is_pull and _is_own(one.author, author) and _marked(one.body or "", marker),
    )  # fmt: skip
    if isinstance(found, ApiFailure):
        return found
    own = next((one for one in found if one.state == "open"), found[0] if found else None)
    if own is None and not bad:
        return None
    if own is None:
        return _posted(api.create_issue(title[:TITLE_CHARS], body, [LABEL]))
    if not bad and own.state == "closed":
        return None
    state = "open" if bad else "closed"
    return _posted(api.update_issue(own.number, title=title[:TITLE_CHARS], body=body, state=state))


def _posted(done: Issue | ApiFailure) -> Posted | ApiFailure:
    return done if isinstance(done, ApiFailure) else Posted(done.html_url)


def _marked(body: str, marker: str) -> bool:
    """Whether the marker is the whole first line: a quoted one, or one further down, is somebody's text."""
    return body.replace("\r\n", "\n").partition("\n")[0] == marker


def _is_own(found: str | None, author: str) -> bool:
    return (found or "").casefold() == author.casefold()
