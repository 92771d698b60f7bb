"""The results file: one line a thing, self-contained, kept whatever happens.

Line types: run, file, case, anchor, fitness, attempt, end. Each line is handed to the kernel in one write before its
slot goes on, so it survives SIGKILL; fsync runs beside, each second or 64 lines. A tail without newline is dropped.
"""

from __future__ import annotations

import errno
import json
import os
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import IO, Any, TypeVar

from guardgate.codec import attempt_from, attempt_to, plan_from
from guardgate.errors import Refused
from guardgate.fitness import Fitness, fitness_from
from guardgate.inuse import in_use
from guardgate.plan import Plan
from guardgate.record import Attempt

T = TypeVar("T")

FORMAT = 1
_TYPES = ("run", "file", "case", "anchor", "fitness", "attempt", "end")
_FSYNC_SECONDS = 1.0
_FSYNC_LINES = 64
#: A file that cannot be synced, such as a pipe: then there is nothing to make durable.
_NO_FSYNC = (errno.EINVAL, errno.ENOTSUP)
#: One for all lines: making one takes as long as writing a short line.
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
#: Bytes that must fit before a run begins.
_ROOM = 4096


def prepare(path: Path) -> None:
    """The folder of a new results file, with room in it. Raises Refused, so that no call is made for nothing."""
    if path.exists():
        raise _taken(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent) as file:
            file.write(b" " * _ROOM)
    except OSError as error:
        raise _no_place(path, error) from error


def _taken(path: Path) -> Refused:
    return Refused(
        str(path), "a file that exists", "a new one, for results are never overwritten", "choose another with --out"
    )


def _no_place(path: Path, error: OSError) -> Refused:
    return Refused(
        str(path), f"no place for results ({error.strerror})", "a folder that can be written to",
        "choose another one with --out",
    )  # fmt: skip


def as_text(value: Mapping[str, Any]) -> str:
    """A line of a results file, before it is cleaned."""
    return _ENCODER.encode(value)


class Writer:
    """Appends lines to a new file. `line` returns when the kernel has the whole line; it raises Refused otherwise.

    `clean` is the second net: it takes out what must not be stored, should it have come by another way.
    """

    def __init__(self, path: Path, clean: Callable[[str], str]) -> None:
        self._clean = clean
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o644)
        except OSError as error:
            raise (_taken(path) if path.exists() else _no_place(path, error)) from error
        self._broken: Refused | None = None
        self._pending = 0
        self._wake = threading.Condition()
        self._closing = False
        self._syncer = threading.Thread(target=self._sync, name="fsync", daemon=True)
        self._syncer.start()

    def line(self, value: Mapping[str, Any]) -> bytes:
        """Write one line, and return it as it stands in the file. Not to be called from two threads."""
        stored = self._stored(as_text(value))
        self._write(stored, 1)
        return stored

    def lines(self, texts: Sequence[str]) -> None:
        """Write lines that `as_text` has made."""
        for start in range(0, len(texts), _FSYNC_LINES):
            some = texts[start : start + _FSYNC_LINES]
            self._write(b"".join(map(self._stored, some)), len(some))

    def _stored(self, text: str) -> bytes:
        return self._clean(text).encode("utf-8", "replace") + b"\n"

    def _write(self, data: bytes, lines: int) -> None:
        if self._broken is not None:  # a line after half a line would spoil both
            raise self._broken
        try:
            while data:
                data = data[os.write(self._fd, data) :]
        except OSError as error:
            raise self._break(error) from error
        with self._wake:
            self._pending += lines
            if self._pending >= _FSYNC_LINES:
                self._wake.notify()

    def attempt(self, attempt: Attempt, plan: Plan) -> Attempt:
        """Write the one line of an attempt, and read it back: what is counted is what is stored."""
        return attempt_from(_DECODER.decode(self.line(attempt_to(attempt)).decode("utf-8")), plan)

    def _sync(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._closing or self._pending >= _FSYNC_LINES, _FSYNC_SECONDS)
                closing, pending, self._pending = self._closing, self._pending, 0
            if pending and not self._synced():
                return
            if closing:
                return

    def _synced(self) -> bool:
        try:
            os.fsync(self._fd)
        except OSError as error:
            if error.errno not in _NO_FSYNC:
                self._break(error)
                return False
        return True

    def _break(self, error: OSError) -> Refused:
        self._broken = Refused(
            str(self.path), f"a file that takes no more ({error.strerror})", "room for every reply",
            "make room and run again; the lines before this one are kept",
        )  # fmt: skip
        return self._broken

    def close(self) -> None:
        """Make everything durable and close the file. Raises Refused where it may not all be on disk."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._syncer.join()
        os.close(self._fd)
        if self._broken is not None:
            raise self._broken

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass(frozen=True)
class Results:
    """A results file, opened: its plan, the head line, and where its attempts are."""

    path: Path
    plan: Plan
    head: Mapping[str, Any]
    fitness: tuple[Fitness, ...] = ()

    def attempts(self, start: int = 0, stop: int | None = None) -> Iterator[Attempt]:
        """Each attempt in the order written, one at a time; of a part: those whose lines begin between two bytes."""
        with self.path.open("rb") as file:
            for number, line in _lines(_window(file, start, stop), self.path):
                if line.get("t") == "attempt":
                    yield _read(line, number, self)
                elif line.get("t") not in _TYPES:
                    raise _damaged(self.path, number, f"a line of type {line.get('t')!r}")

    def raw(self, *types: str) -> Iterator[Mapping[str, Any]]:
        """The lines of these types as they stand, in order; attempts among them fit the plan."""
        with self.path.open("rb") as file:
            for number, line in _lines(file, self.path):
                if line.get("t") in types:
                    if line["t"] == "attempt":
                        _read(line, number, self)
                    yield line

    def end(self) -> Mapping[str, Any] | None:
        """The last line of a run that came to its end, or None."""
        with self.path.open("rb") as file:
            ends = [line for _, line in _lines(file, self.path, but=(_ATTEMPT, _CASE)) if line.get("t") == "end"]
        return ends[-1] if ends else None


def _read(line: Mapping[str, Any], number: int, results: Results) -> Attempt:
    try:
        return attempt_from(line, results.plan)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise _damaged(results.path, number, f"an attempt that does not fit its plan ({error})") from error


def _damaged(path: Path, number: int, found: str) -> Refused:
    return Refused(
        f"{path}:{number}", found, "a line that `guardgate run` wrote", "run again; do not edit results files"
    )


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number")


#: One for all lines: making one takes longer than reading a short line.
_DECODER = json.JSONDecoder(parse_constant=_no_number)
#: How the writer begins the line of an attempt, and of a case.
_ATTEMPT, _CASE = b'{"t":"attempt"', b'{"t":"case"'


def _window(file: IO[bytes], start: int, stop: int | None) -> Iterator[bytes]:
    """The lines that begin from byte `start` on, and before `stop`."""
    if start:
        file.seek(start - 1)
        start += len(file.readline()) - 1
    for raw in file:
        if stop is not None and start >= stop:
            return
        start += len(raw)
        yield raw


def _lines(file: Iterable[bytes], path: Path, but: tuple[bytes, ...] = ()) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each line with its number; `but`: lines that begin so are of no interest, and are not read."""
    for number, raw in enumerate(file, start=1):
        if not raw.endswith(b"\n"):
            return  # a tail that was cut off while it was written
        if raw.startswith(but):
            continue
        try:
            line = _DECODER.decode(raw.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise _damaged(path, number, f"a line that is not JSON ({error})") from error
        if not isinstance(line, dict):
            raise _damaged(path, number, "a line that is not a JSON object")
        yield number, line


def open_results(path: Path, written: Plan | None = None) -> Results:
    """The plan and head of a results file. Raises Refused with place and reason.

    `written`: the plan that this process has just written there; it is then not read again.
    """
    if not path.is_file():
        raise Refused(str(path), "no such file", "a results file", "name a file in guardgate-results/")
    head: dict[str, Any] | None = None
    cases: list[dict[str, Any]] = []
    files: dict[str, str] = {}
    tests: list[_Test] = []
    anchors: list[dict[str, Any]] = []
    with path.open("rb") as file:
        for number, line in _lines(file, path, but=() if written is None else (_CASE,)):
            match line.get("t"):
                case "run" if head is None:
                    head = line
                case "file" if isinstance(line.get("name"), str) and isinstance(line.get("text"), str):
                    files[line["name"]] = line["text"]
                case "case":
                    cases.append(line)
                case "attempt" | "end":
                    break
                case "anchor":
                    anchors.append(line)
                case "fitness":
                    tests.append((number, line, anchors))
                    anchors = []
                case other:
                    raise _damaged(path, number, f"a line of type {other!r}")
    if head is None:
        raise Refused(str(path), "no line of type 'run'", "a results file of `guardgate run`", "name another file")
    if head.get("format") != FORMAT:
        raise Refused(str(path), f"format {head.get('format')!r}", f"format {FORMAT}", "use the version that wrote it")
    plan = written
    if plan is None:
        plan = _understood(path, "a plan", lambda: _whole(plan_from(head, cases, files), head["attempts"]))
    return Results(path, plan, head, tuple(_fitness(path, plan, tests)))


#: The number and the words of a `fitness` line, and the `anchor` lines before it.
_Test = tuple[int, dict[str, Any], list[dict[str, Any]]]


def _fitness(path: Path, plan: Plan, tests: list[_Test]) -> Iterator[Fitness]:
    """What each judge said of its labels, counted again: also of a file from before criteria counted one by one."""
    used = _understood(path, "rules", partial(in_use, plan)) if tests else frozenset()
    for number, line, anchors in tests:
        yield _understood(path, f"line {number}", partial(fitness_from, line, anchors, used))


def _whole(plan: Plan, attempts: int) -> Plan:
    """The plan, if it has as many attempts as it had when it was written: no line of it was lost."""
    if len(plan) != attempts:
        raise ValueError(f"{len(plan)} of {attempts} attempts are described")
    named: list[Mapping[str, str]] = [*(one.files for one in plan.rules), *(one.files for one in plan.cases)]
    lost = next((key for files in named for key in files.values() if key not in plan.files), None)
    if lost is not None:
        raise ValueError(f"the text of {lost!r} is not there")
    return plan


def _understood(path: Path, what: str, read: Callable[[], T]) -> T:
    try:
        return read()
    except (KeyError, TypeError, ValueError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error).partition("\n")[0]
        raise Refused(
            str(path), f"{what} that cannot be read ({reason})", "what `guardgate run` wrote, whole", "run again"
        ) from error
