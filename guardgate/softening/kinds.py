"""The table of what counts as weaker: a row a kind, in the order of the page that explains them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from guardgate.softening.record import Weight


@dataclass(frozen=True, slots=True)
class Kind:
    """What a reader is told. `weight` "rule": hard where the rule is hard in the base or in the head, else other.

    `gone`: the words say already that the value before is there no more.
    """

    says: str
    weight: Weight | Literal["rule"] = "rule"
    gone: bool = False


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        # projects and rules
        "project-removed": Kind("a project was removed", "hard"),
        "rule-softened": Kind("a hard rule became soft"),
        "rule-removed": Kind("a rule was removed", gone=True),
        "threshold-lowered": Kind("a soft rule may break more often"),
        "floor-lowered": Kind("a judge's score has to reach less"),
        "score-dropped": Kind("a criterion is not required any more"),
        "mean-lowered": Kind("the mean of the scores has to reach less"),
        "mean-widened": Kind("another criterion counts into the mean, which may lift it", "look"),
        "criterion-changed": Kind("a criterion asks something else", "look"),
        "statement-changed": Kind("the words of a rule changed", "look"),
        "samples-removed": Kind("a sample that proved the checks was removed or changed", "other", gone=True),
        # checks of rules and cases
        "check-contains": Kind("words are not required any more, or one of more words is enough"),
        "check-not_contains": Kind("words are not forbidden any more, or only letter by letter"),
        "check-regex": Kind("a pattern is not required any more, or one of more patterns is enough"),
        "check-not_regex": Kind("a pattern is not forbidden any more"),
        "check-equals": Kind("the reply need not be this text any more"),
        "check-json_schema": Kind("the reply need not fit this JSON Schema any more"),
        "check-length": Kind("replies may be longer or shorter"),
        "check-canary": Kind("a secret is not looked for any more"),
        "check-tool_calls": Kind("tool calls are not forbidden or required any more"),
        "check-state": Kind("the state is not compared with this value any more"),
        "check-refusal": Kind("whether the target refuses is decided otherwise, or not at all"),
        "check-no_raw_output": Kind("raw provider output does not break the rule any more"),
        "check-latency": Kind("replies may take longer"),
        # cases
        "case-deleted": Kind("an attack was deleted", gone=True),
        "case-shortened": Kind("an attack lost turns"),
        "case-moved": Kind("an attack was moved to another rule", "look"),
        "case-plain": Kind("an attack is left out of transformed cells"),
        "case-changed": Kind("an attack does something else", "look"),
        "suite-dropped": Kind("a suite is not read any more", "other", gone=True),
        "unclassed": Kind("changed in a way that cannot be classed"),
        # runs
        "run-removed": Kind("a run was removed", "other", gone=True),
        "run-targets": Kind("a run plays one target less", "other", gone=True),
        "run-transforms": Kind("a run plays one transform less", "other", gone=True),
        "run-cells": Kind("a run plays fewer cells of its grid", "other", gone=True),
        "run-repeats": Kind("a run plays each case less often", "other"),
        "run-judges": Kind("a run asks one judge less", "other", gone=True),
        "run-panel": Kind("a majority decides among other judges", "look"),
        "run-agreement": Kind("judges need not agree any more", "other"),
        "run-escalate": Kind("another judge decides where the panel does not", "other"),
        "run-seed": Kind("transforms that use chance draw anew", "look"),
        "run-limits": Kind("a run may end earlier, and is incomplete then", "note"),
        # targets, judges and what else stands in the project file
        "optional": Kind("the gate does not wait for it any more", "other"),
        "target-changed": Kind("another system under test", "look"),
        "target-removed": Kind("a target was removed", "look", gone=True),
        "judge-changed": Kind("another judge", "look"),
        "judge-removed": Kind("a judge was removed", "look", gone=True),
        "anchors-removed": Kind("a labelled reply does not test the judges any more", "other", gone=True),
        "anchors-changed": Kind("a labelled reply says something else", "look"),
        "anchors-floor": Kind("judges may be wrong more often", "other"),
        "translation-changed": Kind("translated turns changed", "look"),
        "quotes-allowed": Kind("words of replies may stand in the redacted report", "look"),
    }
)
