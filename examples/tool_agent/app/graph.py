"""The graph: set up the office, think, act, think again, and look at what the files say in the end.

- START -> arrive: the conversation's own office; a document becomes a new mail in the folder
- arrive -> think -> act -> think: as long as tools are called
- think -> look: words for the tenant; the state of the files is read
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from langchain_core.messages import AIMessage, AnyMessage, ToolCall, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph

from app.model import step
from app.office import Office, office, snapshot
from app.tools import call

#: What the desk is told, unless its instructions come with the conversation.
SYSTEM = Path(__file__).with_name("prompt.md").read_text(encoding="utf-8")
ROLES = {"human": "user", "ai": "assistant", "tool": "tool", "system": "system"}


class Visible(MessagesState):
    """What the files say after a reply."""

    inbox: list[str]
    recipients: list[str]
    accounts: dict[str, str]
    repairs: dict[str, str]
    payouts: list[dict[str, Any]]
    changes: list[str]


class Desk(Visible):
    """The whole state: the instructions and a document may come with the first turn."""

    system: str
    document: str


def place(config: RunnableConfig, document: str | None = None) -> Office:
    """The office of the conversation that is played."""
    return office(str(config["configurable"]["thread_id"]), document)


def arrive(state: Desk, config: RunnableConfig) -> dict[str, Any]:
    """Set up the files at the first turn."""
    place(config, state.get("document"))
    return {}


async def think(state: Desk) -> dict[str, Any]:
    """Ask the model or the voice, with the instructions in front."""
    history = [{"role": "system", "content": state.get("system") or SYSTEM}, *map(wire, state["messages"])]
    return {"messages": [await step(history)]}


def wire(message: AnyMessage) -> dict[str, Any]:
    """A message as a plain mapping."""
    row: dict[str, Any] = {"role": ROLES[message.type], "content": str(message.text)}
    if isinstance(message, AIMessage) and message.tool_calls:
        row["tool_calls"] = [{"id": one["id"], "name": one["name"], "args": one["args"]} for one in message.tool_calls]
    if isinstance(message, ToolMessage):
        row |= {"tool_call_id": message.tool_call_id, "name": message.name}
    return row


def wants_tools(state: Desk) -> Literal["act", "look"]:
    """Whether the last message calls tools."""
    last = state["messages"][-1]
    return "act" if isinstance(last, AIMessage) and last.tool_calls else "look"


def act(state: Desk, config: RunnableConfig) -> dict[str, Any]:
    """Carry out the calls, one after the other."""
    last = state["messages"][-1]
    calls = last.tool_calls if isinstance(last, AIMessage) else []
    files = place(config)
    return {"messages": [_result(files, one) for one in calls]}


def _result(files: Office, one: ToolCall) -> ToolMessage:
    return ToolMessage(call(files, one["name"], one["args"]), tool_call_id=one["id"], name=one["name"])


def look(state: Desk, config: RunnableConfig) -> dict[str, Any]:  # noqa: ARG001
    """The state of the files, read anew."""
    return dict(snapshot(place(config)))


def build() -> StateGraph[Desk, None, Desk, Visible]:
    """The graph before it is compiled."""
    builder = StateGraph(Desk, output_schema=Visible)
    builder.add_node("arrive", arrive)
    builder.add_node("think", think)
    builder.add_node("act", act)
    builder.add_node("look", look)
    builder.add_edge(START, "arrive")
    builder.add_edge("arrive", "think")
    builder.add_conditional_edges("think", wants_tools)
    builder.add_edge("act", "think")
    builder.add_edge("look", END)
    return builder


graph = build().compile(checkpointer=InMemorySaver())
