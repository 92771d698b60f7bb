"""What a run counts is what stands in its file: the verdict and the text of the run are those of `gate FILE`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from guardgate.codec import case_line, plan_head
from guardgate.gate import gate
from guardgate.record import Reply, ToolCall, Usage
from guardgate.recording import kept
from guardgate.recount import summary_of
from guardgate.report import render
from guardgate.results import FORMAT, Writer, open_results
from guardgate.summary import Folding
from tests.core.making import BAD, GOOD, attempt, case, plan, rule

OF = plan([rule("R1"), rule("R2", 0.5)], [case("c1"), case("c2", "R2"), case("c3", "R2")], repeats=2)
SAYS = (
    Reply(GOOD, (ToolCall("search", {"to": [1, True, None, 1.5]}),), {"a": [1.0, "ü"]}, 7, Usage(1, 2, 0.25)),
    Reply(BAD),
    Reply("", cut=True),
    Reply(f"{GOOD} \u2028\ufeff „otter“"),
    Reply("OTTER, they say."),
    Reply(f"{GOOD} hunter2"),
)


def clean(text: str) -> str:
    """A second net that takes something out which the door let pass, words that decide among it."""
    return text.replace("OTTER", "[secret]").replace("hunter2", "otter")


def test_the_fold_of_a_run_is_that_of_its_file(tmp_path: Path) -> None:
    path, folding = tmp_path / "results.jsonl", Folding(OF)
    with Writer(path, clean) as writer:
        for line in ({"t": "run", "format": FORMAT, **plan_head(OF)}, *map(case_line, OF.cases)):
            writer.line(line)
        for n, says in enumerate(SAYS):
            folding.add(kept(writer, OF, attempt(OF, n, says)))
        writer.line({"t": "end", "reason": None})
    results = open_results(path)
    assert results.plan == OF, "the plan that was played is the plan that is read"
    assert replace(open_results(path, OF), plan=results.plan) == results
    counted = replace(folding.done(results.end()), ended=True)
    again, gated = summary_of(results)
    assert gate(counted) == gated
    for form in ("md", "terminal"):
        told = ["".join(render(form, one, gated, {}, "results.jsonl")) for one in (counted, again)]
        assert told[0] == told[1]
    stored = [json.loads(line) for line in path.read_text("utf-8").split("\n") if '"attempt"' in line]
    assert [one["verdict"] for one in stored[4:]] == ["broke", "held"], "as they were decided before the net"
    assert {one.n for one in counted.broken} == {one.n for one in again.broken} == {3, 5}
