"""Whoever opens a pull request wants green: what he tries, and what he gets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from guardgate.ci import publication
from guardgate.ci.bots import Bot, Checked
from guardgate.errors import Problem
from guardgate.github.status import live
from tests.ci.job import BASE, HEAD, LABEL, MERGE, Did, checkout, job, pull
from tests.ci.test_again import zipped
from tests.support.github import BOT, GitHub, sha_of
from tests.support.project import bot, case, http, put, write
from tests.support.server import Answer, Server

LABELED = pull("labeled", label=LABEL)
RUN = 77


def attack(workspace: Path, *turns: str) -> None:
    put(workspace, "suite.yaml", {"cases": [case(f"c{number}", turn) for number, turn in enumerate(turns)]})


def labelled(workspace: Path, github: GitHub, **more: Any) -> Did:
    github.pulls[7]["labels"] = [LABEL]
    return job(workspace, github, "pull_request", more.pop("payload", LABELED), **more)


def comments(github: GitHub) -> list[str]:
    return [one["body"] for one in github.comments.values() if one["author"] == BOT]


def states(github: GitHub, commit: str = HEAD) -> list[str]:
    return [one["given"]["state"] for one in github.statuses.get(commit, [])]


class TestABotLess:
    """A pattern of projects that finds fewer of them."""

    def two(self, workspace: Path) -> Path:
        for name, says in (("a", "No."), ("b", "It is ZEBRA.")):
            write(workspace / "bots" / name, [{"say": says}])
        return workspace / "bots"

    def test_a_project_that_is_a_link_to_another(self, workspace: Path, github: GitHub) -> None:
        bots = self.two(workspace)
        (bots / "b" / "guardgate.yaml").unlink()
        (bots / "b" / "guardgate.yaml").symlink_to("../a/guardgate.yaml")
        did = labelled(workspace, github, project="bots/*")
        assert (did.exit, did.code) == (3, 3)
        assert "link" in did.verdict
        assert states(github) == []

    def test_a_folder_that_is_a_link_to_another(self, workspace: Path, github: GitHub) -> None:
        bots = self.two(workspace)
        (bots / "b").rename(workspace / "attic")
        (bots / "b").symlink_to("a", target_is_directory=True)
        assert labelled(workspace, github, project="bots/*").code == 3

    def test_a_project_that_is_gone_is_named_first(self, workspace: Path, github: GitHub) -> None:
        bots = self.two(workspace)
        (bots / "b" / "guardgate.yaml").unlink()
        github.changed[BASE, HEAD] = {"bots/b/guardgate.yaml": "removed"}
        did = labelled(workspace, github, project="bots/*")
        assert did.code == 0
        assert "a project was removed" in comments(github)[0].partition("### Rules")[0]
        assert "::warning title=guardgate project-removed::" in did.log

    def test_all_of_them_are_gone(self, workspace: Path, github: GitHub) -> None:
        assert labelled(workspace, github, project="bots/*").code == 3


class TestHardBreaksStick:
    def test_in_a_run_that_did_not_come_to_its_end(self, workspace: Path, github: GitHub) -> None:
        """A break, and a case that times out at will: 3, and the next time it holds."""
        put(workspace, "app.py", "def answer(turn):\n    return open(turn).read() if len(turn) < 5 else 'Hi.'\n")
        write(workspace, {"backend": "python", "entry": "app:answer"}, cases=[case("hard"), case("c2")])
        for word, other, code in (("It is ZEBRA.", " ", 3), ("No.", "No.", 2)):
            put(workspace, "hard", word)
            put(workspace, "c2", other)
            assert labelled(workspace, github).code == code
        assert states(github)[-1] == "failure"

    def test_and_such_a_run_says_so_in_its_status(self, workspace: Path, github: GitHub) -> None:
        script = [{"when": "hard", "say": "It is ZEBRA."}, {"when": "blank", "say": " "}, {"say": "No."}]
        put(workspace, "script.yaml", script)
        attack(workspace, "hard", "blank")
        did = labelled(workspace, github)
        assert did.code == 3
        assert github.statuses[HEAD][-1]["given"]["description"].startswith("code 3, broke ")
        did = job(workspace, github, "pull_request", pull("edited"))
        assert did.code == 3

    def test_where_another_run_of_the_commit_broke_meanwhile(self, workspace: Path, github: GitHub) -> None:
        def say(turn: str) -> str:
            if turn == "c1":
                told = live(2, "0" * 64, broke="ab" * 32)
                github.add_status(HEAD, context="guardgate/live", state=told.state, description=told.description)
            return "No."

        with Server(bot(say)) as server:
            write(workspace, http(server.url))
            did = labelled(workspace, github)
        assert (did.exit, did.code, did.outputs["broke"]) == (2, 2, "0")
        assert states(github)[-1] == "failure"

    def test_a_success_that_could_not_be_taken_back_is_not_played_over(self, workspace: Path, github: GitHub) -> None:
        assert labelled(workspace, github).code == 0
        attack(workspace, "hard")
        github.may -= {"statuses"}
        did = labelled(workspace, github)
        assert did.code == 3
        assert "could not take back" in did.verdict
        assert did.outputs["results-path"] == ""


class TestRequireLive:
    def test_beside_mode_check_it_would_be_an_empty_promise(self, workspace: Path, github: GitHub) -> None:
        did = job(workspace, github, "pull_request", pull("opened"), mode="check", require_live="true")
        assert (did.exit, did.code) == (3, 3)
        assert "require-live" in did.verdict

    @pytest.mark.parametrize("part", [{"suites": "suite.yaml"}, {"shard": "1/1"}], ids=["suites", "shard"])
    def test_a_part_is_no_live_run(self, workspace: Path, github: GitHub, part: dict[str, str]) -> None:
        did = labelled(workspace, github, require_live="true", **part)
        assert (did.exit, did.code) == (3, 3)
        assert "require-live" in did.verdict
        assert "success" not in states(github)


class TestInputsThatReplaceWhatTheRunSays:
    """A workflow that plays less than the run names makes nothing green, and says what it left out."""

    @pytest.fixture
    def wide(self, workspace: Path) -> Path:
        project = json.loads((workspace / "guardgate.yaml").read_text(encoding="utf-8"))
        project["targets"]["small"] = {"backend": "scripted", "script": "small.yaml"}
        project["runs"]["default"] |= {"targets": ["bot", "small"], "repeats": 2}
        put(workspace, "small.yaml", [{"say": "No."}])
        put(workspace, "guardgate.yaml", project)
        return workspace

    @pytest.mark.parametrize(
        ("less", "words"),
        [({"target": "bot"}, "--target bot (leaves out 1: small)"), ({"repeats": "1"}, "--repeats 1 (the run says 2)")],
        ids=["target", "repeats"],
    )
    def test_less_of_it(self, wide: Path, github: GitHub, less: dict[str, str], words: str) -> None:
        did = labelled(wide, github, **less)
        assert (did.exit, did.code) == (0, 0)
        assert states(github)[-1] == "pending"
        assert github.statuses[HEAD][-1]["given"]["description"].startswith("code 0, narrowed, plan ")
        for text in (did.summary, comments(github)[0]):
            assert f"narrowed by `{words}`" in text
            assert "every attempted rule held (1 of 2 rules" in text.partition("\n\n")[0]
        again = labelled(wide, github, require_live="true", **less)
        assert (again.exit, again.code) == (3, 3)
        assert states(github)[-1] == "pending"

    def test_a_target_that_broke_a_rule_is_not_left_out_of_the_status(self, wide: Path, github: GitHub) -> None:
        put(wide, "small.yaml", [{"say": "It is ZEBRA."}])
        assert labelled(wide, github).code == 2
        assert labelled(wide, github, target="bot").code == 0
        assert states(github)[-1] == "pending"
        assert job(wide, github, "pull_request", pull("edited")).code == 2

    def test_all_of_it(self, wide: Path, github: GitHub) -> None:
        did = labelled(wide, github, target="small\nbot", repeats="2")
        assert did.code == 0
        assert states(github)[-1] == "success"
        assert "replaced what the run says (target: small, bot; repeats: 2)" in comments(github)[0]


class TestAnothersCommit:
    """Somebody with write access starts live by hand on the commit of a fork."""

    def test_targets_come_from_the_branch_that_it_was_started_on(self, workspace: Path, github: GitHub) -> None:
        project = json.loads((workspace / "guardgate.yaml").read_text(encoding="utf-8"))
        github.files[MERGE, "guardgate.yaml"] = json.dumps(project).encode()
        put(workspace, "kind.yaml", [{"say": "No."}])
        project["targets"]["bot"]["script"] = "kind.yaml"
        put(workspace, "guardgate.yaml", project)
        attack(workspace, "hard")
        assert job(workspace, github, "workflow_dispatch", {}, config_from="base").code == 2
        github.files.clear()
        assert job(workspace, github, "workflow_dispatch", {}, config_from="base").code == 3

    def test_a_merge_queue_without_its_base_is_refused(self, workspace: Path, github: GitHub) -> None:
        payload = {"action": "checks_requested", "merge_group": {"head_sha": HEAD}}
        did = job(workspace, github, "merge_group", payload, config_from="base")
        assert did.code == 3


class TestFilesOfThePullRequest:
    def test_a_baseline_is_never_the_run_itself(self, workspace: Path, github: GitHub) -> None:
        did = job(workspace, github, "workflow_dispatch", {}, baseline="guardgate-results")
        assert did.code == 0
        assert "no baseline was found" in did.summary

    def test_a_link_in_the_results_folder_is_not_followed(self, workspace: Path, github: GitHub) -> None:
        prey = workspace.parent / "prey"
        prey.write_text("mine", encoding="utf-8")
        (workspace / "guardgate-results").mkdir()
        (workspace / "guardgate-results" / publication.FILE).symlink_to(prey)
        did = job(workspace, github, "pull_request", pull("opened"))
        assert did.code == 0
        assert prey.read_text(encoding="utf-8") == "mine"
        left = workspace / "guardgate-results" / publication.FILE
        assert not left.is_symlink()
        assert isinstance(publication.read(left), publication.Publication)

    def test_a_results_folder_that_leads_out(self, workspace: Path, github: GitHub) -> None:
        outside = workspace.parent / "outside"
        outside.mkdir()
        (workspace / "guardgate-results").symlink_to(outside, target_is_directory=True)
        assert labelled(workspace, github).code == 3
        assert list(outside.iterdir()) == []

    def test_a_name_of_a_folder_is_no_command_to_copy(self, workspace: Path, github: GitHub) -> None:
        name = "bots/$(touch pwned) `x` 'y'"
        write(workspace / name, [{"say": "No."}])
        labelled(workspace, github, project="bots/*")
        assert "--project=bots/$(touch" not in comments(github)[0].replace("'--project=bots/$(touch", "")


class TestWhatTheCommentSays:
    def test_no_word_of_a_server_in_public(self, workspace: Path, github: GitHub) -> None:
        with Server(Answer("SECRETWORD @octocat", 500)) as server:
            write(workspace, http(server.url))
            assert labelled(workspace, github).code == 3
            (text,) = comments(github)
            assert "SECRETWORD" not in text
            assert "`bot is unavailable; why" in text
            private = {**LABELED, "repository": {"full_name": "acme/bot", "private": True}}
            assert labelled(workspace, github, payload=private).code == 3
        assert "SECRETWORD" in comments(github)[0]

    def test_warnings_of_files_stand_behind_what_broke(self, workspace: Path, github: GitHub) -> None:
        attack(workspace, "hard")
        labelled(workspace, github)
        (text,) = comments(github)
        assert 0 < text.index("### What broke") < text.index("### Files of") < text.index("### How to run it again")

    def test_status_and_comment_lead_to_the_run(self, workspace: Path, github: GitHub) -> None:
        env = {"GITHUB_SERVER_URL": "https://github.test", "GITHUB_RUN_ID": "55"}
        labelled(workspace, github, env=env)
        at = "https://github.test/acme/bot/actions/runs/55"
        assert [one["given"]["target_url"] for one in github.statuses[HEAD]] == [at, at]
        assert f"[the page of the run]({at})" in comments(github)[0]
        labelled(workspace, github, env={**env, "GITHUB_SERVER_URL": "https://x)[y](z"})
        assert "[the page of the run]" not in comments(github)[0]

    def test_a_late_run_is_no_last_word(self, workspace: Path, github: GitHub) -> None:
        newer = sha_of("newer")

        def say(_turn: str) -> str:
            github.pulls[7]["head"] = newer
            return "No."

        with Server(bot(say)) as server:
            write(workspace, http(server.url))
            did = labelled(workspace, github)
        assert did.code == 0
        second = comments(github)[0].split("\n\n")[1]
        assert "moved on" in second
        assert newer[:12] in second


class TestNights:
    def test_a_part_that_held_closes_nothing(self, workspace: Path, github: GitHub) -> None:
        checkout(workspace, MERGE)
        attack(workspace, "hard")
        job(workspace, github, "schedule", {})
        (issue,) = github.issues.values()
        assert issue["state"] == "open"
        attack(workspace, "nothing")
        checkout(workspace, sha_of("next"))
        more: dict[str, Any] = {"env": {"GITHUB_SHA": sha_of("next")}}
        assert job(workspace, github, "schedule", {}, suites="suite.yaml", **more).code == 0
        assert issue["state"] == "open"
        assert job(workspace, github, "schedule", {}, **more).code == 0
        assert issue["state"] == "closed"


class TestHints:
    """What a fork's run left is nobody's proof."""

    def ended(self, source: str = "mallory/bot") -> Any:
        run = {"id": RUN, "head_sha": HEAD, "event": "pull_request", "head_repository": {"full_name": source}}
        return {"action": "completed", "workflow_run": run, "repository": {"full_name": "acme/bot", "private": False}}

    def facts(self, **more: Any) -> bytes:
        one = {"name": ".", "loaded": True, "cases": 1, "rules": 1}
        return zipped({publication.FILE: json.dumps(
            {"format": 1, "number": 7, "head": HEAD, "bots": [one], **more}).encode()})  # fmt: skip

    def test_a_hint_never_replaces_what_was_proved(self, workspace: Path, github: GitHub) -> None:
        attack(workspace, "hard")
        labelled(workspace, github)
        before = comments(github)
        github.add_artifact(RUN, "guardgate", self.facts())
        did = job(workspace.parent, github, "workflow_run", self.ended("acme/bot"))
        assert did.outputs["mode"] == "publish"
        assert comments(github)[: len(before)] == before
        assert comments(github)[1].split("\n")[1].startswith("## Not proved: guardgate check: 0: valid")

    def test_a_run_of_one_repository_speaks_of_no_other(self, workspace: Path, github: GitHub) -> None:
        github.add_artifact(RUN, "guardgate", self.facts())
        assert job(workspace.parent, github, "workflow_run", self.ended("mallory/bot")).exit == 3
        assert comments(github) == []

    def test_what_became_weaker_is_in_it(self, workspace: Path, github: GitHub) -> None:
        github.changed[BASE, HEAD] = {"suite.yaml": "modified"}
        github.files[BASE, "suite.yaml"] = json.dumps({"cases": [case("c1"), case("c2")]}).encode()
        github.may = set()
        github.pulls[7]["head_repo"] = "mallory/bot"
        job(workspace, github, "pull_request", pull("opened", repo="mallory/bot"))
        github.may = {"issues", "pull-requests", "actions"}
        data = (workspace / "guardgate-results" / publication.FILE).read_bytes()
        github.add_artifact(RUN, "guardgate", zipped({publication.FILE: data}))
        assert job(workspace.parent, github, "workflow_run", self.ended()).exit == 0
        assert "an attack was deleted" in comments(github)[0]

    def test_an_error_behind_many_warnings_is_left_too(self, tmp_path: Path) -> None:
        def problem(number: int, severity: Any) -> Problem:
            return Problem("suite.yaml", (), "x", "y", "z", "code", severity, number, 1)

        many = (*(problem(number, "warning") for number in range(1, 70)), problem(70, "error"))
        one = Checked(Bot(tmp_path, tmp_path / "guardgate.yaml"), many, True, 1, 1)
        assert publication.write(tmp_path, 7, HEAD, (one,), ()) is None
        facts = publication.read(tmp_path / publication.FILE)
        assert isinstance(facts, publication.Publication)
        assert publication.checked(facts.bots[0], tmp_path).code == one.code == 3
