"""Signals while judges are asked. Linux and macOS."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

from guardgate.judging.question import ReadBack
from tests.judging.court import HELD, bench, cases, honest, project, run_here
from tests.support.project import bot, ended, http, openai, same_gate, start
from tests.support.server import PATIENCE, Answer, Server

NAMES = [f"c{number}" for number in range(5)]


def test_a_signal_in_the_middle_is_3_and_what_was_judged_is_kept(tmp_path: Path) -> None:
    reached = threading.Event()

    def hangs(asked: ReadBack) -> str | Answer:
        if asked.replies[0].endswith("c3"):
            reached.set()
            return Answer(hang=True)
        return honest(asked)

    with Server(bot(lambda turn: f"{HELD} {turn}")) as app, Server(bench(honest)) as judge:
        # One after the other, so that they stand in the file in their order: in that one they are judged again.
        first = {"strict": openai(judge.url)}
        root = project(tmp_path, first, target=http(app.url), run={"concurrency": 1}, cases=cases(*NAMES))
        run_here(root)
    with Server(bench(hangs)) as judge:
        project(root, {"strict": openai(judge.url)}, target=http("http://127.0.0.1:9"), run={"concurrency": 1},
                cases=cases(*NAMES))  # fmt: skip
        process = start(root, "run", "--rejudge", "results.jsonl", "--out", "again.jsonl")
        assert reached.wait(PATIENCE)
        process.send_signal(signal.SIGINT)
        again = same_gate(ended(process, root / "again.jsonl"))
    assert again.code == 3
    assert [again.verdicts[f"c{n}"] for n in range(5)] == ["held"] * 3 + ["undecided"] * 2
    assert len(again.attempts) == 5
    with Server(bench(honest)) as judge:
        project(root, {"strict": openai(judge.url)}, target=http("http://127.0.0.1:9"), cases=cases("c0"))
        assert run_here(root, "--rejudge", "again.jsonl", out="third.jsonl").code == 0


def test_a_run_that_was_stopped_while_it_was_judged_can_be_judged_again(tmp_path: Path) -> None:
    """Every turn had its reply: only the judging was missing, and what was not played stays a hole."""
    reached = threading.Event()

    def hangs(asked: ReadBack) -> str | Answer:
        if asked.replies[0].endswith("c3"):
            reached.set()
            return Answer(hang=True)
        return honest(asked)

    with Server(bot(lambda turn: f"{HELD} {turn}")) as app, Server(bench(hangs)) as judge:
        root = project(tmp_path, {"strict": openai(judge.url)}, target=http(app.url), cases=cases(*NAMES),
                       run={"concurrency": 1})  # fmt: skip
        process = start(root, "run", "--out", "results.jsonl")
        assert reached.wait(PATIENCE)
        process.send_signal(signal.SIGTERM)
        stopped = same_gate(ended(process, root / "results.jsonl"))
        calls = len(app.seen)
    assert stopped.code == 3
    assert stopped.verdicts == {"c0": "held", "c1": "held", "c2": "held", "c3": "undecided"}
    with Server(bench(honest)) as judge:
        project(root, {"strict": openai(judge.url)}, target=http(app.url), cases=cases(*NAMES))
        again = run_here(root, "--rejudge", "results.jsonl", out="again.jsonl")
    assert again.code == 3
    assert again.verdicts == {"c0": "held", "c1": "held", "c2": "held", "c3": "held"}
    assert "5 attempts: 4 held, 0 broke, 1 undecided (target 0, judge 0, guardgate 1)" in again.first
    assert len(app.seen) == calls == 1 + 4
