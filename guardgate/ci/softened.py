"""What a pull request makes weaker in the files: for the top of the summary and the comment. No code changes by it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from guardgate.ci.base_files import Tree, laid_out, tree
from guardgate.ci.bots import Bot
from guardgate.ci.commands import Annotation
from guardgate.github.api import Api
from guardgate.github.event import PULL_REQUEST, Event
from guardgate.github.failure import ApiFailure
from guardgate.load import PROJECT_FILE, load
from guardgate.loaded import Loaded
from guardgate.report.sentence import say
from guardgate.report.softening import sentence
from guardgate.shipped import PREFIX
from guardgate.softening import KINDS, Softening, compare, worst_first

UNKNOWN = "the base could not be compared"


@dataclass(frozen=True, slots=True)
class Softened:
    """What became weaker, the worst first, and in `notes` what could not be compared, and why."""

    softenings: tuple[Softening, ...] = ()
    notes: tuple[str, ...] = ()


def softened(event: Event, api: Api | ApiFailure, bots: Sequence[Bot], pattern: str) -> Softened:
    """Every bot of the workspace against the merge base of its pull request; nothing on other events.

    `pattern`: which projects the workflow names, for one that is gone.
    """
    if event.name not in PULL_REQUEST or event.base is None or event.head is None or not bots:
        return Softened()
    found = api if isinstance(api, ApiFailure) else api.compare(event.base, event.head)
    if isinstance(api, ApiFailure) or isinstance(found, ApiFailure):
        text = found.text if isinstance(found, ApiFailure) else ""
        return Softened(notes=(f"{UNKNOWN}: {text}",))
    before = tree(bots[0].workspace, api, found)
    if isinstance(before, str):
        return Softened(notes=(f"{UNKNOWN}: {before}",))
    each = [_of_bot(before, bot) for bot in bots]
    gone = _gone(before, pattern)
    softenings = worst_first(one for some in (gone, *(done.softenings for done in each)) for one in some)
    return Softened(softenings, tuple(note for done in each for note in done.notes))


def _of_bot(before: Tree, bot: Bot) -> Softened:
    """One project, where anything in its folder changed."""
    if not before.under(bot.folder):
        return Softened()
    name = bot.file.relative_to(bot.workspace).as_posix()
    if not before.has(name):
        return Softened(notes=(f"{bot.name} is a new project: there is nothing before to compare it with",))
    with tempfile.TemporaryDirectory(prefix="guardgate-before-") as folder:
        place = laid_out(before, bot, Path(folder).resolve())
        base = place if isinstance(place, str) else _read(place, "at the base")
        head = _read(bot.file, "here")
        wrong = next((one for one in (base, head) if isinstance(one, str)), None)
        if wrong is not None:
            return Softened(notes=(f"{UNKNOWN}: {bot.name}: {wrong}",))
        assert isinstance(base, Loaded) and isinstance(head, Loaded)  # noqa: S101, PT018 - neither is a reason
        found = compare(base, head).softenings
    return Softened(tuple(replace(one, file=_seen_from_workspace(bot, one.file)) for one in found))


def _seen_from_workspace(bot: Bot, file: str) -> str:
    """A file of a suite that ships is in no folder of the workspace."""
    return file if file.startswith(PREFIX) else f"{bot.folder}{file}"


def _read(file: Path, where: str) -> Loaded | str:
    loaded, problems = load(file)
    errors = [one for one in problems if one.severity == "error"]
    if loaded is None or errors:
        first = f": in {errors[0].file}, found {errors[0].found}" if errors else ""
        return f"its files {where} have errors{first}"
    return loaded


def annotated(softenings: Iterable[Softening]) -> list[Annotation]:
    """Each at its line; what is gone has none here, so its place stands in the message. No code changes by them."""
    return [
        Annotation(
            "notice" if one.weight == "note" else "warning",
            f"guardgate {one.kind}",
            say(sentence(one), str),
            one.file if one.side == "head" else "",
            one.line if one.side == "head" else 0,
        )
        for one in softenings
    ]


def _gone(before: Tree, pattern: str) -> Iterable[Softening]:
    """Projects that the workflow's pattern found at the base, and that are gone."""
    weight = KINDS["project-removed"].weight
    assert weight != "rule"  # noqa: S101 - a project has no rule
    for name in before.gone(""):
        path = PurePosixPath(name)
        seen = (name, path.parent.as_posix()) if path.name == PROJECT_FILE else (name,)
        plain = pattern.rstrip("/").removeprefix("./") or "."
        if any(one == plain or fnmatchcase(one, plain.replace("**/", "*")) for one in seen):
            yield Softening("project-removed", weight, "project", name, "", "", "", name, 1, "base")
