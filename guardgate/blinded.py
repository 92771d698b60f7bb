"""Checks for words that are a secret of the run: replies come without them, so such a check can see nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from guardgate.checks import settings
from guardgate.errors import Refused
from guardgate.intake import Intake
from guardgate.model.checks import Checks
from guardgate.opening import Order
from guardgate.plan import Plan
from guardgate.planning import asked
from guardgate.targets import find, variables


def refuse_blind_checks(order: Order, planned: Plan) -> None:
    """Raises Refused, naming the check and the variable, never its value."""
    doors = {name: Intake((order.environ.get(name, ""),)) for name in sorted(_variables(order, planned))}
    if not doors:
        return
    every = [(f"the rule {one.rule.id}", one.rule.checks) for one in planned.rules]
    for where, checks in (*every, *((f"the case {one.case.id}", one.case.checks) for one in planned.cases)):
        for kind, text in _texts(checks):
            name = next((name for name, door in doors.items() if door.redact(text) != text), None)
            if name is not None:
                raise Refused(
                    where, f"the check {kind} with the value of {name}, a secret that is taken out of every reply",
                    "words that a reply can bring",
                    "look for something else, or write NAME=value under env where the value is no secret",
                )  # fmt: skip


def _variables(order: Order, planned: Plan) -> Iterator[str]:
    """Those of the targets and judges of the run, whose values are replaced."""
    named = [(name, False) for name in order.settings.targets] + [(name, True) for name in asked(planned.panel)]
    for name, judge in named:
        target = find(order.loaded.project, name, order.environ, judge=judge)
        if target is not None:
            yield from variables(target.model_dump(mode="python", exclude_unset=True))
            yield from (entry for entry in target.env if "=" not in entry)


def _texts(checks: Checks) -> Iterator[tuple[str, str]]:
    """(kind, text) of all that the checks look for."""
    for kind, _, spec in settings(checks):
        left = [spec.model_dump(mode="python") if hasattr(spec, "model_dump") else spec]
        while left:
            one: Any = left.pop()
            if isinstance(one, str):
                yield kind, one
            elif isinstance(one, Mapping):
                left += one.values()
            elif isinstance(one, list | tuple):
                left += one
