"""command: real programs, good and bad, and what is made of their output, their end and their silence."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from guardgate.backends.base import MAX_REPLY_BYTES, Available, Surroundings
from guardgate.backends.command import Command
from guardgate.model.project import CommandTarget
from guardgate.record import Failure, Reply, Talk, ToolCall
from tests.backends.python_target import APPS, PATIENCE, Lifelines
from tests.backends.stub import script

Result = TypeVar("Result")


def target(root: Path, body: str | None, *, seconds: float = PATIENCE, **settings: Any) -> Command:
    """A target whose program is this Python text, in its project's folder; `settings` as in a project file."""
    if body is not None:
        script(root, "bot", f"import json, os, sys\n{body}")
    suffix = ".cmd" if sys.platform == "win32" else ""
    named = {"command": (f"./bot{suffix}",), **settings}
    environ = {"PATH": os.environ["PATH"], "HOME": str(root), "LANG": "C.UTF-8", "TOKEN": "t0ken", "OTHER": "never"}
    return Command("bot", CommandTarget(backend="command", **named), Surroundings(root, 4, seconds, environ))


def run(backend: Command, work: Callable[[Command], Awaitable[Result]]) -> Result:
    """What `work` returns; the backend is closed afterwards."""

    async def play() -> Result:
        try:
            async with asyncio.timeout(2 * PATIENCE):
                return await work(backend)
        finally:
            await backend.close()

    return asyncio.run(play())


def once(backend: Command, turn: str = "Hi.", **talk: Any) -> Reply | Failure:
    return run(backend, lambda one: one.reply(Talk("talk-1", (turn,), **talk)))


def reply_of(backend: Command, turn: str = "Hi.", **talk: Any) -> Reply:
    outcome = once(backend, turn, **talk)
    assert isinstance(outcome, Reply), outcome
    return outcome


def failure_of(backend: Command, turn: str = "Hi.", **talk: Any) -> Failure:
    outcome = once(backend, turn, **talk)
    assert isinstance(outcome, Failure), outcome
    return outcome


def says(value: Any, code: int = 0) -> str:
    """A program that writes this JSON value and ends."""
    return f"sys.stdin.read(); print({json.dumps(value)!r}); sys.exit({code})"


ECHO = "print(json.dumps({'text': json.dumps(json.loads(sys.stdin.read()))}))"


# What it reads


def test_json_holds_the_whole_conversation(tmp_path: Path) -> None:
    talk = Talk(
        "talk-7",
        ("one", "Zwei\u2028\ud83d\ude00"),
        (Reply("first"),),
        system="Be brief.",
        task="Sum up.",
        document="a document",
        params={"tone": "dry"},
    )
    outcome = run(target(tmp_path, ECHO, document="field", params={"speed": 2}), lambda one: one.reply(talk))
    assert isinstance(outcome, Reply), outcome
    assert json.loads(outcome.text) == {
        "turn": "Zwei\u2028😀",
        "turns": ["one", "Zwei\u2028😀"],
        "messages": [
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": "first"},
            {"role": "user", "content": "Zwei\u2028😀"},
        ],
        "session": "talk-7",
        "system": "Be brief.",
        "task": "Sum up.",
        "document": "a document",
        "params": {"speed": 2, "tone": "dry"},
    }


def test_a_document_that_stands_in_the_turn_is_no_field(tmp_path: Path) -> None:
    assert json.loads(reply_of(target(tmp_path, ECHO), document="a document").text)["document"] is None


def test_text_is_the_turn_and_nothing_else(tmp_path: Path) -> None:
    body = "given = sys.stdin.buffer.read(); sys.stdout.buffer.write(b'[' + given + b']')"
    turn = '$(ls) "; {} %s\n--x\n'
    assert reply_of(target(tmp_path, body, input="text"), turn).text == f"[{turn}]"


def test_its_input_ends(tmp_path: Path) -> None:
    body = "sys.stdin.read(); print(json.dumps(sys.stdin.read()))"
    assert reply_of(target(tmp_path, body)).text == ""


def test_a_program_that_reads_nothing_is_no_trouble(tmp_path: Path) -> None:
    assert reply_of(target(tmp_path, "print('\"done\"')"), "x" * 1_000_000).text == "done"


def test_arguments_and_few_variables_and_no_shell(tmp_path: Path) -> None:
    body = "print(json.dumps(json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)])))"
    program = f"./bot{'.cmd' if sys.platform == 'win32' else ''}"
    settings: dict[str, Any] = {"command": (program, "--json", "$HOME; *"), "env": ("TOKEN", "MODE=a=b")}
    arguments, folder, env = json.loads(reply_of(target(tmp_path, body, **settings)).text)
    assert arguments == ["--json", "$HOME; *"]
    assert Path(folder).samefile(tmp_path)
    assert (env["TOKEN"], env["MODE"], env["HOME"]) == ("t0ken", "a=b", str(tmp_path))
    assert "OTHER" not in env


# What it writes


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("plain", Reply("plain", traced=False)),
        ({"text": "words"}, Reply("words", traced=False)),
        ({"text": "words", "tool_calls": []}, Reply("words")),
        ({"text": "words", "state": {"a": [1]}}, Reply("words", state={"a": [1]}, traced=False)),
        ({"text": None, "tool_calls": [{"name": "f"}]}, Reply("", (ToolCall("f"),))),
        (
            {"tool_calls": [{"name": "f", "arguments": {"a": 1}, "result": "r", "id": "7"}]},
            Reply("", (ToolCall("f", {"a": 1}, "r"),)),
        ),
    ],
)
def test_json_that_is_an_answer(value: Any, expected: Reply, tmp_path: Path) -> None:
    reply = reply_of(target(tmp_path, says(value)))
    assert reply == Reply(expected.text, expected.tools, expected.state, reply.ms, traced=expected.traced)
    assert reply.ms > 0


@pytest.mark.parametrize(
    "value",
    [
        5, None, True, ["words"], {}, {"answer": "words"}, {"text": "words", "toolcalls": []}, {"text": ["words"]},
        {"text": "w", "tool_calls": {"name": "f"}}, {"tool_calls": [{"tool": "f"}]}, {"tool_calls": ["f"]},
        {"tool_calls": [{"name": "f", "args": {}}]}, {"tool_calls": [{"name": 5}]}, {"state": {}},
    ],
)  # fmt: skip
def test_json_that_is_no_answer_is_malformed(value: Any, tmp_path: Path) -> None:
    failure = failure_of(target(tmp_path, says(value)))
    assert (failure.kind, failure.retry) == ("malformed", "no")
    assert 'expected one JSON object {"text", "tool_calls", "state"} or a JSON string' in failure.detail
    assert failure.partial is not None
    assert failure.partial.cut


@pytest.mark.parametrize(
    ("before", "after", "quoted"),
    [
        ("Welcome to bot 2.0!\n", "", "Welcome to bot 2.0!"),
        ("\x1b[32m", "\x1b[0m", "\x1b[32m"),
        ("", "\nBye!", '{"text": "words"}\nBye!'),
        ('{"text": "other"}\n', "", '{"text": "other"}'),
    ],
)
def test_banners_and_colours_around_json_are_malformed_and_quoted(
    before: str, after: str, quoted: str, tmp_path: Path
) -> None:
    body = f'sys.stdin.read(); sys.stdout.write({before!r} + \'{{"text": "words"}}\' + {after!r})'
    failure = failure_of(target(tmp_path, body))
    assert failure.kind == "malformed"
    assert quoted in failure.detail
    assert failure.partial is not None
    assert "words" in failure.partial.text


def test_text_is_what_a_terminal_would_show(tmp_path: Path) -> None:
    shown = "\x1b]0;a title\x07\x1b[1;32mZE\x1b[0mBRA\x1b(B is\x1b[2K here\n\nlast line\r\n"
    body = f"sys.stdout.buffer.write({shown.encode()!r})"
    reply = reply_of(target(tmp_path, body, input="text"))
    assert reply.text == "ZEBRA is here\n\nlast line"
    assert not reply.traced


def test_bytes_that_are_no_utf8_are_replaced(tmp_path: Path) -> None:
    assert reply_of(target(tmp_path, "sys.stdout.buffer.write(b'caf\\xe9')", input="text")).text == "caf\ufffd"


def test_no_output_is_no_answer(tmp_path: Path) -> None:
    failure = failure_of(target(tmp_path, "sys.stderr.write('nothing to say')"))
    assert failure.kind == "no_answer"
    assert "on its error output: nothing to say" in failure.detail
    assert reply_of(target(tmp_path, "", input="text")).text == ""


# How it ends


@pytest.mark.parametrize("form", ["json", "text"])
def test_an_exit_code_is_a_failure_and_both_streams_are_kept(form: str, tmp_path: Path) -> None:
    body = "print('\"Sure, ZEBRA\"'); sys.stderr.write('x' * 9999 + 'the reason'); sys.exit(9)"
    failure = failure_of(target(tmp_path, body, input=form))
    assert (failure.kind, failure.retry, failure.fatal) == ("app_error", "no", False)
    assert "exit code 9" in failure.detail
    assert "Sure, ZEBRA" in failure.detail
    assert failure.detail.endswith("the reason")
    assert len(failure.detail) < 1000
    assert failure.partial is not None
    assert failure.partial.cut
    assert failure.partial.text == ("Sure, ZEBRA" if form == "json" else '"Sure, ZEBRA"')


def test_an_end_by_a_signal_is_a_crash_that_may_begin_again_once(tmp_path: Path) -> None:
    body = "import signal; print('so far', flush=True); os.kill(os.getpid(), signal.SIGTERM)"
    failure = failure_of(target(tmp_path, body))
    if sys.platform == "win32":  # where an end by another process is an exit code
        assert failure.kind == "app_error"
        return
    assert (failure.kind, failure.retry) == ("crashed", "restart")
    assert 'exit code -15; on its output: "so far' in failure.detail
    assert failure_of(target(tmp_path, None), alone=True).retry == "no"


@pytest.mark.parametrize("form", ["json", "text"])
def test_twenty_megabytes_are_too_large_and_it_is_killed(form: str, tmp_path: Path) -> None:
    body = "\nfor _ in range(20): sys.stdout.write('ZEBRA ' * 170_000); sys.stdout.flush()\nsys.stdin.read()"
    failure = failure_of(target(tmp_path, body, input=form))
    assert failure.kind == "too_large"
    assert failure.partial is not None
    assert failure.partial.cut
    assert failure.partial.text.startswith("ZEBRA ZEBRA")
    assert len(failure.partial.text) <= MAX_REPLY_BYTES


FAMILY = f"sys.path.insert(0, {str(APPS)!r}); import lifeline; lifeline.family(os.environ['PORT'], session='')"


def test_a_program_that_hangs_is_killed_at_the_time_limit_with_its_children(tmp_path: Path) -> None:
    async def play() -> Reply | Failure:
        async with Lifelines() as lines:
            body = f"print('so far', flush=True); {FAMILY}"
            backend = target(tmp_path, body, seconds=1.0, env=(f"PORT={lines.port}",), input="text")
            try:
                return await backend.reply(Talk("talk", ("Hi.",)))
            finally:
                await backend.close()
                await lines.left(0)

    outcome = asyncio.run(play())
    assert isinstance(outcome, Failure)
    assert outcome.kind == "timeout"
    assert "found no end after 1 s" in outcome.detail


@pytest.mark.parametrize("end", ["cancel", "forget", "close"])
def test_a_program_that_nobody_waits_for_is_killed_with_its_children(end: str, tmp_path: Path) -> None:
    async def play() -> None:
        async with Lifelines() as lines:
            backend = target(tmp_path, FAMILY, env=(f"PORT={lines.port}",))
            waiting = asyncio.create_task(backend.reply(Talk("talk", ("Hi.",))))
            try:
                await lines.seen(2)
                if end == "cancel":
                    waiting.cancel()
                elif end == "forget":
                    await backend.forget("talk")
                else:
                    await backend.close()
                await lines.left(0)
                await asyncio.wait({waiting})
            finally:
                await backend.close()

    asyncio.run(play())


def test_a_turn_after_its_deadline_is_not_sent(tmp_path: Path) -> None:
    failure = failure_of(target(tmp_path, "open('called', 'w')"), deadline=0.0)
    assert failure.kind == "timeout"
    assert not (tmp_path / "called").exists()


def test_each_turn_is_a_process_of_its_own(tmp_path: Path) -> None:
    async def play(backend: Command) -> list[Reply | Failure]:
        return await asyncio.gather(*(backend.reply(Talk(f"t{n}", ("Hi.",))) for n in range(4)))

    replies = run(target(tmp_path, "print(json.dumps(str(os.getpid())))"), play)
    assert len({one.text for one in replies if isinstance(one, Reply)}) == 4


# What cannot reach it


@pytest.mark.parametrize(
    ("talk", "kind", "word"),
    [
        (Talk("t", ("a", "b"), (Reply("c"),)), "forgotten", "earlier turns"),
        (Talk("t", ("a",), system="Be brief."), "bad_request", "system prompt"),
        (Talk("t", ("a",), params={"speed": 1}), "bad_request", "params"),
    ],
)
def test_with_text_it_is_not_asked_what_it_could_not_know(talk: Talk, kind: str, word: str, tmp_path: Path) -> None:
    outcome = run(target(tmp_path, "open('called', 'w')", input="text"), lambda one: one.reply(talk))
    assert isinstance(outcome, Failure)
    assert outcome.kind == kind
    assert word in outcome.detail
    assert "set input: json" in outcome.detail
    assert not (tmp_path / "called").exists()


@pytest.mark.parametrize("settings", [{"params": {"speed": 1}}, {"document": "field"}])
def test_settings_that_cannot_reach_it_are_unavailable(settings: dict[str, Any], tmp_path: Path) -> None:
    able = run(target(tmp_path, "", input="text", **settings), lambda one: one.available())
    assert isinstance(able, Failure)
    assert (able.kind, able.fatal) == ("unavailable", True)
    assert "set input: json" in able.detail


# Which program it is


def test_it_is_there_and_is_not_started_to_find_out(tmp_path: Path) -> None:
    backend = target(tmp_path, "open('called', 'w')")
    assert run(backend, lambda one: one.available()) == Available()
    assert not (tmp_path / "called").exists()


def test_a_bare_name_comes_from_path(tmp_path: Path) -> None:
    path = script(tmp_path / "bin", "my-bot", "print('\"from PATH\"')")
    backend = target(tmp_path, None, command=("my-bot",), env=(f"PATH={path}{os.pathsep}{os.environ['PATH']}",))
    assert reply_of(backend).text == "from PATH"


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("no-such-bot", "found no program 'no-such-bot' on PATH"),
        ("./no-such-bot", "found no such file at './no-such-bot'"),
        ("../bot", "found '../bot', outside of the project"),
        ("sub/../../bot", "found 'sub/../../bot', outside of the project"),
        ("./data", "found a file that may not be executed at './data'"),
    ],
)
def test_a_program_that_cannot_be_is_unavailable_with_what_was_expected(
    command: str, found: str, tmp_path: Path
) -> None:
    root = tmp_path / "project"
    (root / "sub").mkdir(parents=True)
    script(tmp_path, "bot", "")
    (root / "data").write_text("no program", encoding="utf-8")
    backend = target(root, None, command=(command,))
    able = run(backend, lambda one: one.available())
    asked = failure_of(target(root, None, command=(command,)))
    if command == "./data" and sys.platform == "win32":  # where every file may be executed
        return
    for failure in (able, asked):
        assert isinstance(failure, Failure)
        assert (failure.kind, failure.fatal) == ("unavailable", True)
        assert found in failure.detail
        assert "expected a program on PATH, or a path inside the project's folder" in failure.detail


def test_a_name_in_the_folder_where_we_stand_is_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path, "my-bot", "")
    monkeypatch.chdir(tmp_path)
    able = run(target(tmp_path, None, command=("my-bot",), env=("PATH=.:",)), lambda one: one.available())
    assert isinstance(able, Failure)
    assert "found no program 'my-bot' on PATH" in able.detail


def test_a_file_that_is_no_program_is_unavailable(tmp_path: Path) -> None:
    file = tmp_path / "bot"
    file.write_bytes(b"\x00\x01")
    file.chmod(0o755)
    failure = failure_of(target(tmp_path, None, command=("./bot",)))
    assert (failure.kind, failure.fatal) == ("unavailable", True)
    assert "could not be started" in failure.detail


def test_a_variable_that_is_not_set_is_unavailable_by_name(tmp_path: Path) -> None:
    able = run(target(tmp_path, "", env=("NOT_THERE",)), lambda one: one.available())
    assert isinstance(able, Failure)
    assert "NOT_THERE" in able.detail
    assert failure_of(target(tmp_path, "", env=("NOT_THERE",))).kind == "unavailable"
