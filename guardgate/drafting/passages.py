"""The paragraphs, list entries and table rows of a Markdown text, each in one line, with what stands over it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from guardgate.lint.headings import anchors

#: Where a sentence ends; "e.g." and the like end none.
END = re.compile(
    r"(?<=[.!?])(?<![Ee]\.g\.)(?<![Ii]\.e\.)(?<!\bDr\.)(?<!\bMrs\.)(?<!\bMr\.)(?<!\bNo\.)"
    r"(?:\s+(?=[^\s\d])|(?<!\b[Mm]ax\.)\s+(?=\d))"
)
#: A line with nothing but a tag, as prompts have them around their parts: `<rules>`.
_TAG_LINE = re.compile(r"^[ \t]*</?[A-Za-z][\w-]*>[ \t]*$", re.MULTILINE)
#: A line over a list that is nothing but a heading of it.
_LINE = re.compile(
    r"(?:(?:do|do'?s|dos|don'?ts?|do not|must not|never|always|must|should|limits?|rules?))\W*$", re.IGNORECASE
)
_LISTS = ("bullet_list", "ordered_list")
_BEGIN = ("bullet_list_open", "ordered_list_open", "table_open")
_TAG = re.compile(r"<[^<>]*>")
#: So much of a heading is read.
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage. `over`: its headings from the outermost on, then the line before its list, then its column."""

    text: str
    over: tuple[str, ...] = ()
    anchor: str = ""
    listed: bool = False
    #: The first cell of its row, where it stands in another one.
    label: str = ""
    #: The other cells of its row, where the row is one entry.
    rest: str = ""
    #: Where it stands if it is no text of the page itself, such as "a quotation".
    outside: str = ""
    #: What a column of its row says of its firmness: "MUST", "should".
    level: str = ""
    #: (column, cell) of each cell, if it is a row.
    cells: tuple[tuple[str, str], ...] = ()


def sentences(text: str) -> list[str]:
    """The sentences that have a word in them."""
    return [one for one in END.split(text) if re.search(r"\w", one)]


def passages(markdown: str) -> Iterator[Passage]:
    """Every passage, in order."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - 25 ms, and only where a persona is read

    plain = [one for one in MarkdownIt("commonmark").parse(markdown) if one.type == "heading_open"]
    walk = _Walk({one.map[0]: name for one, name in zip(plain, anchors(markdown), strict=True) if one.map})
    tokens = MarkdownIt("commonmark").enable("table").parse(_TAG_LINE.sub("", markdown))
    for place, token in enumerate(tokens):
        walk.enter(token)
        if token.type == "inline":
            after = (*(one.type for one in tokens[place + 2 : place + 4]), "")
            yield from walk.words(token, tokens[place - 1], after[:2])
        elif token.type == "tr_close" and walk.columns is not walk.row:
            yield walk.passage(" ".join(walk.row), listed=True, cells=tuple(zip(walk.columns, walk.row, strict=False)))
        elif token.type in ("fence", "code_block"):
            yield from walk.outside(token.content, "a block of code")
        elif token.type == "html_block" and not token.content.lstrip().startswith("<!--"):
            yield from walk.outside(_TAG.sub(" ", token.content), "HTML")


@dataclass(slots=True)
class _Walk:
    """Where the walk over the tokens is."""

    anchors: dict[int, str]  # by line
    anchor: str = ""
    headings: list[tuple[int, str]] = field(default_factory=list)
    leads: list[str] = field(default_factory=list)  # the line before each open list or table, "" where there is none
    lead: str = ""
    quotes: int = 0
    columns: list[str] = field(default_factory=list)
    row: list[str] = field(default_factory=list)

    def enter(self, token: Any) -> None:
        name, _, end = token.type.rpartition("_")
        if name in (*_LISTS, "table"):
            if end == "open":
                self.leads.append(self.lead)
                self.lead = ""
            else:
                self.leads.pop()
        elif name == "blockquote":
            self.quotes += token.nesting
        elif token.type == "tr_open":
            self.row = []
        elif token.type == "thead_open":
            self.columns = []
        elif token.type == "tr_close" and not self.columns:
            self.columns = self.row

    def words(self, token: Any, before: Any, after: Sequence[str]) -> Iterator[Passage]:
        words = line(token.children or [])
        if before.type == "heading_open":
            self.heading(int(before.tag[1:]), words, before.map[0])
        elif before.type in ("th_open", "td_open"):
            self.row.append(words)
        else:
            lead = ""
            goes_on = after == ("list_item_close", "list_item_open") and _runs_on(token.content)
            if goes_on or (
                after[0] in _BEGIN and (words.endswith(":") or _strong(token.children) or _LINE.match(words))
            ):
                words, lead = _last(words, token.content)
            if words:
                yield self.passage(words, listed=bool(self.leads))
            if goes_on:
                self.leads[-1] = lead
            elif lead:
                self.lead = lead

    def heading(self, level: int, words: str, place: int) -> None:
        # Each entry below it reads it again.
        self.headings = [*((one, text) for one, text in self.headings if one < level), (level, words[:_LONGEST])]
        self.anchor = self.anchors.get(place, self.anchor)

    def passage(self, text: str, *, listed: bool, cells: tuple[tuple[str, str], ...] = ()) -> Passage:
        over = (*(words for _, words in self.headings), *(lead for lead in self.leads if lead))
        outside = "a quotation" if self.quotes else ""
        return Passage(text, over, self.anchor, listed, outside=outside, cells=cells)

    def outside(self, content: str, where: str) -> Iterator[Passage]:
        for one in content.splitlines():
            if text := printable(one):
                yield replace(self.passage(text, listed=False), outside=where)


def _runs_on(content: str) -> bool:
    """Whether the next heading of a list stands right below an entry, without an empty line: it is read as its end."""
    last = content.rpartition("\n")[2].strip()
    return "\n" in content and last.endswith(":") and last[:1].isupper()


def _last(words: str, content: str) -> tuple[str, str]:
    """A paragraph before a list, and the line of it that is over the list."""
    if _runs_on(content):
        last = printable(content.rpartition("\n")[2])
        if words.endswith(last):
            return words.removesuffix(last).strip(), last
    *others, last = sentences(words) or [""]
    return " ".join(others), last


def _strong(children: Sequence[Any] | None) -> bool:
    """Whether all of its words are bold."""
    depth = 0
    for child in children or ():
        depth += child.nesting if child.type.startswith("strong_") else 0
        if not depth and child.type in ("text", "code_inline") and child.content.strip():
            return False
    return True


def line(children: Sequence[Any]) -> str:
    """The text of a paragraph in one line, without marks."""
    kinds = {"softbreak": " ", "hardbreak": " "}
    return printable(
        "".join(
            kinds.get(child.type, child.content if child.type in ("text", "code_inline") else "") for child in children
        )
    )


def printable(text: str) -> str:
    """In one line, with plain quotation marks; what cannot be printed is left out."""
    plain = text.translate({0x2019: "'", 0x201C: '"', 0x201D: '"'})
    return " ".join("".join(char if char.isprintable() else " " for char in plain).split())
