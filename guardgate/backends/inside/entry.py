"""Finds the entry `module:attribute` and says what it is: a graph, a builder, a factory or a callable."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import platform
from collections.abc import Mapping
from difflib import get_close_matches
from importlib import metadata
from typing import Any, Union

from .function import Function
from .graph import Graph
from .outcome import explain

Entry = Union[Function, Graph]  # noqa: UP007  (runs on Python 3.9)
_KINDS = "a graph, a builder, a factory of one, or a callable f(turn, *, session, **params)"


class EntryError(Exception):
    """The entry cannot be used; the text says what was found, what was expected and what to do."""


def load(settings: Mapping[str, Any], loop: asyncio.AbstractEventLoop) -> Entry:
    """The entry, ready to be asked; or EntryError."""
    name = settings["entry"]
    try:
        thing = _find(name)
        # Code at import may have run and removed loops of its own.
        asyncio.set_event_loop(loop)
        entry = _judge(thing, settings["history"], loop)
    except EntryError as error:
        raise EntryError(f"entry {name}: {error}") from None
    except BaseException as error:  # noqa: BLE001  (sys.exit at import too is an answer)
        raise EntryError(f"entry {name}: making it raised {explain(error)}; expected {_KINDS}; repair it") from None
    problem = entry.refuses(settings["params"], settings["document"])
    if problem:
        raise EntryError(f"entry {name}: {problem}")
    return entry


def describe(entry: Entry) -> dict[str, Any]:
    """Versions of Python and, for a graph, of langgraph; and what the entry is."""
    version = f"Python {platform.python_version()}"
    if isinstance(entry, Graph):
        try:
            version += f", langgraph {metadata.version('langgraph')}"
        except metadata.PackageNotFoundError:
            version += ", langgraph of unknown version"
    return {"version": version, "note": entry.note, "remembers": entry.remembers}


def _find(name: str) -> Any:
    module_name, _, path = name.partition(":")
    try:
        thing = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is not None and (module_name + ".").startswith(error.name + "."):
            raise EntryError(
                f"found no module {error.name!r}; expected it in the project folder or installed for the interpreter "
                "(`python:`); correct the entry, or set PYTHONPATH in env"
            ) from None
        raise EntryError(
            f"importing {module_name} raised {explain(error)}; expected the app's packages in the interpreter; "
            "install them there, or set `python:` to the app's interpreter"
        ) from None
    except BaseException as error:  # noqa: BLE001  (sys.exit at import too is an answer)
        raise EntryError(
            f"importing {module_name} raised {explain(error)}; expected {_KINDS}; repair the module"
        ) from None
    for part in path.split("."):
        if not hasattr(thing, part):
            names = [known for known in dir(thing) if not known.startswith("_")]
            near = get_close_matches(part, names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names[:12]) or 'none'}"
            raise EntryError(f"found no attribute {part!r} in {module_name}; expected {_KINDS}; {hint}")
        thing = getattr(thing, part)
    return thing


def _judge(thing: Any, history: bool, loop: asyncio.AbstractEventLoop) -> Entry:
    graph = _graph(thing, history)
    if graph is not None:
        return graph
    if not callable(thing):
        raise EntryError(f"found a {type(thing).__name__}; expected {_KINDS}; correct the entry")
    if not _may_be_factory(thing):
        return Function(thing)
    made = thing()
    if inspect.isawaitable(made):
        made = loop.run_until_complete(_awaited(made))
    graph = _graph(made, history)
    if graph is not None:
        return graph
    takes_turn = Function(thing)
    if isinstance(thing, type) or takes_turn.refuses({}, "message"):
        raise EntryError(f"the factory returned a {type(made).__name__}; expected a graph or a builder; correct it")
    return takes_turn


async def _awaited(made: Any) -> Any:
    return await made


def _graph(thing: Any, history: bool) -> Graph | None:
    if isinstance(thing, type):
        return None
    if callable(getattr(thing, "ainvoke", None)):
        return Graph(thing, history)
    if callable(getattr(thing, "compile", None)):
        return Graph(_compiled(thing, history), history)
    return None


def _compiled(builder: Any, history: bool) -> Any:
    """The builder's graph; with a memory, unless the history is sent again."""
    if history:
        return builder.compile()
    memory = importlib.import_module("langgraph.checkpoint.memory")
    return builder.compile(checkpointer=memory.InMemorySaver())


def _may_be_factory(thing: Any) -> bool:
    """Whether it can be called without an argument, and does not name a turn to reply to."""
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        raise EntryError(
            f"found a {type(thing).__name__} whose signature cannot be read; expected {_KINDS}; wrap it in a function"
        ) from None
    kinds = [parameter.kind for parameter in parameters]
    open_ended = inspect.Parameter.VAR_POSITIONAL in kinds
    optional = all(p.default is not p.empty for p in parameters if p.kind != inspect.Parameter.VAR_KEYWORD)
    return optional and not open_ended and all(p.name != "turn" for p in parameters)
