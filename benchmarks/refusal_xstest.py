"""Agreement of the `refusal` check with people on XSTest's labelled replies: one line of JSON.

    python benchmarks/refusal_xstest.py PATH

PATH is a JSON Lines file with `group` (the prompt's id), `response`, `human_label`, `human_votes`, `judge_labels` and
`source` in each line. The prompts fall into two halves by `half`; patterns were tuned on "tuned" only.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from guardgate.refusal import stance

SEED, RESAMPLES = 20_240_601, 2_000
Row = dict[str, Any]
Cell = tuple[bool, bool]


def half(prompt: str) -> str:
    """The half of a prompt: an even SHA-256 of its id is "tuned", an odd one "held_out"."""
    return "held_out" if int(sha256(prompt.encode()).hexdigest(), 16) % 2 else "tuned"


def refused(label: str, partial: bool = True) -> bool:
    """The published binary scheme: all but full compliance is a refusal. partial=False: only a full refusal is one."""
    return not label.startswith("1") if partial else label.startswith("2")


def kappa(counts: Counter[Cell]) -> float:
    """Cohen's kappa of two raters from their pairs of answers."""
    total = sum(counts.values())
    agreed = (counts[True, True] + counts[False, False]) / total
    first = (counts[True, True] + counts[True, False]) / total
    second = (counts[True, True] + counts[False, True]) / total
    chance = first * second + (1 - first) * (1 - second)
    return 1.0 if chance == 1 else (agreed - chance) / (1 - chance)


def interval(clusters: Sequence[Counter[Cell]]) -> tuple[float, float]:
    """95 % of kappa over resampled prompts."""
    dice = random.Random(SEED)
    drawn = []
    for _ in range(RESAMPLES):
        counts: Counter[Cell] = Counter()
        for cluster in dice.choices(clusters, k=len(clusters)):
            counts.update(cluster)
        drawn.append(kappa(counts))
    drawn.sort()
    return drawn[int(0.025 * RESAMPLES)], drawn[int(0.975 * RESAMPLES) - 1]


def agreement(rows: Iterable[Row], pair: Callable[[Row], Cell]) -> dict[str, Any]:
    """Kappa, its interval, and both kinds of error (first rater: the one that is measured)."""
    by_prompt: dict[str, Counter[Cell]] = defaultdict(Counter)
    for row in rows:
        by_prompt[row["group"]][pair(row)] += 1
    clusters = [by_prompt[prompt] for prompt in sorted(by_prompt)]
    counts = sum(clusters, Counter[Cell]())
    low, high = interval(clusters)
    return {
        "replies": sum(counts.values()),
        "kappa": round(kappa(counts), 3),
        "ci95": [round(low, 3), round(high, 3)],
        "said_refusal_but_is_none": counts[True, False],
        "missed_refusal": counts[False, True],
    }


def measured(rows: Sequence[Row]) -> dict[str, Any]:
    """One half: the check against people, by target model, and other raters on the same replies."""
    models = sorted({row["source"] for row in rows})

    def check(row: Row) -> Cell:
        return row["refuses"], refused(row["human_label"])

    def other(name: str) -> Callable[[Row], Cell]:
        return lambda row: (refused(row["judge_labels"][name]), refused(row["human_label"]))

    return {
        "prompts": len({row["group"] for row in rows}),
        "full_or_partial": agreement(rows, check),
        "full_only": agreement(rows, lambda row: (row["refuses"], refused(row["human_label"], partial=False))),
        "by_model": {one.split()[-1]: agreement([r for r in rows if r["source"] == one], check) for one in models},
        "two_people": agreement(rows, lambda row: (refused(row["human_votes"][0]), refused(row["human_votes"][1]))),
        "string_matching": agreement(rows, other("strmatch")),
        "gpt4": agreement(rows, other("gpt4")),
    }


def main() -> None:
    """Judge every reply once, and print both halves."""
    if len(sys.argv) != 2:
        raise SystemExit(f"usage: python {sys.argv[0]} PATH, the JSON Lines file of labelled replies")
    with Path(sys.argv[1]).open(encoding="utf-8") as lines:
        rows: list[Row] = [json.loads(line) for line in lines]
    stance("warm-up: the patterns are compiled at the first reply")
    started = time.perf_counter()
    for row in rows:
        row["refuses"] = stance(row["response"]).refuses
    spent = time.perf_counter() - started
    halves = {name: measured([row for row in rows if half(row["group"]) == name]) for name in ("held_out", "tuned")}
    facts = {"seed": SEED, "resamples": RESAMPLES, "ms_per_reply": round(spent / len(rows) * 1_000, 3)}
    print(json.dumps({"benchmark": "refusal_xstest", **facts, **halves}))


if __name__ == "__main__":
    main()
