"""Events: small payloads of our own with what is expected of each, and payloads that GitHub really sent."""

from __future__ import annotations

import json
from typing import Any

import pytest

from guardgate.github.event import event
from guardgate.github.mode import decide
from tests.core.test_layers import loaded
from tests.support import webhooks
from tests.support.left_out import skip_if_left_out
from tests.support.project import ROOT

FOLDER = ROOT / "tests" / "cases" / "events"
LABEL = "guardgate:live"
#: What the table says of each event when the label is another one.
MODES = {
    "pull_request": "check",
    "merge_group": "live",
    "push": "check",
    "workflow_run": "publish",
    "issue_comment": "refused",
    "workflow_dispatch": "live",
    "check_suite": "refused",
    "check_run": "refused",
}


@pytest.mark.parametrize("name", sorted(file.stem for file in FOLDER.glob("*.json")))
def test_an_event_is_what_its_file_expects(name: str) -> None:
    given = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    found = event(given["environ"], given["payload"])
    told = {key: getattr(found, key) for key in given["expected"] if key != "mode"}
    assert {"mode": decide(found, "auto", LABEL).mode, **told} == given["expected"]
    assert given["environ"]["GITHUB_EVENT_NAME"] == name.partition(".")[0]


def head_of(name: str, payload: dict[str, Any], sha: str) -> str | None:
    """The commit that the reference page names for an event."""
    if name == "pull_request":
        return str(payload["pull_request"]["head"]["sha"])
    if name in ("merge_group", "workflow_run"):
        return str(payload[name]["head_sha"])
    return sha if name == "push" else None


@pytest.mark.parametrize(("name", "action"), webhooks.NEEDED)
def test_an_event_that_github_sent_is_read(name: str, action: str | None) -> None:
    skip_if_left_out("npm")
    payloads = webhooks.examples(name, action)
    assert payloads
    for payload in payloads:
        sha = payload.get("after", "0" * 40)
        environ = {"GITHUB_EVENT_NAME": name, "GITHUB_SHA": sha}
        found = event(environ, payload)
        assert found.head == head_of(name, payload, sha)
        assert found.repository == payload["repository"]["full_name"]
        assert found.actor == payload["sender"]["login"]
        assert found.action == (action or "")
        mode = "refused" if payload.get("deleted") else MODES[name]
        assert decide(found, "auto", LABEL).mode == mode


def test_the_live_label_is_the_label_of_the_event() -> None:
    skip_if_left_out("npm")
    for payload in webhooks.examples("pull_request", "labeled"):
        found = event({"GITHUB_EVENT_NAME": "pull_request"}, payload)
        assert found.label == payload["label"]["name"]
        assert (decide(found, "auto", payload["label"]["name"]).mode == "live") is not (found.fork or found.dependabot)


@pytest.mark.parametrize("module", ["event", "mode", "failure", "settings", "status"])
def test_what_needs_no_call_loads_no_client(module: str) -> None:
    assert "httpx" not in loaded(f"import guardgate.github.{module}")
