"""The python backend on callables: what they are given, what they may return, and what cannot be used."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import guardgate.backends
from guardgate.backends import open_backend
from guardgate.backends.base import MAX_REPLY_BYTES, Available, Surroundings
from guardgate.backends.inside.messages import plain
from guardgate.backends.python import Python
from guardgate.model.project import PythonTarget
from guardgate.record import Failure, Reply, ToolCall
from tests.backends.python_target import APPS, converse, failure, one, run, target, text
from tests.support.project import case, lines, put, write
from tests.support.project import run as play

HERE = Path(guardgate.backends.__file__).parent


def test_the_table_knows_it() -> None:
    backend = open_backend("bot", PythonTarget(backend="python", entry="plain:echo"), Surroundings(APPS))
    assert isinstance(backend, Python)


@pytest.mark.parametrize("entry", ["echo", "echo_in_thread", "by_name", "late"])
def test_a_callable_gets_the_turn_and_the_session(entry: str) -> None:
    reply = run(target(f"plain:{entry}"), lambda backend: text(backend, "hello", "talk-7"))
    assert reply.startswith("talk-7|hello")


def test_params_are_joined_with_those_of_the_talk() -> None:
    backend = target("plain:echo", params={"temperature": 0, "top": 1})
    reply = run(backend, lambda backend: text(backend, "hello", params={"temperature": 1}))
    assert reply == "talk|hello|[('temperature', 1), ('top', 1)]"


def test_a_callable_gets_what_it_names() -> None:
    backend = target("plain:everything", params={"temperature": 0}, document="field")
    outcome = run(
        backend, lambda backend: one(backend, "hi", "s", system="be kind", task="sum up", document="a\ud800é\u2028")
    )
    assert isinstance(outcome, Reply)
    assert outcome.state == {
        "session": "s", "system": "be kind", "task": "sum up", "document": "a\ud800é\u2028", "temperature": 0,
        "messages": [{"role": "user", "content": "hi"}],
    }  # fmt: skip


def test_messages_are_the_whole_conversation_with_the_system_prompt() -> None:
    outcomes = run(target("plain:bot"), lambda backend: converse(backend, "one", "two", system="be kind"))
    last = outcomes[-1]
    assert isinstance(last, Reply)
    assert last.text == "system: be kind / user: one / assistant: system: be kind / user: one / user: two"


def test_a_document_in_the_message_is_not_handed_over_twice() -> None:
    backend = target("plain:everything", params={"temperature": 0})
    outcome = run(backend, lambda backend: one(backend, "hi", document="framed already"))
    assert isinstance(outcome, Reply)
    assert outcome.state["document"] is None


def test_a_callable_that_cannot_remember_forgets_at_turn_two() -> None:
    first, second = run(target("plain:forgetful"), lambda backend: converse(backend, "one", "two"))
    assert isinstance(first, Reply)
    assert isinstance(second, Failure)
    assert (second.kind, second.retry) == ("forgotten", "no")
    assert "session" in second.detail


@pytest.mark.parametrize(
    ("turn", "words"),
    [
        ("none", ""), ("zero", "0"), ("false", "False"), ("bytes", "café �"), ("content", "a content"),
        ("blocks", "two blocks"), ("method", "by a method"), ("calls alone", ""),
    ],
)  # fmt: skip
def test_what_counts_as_text(turn: str, words: str) -> None:
    assert run(target("plain:returns"), lambda backend: text(backend, turn)) == words


def test_tool_calls_and_state_are_read() -> None:
    outcome = run(target("plain:returns"), lambda backend: one(backend, "calls"))
    assert isinstance(outcome, Reply)
    assert outcome.tools == (ToolCall("search", {"q": "x"}, ["y"]), ToolCall("stop"))
    assert outcome.state == {"order": {"item": "bread", "amount": "inf"}, "seen": [1, 2], "3": "x"}
    assert outcome.traced


def test_only_a_list_of_tool_calls_proves_that_there_were_no_others() -> None:
    async def both(backend: Python) -> tuple[Reply | Failure, Reply | Failure]:
        return await one(backend, "content"), await one(backend, "calls alone")

    plain_text, listed = run(target("plain:returns"), both)
    assert isinstance(plain_text, Reply)
    assert isinstance(listed, Reply)
    assert (plain_text.traced, listed.traced) == (False, True)


@pytest.mark.parametrize(
    ("turn", "found"),
    [
        ("object", "found a object"), ("list", "found a list"), ("empty", "keys []"), ("other keys", "answer"),
        ("more keys", "tools"), ("no text", "a object as text"), ("lost arguments", "tool calls of another form"),
        ("digits", "cannot be written as JSON"),
    ],
)  # fmt: skip
def test_anything_else_is_malformed_and_says_so(turn: str, found: str) -> None:
    outcome = run(target("plain:returns"), lambda backend: failure(backend, turn))
    assert outcome.kind == "malformed"
    assert found in outcome.detail


def test_a_reply_that_is_too_large_costs_only_its_own() -> None:
    async def play(backend: Python) -> list[Failure | str]:
        return [
            await failure(backend, "large", "a"), await text(backend, "zero", "b"),
            await failure(backend, "large state", "c"), await text(backend, "false", "d"),
        ]  # fmt: skip

    large, zero, state, false = run(target("plain:returns"), play)
    for outcome in (large, state):
        assert isinstance(outcome, Failure)
        assert outcome.kind == "too_large"
        assert str(MAX_REPLY_BYTES) in outcome.detail
    assert (zero, false) == ("0", "False")


def test_any_text_goes_there_and_comes_back() -> None:
    turns = ["", "\x00\n\r", "é漢😀\u2028", "\ud800 alone", "\ud83d\ude00", '{"id": 1}', "x" * 300_000]

    async def play(backend: Python) -> list[str]:
        return [await text(backend, turn) for turn in turns]

    assert run(target("plain:forgetful"), play) == turns


def test_what_the_app_prints_never_reaches_the_protocol() -> None:
    async def play(backend: Python) -> list[str]:
        return [await text(backend, "hi", str(number)) for number in range(3)]

    assert run(target("plain:loud"), play) == ["quiet"] * 3


def test_the_app_sees_declared_variables_only() -> None:
    environ = {**os.environ, "DECLARED": "yes", "UNDECLARED": "no"}

    async def play(backend: Python) -> list[str]:
        return [await text(backend, name) for name in ("DECLARED", "SET", "UNDECLARED")]

    backend = target("plain:environment", environ=environ, env=["DECLARED", "SET=here"])
    assert run(backend, play) == ["yes", "here", "not set"]


def test_a_variable_that_is_missing_makes_it_unavailable() -> None:
    backend = target("plain:environment", env=["MODEL_KEY"])
    outcome = run(backend, lambda backend: backend.available())
    assert isinstance(outcome, Failure)
    assert outcome.kind == "unavailable"
    assert "MODEL_KEY" in outcome.detail


def test_files_of_guardgate_shadow_nothing() -> None:
    assert (HERE / "http.py").exists()
    place, root = run(target("plain:imported"), lambda backend: text(backend, "hi")).split(" ", 1)
    assert Path(place).parent.name == "http"
    assert Path(root) == APPS


def test_available_says_what_it_is() -> None:
    async def play(backend: Python) -> tuple[Available | Failure, bool | None]:
        return await backend.available(), backend.remembers

    about, remembers = run(target("plain:echo"), play)
    version = ".".join(map(str, sys.version_info[:3]))
    assert about == Available(f"Python {version}", "an async callable that takes the turn, session")
    assert remembers is True
    about, remembers = run(target("plain:forgetful"), play)
    assert about == Available(f"Python {version}", "a callable that takes the turn: it forgets")
    assert remembers is False


def test_a_run_says_what_its_target_is(tmp_path: Path) -> None:
    put(tmp_path, "app.py", "def answer(turn):\n    return 'No.'\n")
    ran = play(write(tmp_path, {"backend": "python", "entry": "app:answer"}, cases=[case("c1", "hello")]))
    assert ran.code == 0, ran
    (head,) = lines(ran.file, "run")
    assert head["targets"]["bot"]["note"] == "a callable that takes the turn: it forgets"
    assert "a callable that takes the turn: it forgets" in " ".join(ran.out.split())


MODULES = {
    "wrong_syntax.py": "x = 1\ndef f(:\n",
    "needs_more.py": "import os\nimport a_package_that_is_not_there\n",
    "raises.py": "def boom():\n    raise ValueError('at import')\nboom()\n",
    "leaves.py": "import sys\nsys.exit(4)\n",
    "dies.py": "import os\nprint('going', flush=True)\nos._exit(9)\n",
    "things.py": "graph = 5\ndef bot(turn, *, session): return turn\ndef factory(): return 7\nclass Bot: pass\n"
    "def fails(): raise KeyError('model')\ndef many(turn, *more): return turn\n",
}


@pytest.mark.parametrize(
    ("entry", "more", "found"),
    [
        ("wrong_syntax:f", {}, ["SyntaxError", "wrong_syntax.py:2"]),
        ("needs_more:f", {}, ["a_package_that_is_not_there", "needs_more.py:2", "`python:`"]),
        ("raises:f", {}, ["ValueError: at import (at raises.py:2)"]),
        ("leaves:f", {}, ["SystemExit: 4"]),
        ("dies:f", {}, ["code 9", "going"]),
        ("not_there:f", {}, ["no module 'not_there'", "entry not_there:f"]),
        ("things.inner:f", {}, ["things"]),
        ("things:grpah", {}, ["no attribute 'grpah'", "did you mean 'graph'?"]),
        ("things:graph", {}, ["found a int", "expected a graph, a builder"]),
        ("things:factory", {}, ["the factory returned a int"]),
        ("things:fails", {}, ["KeyError: 'model'", "things.py:5"]),
        ("things:Bot", {}, ["the factory returned a Bot"]),
        ("things:bot", {"params": {"top": 1}}, ["does not take parameter 'top'"]),
        ("things:many", {"params": {"turn": 1}}, ["'turn' in params"]),
        ("things:bot", {"document": "field"}, ["does not take parameter 'document'"]),
        (
            "things:bot",
            {"python": "nowhere/bin/python"},
            ["nowhere", "could not be started", "relative to the project"],
        ),
        ("things:bot", {"python": "things.py"}, ["things.py", "could not be started"]),
        ("things:bot", {"root": "missing"}, ["missing", "could not be started"]),
    ],
)
def test_what_cannot_be_used_says_why(tmp_path: Path, entry: str, more: dict[str, Any], found: list[str]) -> None:
    for name, code in MODULES.items():
        (tmp_path / name).write_text(code, encoding="utf-8")
    root = tmp_path / more.get("root", "")
    settings = {key: value for key, value in more.items() if key != "root"}
    outcome = run(target(entry, root=root, **settings), lambda backend: backend.available())
    assert isinstance(outcome, Failure)
    assert (outcome.kind, outcome.retry, outcome.fatal) == ("unavailable", "no", True)
    for part in found:
        assert part in outcome.detail


def test_a_param_that_only_the_talk_brings_and_the_callable_does_not_take() -> None:
    outcome = run(target("plain:forgetful"), lambda backend: failure(backend, "hi", params={"top": 1}))
    assert outcome.kind == "bad_request"
    assert "does not take parameter 'top'" in outcome.detail


def test_a_required_parameter_must_be_filled() -> None:
    outcome = run(target("plain:needy"), lambda backend: backend.available())
    assert isinstance(outcome, Failure)
    assert "requires parameter 'user'" in outcome.detail
    assert run(target("plain:needy", params={"user": "u-1"}), lambda backend: text(backend, "hi")) == "u-1"


def test_an_import_without_end_is_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "endless.py").write_text("import threading\nthreading.Event().wait()\n", encoding="utf-8")
    monkeypatch.setattr("guardgate.backends.python._START_SECONDS", 0.5)
    backend = target("endless:f", root=tmp_path, call_seconds=0.5)
    outcome = run(backend, lambda backend: backend.available())
    assert isinstance(outcome, Failure)
    assert outcome.kind == "unavailable"
    assert "not loaded after 0.5 s" in outcome.detail


def test_prints_before_the_worker_begins_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('good morning')\n", encoding="utf-8")
    (tmp_path / "app.py").write_text("def bot(turn, *, session): return turn\n", encoding="utf-8")
    backend = target("app:bot", root=tmp_path, env=[f"PYTHONPATH={tmp_path}"])
    assert run(backend, lambda backend: text(backend, "hi")) == "hi"


def test_the_apps_own_interpreter_needs_no_guardgate(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / ".venv"], check=True)
    folder = "Scripts/python.exe" if sys.platform == "win32" else "bin/python"
    (tmp_path / "app.py").write_text(
        "import importlib.util, sys\n"
        "def bot(turn, *, session): return f\"{sys.prefix} {importlib.util.find_spec('guardgate')}\"\n",
        encoding="utf-8",
    )
    backend = target("app:bot", root=tmp_path, python=f".venv/{folder}")
    prefix, guard = run(backend, lambda backend: text(backend, "hi")).rsplit(" ", 1)
    assert os.path.samefile(prefix, tmp_path / ".venv")
    assert guard == "None"


@pytest.mark.parametrize("file", [HERE / "worker.py", *(HERE / "inside").glob("*.py")], ids=lambda file: file.name)
def test_the_worker_needs_only_an_old_python(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 9))
    absolute = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level]
    absolute += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    assert {str(name).partition(".")[0] for name in absolute} <= sys.stdlib_module_names


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@settings(deadline=None)
@given(VALUES)
def test_json_stays_as_it_is(value: object) -> None:
    assert plain(value) == value


def test_a_value_without_end_is_cut() -> None:
    ring: list[object] = []
    ring.append(ring)
    assert "nested too deep" in str(plain(ring))
