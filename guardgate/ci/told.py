"""What the action found and did, and the page that says so in the step summary."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from guardgate.ci.bots import VALID, Checked
from guardgate.ci.compared import blocks as compared_blocks
from guardgate.ci.play import Played, pieces
from guardgate.gate import MEANING, WORD
from guardgate.github.status import Live
from guardgate.report.escape import markdown_inline, terminal
from guardgate.report.problems import count
from guardgate.report.softening import blocks as weaker
from guardgate.softening import Softening

#: So many problems of a file stand in the summary.
PROBLEMS = 50


@dataclass(frozen=True)
class Told:
    """The whole of one job. `code`: guardgate's own; `exit_code`: what fail-on makes of it for the step.

    `why`: what was done, and why that. `reason`: why the code is not the one of the files or the run. `covers`: how
    much less than everything was attempted. `status`: what the commit is to be told. `settled`: live has spoken about
    this commit, so its comment stays. `notes`: what else the reader must know, the heaviest first. `softened`: what
    the pull request makes weaker; it changes no code. `hint`: why nothing of this is proved.
    `aged`: that the pull request has moved on meanwhile.
    """

    code: int
    exit_code: int
    mode: str
    why: str
    reason: str = ""
    covers: str = ""
    notes: tuple[str, ...] = ()
    checked: tuple[Checked, ...] = ()
    played: tuple[Played, ...] = ()
    commit: str = ""
    status: Live | None = None
    settled: bool = False
    softened: tuple[Softening, ...] = ()
    hint: str = ""
    aged: str = ""

    @property
    def narrowed(self) -> bool:
        """Whether a run of it speaks of less than every case."""
        return any(one.narrowed for one in self.played)

    @property
    def word(self) -> str:
        """The verdict as a word; files that are valid have proved nothing about the bot."""
        return VALID if self.mode == "check" and self.code == 0 else WORD[self.code]

    @property
    def verdict(self) -> str:
        """The verdict in one line, in words of our own."""
        valid = "the files are valid; no attack was played"
        said = valid if self.word == VALID else MEANING[self.code]
        return f"{self.code}: {self.word}: {said}" + (f" ({self.covers})" if self.covers else "")

    @property
    def headline(self) -> str:
        """The verdict, and the reason where there is one; the reason may hold words from outside."""
        return self.verdict + (f": {self.reason}" if self.reason else "")


def step_exit(code: int, fail_on: str) -> int:
    """The exit of the step: 3 always fails it, 2 and 1 as the workflow says."""
    if code == 3 or fail_on == "soft":
        return code
    return code if code == 2 and fail_on == "hard" else 0


def blocks(told: Told) -> Iterator[str]:
    """The page in Markdown, the verdict first; each piece is a whole block."""
    yield f"## {name_of(told)}: {told.verdict}\n\n"
    if told.hint:
        yield f"**{told.hint}.**\n\n"
    if told.reason:
        yield f"{markdown_inline(told.reason)}\n\n"
    if told.exit_code != told.code:
        yield f"**recorded, not gated: the code is {told.code}, and `fail-on` lets the step pass.**\n\n"
    yield from weaker(told.softened)
    yield "".join(f"- {markdown_inline(note)}\n" for note in (*told.notes, told.why) if note) + "\n"
    for one in told.checked:
        yield from checked_blocks(one)
    for played in told.played:
        yield from _played(played, named=len(told.played) > 1)


def name_of(told: Told) -> str:
    """What spoke: `guardgate live`, or `guardgate` alone where nothing was done; first of all whether it is proved."""
    return f"{'Not proved: ' if told.hint else ''}guardgate {told.mode}".strip()


def checked_blocks(one: Checked) -> Iterator[str]:
    """The files of one bot, and what is wrong with them."""
    facts = f"{one.cases} cases on {one.rules} rules" if one.loaded else "it could not be read"
    yield f"### Files of {markdown_inline(one.bot.name)}: {one.word}\n\n{facts}; {count(one.problems)}\n\n"
    items = [
        f"- {problem.severity} at {markdown_inline(f'{one.bot.folder}{problem.file}:{problem.line}:{problem.col}')}: "
        f"{markdown_inline(problem.message)}\n"
        for problem in one.problems[:PROBLEMS]
    ]
    left = len(one.problems) - len(items)
    yield "".join(items) + (f"- and {left} more in the log\n" if left > 0 else "") + "\n"


def _played(played: Played, *, named: bool) -> Iterator[str]:
    if named or played.summary is None:
        yield f"### {markdown_inline(played.bot.name)}: {played.code}\n\n"
    if played.reason:
        yield f"{markdown_inline(played.reason)}\n\n"
    if played.compared is not None:
        yield from compared_blocks(played.compared)
    if played.summary is not None:
        yield from pieces(played, "md", played.bot.workspace)


def spoken(told: Told) -> Iterator[str]:
    """The end of the log: verdict, reasons, notes; each a line."""
    yield f"\n{name_of(told)}: {terminal(told.headline)}\n"
    for note in (*told.notes, told.why):
        yield f"  {terminal(note)}\n" if note else ""
    if told.exit_code != told.code:
        yield f"  recorded, not gated: the code is {told.code}, and fail-on lets the step pass\n"
