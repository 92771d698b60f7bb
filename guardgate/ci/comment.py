"""The one comment of a project on a pull request: what it says, in which order, and how long it may be."""

from __future__ import annotations

import re
from collections.abc import Iterator

from guardgate.ci.compared import blocks as compared_blocks
from guardgate.ci.inputs import Inputs
from guardgate.ci.play import Played
from guardgate.ci.summary import bounded
from guardgate.ci.told import Told, checked_blocks, name_of
from guardgate.github.event import Event
from guardgate.report.about import about
from guardgate.report.content import Heading, content
from guardgate.report.escape import markdown_inline
from guardgate.report.markdown import laid_out
from guardgate.report.softening import blocks as weaker

#: GitHub refuses more than 65,536 characters; bytes are never fewer.
MOST = 60_000
#: How many broken attempts are shown.
BROKEN = 10
_KEY = re.compile(r"[^A-Za-z0-9._/*-]")


def marker(inputs: Inputs, kind: str = "comment") -> str:
    """The first line, which only ours has; a job of another project or status has another one."""
    key = _KEY.sub("_", f"{inputs.project} {inputs.status_context}")[:120]
    return f"<!-- guardgate {kind} {key} -->"


def quiet(inputs: Inputs, event: Event) -> bool:
    """Whether no word of a reply is shown: by default where everybody can read it, or nobody knows who can."""
    if inputs.comment_replies == "auto":
        return event.private is not True
    return inputs.comment_replies == "none"


def body(told: Told, inputs: Inputs, event: Event, kind: str = "comment") -> str:
    """The whole comment, cut between blocks."""
    first = f"{marker(inputs, kind)}\n"
    return first + bounded(_blocks(told, inputs, event), MOST - len(first.encode()))


def _blocks(told: Told, inputs: Inputs, event: Event) -> Iterator[str]:
    """Verdict; what was not run; what became weaker; then run by run; how to run again."""
    yield f"## {name_of(told)}: {told.verdict}\n\n"
    if told.reason:
        yield f"{markdown_inline(told.reason)}\n\n"
    about_commit = f"commit {markdown_inline(told.commit[:12])}" if told.commit else ""
    facts = [about_commit, *(markdown_inline(note) for note in (*told.notes, told.why) if note)]
    yield "".join(f"- {fact}\n" for fact in facts if fact) + "\n"
    yield from weaker(told.softened)
    for one in told.checked:
        if one.problems:
            yield from checked_blocks(one)
    silent = quiet(inputs, event)
    for played in told.played:
        yield from _played(played, silent, named=len(told.played) > 1)
    yield from _again(told, inputs)


def _played(played: Played, silent: bool, *, named: bool) -> Iterator[str]:
    """One run as the reports tell it; its verdict stands above already where it is the only one."""
    if named or played.summary is None:
        yield f"### {markdown_inline(played.bot.name)}: {played.verdict}\n\n"
    if played.summary is None or played.gated is None or played.results is None:
        yield f"{markdown_inline(played.reason)}\n\n" if played.reason and not silent else ""
        return
    if played.compared is not None:
        yield from compared_blocks(played.compared)
    name = played.results.path.relative_to(played.bot.workspace).as_posix()
    facts = about(played.results.head, name, played.summary.end)
    for block in content(played.summary, played.gated, facts, broken=BROKEN, quiet=silent):
        if isinstance(block, Heading) and block.first:
            continue
        yield laid_out(block)


def _again(told: Told, inputs: Inputs) -> Iterator[str]:
    yield "### How to run it again\n\n"
    label = markdown_inline(inputs.live_label)
    yield f"- here: put the label {label} on the pull request; it plays the commit that is the head then\n"
    for one in told.checked:
        command = f"guardgate run {inputs.run}" if told.played else "guardgate check"
        command += f" --project {one.bot.name}"
        yield f"- on your machine: {markdown_inline(command)}\n"
    yield "\n"
