r"""Where `\b` and `\W` stand beside a letter that RE2 takes for none, and that `check` says so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardgate.checks.pattern import compiled, found, refusal
from guardgate.checks.word_edges import misplaced


@pytest.mark.parametrize(
    ("pattern", "edge"),
    [
        (r"confirmé\b", (r"\b", "é")),
        (r"(?:dit|envoyé)\b", (r"\b", "é")),
        (r"(?P<a>é|b)\b", (r"\b", "é")),
        (r"caf[eé]\b", (r"\b", "é")),
        (r"é+\b", (r"\b", "é")),
        (r"é(?:x|y)?\b", (r"\b", "é")),
        (r"é{0,2}\b", (r"\b", "é")),
        (r"é(?:\bx)", (r"\b", "é")),
        (r"(?i)é\B", (r"\B", "é")),
        (r"\bétais", (r"\b", "é")),
        (r"\b(?:a|é)", (r"\b", "é")),
        (r"\b(?:a|b)?é", (r"\b", "é")),
        (r"сказал\W", (r"\W", "л")),
        (r"пять[\W_]+", (r"\W", "ь")),
        ("日本\\b", (r"\b", "本")),
        (r"x\{é\b", (r"\b", "é")),
        (r"[]é]\b", (r"\b", "é")),
        (r"é(?:$|[^\pL\pN])", None),
        (r"(?:^|[^\pL])étais", None),
        (r"\bsoy\b é", None),
        (r"(?:a|é)?b\b", None),
        (r"(?:é|ab)c\b", None),
        (r"[^é]\b", None),
        (r"\bé?\b|x", (r"\b", "é")),
        (r"\b(?:dit|fait)\b", None),
        (r"é.\b", None),
        (r"é\\b", None),
        (r"“word\b", None),
        (r"\bé*x", (r"\b", "é")),
    ],
)
def test_an_edge_beside_a_letter(pattern: str, edge: tuple[str, str] | None) -> None:
    compiled(pattern)
    assert misplaced(pattern) == edge


def test_such_an_edge_is_never_where_a_word_ends() -> None:
    """What the warning saves from: RE2 sees no end of the word, and finds one inside it."""
    assert found(r"confirmé\b", "Confirmé.") is None
    assert found(r"сказал\W", "сказала")
    assert found(r"confirmé(?:$|[^\pL\pN])", "Confirmé.")
    assert found(r"confirmé(?:$|[^\pL\pN])", "Confirmé")
    assert found(r"confirmé(?:$|[^\pL\pN])", "Confirmés") is None


PIECES = [*"éбa|?*^$.[)(", "(?:", r"\b", r"\W", "[é]", "[^é]", "{2}", r"\pL", r"\."]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_any_pattern_that_re2_takes_can_be_looked_at(pattern: str) -> None:
    if refusal(pattern) is None:
        edge = misplaced(pattern)
        assert edge is None or (edge[0] in pattern and edge[1] in pattern)


@given(st.text(max_size=60))
def test_arbitrary_text_can_be_looked_at(pattern: str) -> None:
    if refusal(pattern) is None:
        misplaced(pattern)
