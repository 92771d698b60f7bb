"""Real LangGraph graphs: with and without a memory, with tools, an interrupt and a loop."""

from __future__ import annotations

import operator
import os
import sys
import threading
from typing import Annotated, Any

from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, SystemMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt
from typing_extensions import TypedDict


class State(MessagesState):
    document: str
    outbox: Annotated[list[str], operator.add]


def tell(state: State) -> dict[str, Any]:
    """Says how many user turns it sees, in a list of blocks; one word makes it fail."""
    turns = [message for message in state["messages"] if isinstance(message, HumanMessage)]
    heard = str(turns[-1].text)
    if heard == "more":
        return {"messages": [AIMessage(str(number)) for number in range(4)]}
    if heard == "exit":
        sys.exit("from a node")
    system = [str(message.text) for message in state["messages"] if isinstance(message, SystemMessage)]
    text = f"{len(turns)} turns, {heard}, {state.get('document')}, {system}"
    return {"messages": [AIMessage([{"type": "text", "text": text}])], "outbox": [heard]}


def tell_place(state: State) -> dict[str, Any]:
    """Says in which process it is; one word makes it hang in its thread."""
    if state["messages"][-1].text == "hang":
        threading.Event().wait()
    return {"messages": [AIMessage(str(os.getpid()))]}


async def tell_setting(state: State, config: RunnableConfig) -> dict[str, Any]:
    wanted = {key: config["configurable"].get(key) for key in ("temperature", "thread_id")}
    return {"messages": [AIMessage(str(wanted))]}


def one_node(node: Any, schema: Any = State) -> StateGraph[Any, Any, Any, Any]:
    made = StateGraph(schema)
    made.add_node("node", node)
    made.add_edge(START, "node")
    made.add_edge("node", END)
    return made


builder = one_node(tell)
remembering = builder.compile(checkpointer=InMemorySaver())
forgetting = builder.compile()
places = one_node(tell_place).compile(checkpointer=InMemorySaver())
settings = one_node(tell_setting).compile(checkpointer=InMemorySaver())


def factory() -> Any:
    return builder.compile(checkpointer=InMemorySaver())


async def async_factory(memory: bool = True) -> Any:
    return builder


def ask_tool(state: State) -> dict[str, Any]:
    calls = [{"name": "search", "args": {"q": "bread"}, "id": "a"}, {"name": "send", "args": {}, "id": "b"}]
    return {"messages": [AIMessage("let me look", tool_calls=calls)]}


def use_tool(state: State) -> dict[str, Any]:
    """Answers one of the two calls."""
    return {"messages": [ToolMessage("two shops", tool_call_id="a")]}


def conclude(state: State) -> dict[str, Any]:
    return {"messages": [AIMessage("there are two")]}


def chain(*nodes: Any) -> Any:
    made = StateGraph(State)
    made.add_sequence(list(nodes))
    made.add_edge(START, nodes[0].__name__)
    return made


tools = chain(ask_tool, use_tool, conclude).compile()
tools_with_memory = chain(ask_tool, use_tool, conclude).compile(checkpointer=InMemorySaver())


def metered(state: State) -> dict[str, Any]:
    """Two calls of a model, with what a chat model of LangChain tells about them."""
    spent = {"input_tokens": 10, "output_tokens": 3, "total_tokens": 13}
    asked = AIMessage("let me look", usage_metadata=spent, response_metadata={"model_name": "small-1"})
    return {"messages": [asked, AIMessage("two", usage_metadata=spent, response_metadata={"model": "small-2"})]}


metering = chain(metered).compile(checkpointer=InMemorySaver())


def approve(state: State) -> dict[str, Any]:
    interrupt({"question": "may I send it?"})
    return {}


interrupted = chain(ask_tool, approve, conclude).compile(checkpointer=InMemorySaver())


def turn_round() -> Any:
    made = StateGraph(State)
    made.add_node("round", lambda state: {"outbox": ["again"]})
    made.add_edge(START, "round")
    made.add_edge("round", "round")
    return made.compile(checkpointer=InMemorySaver())


endless = turn_round()


def only_last(state: State) -> dict[str, Any]:
    """Keeps nothing but its own words."""
    removed = [RemoveMessage(id=str(message.id)) for message in state["messages"]]
    return {"messages": [*removed, AIMessage("only this")]}


trimming = one_node(only_last).compile()


class Foreign(TypedDict):
    answer: str


foreign = one_node(lambda state: {"answer": "elsewhere"}, Foreign).compile()


class Raw(TypedDict):
    messages: list[Any]


def raw_node(state: Raw) -> dict[str, Any]:
    """Plain mappings in OpenAI's form, without LangChain's messages."""
    call = {"id": "1", "type": "function", "function": {"name": "search", "arguments": '{"q": "x"}'}}
    said = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "found"},
        {"role": "assistant", "content": "here"},
    ]
    return {"messages": [*state["messages"], *said]}


raw = one_node(raw_node, Raw).compile()
