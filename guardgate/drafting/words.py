"""The most words that a promise allows a reply."""

from __future__ import annotations

import re

from guardgate.drafting.grammar import AT_MOST, FORBIDS

_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMBERS = {
    "ten": 10,
    **{word: 10 * count for count, word in enumerate(_TENS, 2)},
    "a hundred": 100,
    "one hundred": 100,
}
_COUNT = rf"(?P<count>\d{{1,4}}|{'|'.join(_NUMBERS)})"
_AT_MOST = re.compile(rf"\b(?:{AT_MOST})\s+{_COUNT}\s+words\b", re.IGNORECASE)
_NEVER_MORE = re.compile(
    rf"\b(?:never|not|don't)\s+(?:\w+\s+)?(?:more than|over|exceeds?)\s+{_COUNT}\s+words\b", re.IGNORECASE
)


def most_words(text: str) -> int:
    """The bound on the words of a reply (0: none). "Never in under ten words" is none."""
    most = _NEVER_MORE.search(text)
    if most is None:
        most = _AT_MOST.search(text)
        if most is None or FORBIDS.search(text[: most.start()]):
            return 0
    count = most["count"].casefold()
    return _NUMBERS[count] if count in _NUMBERS else int(count)


#: What may join a second promise to the first.
_JOINS = re.compile(r"[,;]|\b(?:and|but|or|nor|while|without|unless|except)\b", re.IGNORECASE)


def code_can_count(text: str) -> bool:
    """Whether the bound on words is all that the promise says, so that no judge is needed."""
    return bool(most_words(text)) and not _JOINS.search(text)
