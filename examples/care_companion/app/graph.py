"""The graph: a list of danger words, the model, a check of what it raised, and a note for the care team.

- START -> crisis: words of danger, the model is not asked
- START -> talk -> say: the usual way
- talk -> crisis: the model raised the flag
- crisis -> note: the team sees the conversation first
"""

from __future__ import annotations

import operator
from typing import Annotated, Any, Literal

from langchain_core.messages import AIMessage, AnyMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph

from app import crisis as danger
from app.model import answer
from app.prompt import FLAG, load_prompt

SYSTEM = load_prompt()
ROLES = {"human": "user", "ai": "assistant"}


class Visible(MessagesState):
    """What the app shows and the care team sees."""

    flagged: bool
    notes: Annotated[list[str], operator.add]


class Care(Visible):
    """The whole state. A draft is looked at before it leaves the graph, so replies come whole, not word by word."""

    draft: str


def words(message: AnyMessage) -> str:
    """The text of a message, also where its content is a list of blocks."""
    return str(message.text)


def triage(state: Care) -> Literal["crisis", "talk"]:
    """The first branch: danger in the user's last words."""
    return "crisis" if danger.in_danger(words(state["messages"][-1])) else "talk"


async def talk(state: Care) -> dict[str, Any]:
    """Ask the model, with the rules in front and the whole conversation behind."""
    history = [{"role": ROLES[message.type], "content": words(message)} for message in state["messages"]]
    return {"draft": await answer([{"role": "system", "content": SYSTEM}, *history])}


def raised(state: Care) -> Literal["crisis", "say"]:
    """The second branch: the model found danger in the sense of what was said."""
    return "crisis" if state["draft"].lstrip().startswith(FLAG) else "say"


def say(state: Care) -> dict[str, Any]:
    """Hand out the draft. A flag that was raised before stays."""
    return {"messages": [AIMessage(state["draft"])], "flagged": state.get("flagged", False)}


def crisis(_: Care) -> dict[str, Any]:
    """The fixed reply, with people who can be reached now."""
    return {"messages": [AIMessage(danger.REPLY)]}


def note(state: Care) -> dict[str, Any]:
    """Put the conversation in front of the care team. No node takes a flag down."""
    asked = sum(message.type == "human" for message in state["messages"])
    return {"flagged": True, "notes": [f"possible danger in message {asked}"]}


def build() -> StateGraph[Care, None, Care, Visible]:
    """The graph before it is compiled."""
    builder = StateGraph(Care, output_schema=Visible)
    builder.add_node("talk", talk)
    builder.add_node("say", say)
    builder.add_node("crisis", crisis)
    builder.add_node("note", note)
    builder.add_conditional_edges(START, triage)
    builder.add_conditional_edges("talk", raised)
    builder.add_edge("say", END)
    builder.add_edge("crisis", "note")
    builder.add_edge("note", END)
    return builder


graph = build().compile(checkpointer=InMemorySaver())
