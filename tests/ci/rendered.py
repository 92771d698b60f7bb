"""A page as GitHub renders it: its tags in order, the words outside of code, and what must not be in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

from cmarkgfm.cmark import Options, markdown_to_html_with_extensions

#: What GitHub adds to Markdown, without the filter that would hide a tag that got through.
EXTENSIONS = ["table", "strikethrough", "autolink", "tasklist"]
#: Every tag that our pages are made of.
OURS = {"h2", "h3", "p", "ul", "li", "strong", "code", "pre", "table", "thead", "tbody", "tr", "th", "td", "a"}
_LIVE = re.compile(r"@\w|#\d|\bGH-\d|\$|:\w+:|://|\bwww\.")


@dataclass
class Page(HTMLParser):
    """A rendered page, read tag by tag."""

    tags: list[str] = field(default_factory=list)
    shape: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    strong: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.shape.append(f"<{tag}>")
        if tag not in OURS:
            self.problems.append(f"the tag {tag}")
        if tag == "a":
            self.links += [str(value) for name, value in attrs if name == "href"]
        plain = {"a": {"href"}, "code": {"class"}, "pre": {"lang"}, "th": {"align"}, "td": {"align"}}
        if unknown := {name for name, _ in attrs} - plain.get(tag, set()):
            self.problems.append(f"{sorted(unknown)} of {tag}")

    def handle_endtag(self, tag: str) -> None:
        self.shape.append(f"</{tag}>")
        if not self.tags or self.tags.pop() != tag:
            self.problems.append(f"the end of {tag}, which is not open")

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def handle_decl(self, decl: str) -> None:
        self.problems.append(f"the declaration {decl!r}")

    def handle_pi(self, data: str) -> None:
        self.problems.append(f"the instruction {data!r}")

    def handle_data(self, data: str) -> None:
        if "code" in self.tags:
            return
        self.shape.append(data)
        if found := _LIVE.search(data):
            self.problems.append(f"{found[0]!r} in {data!r}")
        if self.tags[-1:] in (["h2"], ["h3"]):
            self.headings.append(data)
        if self.tags[-1:] == ["strong"]:
            self.strong.append(data)


def rendered(markdown: str) -> Page:
    """The page; no tag is left out, not even one that GitHub's sanitizer would take away."""
    page = Page()
    page.feed(markdown_to_html_with_extensions(markdown, Options.CMARK_OPT_UNSAFE, EXTENSIONS))
    page.close()
    return page


def faults(page: Page) -> Iterator[str]:
    """What a page does beside showing text: tags that are not ours, or not closed, mentions, references, addresses."""
    yield from page.problems
    if page.tags:
        yield f"open at the end: {page.tags}"
