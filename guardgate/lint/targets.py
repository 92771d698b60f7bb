"""Targets and judges: keys that are not written down, templates and paths that can be read, scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from guardgate.backends.template import placeholders
from guardgate.checks.pattern import pattern_faults
from guardgate.checks.state import path_faults
from guardgate.errors import Problem, Step, did_you_mean, one_of
from guardgate.lint.rules import as_problem
from guardgate.loaded import Loaded
from guardgate.model.project import HttpTarget, Target
from guardgate.targets import variables

#: What a request template may name besides its params.
FILLED = ("turn", "messages", "session", "system", "task", "document")
_SECRET_HEADER = re.compile(r"auth|token|secret|cookie|password|credential|api[-_]?key", re.ASCII | re.IGNORECASE)

Found = Iterator[Problem]


def target_problems(loaded: Loaded, _environ: Mapping[str, str]) -> Found:
    """What is wrong with the settings of one target or judge."""
    for section, named in (("targets", loaded.project.targets), ("judges", loaded.project.judges)):
        for name, target in named.items():
            path = (section, name)
            yield from _literal_keys(target, loaded.file, path)
            if isinstance(target, HttpTarget):
                yield from _http(target, loaded.file, path)
    for file, script in loaded.scripts.items():
        for number, line in enumerate(script.root):
            if "when" in line.model_fields_set:
                for fault in pattern_faults(line.when, (number, "when")):
                    yield as_problem(fault, file, (), "script")


def _literal_keys(target: Target, file: str, path: tuple[Step, ...]) -> Found:
    key = getattr(target, "api_key", None)
    if key is not None and not re.fullmatch(r"\$\{[A-Za-z_][A-Za-z0-9_]*\}", key):
        yield _literal(file, (*path, "api_key"), "api_key")
    for header, value in getattr(target, "headers", {}).items():
        if _SECRET_HEADER.search(header) and not list(variables(value)):
            yield _literal(file, (*path, "headers", header), f"the header {header}")
    for number, entry in enumerate(target.env):
        name, sign, _ = entry.partition("=")
        if sign and _SECRET_HEADER.search(name) and not list(variables(entry)):
            yield _literal(file, (*path, "env", number), f"the variable {name}")


def _literal(file: str, path: tuple[Step, ...], what: str) -> Problem:
    return Problem(
        file, path, f"a literal value for {what}", "${NAME}, filled in from the environment when a run starts",
        "put the secret into an environment variable and name it here", "literal-key",
    )  # fmt: skip


def _http(target: HttpTarget, file: str, path: tuple[Step, ...]) -> Found:
    used = placeholders(target.request)
    known = [*FILLED, *target.params]
    for name in sorted(used - set(known)):
        yield Problem(
            file, (*path, "request"), f"the unknown placeholder {{{name}}}", one_of(known),
            did_you_mean(name, known) + "correct it, or add it under params", "unknown-placeholder",
        )  # fmt: skip
    if not used & {"turn", "messages"}:
        yield Problem(
            file, (*path, "request"), "a request without {turn} or {messages}", "a place for the user's words",
            'add "{turn}" where the service expects the message', "no-turn",
        )  # fmt: skip
    for name in target.params:
        if name not in used:
            yield Problem(
                file, (*path, "params", name), f"the param {name!r}, which the request does not use",
                f"{{{name}}} in the request", "add it to the request, or remove it here", "unused-param", at_key=True,
            )  # fmt: skip
    paths = {"reply": target.reply, "session": target.session, "state": target.state}
    for key, value in paths.items():
        if value is not None:
            for fault in path_faults(value, (key,), filters=True):
                yield as_problem(fault, file, path, "path")
    if target.tool_calls is not None:
        for fault in path_faults(target.tool_calls.path, ("tool_calls", "path"), filters=True):
            yield as_problem(fault, file, path, "path")
