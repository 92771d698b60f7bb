"""Replies of a real small model, labelled by hand, through `run` and `run --rejudge` with judges that are scripts.

The labels were written first and were not changed to fit. The scripts (stored/judges) read for general features; where
they see words that could mean either, they say so, and the attempt stays open. They were written by somebody who had
read the replies: this proves the way from a judge's scores to a verdict, not that patterns can judge.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.judging.court import run_here
from tests.support.project import ROOT, lines, put

STORED = Path(__file__).with_name("stored")
FIRST_RUN = ROOT / "docs" / "first-run" / "results.jsonl"
PAGE = ROOT / "docs" / "judged-run.md"


@cache
def replies() -> list[dict[str, Any]]:
    text = (STORED / "replies.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def of(rule: str) -> list[dict[str, Any]]:
    return [one for one in replies() if one["rule"] == rule]


RULES = sorted({one["rule"] for one in replies()})


def project(root: Path, rule: str) -> Path:
    """A project whose bot says again what the model said, and whose only judge is the script of this rule."""
    said = {turn: reply for one in of(rule) for turn, reply in zip(one["turns"], one["replies"], strict=True)}
    script = [{"when": rf"^\Q{turn}\E$", "say": reply} for turn, reply in said.items()]
    put(root, "script.yaml", [*script, {"when": "^hello", "say": "Hi."}])
    attacks = [{"id": one["case"], "attack": "persona_drift", "rule": rule, "turns": one["turns"]} for one in of(rule)]
    put(root, "suite.yaml", {"cases": attacks})
    shutil.copy(STORED / "constraints.yaml", root / "constraints.yaml")
    shutil.copy(STORED / "judges" / f"{rule}.yaml", root / "judge.yaml")
    project = {
        "version": 1, "constraints": "constraints.yaml", "suites": ["suite.yaml"],
        "targets": {"bot": {"backend": "scripted", "script": "script.yaml"}},
        "judges": {"script": {"backend": "scripted", "script": "judge.yaml"}},
        "runs": {"default": {"targets": ["bot"]}},
    }  # fmt: skip
    put(root, "guardgate.yaml", project)
    return root


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], str]:
    """(case, rule) -> what the stored reply came to."""
    found: dict[tuple[str, str], str] = {}
    for rule in RULES:
        root = project(tmp_path_factory.mktemp(rule), rule)
        played = run_here(root)
        assert set(played.verdicts.values()) == {"undecided"}, "nobody judged yet"
        judged = run_here(root, "--rejudge", "results.jsonl", "--judge", "script", out="judged.jsonl")
        heard = {one["case"]: [reply["text"] for reply in one["replies"]] for one in judged.attempts}
        assert heard == {one["case"]: one["replies"] for one in of(rule)}, "not the stored words"
        assert judged.code == _code(judged.verdicts)
        found |= {(name, rule): verdict for name, verdict in judged.verdicts.items()}
    return found


def _code(verdicts: dict[str, str]) -> int:
    outcomes = set(verdicts.values())
    return 2 if "broke" in outcomes else 3 if "undecided" in outcomes else 0


def test_no_reply_that_people_call_broken_ends_held(verdicts: dict[tuple[str, str], str]) -> None:
    wrong = [
        key for one in replies() if one["label"] == "broke" and verdicts[key := (one["case"], one["rule"])] == "held"
    ]
    assert wrong == []


def counted(verdicts: dict[tuple[str, str], str]) -> Counter[tuple[str, str]]:
    return Counter((one["label"], verdicts[one["case"], one["rule"]]) for one in replies())


def test_the_page_tells_how_it_ended(verdicts: dict[tuple[str, str], str]) -> None:
    rows = re.findall(
        r"^\| labelled (held|broke) \| (\d+) \| (\d+) \| (\d+) \|$", PAGE.read_text(encoding="utf-8"), re.M
    )
    counts = counted(verdicts)
    told = {label: tuple(map(int, numbers)) for label, *numbers in rows}
    assert told == {
        label: tuple(counts[label, outcome] for outcome in ("held", "broke", "undecided"))
        for label in ("held", "broke")
    }


def test_there_are_enough_of_them_and_both_labels_have_many() -> None:
    labels = Counter(one["label"] for one in replies())
    assert len(replies()) >= 60
    assert labels["broke"] >= 20
    assert labels["held"] >= 20
    assert len(RULES) == 16
    assert len({(one["case"], one["rule"]) for one in replies()}) == len(replies())


def test_every_label_has_a_reason_and_every_reply_is_the_model_s_own() -> None:
    played = {one["case"]: [reply["text"] for reply in one["replies"]] for one in lines(FIRST_RUN, "attempt")}
    asked = {one["case"]["id"]: one["case"]["turns"] for one in lines(FIRST_RUN, "case")}
    (head,) = lines(FIRST_RUN, "run")
    statements = {one["rule"]["id"]: one["rule"]["rule"] for one in head["rules"]}
    for one in replies():
        assert one["replies"] == played[one["case"]]
        assert one["turns"] == asked[one["case"]]
        assert one["statement"] == statements[one["rule"]]
        assert len(one["why"]) > 5


def test_no_script_knows_a_case() -> None:
    ids = {one["case"] for one in replies()}
    for rule in RULES:
        text = (STORED / "judges" / f"{rule}.yaml").read_text(encoding="utf-8")
        assert not any(name in text for name in ids)
