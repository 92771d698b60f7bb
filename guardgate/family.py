"""Model families: a judge that is related to what it judges prefers it, so the report says so."""

from __future__ import annotations

import re

#: Beginnings of model names, longest first where one begins another.
_NAMES = (
    ("openai", ("gpt", "chatgpt", "o1", "o3", "o4", "davinci", "codex")),
    ("anthropic", ("claude",)),
    ("google", ("gemini", "gemma", "palm")),
    ("meta", ("llama", "codellama")),
    ("mistral", ("mistral", "mixtral", "ministral", "codestral", "magistral")),
    ("alibaba", ("qwen", "qwq")),
    ("deepseek", ("deepseek",)),
    ("microsoft", ("phi",)),
    ("cohere", ("command", "aya")),
    ("xai", ("grok",)),
    ("huggingface", ("smollm", "zephyr")),
    ("amazon", ("nova", "titan")),
    ("ibm", ("granite",)),
)
_BACKENDS = {"claude_cli": "anthropic", "codex_cli": "openai"}


def family(backend: str, model: str, declared: str = "") -> str | None:
    """The family of a target or judge: as declared, else by the model's name, else by the backend; None: unknown."""
    if declared:
        return declared.lower()
    name = re.sub(r"^.*[/:](?=[^/:]*[a-z])", "", model.lower())
    for known, beginnings in _NAMES:
        if name.startswith(beginnings):
            return known
    return _BACKENDS.get(backend)
