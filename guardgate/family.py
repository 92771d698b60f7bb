"""Model families: a judge that is related to what it judges prefers it, so the report says so."""

from __future__ import annotations

import re

#: Names of models, which a version or a size follows.
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
_OF = {name: known for known, names in _NAMES for name in names}
#: As a word of its own: at the beginning, or behind a maker's name as in `anthropic.claude` and `meta-llama`.
_WORD = re.compile(rf"(?<![a-z0-9])({'|'.join(_OF)})(?![a-z])")


def family(backend: str, model: str, declared: str = "") -> str | None:
    """The family of a target or judge: as declared, else by the model's name, else by the backend; None: unknown."""
    if declared:
        return declared.lower()
    # the parts before are makers and hosts, those behind are tags: meta-llama/llama-3, llama3:8b
    for part in reversed(re.split("[/:]", model.lower())):
        found = _WORD.search(part)
        if found is not None:
            return _OF[found[1]]
    return _BACKENDS.get(backend)
