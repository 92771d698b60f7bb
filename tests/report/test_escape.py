"""Each edge on its own, with arbitrary text."""

from __future__ import annotations

import json
import re
from html import unescape
from itertools import pairwise

import pytest
from hypothesis import given
from markdown_it import MarkdownIt

from guardgate.normalize import visible
from guardgate.report import escape
from tests.report.hostile import faults, texts

PARSER = MarkdownIt("commonmark").enable("table")


@given(texts)
def test_terminal_is_one_harmless_line_and_done_once(text: str) -> None:
    out = escape.terminal(text)
    assert not list(faults(out))
    assert "\n" not in out
    assert escape.terminal(out) == out


@given(texts)
def test_a_line_of_a_longer_text_is_harmless_and_done_once(text: str) -> None:
    out = escape.terminal_line(text)
    assert not [fault for fault in faults(out) if not fault.startswith("a workflow command")]
    assert not list(faults(f"| {out}"))
    assert escape.terminal_line(out) == out


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a  b\n c", "a b c"),
        ("std::vector", r"std:\:vector"),
        (":::", r":\:\:"),
        ("##[error]no", r"##\[error]no"),
        ("##vso[task]", r"##\vso[task]"),
        ("# [x] #[y]", "# [x] #[y]"),
        ("\x1b[31mred", r"\u{1b}[31mred"),
        ("a\u202eb", r"a\u{202e}b"),
        ("Grüße, 漢字", "Grüße, 漢字"),
    ],
)
def test_what_a_reader_sees_on_a_terminal(text: str, shown: str) -> None:
    assert escape.terminal(text) == shown


@given(texts)
def test_inline_is_one_code_span(text: str) -> None:
    [_, inline, _] = PARSER.parse(f"a {escape.markdown_inline(text)} z")
    kinds = [child.type for child in inline.children or ()]
    assert kinds == ["text", "code_inline", "text"]
    shown = (inline.children or [])[1].content
    assert shown == (escape.terminal(text) or "(empty)")


@given(texts, texts)
def test_cells_stay_in_their_cells(one: str, other: str) -> None:
    row = f"| {escape.markdown_cell(one, 999)} | {escape.markdown_cell(other, 999)} |"
    tokens = PARSER.parse(f"| a | b |\n| --- | --- |\n{row}\n")
    cells = [after for token, after in pairwise(tokens) if token.type == "td_open"]
    assert [[child.type for child in cell.children or ()] for cell in cells] == [["code_inline"]] * 2
    shown = [(cell.children or [])[0].content for cell in cells]
    assert shown == [escape.terminal(text) or "(empty)" for text in (one, other)]


def test_a_long_cell_is_cut() -> None:
    assert escape.markdown_cell("x" * 130) == f"`{'x' * 120}[...]`"


@given(texts)
def test_a_fence_holds_its_text(text: str) -> None:
    tokens = PARSER.parse(f"before\n\n{escape.markdown_fence(text)}\nafter\n")
    assert [token.type for token in tokens if token.level == 0 and token.nesting >= 0] == [
        "paragraph_open",
        "fence",
        "paragraph_open",
    ]
    fence = next(token for token in tokens if token.type == "fence")
    assert fence.content == "\n".join(escape.defused(visible(line)) for line in text.split("\n")) + "\n"


def _undone(text: str, pairs: tuple[tuple[str, str], ...]) -> str:
    for code, char in pairs:
        text = text.replace(code, char)
    return text


#: What the runner puts back, in its order.
DATA = (("%0D", "\r"), ("%0A", "\n"), ("%25", "%"))
PROPERTY = (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%"))


@given(texts)
def test_workflow_texts_come_back_as_a_reader_sees_them(text: str) -> None:
    seen = escape.defused(visible(text))
    data, property_ = escape.workflow_data(text), escape.workflow_property(text)
    assert _undone(data, DATA) == seen
    assert _undone(property_, PROPERTY) == seen
    assert not re.search(r"[\r\n]", data)
    assert not re.search(r"[\r\n:,]", property_)


@given(texts)
def test_json_keeps_its_value_and_commands_nothing(text: str) -> None:
    out = escape.json_line(json.dumps({text: [text]}, indent=2))
    assert json.loads(out) == {text: [text]}
    assert not list(faults(out))
    assert out.isascii()


@given(texts)
def test_html_comes_back_as_a_reader_sees_it_and_commands_nothing(text: str) -> None:
    out = escape.html(text)
    assert unescape(out) == visible(text)
    assert not [fault for fault in faults(out.replace("\t", " ")) if "command" in fault]
    assert not {"<", ">", '"', "'"} & set(out)
