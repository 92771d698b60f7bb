"""Counts a results file: a large one in several processes, with the same outcome as in one."""

from __future__ import annotations

import io
import os
import pickle
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from guardgate.errors import Refused
from guardgate.merging import merge
from guardgate.plan import Plan
from guardgate.results import Results
from guardgate.summary import Folding, redecided

#: A process more for so many bytes: fewer are read sooner than it starts. Never more than so many processes.
BYTES, MOST = 8 << 20, 4
#: Seconds after which somebody who waits for a process looks up for signals.
_LOOK = 0.5
_ROOT = Path(__file__).resolve().parent.parent
#: Not `-m`, which would look for modules in the folder under review first (as would -c without -P).
_WORK = "import sys; sys.path.append(sys.argv[1]); from guardgate.counting import work; work()"


@dataclass(frozen=True, slots=True)
class Part:
    """The lines of a results file that begin from byte `start` on, and before `stop` (None: its end)."""

    results: Results
    plan: Plan
    start: int = 0
    stop: int | None = None


def counted(results: Results, plan: Plan, processes: int | None = None) -> Folding:
    """Every attempt of the file, decided by its stored words and counted. Raises Refused where that is not possible."""
    size = results.path.stat().st_size
    count = min(_processors(), MOST, size // BYTES) if processes is None else processes
    if count > 1:
        with suppress(_NotInPartsError, OSError):
            return _together(_parts(results, plan, size, count))
    return fold(Part(results, plan))


def fold(part: Part) -> Folding:
    """One part, counted here."""
    folding = Folding(part.plan)
    for stored in part.results.attempts(part.start, part.stop):
        folding.add(redecided(part.plan, stored))
    return folding


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _parts(results: Results, plan: Plan, size: int, count: int) -> list[Part]:
    """The whole file, each line in one part; what is appended meanwhile is in the last one."""
    places = [size * part // count for part in range(count)]
    return [Part(results, plan, *both) for both in zip(places, (*places[1:], None), strict=True)]


def _together(parts: Sequence[Part]) -> Folding:
    """The first part here, the others in processes of their own. Raises Refused where one of them was lost."""
    with tempfile.TemporaryDirectory() as folder, _workers(parts[1:], Path(folder)) as workers:
        with _whole():
            whole = fold(parts[0])
        for part, worker in zip(parts[1:], workers, strict=True):
            later = _received(worker, part)
            with _whole():
                merge(whole, later)
    return whole


class _NotInPartsError(Exception):
    """A line is damaged, or there twice. Read from the start it is found again, with its number."""


@contextmanager
def _whole() -> Iterator[None]:
    try:
        yield
    except Refused as refused:
        raise _NotInPartsError from refused


@contextmanager
def _workers(parts: Sequence[Part], folder: Path) -> Iterator[list[subprocess.Popen[bytes]]]:
    """A process for each part; none of them outlives this."""
    workers: list[subprocess.Popen[bytes]] = []
    try:
        for number, part in enumerate(parts):
            workers.append(_started(part, folder / str(number)))
        yield workers
    finally:
        for worker in workers:
            worker.kill()
            with worker:
                pass


def _started(part: Part, order: Path) -> subprocess.Popen[bytes]:
    # what is worked out of the plan stays here: it holds functions, which cannot be sent
    results = replace(part.results, plan=replace(part.results.plan))
    with order.open("wb") as file:
        pickle.dump(replace(part, results=results, plan=replace(part.plan)), file)
    with order.open("rb") as file:
        command = [sys.executable, "-P", "-c", _WORK, str(_ROOT)]
        return subprocess.Popen(  # noqa: S603 - this interpreter, words of ours
            command, stdin=file, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )


def _answer(worker: subprocess.Popen[bytes]) -> bytes:
    """What a process writes until it ends. A signal that comes just before a read without a limit would wait for it."""
    while True:
        try:
            return worker.communicate(timeout=_LOOK)[0]
        except subprocess.TimeoutExpired:  # nothing of the output is lost by that
            continue


def _received(worker: subprocess.Popen[bytes], part: Part) -> Folding:
    """What a process counted. Where one died, nothing is counted: never less than the whole."""
    answer = _answer(worker)
    try:
        found = _Loading(io.BytesIO(answer), part.plan).load() if worker.returncode == 0 else None
    except (pickle.UnpicklingError, EOFError):
        found = None
    if found is None:
        raise Refused(
            str(part.results.path), f"a process that ended with {worker.returncode} before it had counted its part",
            "every attempt counted", "see what ended it (too little memory?), and run the command again",
        )  # fmt: skip
    if not isinstance(found, Folding):
        raise _NotInPartsError
    return found


class _Saving(pickle.Pickler):
    """Leaves the plan out: the other side has it."""

    def persistent_id(self, value: Any) -> str | None:
        return "plan" if isinstance(value, Plan) else None


class _Loading(pickle.Unpickler):
    def __init__(self, file: IO[bytes], plan: Plan) -> None:
        super().__init__(file)
        self._plan = plan

    def persistent_load(self, _name: Any) -> Plan:
        return self._plan


def work() -> None:
    """The whole life of such a process: a part comes in, what was counted goes out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is ended by the one that started it
    part: Part = pickle.load(sys.stdin.buffer)  # noqa: S301 - written by the process that started this one
    try:
        found: Folding | str = fold(part)
    except Refused as refused:
        found = str(refused)  # it is found again where its line has a number
    _Saving(sys.stdout.buffer).dump(found)
    sys.stdout.buffer.flush()
