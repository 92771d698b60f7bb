"""Known secrets in a text, in the forms in which they come out: one linear pattern for all of them."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any, NamedTuple

import re2

from guardgate.errors import Refused

MARK = "[secret]"
MIN_CHARS = 8

_BASE64 = "[A-Za-z0-9+/_-]?"
_SHORT = {"\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t"}


class Redacted(NamedTuple):
    """A text without secrets, and whether there was one."""

    text: str
    found: bool


def secret_pattern(secrets: Iterable[str]) -> Any | None:
    """The compiled pattern, or None when no secret counts. Raises `Refused` when they are too large."""
    counted = {secret.strip() for secret in secrets}
    ordered = sorted((secret for secret in counted if len(secret) >= MIN_CHARS), key=lambda s: (-len(s), s))
    if not ordered:
        return None
    options = re2.Options()
    options.max_mem = 256 * 1024 * 1024
    options.log_errors = False  # the message would hold the pattern
    forms = [form for secret in ordered for form in _forms(secret)]
    try:
        return re2.compile("|".join(forms), options)
    except re2.error:
        raise Refused(
            "environment",
            f"{len(ordered)} secrets with {sum(map(len, ordered)):,} characters",
            "secrets that can be looked for in every reply",
            "name fewer or shorter variables in `env` and ${NAME}",
        ) from None


def redact(text: str, pattern: Any | None) -> Redacted:
    """The text with each form of each secret replaced."""
    if pattern is None:
        return Redacted(text, False)
    clean, count = pattern.subn(_mark, text)
    return Redacted(clean, count > 0)


def _mark(_: object) -> str:
    return MARK


def _forms(secret: str) -> list[str]:
    safe = secret.encode("utf-8", "replace")
    return ["".join(map(_char, safe.decode("utf-8"))), *(_in_base64(safe, lead) for lead in range(3))]


def _char(char: str) -> str:
    """One character as it is, URL-encoded or JSON-escaped, once or more."""
    ways = [re2.escape(char)]
    ways.append("".join(f"%(?:25)*{_hex(f'{byte:02x}')}" for byte in char.encode()))
    units = char.encode("utf-16-be").hex()
    ways.append("".join(rf"\\+u{_hex(units[n : n + 4])}" for n in range(0, len(units), 4)))
    if char == " ":
        ways.append(r"\+")
    elif char == "\\":
        ways.append(r"\\+")
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
    return f"{_BASE64 if lead else ''}{body}{_BASE64 if bits % 6 else ''}(?:=|%3[dD]){{0,2}}"
