"""What GitHub's API answers, in full: every key that its published description requires."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

Json = dict[str, Any]
_USER_URLS = "events followers following gists organizations received_events repos starred subscriptions"
_REPOSITORY_URLS = (
    "archive assignees blobs branches collaborators comments commits compare contents contributors deployments "
    "downloads events forks git_commits git_refs git_tags hooks issue_comment issue_events issues keys labels "
    "languages merges milestones notifications pulls releases stargazers statuses subscribers subscription tags "
    "teams trees"
)


def moment(seconds: int) -> str:
    """A time of the stand-in's own clock, which begins at noon."""
    hours, rest = divmod(seconds, 3600)
    return f"2026-03-{2 + hours // 12:02d}T{12 + hours % 12:02d}:{rest // 60:02d}:{rest % 60:02d}Z"


def number_of(name: str) -> int:
    """An id that follows from a name."""
    return int(hashlib.sha256(name.encode()).hexdigest()[:7], 16) + 1


def sha_of(name: str) -> str:
    """A commit that follows from a name."""
    return hashlib.sha1(name.encode()).hexdigest()


def user(base: str, login: str) -> Json:
    """A user or a bot."""
    at = f"{base}/users/{login}"
    return {
        "login": login,
        "id": number_of(login),
        "node_id": f"U_{number_of(login)}",
        "avatar_url": f"{at}/avatar",
        "gravatar_id": "",
        "url": at,
        "html_url": f"https://github.test/{login}",
        **{f"{name}_url": f"{at}/{name}" for name in _USER_URLS.split()},
        "type": "Bot" if login.endswith("[bot]") else "User",
        "site_admin": False,
    }


def repository(base: str, full_name: str, *, fork: bool = False) -> Json:
    """A repository."""
    owner, name = full_name.split("/")
    at = f"{base}/repos/{full_name}"
    counts = ("forks", "forks_count", "open_issues", "open_issues_count", "size", "stargazers_count", "watchers")
    return {
        "id": number_of(full_name),
        "node_id": f"R_{number_of(full_name)}",
        "name": name,
        "full_name": full_name,
        "owner": user(base, owner),
        "private": False,
        "html_url": f"https://github.test/{full_name}",
        "description": None,
        "fork": fork,
        "url": at,
        **{f"{one}_url": f"{at}/{one}" for one in _REPOSITORY_URLS.split()},
        **{f"{one}_url": f"https://github.test/{full_name}.git" for one in ("clone", "git", "ssh", "svn")},
        "homepage": None,
        "language": None,
        "mirror_url": None,
        "license": None,
        **dict.fromkeys((*counts, "watchers_count"), 0),
        **{f"has_{one}": True for one in ("downloads", "issues", "projects", "wiki", "pages", "discussions")},
        "default_branch": "main",
        "archived": False,
        "disabled": False,
        "visibility": "public",
        "pushed_at": moment(0),
        "created_at": moment(0),
        "updated_at": moment(0),
    }


def label(base: str, home: str, name: str) -> Json:
    """A label of a repository."""
    return {
        "id": number_of(name),
        "node_id": f"L_{number_of(name)}",
        "url": f"{base}{home}/labels/{number_of(name)}",
        "name": name,
        "description": None,
        "color": "ededed",
        "default": False,
    }


def pull(base: str, full_name: str, number: int, given: Json) -> Json:
    """A pull request. given: head, base (commits), fork (None: it is gone), author, title, state, draft, labels."""
    home = f"{base}/repos/{full_name}"
    at, issue = f"{home}/pulls/{number}", f"{home}/issues/{number}"
    head_repo = given["head_repo"]
    urls = {
        "html": f"https://github.test/{full_name}/pull/{number}",
        "issue": issue,
        "comments": f"{issue}/comments",
        "review_comments": f"{at}/comments",
        "review_comment": f"{home}/pulls/comments/1",
        "commits": f"{at}/commits",
        "statuses": f"{home}/statuses/{given['head']}",
    }
    author = user(base, given["author"])
    return {
        "url": at,
        "id": number_of(at),
        "node_id": f"PR_{number}",
        **{f"{name}_url": url for name, url in urls.items()},
        "diff_url": f"{urls['html']}.diff",
        "patch_url": f"{urls['html']}.patch",
        "_links": {"self": {"href": at}, **{name: {"href": url} for name, url in urls.items()}},
        "number": number,
        "state": given["state"],
        "locked": False,
        "title": given["title"],
        "user": author,
        "body": None,
        "labels": [label(base, f"/repos/{full_name}", name) for name in given["labels"]],
        **dict.fromkeys(("milestone", "assignee", "auto_merge", "closed_at", "merged_at", "merged_by"), None),
        "head": {
            "label": f"{given['author']}:topic",
            "ref": "topic",
            "sha": given["head"],
            "user": author,
            "repo": None if head_repo is None else repository(base, head_repo, fork=head_repo != full_name),
        },
        "base": {
            "label": f"{full_name.split('/', maxsplit=1)[0]}:main",
            "ref": "main",
            "sha": given["base"],
            "user": user(base, full_name.split("/", maxsplit=1)[0]),
            "repo": repository(base, full_name),
        },
        "author_association": "CONTRIBUTOR",
        "draft": given["draft"],
        "merge_commit_sha": None,
        "merged": False,
        "mergeable": None,
        "mergeable_state": "unknown",
        "maintainer_can_modify": False,
        **dict.fromkeys(("additions", "changed_files", "comments", "commits", "deletions", "review_comments"), 1),
        "created_at": moment(0),
        "updated_at": moment(0),
    }


def comment(base: str, full_name: str, number: int, own: int, author: str | None, body: str, at: int) -> Json:
    """A comment. author: None is an account that was deleted."""
    home = f"{base}/repos/{full_name}/issues"
    return {
        "id": own,
        "node_id": f"IC_{own}",
        "url": f"{home}/comments/{own}",
        "html_url": f"https://github.test/{full_name}/pull/{number}#issuecomment-{own}",
        "issue_url": f"{home}/{number}",
        "user": None if author is None else user(base, author),
        "author_association": "NONE",
        "body": body,
        "created_at": moment(at),
        "updated_at": moment(at),
    }


def status(base: str, full_name: str, sha: str, own: int, author: str, given: Json, at: int) -> Json:
    """A commit status."""
    return {
        "id": own,
        "node_id": f"SC_{own}",
        "url": f"{base}/repos/{full_name}/statuses/{sha}",
        "avatar_url": None,
        "state": given["state"],
        "description": given.get("description"),
        "target_url": given.get("target_url"),
        "context": given.get("context", "default"),
        "created_at": moment(at),
        "updated_at": moment(at),
        "creator": user(base, author),
    }


def issue(base: str, full_name: str, number: int, author: str, given: Json, at: int) -> Json:
    """An issue. given: title, body, state, labels."""
    home = f"/repos/{full_name}"
    url = f"{base}{home}/issues/{number}"
    more = {"pull_request": {"url": f"{base}{home}/pulls/{number}"}} if given.get("pull") else {}
    for name in ("html_url", "diff_url", "patch_url"):
        if more:
            more["pull_request"][name] = f"https://github.test/{full_name}/pull/{number}"
    return {
        "id": number_of(url),
        "node_id": f"I_{number}",
        "url": url,
        "repository_url": f"{base}{home}",
        **{f"{one}_url": f"{url}/{one}" for one in ("labels", "comments", "events")},
        "html_url": f"https://github.test/{full_name}/issues/{number}",
        "number": number,
        "state": given["state"],
        "title": given["title"],
        "body": given["body"],
        "user": user(base, author),
        "labels": [label(base, home, name) for name in given["labels"]],
        **dict.fromkeys(("assignee", "milestone", "closed_at"), None),
        "assignees": [],
        "locked": False,
        "comments": 0,
        "author_association": "NONE",
        "created_at": moment(at),
        "updated_at": moment(at),
        **more,
    }


def artifact(base: str, full_name: str, own: int, given: Json) -> Json:
    """An artifact. given: name, size, run, head, expired."""
    url = f"{base}/repos/{full_name}/actions/artifacts/{own}"
    repository_id = number_of(full_name)
    run = {"id": given["run"], "repository_id": repository_id, "head_repository_id": repository_id}
    return {
        "id": own,
        "node_id": f"A_{own}",
        "name": given["name"],
        "size_in_bytes": given["size"],
        "url": url,
        "archive_download_url": f"{url}/zip",
        "expired": given["expired"],
        "workflow_run": {**run, "head_branch": "topic", "head_sha": given["head"]},
        **{f"{one}_at": moment(0) for one in ("created", "updated", "expires")},
    }


def content(base: str, full_name: str, path: str, commit: str, data: bytes) -> Json:
    """A file, in lines of base64 as GitHub sends it; without its content over 1 MiB."""
    url = f"{base}/repos/{full_name}/contents/{path}?ref={commit}"
    small = len(data) <= 1024 * 1024
    return {
        "type": "file",
        "name": path.rpartition("/")[2],
        "path": path,
        "sha": hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest(),
        "size": len(data),
        "url": url,
        "html_url": url,
        "git_url": url,
        "download_url": url,
        "_links": {"self": url, "git": url, "html": url},
        "encoding": "base64" if small else "none",
        "content": base64.encodebytes(data).decode() if small else "",
    }


def commit(base: str, full_name: str, sha: str) -> Json:
    """A commit."""
    url = f"{base}/repos/{full_name}/commits/{sha}"
    person = {"name": "Someone", "email": "someone@example.test", "date": moment(0)}
    tree = {"sha": sha_of(f"tree of {sha}"), "url": url}
    return {
        **dict.fromkeys(("url", "html_url", "comments_url"), url),
        "sha": sha,
        "node_id": f"C_{sha}",
        "commit": {
            "url": url,
            "author": person,
            "committer": person,
            "message": "A change",
            "comment_count": 0,
            "tree": tree,
        },
        "author": user(base, "author"),
        "committer": user(base, "author"),
        "parents": [],
    }


def comparison(base: str, full_name: str, before: str, after: str, files: dict[str, str]) -> Json:
    """Two commits of which the second follows the first. `renamed OLD`: what the file was called."""
    url = f"{base}/repos/{full_name}/compare/{before}...{after}"
    changed = [
        {
            "sha": sha_of(name),
            "filename": name,
            "status": how.partition(" ")[0],
            **({"previous_filename": how.partition(" ")[2]} if " " in how else {}),
            **dict.fromkeys(("additions", "deletions", "changes"), 1),
            **{f"{one}_url": f"{url}/{one}" for one in ("blob", "raw", "contents")},
        }
        for name, how in files.items()
    ]
    return {
        **{f"{one}url": url for one in ("", "html_", "permalink_", "diff_", "patch_")},
        "base_commit": commit(base, full_name, before),
        "merge_base_commit": commit(base, full_name, before),
        "status": "ahead",
        "ahead_by": 1,
        "behind_by": 0,
        "total_commits": 1,
        "commits": [commit(base, full_name, after)],
        "files": changed,
    }
