"""Text as a model takes it: folded, without what is invisible, look-alikes as ASCII; each line stays its line."""

from __future__ import annotations

import re

from guardgate.confusables import CONFUSABLES
from guardgate.normalize import fold, skeleton

_ENDS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
_LONE = re.compile("[\ud800-\udfff]")
#: Escapes of strings that stand between words; a program's own line end is no line end of the file.
_ESCAPED_BREAKS = ("\\n", "\\r", "\\t")
_FOREIGN_ALIKE = "".join(
    re.escape(chr(code)) for code in CONFUSABLES if chr(code).isalpha() and not "\x80" <= chr(code) <= "\u024f"
)
_MIXED = re.compile(rf"(?i:[a-z])[{_FOREIGN_ALIKE}]|[{_FOREIGN_ALIKE}](?i:[a-z])")


#: Colours and movements of a terminal: a reader of the file's text sees none of them.
_TERMINAL = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[@-Z\\^_])")
#: Bytes that nobody sees: taking them out of bytes is far cheaper than looking for them in a text.
CONTROLS = bytes((*range(9), *range(14, 32), 127))
#: Marks that folding joined with no letter, such as a stroke through each one.
_MARKS = re.compile("[\u0300-\u036f\u0483-\u0489\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f]")


def lines_unified(text: str) -> str:
    """The text with one kind of line end, and nothing that has no UTF-8."""
    if not text.isascii():
        text = _LONE.sub("\ufffd", text)
    for end in _ENDS:
        if end in text:
            text = text.replace(end, " ")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def mixed(line: str) -> int:
    """How many places of a line put a Latin letter beside a look-alike of another script."""
    return 0 if line.isascii() else len(_MIXED.findall(line))


def seen(text: str) -> bytes:
    """The text folded, in UTF-8, with as many lines as before."""
    if "\\" in text:
        for escaped in _ESCAPED_BREAKS:
            text = text.replace(escaped, "  ")
    if "\x1b" in text:
        text = _TERMINAL.sub("", text)
    text = text.replace("_ ", "  ").replace(" _", "  ")  # emphasis; a name keeps its underscores
    if text.isascii():
        return text.lower().encode().translate(None, CONTROLS)
    lines = [line.lower() if line.isascii() else _line(line) for line in text.split("\n")]
    return "\n".join(lines).encode("utf-8", "replace").translate(None, CONTROLS)


def _line(line: str) -> str:
    return _MARKS.sub("", (skeleton(line) if mixed(line) else fold(line)).lower())
