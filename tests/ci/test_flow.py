"""Whole jobs: what an event does with the files, the bot, the label and the live status of its commit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from guardgate.ci.bots import Bot
from tests.ci.job import BASE, HEAD, LABEL, MERGE, Did, checkout, job, pull
from tests.support.github import GitHub, sha_of
from tests.support.project import case, forbids, put, write
from tests.support.server import Answer

SOFT = forbids("LION", rule="S1", severity="soft", threshold=0.9)
LABELED = pull("labeled", label=LABEL)


def attack(workspace: Path, *turns: str, rule: str = "R1") -> None:
    """The suite of the project holds these attacks alone."""
    cases = [case(f"c{number}", turn, rule=rule) for number, turn in enumerate(turns)]
    put(workspace, "suite.yaml", {"cases": cases})


def states(github: GitHub, commit: str = HEAD) -> list[str]:
    """The live statuses of a commit, first to last."""
    return [one["given"]["state"] for one in github.statuses.get(commit, [])]


def last(github: GitHub, commit: str = HEAD) -> dict[str, Any]:
    given: dict[str, Any] = github.statuses[commit][-1]["given"]
    return given


def test_a_label_starts_a_live_run_and_its_code_stands_at_the_head(workspace: Path, github: GitHub) -> None:
    did = job(workspace, github, "pull_request", LABELED)
    assert (did.exit, did.code) == (0, 0)
    assert did.outputs["mode"] == "live"
    assert did.outputs["verdict"] == "held"
    assert (did.outputs["held"], did.outputs["broke"], did.outputs["undecided"]) == ("1", "0", "0")
    assert states(github) == ["pending", "success"]
    assert last(github)["context"] == "guardgate/live"
    assert last(github)["description"].startswith("code 0, plan ")
    assert github.pulls[7]["labels"] == []
    paths = [name for name in did.outputs if name.endswith("-path")]
    assert len(paths) == 7
    for name in paths:
        assert (workspace / did.outputs[name]).is_file()
    assert "## guardgate live: 0: held: every attempted rule held" in did.summary


@pytest.mark.parametrize(
    ("said", "rule", "code", "exits"), [("hard", "R1", 2, (2, 2)), ("soft", "S1", 1, (0, 1))], ids=["hard", "soft"]
)
def test_codes_and_what_fail_on_makes_of_them(
    workspace: Path, github: GitHub, said: str, rule: str, code: int, exits: tuple[int, int]
) -> None:
    attack(workspace, said, rule=rule)
    for fail_on, wanted in zip(("hard", "soft"), exits, strict=True):
        github.pulls[7]["labels"] = [LABEL]
        did = job(workspace, github, "pull_request", LABELED, fail_on=fail_on)
        assert (did.exit, did.code) == (wanted, code)
        assert did.outputs["broke"] == "1"
        assert last(github)["state"] == "failure"
        assert ("recorded, not gated" in did.summary) is (wanted != code)
        assert "::error" in did.log if code == 2 else "::warning" in did.log
        assert "file=suite.yaml" in did.log


def test_never_is_for_the_night(workspace: Path, github: GitHub) -> None:
    attack(workspace, "hard")
    did = job(workspace, github, "pull_request", LABELED, fail_on="never")
    assert (did.exit, did.code) == (3, 3)
    assert states(github) == []
    checkout(workspace, MERGE)
    did = job(workspace, github, "schedule", {}, fail_on="never")
    assert (did.exit, did.code) == (0, 2)
    assert "recorded, not gated" in did.summary
    assert "recorded, not gated" in did.log
    assert last(github, MERGE)["state"] == "failure"


def test_three_fails_whatever_fail_on_says(workspace: Path, github: GitHub) -> None:
    put(workspace, "script.yaml", [{"when": "hello", "say": "Hi."}, {"say": " "}])
    checkout(workspace, MERGE)
    did = job(workspace, github, "schedule", {}, fail_on="never")
    assert (did.exit, did.code) == (3, 3)
    assert did.outputs["undecided"] == "1"
    assert last(github, MERGE)["state"] == "error"


def test_a_target_that_is_not_there_is_three_with_the_reason(workspace: Path, github: GitHub) -> None:
    write(workspace, {"backend": "http", "url": "http://127.0.0.1:9/", "reply": "$.x", "request": {"m": "{turn}"}})
    did = job(workspace, github, "pull_request", LABELED)
    assert (did.exit, did.code, did.outputs["verdict"]) == (3, 3, "incomplete")
    assert "bot is unavailable" in did.summary
    assert last(github)["state"] == "error"


def test_files_that_are_invalid_are_never_played(workspace: Path, github: GitHub) -> None:
    put(workspace, "suite.yaml", {"cases": [{**case("c1"), "assertt": 1}]})
    did = job(workspace, github, "pull_request", LABELED)
    assert (did.exit, did.code) == (3, 3)
    assert "::error title=guardgate unknown-key,file=suite.yaml,line=" in did.log
    assert states(github) == []
    assert github.pulls[7]["labels"] == [LABEL]


class TestWhoMayStartIt:
    """Secrets meet code only where both were meant."""

    def refused(self, did: Did, github: GitHub, *words: str) -> None:
        assert (did.exit, did.code, did.outputs["mode"]) == (3, 3, "live")
        for word in words:
            assert word in did.verdict
        assert states(github) == []
        assert did.outputs["results-path"] == ""

    def test_a_push_after_the_label(self, workspace: Path, github: GitHub) -> None:
        github.pulls[7]["head"] = sha_of("pushed later")
        did = job(workspace, github, "pull_request", LABELED)
        self.refused(did, github, "has moved on", sha_of("pushed later")[:12])
        assert github.pulls[7]["labels"] == [LABEL]

    def test_another_commit_is_checked_out(self, workspace: Path, github: GitHub) -> None:
        """The merge commit is the default of actions/checkout, and not what was labelled."""
        checkout(workspace, MERGE)
        did = job(workspace, github, "pull_request", LABELED)
        self.refused(did, github, MERGE[:12], HEAD[:12], "ref: ${{ github.event.pull_request.head.sha")

    def test_nothing_that_could_be_a_commit_is_checked_out(self, workspace: Path, github: GitHub) -> None:
        (workspace / ".git" / "HEAD").write_text("ref: refs/heads/gone\n", encoding="utf-8")
        self.refused(job(workspace, github, "pull_request", LABELED), github, "cannot be told")

    def test_who_may_only_triage(self, workspace: Path, github: GitHub) -> None:
        did = job(workspace, github, "pull_request", pull("labeled", label=LABEL, sender="tina"))
        self.refused(did, github, "tina", "triage")

    def test_somebody_unknown(self, workspace: Path, github: GitHub) -> None:
        did = job(workspace, github, "pull_request", pull("labeled", label=LABEL, sender="mallory"))
        self.refused(did, github)

    def test_a_label_that_was_taken_back(self, workspace: Path, github: GitHub) -> None:
        github.pulls[7]["labels"] = []
        self.refused(job(workspace, github, "pull_request", LABELED), github, "taken off again")

    def test_a_closed_pull_request(self, workspace: Path, github: GitHub) -> None:
        github.pulls[7]["state"] = "closed"
        self.refused(job(workspace, github, "pull_request", LABELED), github, "closed")

    def test_a_github_that_does_not_answer(self, workspace: Path, github: GitHub) -> None:
        github.fail(r"GET /repos/acme/bot/pulls/7", Answer({"message": "Not Found"}, status=404), 9)
        self.refused(job(workspace, github, "pull_request", LABELED), github, "could not be read")

    def test_no_token(self, workspace: Path, github: GitHub) -> None:
        did = job(workspace, github, "pull_request", LABELED, github_token="")
        self.refused(did, github, "no token")

    def test_a_rerun_by_somebody_who_may_not_write(self, workspace: Path, github: GitHub) -> None:
        again = {"GITHUB_RUN_ATTEMPT": "2", "GITHUB_TRIGGERING_ACTOR": "tina"}
        did = job(workspace, github, "pull_request", LABELED, env=again)
        self.refused(did, github, "tina")

    def test_a_rerun_finds_its_label_used(self, workspace: Path, github: GitHub) -> None:
        github.pulls[7]["labels"] = []
        again = {"GITHUB_RUN_ATTEMPT": "2", "GITHUB_TRIGGERING_ACTOR": "dave"}
        did = job(workspace, github, "pull_request", LABELED, env=again)
        assert (did.exit, did.code) == (0, 0)


def test_a_label_that_may_not_be_taken_off_is_a_note(workspace: Path, github: GitHub) -> None:
    github.may -= {"issues", "pull-requests"}
    did = job(workspace, github, "pull_request", LABELED)
    assert (did.exit, did.code) == (0, 0)
    assert "the live label could not be taken off" in did.summary


class TestEventsThatDoNotStartLive:
    """No other label, edit, re-run or push makes a red gate green."""

    def test_files_are_checked_and_the_merge_waits(self, workspace: Path, github: GitHub) -> None:
        did = job(workspace, github, "pull_request", pull("opened"))
        assert (did.exit, did.code) == (0, 0)
        assert (did.outputs["mode"], did.outputs["verdict"]) == ("check", "valid")
        assert states(github) == ["pending"]
        assert "live has not decided" in did.summary
        did = job(workspace, github, "pull_request", pull("edited"))
        assert states(github) == ["pending"]

    @pytest.mark.parametrize("payload", [pull("labeled", label="docs"), pull("edited"), pull("unlabeled", label=LABEL)])
    def test_a_red_commit_stays_red(self, workspace: Path, github: GitHub, payload: Any) -> None:
        attack(workspace, "hard")
        assert job(workspace, github, "pull_request", LABELED).code == 2
        attack(workspace, "nothing")
        did = job(workspace, github, "pull_request", payload)
        assert (did.exit, did.code, did.outputs["verdict"]) == (2, 2, "broke")
        assert "live status guardgate/live of this commit says 2" in did.verdict
        did = job(workspace, github, "pull_request", payload, env={"GITHUB_RUN_ATTEMPT": "3"})
        assert did.code == 2

    def test_a_green_commit_is_green(self, workspace: Path, github: GitHub) -> None:
        job(workspace, github, "pull_request", LABELED)
        did = job(workspace, github, "pull_request", pull("edited"), require_live="true")
        assert (did.exit, did.code) == (0, 0)

    def test_a_new_commit_waits_again(self, workspace: Path, github: GitHub) -> None:
        job(workspace, github, "pull_request", LABELED)
        newer = sha_of("newer")
        did = job(workspace, github, "pull_request", pull("synchronize", head=newer), require_live="true")
        assert (did.exit, did.code) == (3, 3)
        assert "require-live" in did.verdict
        assert states(github, newer) == ["pending"]

    def test_a_status_of_somebody_else_says_nothing(self, workspace: Path, github: GitHub) -> None:
        forged = {"state": "success", "context": "guardgate/live", "description": "code 0, plan 0123456789ab: held"}
        github.add_status(HEAD, author="mallory", **forged)
        did = job(workspace, github, "pull_request", pull("opened"), require_live="true")
        assert did.code == 3

    def test_a_status_that_cannot_be_read_may_be_red(self, workspace: Path, github: GitHub) -> None:
        github.fail(r"GET /repos/acme/bot/commits/.*/statuses", Answer({"message": "Forbidden"}, status=403), 9)
        did = job(workspace, github, "pull_request", pull("opened"))
        assert (did.exit, did.code) == (3, 3)
        assert "statuses: read" in did.verdict
        assert job(workspace, github, "pull_request", pull("opened"), mode="check").code == 0

    @pytest.mark.parametrize(
        "who", [{"repo": "mallory/bot"}, {"sender": "dependabot[bot]"}], ids=["fork", "dependabot"]
    )
    def test_without_secrets_live_is_not_run_and_said_so(self, workspace: Path, github: GitHub, who: Any) -> None:
        github.may = set()
        did = job(workspace, github, "pull_request", pull("labeled", label=LABEL, **who))
        assert (did.exit, did.code, did.outputs["mode"]) == (0, 0, "check")
        assert "live was not run" in did.summary
        assert states(github) == []
        did = job(workspace, github, "pull_request", pull("labeled", label=LABEL, **who), require_live="true")
        assert did.code == 3


COMMENT = {"action": "created", "issue": {"number": 7, "pull_request": {}}, "comment": {"body": "/live"}}


@pytest.mark.parametrize(
    ("event", "payload", "modes"),
    [
        ("pull_request_target", LABELED, ("auto", "live")),
        ("issue_comment", COMMENT, ("auto", "live")),
        ("workflow_run", {"action": "completed", "workflow_run": {"head_sha": HEAD}}, ("live",)),
        ("check_suite", {"action": "requested"}, ("auto",)),
    ],
)
def test_events_that_prove_nothing_are_three(
    workspace: Path, github: GitHub, event: str, payload: Any, modes: tuple[str, ...]
) -> None:
    for mode in modes:
        did = job(workspace, github, event, payload, mode=mode)
        assert (did.exit, did.code) == (3, 3), did
        assert did.outputs["results-path"] == ""
        assert states(github) == []


def test_a_merge_queue_plays_its_own_commit(workspace: Path, github: GitHub) -> None:
    payload = {
        "action": "checks_requested",
        "merge_group": {"head_sha": MERGE, "base_sha": BASE},
        "repository": {"full_name": "acme/bot"},
    }
    did = job(workspace, github, "merge_group", payload)
    assert did.code == 3
    checkout(workspace, MERGE)
    did = job(workspace, github, "merge_group", payload)
    assert did.code == 0
    assert states(github, MERGE) == ["pending", "success"]


def test_a_dispatch_reports_on_what_it_checked_out(workspace: Path, github: GitHub) -> None:
    """A maintainer looks at a fork's commit, and starts live on that very commit by hand."""
    did = job(workspace, github, "workflow_dispatch", {"inputs": {"sha": HEAD}})
    assert did.code == 0
    assert states(github, HEAD) == ["pending", "success"]


def test_a_hard_break_sticks_to_its_commit(workspace: Path, github: GitHub) -> None:
    """A bot that breaks one time in two is not made green by asking again."""
    put(workspace, "app.py", "def answer(turn):\n    return open('word').read()\n")
    put(workspace, "word", "It is ZEBRA.")
    write(workspace, {"backend": "python", "entry": "app:answer"})
    assert job(workspace, github, "workflow_dispatch", {}).code == 2
    put(workspace, "word", "No.")
    did = job(workspace, github, "workflow_dispatch", {})
    assert (did.exit, did.code, did.outputs["broke"]) == (2, 2, "0")
    assert "broke on this commit before" in did.verdict
    assert last(github)["state"] == "failure"
    assert "earlier 2" in last(github)["description"]


def test_a_part_of_the_attacks_is_never_a_success(workspace: Path, github: GitHub) -> None:
    put(
        workspace,
        "guardgate.yaml",
        {**json.loads((workspace / "guardgate.yaml").read_text()), "suites": ["*suite.yaml"]},
    )
    put(workspace, "other-suite.yaml", {"cases": [case("o1")]})
    did = job(workspace, github, "workflow_dispatch", {}, suites="other-suite.yaml")
    assert did.code == 0
    assert states(github) == ["pending", "pending"]
    assert "1 of 2 cases" in did.verdict


def test_a_status_that_cannot_be_written_changes_no_code(workspace: Path, github: GitHub) -> None:
    github.may = set()
    for word, code in (("hard", 2), ("nothing", 0)):
        attack(workspace, word)
        did = job(workspace, github, "workflow_dispatch", {})
        assert (did.exit, did.code) == (code, code)
        assert "the live status could not be written" in did.summary


def test_several_bots_and_the_worst_decides(workspace: Path, github: GitHub) -> None:
    for name, says in (("bots/a", "No."), ("bots/b", "It is ZEBRA.")):
        (workspace / name).mkdir(parents=True)
        write(workspace / name, [{"say": says}])
    did = job(workspace, github, "workflow_dispatch", {}, project="bots/*")
    assert (did.exit, did.code) == (2, 2)
    assert (did.outputs["held"], did.outputs["broke"]) == ("1", "1")
    assert len(did.outputs["results-path"].splitlines()) == 2
    assert "file=bots/b/suite.yaml" in did.log
    assert "### `bots/a`: 0" in did.summary
    assert job(workspace, github, "workflow_dispatch", {}, project="robots/*").code == 3
    assert job(workspace, github, "workflow_dispatch", {}, project="../*").code == 3


def test_no_two_bots_share_the_names_of_their_files(tmp_path: Path) -> None:
    names = ["a/b", "a-b", "a.b", "a b", "x" * 90 + "1", "x" * 90 + "2", "ab"]
    stems = {Bot(tmp_path, tmp_path / name / "guardgate.yaml").stem for name in names}
    assert len(stems) == len(names)
    assert "ab" in stems


def test_settings_of_the_base_branch(workspace: Path, github: GitHub) -> None:
    """A pull request that points its target elsewhere is played against the target that the base branch names."""
    base = json.loads((workspace / "guardgate.yaml").read_text(encoding="utf-8"))
    github.files[BASE, "guardgate.yaml"] = json.dumps(base).encode()
    put(workspace, "kind.yaml", [{"say": "No."}])
    base["targets"]["bot"]["script"] = "kind.yaml"
    put(workspace, "guardgate.yaml", base)
    attack(workspace, "hard")
    assert job(workspace, github, "pull_request", LABELED, config_from="base").code == 2
    github.files.clear()
    github.pulls[7]["labels"] = [LABEL]
    did = job(workspace, github, "pull_request", LABELED, config_from="base")
    assert did.code == 3
    assert "config-from" in did.verdict


@pytest.mark.parametrize(
    "inputs",
    [{"mode": "lve"}, {"fail_on": "all"}, {"requires_live": "true"}, {"repeats": "0"}, {"max_cost_usd": "nan"},
     {"shard": "2"}, {"results_dir": "../out"}, {"project": "nowhere"}, {"config_from": "main"}],
    ids="-".join,
)  # fmt: skip
def test_an_input_that_is_wrong_is_three_and_every_output_is_there(
    workspace: Path, github: GitHub, inputs: dict[str, Any]
) -> None:
    did = job(workspace, github, "workflow_dispatch", {}, **inputs)
    assert (did.exit, did.code, did.outputs["verdict"]) == (3, 3, "incomplete")
    assert next(iter(inputs)).replace("_", "-") in did.verdict
    assert "## guardgate: 3: incomplete" in did.summary or "guardgate live" in did.summary


@pytest.mark.parametrize("payload", ["[]", "{", '{"pull_request": {"head": {"sha": "x"}}}', '{"action": 7}', ""])
def test_an_event_that_github_never_sends_is_three(workspace: Path, github: GitHub, payload: str) -> None:
    files = workspace.parent / "event"
    files.write_text(payload, encoding="utf-8")
    did = job(workspace, github, "pull_request", {}, env={"GITHUB_EVENT_PATH": str(files)})
    assert (did.exit, did.code) == (3, 3)
