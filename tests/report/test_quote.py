"""Long texts: marks, carets, cuts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from guardgate.report.layout import breaks, columns, wrapped
from guardgate.report.quote import TEXT_WIDTH, quoted
from tests.report.hostile import texts


def _shown(text: str, words: str | None = None, limit: int | None = None) -> list[str]:
    return [str(line) for line in quoted(text, words, limit)]


def test_every_line_has_a_mark() -> None:
    assert _shown("one\n\ntwo") == ["| one", "|", "| two"]
    assert _shown("one\r\ntwo") == ["| one", "| two"]
    assert _shown("") == ["  (empty)"]


def test_carets_stand_below_the_words() -> None:
    assert _shown("I promise not to tell.\nBye.", "promise not") == [
        "> I promise not to tell.",
        "    ^^^^^^^^^^^",
        "| Bye.",
    ]


def test_words_over_two_lines_are_pointed_at_on_both() -> None:
    assert _shown("ab cd\nef gh", "cd\nef") == ["> ab cd", "     ^^", "> ef gh", "  ^^"]


def test_carets_count_columns_not_characters() -> None:
    assert _shown("漢字 no\u202e go", "go") == [r"> 漢字 no\u{202e} go", "                  ^^"]
    assert _shown("a::b ##[x] go", "go") == [r"> a:\:b ##\[x] go", "               ^^"]


def test_a_whole_reply_needs_no_carets() -> None:
    assert _shown("all of it\nis it", "all of it\nis it") == ["> all of it", "> is it"]


def test_words_that_are_not_in_the_text_stand_before_it() -> None:
    assert _shown("Done.", "send_mail({})") == ["  what decided:", "> send_mail({})", "  the text:", "| Done."]


def test_a_long_text_says_how_much_is_left_out() -> None:
    assert _shown("x" * 30, None, 10) == [f"| {'x' * 10}", "  [... 20 more characters]"]


def test_a_long_text_is_cut_around_the_words() -> None:
    text = "a " * 500 + "the secret" + " b" * 500
    shown = _shown(text, "the secret", 300)
    assert shown[0] == "  [... 800 characters before]"
    assert shown[-1] == "  [... 910 more characters]"
    marked = next(line for line in shown if line.startswith(">"))
    carets = shown[shown.index(marked) + 1]
    assert marked[carets.index("^") : carets.rindex("^") + 1] == "the secret"


@given(texts, st.integers(1, 40))
def test_nothing_is_lost_but_what_is_said_to_be(text: str, limit: int) -> None:
    shown = list(quoted(text, None, limit))
    assert all(line.mark == "|" or line.text == "(empty)" or "more characters]" in line.text for line in shown)
    assert ("more characters]" in shown[-1].text) == (len(text) > limit)
    assert all(columns(line.text) <= TEXT_WIDTH for line in shown)


@given(texts, st.integers(2, 30))
def test_breaks_lose_nothing(text: str, width: int) -> None:
    pieces = [text[start:end] for start, end in breaks(text, width)]
    assert "".join(pieces) == text
    assert all(columns(piece) <= width for piece in pieces)


def test_prose_breaks_at_spaces_and_hangs() -> None:
    assert list(wrapped("one two three four", 10, " ", "  ")) == [" one two", "  three", "  four"]
    assert list(wrapped("abcdefghij", 6)) == ["abcdef", "ghij"]
    assert list(wrapped("", 6, "- ")) == ["- "]
