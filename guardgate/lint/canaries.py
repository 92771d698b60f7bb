"""Canaries that a shipped suite looks for, and that nobody gave to the system under test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from guardgate.adapting import canaries
from guardgate.errors import Problem, Step
from guardgate.loaded import MAX_NAMED, Loaded
from guardgate.reader import folder_of
from guardgate.shipped import PREFIX
from guardgate.source import Reason, inside, read_text


def unplaced(loaded: Loaded, _environ: Mapping[str, str]) -> Iterator[Problem]:
    """A suite whose canary stands in no file of the project: a warning, or a note where no file could show it."""
    texts = dict(_texts(loaded))
    for index, entry in enumerate(loaded.project.suites):
        word = entry if isinstance(entry, str) else entry.use
        path: tuple[Step, ...] = ("suites", index) if isinstance(entry, str) else ("suites", index, "use")
        if not word.startswith(PREFIX):
            continue
        own = () if isinstance(entry, str) else entry.canary
        for value, rules in _wanted(loaded, word, own).items():
            if not any(value in text for text in texts.values()):
                yield _problem(loaded.file, path, value, rules, list(texts))


def _problem(file: str, path: tuple[Step, ...], value: str, rules: list[str], looked: list[str]) -> Problem:
    where = f"in none of {', '.join(looked)}" if looked else "and no file of the project could hold it"
    return Problem(
        file, path, f"the canary {value!r} of {', '.join(rules)} {where}",
        "it in the bot's instructions, since code proves with it that they leaked",
        "put it there (docs/suites.md, 'A canary for your bot'), or write canary: [SECRET] beside use for your own",
        "canary-not-placed", "warning" if looked else "note",
    )  # fmt: skip


def _wanted(loaded: Loaded, word: str, own: Sequence[str]) -> dict[str, list[str]]:
    """The ids of a suite's rules by the canary that they look for; none where its cases bring the agent that has it.

    Where the project names canaries of its own, the suite's one need not be anywhere.
    """
    inside_suite = f"{word}/"
    if any(one.case.agent is not None for one in loaded.cases if one.file.startswith(inside_suite)):
        return {}
    found: dict[str, list[str]] = {}
    for planned in loaded.rules:
        for value in canaries(planned.rule) if planned.file.startswith(inside_suite) else ():
            if not own or value in own:
                found.setdefault(value, []).append(planned.rule.id)
    return found


def _texts(loaded: Loaded) -> Iterator[tuple[str, str]]:
    """The project's own texts about its bot, by name: system prompts, the persona, and what its rules point at."""
    prompts = [target.system for target in loaded.project.targets.values()]
    prompts += [
        one for run in loaded.project.runs.values() for one in run.params.get("system", ()) if isinstance(one, str)
    ]
    yield from ((name, loaded.files[name]) for name in prompts if name is not None and name in loaded.files)
    own = [(one.rule.source, one.file) for one in loaded.rules if not one.file.startswith(PREFIX)]
    persona = [(loaded.constraints.persona, loaded.constraints.file)] if loaded.constraints is not None else []
    for name, file in dict.fromkeys((*persona, *own)):
        place = inside(loaded.root, folder_of(loaded.root, file), (name or "").partition("#")[0], MAX_NAMED)
        text = read_text(Path(place), MAX_NAMED) if not isinstance(place, Reason) else place
        if not isinstance(text, Reason):  # that it cannot be read is told with the rule
            yield (name or "").partition("#")[0], text
