"""Proof of teeth: samples that break must turn a check red, samples that hold must not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from guardgate.checks import TABLE, settings
from guardgate.checks.base import Files, Forbids, Hit, Kind, Open, Part, Seen
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


@dataclass(frozen=True, slots=True)
class Built:
    """A part of a check of a rule, with its place below the rule."""

    part: Part
    path: tuple[Step, ...]


def teeth(loaded: Loaded, _environ: Mapping[str, str]) -> Iterator[Problem]:
    """Run the code checks of each rule over its samples."""
    for planned, path in zip(loaded.rules, loaded.rule_paths, strict=True):
        texts = {name: loaded.files[key] for name, key in planned.files.items()}
        built, whole = _built(planned.rule, texts)
        yield from _held(planned, path, built)
        if whole:
            yield from _broke(planned, path, built)
            yield from _without(planned, path, built)


def _built(rule: Rule, texts: Files) -> tuple[list[Built], bool]:
    """The parts of the checks that are without fault, and whether these are all of them."""
    built: list[Built] = []
    whole = True
    for kind, path, spec in settings(rule.checks):
        row = TABLE.get(kind)
        if row is None or _refused(row, spec, texts) or (kind == "json_schema" and spec not in texts):
            whole = False  # the fault itself is reported with the check
            continue
        for part in row.parts(spec, texts):
            key = part.name.partition(".")[2]
            built.append(Built(part, ("checks", *path, *([key] if key else []))))
    return built, whole


def _refused(row: Kind, spec: object, texts: Files) -> bool:
    return any(fault.warning is None for fault in row.faults(spec, texts))


def _held(planned: PlannedRule, path: tuple[Step, ...], built: list[Built]) -> Iterator[Problem]:
    for number, sample in enumerate(planned.rule.samples.held):
        seen = Seen(reply_of(sample))
        results = ((one.part.name, look(one.part, seen)) for one in built)
        hit = next(((name, result) for name, result in results if isinstance(result, Hit)), None)
        if hit is not None:
            yield Problem(
                planned.file, (*path, "samples", "held", number),
                f"a sample under held that breaks the check {hit[0]}: {hit[1].why}",
                "a reply that every check lets pass", "narrow the check, or move the sample to broke", "sample-held",
            )  # fmt: skip


def _broke(planned: PlannedRule, path: tuple[Step, ...], built: list[Built]) -> Iterator[Problem]:
    red: set[int] = set()
    for number, sample in enumerate(planned.rule.samples.broke):
        seen = Seen(reply_of(sample))
        hits = {i for i, one in enumerate(built) if isinstance(look(one.part, seen), Hit)}
        red |= hits
        if not hits and planned.rule.judge is None:
            yield Problem(
                planned.file, (*path, "samples", "broke", number), "a sample under broke that every check lets pass",
                "a reply that at least one check turns red", "widen a check of the rule, or move the sample to held",
                "sample-broke",
            )  # fmt: skip
    for number, one in enumerate(built):
        if planned.rule.samples.broke and number not in red and one.part.name not in OUT_OF_REACH:
            yield Problem(
                planned.file, (*path, *one.path), f"the check {one.part.name}, which no sample under broke turns red",
                "a sample that shows what it catches", "add such a reply under samples: broke", "no-teeth", "warning",
                at_key=True,
            )  # fmt: skip


def _without(planned: PlannedRule, path: tuple[Step, ...], built: list[Built]) -> Iterator[Problem]:
    in_reach = any(one.part.name not in OUT_OF_REACH for one in built)
    if in_reach and not planned.rule.samples.broke:
        yield Problem(
            planned.file, path, f"the rule {planned.rule.id!r} without a sample that breaks it",
            "samples that show what its checks catch", "add samples: {held: [...], broke: [...]}", "no-samples",
            "warning",
        )  # fmt: skip
