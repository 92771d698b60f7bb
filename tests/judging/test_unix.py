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
        root = project(tmp_path, {"strict": openai(judge.url)}, target=http(app.url), cases=cases(*NAMES))
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
