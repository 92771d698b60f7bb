"""Whatever the texts are, a report shows them and does nothing else."""

from __future__ import annotations

import re
from itertools import cycle

from hypothesis import given, settings
from markdown_it import MarkdownIt
from markdown_it.token import Token

from guardgate.report import content, markdown, show, terminal
from guardgate.report.layout import columns
from guardgate.report.paint import painter
from guardgate.report.sentence import Raw
from tests.report.hostile import PIECES, Hostile, faults, run, runs, tame

FEW = settings(max_examples=60, deadline=None)
PARSER = MarkdownIt("commonmark").enable("table")


def _terminal(one: Hostile, *, colour: bool = False) -> str:
    return "".join(terminal.render(one.told.summary, one.told.gate, one.about, colour=colour))


def _markdown(one: Hostile) -> list[str]:
    return list(markdown.render(one.told.summary, one.told.gate, one.about))


@FEW
@given(runs())
def test_a_terminal_shows_text_and_obeys_none_of_it(one: Hostile) -> None:
    out = _terminal(one)
    assert not list(faults(out))
    assert all(columns(line) <= 80 for line in out.splitlines())
    assert out.encode("utf-8")


@FEW
@given(runs())
def test_show_too(one: Hostile) -> None:
    for attempt in one.attempts:
        out = "".join(show.render(one.told.summary.plan, attempt))
        assert not list(faults(out))
        assert all(columns(line) <= 80 for line in out.splitlines())


@FEW
@given(runs())
def test_no_line_of_a_reply_stands_without_a_mark(one: Hostile) -> None:
    ours = {block.text for block in content.content(one.told.summary, one.told.gate, one.about, broken=9)
            if isinstance(block, content.Quote)}  # fmt: skip
    for text in ours:
        for line in terminal.laid_out(content.Quote(text, "the secret", 30), painter(False)).splitlines():
            assert re.match(
                r"  [|>]( |$)|    (what decided:|the text:|\(empty\)|\[\.\.\. \d+ (more )?characters|[ ^]+$)", line
            )


def test_colour_changes_no_word() -> None:
    colourful = _terminal(tame(), colour=True)
    assert "\x1b[" in colourful
    assert re.sub(r"\x1b\[[0-9;]*m", "", colourful) == _terminal(tame())


def _leaves(tokens: list[Token]) -> list[Token]:
    return [leaf for token in tokens for leaf in ([token] if token.children is None else token.children)]


def _shape(tokens: list[Token]) -> list[str]:
    """Blocks, with the words of our own between; what stands in code is left out."""
    every = [part for token in tokens for part in (token, *(token.children or ()))]
    return [f"{part.type}:{part.content if part.type == 'text' else ''}" for part in every]


@FEW
@given(runs())
def test_markdown_has_the_same_shape_whatever_the_texts_are(one: Hostile) -> None:
    out = "".join(_markdown(one))
    tokens = PARSER.parse(out)
    assert _shape(tokens) == _shape(PARSER.parse("".join(_markdown(tame()))))
    assert not {leaf.type for leaf in _leaves(tokens)} & {"html_inline", "html_block", "image", "link_open"}
    words = "".join(leaf.content for leaf in _leaves(tokens) if leaf.type == "text")
    assert "@" not in words
    assert not re.search(r"#\d", words)
    assert not list(faults(out))


def test_markdown_may_be_cut_between_any_two_pieces() -> None:
    pieces = _markdown(run(cycle(PIECES)))
    fences = 0
    for end, piece in enumerate(pieces, start=1):
        fences += piece.startswith("```")
        tokens = PARSER.parse("".join(pieces[:end]))
        assert sum(token.nesting for token in tokens) == 0
        assert sum(token.type == "fence" for token in tokens) == fences
    assert fences > 5


def test_our_words_and_theirs_form_no_command_together() -> None:
    line = terminal.one_line(("optional target left out: ", Raw(":"), ":error::", Raw("##"), "[x]"))
    assert "::" not in line
    assert "##[" not in line
