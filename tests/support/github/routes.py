"""The calls that the stand-in knows, in one table."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from tests.support.github import rules, shapes
from tests.support.server import Answer, Seen

if TYPE_CHECKING:
    from tests.support.github.fake import GitHub

Handler = Callable[["GitHub", Seen, tuple[str, ...]], Answer]
TABLE: list[tuple[re.Pattern[str], Handler]] = []


def route(pattern: str) -> Callable[[Handler], Handler]:
    """Put a handler into the table; `REPO` stands for the repository, and groups are its arguments."""

    def put(handler: Handler) -> Handler:
        TABLE.append((re.compile(pattern.replace("REPO", "/repos/[^/]+/[^/]+"), re.DOTALL), handler))
        return handler

    return put


def answer(github: GitHub, seen: Seen, line: str) -> Answer:
    """What the first fitting handler answers; 404 where none fits or the repository is another one."""
    path = seen.path.removeprefix(github.prefix)
    if path.startswith("/repos/") and not path.startswith(f"/repos/{github.repository}/"):
        return rules.NOT_FOUND
    for pattern, handler in TABLE:
        match = pattern.fullmatch(line)
        if match:
            return handler(github, seen, match.groups())
    github.problems.append(f"{line}: the stand-in does not know this call")
    return rules.NOT_FOUND


def as_json(value: Any, status: int = 200, link: str = "") -> Answer:
    """A JSON answer."""
    told = {"content-type": "application/json; charset=utf-8", **({"link": link} if link else {})}
    return Answer(json.dumps(value).encode(), status, told)


def page(github: GitHub, seen: Seen, entries: list[Any], wrap: Callable[[list[Any]], Any] = list) -> Answer:
    """One page, with the links that GitHub gives: none where all fits."""
    size, number = min(int(seen.query.get("per_page", "30")), 100), int(seen.query.get("page", "1"))
    last = max(1, -(-len(entries) // size))
    part = entries[(number - 1) * size : number * size]
    links = []
    for name, to in (("prev", number - 1), ("next", number + 1), ("last", last), ("first", 1)):
        if 1 <= to <= last and to != number:
            query = urlencode({**seen.query, "page": str(to)})
            links.append(f'<{github.server.url}{seen.path}?{query}>; rel="{name}"')
    return as_json(wrap(part), link=", ".join(links))


@route(r"POST /graphql")
def _graphql(github: GitHub, seen: Seen, found: tuple[str, ...]) -> Answer:
    return graphql(github, seen)


def graphql(github: GitHub, seen: Seen) -> Answer:
    """Who the token is, as GraphQL tells it to every kind of token."""
    if seen.headers.get("Authorization") != f"Bearer {github.token}":
        return rules.told(401, "Bad credentials")
    if "viewer { login }" not in seen.json["query"]:
        return as_json({"errors": [{"message": "Parse error"}]})
    return as_json({"data": {"viewer": {"login": github.login}}})


@route(r"GET /user")
def _user(github: GitHub, seen: Seen, found: tuple[str, ...]) -> Answer:
    if github.login.endswith("[bot]"):
        return rules.FORBIDDEN
    return rules.NOT_FOUND


@route(r"GET REPO/pulls/(\d+)")
def _pull(github: GitHub, seen: Seen, found: tuple[str, ...]) -> Answer:
    given = github.pulls.get(int(found[0]))
    if given is None:
        return rules.NOT_FOUND
    return as_json(shapes.pull(github.base, github.repository, int(found[0]), given))


@route(r"GET REPO/collaborators/([^/]+)/permission")
def _permission(github: GitHub, seen: Seen, found: tuple[str, ...]) -> Answer:
    if found[0] not in github.roles:
        return rules.told(404, f"{found[0]} is not a user")
    permission, role = github.roles[found[0]]
    who = {**shapes.user(github.base, found[0]), "role_name": role, "email": None}
    return as_json({"permission": permission, "role_name": role, "user": who})


@route(r"DELETE REPO/issues/(\d+)/labels/(.+)")
def _remove_label(github: GitHub, seen: Seen, found: tuple[str, ...]) -> Answer:
    if not github.may & {"issues", "pull-requests"}:
        return rules.FORBIDDEN
    number = int(found[0])
    holder = github.pulls.get(number) or github.issues.get(number)
    if holder is None:
        return rules.NOT_FOUND
    if found[1] not in holder["labels"]:
        return rules.told(404, "Label does not exist")
    holder["labels"].remove(found[1])
    return as_json([shapes.label(github.base, f"/repos/{github.repository}", name) for name in holder["labels"]])


@route(r"GET REPO/commits/([0-9a-f]+)/statuses")
def _statuses(github: GitHub, seen: Seen, found: tuple[str, ...]) -> Answer:
    lines = reversed(github.statuses.get(found[0], []))
    return page(github, seen, [_status(github, found[0], line) for line in lines])


@route(r"POST REPO/statuses/([0-9a-f]+)")
def _create_status(github: GitHub, seen: Seen, found: tuple[str, ...]) -> Answer:
    given = seen.json
    before = [line for line in github.statuses.get(found[0], []) if line["given"]["context"] == given["context"]]
    if "statuses" not in github.may:
        return rules.FORBIDDEN
    if len(before) >= rules.STATUSES:
        message = "This SHA and context has reached the maximum number of statuses."
        return rules.invalid("Status", "base", message)
    wrong = rules.too_long("Status", "description", given.get("description"), rules.STATUS_CHARS)
    if wrong is not None:
        return wrong
    github.add_status(found[0], **given)
    return as_json(_status(github, found[0], github.statuses[found[0]][-1]), 201)


def _status(github: GitHub, sha: str, line: dict[str, Any]) -> Any:
    own, author, at = line["id"], line["author"], line["at"]
    return shapes.status(github.base, github.repository, sha, own, author, line["given"], at)


@route(r"GET REPO/issues/(\d+)/comments")
def _comments(github: GitHub, seen: Seen, found: tuple[str, ...]) -> Answer:
    wanted = [own for own, one in sorted(github.comments.items()) if one["number"] == int(found[0])]
    return page(github, seen, [_comment(github, own) for own in wanted])


@route(r"POST REPO/issues/(\d+)/comments")
def _create_comment(github: GitHub, seen: Seen, found: tuple[str, ...]) -> Answer:
    number = int(found[0])
    if not github.may & {"issues", "pull-requests"}:
        return rules.FORBIDDEN
    if number not in github.pulls and number not in github.issues:
        return rules.NOT_FOUND
    body = seen.json["body"]
    wrong = _wrong_body(body)
    return wrong or as_json(_comment(github, github.add_comment(number, body, github.login)), 201)


@route(r"PATCH REPO/issues/comments/(\d+)")
def _update_comment(github: GitHub, seen: Seen, found: tuple[str, ...]) -> Answer:
    own = int(found[0])
    if own not in github.comments:
        return rules.NOT_FOUND
    if not github.may & {"issues", "pull-requests"}:
        return rules.FORBIDDEN
    wrong = _wrong_body(seen.json["body"])
    if wrong is None:
        github.comments[own]["body"] = seen.json["body"]
    return wrong or as_json(_comment(github, own))


@route(r"DELETE REPO/issues/comments/(\d+)")
def _delete_comment(github: GitHub, seen: Seen, found: tuple[str, ...]) -> Answer:
    if int(found[0]) not in github.comments:
        return rules.NOT_FOUND
    if not github.may & {"issues", "pull-requests"}:
        return rules.FORBIDDEN
    del github.comments[int(found[0])]
    return Answer(status=204)


def _wrong_body(body: str) -> Answer | None:
    if not body.strip():
        return rules.invalid("IssueComment", "body", "body can't be blank")
    return rules.too_long("IssueComment", "body", body, rules.COMMENT_CHARS)


def _comment(github: GitHub, own: int) -> Any:
    one = github.comments[own]
    return shapes.comment(github.base, github.repository, one["number"], own, one["author"], one["body"], one["at"])


@route(r"GET REPO/issues")
def _issues(github: GitHub, seen: Seen, found: tuple[str, ...]) -> Answer:
    state, labels = seen.query.get("state", "open"), set(filter(None, seen.query.get("labels", "").split(",")))
    every = sorted(github.issues.items(), reverse=True)
    wanted = [own for own, one in every if state in ("all", one["state"]) and labels <= set(one["labels"])]
    return page(github, seen, [_issue(github, own) for own in wanted])


@route(r"POST REPO/issues")
def _create_issue(github: GitHub, seen: Seen, found: tuple[str, ...]) -> Answer:
    if "issues" not in github.may:
        return rules.FORBIDDEN
    given = seen.json
    wrong = _wrong_issue(given)
    if wrong is not None:
        return wrong
    number = max([*github.issues, *github.pulls, 0]) + 1
    plain: dict[str, Any] = {"body": None, "labels": [], "state": "open", "author": github.login, "at": github.tick()}
    github.issues[number] = {**plain, **given}
    return as_json(_issue(github, number), 201)


@route(r"PATCH REPO/issues/(\d+)")
def _update_issue(github: GitHub, seen: Seen, found: tuple[str, ...]) -> Answer:
    number = int(found[0])
    if number not in github.issues:
        return rules.NOT_FOUND
    if "issues" not in github.may:
        return rules.FORBIDDEN
    wrong = _wrong_issue(seen.json)
    if wrong is None:
        github.issues[number] |= seen.json
    return wrong or as_json(_issue(github, number))


def _wrong_issue(given: dict[str, Any]) -> Answer | None:
    title = rules.too_long("Issue", "title", given.get("title"), rules.TITLE_CHARS)
    return title or rules.too_long("Issue", "body", given.get("body"), rules.COMMENT_CHARS)


def _issue(github: GitHub, number: int) -> Any:
    one = github.issues[number]
    return shapes.issue(github.base, github.repository, number, one["author"], one, one["at"])


@route(r"GET REPO/actions/runs/(\d+)/artifacts")
def _artifacts(github: GitHub, seen: Seen, found: tuple[str, ...]) -> Answer:
    if "actions" not in github.may:
        return rules.FORBIDDEN
    mine = [(own, one) for own, one in sorted(github.artifacts.items()) if one["run"] == int(found[0])]
    lines = [shapes.artifact(github.base, github.repository, own, one) for own, one in mine]
    return page(github, seen, lines, lambda part: {"total_count": len(lines), "artifacts": part})


@route(r"GET REPO/actions/artifacts/(\d+)/zip")
def _download(github: GitHub, seen: Seen, found: tuple[str, ...]) -> Answer:
    one = github.artifacts.get(int(found[0]))
    if "actions" not in github.may:
        return rules.FORBIDDEN
    if one is None:
        return rules.NOT_FOUND
    if one["expired"]:
        return rules.told(410, "Artifact has expired")
    at = github.storage or f"{github.base}/storage"
    return Answer(status=302, headers={"location": f"{at}/{found[0]}.zip?signature=s3cr3t-signature"})


@route(r"GET /storage/(\d+)\.zip")
def _storage(github: GitHub, seen: Seen, found: tuple[str, ...]) -> Answer:
    return Answer(github.artifacts[int(found[0])]["data"], headers={"content-type": "application/zip"})


@route(r"GET REPO/contents/(.+)")
def _content(github: GitHub, seen: Seen, found: tuple[str, ...]) -> Answer:
    commit = seen.query.get("ref", "main")
    data = github.files.get((commit, found[0]))
    if data is not None:
        return as_json(shapes.content(github.base, github.repository, found[0], commit, data))
    inside = [(path, data) for (at, path), data in github.files.items() if at == commit]
    inside = [(path, data) for path, data in inside if path.startswith(f"{found[0]}/")]
    if not inside:
        return rules.NOT_FOUND
    lines = [shapes.content(github.base, github.repository, path, commit, data) for path, data in inside]
    return as_json([{key: one[key] for key in one if key not in ("content", "encoding")} for one in lines])


@route(r"GET REPO/compare/([0-9a-f]+)\.\.\.([0-9a-f]+)")
def _compare(github: GitHub, seen: Seen, found: tuple[str, ...]) -> Answer:
    files = github.changed.get((found[0], found[1]))
    if files is None:
        return rules.NOT_FOUND
    return as_json(shapes.comparison(github.base, github.repository, found[0], found[1], files))
