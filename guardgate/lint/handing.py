"""How targets are handed agents and documents: what visibly cannot arrive, and what nothing could prove."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from guardgate.delivery import BUILDS_PROMPT
from guardgate.errors import Problem, Step, did_you_mean, one_of
from guardgate.framing import TABLE
from guardgate.lint.targets import filled_in
from guardgate.loaded import Loaded
from guardgate.model.project import CommandTarget, HttpTarget, PythonTarget, Run, Target
from guardgate.plan import PlannedCase
from guardgate.targets import find

Found = Iterator[Problem]


def handed_over(loaded: Loaded, environ: Mapping[str, str]) -> Found:
    """Settings of targets, judges and runs under which a system prompt or a document goes nowhere."""
    for section, named in (("targets", loaded.project.targets), ("judges", loaded.project.judges)):
        for name, target in named.items():
            yield from _settings(target, loaded.file, (section, name))
    for name, run in loaded.project.runs.items():
        targets = [(number, one, find(loaded.project, one, environ)) for number, one in enumerate(run.targets)]
        known = [(number, one, target) for number, one, target in targets if target is not None]
        yield from _framings(run, known, loaded.file, ("runs", name, "params", "framing"))
        for number, one, target in known:
            yield from _agents(loaded, run, one, target, ("runs", name, "targets", number))
            yield from _unproved(loaded, one, target, ("runs", name, "targets", number))


def _settings(target: Target, file: str, path: tuple[Step, ...]) -> Found:
    field = target.document == "field"
    if field and target.backend in BUILDS_PROMPT:
        yield Problem(
            file, (*path, "document"), f"document: field at the backend {target.backend!r}, which has no such field",
            "document: message, which puts the document into the first message",
            "remove the key, or use a backend that takes fields: python, http, command", "no-field",
        )  # fmt: skip
    if field and "framing" in target.model_fields_set:
        yield Problem(
            file, (*path, "framing"), "a framing, and document: field, which frames nothing", "one of the two",
            "remove framing, or set document: message", "framing", at_key=True,
        )  # fmt: skip
    if isinstance(target, HttpTarget):
        yield from _request(target, file, path)


def _request(target: HttpTarget, file: str, path: tuple[Step, ...]) -> Found:
    places = filled_in(target.request)
    if target.document == "field" and "document" not in places:
        yield Problem(
            file, (*path, "request"), "document: field, and a request without {document}", "a place for the document",
            'add "{document}" where the service expects it, or remove document: field', "no-document",
        )  # fmt: skip
    if target.document == "message" and "document" in places:
        yield Problem(
            file, (*path, "request"), "{document} in the request of a target that gets documents in its first message",
            "document: field in the target", "add document: field, or take {document} out: nothing fills it",
            "no-document",
        )  # fmt: skip
    if target.system is not None and "system" not in places:
        yield Problem(
            file, (*path, "system"), "a system prompt, and a request without {system}", "a place for it",
            'add "{system}" to the request where the service expects it, or remove system', "no-system",
        )  # fmt: skip


def _framings(
    run: Run, targets: Sequence[tuple[int, str, Target]], file: str, path: tuple[Step, ...]
) -> Found:  # fmt: skip
    framings = run.params.get("framing", ())
    for number, framing in enumerate(framings):
        if not isinstance(framing, str) or framing not in TABLE:
            yield Problem(
                file, (*path, number), f"the unknown framing {framing!r}", one_of(TABLE),
                did_you_mean(str(framing), list(TABLE)) + "name a framing that exists", "framing",
            )  # fmt: skip
    for _, name, target in targets if framings else ():
        if target.document == "field":
            yield Problem(
                file, path, f"framings for the target {name!r}, which gets documents as a field and frames nothing",
                "document: message", "leave the target out of this run, or remove framing here", "framing",
                at_key=True,
            )  # fmt: skip


def _agents(loaded: Loaded, run: Run, name: str, target: Target, path: tuple[Step, ...]) -> Found:
    """A request without {system}, and agents or a sweep over system prompts that need it."""
    if not isinstance(target, HttpTarget) or "system" in filled_in(target.request):
        return
    case = next((one for one in loaded.cases if one.case.agent is not None), None)
    if case is not None or "system" in run.params:
        needing = f"cases with an agent, such as {_place(case)}" if case else "params that replace its system prompt"
        yield Problem(
            loaded.file, path, f"the target {name!r}, whose request has no {{system}}, and {needing}",
            "{system} in the request",
            "add it where the service expects the system prompt, or leave the target out of this run", "no-system",
        )  # fmt: skip


def _unproved(loaded: Loaded, name: str, target: Target, path: tuple[Step, ...]) -> Found:
    """A target that can show of no document that it arrived, and cases whose marker does not show it either."""
    if target.backend in BUILDS_PROMPT or _may_show_reads(target):
        return
    silent = [one for one in loaded.cases if one.case.document is not None and one.case.marker is None]
    if silent:
        yield Problem(
            loaded.file, path, f"the target {name!r}, which cannot show that it read a document, and document cases "
            f"without a marker ({len(silent)}, such as {_place(silent[0])})", "a marker in each of them",
            "add marker: a harmless text, such as a number, that stands in the document and that the task asks for; "
            "without it nothing proves delivery, and the cases stay undecided (not_delivered)", "unproved", "warning",
        )  # fmt: skip


def _may_show_reads(target: Target) -> bool:
    """Whether results of tool calls may show that the agent opened a document that it got as a field."""
    if target.document == "message":
        return False
    if isinstance(target, HttpTarget):
        return target.tool_calls is not None and target.tool_calls.result is not None
    return isinstance(target, PythonTarget | CommandTarget)


def _place(planned: PlannedCase) -> str:
    return f"{planned.case.id!r} ({planned.file}:{planned.line})"
