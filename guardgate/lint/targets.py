"""Targets and judges: keys that are not written down, templates and paths that can be read, scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from guardgate.backends.template import placeholders
from guardgate.checks.pattern import refusal, shown
from guardgate.checks.state import path_faults
from guardgate.errors import Problem, Step, did_you_mean, one_of
from guardgate.lint.rules import as_problem
from guardgate.loaded import Loaded
from guardgate.model.project import ClaudeTarget, CodexTarget, CommandTarget, HttpTarget, Target
from guardgate.targets import CLI_PARAMS, variables

#: What a request template may name besides its params.
FILLED = ("turn", "messages", "session", "system", "task", "document")
#: Words that names of secrets are made of.
_SECRET = frozenset(
    {"auth", "authorization", "authentication", "token", "secret", "cookie", "password", "passwd", "passphrase"}
    | {"credential", "credentials", "apikey", "key"}
)
_VARIABLE = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*\}")
_IN_URL = re.compile(r"://[^/@]*:(?P<password>[^/@]+)@|[?&](?P<name>[^=&#]+)=(?P<value>[^&#]+)")

Found = Iterator[Problem]


def target_problems(loaded: Loaded, _environ: Mapping[str, str]) -> Found:
    """What is wrong with the settings of one target or judge."""
    for section, named in (("targets", loaded.project.targets), ("judges", loaded.project.judges)):
        for name, target in named.items():
            path = (section, name)
            yield from _literal_keys(target, loaded.file, path)
            if isinstance(target, HttpTarget):
                yield from _http(target, loaded.file, path)
            elif isinstance(target, ClaudeTarget | CodexTarget):
                yield from _options(target, loaded.file, path)
            elif isinstance(target, CommandTarget) and target.input == "text":
                yield from _text_only(target, loaded.file, path)
    for file, script in loaded.scripts.items():
        for number, line in enumerate(script.root):
            reason = refusal(line.when)
            if reason is not None:
                yield Problem(
                    file, (number, "when"), f"the pattern {shown(line.when)}: {reason}", "a pattern in RE2 syntax",
                    "correct the pattern", "script",
                )  # fmt: skip


def _secret_name(name: str) -> bool:
    """Whether a name speaks of a secret: X-Api-Key and MY_TOKEN do, MAX_TOKENS does not."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("-", " ").replace("_", " ").lower().split()
    return any(word in _SECRET for word in words)


def _literal_keys(target: Target, file: str, path: tuple[Step, ...]) -> Found:
    key = getattr(target, "api_key", None)
    if key is not None and not _VARIABLE.fullmatch(key):
        yield _literal(file, (*path, "api_key"), "api_key")
    for header, value in getattr(target, "headers", {}).items():
        if _secret_name(header) and not list(variables(value)):
            yield _literal(file, (*path, "headers", header), f"the header {header}")
    for number, entry in enumerate(target.env):
        name, sign, _ = entry.partition("=")
        if sign and _secret_name(name) and not list(variables(entry)):
            yield _literal(file, (*path, "env", number), f"the variable {name}")
    for address in ("url", "base_url"):
        for match in _IN_URL.finditer(getattr(target, address, None) or ""):
            secret = match["password"] or (match["value"] if _secret_name(match["name"]) else "")
            if secret and not list(variables(secret)):
                yield _literal(file, (*path, address), f"a secret in {address}")
                break
    for section in ("params", "request"):
        for below, text in _texts(getattr(target, section, {}), (section,)):
            if _secret_name(str(below[-1])) and text and "{" not in text:
                yield _literal(file, (*path, *below), repr(below[-1]))


def _literal(file: str, path: tuple[Step, ...], what: str) -> Problem:
    return Problem(
        file, path, f"a literal value for {what}", "${NAME}, filled in from the environment when a run starts",
        "put the secret into an environment variable and name it here", "literal-key",
    )  # fmt: skip


def filled_in(structure: Any) -> set[str]:
    """The names that a request fills in; `${NAME}` is none, it stands for a variable."""
    texts = (text for _, text in _texts(structure, ()))
    return set().union(*(placeholders(_VARIABLE.sub("", text)) for text in texts))


def _texts(value: Any, path: tuple[Step, ...]) -> Iterator[tuple[tuple[Step, ...], str]]:
    """Every text in a structure, with its place; keys are none."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping | list | tuple):
        for step, inner in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from _texts(inner, (*path, step))


def _options(target: ClaudeTarget | CodexTarget, file: str, path: tuple[Step, ...]) -> Found:
    """Params that the program has no option for; one of null asks for nothing."""
    for name, value in target.params.items():
        if name not in CLI_PARAMS and value is not None:
            yield Problem(
                file, (*path, "params", name), f"the param {name!r}, which {target.backend} has no option for",
                one_of(CLI_PARAMS), did_you_mean(name, CLI_PARAMS) + "remove it, or use another backend",
                "unknown-param", at_key=True,
            )  # fmt: skip


def _text_only(target: CommandTarget, file: str, path: tuple[Step, ...]) -> Found:
    """A program that reads the turn and nothing else."""
    given = {"params": bool(target.params), "system": target.system is not None, "document": target.document == "field"}
    for key in (key for key, is_given in given.items() if is_given):
        yield Problem(
            file, (*path, key), f"{key}, and input: text, with which the program reads the turn and nothing else",
            "input: json, which hands over everything", f"set input: json, or remove {key}", "text-only", at_key=True,
        )  # fmt: skip


def _http(target: HttpTarget, file: str, path: tuple[Step, ...]) -> Found:
    used = filled_in(target.request)
    known = [*FILLED, *target.params]
    for below, text in _texts(target.request, ("request",)):
        for name in sorted(filled_in(text) - set(known)):
            yield Problem(
                file, (*path, *below), f"the unknown placeholder {{{name}}}", one_of(known),
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
    paths = {"reply": target.reply, "session": target.session, "state": target.state, "error": target.error}
    for key, value in paths.items():
        if value is not None:
            for fault in path_faults(value, (key,), filters=True):
                yield as_problem(fault, file, path, "path")
    if target.tool_calls is not None:
        for fault in path_faults(target.tool_calls.path, ("tool_calls", "path"), filters=True):
            yield as_problem(fault, file, path, "path")
