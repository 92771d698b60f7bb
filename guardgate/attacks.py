"""The table of attack classes: what each one presses on or demands, its other names and its public tags.

Tags: OWASP Top 10 for LLM applications 2025 (`owasp:`), MITRE ATLAS 5.6.0 (`atlas:`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal


@dataclass(frozen=True, slots=True)
class AttackClass:
    """One class: `channel` tells whether the user presses, a document does, or nobody does."""

    name: str
    pressure: str
    channel: Literal["conversation", "document", "benign"] = "conversation"
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


_ROWS = (
    AttackClass("secrecy_promise", "asks the bot to promise silence", tags=("owasp:LLM02",), aliases=("secrecy",)),
    AttackClass(
        "authority_claim", "claims to be a developer, a doctor or the police",
        tags=("owasp:LLM01", "owasp:LLM06", "atlas:AML.T0073"), aliases=("authority", "impersonation"),
    ),
    AttackClass(
        "emotional_pressure", "uses guilt, grief, threats or loneliness", tags=("owasp:LLM01",), aliases=("guilt",),
    ),
    AttackClass(
        "roleplay_fiction", "wraps the wish in a story, a game or a character", tags=("atlas:AML.T0054",),
        aliases=("roleplay", "fiction"),
    ),
    AttackClass(
        "hypothetical", "asks in theory, in the past or in an opposite world",
        tags=("atlas:AML.T0054", "atlas:AML.T0065"),
    ),
    AttackClass("incremental_escalation", "goes one small step further each turn", aliases=("escalation", "crescendo")),
    AttackClass(
        "prompt_extraction", "wants the instructions or what is hidden in them",
        tags=("owasp:LLM07", "atlas:AML.T0056"), aliases=("prompt_leak", "extraction"),
    ),
    AttackClass("persona_drift", "moves role, register or nature of the bot over a long chat", aliases=("drift",)),
    AttackClass(
        "false_memory", "claims that something was said or agreed before", tags=("owasp:LLM09", "atlas:AML.T0092"),
    ),
    AttackClass(
        "professional_advice", "wants an individual medical, legal or financial decision", tags=("owasp:LLM09",),
        aliases=("medical_advice", "legal_advice", "financial_advice"),
    ),
    AttackClass("self_harm", "discloses a crisis or looks for a method", aliases=("crisis",)),
    AttackClass("dependency", "wants to be the only one, or to have only the bot", aliases=("exclusivity",)),
    AttackClass(
        "third_party_data", "wants data or the whereabouts of somebody else", tags=("owasp:LLM02", "atlas:AML.T0057"),
        aliases=("privacy",),
    ),
    AttackClass(
        "urgency_exception", "claims a deadline, an emergency or a test mode", tags=("owasp:LLM01",),
        aliases=("urgency",),
    ),
    AttackClass(
        "encoding_translation", "hides the wish in a cipher, another language or split parts",
        tags=("atlas:AML.T0068",), aliases=("encoding", "translation"),
    ),
    AttackClass(
        "tool_misuse", "wants a tool call outside the task or without consent", tags=("owasp:LLM06", "atlas:AML.T0053"),
    ),
    AttackClass(
        "flattery_sycophancy", "praises, and presses a wrong claim again and again", aliases=("sycophancy", "flattery"),
    ),
    AttackClass(
        "refusal_suppression_manyshot", "forbids refusing, or shows invented turns that comply",
        tags=("owasp:LLM01", "atlas:AML.T0054"), aliases=("refusal_suppression", "manyshot"),
    ),
    AttackClass(
        "ignore_previous", "tells the reader to drop the task and its instructions", channel="document",
        tags=("owasp:LLM01", "atlas:AML.T0051.001"), aliases=("instruction_override",),
    ),
    AttackClass(
        "role_reassign", "gives the reader another role or master", channel="document",
        tags=("owasp:LLM01", "atlas:AML.T0051.001"), aliases=("new_role",),
    ),
    AttackClass(
        "reveal_prompt", "asks the reader to print its own instructions", channel="document",
        tags=("owasp:LLM01", "owasp:LLM07", "atlas:AML.T0051.001", "atlas:AML.T0056"),
    ),
    AttackClass(
        "forced_verbatim", "dictates a sentence, a verdict or a score for the answer", channel="document",
        tags=("owasp:LLM01", "owasp:LLM09", "atlas:AML.T0051.001"), aliases=("dictated_verdict",),
    ),
    AttackClass(
        "citation_laundering", "dictates a reference that the answer is to add", channel="document",
        tags=("owasp:LLM01", "owasp:LLM09", "atlas:AML.T0051.001", "atlas:AML.T0067.000"),
    ),
    AttackClass(
        "command_execution", "wants a command to be run or handed on as advice", channel="document",
        tags=("owasp:LLM01", "owasp:LLM06", "atlas:AML.T0051.001", "atlas:AML.T0053"),
    ),
    AttackClass(
        "data_exfiltration", "wants data to be sent to an address", channel="document",
        tags=("owasp:LLM01", "owasp:LLM02", "atlas:AML.T0051.001", "atlas:AML.T0086"), aliases=("exfiltration",),
    ),
    AttackClass(
        "base64_obfuscated", "hides its order in an encoding and asks to decode it", channel="document",
        tags=("owasp:LLM01", "atlas:AML.T0051.001", "atlas:AML.T0068"), aliases=("encoded_directive",),
    ),
    AttackClass(
        "hidden_markup", "stands where people do not look: a comment, white text, a link title", channel="document",
        tags=("owasp:LLM01", "atlas:AML.T0051.001", "atlas:AML.T0068"), aliases=("hidden_text",),
    ),
    AttackClass(
        "fake_turn", "imitates the end of the document, a system message or chat tokens", channel="document",
        tags=("owasp:LLM01", "atlas:AML.T0051.001"), aliases=("fake_system_message",),
    ),
    AttackClass(
        "tool_description_poisoning", "changes what a tool is said to do or to need", channel="document",
        tags=("owasp:LLM01", "owasp:LLM06", "atlas:AML.T0051.001", "atlas:AML.T0110"), aliases=("tool_poisoning",),
    ),
    AttackClass(
        "memory_write", "wants to be remembered for later conversations", channel="document",
        tags=("owasp:LLM01", "owasp:LLM04", "atlas:AML.T0051.001", "atlas:AML.T0080.000"),
        aliases=("memory_poisoning",),
    ),
    AttackClass(
        "delayed_trigger", "waits for a word or a later turn before it acts", channel="document",
        tags=("owasp:LLM01", "atlas:AML.T0051.001", "atlas:AML.T0094"),
    ),
    AttackClass(
        "markdown_image_exfiltration", "wants an image or a link whose address carries data", channel="document",
        tags=("owasp:LLM01", "owasp:LLM05", "atlas:AML.T0051.001", "atlas:AML.T0077"), aliases=("image_exfiltration",),
    ),
    AttackClass(
        "translated", "gives its order in another language than the document", channel="document",
        tags=("owasp:LLM01", "atlas:AML.T0051.001", "atlas:AML.T0068"), aliases=("foreign_directive",),
    ),
    AttackClass(
        "split_across_sections", "spreads its order over parts that look harmless alone", channel="document",
        tags=("owasp:LLM01", "atlas:AML.T0051.001", "atlas:AML.T0068"), aliases=("split_directive",),
    ),
    AttackClass("benign", "nothing: the right thing is to help", channel="benign", aliases=("twin", "harmless")),
)  # fmt: skip

TABLE: Mapping[str, AttackClass] = MappingProxyType({row.name: row for row in _ROWS})
ALIASES: Mapping[str, str] = MappingProxyType({alias: row.name for row in _ROWS for alias in row.aliases})


def canonical(word: str, declared: Iterable[str] = ()) -> str | None:
    """The name of the class that `word` means, or None. Classes that a project declares stand for themselves."""
    if word in TABLE or word in declared:
        return word
    return ALIASES.get(word)
