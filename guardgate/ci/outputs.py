"""The outputs of the action: every one on every path, and none that a text from outside could forge."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from types import MappingProxyType

from guardgate.normalize import visible

#: Every output of action.yml, and what its reader is told.
OUTPUTS: Mapping[str, str] = MappingProxyType(
    {
        "exit-code": "guardgate's code: 0, 1, 2 or 3, whatever fail-on makes of it.",
        "verdict": "The code as a word: held, below, broke or incomplete; valid where only files were checked.",
        "mode": "What was done: check, live or publish; empty where nothing was.",
        "held": "Attempts that held.",
        "broke": "Attempts that broke their rule.",
        "undecided": "Attempts that say nothing.",
        "results-path": "Results files, one a line, seen from the workspace.",
        "report-path": "Reports as Markdown, one a line.",
        "comment-url": "The comment on the pull request, or the issue of the night; empty where there is none.",
        "redacted-path": "Reports without a word of any reply, one a line.",
        "html-path": "Reports as one page each, to read in a browser, one a line.",
        "sarif-path": "Reports as SARIF, for code scanning, one a line.",
        "junit-path": "Reports as JUnit XML, one a line.",
        "json-path": "Reports as JSON, one a line.",
    }
)
#: What stands there until the end says better: whatever happens in between proved nothing.
UNTIL_THEN: Mapping[str, str] = MappingProxyType(
    dict.fromkeys(OUTPUTS, "") | {"exit-code": "3", "verdict": "incomplete"} | dict.fromkeys(("held", "broke"), "0")
    | {"undecided": "0"}
)  # fmt: skip


def lines(outputs: Mapping[str, str]) -> str:
    """The outputs as the runner reads them from its file; the last one of a name counts. Raises KeyError."""
    end = f"end-{secrets.token_hex(16)}"
    return "".join(f"{name}<<{end}\n{_value(outputs[name])}\n{end}\n" for name in OUTPUTS)


def _value(text: str) -> str:
    """Names of files may be hostile: nothing invisible gets into a later step of the workflow."""
    return "\n".join(visible(line) for line in text.split("\n"))


def write(environ: Mapping[str, str], outputs: Mapping[str, str]) -> str | None:
    """Append every output to the runner's file; the reason where that failed. Elsewhere there is no such file."""
    path = environ.get("GITHUB_OUTPUT")
    if not path:
        return None
    try:
        with open(path, "a", encoding="utf-8", errors="replace") as file:
            file.write(lines({**UNTIL_THEN, **outputs}))
    except OSError as error:
        return f"the outputs could not be written: {error.strerror}"
    return None
