"""What GitHub enforces and its published description does not say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tests.support.server import Answer, Seen

if TYPE_CHECKING:
    from tests.support.github.fake import GitHub

COMMENT_CHARS = 65_536
STATUS_CHARS = 140
TITLE_CHARS = 255
STATUSES = 1_000
CREATIONS = 80
INTEGRATION = "Resource not accessible by integration"
SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."


def told(
    status: int, message: str, errors: list[dict[str, str]] | None = None, headers: Mapping[str, str] | None = None
) -> Answer:
    """A refusal as GitHub words it."""
    body: dict[str, Any] = {"message": message, "documentation_url": "https://docs.github.test/rest"}
    body |= {"errors": errors} if errors else {}
    kind = {"content-type": "application/json; charset=utf-8"}
    return Answer(json.dumps({**body, "status": str(status)}).encode(), status, {**kind, **(headers or {})})


NOT_FOUND = told(404, "Not Found")
FORBIDDEN = told(403, INTEGRATION)


def invalid(resource: str, field: str, message: str) -> Answer:
    """422, with the field."""
    error = {"resource": resource, "field": field, "code": "custom", "message": message}
    return told(422, "Validation Failed", [error])


def too_long(resource: str, field: str, text: object, limit: int) -> Answer | None:
    """A text over its limit."""
    if not isinstance(text, str) or len(text) <= limit:
        return None
    return invalid(resource, field, f"{field} is too long (maximum is {limit} characters)")


def refusal(github: GitHub, seen: Seen) -> Answer | None:
    """Who is not served at all: the wrong token, the hourly limit, too many creations in a minute."""
    if seen.headers.get("Authorization") != f"Bearer {github.token}":
        return told(401, "Bad credentials")
    if github.remaining <= 0:
        return told(403, "API rate limit exceeded for installation ID 1.")
    creates = seen.method in ("POST", "PATCH", "DELETE") and not seen.path.endswith("/graphql")
    if creates and sum(at > github.now() - 60 for at in github.created) >= CREATIONS:
        return told(403, SECONDARY, headers={"retry-after": "60"})
    if creates:
        github.created.append(github.now())
    return None


def faults_of(github: GitHub, seen: Seen) -> list[str]:
    """What a client should have sent and did not."""
    wanted = {"Accept": "application/vnd.github", "X-GitHub-Api-Version": "20", "User-Agent": "guardgate/"}
    line = f"{seen.method} {seen.path}"
    return [f"{line}: no {name}" for name, start in wanted.items() if not seen.headers.get(name, "").startswith(start)]
