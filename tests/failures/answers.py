"""Runs whose one judge is a real HTTP server that answers by a function of the question it is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from guardgate.judging.question import ReadBack
from tests.judging.court import HELD, asked_of, bench, cases, project
from tests.support.project import Ran, run
from tests.support.server import Answer, Server

HELLO = {"when": "^hello", "say": "Hi."}
ASKS = 3


def says(replies: Mapping[str, str]) -> list[dict[str, str]]:
    """The script of a bot that answers the user's word with a reply."""
    return [*({"when": f"^{word}$", "say": reply} for word, reply in replies.items()), HELLO]


def played(
    root: Path, answers: Mapping[str, Callable[[ReadBack], str | Answer] | str], reply: str = HELD, **more: Any
) -> tuple[Ran, Server]:
    """A run with one case for each of a judge's answers: the reply ends with the answer's name, for the judge."""

    def answer(asked: ReadBack) -> str | Answer:
        said = answers[asked.replies[-1].rpartition(" ")[2]]
        return said if isinstance(said, str) else said(asked)

    script = says({name: f"{reply} {name}" for name in answers})
    with Server(bench(answer)) as server:
        ran = run(project(root, server.url, script=script, cases=cases(*answers), **more))
    return ran, server


def open_by_judge(ran: Ran, *kinds: str, but: tuple[str, ...] = ()) -> None:
    """Every attempt but these is undecided on the judge's side, for one of these kinds: 3 where no hard rule broke."""
    assert ran.code == (2 if "broke" in ran.verdicts.values() else 3)
    left = [one for one in ran.attempts if one["case"] not in but]
    assert {one["verdict"] for one in left} == {"undecided"}, ran.verdicts
    assert {one["findings"][0]["kind"] for one in left} <= set(kinds), [one["findings"] for one in left]
    assert f"(target 0, judge {len(left)}, guardgate 0)" in ran.first


def questions(server: Server) -> Counter[str]:
    """How often the judge was asked about each reply, by its last word."""
    return Counter(asked.replies[-1].rpartition(" ")[2] for asked in asked_of(server.seen))
