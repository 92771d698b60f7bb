"""What the YAML parser complains about, in plain words and with the place that helps most."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import yaml

from guardgate.source.faults import AFTER_QUOTE, CODE, ESCAPE, OTHER, START, TAB, TABLE, Fault


class Placed(NamedTuple):
    """A fault with line and column, from 1."""

    fault: Fault
    line: int
    col: int


_BREAK = re.compile("[\x85\u2028\u2029]")
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def odd_character(text: str) -> Placed | None:
    """A line separator that YAML 1.1 and 1.2 read differently; only one written as itself counts."""
    if text.isascii():
        return None
    match = _BREAK.search(text)
    if match is None:
        return None
    return Placed(_unprintable(match[0], "the character U+"), *position(text, match.start()))


def explain(error: yaml.YAMLError | UnicodeEncodeError, text: str) -> Placed:
    """The parser's error as a fault with its place."""
    if not isinstance(error, yaml.MarkedYAMLError):
        return _unreadable(text)
    words = f"{error.context or ''} {error.problem or ''}"
    here, start = _mark(error.problem_mark, text), _mark(error.context_mark or error.problem_mark, text)
    if "tab" in words or "cannot start any token" in words or "indentation space" in words:
        return Placed(_cannot_start(text, here), *here)
    if "escape" in words:
        return Placed(ESCAPE if "unknown" in words else CODE, *here)
    if _before(text, here).rstrip()[-1:] in ("'", '"') and ("expected key" in words or "<block end>" in words):
        return Placed(AFTER_QUOTE, *here)
    for fragment, which, fault in TABLE:
        if fragment in words:
            return Placed(fault, *(start if which == "start" else here))
    return Placed(OTHER, *here)


def position(text: str, index: int) -> tuple[int, int]:
    """Line and column, from 1, of a character."""
    before = _lines(text[:index])
    return len(before), len(before[-1]) + 1


def _unreadable(text: str) -> Placed:
    match = _UNPRINTABLE.search(text)
    if match is None:
        return Placed(Fault("yaml-encoding", "text that cannot be read", "UTF-8 text", "save the file as UTF-8"), 1, 1)
    return Placed(_unprintable(match[0], "the control character U+"), *position(text, match.start()))


def _unprintable(char: str, what: str) -> Fault:
    code = ord(char)
    escape = f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    return Fault(
        "yaml-encoding", f"{what}{code:04X}", "text without it", f'remove it, or write "{escape}" in double quotes'
    )


def _cannot_start(text: str, here: tuple[int, int]) -> Fault:
    char = _line(text, here[0])[here[1] - 1 : here[1]]
    return TAB if char == "\t" else START._replace(found=f"a value that begins with {char or 'a sign'}")


def _lines(text: str) -> list[str]:
    """Lines as YAML counts them; a carriage return alone ends one, too."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _line(text: str, number: int) -> str:
    return "".join(_lines(text)[number - 1 : number])


def _before(text: str, here: tuple[int, int]) -> str:
    return _line(text, here[0])[: here[1] - 1]


def _mark(mark: Any, text: str) -> tuple[int, int]:
    """Line and column of a mark; one past the end is moved to the end of the last line."""
    if mark is None:
        return 1, 1
    lines = _lines(text)
    while len(lines) > 1 and not lines[-1]:
        lines.pop()
    if mark.line >= len(lines):
        return len(lines), len(lines[-1]) + 1
    return mark.line + 1, mark.column + 1
