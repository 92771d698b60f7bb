"""The one comment of a project on a pull request: what it says, in which order, and how long it may be."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import replace

from guardgate.ci.compared import blocks as compared_blocks
from guardgate.ci.inputs import Inputs
from guardgate.ci.play import Played
from guardgate.ci.summary import bounded
from guardgate.ci.told import Told, checked_blocks, name_of
from guardgate.github.event import Event
from guardgate.report.about import about
from guardgate.report.content import Block, Heading, content
from guardgate.report.escape import markdown_inline
from guardgate.report.markdown import laid_out
from guardgate.report.softening import blocks as weaker
from guardgate.report.tables import Table
from guardgate.source import fingerprint

#: GitHub refuses more than 65,536 characters; bytes are never fewer.
MOST = 60_000
#: How many broken attempts are shown.
BROKEN = 10
_KEY = re.compile(r"[^A-Za-z0-9._/*-]")


def marker(inputs: Inputs, kind: str = "comment") -> str:
    """The first line, which only ours has. Another project or status has another one; at night another run, too."""
    night = f" {inputs.run}" if kind == "night" and inputs.run != "default" else ""
    named = f"{inputs.project} {inputs.status_context}{night}"
    key = _KEY.sub("_", named)[:100]
    plain = key == named.replace(" ", "_") and " " not in f"{inputs.project}{inputs.status_context}{inputs.run}"
    return f"<!-- guardgate {kind} {key}{'' if plain else f'_{fingerprint(named)[:12]}'} -->"


def quiet(inputs: Inputs, event: Event) -> bool:
    """Whether no word of a reply is shown: by default where everybody can read it, or nobody knows who can."""
    if inputs.comment_replies == "auto":
        return event.private is not True
    return inputs.comment_replies == "none"


def body(told: Told, inputs: Inputs, event: Event, before: int = 0) -> str:
    """The whole comment, cut between blocks. `before`: so many bytes stand before it."""
    return bounded(_blocks(told, inputs, event), MOST - before)


def _blocks(told: Told, inputs: Inputs, event: Event) -> Iterator[str]:
    """Verdict, with what was not run; what became weaker; then run by run; how to run again."""
    yield f"## {name_of(told)}: {told.verdict}\n\n"
    for warning in (told.hint, told.aged):
        if warning:
            yield f"**{warning}.**\n\n"
    silent = quiet(inputs, event)
    if told.reason:
        yield f"{markdown_inline(_quieted(told) if silent else told.reason)}\n\n"
    runs = [_Run(played, silent, named=len(told.played) > 1) for played in told.played]
    for run in runs:
        yield from run.first()
    about_commit = f"commit {markdown_inline(told.commit[:12])}" if told.commit else ""
    facts = [about_commit, *(markdown_inline(note) for note in (*told.notes, told.why) if note)]
    yield "".join(f"- {fact}\n" for fact in facts if fact) + "\n"
    yield from weaker(told.softened)
    yield from _files(told, wrong=True)
    for run in runs:
        yield from run.rest()
    yield from _files(told, wrong=False)
    yield from _again(told, inputs, event)


def _files(told: Told, *, wrong: bool) -> Iterator[str]:
    """What `check` says: errors stand before the runs, mere warnings behind them."""
    for one in told.checked:
        if one.problems and (one.code != 0) is wrong:
            yield from checked_blocks(one)


def _quieted(told: Told) -> str:
    """The reason; of the one of a run only how it begins, since the rest may be words of the bot or of its server."""
    if not any(told.reason == one.reason and not one.compared for one in told.played):
        return told.reason
    first = re.split(r": |; ", told.reason, maxsplit=1)[0]
    whole = first == told.reason
    return first if whole else f"{first}; why, in words of others, stands in the step summary"


class _Run:
    """One run as the reports tell it, in two parts: what its verdict speaks of, and everything else."""

    def __init__(self, played: Played, silent: bool, *, named: bool) -> None:
        self._played, self._silent, self._named = played, silent, named
        self._first, self._rest = _parts(played, silent)

    def first(self) -> Iterator[str]:
        """Its verdict, where it is not the only one, with what broke and how much was attempted."""
        played = self._played
        if self._named:
            yield f"### {markdown_inline(played.bot.name)}: {played.verdict}\n\n"
        if self._named and played.summary is None and played.reason and not self._silent:
            yield f"{markdown_inline(played.reason)}\n\n"
        yield from map(laid_out, self._first)

    def rest(self) -> Iterator[str]:
        """What broke, what is undecided, the tables, the run in numbers."""
        if self._named and self._rest:
            yield f"### {markdown_inline(self._played.bot.name)}\n\n"
        if self._played.compared is not None:
            yield from compared_blocks(self._played.compared)
        yield from map(laid_out, self._rest)


def _parts(played: Played, silent: bool) -> tuple[list[Block], list[Block]]:
    """The blocks of a report up to its second heading, without the first, and the others; nothing that held."""
    if played.summary is None or played.gated is None or played.results is None:
        return [], []
    name = played.results.path.relative_to(played.bot.workspace).as_posix()
    facts = about(played.results.head, name, played.summary.end)
    shown = replace(played.summary, passes=())  # `broken` is a promise: what held is in the step summary
    blocks = [*map(_verdict_first, content(shown, played.gated, facts, broken=BROKEN, quiet=silent))][1:]
    at = next((number for number, block in enumerate(blocks) if isinstance(block, Heading)), len(blocks))
    return blocks[:at], blocks[at:]


def _verdict_first(block: Block) -> Block:
    """A table whose last column is the verdict, with it behind the first: GitHub hides what is too far right."""
    if not isinstance(block, Table) or block.columns[-1].head != "verdict":
        return block
    rows = tuple((row[0], row[-1], *row[1:-1]) for row in block.rows)
    first, *others, verdict = block.columns
    return replace(block, columns=(first, verdict, *others), rows=rows)


def _again(told: Told, inputs: Inputs, event: Event) -> Iterator[str]:
    yield "### How to run it again\n\n"
    if event.url:
        yield f"- the log, the step summary, the results to download: [the page of the run]({event.url})\n"
    label = markdown_inline(inputs.live_label)
    yield f"- on GitHub: put the label {label} on the pull request; that plays its newest commit\n"
    for one in told.checked:
        name, file = shlex.quote(inputs.run), shlex.quote(f"--project={one.bot.name}")
        command = f"guardgate run {file} -- {name}" if told.played else f"guardgate check {file}"
        yield f"- on your machine: {markdown_inline(command)}\n"
    yield "\n"
