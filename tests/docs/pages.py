"""Reads our Markdown: fenced blocks with the words behind the fence, headings, tables, links."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Fence:
    """A fenced block. `words`: what stands behind the fence, such as `yaml suite`."""

    page: str
    line: int
    words: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


def pages() -> list[Path]:
    """Every Markdown file that the project ships or shows."""
    found = [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("suites/*.md"),
        *ROOT.glob("suites/*/README.md"),
        *ROOT.glob("examples/*/*.md"),
    ]
    return sorted(found)


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def tokens(name: str) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(text_of(name))


def fences(name: str) -> list[Fence]:
    """The fenced blocks of a page."""
    return [
        Fence(name, (token.map or [0])[0] + 1, token.info.strip(), token.content)
        for token in tokens(name)
        if token.type == "fence"
    ]


def every_fence(words: str) -> list[Fence]:
    """The blocks with these words behind their fence, of all pages."""
    named = [path.relative_to(ROOT).as_posix() for path in pages()]
    return [fence for name in named for fence in fences(name) if fence.words == words]


def headings(name: str, level: int = 2) -> list[str]:
    """The headings of one level, as they are written."""
    found = tokens(name)
    return [
        after.content for token, after in pairwise(found) if token.type == "heading_open" and token.tag == f"h{level}"
    ]


def section(name: str, heading: str) -> str:
    """The text below a heading of the second level, up to the next."""
    lines = text_of(name).splitlines()
    start = lines.index(f"## {heading}") + 1
    end = next((at for at in range(start, len(lines)) if lines[at].startswith("## ")), len(lines))
    return "\n".join(lines[start:end])


def tables(name: str) -> list[list[list[str]]]:
    """Each table as rows of cells, in the words of the file, without the line under its head."""
    found: list[list[list[str]]] = []
    inside = False
    for line in text_of(name).splitlines():
        if not line.startswith("|"):
            inside = False
            continue
        if not inside:
            found.append([])
        inside = True
        cells = [cell.strip().replace("\\|", "|") for cell in line.strip().strip("|").replace("\\|", "\0").split("|")]
        found[-1].append([cell.replace("\0", "|") for cell in cells])
    return [[row for row in table if not all(set(cell) <= {"-", ":"} for cell in row)] for table in found]


def table(name: str, head: str) -> list[list[str]]:
    """The rows of the table whose first column is called so, without its head."""
    return next(rows[1:] for rows in tables(name) if rows[0][0] == head)
