"""A shipped suite as a project wants it: judges beside its checks, and the bot's own canary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from guardgate.checks.canary import LEAST, compact
from guardgate.entries import rule_sha
from guardgate.errors import Problem, Step, one_of
from guardgate.model.checks import Canary
from guardgate.model.constraints import Criterion, Rule
from guardgate.model.project import UseSuite
from guardgate.model.suite import JudgeSettings
from guardgate.plan import PlannedCase, PlannedRule
from guardgate.reader import Reader


def named_by(word: str, rules: Sequence[str]) -> list[str]:
    """The rule with this id, or those that it begins up to a dash: P01 is P01-secrecy."""
    return [word] if word in rules else [one for one in rules if one.startswith(f"{word}-")]


def adapted(
    reader: Reader,
    planned: PlannedRule,
    use: UseSuite,
    judged: Mapping[str, JudgeSettings],
    criteria: Mapping[str, Criterion],
) -> PlannedRule:
    """The rule with the criteria that the suite has for it, and with the project's canaries where it looks for any."""
    rule = planned.rule
    if use.judged and rule.id in judged:
        rule = rule.model_copy(update={"judge": judged[rule.id]})
    if use.canary and rule.checks.canary:
        # Into each list that is there: what proves its teeth, proves them for all of its values.
        spec = tuple(Canary(values=tuple(dict.fromkeys((*one.values, *use.canary)))) for one in _specs(rule))
        rule = rule.model_copy(update={"checks": rule.checks.model_copy(update={"canary": spec})})
    if rule is planned.rule:
        return planned
    return replace(planned, rule=rule, sha=rule_sha(rule, criteria, planned.files, reader.files))


def _specs(rule: Rule) -> tuple[Canary, ...]:
    spec = rule.checks.canary
    return (spec,) if isinstance(spec, Canary) else tuple(spec or ())


def canaries(rule: Rule) -> Iterator[str]:
    """The canaries that a rule looks for."""
    for one in _specs(rule):
        yield from one.values


def unheard(
    use: UseSuite,
    rules: Sequence[PlannedRule],
    cases: Sequence[PlannedCase],
    judged: Mapping[str, JudgeSettings],
    file: str,
    path: tuple[Step, ...],
) -> Iterator[Problem]:
    """Wishes that change nothing in this suite."""
    if use.judged and not judged:
        yield Problem(
            file, (*path, "judged"), f"judged, where {use.use} has nothing to ask a judge beside its checks",
            "a suite with such criteria", "remove judged", "nothing-to-judge",
        )  # fmt: skip
    if not use.canary:
        return
    for number, value in enumerate(use.canary):
        if len(compact(value)) < LEAST:
            yield Problem(
                file, (*path, "canary", number), f"the canary {value!r}, with fewer than {LEAST} letters and digits",
                "a secret that nobody says by chance", "choose a longer one", "check",
            )  # fmt: skip
    looking = {one.rule.id.partition("/")[2] for one in rules if one.rule.checks.canary}
    own_agents = any(one.case.agent is not None for one in cases)
    if own_agents or not looking:
        why = "whose agents have canaries of their own" if looking else "which looks for none"
        yield Problem(
            file, (*path, "canary"), f"a canary for {use.use}, {why}",
            "a suite that looks for a canary in your bot", "remove canary", "canary-unused",
        )  # fmt: skip
    elif looking <= {one for word in (*use.rules, *use.without) for one in named_by(word, sorted(looking))}:
        yield Problem(
            file, (*path, "canary"), "a canary, and each rule that looks for one is mapped or left out",
            f"{one_of(sorted(looking))} as a rule of the suite",
            "write it into your own rule, checks: {canary: {values: [SECRET]}}, and remove canary here",
            "canary-unused",
        )  # fmt: skip
