"""What claude_cli and codex_cli have in common, on stubs that write what the real programs wrote."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardgate.backends.base import Available
from guardgate.backends.cli import Cli, Place
from guardgate.backends.cli_events import events
from guardgate.backends.cli_home import Room
from guardgate.model.project import Price
from guardgate.record import Failure, Reply, Talk
from tests.backends.cli_target import (
    KEYS,
    MODELS,
    PERSONA,
    PROGRAMS,
    after,
    call,
    failure_of,
    once,
    reply_to,
    rooms,
    run,
    talk_of,
    target,
)
from tests.backends.python_target import Lifelines
from tests.backends.scenes import SCENES, scenes_of
from tests.backends.stub import calls, install, recording, script

#: The session in every recording.
THREAD = "00000000-0000-4000-8000-000000000000"
KEYS_OF_EVENTS = ("type", "text", "message", "content", "id", "item", "usage", "error", "is_error", "result", "name")
both = pytest.mark.parametrize("program", PROGRAMS)


@pytest.fixture(autouse=True)
def _nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Rooms stand in a folder of this test, and none is there at its end."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    yield
    assert rooms() == set()


@pytest.mark.parametrize(("program", "name"), [(one, name) for one in PROGRAMS for name in scenes_of(one)])
def test_each_scene_is_what_it_is(program: str, name: str, tmp_path: Path) -> None:
    wanted = SCENES[name].of(program)
    assert wanted is not None
    outcome = once(target(program, install(tmp_path, program)), name)
    if isinstance(outcome, Failure):
        assert (outcome.kind, outcome.retry, outcome.fatal) == (wanted.kind, wanted.retry, wanted.fatal), outcome
        assert program in outcome.detail
        heard = outcome.partial or Reply("")
        assert heard.cut or outcome.partial is None
    else:
        assert wanted.kind is None, outcome
        heard = outcome
        assert not heard.cut
    assert heard.text == wanted.text
    assert [(one.name, one.arguments) for one in heard.tools] == list(wanted.tools)
    assert heard.traced


@both
def test_a_reply_has_its_tokens_its_model_and_its_time(program: str, tmp_path: Path) -> None:
    reply = reply_to(target(program, install(tmp_path, program)), "say hello")
    tokens = {"claude": (25, 7, 0.00018), "codex": (30, 9, None)}[program]
    assert reply.usage is not None
    assert (reply.usage.input, reply.usage.output, reply.usage.usd) == tokens
    assert reply.model == MODELS[program]
    assert reply.ms > 0


@both
def test_a_price_of_the_target_counts(program: str, tmp_path: Path) -> None:
    reply = reply_to(target(program, install(tmp_path, program), price=Price(input=2.0, output=10.0)), "say hello")
    assert reply.usage is not None
    assert reply.usage.input is not None
    assert reply.usage.output is not None
    assert reply.usage.usd == pytest.approx((2 * reply.usage.input + 10 * reply.usage.output) / 1e6)


@both
def test_what_an_attempt_to_use_a_tool_was_told_is_kept(program: str, tmp_path: Path) -> None:
    (attempt,) = reply_to(target(program, install(tmp_path, program)), "use a tool").tools
    assert any(words in str(attempt.result) for words in ("No such tool available", "unsupported call"))


@both
def test_the_program_gets_the_turn_on_its_input_and_nothing_of_it_as_an_argument(program: str, tmp_path: Path) -> None:
    path = install(tmp_path, program)
    turn = 'say $(touch x) "; rm -rf .\n--tools\u2028{{"{}%'
    assert reply_to(target(program, path), turn, system=PERSONA).text == turn.removeprefix("say ")
    seen = call(path)
    assert seen["system"] == PERSONA
    assert not any("touch" in word or "night desk" in word for word in seen["argv"])


@both
def test_the_program_sees_an_empty_folder_a_fresh_home_and_few_variables(program: str, tmp_path: Path) -> None:
    path = install(tmp_path, program)
    reply_to(target(program, path, env=(KEYS[program], "MODE=a=b")), "say hello")
    seen = call(path)
    assert seen["work"] == []
    assert seen["home"] == ([] if program == "claude" else [".codex"])
    env = seen["env"]
    assert (env[KEYS[program]], env["MODE"], env["LANG"]) == ("dummy-key", "a=b", "C.UTF-8")
    assert str(tmp_path / "temporary") in env["HOME"]
    assert str(tmp_path / "temporary") in env["TMPDIR"]
    assert "OTHER_SECRET" not in env
    assert str(tmp_path / "users-home") not in "".join(env.values())


@both
def test_home_inherit_uses_the_users_home_and_leaves_no_session_in_it(program: str, tmp_path: Path) -> None:
    path = install(tmp_path, program)

    async def play(backend: Cli) -> None:
        first, second = await talk_of(backend, "say one", "say two")
        assert isinstance(first, Reply)
        assert isinstance(second, Reply)
        kept = [*tmp_path.glob("users-home/.claude/projects/*"), *tmp_path.glob("users-home/.codex/sessions/*/*/*/*")]
        assert len(kept) == {"claude": 1, "codex": 2}[program]
        await backend.forget("talk")

    run(target(program, path, home="inherit"), play)
    assert call(path)["env"]["HOME"] == str(tmp_path / "users-home")
    kept = [*tmp_path.glob("users-home/.claude/projects/*"), *tmp_path.glob("users-home/.codex/sessions/*/*/*/*")]
    assert kept == []


@both
def test_a_later_turn_forks_the_session_of_the_last_answered_one(program: str, tmp_path: Path) -> None:
    path = install(tmp_path, program)
    outcomes = run(target(program, path), lambda one: talk_of(one, "say one", "status 429", "say two", "say three"))
    assert [one.text if isinstance(one, Reply) else one.kind for one in outcomes] == [
        "one", "rate_limited", "two", "three",
    ]  # fmt: skip
    argvs = [seen["argv"] for seen in calls(tmp_path)]
    if program == "claude":
        ids = [after(argv, "--session-id") for argv in argvs]
        assert "--resume" not in argvs[0]
        assert [after(argv, "--resume") for argv in argvs[1:]] == [ids[0], ids[0], ids[2]]
        assert len(set(ids)) == 4
        assert all("--fork-session" in argv for argv in argvs[1:])
    else:
        assert "fork" not in argvs[0]
        forked = [after(argv, "fork") for argv in argvs[1:]]
        assert forked[0] == forked[1] != forked[2]


@both
def test_a_first_turn_that_is_sent_again_begins_a_new_session(program: str, tmp_path: Path) -> None:
    path = install(tmp_path, program)
    outcomes = run(target(program, path), lambda one: talk_of(one, "status 500", "say one"))
    assert isinstance(outcomes[1], Reply)
    assert not {"--resume", "fork"} & set(call(path)["argv"])


@both
def test_a_turn_of_which_words_were_received_is_not_sent_again(program: str, tmp_path: Path) -> None:
    """Else the words that broke a rule would be replaced by better ones."""
    backend = target(program, install(tmp_path, program))
    failure = failure_of(backend, "act break once")
    assert (failure.kind, failure.retry) == ("http_error", "restart")
    assert failure.partial is not None
    assert failure.partial.text == "Half of a"


@both
def test_a_conversation_whose_folder_is_gone_begins_again(program: str, tmp_path: Path) -> None:
    async def play(backend: Cli) -> Reply | Failure:
        (first,) = await talk_of(backend, "say one")
        assert isinstance(first, Reply)
        await backend.forget("talk")
        return await backend.reply(Talk("talk", ("say one", "say two"), (first,)))

    outcome = run(target(program, install(tmp_path, program)), play)
    assert isinstance(outcome, Failure)
    assert (outcome.kind, outcome.retry) == ("crashed", "restart")


@both
def test_conversations_side_by_side_do_not_meet(program: str, tmp_path: Path) -> None:
    path = install(tmp_path, program)

    async def play(backend: Cli) -> list[list[Reply | Failure]]:
        return await asyncio.gather(*(talk_of(backend, f"say {n}", f"say {n}{n}", name=f"t{n}") for n in range(3)))

    for n, (first, second) in enumerate(run(target(program, path), play)):
        assert isinstance(first, Reply)
        assert isinstance(second, Reply)
        assert (first.text, second.text) == (str(n), f"{n}{n}")
    assert len({seen["cwd"] for seen in calls(tmp_path)}) == 3


@both
def test_a_program_that_a_signal_ends_crashed(program: str, tmp_path: Path) -> None:
    failure = failure_of(target(program, install(tmp_path, program)), "act kill")
    if sys.platform == "win32":  # where an end by another process is an exit code
        assert failure.kind == "app_error"
    else:
        assert (failure.kind, failure.retry) == ("crashed", "restart")
        assert "ended by a signal; exit code -9" in failure.detail


@both
def test_a_program_that_hangs_is_killed_at_the_time_limit_with_its_children(program: str, tmp_path: Path) -> None:
    async def play() -> Reply | Failure:
        async with Lifelines() as lines:
            backend = target(program, install(tmp_path, program, port=lines.port), seconds=1.0)
            try:
                return await backend.reply(Talk("talk", ("act hang",)))
            finally:
                await backend.close()
                await lines.left(0)

    outcome = asyncio.run(play())
    assert isinstance(outcome, Failure)
    assert (outcome.kind, outcome.retry) == ("timeout", "no")
    assert "found no end after 1 s" in outcome.detail


@both
@pytest.mark.parametrize("end", ["cancel", "forget", "close"])
def test_a_program_that_nobody_waits_for_is_killed_with_its_children(program: str, end: str, tmp_path: Path) -> None:
    async def play() -> None:
        async with Lifelines() as lines:
            backend = target(program, install(tmp_path, program, port=lines.port))
            waiting = asyncio.create_task(backend.reply(Talk("talk", ("act hang",))))
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
                await backend.forget("talk")
                assert rooms() == set()
            finally:
                await backend.close()

    asyncio.run(play())


@both
def test_what_a_program_leaves_running_ends_with_it(program: str, tmp_path: Path) -> None:
    async def play() -> Reply | Failure:
        async with Lifelines() as lines:
            backend = target(program, install(tmp_path, program, port=lines.port))
            try:
                return await backend.reply(Talk("talk", ("act leave",)))
            finally:
                await backend.close()
                if sys.platform != "win32":  # where the children of the dead cannot be found
                    await lines.left(0)

    outcome = asyncio.run(play())
    assert isinstance(outcome, Reply)
    assert outcome.text == "Hello there."


@both
def test_twenty_megabytes_of_output_are_too_large(program: str, tmp_path: Path) -> None:
    failure = failure_of(target(program, install(tmp_path, program)), "act flood")
    assert failure.kind == "too_large"
    assert "12,582,912 bytes" in failure.detail


@both
@pytest.mark.parametrize(("act", "quoted"), [("banner", "Welcome! A new version"), ("ansi", "\x1b[32m{")])
def test_anything_but_events_on_the_output_is_malformed_and_quoted(
    program: str, act: str, quoted: str, tmp_path: Path
) -> None:
    failure = failure_of(target(program, install(tmp_path, program)), f"act {act}")
    assert failure.kind == "malformed"
    assert quoted in failure.detail
    assert "expected one JSON object a line" in failure.detail
    assert failure.partial is not None
    assert failure.partial.text == "Hello there."


@both
def test_an_exit_code_makes_a_failure_of_a_good_answer_and_everything_is_kept(program: str, tmp_path: Path) -> None:
    failure = failure_of(target(program, install(tmp_path, program)), "act fail")
    assert (failure.kind, failure.retry) == ("app_error", "no")
    assert "exit code 7" in failure.detail
    assert "on its error output: it broke at the end" in failure.detail
    assert failure.partial is not None
    assert (failure.partial.text, failure.partial.cut) == ("Hello there.", True)


@both
def test_an_output_that_stops_before_its_result_is_malformed(program: str, tmp_path: Path) -> None:
    failure = failure_of(target(program, install(tmp_path, program)), "act cut")
    assert failure.kind == "malformed"
    assert "ended without a result; exit code 0" in failure.detail
    assert failure.partial is not None
    assert failure.partial.text == "Hello there."


@both
def test_the_version_is_recorded_and_no_model_is_asked(program: str, tmp_path: Path) -> None:
    able = run(target(program, install(tmp_path, program)), lambda one: one.available())
    assert able == Available({"claude": "2.1.197", "codex": "0.171.0"}[program])
    assert calls(tmp_path) == []


def unavailable(backend: Cli) -> Failure:
    able = run(backend, lambda one: one.available())
    assert isinstance(able, Failure), able
    assert able.kind == "unavailable"
    assert able.fatal
    return able


@both
def test_a_program_that_is_missing_is_unavailable_with_what_to_install(program: str, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    backend = target(program, tmp_path / "bin", environ={"PATH": str(tmp_path / "bin")})
    failure = unavailable(backend)
    assert f"found no program {program!r} on PATH" in failure.detail
    package = {"claude": "@anthropic-ai/claude-code", "codex": "@openai/codex"}[program]
    assert failure.detail.endswith(f"install it with: npm install -g {package}")


@both
def test_a_program_in_the_folder_where_we_stand_is_not_found(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = install(tmp_path, program)
    monkeypatch.chdir(path)
    assert "found no program" in unavailable(target(program, path, environ={"PATH": ".:"})).detail


@pytest.mark.parametrize(
    ("program", "option"),
    [
        ("claude", "--tools"), ("claude", "--fork-session"), ("claude", "--setting-sources"), ("codex", "fork"),
        ("codex", "--disable"), ("codex", "--ignore-user-config"),
    ],
)  # fmt: skip
def test_a_version_without_an_option_that_we_need_is_unavailable(program: str, option: str, tmp_path: Path) -> None:
    failure = unavailable(target(program, install(tmp_path, program, without=option, version="1.0.7 (old)")))
    assert f"{program}: found version 1.0.7, which does not know" in failure.detail
    assert option in failure.detail
    assert {"claude": "expected Claude Code 2.1 or newer", "codex": "expected codex 0.171 or newer"}[
        program
    ] in failure.detail


@both
def test_a_program_that_says_no_version_is_unavailable(program: str, tmp_path: Path) -> None:
    failure = unavailable(target(program, install(tmp_path, program, version="who knows")))
    assert 'found "who knows' in failure.detail


@both
def test_a_program_that_cannot_start_is_unavailable_with_what_it_says(program: str, tmp_path: Path) -> None:
    path = script(tmp_path / "bin", program, "import sys; sys.exit('a library is missing')")
    failure = unavailable(target(program, path))
    assert f"{program} --version failed; exit code 1" in failure.detail
    assert "a library is missing" in failure.detail


@both
def test_a_variable_that_is_not_set_is_unavailable_by_name(program: str, tmp_path: Path) -> None:
    backend = target(program, install(tmp_path, program), env=(KEYS[program], "NOT_THERE"))
    assert "NOT_THERE" in unavailable(backend).detail
    assert "NOT_THERE" in failure_of(target(program, tmp_path / "bin", env=("NOT_THERE",)), "say hello").detail


@both
def test_params_that_the_program_has_no_option_for_are_refused(program: str, tmp_path: Path) -> None:
    path = install(tmp_path, program)
    failure = unavailable(target(program, path, params={"temperature": 0, "model": "x"}))
    assert f"params: found 'temperature', which {program} has no option for; expected model or effort" in failure.detail
    failure = failure_of(target(program, path), "say hello", params={"top_p": 0.1})
    assert (failure.kind, failure.fatal) == ("unavailable", True)
    assert calls(tmp_path) == []


@both
def test_model_and_effort_reach_the_program_and_a_cells_params_win(program: str, tmp_path: Path) -> None:
    path = install(tmp_path, program)
    settings: dict[str, Any] = {"model": "of-the-target", "params": {"effort": "low"}}
    reply_to(target(program, path, **settings), "say hello", params={"model": "of-the-cell"})
    reply_to(target(program, path, **settings), "say hello", params={"effort": None})
    first, second = calls(tmp_path)
    if program == "claude":
        assert after(first["argv"], "--model") == "of-the-cell"
        assert after(first["argv"], "--effort") == "low"
        assert after(second["argv"], "--model") == "of-the-target"
        assert "--effort" not in second["argv"]
    else:
        assert 'model="of-the-cell"\nmodel_reasoning_effort="low"' in first["config"]
        assert 'model="of-the-target"' in second["config"]
        assert "model_reasoning_effort" not in second["config"]


@both
def test_a_turn_after_its_deadline_is_not_sent(program: str, tmp_path: Path) -> None:
    failure = failure_of(target(program, install(tmp_path, program)), "say hello", deadline=0.0)
    assert failure.kind == "timeout"
    assert calls(tmp_path) == []


@both
def test_nothing_is_started_once_it_is_closed(program: str, tmp_path: Path) -> None:
    async def play(backend: Cli) -> Reply | Failure:
        await backend.close()
        return await backend.reply(Talk("talk", ("say hello",)))

    outcome = run(target(program, install(tmp_path, program)), play)
    assert isinstance(outcome, Failure)
    assert outcome.kind == "cancelled"
    assert calls(tmp_path) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS_OF_EVENTS), inner, max_size=3),
    max_leaves=8,
)


def _spoilt(value: Any, where: list[int], instead: Any) -> Any:
    """The value with one part of it, that the numbers lead to, replaced."""
    if not where or not isinstance(value, dict | list) or not value:
        return instead
    if isinstance(value, list):
        at = where[0] % len(value)
        return [_spoilt(one, where[1:], instead) if n == at else one for n, one in enumerate(value)]
    key = list(value)[where[0] % len(value)]
    return {**value, key: _spoilt(value[key], where[1:], instead)}


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([(one, name) for one in PROGRAMS for name in scenes_of(one)]),
    st.lists(st.integers(0, 40), min_size=1, max_size=6),
    JSON,
)
def test_no_form_of_events_raises(scene: tuple[str, str], where: list[int], instead: Any) -> None:
    program, name = scene
    record = recording(program, name)
    backend = target(program, Path(__file__).parent / "nowhere" / "bin")
    with tempfile.TemporaryDirectory() as home:
        kept = Path(home) / "sessions" / "2026" / "01" / "01"
        kept.mkdir(parents=True)
        lines = _spoilt(record["kept"], where, instead)
        text = "\n".join(map(json.dumps, lines if isinstance(lines, list) else [lines]))
        (kept / f"rollout-x-{THREAD}.jsonl").write_text(text, encoding="utf-8")
        for out in (record["out"], _spoilt(record["out"], where, instead)):
            found, _ = events("\n".join(map(json.dumps, out if isinstance(out, list) else [out])))
            heard = backend.hear(found, Place(Room(Path(home)), sessions=["s"]), {"CODEX_HOME": home})
            assert isinstance(heard.reply.text, str)
            json.dumps([heard.reply.model, [one.name for one in heard.reply.tools]])
