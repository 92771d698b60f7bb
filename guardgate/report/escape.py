"""Text from outside, made harmless: one function for each edge. Nothing else in guardgate escapes for these."""

from __future__ import annotations

import json
import re
from html import escape
from typing import Any

from guardgate.normalize import visible

TAB = "    "
#: What a runner of CI takes for a command: `::` and `##[` on GitHub, `##vso[` and `##teamcity[` elsewhere.
_COMMAND = re.compile(r":(?=:)|##(?=[\w.]*\[)")
_BACKTICKS = re.compile("`+")
_IN_JSON = re.compile(r"##(?=[\w.]*\[)|\x7f")
#: What XML 1.0 cannot hold, not even as a reference. (Most of it is made visible before.)
_NOT_XML = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"  # compiled only where XML is written: 3 ms
_PLACEHOLDER = re.compile(r"\{(\d+)\}")
_BRACKET = re.compile(r"[\[\]]")


def defused(line: str) -> str:
    """The line with commands of CI broken by a backslash that a reader sees. Done twice, it changes nothing more."""
    return _COMMAND.sub(lambda match: match[0] + "\\", line)


def terminal(text: str) -> str:
    """One line for a terminal or a log: white space as single spaces, what is invisible shown, commands broken."""
    return defused(" ".join(visible(text).split()))


def terminal_line(line: str) -> str:
    """One line of a longer text, with its spaces. The caller puts a mark before it."""
    return defused(visible(line).replace("\n", r"\u{a}").replace("\t", TAB))


def markdown_inline(text: str) -> str:
    """A code span: the only place where Markdown turns nothing into a mention, a reference, a link or HTML."""
    inside = terminal(text) or "(empty)"
    fence = "`" * (_longest(inside) + 1)
    space = " " if inside.startswith("`") or inside.endswith("`") else ""
    return f"{fence}{space}{inside}{space}{fence}"


def markdown_cell(text: str, limit: int = 120) -> str:
    """A code span for a cell of a table: a pipe would end the cell even inside code."""
    return markdown_inline(text if len(text) <= limit else text[:limit] + "[...]").replace("|", "\\|")


def markdown_fence(text: str) -> str:
    """A fenced block, with a fence that is longer than any run of backticks inside."""
    inside = "\n".join(defused(visible(line)) for line in text.split("\n"))
    fence = "`" * max(3, _longest(inside) + 1)
    return f"{fence}text\n{inside}\n{fence}\n"


def workflow_data(text: str) -> str:
    """The message of a workflow command."""
    return defused(visible(text)).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def workflow_property(text: str) -> str:
    """A property of a workflow command."""
    return workflow_data(text).replace(":", "%3A").replace(",", "%2C")


def json_line(dumped: str) -> str:
    """JSON as `json.dumps` gives it (ASCII), with the same value, that no log takes for a command."""
    return _IN_JSON.sub(lambda match: r"#\u0023" if match[0] == "##" else r"\u007f", dumped)


def json_line_of(value: Any) -> str:
    """The value as one line of JSON that no log takes for a command."""
    return json_line(json.dumps(value, allow_nan=False))


def json_in_html(value: Any) -> str:
    """The value as one line of JSON for a `<script type="application/json">`: nothing in it can end the element."""
    dumped = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return json_line(dumped).replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def html(text: str) -> str:
    """Text between tags, or the value of an attribute in quotes. What is invisible is shown, line ends stay.

    A browser shows commands of CI as they are; a log that is given the page obeys none.
    """
    escaped = escape(visible(text), quote=True)
    return _COMMAND.sub(lambda match: f"&#{ord(match[0][0])};{match[0][1:]}", escaped)


def xml(text: str) -> str:
    """Text of an element: nothing that XML 1.0 forbids, line ends as they are."""
    shown = "\n".join(map(terminal_line, text.split("\n")))
    return escape(re.sub(_NOT_XML, lambda match: f"\\u{{{ord(match[0]):x}}}", shown), quote=True)


def xml_attribute(text: str) -> str:
    """One line for an attribute."""
    return xml(" ".join(visible(text).split()))


def sarif(text: str) -> str:
    """A message of SARIF: what would be a link or a placeholder there is text."""
    shown = _PLACEHOLDER.sub(r"{{\1}}", defused(visible(text)))
    return _BRACKET.sub(r"\\\g<0>", shown) if "](" in shown else shown


def _longest(text: str) -> int:
    return max((len(run) for run in _BACKTICKS.findall(text)), default=0)
