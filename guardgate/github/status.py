"""The live status of a commit: what a code puts there, and what a later event reads back. A hard break sticks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from guardgate.github.failure import ApiFailure
from guardgate.github.records import CommitStatus, State
from guardgate.report.escape import terminal

if TYPE_CHECKING:  # the client loads httpx
    from guardgate.github.api import Api

CONTEXT = "guardgate/live"
#: GitHub refuses a longer one.
DESCRIPTION_CHARS = 140
#: So many characters of a plan's hash stand in a status.
PLAN_CHARS = 12
#: So many earlier codes are listed, the last ones.
EARLIER = 8
STATES: Mapping[int, State] = MappingProxyType({0: "success", 1: "failure", 2: "failure", 3: "error"})
MEANINGS: Mapping[int, str] = MappingProxyType(
    {
        0: "every attempted rule held",
        1: "a soft rule fell below its threshold",
        2: "a hard rule broke",
        3: "the run could not complete",
    }
)

#: The plan of a run that did not come so far as to have one: nobody knows whose it is, so it stands for all.
NO_PLAN = "0" * PLAN_CHARS
#: So many characters of a hash say which cases of hard rules broke.
BROKE_CHARS = 8

_WRITTEN = re.compile(
    rf"code ([0-3])(, narrowed)?(?:, broke ([0-9a-f]{{{BROKE_CHARS}}}))?, plan ([0-9a-f]{{{PLAN_CHARS}}})"
    r"(?:, earlier [0-3](?: [0-3])*)?: .",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Live:
    """What is put on a commit."""

    state: State
    description: str


@dataclass(frozen=True, slots=True)
class Said:
    """What one of our statuses says. `narrowed`: an option or a shard left rules out.

    `broke`: a hash of the cases of hard rules that broke, also where the code is 3; empty where none did, or an unknown
    one.
    """

    code: int
    plan: str
    narrowed: bool = False
    broke: str = ""

    @property
    def broken(self) -> bool:
        """Whether a hard rule broke."""
        return self.code == 2 or bool(self.broke)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a commit stands. `code`: None while live has not decided. `runs`: every decision, the first one first."""

    code: int | None
    runs: tuple[Said, ...] = ()
    seen: bool = False

    def earlier(self, plan: str) -> tuple[int, ...]:
        """The codes that this plan gave on this commit before."""
        return tuple(run.code for run in self.of(plan))

    def of(self, plan: str) -> tuple[Said, ...]:
        """The runs of this plan on this commit, and those of which nobody knows the plan."""
        return tuple(run for run in self.runs if run.plan in (plan[:PLAN_CHARS], NO_PLAN))


WAITING = Live("pending", "pending: no live run on this commit has decided yet")


def live(
    code: int, plan: str, *, words: str = "", narrowed: bool = False, broke: str = "", earlier: Sequence[int] = ()
) -> Live:
    """The status that a code gives. A narrowed run is never a success, and its 0 leaves the status pending.

    plan: the plan's hash, in hex. words: what the reader should know; the code's meaning where there are none.
    broke: a hash, in hex, of the cases of hard rules that broke.
    """
    if code not in STATES or not re.fullmatch(rf"[0-9a-f]{{{PLAN_CHARS},}}", plan):
        raise ValueError(f"found code {code!r} and plan {plan!r}; expected a code from 0 to 3 and a hash in hex")
    before = " ".join(map(str, earlier[-EARLIER:]))
    which = f", broke {broke[:BROKE_CHARS]}" if broke else ""
    head = f"code {code}{', narrowed' if narrowed else ''}{which}, plan {plan[:PLAN_CHARS]}"
    text = f"{head}{', earlier ' + before if before else ''}: {terminal(words) or MEANINGS[code]}"
    return Live("pending" if narrowed and code == 0 else STATES[code], _cut(text))


def _cut(text: str) -> str:
    """The text in at most 140 UTF-16 units, the largest way to count characters."""
    if len(text.encode("utf-16-le", "replace")) <= 2 * DESCRIPTION_CHARS:
        return text
    room = text.encode("utf-16-le", "replace")[: 2 * (DESCRIPTION_CHARS - 3)]
    return room.decode("utf-16-le", "ignore") + "..."


def said(status: CommitStatus) -> Said | None:
    """What a status of ours says; None for one that is pending, or whose words and state do not agree."""
    match = _WRITTEN.match(status.description or "")
    if match is None:
        return None
    found = Said(int(match[1]), match[4], match[2] is not None, match[3] or "")
    expected = "pending" if found.narrowed and found.code == 0 else STATES[found.code]
    return found if status.state == expected else None


def standing(statuses: Iterable[CommitStatus], author: str, context: str = CONTEXT) -> Standing:
    """Where a commit stands by the statuses of this author in this context; those of others say nothing.

    The last one decides. One that nobody can read is 3. A pending one after a hard break leaves the break.
    """
    own = sorted((one for one in statuses if _is_own(one, author, context)), key=lambda one: one.order)
    decided = [found for one in own if (found := said(one)) is not None]
    runs = tuple(run for run in decided if not (run.narrowed and run.code == 0))
    if not own:
        return Standing(None, runs)
    if own[-1].state == "pending":
        return Standing(2 if _stuck(runs) else None, runs, seen=True)
    last = said(own[-1])
    return Standing(3 if last is None else last.code, runs, seen=True)


def _stuck(runs: Iterable[Said]) -> bool:
    """Whether a hard break is a plan's last word since the last success. A run without an end takes none back."""
    last: dict[str, bool] = {}
    for run in runs:
        if run.code == 0:
            last.clear()
        elif run.code != 3 or run.broken:
            last[run.plan] = run.broken
    return any(last.values())


def _is_own(status: CommitStatus, author: str, context: str) -> bool:
    # GitHub compares both without case
    creator = (status.creator or "").casefold()
    return creator == author.casefold() and status.context.casefold() == context.casefold()


def sticking(code: int, plan: str, before: Standing, *, signed: str = "") -> int:
    """The code that counts for the commit: after a hard break of the same plan, 0 and 1 are 2.

    signed: a hash of the cases of hard rules that broke here too, and that people's marks turned. A break of just
    those is no break any more. A run that could not complete stays 3.
    """
    mine = signed[:BROKE_CHARS]
    stuck = any(run.broken and not (mine and run.broke == mine) for run in before.of(plan))
    return 2 if code in (0, 1) and stuck else code


def read_standing(
    api: Api, commit: str, author: str, context: str = CONTEXT, *, sure: bool = True
) -> Standing | ApiFailure:
    """Where a commit stands, as GitHub has it now.

    sure: GitHub said that we are the author. Where that is a guess, a status of anybody else may be ours too, so there
    must be none.
    """
    found = api.statuses(commit)
    if isinstance(found, ApiFailure):
        return found
    here = [one for one in found if one.context.casefold() == context.casefold()]
    if not sure and any(not _is_own(one, author, context) for one in here):
        text = f"GitHub did not say whom the token speaks for, and {context} of this commit was not written by {author}"
        return ApiFailure("malformed", text)
    return standing(found, author, context)


def publish(
    api: Api, commit: str, status: Live, *, context: str = CONTEXT, target_url: str | None = None
) -> CommitStatus | ApiFailure:
    """Put the status on the commit."""
    return api.create_status(
        commit, state=status.state, context=context, description=status.description, target_url=target_url
    )
