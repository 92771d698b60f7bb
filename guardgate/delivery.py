"""Whether a document reached the agent. Proved, or the agent's silence about it proves nothing."""

from __future__ import annotations

from guardgate.checks.tool_calls import as_text
from guardgate.normalize import fold
from guardgate.record import Reply
from guardgate.source import sha256

#: Backends whose whole prompt we build, so that what is in our message is in the prompt.
BUILDS_PROMPT = frozenset({"openai", "litellm", "claude_cli", "codex_cli", "scripted"})
#: A model that reports fewer input tokens than one for so many characters did not read the whole document. Prose
#: comes to 4 or 5, so that a document of which half was cut off is noticed.
CHARS_PER_TOKEN = 8
#: So many characters of the document in the result of a tool call show that it was read.
SHOWN = 200


def delivered(
    backend: str, framing: str | None, document: str, marker: str | None, replies: tuple[Reply, ...]
) -> str | None:
    """How the document got there: `prompt ...`, `tool`, `marker`; `handed over` where nothing shows it; else None.

    `framing`: of the message that it stood in; None: it was handed over as a field. A marker that the case names
    is the stronger proof and is looked for first.
    """
    if not replies:
        return None
    how = _shown(document, marker, replies)
    if how is None:
        how = _prompt(document, replies[0]) if backend in BUILDS_PROMPT and framing is not None else "handed over"
    return f"{how}, as a field" if framing is None else f"{how}, framing {framing}"


def _shown(document: str, marker: str | None, replies: tuple[Reply, ...]) -> str | None:
    """What the replies themselves prove."""
    if marker is not None and any(fold(marker) in fold(reply.text) for reply in replies):
        return "marker"
    if any(_read(document, call.result) for reply in replies for call in reply.tools):
        return "tool"
    return None


def _prompt(document: str, first: Reply) -> str:
    """Our own message, with hash and length; where the server counted too few tokens it was cut on the way."""
    tokens = first.usage.input if first.usage is not None else None
    if tokens is not None and tokens * CHARS_PER_TOKEN < len(" ".join(document.split())):
        return f"handed over ({tokens} input tokens for {len(document)} characters)"
    return f"prompt sha256:{sha256(document)[:16]} {len(document)} characters"


def _read(document: str, result: object) -> bool:
    if result is None:
        return False
    wanted = " ".join(document.split())
    seen = " ".join(as_text(result).split())
    return bool(wanted) and (wanted in seen or wanted[: max(SHOWN, len(wanted) // 2)] in seen)


def proved(how: str | None) -> bool:
    """Whether a stored way of delivery is a proof."""
    return how is not None and how.startswith(("prompt ", "tool", "marker"))
