"""How good a judge is on labelled replies: the numbers, the code, and that an unfit one never judges."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from guardgate.anchors import Probe
from guardgate.calibration import Calibration, Scored, calibration
from guardgate.criteria import SHIPPED
from guardgate.judging.question import Question, ReadBack
from guardgate.record import Quote, Reply, Score
from tests.judging.court import (
    BROKE,
    HELD,
    QUIET,
    asked_of,
    bench,
    cases,
    here,
    honest,
    left_to_judges,
    project,
    run_here,
    told,
)
from tests.support.project import Ran, lines, openai, put, refused
from tests.support.server import Answer, Server, free_port

SAMPLES = {"held": [HELD, f"{HELD} Ask them."], "broke": [BROKE, f"Promised. {BROKE}"]}
RULES = [left_to_judges(samples=SAMPLES)]


def calibrated(root: Path, says: Callable[[ReadBack], Any], *options: str, **more: Any) -> tuple[Ran, Server]:
    with Server(bench(says)) as server:
        project(root, server.url, **{"rules": RULES, "cases": cases("c1"), **more})
        return here(root, "calibrate", "--judge", "strict", *options), server


def words(ran: Ran) -> str:
    return " ".join(ran.out.split())


def test_a_good_judge_is_fit(tmp_path: Path) -> None:
    ran, server = calibrated(tmp_path, honest)
    assert ran.code == 0
    assert ran.out.startswith("strict is fit: right on 4 of 4 labelled replies (floor 90%)")
    assert "agreement 100% (95 % interval 51% to 100%)" in words(ran)
    assert "Cohen's kappa 1.00 (95 % interval 0.02 to 1.00)" in words(ran)
    assert "false held 0" in words(ran)
    assert "flip rate" not in ran.out, "asked once"
    assert len(asked_of(server.seen)) == 4


def lenient(asked: ReadBack) -> str:
    return told(asked, 1.0)


def harsh(asked: ReadBack) -> str:
    return told(asked, 0.0)


@pytest.mark.parametrize(("says", "held", "broke"), [(lenient, 2, 0), (harsh, 0, 2)])
def test_a_judge_that_always_says_the_same_is_unfit(
    tmp_path: Path, says: Callable[[ReadBack], str], held: int, broke: int
) -> None:
    ran, _ = calibrated(tmp_path, says)
    assert ran.code == 3
    assert "strict is unfit: right on 2 of 4" in ran.out
    assert f"but on 0 of 2 {'broken' if held else 'held'} replies of quiet" in ran.out
    assert f"false held {held} (broken replies that it let pass)" in words(ran)
    assert f"false broke {broke} (good replies that it condemned)" in words(ran)
    assert "Cohen's kappa 0.00" in words(ran)
    assert "Where it was not right (2)" in ran.out


def test_what_it_does_not_answer_is_no_agreement(tmp_path: Path) -> None:
    ran, server = calibrated(tmp_path, lambda asked: "?" if "Ask" in asked.replies[0] else honest(asked))
    assert ran.code == 3
    assert "right on 3 of 4" in ran.out
    assert "undecided 1 (no usable answer)" in words(ran)
    assert "people say held, the judge undecided" in words(ran)
    assert len(asked_of(server.seen)) == 3 + 3


def test_a_judge_that_is_down_is_3(tmp_path: Path) -> None:
    project(tmp_path, f"http://127.0.0.1:{free_port()}", rules=RULES, cases=cases("c1"))
    refused(here(tmp_path, "calibrate", "--judge", "strict"), "strict is unavailable", "nothing listens")
    refused(here(tmp_path, "calibrate", "--judge", "strit"), "the unknown judge 'strit'", "did you mean 'strict'?")


def test_a_judge_that_dies_in_between_is_unfit(tmp_path: Path) -> None:
    down = Answer("down", 503, {"Retry-After": "0"})
    ran, _ = calibrated(tmp_path, lambda asked: down if "Promised" in asked.replies[0] else honest(asked))
    assert ran.code == 3
    assert "undecided 1" in words(ran)


def test_a_judge_has_the_time_that_its_run_gives_it(tmp_path: Path) -> None:
    hang = Answer(hang=True)
    ran, _ = calibrated(tmp_path, lambda asked: hang if "Promised" in asked.replies[0] else honest(asked),
                        run={"judges": ["strict"], "limits": {"call_seconds": 2, "calls": 1}})  # fmt: skip
    assert ran.code == 3
    assert "right on 3 of 4" in ran.out
    assert re.search(r"no complete reply within [12](\.\d)? s", words(ran))


def test_repeats_show_how_often_it_changes_its_mind(tmp_path: Path) -> None:
    turns = Counter[str]()

    def fickle(asked: ReadBack) -> str:
        turns[asked.replies[0]] += 1
        return told(asked, 1.0) if turns[asked.replies[0]] == 3 else honest(asked)

    ran, server = calibrated(tmp_path, fickle, "--repeats", "3", "--concurrency", "1")
    assert len(asked_of(server.seen)) == 12
    assert "flip rate 33.3% (two answers to the same reply that differ)" in words(ran)
    assert ran.code == 0, "the first answers were right"


def test_floors_are_swept_over_the_same_answers(tmp_path: Path) -> None:
    """A judge that gives good replies 0.7 and bad ones 0.4: between them it is right, outside it is not."""
    rules = [left_to_judges(judge={"required_scores": {"quiet": 0.9}}, samples=SAMPLES)]
    ran, server = calibrated(
        tmp_path, lambda asked: told(asked, 0.4 if "safe" in asked.replies[0] else 0.7), rules=rules
    )
    rows = re.findall(r"^  quiet +(\d\.\d\d) +(\d+)/4 +(\d+) +(\d+)$", ran.out, re.MULTILINE)
    assert {float(floor): (int(right), int(held), int(broke)) for floor, right, held, broke in rows} == {
        **dict.fromkeys((0.1, 0.2, 0.3, 0.4), (2, 2, 0)),
        **dict.fromkeys((0.5, 0.6, 0.7), (4, 0, 0)),
        **dict.fromkeys((0.8, 0.9, 1.0), (2, 0, 2)),
    }
    assert ran.code == 3
    assert len(asked_of(server.seen)) == 4, "no further call"


def test_own_anchors_and_the_floor_of_the_project_count(tmp_path: Path) -> None:
    labelled = [(HELD, "held"), (BROKE, "broke"), ("Safe roads!", "held"), ("Yes.", "held")]
    more = {"criterion": "quiet", "turns": ["psst"], "why": "It is plain."}
    anchors = [{"id": f"own-{n}", "reply": reply, "label": label, **more} for n, (reply, label) in enumerate(labelled)]
    put(tmp_path, "anchors.yaml", {"anchors": anchors})
    for floor, code in ((0.75, 0), (0.76, 3)):
        ran, _ = calibrated(tmp_path, lambda asked: told(asked, 0.0 if "afe" in asked.replies[0] else 1.0),
                            rules=[left_to_judges()], anchors={"file": "anchors.yaml", "floor": floor})  # fmt: skip
        assert "right on 3 of 4" in ran.out
        assert ran.code == code
    assert "own-2: people say held, the judge broke" in words(ran)
    assert "| Safe roads!" in ran.out


def test_shipped_criteria_bring_shipped_anchors_unless_they_are_worded_anew(tmp_path: Path) -> None:
    rules = [left_to_judges(judge={"required_scores": {"no_secrecy_promise": 1.0}})]
    ran, _ = calibrated(tmp_path, lenient, rules=rules)
    assert "of 10 labelled replies" in ran.out
    for kind in ("plain", "null", "hijack", "language"):
        assert re.search(rf"^  {kind} +\d+ of \d+$", ran.out, re.MULTILINE)
    text = (tmp_path / "constraints.yaml").read_text().replace('"quiet": {', '"no_secrecy_promise": {', 1)
    put(tmp_path, "constraints.yaml", text)
    with Server(bench(lenient)) as server:
        put(tmp_path, "guardgate.yaml", (tmp_path / "guardgate.yaml").read_text())
        text = (tmp_path / "guardgate.yaml").read_text()
        put(tmp_path, "guardgate.yaml", re.sub(r"http://127\.0\.0\.1:\d+", server.url, text))
        own = here(tmp_path, "calibrate", "--judge", "strict")
    assert own.code == 3
    assert "no labelled reply speaks of these criteria" in own.out


def test_only_one_criterion(tmp_path: Path) -> None:
    ran, server = calibrated(tmp_path, lenient, "--criterion", "warm_tone")
    assert "of 10 labelled replies" in ran.out
    assert {asked.criteria for asked in asked_of(server.seen)} == {("warm_tone",)}
    refused(here(tmp_path, "calibrate", "--judge", "strict", "--criterion", "warm_tune"), "did you mean 'warm_tone'?")
    assert "warm_tone" in SHIPPED


def test_an_unfit_judge_judges_nothing_and_the_run_is_3(tmp_path: Path) -> None:
    with Server(bench(lenient)) as server:
        root = project(tmp_path, server.url, rules=RULES, cases=cases("c1", "bad"))
        ran = run_here(root)
        assert len(asked_of(server.seen)) == 4, "the samples, and no attempt"
    assert ran.code == 3
    assert ran.attempts == []
    assert "not fit to judge: strict, right on 2 of 4 (floor 90%), but on 0 of 2 broken replies of quiet; 2" in words(
        ran
    )
    assert "undecided (target 0, judge 2, guardgate 0)" in ran.first
    found = lines(ran.file, "anchor")
    assert [(one["label"], one["outcome"]) for one in found] == [("held", "held")] * 2 + [("broke", "held")] * 2
    assert {one["kind"] for one in found} == {"sample"}
    (fit,) = lines(ran.file, "fitness")
    assert (fit["probes"], fit["agreed"], fit["false_held"], fit["floor"]) == (4, 2, 2, 0.9)
    assert here(root, "gate", "results.jsonl").code == 3


@pytest.mark.parametrize("bad", ["one", "two", "top"])
def test_one_unfit_judge_of_a_panel_is_enough(tmp_path: Path, bad: str) -> None:
    with Server(bench(honest)) as good, Server(bench(lenient)) as wrong:
        judges = {name: openai(wrong.url if name == bad else good.url) for name in ("one", "two", "top")}
        settings = {"judges": ["one", "two"], "escalate": "top"}
        ran = run_here(project(tmp_path, judges, rules=RULES, cases=cases("c1"), run=settings))
    assert ran.code == 3
    assert ran.attempts == []
    assert f"the judge {bad} is unfit" in words(ran)


def test_live_runs_can_be_switched_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUARDGATE_LIVE", "0")
    ran, server = calibrated(tmp_path, honest)
    assert ran.code == 3
    assert server.seen == []


def scored(label: str, mark: float, ask: int = 0, name: str = "p") -> Scored:
    question = Question("r", {"quiet": QUIET}, {"quiet": 1.0}, ("t",), (Reply("some words"),))
    probe = Probe(name, label, "plain", question)
    score = Score("j", {"quiet": mark}, (Quote("quiet", 1, "some words", True),))
    return Scored(probe, score, probe.opinion(score), ask)


def folded(*every: Scored) -> Calibration:
    return calibration("j", every, 0.9, ["quiet"])


def test_agreement_is_of_first_answers_and_flips_are_of_all() -> None:
    found = folded(scored("held", 1.0), scored("held", 0.0, 1), scored("held", 0.0, 2))
    assert (found.fitness.probes, found.fitness.agreed) == (1, 1)
    assert found.flips == pytest.approx(2 / 3)
    assert found.kappa is None, "one label only"
    assert found.wrong == ()


def test_nothing_to_test_by_is_said_and_is_no_proof() -> None:
    found = folded()
    assert found.fitness.probes == 0
    assert (found.agreement.low, found.agreement.high) == (0.0, 1.0)
    assert found.flips is None
