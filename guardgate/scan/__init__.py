"""Injection patterns in documents, without a model: `from guardgate.scan import scan`.

Pure and in linear time: no file is read, nothing is asked of anyone, and no text makes it raise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePath

from guardgate.scan.blocks import Block, blocks
from guardgate.scan.finding import FAMILIES, SEVERITIES, Family, Finding, Severity, at_least
from guardgate.scan.look import Layer, found_in
from guardgate.scan.overlap import told

__all__ = ["FAMILIES", "SEVERITIES", "Family", "Finding", "Severity", "at_least", "scan", "scan_pieces"]

_SUFFIXES = """
.json .jsonl .ndjson .ipynb .yaml .yml .toml .ini .cfg .conf .csv .tsv .xml .svg .py .pyi .js .mjs .cjs .ts .tsx .jsx
.java .kt .go .rs .c .h .cc .cpp .hpp .cs .rb .php .swift .scala .sh .bash .zsh .ps1 .bat .r .jl .lua .pl .sql .tf
.gradle .css .scss .vue .dart .ex .hs .env .properties
"""
#: In these, quotation marks enclose strings of a program or of data, and mention nothing.
STRINGS = frozenset(_SUFFIXES.split())


def scan(text: str, path: str = "") -> tuple[Finding, ...]:
    """Every finding in a text, sorted by line. `path` stands in the findings; its ending tells prose from data."""
    return tuple(sorted(scan_pieces([text], path), key=lambda finding: finding.line))


def scan_pieces(pieces: Iterable[str], path: str = "") -> Iterator[Finding]:
    """Findings in a text that comes in pieces, each one once; memory does not grow with the text."""
    before: list[Finding] = []
    for block in blocks(pieces):
        found = _in_block(block, path)
        yield from (finding for finding in found if not told(finding, block, before))
        before = found


def _in_block(block: Block, path: str) -> list[Finding]:
    lines = range(block.line, block.line + block.text.count("\n") + 1)
    layer = Layer(block.text, lines, prose=_is_prose(path, block.text), fence=block.fence)
    return list(dict.fromkeys(found_in(layer, path)))


def _is_prose(path: str, text: str) -> bool:
    suffix = PurePath(path).suffix.lower()
    return suffix not in STRINGS and (bool(suffix) or text[:200].lstrip()[:1] not in ("{", "["))
