"""Payloads that GitHub really sent, as @octokit/webhooks-examples (MIT) collects them. None is kept in this project.

`python -m tests.support.webhooks` fetches the package with npm and says what is in it.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from tests.support import npm

PACKAGE = npm.Member(
    "@octokit/webhooks-examples",
    "7.6.1",
    "sha512-De6U3XB6O3DtCa7bKgCMzTHdeopqqZ6SNivMYJnK65ierKL1AnNIA0tkRYCRS7lwGT792d+Ps1WbfHlso6MynQ==",
    "package/api.github.com/index.json",
    "09d8f0c617876ae9dad22e26fea5510bfcaad50ee7e602659f6db25b87b25815",
)
#: What the table of events needs: event and action, None where it has none. The package has no `edited` of a pull
#: request, no `pull_request_target`, no comment on a pull request and no `schedule`; tests/cases/events has them.
NEEDED: tuple[tuple[str, str | None], ...] = (
    *(("pull_request", action) for action in ("opened", "synchronize", "reopened", "closed", "ready_for_review")),
    *(("pull_request", action) for action in ("labeled", "unlabeled", "converted_to_draft")),
    ("merge_group", "checks_requested"),
    ("push", None),
    *(("workflow_run", action) for action in ("requested", "completed")),
    *(("issue_comment", action) for action in ("created", "edited", "deleted")),
    ("workflow_dispatch", None),
    *(("check_suite", action) for action in ("requested", "completed")),
    *(("check_run", action) for action in ("created", "completed")),
)


@cache
def every() -> dict[str, list[dict[str, Any]]]:
    """All payloads by event; the test fails where npm cannot give them."""
    lines = json.loads(npm.read(PACKAGE))
    return {line["name"]: line["examples"] for line in lines}


def examples(event: str, action: str | None) -> list[dict[str, Any]]:
    """The payloads of one event with one action."""
    return [one for one in every()[event] if one.get("action") == action]


if __name__ == "__main__":
    for name, action in NEEDED:
        print(f"{len(examples(name, action)):3} {name} {action or ''}")
