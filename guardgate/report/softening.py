"""What became weaker between two projects: for people, for programs, and as annotations on GitHub."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType

from guardgate.errors import Refused, one_of
from guardgate.report import markdown, terminal
from guardgate.report.content import Block, Heading, Lines, Mood
from guardgate.report.escape import json_line, workflow_data, workflow_property
from guardgate.report.paint import painter
from guardgate.report.sentence import Part, Raw, Sentence, clipped, number, say
from guardgate.softening import KINDS, WEIGHTS, Compared, Softening
from guardgate.softening.record import Weight

MEANING: Mapping[int, str] = MappingProxyType(
    {
        0: "nothing became weaker",
        1: "something became weaker, or a person must say whether it did",
        2: "a hard rule became weaker, or less is tried on it",
    }
)
#: What the reader is told of each weight, and how.
GROUPS: Mapping[Weight, tuple[str, Mood]] = MappingProxyType(
    {
        "hard": ("Weaker, on a hard rule", "bad"),
        "look": ("Changed: only a person can say whether it is weaker", "open"),
        "other": ("Weaker", "open"),
        "note": ("To know", ""),
    }
)
#: How many of one weight are named, and on a page with other things.
NAMED = 40
ON_A_PAGE = 20
#: How many stand in one block: a page is cut between blocks.
TOGETHER = 5
#: So many characters of a value are shown.
VALUE = 120
_LEVELS: Mapping[Weight, str] = MappingProxyType({"hard": "error", "look": "warning", "other": "warning",
                                                  "note": "notice"})  # fmt: skip


def sections(softenings: Sequence[Softening], most: int = NAMED) -> Iterator[Block]:
    """The worst first, cut after `most` of one weight; nothing where nothing is weaker."""
    for weight in WEIGHTS:
        found = [one for one in softenings if one.weight == weight]
        if found:
            name, mood = GROUPS[weight]
            yield Lines(((f"{name} ({len(found):,})",),), mood, title=True)
            for at in range(0, min(len(found), most), TOGETHER):
                yield Lines(tuple(sentence(one) for one in found[at : min(at + TOGETHER, most)]))
            if len(found) > most:
                yield Lines(((f"and {len(found) - most:,} more of these",),))


def sentence(one: Softening) -> Sentence:
    """One softening: what, on what, from what to what, and where."""
    side = " of the base" if one.side == "base" else ""
    return (f"{KINDS[one.kind].says}: ", *subject(one), " (", clipped(f"{one.file}:{one.line}"), f"{side})")


def subject(one: Softening) -> Sentence:
    """On what, and from what to what."""
    part = (", ", clipped(one.part, VALUE)) if one.part else ()
    if not (one.before or one.after):
        return (f"{one.on} ", Raw(one.name), *part)
    after = () if KINDS[one.kind].gone and not one.after else (" -> ", *_value(one.after))
    return (f"{one.on} ", Raw(one.name), *part, ": ", *_value(one.before), *after)


def _value(text: str) -> tuple[Part, ...]:
    return (clipped(text, VALUE),) if text else ("nothing",)


def blocks(softenings: Sequence[Softening]) -> Iterator[str]:
    """The section of a Markdown page, with its heading; nothing where nothing is weaker. Each piece is whole."""
    if softenings:
        yield markdown.laid_out(Heading("Weaker than the base branch"))
        yield from map(markdown.laid_out, sections(softenings, ON_A_PAGE))


def render(found: Compared, form: str, colour: bool = False) -> Iterator[str]:
    """The comparison as `text`, `md`, `json` or `github`. Raises Refused for another format."""
    if form not in FORMATS:
        raise Refused("the format", repr(form), one_of(FORMATS), "name a format of the list")
    return FORMATS[form](found, colour)


def _page(found: Compared) -> Iterator[Block]:
    moods: tuple[Mood, ...] = ("good", "open", "bad")
    yield Heading(f"{found.code}: {MEANING[found.code]}", moods[found.code], first=True)
    yield from sections(found.softenings)
    if found.others:
        yield Lines(((_others(found),),), title=True)


def _others(found: Compared) -> str:
    return f"{number(found.others, 'rule or case', 'rules and cases')} besides: new, or changed and not weaker"


def _text(found: Compared, colour: bool) -> Iterator[str]:
    paint = painter(colour)
    yield from (terminal.laid_out(block, paint) for block in _page(found))


def _markdown(found: Compared, _colour: bool) -> Iterator[str]:
    yield from map(markdown.laid_out, _page(found))


def _json(found: Compared, _colour: bool) -> Iterator[str]:
    told = [{**asdict(one), "says": KINDS[one.kind].says} for one in found.softenings]
    value = {"code": found.code, "softenings": told, "others": found.others}
    yield json_line(json.dumps(value, indent=2)) + "\n"


def _github(found: Compared, _colour: bool) -> Iterator[str]:
    """Workflow commands. What is gone has no place in the head, so its place stands in the message."""
    for one in found.softenings:
        named = {"title": f"guardgate {one.kind}"}
        if one.side == "head":
            named |= {"file": one.file, "line": str(one.line)}
        properties = ",".join(f"{name}={workflow_property(value)}" for name, value in named.items())
        message = workflow_data(say(sentence(one), str))
        yield f"::{_LEVELS[one.weight]} {properties}::{message}\n"
    yield f"{found.code}: {MEANING[found.code]}\n"
    yield f"{_others(found)}\n" if found.others else ""


FORMATS: Mapping[str, Callable[[Compared, bool], Iterator[str]]] = MappingProxyType(
    {"text": _text, "md": _markdown, "json": _json, "github": _github}
)
