"""Proof of teeth: samples that break must turn a check red, samples that hold must not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from guardgate.checks import parts, settings
from guardgate.checks.base import Forbids, Hit, Open, Part, Seen
from guardgate.errors import Problem, Step
from guardgate.loaded import Loaded
from guardgate.model.constraints import FullSample, Rule
from guardgate.plan import PlannedRule
from guardgate.record import Reply, ToolCall

#: Checks that no stored sample can turn red.
OUT_OF_REACH = frozenset({"latency"})


def reply_of(sample: str | FullSample) -> Reply:
    """A sample as the reply that it stands for."""
    if isinstance(sample, str):
        return Reply(sample, traced=False)
    tools = tuple(ToolCall(call.name, call.arguments, call.result) for call in sample.tools)
    return Reply(sample.text, tools=tools, state=sample.state)


def look(part: Part, seen: Seen) -> Hit | Open | None:
    """What a part says of a transcript of one reply."""
    return part.look(seen) if isinstance(part, Forbids) else part.look((seen,))


def teeth(loaded: Loaded, _environ: Mapping[str, str]) -> Iterator[Problem]:
    """Run the code checks of each rule over its samples."""
    for planned, path in zip(loaded.rules, loaded.rule_paths, strict=True):
        try:
            texts = {name: loaded.files[key] for name, key in planned.files.items()}
            built = list(parts(planned.rule.checks, texts))
        except (ValueError, KeyError):
            continue  # the fault of the check itself is reported with the check
        yield from _held(planned, path, built)
        yield from _broke(planned, path, built)
        yield from _without(planned, path, built)


def _held(planned: PlannedRule, path: tuple[Step, ...], built: list[Part]) -> Iterator[Problem]:
    for number, sample in enumerate(planned.rule.samples.held):
        seen = Seen(reply_of(sample))
        for part in built:
            result = look(part, seen)
            if isinstance(result, Hit):
                yield Problem(
                    planned.file, (*path, "samples", "held", number),
                    f"a sample that should hold and breaks {part.name}: {result.why}", "no check to turn red",
                    "narrow the check, or move the sample to broke", "sample-held",
                )  # fmt: skip
                break


def _broke(planned: PlannedRule, path: tuple[Step, ...], built: list[Part]) -> Iterator[Problem]:
    red: set[int] = set()
    for number, sample in enumerate(planned.rule.samples.broke):
        seen = Seen(reply_of(sample))
        hits = {i for i, part in enumerate(built) if isinstance(look(part, seen), Hit)}
        red |= hits
        if not hits and planned.rule.judge is None:
            yield Problem(
                planned.file, (*path, "samples", "broke", number), "a sample that should break and passes every check",
                "at least one check to turn red", "widen a check of the rule, or move the sample to held",
                "sample-broke",
            )  # fmt: skip
    if planned.rule.samples.broke:
        for number, part in enumerate(built):
            if number not in red and part.name not in OUT_OF_REACH:
                yield Problem(
                    planned.file, (*path, "checks", *_kind_path(planned.rule, part.name)),
                    f"the check {part.name}, which no broken sample turns red", "a sample that shows what it catches",
                    "add such a reply under samples: broke", "no-teeth", "warning",
                )  # fmt: skip


def _kind_path(rule: Rule, name: str) -> tuple[Step, ...]:
    kind = name.partition(".")[0]
    return next((path for one, path, _ in settings(rule.checks) if one == kind), ())


def _without(planned: PlannedRule, path: tuple[Step, ...], built: list[Part]) -> Iterator[Problem]:
    in_reach = [part for part in built if part.name not in OUT_OF_REACH]
    if in_reach and not planned.rule.samples.broke:
        yield Problem(
            planned.file, path, f"the rule {planned.rule.id!r} without a broken sample",
            "samples that show what its checks catch", "add samples: {held: [...], broke: [...]}", "no-samples",
            "warning",
        )  # fmt: skip
