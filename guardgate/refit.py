"""How fit the judges are under other floors, from what they said of the labelled replies: no call is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from guardgate.codec import score_from
from guardgate.errors import Refused
from guardgate.fitness import Fitness, fitness, sampled, trial_from
from guardgate.inuse import floors_in_use, in_use
from guardgate.judging.vote import Bar, Vote, vote
from guardgate.plan import Plan
from guardgate.record import Reply
from guardgate.results import Results

Line = Mapping[str, Any]


def refitted(results: Results, plan: Plan) -> tuple[Fitness, ...]:
    """Each judge that was tested, under the floors of `plan`. Raises Refused where what it said is not there."""
    found: list[Fitness] = []
    waiting: list[Line] = []
    for line in results.raw("anchor", "fitness", "attempt", "end"):
        match line["t"]:
            case "anchor":
                waiting.append(line)
            case "fitness":
                found.append(_fitness(results, plan, line, waiting))
                waiting = []
            case _:
                break
    return tuple(found)


def _fitness(results: Results, plan: Plan, line: Line, anchors: list[Line]) -> Fitness:
    judge, used = line["judge"], in_use(plan)
    try:
        now = [trial_from(one, used, _now(results.plan, plan, one).outcome) for one in anchors]
        return fitness(judge, now, line["floor"])
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise _damaged(results, f"a test of {judge!r} that cannot be read ({error})") from error


def _damaged(results: Results, found: str) -> Refused:
    return Refused(
        str(results.path), found, "what a judge said of each labelled reply", "run again; do not edit results files"
    )


def _now(before: Plan, after: Plan, line: Line) -> Vote:
    """What the judge's scores of one labelled reply come to now; as it was stored where its bar has not moved."""
    bar = _bar(after, line)
    if bar is None or bar == _bar(before, line):
        return Vote(line["judge"], line["outcome"], line["why"])
    replies = (*(Reply("") for _ in line["turns"][1:]), Reply(line["reply"]))
    return vote(score_from(line["score"]), bar, replies)


def _bar(plan: Plan, line: Line) -> Bar | None:
    """Of a sample what its rule asks for; of an anchor the highest floor of its criterion. None: not in the plan."""
    if line["kind"] == "sample":
        planned = plan.rule_index.get(sampled(line["id"]))
        judge = None if planned is None else planned.rule.judge
        return None if judge is None else _of(plan, judge.required_scores, judge.pass_threshold)
    floors = floors_in_use(plan)
    return _of(plan, {name: floors[name] for name in line["floors"] if name in floors})


def _of(plan: Plan, floors: Mapping[str, float], threshold: float | None = None) -> Bar | None:
    if not floors or not set(floors) <= set(plan.criteria):
        return None
    return Bar(floors, {name: plan.criteria[name] for name in floors}, threshold)
