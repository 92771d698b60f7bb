"""The table of report formats: one file each, imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from guardgate.errors import Refused, did_you_mean, one_of

if TYPE_CHECKING:  # one file of this package, such as the escapes, is needed where nothing is counted
    from guardgate.gate import Gate
    from guardgate.record import Attempt
    from guardgate.summary import Summary

#: Where the renderer of each format stands: `render(summary, gate, about, attempts=..., colour=..., brief=...)`.
FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "html": "guardgate.report.html:render",
        "json": "guardgate.report.programs:render",
        "junit": "guardgate.report.junit:render",
        "md": "guardgate.report.markdown:render",
        "redacted": "guardgate.report.redacted:render",
        "sarif": "guardgate.report.sarif:render",
        "terminal": "guardgate.report.terminal:render",
    }
)


def needs(form: str, summary: Summary) -> Callable[[int], bool]:
    """Which attempts, by number, a format shows with more than the first finding although they held."""
    plan = summary.plan
    if form == "html":
        from guardgate.report.html.attempts import Choice  # noqa: PLC0415 - only this format

        return Choice(summary).keeps
    if form == "redacted":  # it names who decided: a judge, where no check did
        judged = [not (one.forbids or one.requires) for one in plan.deciders]
        return lambda n: judged[plan.at(n).case]
    return lambda _n: False


def render(
    form: str, summary: Summary, gate: Gate, head: Mapping[str, Any], results: str, *,
    attempts: Iterable[Attempt] = (), colour: bool = False, brief: bool = False, folder: str = "",
) -> Iterator[str]:  # fmt: skip
    """The report in pieces of whole blocks. `head`: the first line of the file `results`. Raises Refused.

    `folder`: where the project lies in its repository, for formats whose readers look from there.
    """
    place = FORMATS.get(form)
    if place is None:
        todo = did_you_mean(form, list(FORMATS)) + "name a format of the list"
        raise Refused("the format", repr(form), one_of(FORMATS), todo)
    from guardgate.report.about import about  # noqa: PLC0415 - only where a report is made

    module, function = place.split(":")
    pieces: Iterator[str] = getattr(import_module(module), function)(
        summary,
        gate,
        replace(about(head, results, summary.end), folder=folder),
        attempts=attempts,
        colour=colour,
        brief=brief,
    )
    return pieces
