"""What the command lines of agents have in common: rooms, sessions, availability, and how their errors are read.

Each turn is a process of its own. It begins a session or forks the one of the turn before, so that a turn that
failed leaves nothing behind in the conversation, and may be sent again.
"""

from __future__ import annotations

import re
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from guardgate.backends.base import MAX_REPLY_BYTES, Available, Surroundings
from guardgate.backends.bodies import quote
from guardgate.backends.cli_events import Heard, events
from guardgate.backends.cli_home import Room, at_home, open_room, remove
from guardgate.backends.complaints import Complaint
from guardgate.backends.identity import give
from guardgate.backends.outcomes import honest, of_error
from guardgate.backends.process import child_environment
from guardgate.backends.program import Ended, Order, Programs, killed, on_path
from guardgate.model.project import ClaudeTarget, CodexTarget
from guardgate.record import Failure, Reply, Talk
from guardgate.targets import CLI_PARAMS

#: A program that does not say its version in so many seconds will not answer either.
_ASK_SECONDS = 30.0
#: The events around a reply repeat it, and a few lines more.
_LIMIT = 3 * MAX_REPLY_BYTES
_QUOTED = 200
_VERSION = re.compile(r"\d+\.\d+[\w.+-]*")
_UNKNOWN = re.compile(
    r"(?:unknown option|unexpected argument|Unknown feature flag:?|unrecognized subcommand) '?([\w-]+)"
)
_TODO = {
    "auth": "check the key that the target's env names, or log in and set home: inherit",
    "not_found": "check the target's model, and the address in its env",
    "quota": "add credit or raise the limit at the provider, or use another key",
}


@dataclass(slots=True)
class Place:
    """Where a conversation is: its room, the session of its last answered turn, the sessions that it ever had.

    `spent`: tokens (input, output) that the session had counted by then.
    """

    room: Room
    session: str | None = None
    sessions: list[str] = field(default_factory=list)
    spent: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Need:
    """A call that a usable version answers with all of these words, and without asking a model."""

    arguments: tuple[str, ...]
    words: tuple[str, ...]


class Cli(ABC):
    """A command line program as a target or judge. What differs between programs stands in the subclasses."""

    program: str
    install: str
    known: str
    #: The variable that says where it keeps its settings and sessions, and the name of that folder in HOME.
    folder: tuple[str, str]
    params: tuple[str, ...] = CLI_PARAMS
    needs: tuple[Need, ...]

    def __init__(self, name: str, settings: ClaudeTarget | CodexTarget, around: Surroundings) -> None:
        self.name = name
        self.settings = settings
        self.around = around
        self._programs = Programs()
        self._places: dict[str, Place] = {}

    @abstractmethod
    def switches(self) -> dict[str, str]:
        """Variables that keep the program to this one conversation; what the target's env names wins."""

    @abstractmethod
    def arguments(self, talk: Talk, place: Place, env: Mapping[str, str]) -> list[str]:
        """The arguments for one turn; what they point to is written into the room."""

    @abstractmethod
    def prompt(self, turn: str) -> bytes:
        """What the program reads on its input."""

    @abstractmethod
    def hear(self, found: list[dict[str, Any]], place: Place, env: Mapping[str, str]) -> Heard:
        """What these events say."""

    @abstractmethod
    def traces(self, place: Place, env: Mapping[str, str]) -> Sequence[Path]:
        """What the program keeps of a conversation outside of the room."""

    async def available(self) -> Available | Failure:
        """Whether the program is there and of a version that can be used; its version. No model is asked."""
        refused = self._refused(self.settings.params)
        if refused is not None:
            return refused
        place = Place(open_room())
        try:
            return await self._examine(place)
        finally:
            await remove(place.room.root)

    async def reply(self, talk: Talk) -> Reply | Failure:
        """Play one turn in a process of its own."""
        refused = self._refused(talk.params)
        if refused is not None:
            return refused
        place = self._places.get(talk.id)
        if place is None and talk.replies:
            return Failure("crashed", "the folder of the conversation is gone", "no" if talk.alone else "restart")
        if place is None:
            place = self._places[talk.id] = Place(open_room())
        elif not talk.replies:
            place.session, place.spent = None, (0, 0)
        env = self._environment(place.room)
        if isinstance(env, Failure):
            return env
        return await self._turn(talk, place, env)

    async def forget(self, talk_id: str) -> None:
        """End what runs for the conversation, and remove its folders."""
        place = self._places.get(talk_id)
        if place is None:
            return
        await self._programs.stop(talk_id)
        env = self._environment(place.room)
        await remove(*(() if isinstance(env, Failure) else self.traces(place, env)), place.room.root)
        self._places.pop(talk_id, None)

    async def close(self) -> None:
        """End every program with its group, and remove every folder."""
        await self._programs.close()
        for talk_id in list(self._places):
            await self.forget(talk_id)

    def kept(self, env: Mapping[str, str]) -> Path:
        """Where the program keeps its settings and sessions."""
        variable, folder = self.folder
        return Path(env.get(variable) or Path(env.get("HOME") or env.get("USERPROFILE", "")) / folder)

    def param(self, name: str, talk: Talk) -> str | None:
        """The value of a param: of the talk, of the target's params, or its own key; None: the program's default."""
        own = getattr(self.settings, name, None)
        value = {name: own, **self.settings.params, **talk.params}[name]
        return None if value is None else str(value)

    async def _turn(self, talk: Talk, place: Place, env: Mapping[str, str]) -> Reply | Failure:
        seconds = min(self.around.call_seconds, talk.deadline - time.monotonic())
        order = self._order(self.arguments(talk, place, env), place.room, env, self.prompt(talk.turn), seconds)
        if isinstance(order, Failure):
            return order
        ended = await self._programs.run(talk.id, order)
        if isinstance(ended, Failure):
            return ended
        found, noise = events(ended.text)
        heard = self.hear(found, place, env)
        failure = killed(ended, order, heard.partial) or self._trouble(ended, heard, noise)
        if failure is not None:
            return honest(failure)
        place.session, place.spent = heard.session, heard.spent
        return replace(heard.reply, ms=ended.ms)

    def _trouble(self, ended: Ended, heard: Heard, noise: str | None) -> Failure | None:
        """Why the turn has no reply: what the program says, a bad end, lines that are no events. None: it has one."""
        partial = heard.partial
        if isinstance(heard.trouble, Failure):
            return replace(heard.trouble, partial=partial)
        if heard.trouble is not None:
            return self.said(heard.trouble, partial)
        if ended.code < 0:
            return Failure("crashed", f"{self.program}: ended by a signal; {ended.streams}", "restart", partial=partial)
        unknown = _UNKNOWN.search(ended.errors)
        if ended.code and unknown and not heard.done:
            return self._too_old("a version", f"does not know {unknown[1]}")
        if ended.code:
            return Failure("app_error", f"{self.program} failed; {ended.streams}", partial=partial)
        if noise is not None:
            found = f"{self.program}: found {quote(noise, _QUOTED)} on its output; expected one JSON object a line"
            todo = "take away the wrapper or start-up file that prints it"
            return Failure("malformed", f"{found}; {todo}", partial=partial)
        if not heard.done:
            return Failure("malformed", f"{self.program} ended without a result; {ended.streams}", partial=partial)
        return None

    def said(self, complaint: Complaint, partial: Reply | None) -> Failure:
        """The failure for what the program says of its provider. A turn that failed left nothing: it may be resent."""
        failure = of_error(complaint, "resend", partial)
        status = complaint.names_status()
        detail = f"{self.program}: {quote(complaint.message, 2 * _QUOTED)}{f' (HTTP {status})' if status else ''}"
        return replace(failure, detail=f"{detail}; {_TODO[failure.kind]}" if failure.fatal else detail)

    async def _examine(self, place: Place) -> Available | Failure:
        env = self._environment(place.room)
        if isinstance(env, Failure):
            return env
        said = await self._ask(("--version",), place.room, env)
        if isinstance(said, Failure):
            return said
        version = _VERSION.search(said)
        if version is None:
            return self._too_old(quote(said, _QUOTED), "is no version")
        for need in self.needs:
            said = await self._ask(need.arguments, place.room, env)
            missing = [word for word in need.words if isinstance(said, Failure) or word not in said]
            if missing:
                return self._too_old(f"version {version[0]}", f"does not know {', '.join(missing)}")
        return Available(version[0])

    async def _ask(self, arguments: Sequence[str], room: Room, env: Mapping[str, str]) -> str | Failure:
        """What it writes when it is asked about itself."""
        order = self._order(arguments, room, env, b"", _ASK_SECONDS)
        if isinstance(order, Failure):
            return order
        ended = await self._programs.run("", order)
        if isinstance(ended, Failure):
            return ended
        if ended.killed or ended.code:
            why = "did not end" if ended.killed else "failed"
            asked = f"{self.program} {' '.join(arguments)}"
            return Failure("unavailable", f"{asked} {why}; {ended.streams}; {self._todo}", fatal=True)
        return ended.text

    def _order(
        self, arguments: Sequence[str], room: Room, env: Mapping[str, str], given: bytes, seconds: float
    ) -> Order | Failure:
        program = on_path(self.program, env.get("PATH", ""))
        if program is None:
            found = f"found no program {self.program!r} on PATH; expected {self.known} or newer"
            return Failure("unavailable", f"{found}; {self._todo}", fatal=True)
        give(room.root)
        return Order((program, *arguments), room.work, env, given, seconds, _LIMIT)

    def _environment(self, room: Room) -> dict[str, str] | Failure:
        env = child_environment(self.settings.env, self.around.environ)
        if isinstance(env, Failure):
            return env
        fresh = self.settings.home == "fresh"
        env = at_home({**self.switches(), **env}, room, fresh=fresh)
        return {**env, self.folder[0]: str(room.home / self.folder[1])} if fresh else env

    def _refused(self, params: Mapping[str, Any]) -> Failure | None:
        unknown = [name for name, value in params.items() if name not in self.params and value is not None]
        if not unknown:
            return None
        found = f"params: found {', '.join(map(repr, unknown))}, which {self.program} has no option for"
        return Failure("unavailable", f"{found}; expected {' or '.join(self.params)}; take it out", fatal=True)

    def _too_old(self, found: str, why: str) -> Failure:
        detail = f"{self.program}: found {found}, which {why}; expected {self.known} or newer; {self._todo}"
        return Failure("unavailable", detail, fatal=True)

    @property
    def _todo(self) -> str:
        return f"install it with: {self.install}"
