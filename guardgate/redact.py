"""Known secrets in a text, in the forms in which they come out: one linear pattern for all of them."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import re2

from guardgate.errors import Refused

MARK = "[secret]"
MIN_CHARS = 8
MAX_CHARS = 20_000
#: A longer secret is looked for in parts of this length, so that a part of it does not come out either.
PART = 200

_SURROGATE = re.compile("[\ud800-\udfff]")
_PART_OF_ESCAPE = re.compile(r"(?:u[0-9a-fA-F]{0,3})?")
_BASE64 = "[A-Za-z0-9+/_-]"
_SHORT = {"\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t"}


class Redacted(NamedTuple):
    """A text without secrets, and whether there was one."""

    text: str
    found: bool


def secret_pattern(secrets: Iterable[str]) -> Any | None:
    """The compiled pattern, or None when no secret counts. Raises `Refused` when they are too large."""
    counted = {part for secret in secrets for part in _parts(valid(secret).strip())}
    ordered = sorted((secret for secret in counted if len(secret) >= MIN_CHARS), key=lambda s: (-len(s), s))
    if not ordered:
        return None
    total = sum(map(len, ordered))
    if total > MAX_CHARS:
        raise Refused(
            "environment",
            f"{len(ordered)} secrets with {total:,} characters",
            f"secrets of at most {MAX_CHARS:,} characters in all, so that every reply can be searched for them",
            "name fewer or shorter variables in `env` and ${NAME}",
        )
    options = re2.Options()
    options.max_mem = 256 * 1024 * 1024
    options.log_errors = False  # the message would hold the pattern
    return re2.compile("|".join(form for secret in ordered for form in _forms(secret)), options)


def _parts(secret: str) -> list[str]:
    """The secret, or about equal parts of a long one, which follow each other without a gap."""
    count = -(-len(secret) // PART) or 1
    size = -(-len(secret) // count)
    return [secret[at : at + size] for at in range(0, len(secret), size)] if secret else []


def valid(text: str) -> str:
    """The text with lone surrogates, which no file can hold, as U+FFFD."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def redact(text: str, pattern: Any | None) -> Redacted:
    """The text with each form of each secret replaced."""
    if pattern is None:
        return Redacted(text, False)
    pieces: list[str] = []
    last = 0
    for match in pattern.finditer(text):
        start, end = max(last, _escape_start(text, match.start())), _escape_end(text, match.start(), match.end())
        if start > last or not pieces:
            pieces += [text[last:start], MARK]
        last = end
    return Redacted("".join((*pieces, text[last:])), True) if pieces else Redacted(text, False)


def _escape_start(text: str, start: int) -> int:
    """Where to cut so that no half of an escape stays before the mark: a line of JSON stays one."""
    for at in range(start - 1, max(start - 6, -1), -1):
        if text[at] == "\\":
            whole = _PART_OF_ESCAPE.fullmatch(text, at + 1, start) and _backslashes(text, at + 1) % 2
            return at if whole else start
    return start


def _escape_end(text: str, start: int, end: int) -> int:
    """The same after the mark: a lone backslash at the end may begin an escape, so it stays."""
    return end - _backslashes(text[start:end], end - start) % 2


def _backslashes(text: str, end: int) -> int:
    """How many backslashes stand right before a place."""
    at = end
    while at > 0 and text[at - 1] == "\\":
        at -= 1
    return end - at


def _forms(secret: str) -> list[str]:
    raw = secret.encode()
    return ["".join(map(_char, secret)), *(_in_base64(raw, lead) for lead in range(3))]


def _char(char: str) -> str:
    """One character as it is, URL-encoded or JSON-escaped, once or more."""
    # In pairs first: the backslash that is left over belongs to the next escape.
    ways = [r"(?:\\\\)+"] if char == "\\" else []
    ways.append(re2.escape(char))
    ways.append("".join(f"%(?:25)*{_hex(f'{byte:02x}')}" for byte in char.encode()))
    units = char.encode("utf-16-be").hex()
    ways.append("".join(rf"\\+u{_hex(units[n : n + 4])}" for n in range(0, len(units), 4)))
    if char == " ":
        ways.append(r"\+")
    elif char in "\"'/":
        ways.append(rf"\\+{char}")
    elif char in _SHORT:
        ways.append(rf"\\+{_SHORT[char]}")
    return f"(?:{'|'.join(ways)})"


def _hex(digits: str) -> str:
    return "".join(digit if digit.isdigit() else f"[{digit}{digit.upper()}]" for digit in digits)


def _in_base64(secret: bytes, lead: int) -> str:
    """The secret inside a base64 text, `lead` bytes after a boundary; the bits at its edges go too."""
    encoded = base64.b64encode(b"\0" * lead + secret).decode()
    bits = (lead + len(secret)) * 8
    core = encoded[(lead * 8 + 5) // 6 : bits // 6]
    body = core.replace("/", r"(?:\\*[/_]|%2[fF])").replace("+", "(?:[+-]|%2[bB])")
    before = f"{_BASE64}?" if lead else ""
    after = f"{_BASE64}?" if bits % 6 else ""
    return f"{before}{body}{after}(?:=|%3[dD]){{0,2}}"
