"""From the settings of targets and judges to backends: implicit names, `${NAME}`, secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from guardgate.errors import Unavailable
from guardgate.model.project import ClaudeTarget, CodexTarget, LiteLLMTarget, OpenAITarget, Project, Target

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
ALWAYS = ("claude_cli", "codex_cli")
WITH_MODEL = ("openai", "litellm")
#: What the command lines of agents have an option for; they take no other param.
CLI_PARAMS = ("model", "effort")


@dataclass(frozen=True, slots=True)
class Expanded:
    """Settings with every `${NAME}` filled in, and the values that must never be shown."""

    settings: Target
    secrets: tuple[str, ...]


def implicit(name: str, environ: Mapping[str, str]) -> Target | None:
    """The settings of a backend that needs no entry in the project file, or None."""
    model, base = environ.get("GUARDGATE_MODEL"), _address(environ)
    match name:
        case "claude_cli":
            names = ("ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_BASE_URL")
            return ClaudeTarget(backend="claude_cli", env=_given(names, environ))
        case "codex_cli":
            return CodexTarget(backend="codex_cli", env=_given(("OPENAI_API_KEY", "OPENAI_BASE_URL"), environ))
        case "openai" if model:
            key = _key("OPENAI_API_KEY", environ)
            return OpenAITarget(backend="openai", model=model, base_url=base, api_key=key)
        case "litellm" if model:
            provider = model.partition("/")[0] if "/" in model else "openai"
            key = _key(f"{re.sub(r'[^A-Z0-9]', '_', provider.upper())}_API_KEY", environ)
            return LiteLLMTarget(backend="litellm", model=model, base_url=base, api_key=key)
    return None


def _address(environ: Mapping[str, str]) -> str | None:
    """The address as it is, so that results name it; by its variable where it may hold a password or a key."""
    base = environ.get("GUARDGATE_BASE_URL")
    return "${GUARDGATE_BASE_URL}" if base and ("@" in base or "?" in base) else base


def _given(names: tuple[str, ...], environ: Mapping[str, str]) -> tuple[str, ...]:
    """Those that are set; the first one where none is, so that the message names it."""
    return tuple(name for name in names if environ.get(name)) or names[:1]


def _key(name: str, environ: Mapping[str, str]) -> str | None:
    return f"${{{name}}}" if environ.get(name) else None


def find(project: Project, name: str, environ: Mapping[str, str], *, judge: bool = False) -> Target | None:
    """The settings of a named target or judge, or None."""
    return (project.judges if judge else project.targets).get(name) or implicit(name, environ)


def known(project: Project, environ: Mapping[str, str], *, judge: bool = False) -> list[str]:
    """Every name that `find` knows."""
    named = list(project.judges if judge else project.targets)
    return named + [name for name in (*ALWAYS, *WITH_MODEL) if name not in named and implicit(name, environ)]


def variables(value: Any) -> Iterator[str]:
    """Names of the variables that a value mentions as `${NAME}`."""
    if isinstance(value, str):
        yield from _VARIABLE.findall(value)
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from variables(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from variables(inner)


def expand(name: str, settings: Target, environ: Mapping[str, str]) -> Expanded:
    """Fill in `${NAME}`. Raises Unavailable, by name, for a variable that is not set."""
    dumped = settings.model_dump(mode="python", exclude_unset=True)
    needed = set(variables(dumped)) | {entry for entry in settings.env if "=" not in entry}
    missing = sorted(variable for variable in needed if not environ.get(variable))
    if missing:
        raise Unavailable(name, f"the environment variable {missing[0]} is not set", f"set {', '.join(missing)}")
    filled = type(settings).model_validate(_filled(dumped, environ))
    return Expanded(filled, tuple(environ[variable] for variable in sorted(needed)))


def _filled(value: Any, environ: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return _VARIABLE.sub(lambda match: environ[match.group(1)], value)
    if isinstance(value, Mapping):
        return {key: _filled(inner, environ) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_filled(inner, environ) for inner in value]
    return value


def secrets_of(project: Project, environ: Mapping[str, str]) -> tuple[str, ...]:
    """The values of every variable that a target or judge of the project names: they must never be shown."""
    names: set[str] = set()
    for settings in (*project.targets.values(), *project.judges.values()):
        names |= set(variables(settings.model_dump(mode="python", exclude_unset=True)))
        names |= {entry for entry in settings.env if "=" not in entry}
    return tuple(environ[name] for name in sorted(names) if environ.get(name))
