"""What stands around everything on the page: head, policy, sections, style and code. No text from outside is in it."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path

from guardgate.report.escape import html

_FOLDER = Path(__file__).resolve().parent
#: The page's own code, in the order in which it is put together.
_CODE = ("data.js", "text.js", "card.js", "mark.js", "lists.js", "keys.js")
_SECTIONS = (("broke", "What broke"), ("sample", "A sample of what held"), ("every", "Everything"), ("rules", "Rules"),
             ("judges", "Judges"), ("coverage", "Coverage"), ("run", "The run"))  # fmt: skip


@cache
def style() -> str:
    """The style sheet."""
    return (_FOLDER / "page.css").read_text(encoding="utf-8")


@cache
def code() -> str:
    """The page's own code: one function, so that nothing else on the page can reach into it."""
    parts = "\n".join((_FOLDER / name).read_text(encoding="utf-8") for name in _CODE)
    return f'(() => {{\n"use strict";\n{parts}\n}})();\n'


def policy(review: bool) -> str:
    """What a browser lets the page do: run this code, use this style, and nothing else; no request goes out.

    A page for review may talk to where it came from.
    """
    rules = [
        "default-src 'none'", f"script-src '{_hashed(code())}'", f"style-src '{_hashed(style())}'", "base-uri 'none'",
        "form-action 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
    ]  # fmt: skip
    return "; ".join([*rules, "connect-src 'self'"] if review else rules)


def _hashed(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def opening(title: str, exit_code: int, review: bool) -> str:
    """From the first byte to the body."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{html(policy(review))}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">\n'
        f"<title>guardgate {html(title)}</title>\n<style>{style()}</style></head>\n"
        f'<body class="code{exit_code}"><a class="skip" href="#broke">Skip to what broke</a>\n'
    )


def verdict(told: str, exit_code: int, review: bool) -> str:
    """The first thing to read."""
    export = '<p><a href="anchors.yaml" download>Export the marks as anchors</a></p>' if review else ""
    return (
        f'<header class="verdict"><p class="numeral" aria-hidden="true">{exit_code}</p>'
        f"<div>{told}{export}</div></header>\n"
    )


def navigation() -> str:
    """Links to the sections, and what the keys do."""
    links = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title in _SECTIONS)
    keys = "<kbd>j</kbd> next, <kbd>k</kbd> back, <kbd>f</kbd> only what broke, <kbd>/</kbd> search"
    return f'<nav aria-label="Sections"><ul>{links}</ul><p class="keys">{keys}</p></nav>\n'


def section(name: str, title: str, inside: str) -> str:
    """A section with a heading; nothing where there is nothing inside."""
    if not inside:
        return ""
    head = f'<h2 id="{name}-title">{title}</h2>\n' if title else ""
    label = f' aria-labelledby="{name}-title"' if title else ""
    return f'<section id="{name}"{label}>\n{head}{inside}</section>\n'


_NO_CODE = (
    '<noscript><p class="quiet">The conversations need JavaScript. Without it, `guardgate show` tells them in a '
    "terminal.</p></noscript>\n"
)


def broke(count: int) -> str:
    """The place of what broke."""
    none = '<p class="quiet">No attempt broke its rule.</p>\n'
    lead = '<p class="lead">Hard rules first, one of each rule before a second of any.</p>\n' + _NO_CODE
    inside = none if not count else lead + '<ol class="cards" id="broke-list"></ol>\n'
    return section("broke", f"What broke <small>{count:,}</small>", inside)


def sample(held: int) -> str:
    """The place of the sample."""
    if not held:
        return section("sample", "A sample of what held", '<p class="quiet">Nothing held.</p>\n')
    lead = "Drawn by chance, the same on every reading. A reply can pass the rule and still be a bad reply: read these."
    return section(
        "sample", f"A sample of what held <small>of {held:,}</small>",
        f'<p class="lead">{lead}</p>\n{_NO_CODE}<ol class="cards" id="sample-list"></ol>\n',
    )  # fmt: skip


def everything(planned: int) -> str:
    """The place of all attempts, with the filters."""
    choices = "".join(
        f'<label for="by-{name}">{title}<select id="by-{name}"><option value="">all</option></select></label>'
        for name, title in (("verdict", "Verdict"), ("rule", "Rule"), ("attack", "Class"), ("cell", "Cell"))
    )
    search = '<label class="search" for="by-text">Text<input id="by-text" type="search" autocomplete="off"></label>'
    return section(
        "every", f"Everything <small>{planned:,}</small>",
        f'{_NO_CODE}<form id="filters" role="search" aria-label="Filter the attempts">{search}{choices}'
        '<button type="reset">Reset</button></form>\n'
        '<p id="found" role="status"></p>\n<ol class="rows" id="every-list"></ol>\n',
    )  # fmt: skip


def closing() -> str:
    """The code, and the end."""
    return f"<script>{code()}</script>\n</body></html>\n"
