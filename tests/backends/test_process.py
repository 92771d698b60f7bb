"""Child processes: what they see, what is kept of them, and that nothing of them stays."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from guardgate.backends.process import TAIL_BYTES, Process, child_environment, spawn
from guardgate.backends.strays import descendants
from guardgate.record import Failure
from tests.backends.python_target import APPS, Lifelines

AROUND = {"PATH": "/bin", "HOME": "/home/x", "LANG": "C", "SECRET": "s3cret", "OTHER": "no", "EMPTY": ""}


def test_a_child_sees_three_names_and_what_env_names() -> None:
    seen = child_environment(["SECRET", "MODE=a=b", "BLANK="], AROUND)
    assert seen == {
        "PATH": "/bin", "HOME": "/home/x", "LANG": "C", "SECRET": "s3cret", "MODE": "a=b", "BLANK": "",
    }  # fmt: skip


def test_a_name_that_is_not_set_is_unavailable_by_name() -> None:
    failure = child_environment(["SECRET", "GONE", "EMPTY"], AROUND)
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.retry, failure.fatal) == ("unavailable", "no", True)
    assert "GONE, EMPTY" in failure.detail
    assert "SECRET" not in failure.detail


async def start(code: str, *arguments: str, received: list[bytes] | None = None) -> Process:
    output = [] if received is None else received
    return await spawn(
        [sys.executable, "-c", code, *arguments], cwd=Path(__file__).parent, env={}, on_output=output.append
    )


def test_output_errors_and_code_of_a_child_that_ends_by_itself() -> None:
    async def play() -> tuple[int, bytes, str]:
        received: list[bytes] = []
        child = await start(
            "import sys; sys.stdout.write(sys.stdin.read() * 2); sys.stderr.write('x' * 9999 + 'end'); sys.exit(5)",
            received=received,
        )
        child.write(b"in")
        child.close_input()
        code = await child.gone
        return code, b"".join(received), child.errors

    code, output, errors = asyncio.run(play())
    assert (code, output) == (5, b"inin")
    assert errors.endswith("end")
    assert len(errors) == TAIL_BYTES


def test_the_end_of_a_child_is_the_end_of_its_children() -> None:
    async def play() -> None:
        async with Lifelines() as lines:
            code = (
                "import sys; sys.path.insert(0, sys.argv[2]); import lifeline; lifeline.family(sys.argv[1], session='')"
            )
            child = await start(code, lines.port, str(APPS))
            await lines.seen(2)
            await child.end()
            await lines.left(0)
            assert child.code not in (None, 0)
            await child.end()

    asyncio.run(play())


def test_a_child_that_dies_by_itself_leaves_no_children() -> None:
    code = """
import subprocess, sys
sys.path.insert(0, sys.argv[2])
import lifeline
child = subprocess.Popen([sys.executable, lifeline.__file__, sys.argv[1]], stdout=subprocess.PIPE)
sys.stdin.readline()
sys.exit(4)
"""

    async def play() -> int:
        async with Lifelines() as lines:
            child = await start(code, lines.port, str(APPS))
            await lines.seen(1)
            child.write(b"\n")
            ended = await child.gone
            if sys.platform != "win32":  # where the children of the dead cannot be found
                await lines.left(0)
            return ended

    assert asyncio.run(play()) == 4


ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing tells who was started by whom")
STRAY = """
import os, subprocess, sys
sys.path.insert(0, sys.argv[2])
import lifeline
how = {"group": {"process_group": 0}, "session": {"start_new_session": True}}[sys.argv[3]]
subprocess.Popen([sys.executable, lifeline.__file__, sys.argv[1]], **how)
sys.stdin.readline()
"""


@ON_LINUX
@pytest.mark.parametrize("how", ["group", "session"])
@pytest.mark.parametrize("end", ["killed", "by itself"])
def test_what_left_the_group_ends_too(how: str, end: str) -> None:
    async def play() -> None:
        async with Lifelines() as lines:
            child = await start(STRAY, lines.port, str(APPS), how)
            await lines.seen(1)
            if end == "killed":
                await child.end()
            else:
                child.write(b"\n")
                await child.gone
            await lines.left(0)

    asyncio.run(play())


@ON_LINUX
def test_others_are_no_descendants() -> None:
    async def play() -> None:
        one, other = [await start("import sys; sys.stdin.read()") for _ in range(2)]
        assert not {os.getpid(), os.getppid(), other.pid} & descendants(one.pid)
        assert other.pid in descendants(os.getpid())
        await one.end()
        assert other.code is None
        await other.end()

    asyncio.run(play())
